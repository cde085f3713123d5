package frame

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// The ring of effects, from the host's side: reading the records that code has left, and the values of a return.

// A Ring is the place of the records of effects and of changes of tags, if Unit.Effects. The records are between
// Start and *End, in the order of the rows. Package abi says what a record is.
type Ring struct {
	Start uint32  // address
	End   *uint32 // in the frame
}

// Site returns the statement that has written the record at an address, and the address of the record's values.
func (f *Frame) Site(at uint32) (s *ir.Stmt, values uint32) {
	return f.Unit.Emits[*(*uint32)(f.Memory.At(at))], at + 8
}

// NumberAt returns the number at an address.
func (f *Frame) NumberAt(at uint32) float64 { return *(*float64)(f.Memory.At(at)) }

// ArgAt returns the value of an argument of a record, and the address of the next one.
func (f *Frame) ArgAt(x *ir.Expr, at uint32) (arg kernel.Arg, next uint32) {
	n := 0.0
	if !abi.IsConstantText(x) {
		n = f.NumberAt(at)
		at += 8
	}
	arg.N, arg.S = f.valueOf(x, n)
	return arg, at
}

// valueOf returns the value of an expression that code has left as the number n. A constant string is known without
// it.
func (f *Frame) valueOf(x *ir.Expr, n float64) (number float64, text string) {
	switch {
	case abi.IsConstantText(x):
		return 0, x.S
	case x.Type == ir.Text:
		return 0, f.TextOf(uint32(n))
	}
	return n, ""
}

// TakeResults reads the values of the return that ended a call into Results.
func (f *Frame) TakeResults() {
	for i, x := range f.Unit.Returns[*f.site].Args {
		n, s := f.valueOf(x, f.NumberAt(f.ResultAt(i)))
		f.Results = append(f.Results, kernel.Result{Type: x.Type, N: n, S: s})
	}
}

// ResultAt returns the address of a value of a return.
func (f *Frame) ResultAt(i int) uint32 { return f.Address + f.Unit.Layout.Results + 8*uint32(i) }
