package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// slot leaves the address of the slot of a living entity in a local; 0 when x is
// none.
func (e *emitter) slot(x *kernel.Expr) int {
	slot := e.local(i32)
	if near, ok := e.living[x.I]; ok && x.Op == kernel.Reg {
		e.slotOf(near)
		e.set(slot)
		return slot
	}
	at := e.local(i32)
	e.i32(0)
	e.set(slot)
	e.handle(x, e.word(wordSlotCount, 0), func(handle int) {
		e.ifLives(handle, at, func() {
			e.get(at)
			e.set(slot)
		})
	})
	return slot
}

// ifLives does something if the entity of a handle, whose index is that of a slot,
// lives; at becomes the address of the slot.
func (e *emitter) ifLives(handle, at int, do func()) {
	e.get(e.word(wordSlots, 0))
	e.get(handle)
	e.op(opI32WrapI64)
	e.i32(int32(ecs.SlotSize))
	e.op(opI32Mul, opI32Add)
	e.tee(at)
	e.memory(opI32Load, uint32(ecs.SlotMeta))
	alive := uint32(ecs.SlotAlive)
	e.i32(int32(alive))
	e.op(opI32And)
	e.generation(handle)
	e.op(opI32Eq)
	e.then(void)
	do()
	e.end()
}

// handle does something with the handle that a number is, in a local, if it is one
// and its index is below count.
func (e *emitter) handle(x *kernel.Expr, count int, do func(handle int)) {
	handle := e.local(i64)
	plain := e.isPlain(x)
	if plain {
		e.plainHandle(x)
		e.set(handle)
	} else {
		number := e.local(f64)
		e.number(x, false)
		e.tee(number)
		e.saturating(satI64F64S)
		e.tee(handle)
		e.op(opF64ConvertI64S)
		e.get(number)
		e.op(opF64Eq)
	}
	e.get(handle) // a negative one could look like that of a free slot
	e.i64(1 << 53)
	e.op(opI64LtU)
	if !plain {
		e.op(opI32And)
	}
	e.get(handle)
	e.op(opI32WrapI64)
	e.get(count)
	e.op(opI32LtU, opI32And)
	e.then(void)
	do(handle)
	e.end()
}

func (e *emitter) generation(handle int) {
	e.get(handle)
	e.i64(32)
	e.op(opI64ShrU, opI32WrapI64)
}

// column puts the address of a component's column in the table of a slot on the
// stack, 0 when the table lacks it.
func (e *emitter) column(slot int, id ecs.ComponentID) {
	e.get(e.word(wordColumns, int(id)))
	e.get(slot)
	e.memory(opI32Load, uint32(ecs.SlotTable))
	e.i32(2)
	e.op(opI32Shl, opI32Add)
	e.memory(opI32Load, 0)
}

// look sets a view to a component of any entity.
func (e *emitter) look(s *kernel.Stmt) {
	ref := e.p.Refs[s.I-e.p.Views]
	at := e.refs[s.I-e.p.Views]
	if near, ok := e.living[s.A.I]; ok && s.A.Op == kernel.Reg {
		if ref.Stored {
			e.slotOf(near)
			e.set(e.slots[s.I-e.p.Views])
		}
		known, _ := e.neighbour.component(ref.Component)
		e.get(near)
		e.memory(opI32Load, known)
		e.set(at)
		return
	}
	slot := e.slot(s.A)
	if ref.Stored {
		e.get(slot)
		e.set(e.slots[s.I-e.p.Views])
	}
	e.i32(0)
	e.set(at)
	e.get(slot)
	e.then(void)
	e.columnRow(slot, ref.Component, int32(ref.Schema.Size()), at)
	e.end()
}

// columnRow sets at to the address of the row of a slot in a component's column,
// to 0 when its table lacks that.
func (e *emitter) columnRow(slot int, id ecs.ComponentID, size int32, at int) {
	e.column(slot, id)
	e.tee(at)
	e.then(void)
	e.get(at)
	e.get(slot)
	e.memory(opI32Load, uint32(ecs.SlotRow))
	e.i32(size)
	e.op(opI32Mul, opI32Add)
	e.set(at)
	e.end()
}

// asks writes what is asked of an entity: 1 or 0.
func (e *emitter) asks(x *kernel.Expr) {
	switch x.Op {
	case kernel.Alive:
		e.get(e.slot(x.A))
		e.op(opI32Eqz, opI32Eqz)
	case kernel.Has:
		slot := e.slot(x.A)
		e.get(slot)
		e.then(i32)
		e.column(slot, ecs.ComponentID(x.ID))
		e.op(opI32Eqz, opI32Eqz)
		e.otherwise()
		e.i32(0)
		e.end()
	case kernel.Tagged:
		has := e.local(i32)
		e.i32(0)
		e.set(has)
		e.handle(x.A, e.word(wordTagCount, int(x.ID)), func(handle int) {
			e.get(e.word(wordTag, int(x.ID)))
			e.get(handle)
			e.op(opI32WrapI64)
			e.i32(int32(ecs.TagEntrySize))
			e.op(opI32Mul, opI32Add)
			e.memory(opI32Load, uint32(ecs.TagEntryGeneration))
			e.generation(handle)
			e.op(opI32Eq)
			e.set(has)
		})
		e.get(has)
	default:
		refuse("it has a question without code (%d)", x.Op)
	}
}
