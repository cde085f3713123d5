package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A Go function that scripts call gets its arguments through gopher-lua's stack, which
// costs about 40 ns. A NativeFunction has a second form that takes them from registers.
// gopher-lua itself uses the first form, so scripts and coroutines see no difference.

// Native is the second form: one result, or false where the first form must decide:
// for errors, for arguments that it does not take. It may neither fail nor call Lua.
type Native func(m *Machine, args []Value) (Value, bool)

// nativeMark and iteratorMark are in the Proto of functions that are a NativeFunction
// or an IteratorFunction. gopher-lua does not look at the Proto of a Go function.
var nativeMark, iteratorMark = &lua.FunctionProto{}, &lua.FunctionProto{}

// A NativeFunction is a Go function with a native form.
type NativeFunction struct {
	lua.LFunction
	native Native
	next   func(m *Machine, s *site, args, out []Value) bool // of next and of ipairs
}

// NewNative makes a Lua function of fn that has a native form, too.
func NewNative(env *lua.LTable, fn lua.LGFunction, native Native) *lua.LFunction {
	f := &NativeFunction{native: native}
	f.LFunction = lua.LFunction{IsG: true, Env: env, GFunction: fn, Proto: nativeMark}
	return &f.LFunction
}

// An Iterator gives the values of a loop. Step fills out, with nil first at the end. Errors are raised on L.
type Iterator interface {
	Step(L *lua.LState, out []Value)
}

// An IteratorFunction is the generator of a loop that has a native form.
type IteratorFunction struct {
	lua.LFunction
	Iterator Iterator
}

// Init makes f a generator: fn is its form for gopher-lua.
func (f *IteratorFunction) Init(env *lua.LTable, fn lua.LGFunction, it Iterator) {
	f.LFunction = lua.LFunction{IsG: true, Env: env, GFunction: fn, Proto: iteratorMark}
	f.Iterator = it
}

func pointer(v *Value) unsafe.Pointer { return unsafe.Pointer(v) }

func asLua(t *table) *lua.LTable { return (*lua.LTable)(unsafe.Pointer(t)) }
