package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Strings. In code a string is a number, its place in a list of strings of the host: the constants of the body, then those that come from
// outside the loop, and those that the host meets in rows. Only the host makes new ones (textcall.go), and each is in the list once, so that two
// strings are equal when their numbers are.

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
	case ir.Load:
		if !e.cached(x.I) {
			e.LoadElsewhere(x)
			return
		}
		e.Get(e.cell(x.I, x.Field).local)
	case ir.Lookup:
		e.lookup(x)
	case ir.As:
		e.as(x)
	case ir.Join, ir.Shown:
		e.join(x)
	case ir.Select:
		e.Condition(x.A)
		e.Then(wasm.I32)
		e.onlyHere(func() { e.text(x.B) })
		e.Otherwise()
		e.onlyHere(func() { e.text(x.C) })
		e.End()
	default:
		abi.Refuse("it has a string without code (%d)", x.Op)
	}
}

// value puts a value of any type on the stack, as a float64: a boolean is 0 or 1, a string its number.
func (e *Emitter) value(x *ir.Expr) {
	switch x.Type {
	case ir.Any: // no machine code has it: see emit.vet
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
