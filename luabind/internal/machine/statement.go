package machine

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// rowAt writes row i of a batch of n. A row in which something can fail writes its
// fields when it is done, so that there is nothing to put back but the registers
// of the outputs.
func (e *emitter) rowAt(i, n int) {
	e.row = i
	if e.brk == 0 && e.leavesLoop() {
		e.brk = e.Local(wasm.I32)
	}
	for _, c := range e.cells {
		if c.read || e.p.Exact && c.stored && (!c.always || e.looked != 0) {
			e.load(c)
		}
	}
	if e.others != 0 {
		e.I32(0)
		e.Set(e.dirty)
	}
	if e.brk != 0 {
		e.I32(0)
		e.Set(e.brk)
	}
	if e.log != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.log)
		e.Memory(wasm.I32Store, abi.FrameUndo)
	}
	if e.p.Random {
		if e.drawn == 0 {
			e.drawn = e.Local(wasm.I32)
		}
		e.I32(0)
		e.Set(e.drawn)
	}
	if e.p.Exact {
		done := e.Block()
		e.stop = e.Block()
		saved := e.save()
		e.finish = e.Block()
		e.stmts(e.p.Body)
		e.End()
		e.Jump(done)
		e.End()
		e.restore(saved)
		e.undraw()
		e.leave(abi.Failed, i, n-1-i)
		e.End()
	} else {
		e.finish = e.Block()
		e.stmts(e.p.Body)
		e.End()
	}
	if e.p.Exact {
		for _, c := range e.cells {
			if c.stored {
				e.write(c)
			}
		}
	}
	if e.others != 0 {
		e.Get(e.walkers[e.marks].Ptr)
		e.Get(e.dirty)
		e.Memory(wasm.I32Store8, uint32(i)*abi.MarkSize)
	}
	if e.brk != 0 {
		e.Get(e.brk)
		e.Then(wasm.Void)
		e.refund(n - 1 - i)
		e.move(e.walkers[0], i+1)
		e.Get(e.brk)
		e.Set(e.status)
		e.Jump(e.exit)
		e.End()
	}
	e.row = 0
}

// leavesLoop reports whether the body has a break or return out of the query loop.
func (e *emitter) leavesLoop() bool {
	var find func(body []*ir.Stmt, within bool) bool
	find = func(body []*ir.Stmt, within bool) bool {
		for _, s := range body {
			inner := within || s.Price > 0
			if s.Op == ir.Break && !within || s.Op == ir.Return || find(s.Body, inner) || find(s.Else, inner) {
				return true
			}
		}
		return false
	}
	return find(e.p.Body, false)
}

// save keeps the outputs as they are when the row begins.
func (e *emitter) save() (saved []int) {
	keep := func(typ byte, reg int) {
		l := e.Local(typ)
		e.Get(reg)
		e.Set(l)
		saved = append(saved, l)
	}
	for _, out := range e.p.Outputs {
		local, typ, _ := e.register(out.Place)
		keep(typ, local)
		if out.Mark >= 0 {
			keep(wasm.I32, e.bools[out.Mark])
		}
	}
	if e.ring != 0 {
		keep(wasm.I32, e.ring)
	}
	return append(saved, e.saveDirect()...)
}

func (e *emitter) restore(saved []int) {
	take := func(reg int) {
		e.Get(saved[0])
		e.Set(reg)
		saved = saved[1:]
	}
	for _, out := range e.p.Outputs {
		local, _, _ := e.register(out.Place)
		take(local)
		if out.Mark >= 0 {
			take(e.bools[out.Mark])
		}
	}
	if e.ring != 0 {
		take(e.ring)
	}
	e.restoreDirect(saved)
}

func (e *emitter) stmts(body []*ir.Stmt) {
	for _, s := range body {
		e.stmt(s)
	}
}

func (e *emitter) stmt(s *ir.Stmt) {
	switch s.Op {
	case ir.Set:
		switch s.A.Type {
		case ir.Bool:
			e.condition(s.A)
			e.Set(e.bools[s.I])
		case ir.Text:
			e.text(s.A)
			e.Set(e.texts[s.I])
		case ir.Number:
			e.setHandle(s)
			e.number(s.A, e.signs.matter[s.I])
			e.Set(e.numbers[s.I])
		}
		if s.Mark >= 0 {
			e.I32(1)
			e.Set(e.bools[s.Mark])
		}
	case ir.Store:
		e.store(s)
	case ir.If:
		e.condition(s.A)
		e.Then(wasm.Void)
		e.stmts(s.Body)
		if len(s.Else) > 0 {
			e.Otherwise()
			e.stmts(s.Else)
		}
		e.End()
	case ir.While, ir.Repeat, ir.Count:
		e.inner(s)
	case ir.Break:
		if n := len(e.breaks); n > 0 {
			e.Jump(e.breaks[n-1])
			return
		}
		e.I32(abi.Broke)
		e.Set(e.brk)
		e.Jump(e.finish)
	case ir.Each:
		e.each(s)
	case ir.Near:
		e.near(s)
	case ir.Look:
		e.look(s)
	case ir.Put:
		e.putElement(s)
	case ir.Fit:
		e.fit(s)
	case ir.Emit:
		e.emitEffect(s)
	case ir.Return:
		e.returning(s)
	case ir.Leave:
		e.Jump(e.stop)
	case ir.Do:
		if abi.FlipsTag(s.A) {
			e.flip(s)
			return
		}
		if s.A.Type == ir.Bool {
			e.condition(s.A)
		} else {
			e.number(s.A, false)
		}
		e.Op(wasm.Drop)
	case ir.Jump:
		e.Jump(e.targets[s.I])
	case ir.Block:
		l := e.Block()
		e.targets[s.I] = l
		e.stmts(s.Body)
		e.End()
	default:
		abi.Refuse("it has a statement without code (%d)", s.Op)
	}
}

// inner is a loop within the body.
func (e *emitter) inner(s *ir.Stmt) {
	out := e.Block()
	e.breaks = append(e.breaks, out)
	switch s.Op {
	case ir.While:
		e.condition(s.A)
		e.Op(wasm.I32Eqz)
		e.JumpIf(out)
		top := e.Loop()
		e.burn(s.Price)
		e.stmts(s.Body)
		e.condition(s.A)
		e.again(top)
	case ir.Repeat:
		top := e.Loop()
		e.burn(s.Price)
		e.stmts(s.Body)
		e.condition(s.A)
		e.Op(wasm.I32Eqz)
		e.again(top)
	case ir.Count:
		e.count(s, out, func(x int) {
			e.burn(s.Price)
			e.Get(x)
			e.Set(e.numbers[s.I])
			e.stmts(s.Body)
		})
	default:
		abi.Refuse("it has a loop without code (%d)", s.Op)
	}
	e.End()
	e.breaks = e.breaks[:len(e.breaks)-1]
}

// again begins the next turn if the number on the stack is not 0, and ends the
// loop.
func (e *emitter) again(top wasm.Label) {
	e.Then(wasm.Void)
	e.Jump(top)
	e.End()
	e.End()
}

// count is a counting loop; turn writes a turn. What it counts with, x, is not the
// register, which the body may assign.
func (e *emitter) count(s *ir.Stmt, out wasm.Label, turn func(x int)) {
	x, limit, width := e.Local(wasm.F64), e.Local(wasm.F64), e.Local(wasm.F64)
	e.number(s.A, false)
	e.Set(x)
	e.number(s.B, false)
	e.Set(limit)
	e.number(s.C, false)
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
	turn(x)
	e.Get(x)
	e.Get(width)
	e.Op(wasm.F64Add)
	if s.C.Op != ir.Const || s.C.N == 0 {
		e.constant(0)
		e.Op(wasm.F64Add)
	}
	e.Set(x)
	within()
	e.again(top)
}

// burn pays for a turn of an inner loop. Where the fuel is used up, the host gives
// more, or ends the row.
func (e *emitter) burn(price int64) { e.burnOf(func() { e.I64(price) }) }

// burnOf is burn for a price that is put on the stack.
func (e *emitter) burnOf(price func()) {
	e.Get(e.fuel)
	price()
	e.Op(wasm.I64Sub)
	e.Tee(e.fuel)
	e.I64(0)
	e.Op(wasm.I64LtS)
	e.Then(wasm.Void)
	e.Get(abi.ArgFrame)
	e.Get(e.fuel)
	e.Memory(wasm.I64Store, abi.FrameFuel)
	e.Get(abi.ArgFrame)
	e.Call(abi.ImportRefuel)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I64Load, abi.FrameFuel)
	e.Set(e.fuel)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Jump(e.stop)
	e.End()
	e.End()
}
