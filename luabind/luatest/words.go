package luatest

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// This file has the words that define tests: describe, it, pending, before_each, after_each. They only collect
// tests; runner.go runs them.

// addWords declares the globals of a test file.
func (s *suite) addWords(env *sandbox.Env) {
	for _, w := range []struct { // sorted, as all globals: a script may walk _G
		name string
		fn   lua.LGFunction
		most int // arguments
	}{
		{"after_each", s.afterEach, 1},
		{"before_each", s.beforeEach, 1},
		{"describe", s.describe, 2},
		{"it", s.it, 2},
		{"pending", s.pending, 2},
	} {
		env.Set(w.name, s.state.NewFunction(func(L *lua.LState) int {
			surface.AtMost(L, w.name, w.most, 0)
			return w.fn(L)
		}))
	}
	env.Set("assert", s.asserts(env))
}

// describe calls its function at once: the tests that the function defines belong to the group.
func (s *suite) describe(L *lua.LState) int {
	s.whileLoading(L, "describe")
	g := &group{name: s.text(L, 1, "describe", "name"), parent: s.group}
	fn := s.function(L, 2, "describe")
	s.group.items = append(s.group.items, item{group: g})
	s.group = g
	L.Push(fn)
	L.Call(0, 0) // after an error nothing of the file is used
	s.group = g.parent
	return 0
}

func (s *suite) it(L *lua.LState) int {
	s.whileLoading(L, "it")
	t := &test{group: s.group, name: s.text(L, 1, "it", "name"), line: s.state.Where().Line}
	if L.GetTop() < 2 {
		t.pending = true // announced, not written
	} else {
		t.fn = s.function(L, 2, "it")
		s.state.NameFunction(t.fn, "it")
	}
	s.group.items = append(s.group.items, item{test: t})
	return 0
}

// pending announces a test that is not written yet. Inside of a test it ends that test.
func (s *suite) pending(L *lua.LState) int {
	if s.running != nil {
		reason := ""
		if L.GetTop() > 0 {
			reason = s.text(L, 1, "pending", "reason")
		}
		sandbox.Raise(L, &pendingError{reason})
	}
	s.whileLoading(L, "pending")
	t := &test{group: s.group, name: s.text(L, 1, "pending", "name"), line: s.state.Where().Line, pending: true}
	if L.GetTop() > 1 {
		s.function(L, 2, "pending")
	}
	s.group.items = append(s.group.items, item{test: t})
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

func (s *suite) beforeEach(L *lua.LState) int {
	s.whileLoading(L, "before_each")
	fn := s.function(L, 1, "before_each")
	s.state.NameFunction(fn, "before_each")
	s.group.before = append(s.group.before, fn)
	return 0
}

func (s *suite) afterEach(L *lua.LState) int {
	s.whileLoading(L, "after_each")
	fn := s.function(L, 1, "after_each")
	s.state.NameFunction(fn, "after_each")
	s.group.after = append(s.group.after, fn)
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

// text returns argument n of a function, which must be a string.
func (s *suite) text(L *lua.LState, n int, function, what string) string {
	v, ok := L.Get(n).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "bad argument #%d to '%s' (%s expected, got %s)", n, function, what, L.Get(n).Type())
	}
	return string(v)
}
