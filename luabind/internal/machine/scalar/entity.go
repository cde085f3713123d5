package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// slot leaves the address of the slot of a living entity in a local; 0 when x is
// none.
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

// ifLives does something if the entity of a handle, whose index is that of a slot,
// lives; at becomes the address of the slot.
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

// handle does something with the handle that a number is, in a local, if it is one
// and its index is below count.
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

func (e *Emitter) generation(handle int) {
	e.Get(handle)
	e.I64(32)
	e.Op(wasm.I64ShrU, wasm.I32WrapI64)
}

// column puts the address of a component's column in the table of a slot on the
// stack, 0 when the table lacks it.
func (e *Emitter) column(slot int, id ecs.ComponentID) {
	e.Get(e.word(abi.WordColumns, int(id)))
	e.Get(slot)
	e.Memory(wasm.I32Load, uint32(ecs.SlotTable))
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
}

// look sets a view to a component of any entity.
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

// columnRow sets at to the address of the row of a slot in a component's column,
// to 0 when its table lacks that.
func (e *Emitter) columnRow(slot int, id ecs.ComponentID, size int32, at int) {
	e.column(slot, id)
	e.Tee(at)
	e.Then(wasm.Void)
	e.Get(at)
	e.Get(slot)
	e.Memory(wasm.I32Load, uint32(ecs.SlotRow))
	e.I32(size)
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
	e.End()
}

// asks writes what is asked of an entity: 1 or 0.
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
		e.handle(x.A, e.word(abi.WordTagCount, int(x.ID)), func(handle int) {
			e.Get(e.word(abi.WordTag, int(x.ID)))
			e.Get(handle)
			e.Op(wasm.I32WrapI64)
			e.I32(int32(ecs.TagEntrySize))
			e.Op(wasm.I32Mul, wasm.I32Add)
			e.Memory(wasm.I32Load, uint32(ecs.TagEntryGeneration))
			e.generation(handle)
			e.Op(wasm.I32Eq)
			e.Set(has)
		})
		e.Get(has)
	default:
		abi.Refuse("it has a question without code (%d)", x.Op)
	}
}
