package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Strings. In code a string is its number in a list: the constants of the body, then the strings from around the loop. Code
// cannot make new strings, and each is in the list once, so two strings are equal if their numbers are.

// text puts the number of a string on the stack.
func (e *Emitter) text(x *ir.Expr) {
	switch x.Op {
	case ir.Const:
		i := slices.Index(e.consts.strings, x.S)
		if i < 0 {
			i = len(e.consts.strings)
			e.consts.strings = append(e.consts.strings, x.S)
		}
		e.I32(int32(i))
	case ir.Reg:
		e.Get(e.regs.texts[x.I])
	case ir.Select:
		e.Condition(x.A)
		e.Then(wasm.I32)
		e.text(x.B)
		e.Otherwise()
		e.text(x.C)
		e.End()
	default:
		abi.Refuse("it reads a string")
	}
}

// value puts a value of any type on the stack, as a float64: a boolean is 0 or 1, a string its number.
func (e *Emitter) value(x *ir.Expr) {
	switch x.Type {
	case ir.Bool:
		e.Condition(x)
		e.Op(wasm.F64ConvertI32S)
	case ir.Text:
		e.text(x)
		e.Op(wasm.F64ConvertI32S)
	case ir.Number:
		e.Number(x, true)
	}
}
