package luatest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// assert, and the words after it. As in luassert, a chain such as assert.are_not.equal or assert.has.no.errors is a
// list of words, separated by dots or underscores: first modifiers, then the name of an assertion. The assertions are
// in equality.go, kinds.go, raising.go, spy.go and array.go, and register.go has those of a test. check.go is the call of
// one.

// An assertion is what the last words of a chain mean.
type assertion struct {
	name  string
	least int    // number of arguments at least
	own   int    // which argument is the user's own message; 0: none is
	form  string // the arguments as a message shows them
	say   string // the key of luassert's text, without .positive and .negative
	run   func(*check)
}

// assertions are all assertions by name. Names of several words are joined by underscores.
var assertions = func() map[string]*assertion {
	all := map[string]*assertion{}
	for _, list := range [][]assertion{equalityAssertions(), kindAssertions(), raisingAssertions(), spyAssertions(), arrayAssertions()} {
		for _, a := range list {
			all[a.name] = &a
		}
	}
	return all
}()

// modifiers are the words before an assertion. The value is true for those that negate it.
var modifiers = map[string]bool{"a": false, "an": false, "is": false, "are": false, "was": false, "were": false, "has": false, "does": false, "not": true, "no": true}

// takers are the modifiers that are called: assert.message("after the fall").is_true(x), assert.spy(s).was.called().
var takers = []string{"message", "spy", "stub", "array"}

// asserts makes assert, which can be called like Lua's own.
func (s *suite) asserts(plain lua.LGFunction) *lua.LTable {
	t := s.state.NewTable()
	s.link(t, chain{}, func(L *lua.LState) int {
		L.Remove(1) // assert itself
		if !lua.LVAsBool(L.Get(1)) {
			if s.refused = L.Get(2); L.GetTop() < 2 {
				s.refused = lua.LString("assertion failed!")
			}
			return s.state.Throw(L, s.refused)
		}
		return plain(L)
	})
	for name, fn := range s.assertFunctions() {
		t.RawSetString(name, s.state.NewFunction(fn))
	}
	return t
}

// link makes t the value of a chain: its keys are what follows, and call is what happens when it is called.
func (s *suite) link(t *lua.LTable, c chain, call lua.LGFunction) {
	mt := s.surf.Strict("assert", nil)
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		key, ok := L.Get(2).(lua.LString)
		if !ok {
			s.unknownWord(L, c, sandbox.ToString(L, L.Get(2)))
		}
		v := s.follow(L, c, string(key))
		if c.state == nil {
			t.RawSetString(string(key), v) // it is the same every time
			s.followed = append(s.followed, member{t, string(key)})
		}
		L.Push(v)
		return 1
	}))
	mt.RawSetString("__call", s.state.NewFunction(call))
	t.Metatable = mt
}

// A member is a key of a table that stands for a chain.
type member struct {
	table *lua.LTable
	key   string
}

// unfollow forgets the values of chains, which may mean something else from now on.
func (s *suite) unfollow() {
	for _, m := range s.followed {
		m.table.RawSetString(m.key, lua.LNil)
	}
	s.followed = nil
}

// follow returns the value of a chain after one more key: the function of an assertion, or a table for what can go on.
func (s *suite) follow(L *lua.LState, c chain, key string) lua.LValue {
	if r := s.read(c.words); r.taker != "" && r.found == nil && r.own == nil && modifierTakes(r.taker) {
		sandbox.Raisef(L, "assert.%s is called first: write assert.%s(…).%s", c.path, c.path, key)
	}
	to := chain{path: c.path, words: slices.Clone(c.words), state: c.state}
	if to.path != "" {
		to.path += "."
	}
	to.path += key
	for word := range strings.SplitSeq(strings.ToLower(key), "_") {
		if word == "" {
			continue
		}
		if !s.isWord(word) {
			s.unknownWord(L, c, key)
		}
		to.words = append(to.words, word)
	}
	r := s.read(to.words)
	call := func(L *lua.LState) int { return s.callChain(L, to, r) }
	if r.whole && (r.found != nil && !s.goesOn(r.found.name) || r.own != nil) {
		return s.state.NewFunction(call)
	}
	t := s.state.NewTable()
	s.link(t, to, func(L *lua.LState) int {
		L.Remove(1)
		return call(L)
	})
	return t
}

// modifierTakes reports whether a modifier of luassert needs an argument.
func modifierTakes(name string) bool { return slices.Contains(takers, name) }

// callChain calls what the words of a chain mean: an assertion, or modifiers that take arguments.
func (s *suite) callChain(L *lua.LState, c chain, r reading) int {
	switch {
	case !r.whole:
		for _, name := range sortedNames {
			if rest, ok := strings.CutPrefix(name, r.left+"_"); ok {
				sandbox.Raisef(L, "assert.%s is no assertion; it goes on, as in assert.%s.%s(…)", c.path, c.path, rest)
			}
		}
		i := strings.LastIndexByte(c.path, '.')
		s.unknownWord(L, chain{path: c.path[:max(i, 0)]}, c.path[i+1:])
		return 0
	case r.found != nil:
		return s.assert(L, c, r)
	case r.own != nil:
		return s.assertOwn(L, c, r)
	case r.taker == "":
		sandbox.Raisef(L, "assert.%s is no assertion; it goes on, as in assert.%s.%s", c.path, c.path, c.example())
		return 0
	}
	L.Push(s.take(L, c, r))
	return 1
}

// take calls the modifiers of a chain with arguments, and returns the chain that goes on after them.
func (s *suite) take(L *lua.LState, c chain, r reading) lua.LValue {
	to := chain{path: c.path + "(…)", state: s.stateOf(c)}
	for _, key := range r.keys {
		negates, is := modifiers[key]
		switch own := s.own["modifier"][key]; {
		case own != nil:
			s.modify(L, own, to.state)
		case key == "message":
			to.state.RawSetString("failure_message", L.Get(1))
		case key == "spy", key == "stub":
			if s.spyOf(L.Get(1)) == nil {
				sandbox.Raisef(L, "assert.%s takes a spy, as t.spy(fn) and spy.on(table, key) make one, not %s", c.path, surface.Kind(L.Get(1)))
			}
			to.state.RawSetString("payload", L.Get(1))
			if L.Get(2) != lua.LNil {
				to.state.RawSetString("failure_message", L.Get(2))
			}
		case key == "array":
			if L.Get(1) == lua.LNil {
				sandbox.Raisef(L, "assert.%s takes a list, as in assert.%s(list).has.no.holes()", c.path, c.path)
			}
			to.state.RawSetString(arrayKey, L.Get(1))
		case is && negates:
			to.state.RawSetString("mod", lua.LBool(!lua.LVAsBool(to.state.RawGetString("mod"))))
		}
	}
	t := s.state.NewTable()
	s.link(t, to, func(L *lua.LState) int {
		sandbox.Raisef(L, "assert.%s is no assertion; it goes on, as in assert.%s.%s", to.path, to.path, to.example())
		return 0
	})
	return t
}

// example returns words with which a chain can go on.
func (c chain) example() string {
	switch {
	case c.get("payload") != lua.LNil:
		return "was.called()"
	case c.get(arrayKey) != lua.LNil:
		return "has.no.holes()"
	}
	return "equal(1, x)"
}

// get returns what a modifier has left in the state of a chain.
func (c chain) get(key string) lua.LValue {
	if c.state == nil {
		return lua.LNil
	}
	return c.state.RawGetString(key)
}

// sortedNames are the names of all assertions, with the modifiers that they are often written with, for suggestions.
var sortedNames = func() []string {
	list := []string{"is_true", "is_false", "is_nil", "is_not_nil", "not_equal", "not_same", "no_error", "is_not", "are_not", "has_no", "was_called", "was_called_with", "message", "spy"}
	for word := range modifiers {
		list = append(list, word)
	}
	for name, a := range assertions {
		list = append(list, name)
		if a.own == 2 && !strings.Contains(name, "_") {
			list = append(list, "is_"+name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// unknownWord raises the error for a key with which no chain goes on.
func (s *suite) unknownWord(L *lua.LState, c chain, key string) {
	at := "assert"
	if c.path != "" {
		at += "." + c.path
	}
	text := fmt.Sprintf("%s has no function %s", at, quote(key))
	if near, ok := suggest.Closest(key, sortedNames); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	sandbox.Raisef(L, "%s", text)
}
