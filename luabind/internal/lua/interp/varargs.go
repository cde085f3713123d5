package interp

import lua "github.com/yuin/gopher-lua"

// mostVarargs is the largest number of values that `...` may give. A function that calls itself with one more each time copies them all.
const mostVarargs = 16_000

func init() {
	original := jumpTable[lua.OP_VARARG]
	jumpTable[lua.OP_VARARG] = func(L *lua.LState, inst uint32, base *callFrame) int {
		if frame := threadOf(L).currentFrame; frame.NArgs-int(frame.Fn.Proto.NumParameters) > mostVarargs {
			L.RaiseError("registry overflow") // as gopher-lua says it
		}
		return original(L, inst, base)
	}
}
