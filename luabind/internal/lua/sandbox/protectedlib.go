package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// The functions of Lua that raise and catch errors: assert, error, pcall and xpcall.

// luaAssert returns its arguments if the first is true. Otherwise it raises the second: a string with the position of the caller, as in
// Lua 5.1, any other value unchanged.
func (s *State) luaAssert(L *lua.LState) int {
	if lua.LVAsBool(argAny(L, 1)) {
		return L.GetTop()
	}
	v := L.Get(2)
	if v == lua.LNil {
		v = lua.LString("assertion failed!")
	}
	return s.raiseValue(L, v, 1)
}

// luaError is error(value, level). A string gets a position in front: that of the caller of error (level 1), of
// the caller's caller (level 2), or none (level 0).
func (s *State) luaError(L *lua.LState) int {
	return s.raiseValue(L, L.Get(1), optInt(L, 2, 1))
}

// Throw raises a value as error(value, 0) does.
func (s *State) Throw(L *lua.LState, v lua.LValue) int { return s.raiseValue(L, v, 0) }

func (s *State) raiseValue(L *lua.LState, v lua.LValue, level int64) int {
	t := &thrown{value: v}
	f := topFrame(L).Parent // f of error is error itself
	for n := int64(1); n < level && f != nil; n++ {
		f = f.Parent
	}
	if f == nil || f.Fn.IsG || f.Fn.Proto == launcher {
		f = luaFrame(L)
		level = 0
	}
	if f != nil {
		t.pos = f.pos()
	}
	switch x := v.(type) {
	case lua.LString:
		t.text = string(x)
	case lua.LNumber:
		t.text = NumberText(float64(x))
		v = lua.LString(t.text)
	}
	if _, ok := v.(lua.LString); ok && level > 0 {
		v = lua.LString(prefixed(t.pos, t.text))
	}
	s.checkSize(L, len(t.text))
	s.thrown = t
	L.Error(v, 0)
	return 0
}

// pcall runs the function on a thread of its own, for two reasons. gopher-lua closes the captured variables of
// every running function when an error occurs, so closures of the caller would lose their connection to it. And a
// thread of its own can be left by a panic.
func (s *State) pcall(L *lua.LState) int {
	fn := argAny(L, 1)
	th := s.thread()
	if th == nil {
		Raise(L, ErrTooDeep)
	}
	n := L.GetTop()
	if e := s.run(th, fn, nil, L, n, lua.MultRet); e != nil {
		s.keepOrPass(e)
		s.charge(L, failCost)
		L.Push(lua.LFalse)
		L.Push(e.Value)
		return 2
	}
	return s.results(L, th)
}

// failCost is the number of instructions charged for a caught error: a new thread takes 6 µs and 30 KB.
const failCost = 200

// keepOrPass raises an error again if no script may catch it: a spent budget, or a bug.
func (s *State) keepOrPass(e *Error) {
	if e.fatal {
		s.throw(e)
	}
	s.remember(e)
}

// results moves all values of th to L, after a true.
func (s *State) results(L, th *lua.LState) int {
	n := th.GetTop()
	L.Push(lua.LTrue)
	for i := 1; i <= n; i++ {
		L.Push(th.Get(i))
	}
	th.SetTop(0)
	return n + 1
}

// xpcall calls the handler after the failed function has been left, and returns its first result. It passes arguments on to the function, as
// later versions of Lua do.
func (s *State) xpcall(L *lua.LState) int {
	fn, handler := argAny(L, 1), argAny(L, 2)
	th := s.thread()
	if th == nil {
		Raise(L, ErrTooDeep)
	}
	args := make([]lua.LValue, 0, 4)
	for i := 3; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	e := s.run(th, fn, args, nil, 0, lua.MultRet)
	if e == nil {
		return s.results(L, th)
	}
	s.keepOrPass(e)
	s.charge(L, failCost)
	if th = s.thread(); th == nil {
		Raise(L, ErrTooDeep)
	}
	if again := s.run(th, handler, []lua.LValue{e.Value}, nil, 0, 1); again != nil {
		s.keepOrPass(again)
		L.Push(lua.LFalse)
		L.Push(interp.HandlerFailed)
		return 2
	}
	s.results(L, th)
	L.Replace(-2, lua.LFalse)
	return 2
}
