package luatest

import (
	"maps"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The words that define tests, as busted has them: describe, it, before_each and so on. They only collect tests and
// functions (group.go); runner.go runs them.

// addWords declares the globals of a test file.
func (s *suite) addWords(env *sandbox.Env) {
	hook := func(name string, list func(*group) *[]*lua.LFunction) lua.LGFunction { return s.hook(name, list) }
	setup, teardown := func(g *group) *[]*lua.LFunction { return &g.setup }, func(g *group) *[]*lua.LFunction { return &g.teardown }
	for _, w := range []struct { // sorted, as all globals: a script may walk _G
		name string
		fn   lua.LGFunction
		most int // arguments
	}{
		{"after_each", hook("after_each", func(g *group) *[]*lua.LFunction { return &g.after }), 1},
		{"before_each", hook("before_each", func(g *group) *[]*lua.LFunction { return &g.before }), 1},
		{"context", s.describe("context", false), 2},
		{"describe", s.describe("describe", false), 2},
		{"expose", s.describe("expose", false), 2},
		{"finally", s.finally, 1},
		{"insulate", s.describe("insulate", true), 2},
		{"it", s.it("it"), 2},
		{"lazy_setup", hook("lazy_setup", func(g *group) *[]*lua.LFunction { return &g.lazySetup }), 1},
		{"lazy_teardown", hook("lazy_teardown", func(g *group) *[]*lua.LFunction { return &g.lazyTeardown }), 1},
		{"pending", s.pending, 2},
		{"setup", hook("setup", setup), 1},
		{"spec", s.it("spec"), 2},
		{"strict_setup", hook("strict_setup", setup), 1},
		{"strict_teardown", hook("strict_teardown", teardown), 1},
		{"teardown", hook("teardown", teardown), 1},
		{"test", s.it("test"), 2},
	} {
		env.Set(w.name, s.state.NewFunction(func(L *lua.LState) int {
			surface.AtMost(L, w.name, w.most, 0)
			return w.fn(L)
		}))
	}
	env.Set("assert", s.asserts(env))
	s.addSpyWords(env)
	s.addMatch(env)
	s.modules = map[string]lua.LValue{
		"luassert":      env.Table.RawGetString("assert"),
		"busted.runner": s.state.NewFunction(func(*lua.LState) int { return 0 }), // ecsrun test is the runner
	}
	for _, name := range []string{"match", "mock", "spy", "stub"} {
		s.modules["luassert."+name] = env.Table.RawGetString(name)
	}
}

// describe makes the word describe, or one like it. It calls its function at once: the tests that the function
// defines belong to the group. An insulated group gets its own modules and globals.
func (s *suite) describe(word string, insulated bool) lua.LGFunction {
	return func(L *lua.LState) int {
		s.whileLoading(L, word)
		g := &group{name: s.name(L, word), parent: s.group}
		fn := s.function(L, 2, word)
		s.group.items = append(s.group.items, item{group: g})
		s.group = g
		if insulated {
			g.inside = s.insulated()
			s.swap(g)
		}
		L.Push(fn)
		L.Call(0, 0) // after an error nothing of the file is used
		if insulated {
			s.swap(g)
		}
		s.group = g.parent
		return 0
	}
}

// it makes the word it, or one like it.
func (s *suite) it(word string) lua.LGFunction {
	return func(L *lua.LState) int {
		s.whileLoading(L, word)
		t := &test{name: s.name(L, word), line: s.state.Where().Line}
		if L.GetTop() < 2 {
			t.pending = true // announced, not written
		} else {
			t.fn = s.function(L, 2, word)
			s.state.NameFunction(t.fn, word)
		}
		s.add(t)
		return 0
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

// hook makes a word that adds a function to a list of the group.
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

// name returns the first argument of a word, the name of a test or group. It cannot be empty, because reports and
// --run refer to tests by name.
func (s *suite) name(L *lua.LState, word string) string {
	name := s.text(L, 1, word, "name")
	if strings.TrimSpace(name) == "" {
		sandbox.Raisef(L, "bad argument #1 to '%s' (name expected, got an empty string)", word)
	}
	return name
}

// text returns argument n of a function, which must be a string.
func (s *suite) text(L *lua.LState, n int, function, what string) string {
	v, ok := L.Get(n).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "bad argument #%d to '%s' (%s expected, got %s)", n, function, what, L.Get(n).Type())
	}
	return string(v)
}

// sortedNamesOf returns the names of functions, sorted: Lua walks tables in the order in which they were filled.
func sortedNamesOf(words map[string]lua.LGFunction) []string { return slices.Sorted(maps.Keys(words)) }
