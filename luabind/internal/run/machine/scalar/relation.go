package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Relations: the target of an entity, which lies in the column of the relation, and loops over the sources of a target,
// which the host lists. Relations do not change while a loop runs.

// related puts the target that an entity has in a relation on the stack, 0 if it has none.
func (e *Emitter) related(x *ir.Expr) {
	slot, at, target := e.slot(x.A), e.Local(wasm.I32), e.Local(wasm.I64)
	e.I64(0)
	e.Set(target)
	e.Get(slot)
	e.Then(wasm.Void)
	e.columnRow(slot, ecs.ComponentID(x.ID), 8, at)
	e.Get(at)
	e.Then(wasm.Void)
	e.Get(at)
	e.Memory(wasm.I64Load, 0)
	e.Set(target)
	e.End()
	e.End()
	e.Get(target)
	e.Op(wasm.F64ConvertI64S)
}

// sources writes a loop over the sources of an entity. The list is paid for before its first iteration.
func (e *Emitter) sources(s *ir.Stmt) {
	loop := number(&e.out.sources, s)
	place := e.layout.Sources() + abi.SourceList*uint32(loop)
	e.I32(loop)
	e.Number(s.A, false)
	e.Call(abi.ImportSources)
	e.Op(wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	at, left := e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, place+abi.SourceStart)
	e.Set(at)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, place+abi.SourceCount)
	e.Set(left)
	e.burnOf(func() {
		e.Get(left)
		e.Op(wasm.I64ExtendI32U)
	})
	out := e.Block()
	e.iter.breaks = append(e.iter.breaks, out)
	e.Get(left)
	e.Op(wasm.I32Eqz)
	e.JumpIf(out)
	next := e.Loop()
	e.burn(s.Price)
	if s.I >= 0 {
		e.Get(at)
		e.Memory(wasm.I64Load, 0)
		e.Op(wasm.F64ConvertI64S)
		e.Set(e.regs.numbers[s.I])
	}
	e.loopBody(s.Body)
	e.Get(at)
	e.I32(8)
	e.Op(wasm.I32Add)
	e.Set(at)
	e.Get(left)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.Tee(left)
	e.Again(next)
	e.End()
	e.iter.breaks = e.iter.breaks[:len(e.iter.breaks)-1]
}
