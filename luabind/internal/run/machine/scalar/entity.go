package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Other entities: what scripts ask of a handle. The host tells where the slots, the columns and the members of tags are
// (see words.go); code checks the handle, reads its slot and finds the row.

// slot returns a local with the address of the slot of an entity, or 0 if it does not live.
func (e *Emitter) slot(x *ir.Expr) int {
	slot := e.Local(wasm.I32)
	if near, ok := e.grids.living[x.I]; ok && x.Op == ir.Reg {
		e.grids.cache.LoadSlot(near)
		e.Set(slot)
		return slot
	}
	at := e.Local(wasm.I32)
	e.I32(0)
	e.Set(slot)
	e.handle(x, e.word(abi.WordSlotCount, 0), func(handle int) {
		e.ifLives(handle, at, func() {
			e.Get(at)
			e.Set(slot)
		})
	})
	return slot
}

// ifLives runs the code that do writes if an entity lives. handle is a local whose lower half is the index of a slot; the
// local at gets the address of the slot.
func (e *Emitter) ifLives(handle, at int, do func()) {
	e.Get(e.word(abi.WordSlots, 0))
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.I32(int32(ecs.SlotSize))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Tee(at)
	e.Memory(wasm.I32Load, uint32(ecs.SlotMeta))
	alive := uint32(ecs.SlotAlive)
	e.I32(int32(alive))
	e.Op(wasm.I32And)
	e.generation(handle)
	e.Op(wasm.I32Eq)
	e.Then(wasm.Void)
	do()
	e.End()
}

// handle runs the code that do writes with the handle that a number is, in a local, if it is one and its index is below the
// number in the local count.
func (e *Emitter) handle(x *ir.Expr, count int, do func(handle int)) {
	handle := e.Local(wasm.I64)
	plain := e.isPlain(x)
	if plain {
		e.plainHandle(x)
		e.Set(handle)
	} else {
		number := e.Local(wasm.F64)
		e.Number(x, false)
		e.Tee(number)
		e.Saturating(wasm.I64TruncSatF64S)
		e.Tee(handle)
		e.Op(wasm.F64ConvertI64S)
		e.Get(number)
		e.Op(wasm.F64Eq)
	}
	e.Get(handle) // a negative one could look like that of a free slot
	e.I64(1 << 53)
	e.Op(wasm.I64LtU)
	if !plain {
		e.Op(wasm.I32And)
	}
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.Get(count)
	e.Op(wasm.I32LtU, wasm.I32And)
	e.Then(wasm.Void)
	do(handle)
	e.End()
}

// generation puts the generation of a handle on the stack.
func (e *Emitter) generation(handle int) {
	e.Get(handle)
	e.I64(32)
	e.Op(wasm.I64ShrU, wasm.I32WrapI64)
}

// column puts the address of the column of a component on the stack, in the table of an entity; 0 if the table lacks it.
// slot is a local with the address of its slot.
func (e *Emitter) column(slot int, id ecs.ComponentID) {
	e.Get(e.word(abi.WordColumns, int(id)))
	e.Get(slot)
	e.Memory(wasm.I32Load, uint32(ecs.SlotTable))
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
}

// look sets a view to a component of any entity; 0 if the entity is dead or lacks it.
func (e *Emitter) look(s *ir.Stmt) {
	ref := e.p.Refs[s.I-e.p.Views]
	at := e.beyond.refs[s.I-e.p.Views]
	if near, ok := e.grids.living[s.A.I]; ok && s.A.Op == ir.Reg {
		if ref.Stored {
			e.grids.cache.LoadSlot(near)
			e.Set(e.beyond.slots[s.I-e.p.Views])
		}
		e.grids.cache.LoadComponent(near, ref.Component)
		e.Set(at)
		return
	}
	slot := e.slot(s.A)
	if ref.Stored {
		e.Get(slot)
		e.Set(e.beyond.slots[s.I-e.p.Views])
	}
	e.I32(0)
	e.Set(at)
	e.Get(slot)
	e.Then(wasm.Void)
	e.columnRow(slot, ref.Component, int32(ref.Schema.Size()), at)
	e.End()
}

// columnRow sets the local at to the address of the row of an entity in a column; 0 if its table lacks the component. size
// is the bytes of a row.
func (e *Emitter) columnRow(slot int, id ecs.ComponentID, size int32, at int) {
	e.column(slot, id)
	e.Tee(at)
	e.Then(wasm.Void)
	e.fetchRow(slot, id, at)
	e.Get(at)
	e.Get(slot)
	e.Memory(wasm.I32Load, uint32(ecs.SlotRow))
	e.I32(size)
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
	e.End()
}

// asks puts the answer to a question about an entity on the stack: 1 or 0.
func (e *Emitter) asks(x *ir.Expr) {
	switch x.Op {
	case ir.Alive:
		e.Get(e.slot(x.A))
		e.Op(wasm.I32Eqz, wasm.I32Eqz)
	case ir.Has:
		slot := e.slot(x.A)
		e.Get(slot)
		e.Then(wasm.I32)
		e.column(slot, ecs.ComponentID(x.ID))
		e.Op(wasm.I32Eqz, wasm.I32Eqz)
		e.Otherwise()
		e.I32(0)
		e.End()
	case ir.Tagged:
		has := e.Local(wasm.I32)
		e.I32(0)
		e.Set(has)
		e.handle(x.A, e.word(abi.WordTagCount, int(x.ID)), func(handle int) { e.tagEntry(handle, x.ID, has) })
		e.Get(has)
	default:
		abi.Refuse("it has a question without code (%d)", x.Op)
	}
}

// tagEntry sets a local to 1 or 0: whether the entity of a handle has a tag. Without a page for its slot the local stays
// as it is. The index of the handle is below the number of entries that the pages of the tag have room for.
func (e *Emitter) tagEntry(handle int, id uint32, has int) {
	page := e.Local(wasm.I32)
	e.Get(e.word(abi.WordTag, int(id)))
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.I32(ecs.TagPageShift)
	e.Op(wasm.I32ShrU)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
	e.Tee(page)
	e.Then(wasm.Void)
	e.Get(page)
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.I32(1<<ecs.TagPageShift - 1)
	e.Op(wasm.I32And)
	e.I32(int32(ecs.TagEntrySize))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Memory(wasm.I32Load, uint32(ecs.TagEntryGeneration))
	e.generation(handle)
	e.Op(wasm.I32Eq)
	e.Set(has)
	e.End()
}

// hasTag is tagEntry for any handle of an entity; without an entry the local stays as it is.
func (e *Emitter) hasTag(handle int, id uint32, has int) {
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.Get(e.word(abi.WordTagCount, int(id)))
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.tagEntry(handle, id, has)
	e.End()
}
