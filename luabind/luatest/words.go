package luatest

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The words that define tests, as busted has them: describe, it, before_each and so on. They only collect tests and
// functions (group.go); runner.go runs them.

// makeWords makes the words of a test file. plain is Lua's assert.
func (s *suite) makeWords(plain lua.LGFunction) {
	s.words = map[string]lua.LValue{}
	hook := func(name string, list func(*group) *[]*lua.LFunction) lua.LGFunction { return s.hook(name, list) }
	setup, teardown := func(g *group) *[]*lua.LFunction { return &g.setup }, func(g *group) *[]*lua.LFunction { return &g.teardown }
	for _, w := range []struct { // sorted, as all globals: a script may walk _G
		name string
		fn   lua.LGFunction
		most int // arguments
	}{
		{"after_each", hook("after_each", func(g *group) *[]*lua.LFunction { return &g.after }), 1},
		{"before_each", hook("before_each", func(g *group) *[]*lua.LFunction { return &g.before }), 1},
		{"context", s.describe("context", plainGroup), 2},
		{"describe", s.describe("describe", plainGroup), 2},
		{"expose", s.describe("expose", exposedGroup), 2},
		{"finally", s.finally, 1},
		{"insulate", s.describe("insulate", insulatedGroup), 2},
		{"it", s.it("it"), 2},
		{"lazy_setup", hook("lazy_setup", func(g *group) *[]*lua.LFunction { return &g.lazySetup }), 1},
		{"lazy_teardown", hook("lazy_teardown", func(g *group) *[]*lua.LFunction { return &g.lazyTeardown }), 1},
		{"pending", s.pending, 2},
		{"randomize", s.randomize, 2},
		{"setup", hook("setup", setup), 1},
		{"spec", s.it("spec"), 2},
		{"strict_setup", hook("strict_setup", setup), 1},
		{"strict_teardown", hook("strict_teardown", teardown), 1},
		{"teardown", hook("teardown", teardown), 1},
		{"test", s.it("test"), 2},
	} {
		s.words[w.name] = s.state.NewFunction(func(L *lua.LState) int {
			surface.AtMost(L, w.name, w.most, 0)
			return w.fn(L)
		})
	}
	s.words["assert"] = s.asserts(plain)
	for name, t := range s.spyWords() {
		s.words[name] = t
	}
	s.words["match"] = s.addMatch()
}

// A groupKind is what the words describe, insulate and expose make.
type groupKind int

const (
	plainGroup groupKind = iota
	insulatedGroup
	exposedGroup
)

// describe makes the word describe, or one like it. The function runs when the turn of the group comes. Without one the
// word returns a function that takes it: describe "name" (function() … end).
func (s *suite) describe(word string, of groupKind) lua.LGFunction {
	return func(L *lua.LState) int {
		s.whileLoading(L, word)
		g := &group{name: s.name(L, word), line: s.state.Where().Line, parent: s.group, layer: layer{}, insulated: of == insulatedGroup, exposed: of == exposedGroup}
		g.assigns = g.layer
		if g.exposed {
			g.assigns = s.root.layer
			if outer := g.parent.parent; outer != nil {
				g.assigns = outer.layer
			}
		}
		if L.GetTop() < 2 {
			return s.later(L, word, func(L *lua.LState) { g.body = s.function(L, 1, word); s.addGroup(g) })
		}
		g.body = s.function(L, 2, word)
		s.addGroup(g)
		return 0
	}
}

func (s *suite) addGroup(g *group) { g.parent.items = append(g.parent.items, item{group: g}) }

// later returns the function that takes what a word is called with in a second call.
func (s *suite) later(L *lua.LState, word string, take func(L *lua.LState)) int {
	L.Push(s.state.NewFunction(func(L *lua.LState) int {
		s.whileLoading(L, word)
		take(L)
		return 0
	}))
	return 1
}

// it makes the word it, or one like it. Without a function it returns one that takes it: it "name" (function() … end).
func (s *suite) it(word string) lua.LGFunction {
	return func(L *lua.LState) int {
		s.whileLoading(L, word)
		t := &test{name: s.name(L, word), line: s.state.Where().Line}
		s.add(t)
		take := func(L *lua.LState, n int) {
			t.fn, t.pending = s.function(L, n, word), false
			s.state.NameFunction(t.fn, word)
		}
		if L.GetTop() > 1 {
			take(L, 2)
			return 0
		}
		t.pending = true // announced, not written
		return s.later(L, word, func(L *lua.LState) { take(L, 1) })
	}
}

// pending announces a test that is not written yet. Inside of a test it ends that test, and inside of a setup all
// tests of the group are pending.
func (s *suite) pending(L *lua.LState) int {
	if s.inside {
		reason := ""
		if L.GetTop() > 0 {
			reason = s.text(L, 1, "pending", "reason")
		}
		sandbox.Raise(L, &pendingError{reason})
	}
	s.whileLoading(L, "pending")
	t := &test{name: s.name(L, "pending"), line: s.state.Where().Line, pending: true}
	if L.GetTop() > 1 {
		s.function(L, 2, "pending")
	}
	s.add(t)
	return 0
}

// pendingError ends a test that declares itself pending.
type pendingError struct{ reason string }

func (e *pendingError) Error() string {
	if e.reason == "" {
		return "pending"
	}
	return "pending: " + e.reason
}

func (s *suite) hook(word string, list func(*group) *[]*lua.LFunction) lua.LGFunction {
	return func(L *lua.LState) int {
		s.whileLoading(L, word)
		fn := s.function(L, 1, word)
		s.state.NameFunction(fn, word)
		to := list(s.group)
		*to = append(*to, fn)
		return 0
	}
}

// finally sets a function that runs after the running test, also if the test fails. With several, the last runs
// first.
func (s *suite) finally(L *lua.LState) int {
	fn := s.function(L, 1, "finally")
	if s.running == nil {
		sandbox.Raisef(L, "finally outside a test; in a describe write after_each or teardown")
	}
	s.state.NameFunction(fn, "finally")
	s.atEnd = append(s.atEnd, fn)
	return 0
}

// whileLoading raises an error in a running test: the list of tests is complete by then.
func (s *suite) whileLoading(L *lua.LState, word string) {
	if s.group == nil {
		sandbox.Raisef(L, "%s inside a test; it belongs into a describe or the file itself", word)
	}
}

func (s *suite) function(L *lua.LState, n int, word string) *lua.LFunction {
	fn, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		sandbox.Raisef(L, "bad argument #%d to '%s' (function expected, got %s)", n, word, L.Get(n).Type())
	}
	return fn
}

// name returns the first argument of a word, the name of a test or group.
func (s *suite) name(L *lua.LState, word string) string {
	if n, ok := L.Get(1).(lua.LNumber); ok {
		return sandbox.NumberText(float64(n))
	}
	return s.text(L, 1, word, "name")
}

// randomize makes what is in the group run in an order that follows from a seed: the given one, or that of the run.
// randomize(false) keeps the order of the file.
func (s *suite) randomize(L *lua.LState) int {
	s.whileLoading(L, "randomize")
	s.group.randomize = lua.LTrue
	for i := 1; i <= 2; i++ {
		if v := L.Get(i); v == lua.LFalse || v.Type() == lua.LTNumber {
			s.group.randomize = v
		}
	}
	return 0
}

// text returns argument n of a function, which must be a string.
func (s *suite) text(L *lua.LState, n int, function, what string) string {
	v, ok := L.Get(n).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "bad argument #%d to '%s' (%s expected, got %s)", n, function, what, L.Get(n).Type())
	}
	return string(v)
}

// sortedNamesOf returns the names of words, sorted: Lua walks tables in the order in which they were filled.
func sortedNamesOf[T any](words map[string]T) []string { return slices.Sorted(maps.Keys(words)) }
