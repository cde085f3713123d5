package scalar

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// A row: its begin and end, and its statements. A row in which something can fail keeps its stores in locals and writes
// them when it is done, so that only outputs have to be restored.

// rowAt writes row i of a batch of n rows.
func (e *Emitter) rowAt(i, n int) {
	e.iter.row = i
	if e.iter.brk == 0 && analysis.LeavesLoop(e.p) {
		e.iter.brk = e.Local(wasm.I32)
	}
	for _, c := range e.own.cells {
		if c.Read || e.p.Exact && c.Stored && (!c.always || e.grids.cache != nil) {
			e.load(c)
		}
	}
	if e.own.others != 0 {
		e.I32(0)
		e.Set(e.own.dirty)
	}
	if e.iter.brk != 0 {
		e.I32(0)
		e.Set(e.iter.brk)
	}
	if e.out.log != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.out.log)
		e.Memory(wasm.I32Store, abi.FrameUndo)
	}
	e.noteFuel()
	if e.p.Random {
		e.random.BeginRow()
	}
	if e.p.Exact {
		done := e.Block()
		e.iter.stop = e.Block()
		saved := e.SaveOutputs()
		e.iter.finish = e.Block()
		e.loopBody(e.p.Body)
		e.End()
		e.Jump(done)
		e.End()
		e.RestoreOutputs(saved)
		if e.p.Random {
			e.random.UndoRow()
		}
		e.leave(abi.Failed, i, n-1-i)
		e.End()
	} else {
		e.iter.finish = e.Block()
		e.loopBody(e.p.Body)
		e.End()
	}
	if e.p.Exact {
		for _, c := range e.own.cells {
			if c.Stored {
				e.write(c)
			}
		}
	}
	if e.own.others != 0 {
		e.Get(e.own.walkers[e.own.marks].Ptr)
		e.Get(e.own.dirty)
		e.Memory(wasm.I32Store8, uint32(i)*abi.MarkSize)
	}
	if e.iter.brk != 0 {
		e.Get(e.iter.brk)
		e.Then(wasm.Void)
		e.refund(n - 1 - i)
		e.move(e.own.walkers[0], i+1)
		e.Get(e.iter.brk)
		e.Set(e.loop.status)
		e.Jump(e.loop.exit)
		e.End()
	}
	e.iter.row = 0
}

// SaveOutputs saves in locals what a row that fails must restore: outputs with their marks, the end of the ring, and direct
// stores.
func (e *Emitter) SaveOutputs() (saved []int) {
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
			keep(wasm.I32, e.regs.bools[out.Mark])
		}
	}
	if e.out.ring != 0 {
		keep(wasm.I32, e.out.ring)
	}
	if e.out.asks {
		keep(wasm.I64, e.out.room)
	}
	return append(saved, e.saveDirect()...)
}

// RestoreOutputs restores what SaveOutputs has saved.
func (e *Emitter) RestoreOutputs(saved []int) {
	take := func(reg int) {
		e.Get(saved[0])
		e.Set(reg)
		saved = saved[1:]
	}
	for _, out := range e.p.Outputs {
		local, _, _ := e.register(out.Place)
		take(local)
		if out.Mark >= 0 {
			take(e.regs.bools[out.Mark])
		}
	}
	if e.out.ring != 0 {
		take(e.out.ring)
	}
	if e.out.asks {
		take(e.out.room)
	}
	e.restoreDirect(saved)
}

// stmts writes statements.
func (e *Emitter) stmts(body []*ir.Stmt) {
	for _, s := range body {
		e.stmt(s)
	}
}

// stmt writes one statement.
func (e *Emitter) stmt(s *ir.Stmt) {
	if s.Line > 0 {
		e.at = s
	}
	switch s.Op {
	case ir.Set:
		switch s.A.Type {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Bool:
			e.Condition(s.A)
			e.Set(e.regs.bools[s.I])
		case ir.Text:
			e.text(s.A)
			e.Set(e.regs.texts[s.I])
			e.changed(ir.Text, s.I)
		case ir.Number:
			e.setHandle(s)
			e.Number(s.A, e.signs.Matters(s.I))
			e.Set(e.regs.numbers[s.I])
			e.changed(ir.Number, s.I)
		}
		if s.Mark >= 0 {
			e.I32(1)
			e.Set(e.regs.bools[s.Mark])
		}
	case ir.Store:
		e.store(s)
	case ir.If:
		if x := asksForElement(s); x != nil && e.unlessElement(s, x) {
			break
		}
		e.Condition(s.A)
		if e.iter.fast && len(s.Else) == 0 && len(s.Body) == 1 && s.Body[0].Op == ir.Leave {
			e.JumpIf(e.iter.stop)
			break
		}
		e.Then(wasm.Void)
		before := maps.Clone(e.iter.found)
		e.stmts(s.Body)
		then := e.iter.found
		e.iter.found = before
		if len(s.Else) > 0 {
			e.Otherwise()
			e.stmts(s.Else)
		}
		e.meet(then)
		e.End()
	case ir.While, ir.Repeat, ir.Count:
		e.inner(s)
		e.forget()
	case ir.Break:
		if n := len(e.iter.breaks); n > 0 {
			e.Jump(e.iter.breaks[n-1])
			return
		}
		e.I32(abi.Broke)
		e.Set(e.iter.brk)
		e.Jump(e.iter.finish)
	case ir.Each:
		e.each(s)
		e.forget()
	case ir.Near:
		e.near(s)
		e.forget()
	case ir.Sources:
		e.sources(s)
		e.forget()
	case ir.Look:
		e.look(s)
	case ir.Put:
		e.putElement(s)
	case ir.PutKey:
		e.putKey(s)
	case ir.Fit:
		e.fit(s)
		e.forget()
	case ir.Emit:
		e.emitEffect(s)
		e.changed(ir.Number, s.I)
	case ir.Return:
		e.returning(s)
	case ir.Invoke:
		e.invoke(s)
	case ir.Leave:
		e.Jump(e.iter.stop)
	case ir.Do:
		if abi.FlipsTag(s.A) {
			e.flip(s)
			return
		}
		switch s.A.Type {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Bool:
			e.Condition(s.A)
		case ir.Text:
			e.text(s.A)
		case ir.Number:
			e.Number(s.A, false)
		}
		e.Op(wasm.Drop)
	case ir.Jump:
		e.Jump(e.iter.targets[s.I])
	case ir.Block:
		l := e.Block()
		e.iter.targets[s.I] = l
		e.onlyHere(func() { e.stmts(s.Body) })
		e.End()
	default:
		abi.Refuse("it has a statement without code (%d)", s.Op)
	}
}
