package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// In code a string is its place in a list of strings: the constants of the body,
// then those that come from around the loop. Code cannot make new ones, and each is
// in the list once, so that two strings are equal when their places are.

// text puts a string on the stack.
func (e *emitter) text(x *ir.Expr) {
	switch x.Op {
	case ir.Const:
		i := slices.Index(e.strings, x.S)
		if i < 0 {
			i = len(e.strings)
			e.strings = append(e.strings, x.S)
		}
		e.I32(int32(i))
	case ir.Reg:
		e.Get(e.texts[x.I])
	case ir.Select:
		e.condition(x.A)
		e.Then(wasm.I32)
		e.text(x.B)
		e.Otherwise()
		e.text(x.C)
		e.End()
	default:
		refuse("it reads a string")
	}
}

// known reports whether a value is a string that the host knows.
func known(x *ir.Expr) bool { return x.Type == ir.Text && x.Op == ir.Const }

// value puts a value on the stack, as a number.
func (e *emitter) value(x *ir.Expr) {
	switch x.Type {
	case ir.Bool:
		e.condition(x)
		e.Op(wasm.F64ConvertI32S)
	case ir.Text:
		e.text(x)
		e.Op(wasm.F64ConvertI32S)
	case ir.Number:
		e.number(x, true)
	}
}

// valueOf is a value that code left as a number, unless it is known.
func (k *Kernel) valueOf(x *ir.Expr, n float64) (number float64, text string) {
	switch {
	case known(x):
		return 0, x.S
	case x.Type == ir.Text:
		return 0, k.strings[int(n)]
	}
	return n, ""
}

// SetText sets a register.
func (k *Kernel) SetText(reg int, v string) { k.texts[reg] = v }

// Text returns a register.
func (k *Kernel) Text(reg int) string { return k.texts[reg] }

func (k *Kernel) textAt(reg int) *uint32 {
	return (*uint32)(k.memory.At(k.frame + k.unit.layout.texts + 4*uint32(reg)))
}

// bringTexts tells code where in the list the strings from around the loop are.
func (k *Kernel) copyInTexts() {
	k.strings = append(k.strings[:0], k.unit.strings...)
	for reg, v := range k.texts {
		i := slices.Index(k.strings, v)
		if i < 0 {
			i = len(k.strings)
			k.strings = append(k.strings, v)
		}
		*k.textAt(reg) = uint32(i)
	}
}

// returnTexts takes the strings that code assigned.
func (k *Kernel) returnTexts() {
	for _, out := range k.program.Outputs {
		if out.Type == ir.Text {
			k.texts[out.Reg] = k.strings[*k.textAt(out.Reg)]
		}
	}
}
