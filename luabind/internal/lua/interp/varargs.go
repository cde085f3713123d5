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

// varargs executes `...`.
func (m *Machine) varargs(act *activation, in *instruction) {
	n := int(in.b) - 1
	if n < 0 {
		n = len(act.extra)
		m.top = int(in.a) + n
		m.room(act, m.top)
	}
	if act.frame.LocalBase+int(in.a)+n > len(threadOf(m.L).reg.array) {
		act.frame.Pc = int(in.pc) + 1
		m.restAt(act, act.ip, m.left)
		m.spend()
		m.ensure(m.L, act.frame.LocalBase+int(in.a)+n)
	}
	for i := range n {
		x := at(act.r, int(in.a)+i)
		if i < len(act.extra) {
			*x = act.extra[i]
		} else {
			*x = Nil
		}
	}
}
