package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Handles. In scripts a handle is a number, so a handle that is loaded from memory becomes a float64, and a handle again
// when it is used. Both are left out where a register only ever holds handles from memory: it has a local of 64 bits beside
// that of its number.

// handles are these locals, by register: of registers that the body sets, and of inputs that are compared with handles.
// They are found when the first is asked for.
type handles struct {
	known  bool
	set    map[int]int
	inputs map[int]int
}

// findHandles finds the registers that only hold handles from memory.
func (e *Emitter) findHandles() {
	h := &e.handles
	h.known, h.set, h.inputs = true, map[int]int{}, map[int]int{}
	other := map[int]bool{}
	abi.Walk(e.p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set:
			if s.A.Type == ir.Number {
				h.set[s.I] = 0
				other[s.I] = other[s.I] || !e.inMemory(s.A)
			}
		case ir.Count, ir.Emit, ir.Fit:
			other[s.I] = true
		case ir.Near:
			other[s.I], other[s.J] = true, true
		case ir.Sources:
			other[s.I] = true
		case ir.Each:
			other[e.p.Queries[s.I].Entity] = true
		}
	}, func(*ir.Expr) {})
	for _, in := range e.p.Inputs {
		if in.Used && in.Type == ir.Number {
			h.inputs[in.Reg], other[in.Reg] = -1, true
		}
	}
	for _, out := range e.p.Outputs {
		if out.Type == ir.Number {
			delete(h.inputs, out.Reg)
			other[out.Reg] = true
		}
	}
	for reg := range e.p.Numbers { // in order: locals are numbered
		if _, ok := h.set[reg]; !ok || other[reg] {
			delete(h.set, reg)
			continue
		}
		h.set[reg] = e.Local(wasm.I64)
	}
}

// handleOf returns the local beside a register that only holds handles from memory.
func (e *Emitter) handleOf(reg int) (local int, ok bool) {
	if e.iter.leaf != nil {
		return 0, false
	}
	if !e.handles.known {
		e.findHandles()
	}
	local, ok = e.handles.set[reg]
	return local, ok
}

// inMemory reports whether the value of an expression is a handle that lies in memory, and has lain there since the row
// began.
func (e *Emitter) inMemory(x *ir.Expr) bool {
	return x.Op == ir.Entity || x.Op == ir.Load && x.Field.Type == ecs.EntityField && !(e.cached(x.I) && e.cell(x.I, x.Field).Stored)
}

// isPlain reports whether plainHandle can be used for an expression.
func (e *Emitter) isPlain(x *ir.Expr) bool {
	if e.iter.leaf != nil {
		return false
	}
	if x.Op == ir.Reg && x.Type == ir.Number {
		_, ok := e.handleOf(x.I)
		return ok
	}
	return e.inMemory(x)
}

// plainHandle puts the handle that an expression gives on the stack, as it lies in memory.
func (e *Emitter) plainHandle(x *ir.Expr) {
	switch {
	case x.Op == ir.Reg:
		local, _ := e.handleOf(x.I)
		e.Get(local)
	case x.Op == ir.Entity:
		e.Get(e.own.walkers[e.own.entities].Ptr)
		e.Memory(wasm.I64Load, uint32(e.iter.row)*8)
	case e.cached(x.I):
		at := e.place(e.cell(x.I, x.Field))
		e.Memory(wasm.I64Load, at)
	default:
		at := e.Reach(x.I, x.Field)
		e.Memory(wasm.I64Load, at)
	}
}

// setHandle sets the local beside the register of an assignment, if there is one.
func (e *Emitter) setHandle(s *ir.Stmt) {
	if local, ok := e.handleOf(s.I); ok {
		e.plainHandle(s.A)
		e.Set(local)
	}
}

// sameHandle writes a comparison of a handle from memory with another one, with 0, or with an input; false, and nothing,
// for other comparisons.
func (e *Emitter) sameHandle(x *ir.Expr) bool {
	if x.A.Type != ir.Number || !e.isPlain(x.A) {
		return false
	}
	switch {
	case x.B.Op == ir.Const && x.B.N == 0:
		e.plainHandle(x.A)
		e.Op(wasm.I64Eqz)
		return true
	case e.isPlain(x.B):
		e.plainHandle(x.A)
		e.plainHandle(x.B)
	case x.B.Op == ir.Reg && e.handles.inputs[x.B.I] != 0:
		e.plainHandle(x.A)
		e.Get(e.inputHandle(x.B.I))
	default:
		return false
	}
	e.Op(wasm.I64Eq)
	return true
}

// inputHandle returns a local with an input as a handle. It holds -1, which is no handle, if the input is another number.
func (e *Emitter) inputHandle(reg int) int {
	if l := e.handles.inputs[reg]; l > 0 {
		return l
	}
	l := e.Local(wasm.I64)
	e.handles.inputs[reg] = l
	a := &e.loop.ahead
	a.Get(e.regs.numbers[reg])
	a.Saturating(wasm.I64TruncSatF64S)
	a.Tee(l)
	a.Op(wasm.F64ConvertI64S)
	a.Get(e.regs.numbers[reg])
	a.Op(wasm.F64Ne, wasm.If, wasm.Void)
	a.I64(-1)
	a.Set(l)
	a.Op(wasm.End)
	return l
}
