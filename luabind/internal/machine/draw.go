package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// draw is a random number: below 1, or a whole one between bounds. Bounds that raise stop the row.
func (e *emitter) draw(x *kernel.Expr) {
	if x.A == nil {
		e.random64()
		e.i64(11)
		e.op(opI64ShrU, opF64ConvertI64S)
		e.f64(1.0 / (1 << 53))
		e.op(opF64Mul)
		return
	}
	lower, upper := &kernel.Expr{Op: kernel.Const, N: 1}, x.A
	if x.B != nil {
		lower, upper = x.A, x.B
	}
	if lower.Op == kernel.Const && upper.Op == kernel.Const {
		if from, to := math.Trunc(lower.N), math.Trunc(upper.N); from <= to && -mostExact <= from && to <= mostExact {
			e.below(uint64(to-from) + 1)
			e.op(opF64ConvertI64S)
			e.f64(from)
			e.op(opF64Add)
			return
		}
	}
	lo, hi, from, to := e.local(f64), e.local(f64), e.local(i64), e.local(i64)
	e.bound(lower, from)
	e.bound(upper, to)
	e.get(from)
	e.get(to)
	e.op(opI64GtS)
	e.jumpIf(e.stop)
	e.get(from)
	e.op(opF64ConvertI64S)
	e.f64(-mostExact)
	e.op(opF64Max)
	e.set(lo)
	e.get(to)
	e.op(opF64ConvertI64S)
	e.f64(mostExact)
	e.op(opF64Min)
	e.tee(hi)
	e.get(lo)
	e.op(opF64Lt)
	e.then(f64) // both are beyond what is exact
	e.get(lo)
	e.otherwise()
	n := e.local(i64)
	e.get(hi)
	e.get(lo)
	e.op(opF64Sub)
	e.saturating(satI64F64S)
	e.i64(1)
	e.op(opI64Add)
	e.set(n)
	e.belowLocal(n)
	e.op(opF64ConvertI64S)
	e.get(lo)
	e.op(opF64Add)
	e.end()
}

// mostExact is where the bounds of random numbers are cut.
const mostExact = 1 << 53

// bound cuts a bound to a whole number.
func (e *emitter) bound(x *kernel.Expr, whole int) {
	e.number(x, false)
	e.saturating(satI64F64S)
	e.set(whole)
}

// below puts a random number below n on the stack, as [ecs.Random] makes it: of what is drawn the few that would make some numbers likelier
// than others are thrown away.
func (e *emitter) below(n uint64) {
	x, threshold := e.local(i64), -n%n
	top := e.loop()
	e.random64()
	e.set(x)
	if threshold > 0 {
		e.get(x)
		e.wide(n)
		e.op(opI64Mul)
		e.wide(threshold)
		e.op(opI64LtU)
		e.then(void)
		e.jump(top)
		e.end()
	}
	e.end()
	e.multiplyHigh(x, e.known(n))
}

// belowLocal is below for an n in a local.
func (e *emitter) belowLocal(n int) {
	x, low := e.local(i64), e.local(i64)
	top := e.loop()
	e.random64()
	e.tee(x)
	e.get(n)
	e.op(opI64Mul)
	e.tee(low)
	e.get(n)
	e.op(opI64LtU)
	e.then(void)
	e.get(low)
	e.i64(0)
	e.get(n)
	e.op(opI64Sub)
	e.get(n)
	e.op(opI64RemU, opI64LtU)
	e.then(void)
	e.jump(top)
	e.end()
	e.end()
	e.end()
	e.multiplyHigh(x, e.halves(n))
}
