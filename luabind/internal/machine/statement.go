package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// rowAt writes row i of a batch of n. A row in which something can fail writes its
// fields when it is done, so that there is nothing to put back but the registers
// of the outputs.
func (e *emitter) rowAt(i, n int) {
	e.row = i
	if e.brk == 0 && e.leavesLoop() {
		e.brk = e.local(i32)
	}
	for _, c := range e.cells {
		if c.read || e.p.Exact && c.stored && (!c.always || e.looked != 0) {
			e.load(c)
		}
	}
	if e.others != 0 {
		e.i32(0)
		e.set(e.dirty)
	}
	if e.brk != 0 {
		e.i32(0)
		e.set(e.brk)
	}
	if e.log != 0 {
		e.get(argFrame)
		e.get(e.log)
		e.memory(opI32Store, frameUndo)
	}
	if e.p.Random {
		if e.drawn == 0 {
			e.drawn = e.local(i32)
		}
		e.i32(0)
		e.set(e.drawn)
	}
	if e.p.Exact {
		done := e.block()
		e.stop = e.block()
		saved := e.save()
		e.finish = e.block()
		e.stmts(e.p.Body)
		e.end()
		e.jump(done)
		e.end()
		e.restore(saved)
		e.undraw()
		e.leave(failed, i, n-1-i)
		e.end()
	} else {
		e.finish = e.block()
		e.stmts(e.p.Body)
		e.end()
	}
	if e.p.Exact {
		for _, c := range e.cells {
			if c.stored {
				e.write(c)
			}
		}
	}
	if e.others != 0 {
		e.get(e.walkers[e.marks].ptr)
		e.get(e.dirty)
		e.memory(opI32Store8, uint32(i)*markSize)
	}
	if e.brk != 0 {
		e.get(e.brk)
		e.then(void)
		e.refund(n - 1 - i)
		e.move(e.walkers[0], i+1)
		e.get(e.brk)
		e.set(e.status)
		e.jump(e.exit)
		e.end()
	}
	e.row = 0
}

// leavesLoop reports whether the body has a break or return out of the query loop.
func (e *emitter) leavesLoop() bool {
	var find func(body []*kernel.Stmt, within bool) bool
	find = func(body []*kernel.Stmt, within bool) bool {
		for _, s := range body {
			inner := within || s.Price > 0
			if s.Op == kernel.Break && !within || s.Op == kernel.Return || find(s.Body, inner) || find(s.Else, inner) {
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
		l := e.local(typ)
		e.get(reg)
		e.set(l)
		saved = append(saved, l)
	}
	for _, out := range e.p.Outputs {
		local, typ, _ := e.register(out.Place)
		keep(typ, local)
		if out.Mark >= 0 {
			keep(i32, e.bools[out.Mark])
		}
	}
	if e.ring != 0 {
		keep(i32, e.ring)
	}
	return append(saved, e.saveDirect()...)
}

func (e *emitter) restore(saved []int) {
	take := func(reg int) {
		e.get(saved[0])
		e.set(reg)
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

func (e *emitter) stmts(body []*kernel.Stmt) {
	for _, s := range body {
		e.stmt(s)
	}
}

func (e *emitter) stmt(s *kernel.Stmt) {
	switch s.Op {
	case kernel.Set:
		switch s.A.Type {
		case kernel.Bool:
			e.condition(s.A)
			e.set(e.bools[s.I])
		case kernel.Text:
			e.text(s.A)
			e.set(e.texts[s.I])
		case kernel.Number:
			e.setHandle(s)
			e.number(s.A, e.signs.matter[s.I])
			e.set(e.numbers[s.I])
		}
		if s.Mark >= 0 {
			e.i32(1)
			e.set(e.bools[s.Mark])
		}
	case kernel.Store:
		e.store(s)
	case kernel.If:
		e.condition(s.A)
		e.then(void)
		e.stmts(s.Body)
		if len(s.Else) > 0 {
			e.otherwise()
			e.stmts(s.Else)
		}
		e.end()
	case kernel.While, kernel.Repeat, kernel.Count:
		e.inner(s)
	case kernel.Break:
		if n := len(e.breaks); n > 0 {
			e.jump(e.breaks[n-1])
			return
		}
		e.i32(broke)
		e.set(e.brk)
		e.jump(e.finish)
	case kernel.Each:
		e.each(s)
	case kernel.Near:
		e.near(s)
	case kernel.Look:
		e.look(s)
	case kernel.Put:
		e.putElement(s)
	case kernel.Fit:
		e.fit(s)
	case kernel.Emit:
		e.emitEffect(s)
	case kernel.Return:
		e.returning(s)
	case kernel.Leave:
		e.jump(e.stop)
	case kernel.Do:
		if flips(s.A) {
			e.flip(s)
			return
		}
		if s.A.Type == kernel.Bool {
			e.condition(s.A)
		} else {
			e.number(s.A, false)
		}
		e.op(opDrop)
	case kernel.Jump:
		e.jump(e.targets[s.I])
	case kernel.Block:
		l := e.block()
		e.targets[s.I] = l
		e.stmts(s.Body)
		e.end()
	default:
		refuse("it has a statement without code (%d)", s.Op)
	}
}

// inner is a loop within the body.
func (e *emitter) inner(s *kernel.Stmt) {
	out := e.block()
	e.breaks = append(e.breaks, out)
	switch s.Op {
	case kernel.While:
		e.condition(s.A)
		e.op(opI32Eqz)
		e.jumpIf(out)
		top := e.loop()
		e.burn(s.Price)
		e.stmts(s.Body)
		e.condition(s.A)
		e.again(top)
	case kernel.Repeat:
		top := e.loop()
		e.burn(s.Price)
		e.stmts(s.Body)
		e.condition(s.A)
		e.op(opI32Eqz)
		e.again(top)
	case kernel.Count:
		e.count(s, out, func(x int) {
			e.burn(s.Price)
			e.get(x)
			e.set(e.numbers[s.I])
			e.stmts(s.Body)
		})
	default:
		refuse("it has a loop without code (%d)", s.Op)
	}
	e.end()
	e.breaks = e.breaks[:len(e.breaks)-1]
}

// again begins the next turn if the number on the stack is not 0, and ends the
// loop.
func (e *emitter) again(top label) {
	e.then(void)
	e.jump(top)
	e.end()
	e.end()
}

// count is a counting loop; turn writes a turn. What it counts with, x, is not the
// register, which the body may assign.
func (e *emitter) count(s *kernel.Stmt, out label, turn func(x int)) {
	x, limit, width := e.local(f64), e.local(f64), e.local(f64)
	e.number(s.A, false)
	e.set(x)
	e.number(s.B, false)
	e.set(limit)
	e.number(s.C, false)
	e.set(width)
	e.get(x)
	e.get(width)
	e.op(opF64Sub)
	e.constant(0)
	e.op(opF64Add)
	e.get(width)
	e.op(opF64Add)
	e.constant(0)
	e.op(opF64Add)
	e.set(x)
	within := func() {
		up := s.C.Op == kernel.Const && s.C.N > 0
		down := s.C.Op == kernel.Const && s.C.N <= 0
		switch {
		case up:
			e.get(x)
			e.get(limit)
			e.op(opF64Le)
		case down:
			e.get(x)
			e.get(limit)
			e.op(opF64Ge)
		default: // width > 0 and x <= limit or width <= 0 and x >= limit
			e.get(width)
			e.constant(0)
			e.op(opF64Gt)
			e.get(x)
			e.get(limit)
			e.op(opF64Le, opI32And)
			e.get(width)
			e.constant(0)
			e.op(opF64Le)
			e.get(x)
			e.get(limit)
			e.op(opF64Ge, opI32And, opI32Or)
		}
	}
	within()
	e.op(opI32Eqz)
	e.jumpIf(out)
	top := e.loop()
	turn(x)
	e.get(x)
	e.get(width)
	e.op(opF64Add)
	if s.C.Op != kernel.Const || s.C.N == 0 {
		e.constant(0)
		e.op(opF64Add)
	}
	e.set(x)
	within()
	e.again(top)
}

// burn pays for a turn of an inner loop. Where the fuel is used up, the host gives
// more, or ends the row.
func (e *emitter) burn(price int64) { e.burnOf(func() { e.i64(price) }) }

// burnOf is burn for a price that is put on the stack.
func (e *emitter) burnOf(price func()) {
	e.get(e.fuel)
	price()
	e.op(opI64Sub)
	e.tee(e.fuel)
	e.i64(0)
	e.op(opI64LtS)
	e.then(void)
	e.get(argFrame)
	e.get(e.fuel)
	e.memory(opI64Store, frameFuel)
	e.get(argFrame)
	e.call(importRefuel)
	e.get(argFrame)
	e.memory(opI64Load, frameFuel)
	e.set(e.fuel)
	e.op(opI32Eqz)
	e.then(void)
	e.jump(e.stop)
	e.end()
	e.end()
}
