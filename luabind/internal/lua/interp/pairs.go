package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The functions pairs and ipairs, in a form without a call.

// NewPairs makes the function pairs or ipairs from fn. step is the function that its loops call, control the value
// that they begin with.
func NewPairs(env *lua.LTable, fn lua.LGFunction, step *lua.LFunction, control Value) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).opens = &opening{Value{Ref: step}, control}
	return f
}

// An opening is what pairs and ipairs return besides the table.
type opening struct{ step, control Value }

// opensLoop gives the results of pairs or ipairs of a table to a loop. It returns false for other arguments, and for other calls.
func (f *NativeFunction) opensLoop(args []Value, in *instruction, out *Value) bool {
	if len(args) != 1 || in.c != 4 {
		return false
	}
	if _, ok := args[0].Ref.(*lua.LTable); !ok {
		return false
	}
	table := args[0]
	results := unsafe.Slice(out, 3)
	results[0], results[1], results[2] = f.opens.step, table, f.opens.control
	return true
}
