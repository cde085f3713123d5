package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Effects and returns. An effect is a record in the ring, which the host makes after the call: package abi says what a
// record is. The values of a return are left in the frame. A row that fails takes its records back.

// emitEffect records an effect. A value that would raise an error in the interpreter stops the row.
func (e *Emitter) emitEffect(s *ir.Stmt) {
	if s.I >= 0 {
		abi.Refuse("it uses a spawned entity")
	}
	if 8+8*len(s.Args) > abi.MostRecord {
		abi.Refuse("an effect has too many values")
	}
	e.roomLeft()
	if abi.SendsRow(s.Effect) {
		e.sendRow(s)
		return
	}
	values := make([]int, len(s.Args))
	for i, x := range s.Args {
		if !abi.IsConstantText(x) {
			values[i] = e.Local(wasm.F64)
			e.value(x)
			e.Set(values[i])
		}
	}
	effect := s.Effect
	args, given := values, s.Args
	if effect.ForEntity() {
		args, given = args[1:], given[1:]
	}
	if effect.Op == ir.TableSet && given[0].Type == ir.Number && given[0].Op != ir.Entity { // a key may not be NaN
		e.Get(args[0])
		e.Get(args[0])
		e.Op(wasm.F64Ne)
		e.JumpIf(e.iter.stop)
	}
	for i, f := range effect.Fields {
		switch t := f.Field.Type; {
		case t == ecs.F64, t == ecs.F32, t == ecs.Bool, t == ecs.String:
		case t == ecs.EntityField && isHandle(given[i]):
		default:
			e.fits(&Cell{Field: f.Field, local: args[i]})
		}
	}
	if effect.Op != ir.QueueUnrelate {
		for i := range effect.Relations { // a target may be dead, but it must be an entity
			local := args[len(effect.Fields)+i]
			fieldcode.FitEntity(e.Function, local, e.iter.stop)
			e.Get(local)
			e.constant(0)
			e.Op(wasm.F64Eq)
			e.JumpIf(e.iter.stop)
		}
	}
	e.Get(e.out.ring)
	e.I32(number(&e.out.emits, s))
	e.Memory(wasm.I32Store, 0)
	at := uint32(8)
	for i, x := range s.Args {
		if !abi.IsConstantText(x) {
			e.Get(e.out.ring)
			e.Get(values[i])
			e.Memory(wasm.F64Store, at)
			at += 8
		}
	}
	e.Get(e.out.ring)
	e.I32(int32(at))
	e.Op(wasm.I32Add)
	e.Set(e.out.ring)
}

// isHandle reports whether the value of an expression is always a handle, or 0.
func isHandle(x *ir.Expr) bool {
	return x.Op == ir.Entity || x.Op == ir.Load && x.Field.Type == ecs.EntityField || x.Op == ir.Const && x.N == 0
}

// roomLeft stops the row if the ring has no room for the largest record.
func (e *Emitter) roomLeft() {
	e.Get(e.out.ring)
	e.Get(e.word(abi.WordRingEnd, 0))
	e.I32(abi.RingSize/2 - abi.MostRecord)
	e.Op(wasm.I32Add, wasm.I32GtU)
	e.JumpIf(e.iter.stop)
}

// returning leaves the values of a return in the frame, and ends the loop.
func (e *Emitter) returning(s *ir.Stmt) {
	if len(s.Args) > abi.MostResults {
		abi.Refuse("it returns too many values")
	}
	for i, x := range s.Args {
		if abi.IsConstantText(x) {
			continue
		}
		e.Get(abi.ArgFrame)
		e.value(x)
		e.Memory(wasm.F64Store, e.layout.Results+8*uint32(i))
	}
	e.site(s)
	e.I32(abi.Returned)
	e.Set(e.iter.brk)
	e.Jump(e.iter.finish)
}

// site leaves in the frame which return it was: its number in [abi.Unit.Returns].
func (e *Emitter) site(s *ir.Stmt) {
	e.Get(abi.ArgFrame)
	e.I32(number(&e.out.returns, s))
	e.Memory(wasm.I32Store, abi.FrameSite)
}

// number returns the index of a statement in a list. A new statement is appended.
func number(list *[]*ir.Stmt, s *ir.Stmt) int32 {
	i := slices.Index(*list, s)
	if i < 0 {
		i = len(*list)
		*list = append(*list, s)
	}
	return int32(i)
}
