package luatest

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// What a test adds to assert, as luassert has it: assert:register makes assertions, modifiers and matchers of Lua
// functions. Such a function gets the state of the chain, the list of the arguments and a level for error.

// registered is an assertion, modifier or matcher of a test.
type registered struct {
	name     string
	callback lua.LValue
	positive lua.LValue // the key of the text, or the text; nil of Lua for none
	negative lua.LValue
}

// ownLevel is the level that a registered function gets. One more, as those of luassert use it, is the line of the
// assertion.
const ownLevel = 2

// assertFunctions are the functions of assert that are called with a colon.
func (s *suite) assertFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"add_formatter":    s.addFormatter,
		"add_spy":          func(*lua.LState) int { return 0 }, // all spies are known
		"format":           s.assertFormat,
		"get_level":        func(L *lua.LState) int { L.Push(s.levelOf(L.Get(2))); return 1 },
		"get_parameter":    func(L *lua.LState) int { L.Push(s.parameter(string(s.asserted(L, "get_parameter", "name")))); return 1 },
		"level":            s.assertLevel,
		"register":         s.register,
		"remove_formatter": s.removeFormatter,
		"set_parameter":    s.setParameter,
		"snapshot":         s.assertSnapshot,
		"state":            func(L *lua.LState) int { L.Push(s.stateOf(chain{})); return 1 },
		"unregister":       s.unregister,
	}
}

// asserted returns the second argument of a function of assert, a text; the first one is assert.
func (s *suite) asserted(L *lua.LState, function, what string) lua.LString {
	v, ok := L.Get(2).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "assert:%s takes a %s, not %s; it is called with a colon", function, what, surface.Kind(L.Get(2)))
	}
	return v
}

// register is assert:register(namespace, name, callback, positive, negative).
func (s *suite) register(L *lua.LState) int {
	space := string(s.asserted(L, "register", "kind: assertion, modifier or matcher"))
	name, ok := L.Get(3).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "assert:register takes a name, not %s", surface.Kind(L.Get(3)))
	}
	if !callable(L, L.Get(4)) {
		sandbox.Raisef(L, "assert:register takes a function, not %s", surface.Kind(L.Get(4)))
	}
	s.own.set(space, strings.ToLower(string(name)), &registered{strings.ToLower(string(name)), L.Get(4), L.Get(5), L.Get(6)})
	s.unfollow()
	return 0
}

// unregister is assert:unregister(namespace, name).
func (s *suite) unregister(L *lua.LState) int {
	space := string(s.asserted(L, "unregister", "kind: assertion, modifier or matcher"))
	name, ok := L.Get(3).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "assert:unregister takes a name, not %s", surface.Kind(L.Get(3)))
	}
	s.own.set(space, strings.ToLower(string(name)), nil)
	s.unfollow()
	return 0
}

// owned is what a test has registered, by kind and name. A nil entry takes away one of luassert's.
type owned map[string]map[string]*registered

func (o owned) set(space, name string, r *registered) {
	if o[space] == nil {
		o[space] = map[string]*registered{}
	}
	o[space][name] = r
}

// stateOf returns the state of a chain, a new one if no modifier has left any.
func (s *suite) stateOf(c chain) *lua.LTable {
	if c.state != nil {
		return c.state
	}
	t := s.state.NewTable()
	t.RawSetString("mod", lua.LTrue)
	t.RawSetString("tokens", s.state.NewTable())
	return t
}

// argumentList makes the list of the arguments on the stack, as luassert.util.make_arglist does.
func (s *suite) argumentList(L *lua.LState) *lua.LTable {
	return s.listOf(arguments(L, 1))
}

// isArgumentList reports whether a value is a list that argumentList has made.
func (s *suite) isArgumentList(v lua.LValue) bool {
	t, ok := v.(*lua.LTable)
	return ok && s.argumentMeta != nil && t.Metatable == lua.LValue(s.argumentMeta)
}

// modify calls a registered modifier with the arguments on the stack.
func (s *suite) modify(L *lua.LState, own *registered, state *lua.LTable) {
	args := s.argumentList(L)
	L.Push(own.callback)
	L.Push(state)
	L.Push(args)
	L.Push(lua.LNumber(ownLevel))
	L.Call(3, 0)
}

// assertOwn calls a registered assertion.
func (s *suite) assertOwn(L *lua.LState, c chain, r reading) int {
	given := L.GetTop()
	args := s.argumentList(L)
	state := s.stateOf(c)
	before := state.RawGetString("mod")
	for _, key := range r.keys {
		if own := s.own["modifier"][key]; own != nil {
			L.Push(own.callback)
			L.Push(state)
			L.Call(1, 0)
		}
	}
	positive := lua.LVAsBool(state.RawGetString("mod")) != r.negated
	state.RawSetString("mod", lua.LBool(positive))
	L.Push(r.own.callback)
	L.Push(state)
	L.Push(args)
	L.Push(lua.LNumber(ownLevel))
	L.Call(3, 2)
	holds, results := lua.LVAsBool(L.Get(-2)), L.Get(-1)
	L.Pop(2)
	state.RawSetString("mod", before)
	if holds != positive {
		s.failOwn(L, r.own, args, positive, state.RawGetString("failure_message"))
	}
	if t, ok := results.(*lua.LTable); ok {
		return s.pushList(L, t)
	}
	return given
}

// pushList pushes the values of a list, up to n if it has that.
func (s *suite) pushList(L *lua.LState, t *lua.LTable) int {
	n := t.Len()
	if v, ok := t.RawGetString("n").(lua.LNumber); ok {
		n = int(min(max(v, 0), 200))
	}
	for i := 1; i <= n; i++ {
		L.Push(sandbox.Get(t, lua.LNumber(i)))
	}
	return n
}

// failOwn raises the mismatch of a registered assertion, with its text for the arguments.
func (s *suite) failOwn(L *lua.LState, own *registered, args *lua.LTable, positive bool, message lua.LValue) {
	key := own.positive
	if !positive {
		key = own.negative
	}
	s.formatArguments(L, args)
	var lines []string
	if message != lua.LNil {
		lines = append(lines, s.ownText(L, message))
	}
	if text, ok := s.sayWith(L, key, args).(lua.LString); ok {
		lines = append(lines, string(text))
	}
	if lines == nil {
		lines = []string{"assertion failed!"}
	}
	text := strings.Join(lines, "\n")
	sandbox.Raise(L, &mismatch{message: cutText(strings.Join(strings.Fields(text), " "), showValue), text: text})
}

// A level is a value of assert:level.
func (s *suite) assertLevel(L *lua.LState) int {
	if s.levelMeta == nil {
		s.levelMeta = s.state.NewTable()
	}
	t := s.state.NewTable()
	t.RawSetString("level", L.Get(2))
	t.Metatable = s.levelMeta
	L.Push(t)
	return 1
}

func (s *suite) levelOf(v lua.LValue) lua.LValue {
	if t, ok := v.(*lua.LTable); ok && s.levelMeta != nil && t.Metatable == lua.LValue(s.levelMeta) {
		return t.RawGetString("level")
	}
	return lua.LNil
}
