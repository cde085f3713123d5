package interp

import (
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Escape analysis for views. A loop over world:each gives the body a view of each component. If the body only reads
// and writes fields of the view, the loop uses the same view again for the next row, which a script cannot notice.
// A view that may be kept (assigned, captured, passed on, returned, stored) is a new one for each row.

// reusable returns which variables of a generic for, from the second one on, the body neither keeps nor replaces:
// bit i stands for variable i. The body is the code from..to-1, the variables are n registers from first on.
func (t *translator) reusable(from, to, first, n int) uint64 {
	if t.machine.Without.Has(without.Escape) {
		return 0
	}
	var out uint64
	for i := 1; i < n && i < 64; i++ {
		if !t.captured[first+i] && !t.keeps(from, to, first+i) {
			out |= 1 << i
		}
	}
	return out
}

// keeps reports whether code writes a register, or reads it in another way than to access a field of the value in
// it.
func (t *translator) keeps(from, to, register int) bool {
	for pc := from; pc < to; pc++ {
		w := word(t.proto.Code[pc])
		a, b, c := w.a(), w.b(), w.c()
		switch w.op() {
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
			if a == register || c == register {
				return true
			}
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
			if b == register || c == register {
				return true
			}
		case lua.OP_TEST, lua.OP_JMP, lua.OP_NOP, lua.OP_CLOSE:
		case lua.OP_NOT:
			if a == register {
				return true
			}
		case lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_GETUPVAL, lua.OP_GETGLOBAL, lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_NEWTABLE:
			if a == register {
				return true
			}
		case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
			if b == register || c == register {
				return true
			}
		case lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW, lua.OP_UNM, lua.OP_LEN,
			lua.OP_MOVE, lua.OP_TESTSET:
			if a == register || b == register || c == register {
				return true
			}
		case lua.OP_MOVEN:
			if a == register || b == register {
				return true // its other moves are looked at as moves
			}
		case lua.OP_SELF:
			if a == register || a+1 == register || b == register {
				return true
			}
		case lua.OP_CALL, lua.OP_TAILCALL, lua.OP_RETURN, lua.OP_VARARG, lua.OP_TFORLOOP, lua.OP_FORLOOP, lua.OP_FORPREP:
			if register >= a {
				return true // what they use begins there; variables of the loop lie below
			}
		case lua.OP_SETLIST:
			if register >= a {
				return true
			}
			if c == 0 {
				pc++
			}
		case lua.OP_LOADNIL:
			if a <= register && register <= b {
				return true
			}
		case lua.OP_CONCAT:
			if a == register || b <= register && register <= c {
				return true
			}
		case lua.OP_CLOSURE:
			if a == register {
				return true
			}
			pc += int(t.proto.FunctionPrototypes[w.bx()].NumUpvalues) // what it captures is in t.captured
		default:
			return true
		}
	}
	return false
}
