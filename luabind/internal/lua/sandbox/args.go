package sandbox

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file reads the arguments of library functions, with Lua's own coercions: where a string is expected, a
// number is accepted, and the reverse for numeric strings. Errors raise a text without the name of the function;
// the error hook (raise.go) adds it. L is the thread that called the function, and n counts arguments from 1.

// argError raises "bad argument" for argument n.
func argError(L *lua.LState, n int, why string) {
	L.RaiseError("bad argument #%d to ? (%s)", n, why)
}

// typeError raises that argument n should have the type want.
func typeError(L *lua.LState, n int, want string) {
	got := "no value"
	if n <= L.GetTop() {
		got = L.Get(n).Type().String()
	}
	argError(L, n, fmt.Sprintf("%s expected, got %s", want, got))
}

// argAny returns argument n; it may be nil, but must have been passed.
func argAny(L *lua.LState, n int) lua.LValue {
	if n > L.GetTop() {
		argError(L, n, "value expected")
	}
	return L.Get(n)
}

func argTable(L *lua.LState, n int) *lua.LTable {
	t, ok := L.Get(n).(*lua.LTable)
	if !ok {
		typeError(L, n, "table")
	}
	return t
}

func argFunction(L *lua.LState, n int) *lua.LFunction {
	fn, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		typeError(L, n, "function")
	}
	return fn
}

func argNumber(L *lua.LState, n int) float64 {
	switch v := L.Get(n).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		if f, ok := syntax.ParseNumber(string(v)); ok {
			return f
		}
	}
	typeError(L, n, "number")
	return 0
}

func argInt(L *lua.LState, n int) int64 { return toInt(argNumber(L, n)) }

// optInt returns argument n as an integer, or otherwise if it is nil or absent.
func optInt(L *lua.LState, n int, otherwise int64) int64 {
	if L.Get(n) == lua.LNil {
		return otherwise
	}
	return argInt(L, n)
}

func argString(L *lua.LState, n int) string {
	switch v := L.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return NumberText(float64(v))
	}
	typeError(L, n, "string")
	return ""
}

// optString returns argument n as a string, or otherwise if it is nil or absent.
func optString(L *lua.LState, n int, otherwise string) string {
	if L.Get(n) == lua.LNil {
		return otherwise
	}
	return argString(L, n)
}

// charge counts n instructions for work done in Go. It ends the turn if the budget is spent.
func (s *State) charge(L *lua.LState, n int64) {
	if !s.budget.Charge(n) {
		L.RaiseError("budget")
	}
}

// allocate counts bytes of new Lua values. It ends the turn if their limit is passed.
func (s *State) allocate(L *lua.LState, n int64) {
	if !s.budget.Allocate(n) {
		L.RaiseError("budget")
	}
}

// pushString pushes a string that a library function has made, and pays for it.
func (s *State) pushString(L *lua.LState, text lua.LString) {
	s.allocate(L, interp.StringBytes+int64(len(text)))
	L.Push(text)
}

// limitSize raises an error if a string of n bytes would be too long.
func (s *State) limitSize(L *lua.LState, n int) {
	if n > s.maxString {
		passed(L, "string too long: more than %s bytes", syntax.Grouped(int64(s.maxString)))
	}
}

// MaxString returns the greatest length of a string, in bytes.
func (s *State) MaxString() int { return s.maxString }

// CheckString raises an error if a string of n bytes would be too long, and charges for making it.
func (s *State) CheckString(L *lua.LState, n int) { s.checkSize(L, n) }

// checkSize is limitSize with a charge for making the string.
func (s *State) checkSize(L *lua.LState, n int) {
	s.limitSize(L, n)
	if n >= 256 {
		s.charge(L, int64(n>>6))
	}
}
