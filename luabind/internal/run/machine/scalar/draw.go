package scalar

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Random numbers in a row: ecs.random() and its bounds. Package pcg writes the generator.

// draw puts a random number on the stack: below 1, or a whole one between bounds. Bounds for which the interpreter raises
// an error stop the row.
func (e *Emitter) draw(x *ir.Expr) {
	if x.A == nil {
		e.random.Bits()
		e.I64(11)
		e.Op(wasm.I64ShrU, wasm.F64ConvertI64S)
		e.F64(1.0 / (1 << 53))
		e.Op(wasm.F64Mul)
		return
	}
	lower, upper := &ir.Expr{Op: ir.Const, N: 1}, x.A
	if x.B != nil {
		lower, upper = x.A, x.B
	}
	if lower.Op == ir.Const && upper.Op == ir.Const {
		if from, to := math.Trunc(lower.N), math.Trunc(upper.N); from <= to && -mostExact <= from && to <= mostExact {
			e.random.Below(uint64(to-from) + 1)
			e.Op(wasm.F64ConvertI64S)
			e.F64(from)
			e.Op(wasm.F64Add)
			return
		}
	}
	lo, hi, from, to := e.Local(wasm.F64), e.Local(wasm.F64), e.Local(wasm.I64), e.Local(wasm.I64)
	e.bound(lower, from)
	e.bound(upper, to)
	e.Get(from)
	e.Get(to)
	e.Op(wasm.I64GtS)
	e.JumpIf(e.iter.stop)
	e.Get(from)
	e.Op(wasm.F64ConvertI64S)
	e.F64(-mostExact)
	e.Op(wasm.F64Max)
	e.Set(lo)
	e.Get(to)
	e.Op(wasm.F64ConvertI64S)
	e.F64(mostExact)
	e.Op(wasm.F64Min)
	e.Tee(hi)
	e.Get(lo)
	e.Op(wasm.F64Lt)
	e.Then(wasm.F64) // both are beyond what is exact
	e.Get(lo)
	e.Otherwise()
	n := e.Local(wasm.I64)
	e.Get(hi)
	e.Get(lo)
	e.Op(wasm.F64Sub)
	e.Saturating(wasm.I64TruncSatF64S)
	e.I64(1)
	e.Op(wasm.I64Add)
	e.Set(n)
	e.random.BelowLocal(n)
	e.Op(wasm.F64ConvertI64S)
	e.Get(lo)
	e.Op(wasm.F64Add)
	e.End()
}

// mostExact is where bounds are cut: larger whole numbers are not exact.
const mostExact = 1 << 53

// bound leaves a bound, cut to a whole number, in a local of 64 bits.
func (e *Emitter) bound(x *ir.Expr, whole int) {
	e.Number(x, false)
	e.Saturating(wasm.I64TruncSatF64S)
	e.Set(whole)
}
