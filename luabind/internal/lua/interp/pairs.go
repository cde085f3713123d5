package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The functions pairs, ipairs and #, in a form that does not turn frozen data into a table.

// NewPairs makes the function pairs or ipairs from fn. step is the function that its loops call, control the value
// that they begin with.
func NewPairs(env *lua.LTable, fn lua.LGFunction, step *lua.LFunction, control Value) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).opens = &opening{Value{Ref: step}, control}
	return f
}

// An opening is what pairs and ipairs return besides the table.
type opening struct{ step, control Value }

// TakesLength makes fn, which NewNative has made, a function that returns the length of its first argument.
func TakesLength(fn *lua.LFunction) {
	(*NativeFunction)(unsafe.Pointer(fn)).length = true
}

// looks calls a function that only looks into its argument, which is a table or frozen data.
func (f *NativeFunction) looks(args []Value, in *instruction, out *Value) bool {
	if len(args) != 1 {
		return false
	}
	switch args[0].Ref.(type) {
	case *lua.LTable, *frozen:
	default:
		return false
	}
	switch {
	case f.opens != nil && in.c == 4:
		table := args[0]
		results := unsafe.Slice(out, 3)
		results[0], results[1], results[2] = f.opens.step, table, f.opens.control
		return true
	case f.length && in.c == 2:
		x, ok := args[0].Ref.(*frozen)
		if ok {
			out.SetNumber(float64(x.length()))
		}
		return ok
	}
	return false
}
