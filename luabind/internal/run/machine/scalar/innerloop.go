package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Counting loops and while loops within the body, and the fuel of their iterations. The fuel check in front of each
// iteration is what makes such a loop interruptible: the host charges the budget, or ends the turn.

// inner writes a loop within the body.
func (e *Emitter) inner(s *ir.Stmt) {
	out := e.Block()
	e.iter.breaks = append(e.iter.breaks, out)
	switch s.Op {
	case ir.While:
		e.Condition(s.A)
		e.Op(wasm.I32Eqz)
		e.JumpIf(out)
		top := e.Loop()
		e.burn(s.Price)
		e.loopBody(s.Body)
		e.Condition(s.A)
		e.Again(top)
	case ir.Repeat:
		top := e.Loop()
		e.burn(s.Price)
		e.loopBody(s.Body)
		e.Condition(s.A)
		e.Op(wasm.I32Eqz)
		e.Again(top)
	case ir.Count:
		e.Count(s, out, func(x int) {
			e.burn(s.Price)
			e.Get(x)
			e.Set(e.regs.numbers[s.I])
			e.loopBody(s.Body)
		})
	default:
		abi.Refuse("it has a loop without code (%d)", s.Op)
	}
	e.End()
	e.iter.breaks = e.iter.breaks[:len(e.iter.breaks)-1]
}

// Count writes a counting loop; body writes an iteration. x is the local that counts. It is not the register of the loop
// variable, which the body may assign.
func (e *Emitter) Count(s *ir.Stmt, out wasm.Label, body func(x int)) {
	x, limit, width := e.Local(wasm.F64), e.Local(wasm.F64), e.Local(wasm.F64)
	e.Number(s.A, false)
	e.Set(x)
	e.Number(s.B, false)
	e.Set(limit)
	e.Number(s.C, false)
	e.Set(width)
	e.Get(x)
	e.Get(width)
	e.Op(wasm.F64Sub)
	e.constant(0)
	e.Op(wasm.F64Add)
	e.Get(width)
	e.Op(wasm.F64Add)
	e.constant(0)
	e.Op(wasm.F64Add)
	e.Set(x)
	within := func() {
		up := s.C.Op == ir.Const && s.C.N > 0
		down := s.C.Op == ir.Const && s.C.N <= 0
		switch {
		case up:
			e.Get(x)
			e.Get(limit)
			e.Op(wasm.F64Le)
		case down:
			e.Get(x)
			e.Get(limit)
			e.Op(wasm.F64Ge)
		default: // width > 0 and x <= limit or width <= 0 and x >= limit
			e.Get(width)
			e.constant(0)
			e.Op(wasm.F64Gt)
			e.Get(x)
			e.Get(limit)
			e.Op(wasm.F64Le, wasm.I32And)
			e.Get(width)
			e.constant(0)
			e.Op(wasm.F64Le)
			e.Get(x)
			e.Get(limit)
			e.Op(wasm.F64Ge, wasm.I32And, wasm.I32Or)
		}
	}
	within()
	e.Op(wasm.I32Eqz)
	e.JumpIf(out)
	top := e.Loop()
	body(x)
	e.Get(x)
	e.Get(width)
	e.Op(wasm.F64Add)
	if s.C.Op != ir.Const || s.C.N == 0 {
		e.constant(0)
		e.Op(wasm.F64Add)
	}
	e.Set(x)
	within()
	e.Again(top)
}

// burn pays for an iteration of an inner loop. If the fuel is used up, the host grants more, or the row stops.
func (e *Emitter) burn(price int64) { e.burnOf(func() { e.I64(price) }) }

// burnOf is burn for a price that a function puts on the stack.
func (e *Emitter) burnOf(price func()) {
	e.Get(e.loop.fuel)
	price()
	e.Op(wasm.I64Sub)
	e.Tee(e.loop.fuel)
	e.I64(0)
	e.Op(wasm.I64LtS)
	e.Then(wasm.Void)
	e.Get(abi.ArgFrame)
	e.Get(e.loop.fuel)
	e.Memory(wasm.I64Store, abi.FrameFuel)
	e.Get(abi.ArgFrame)
	e.Call(abi.ImportRefuel)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I64Load, abi.FrameFuel)
	e.Set(e.loop.fuel)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Jump(e.iter.stop)
	e.End()
	e.End()
}

// prepay pays for all iterations of a loop at once if the fuel suffices: then the code that paid writes runs, otherwise the
// code of oneByOne, which pays for each iteration. count puts the number of iterations on the stack, in 64 bits.
func (e *Emitter) prepay(price int64, count, paid, oneByOne func()) {
	cost := e.Local(wasm.I64)
	e.Get(e.loop.fuel)
	count()
	e.I64(price)
	e.Op(wasm.I64Mul)
	e.Tee(cost)
	e.Op(wasm.I64GeS)
	e.Then(wasm.Void)
	e.Get(e.loop.fuel)
	e.Get(cost)
	e.Op(wasm.I64Sub)
	e.Set(e.loop.fuel)
	paid()
	e.Otherwise()
	oneByOne()
	e.End()
}
