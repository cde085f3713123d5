package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Indexes: the lists of entities at a place are read and changed where they are. What a move changes is logged, as other stores are; the record of the
// entry of the entity tells the host of the move.

// Parts of the lists as offsets in memory.
const (
	entryPlace    = uint32(ecs.IndexEntryPlace)
	entryPrevious = uint32(ecs.IndexEntryPrevious)
	entryNext     = uint32(ecs.IndexEntryNext)
	endLast       = uint32(ecs.IndexEndLast)
	endCount      = uint32(ecs.IndexEndCount)
	endSize       = 8
	headSize      = 8
)

// behindInIndex puts the entity behind another one on the stack, 0 if there is none.
func (e *Emitter) behindInIndex(x *ir.Expr) {
	found, slot, entry, next := e.Local(wasm.F64), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	e.constant(0)
	e.Set(found)
	e.handle(x.A, e.word(abi.WordSlotCount, 0), func(handle int) {
		e.Get(handle)
		e.Op(wasm.I32WrapI64)
		e.Set(slot)
		e.entryOfSlot(x.I, slot, entry)
		e.Get(entry)
		e.Then(wasm.Void)
		e.Get(entry)
		e.Memory(wasm.I32Load, entryNext)
		e.Tee(next)
		e.Then(wasm.Void)
		e.entityIn(next)
		e.Op(wasm.F64ConvertI64S)
		e.Set(found)
		e.End()
		e.End()
	})
	e.Get(found)
}

// entryOfSlot sets a local to the address of the entry of a slot, 0 if its page does not exist.
func (e *Emitter) entryOfSlot(layer, slot, entry int) {
	e.I32(0)
	e.Set(entry)
	e.Get(slot)
	e.I32(ecs.IndexPageShift)
	e.Op(wasm.I32ShrU)
	e.Get(e.word(abi.WordIndexPageCount, layer))
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.entryPage(layer, slot)
	e.Tee(entry)
	e.Then(wasm.Void)
	e.entryInPage(slot, entry)
	e.End()
	e.End()
}

// neighbour sets a local to the address of the entry of a slot, counted from 1, which has one.
func (e *Emitter) neighbour(layer, slot, entry int) {
	at := e.Local(wasm.I32)
	e.Get(slot)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.Set(at)
	e.entryPage(layer, at)
	e.Set(entry)
	e.entryInPage(at, entry)
}

// entryPage puts the address of the page of a slot on the stack.
func (e *Emitter) entryPage(layer, slot int) {
	e.Get(e.word(abi.WordIndexPages, layer))
	e.Get(slot)
	e.I32(ecs.IndexPageShift)
	e.Op(wasm.I32ShrU)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
}

// entryInPage turns the address of a page into that of the entry of a slot.
func (e *Emitter) entryInPage(slot, entry int) {
	e.Get(entry)
	e.Get(slot)
	e.I32(1<<ecs.IndexPageShift - 1)
	e.Op(wasm.I32And)
	e.I32(int32(ecs.IndexEntrySize))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(entry)
}

// entityIn puts the handle of the entity in a slot, counted from 1, on the stack.
func (e *Emitter) entityIn(slot int) {
	index := func() {
		e.Get(slot)
		e.I32(1)
		e.Op(wasm.I32Sub)
	}
	e.Get(e.word(abi.WordSlots, 0))
	index()
	e.I32(int32(ecs.SlotSize))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Memory(wasm.I32Load, uint32(ecs.SlotMeta))
	alive := uint32(ecs.SlotAlive)
	e.I32(int32(alive))
	e.Op(wasm.I32And, wasm.I64ExtendI32U)
	e.I64(32)
	e.Op(wasm.I64Shl)
	index()
	e.Op(wasm.I64ExtendI32U, wasm.I64Or)
}

// placeAt sets a local to the address of what a list has for a place, counted from 1, of size bytes each.
func (e *Emitter) placeAt(word abi.WordKind, layer, place int, size int32, at int) {
	e.Get(e.word(word, layer))
	e.Get(place)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.I32(size)
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
}

// moveInIndex moves an entity to the end of the list of another place.
func (e *Emitter) moveInIndex(s *ir.Stmt) {
	i := s.I
	local := func() int { return e.Local(wasm.I32) }
	slot, entry, to, place, previous, next, at, other, last := local(), local(), local(), local(), local(), local(), local(), local(), local()
	entity, number := e.Local(wasm.I64), e.Local(wasm.F64)
	e.Number(s.B, true)
	e.Set(number)
	e.I32(0)
	e.Set(entry)
	e.handle(s.A, e.word(abi.WordSlotCount, 0), func(handle int) {
		e.Get(handle)
		e.Tee(entity)
		e.Op(wasm.I32WrapI64)
		e.Set(slot)
		e.entryOfSlot(i, slot, entry)
	})
	e.Get(entry)
	e.Op(wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.Get(number)
	e.Saturating(wasm.I32TruncSatF64S)
	e.Set(to)
	e.Get(entry)
	e.Memory(wasm.I32Load, entryPlace)
	e.Tee(place)
	e.Get(to)
	e.Op(wasm.I32Ne)
	e.Then(wasm.Void)
	{
		load := func(offset uint32, to int) {
			e.Get(entry)
			e.Memory(wasm.I32Load, offset)
			e.Set(to)
		}
		e.Get(place) // who is in no place may be a prefab, which never is in one
		e.Op(wasm.I32Eqz)
		e.JumpIf(e.iter.stop)
		load(entryPrevious, previous)
		load(entryNext, next)
		store := func(at int, offset uint32, value func()) {
			e.Get(at)
			value()
			e.Memory(wasm.I32Store, offset)
		}
		set := func(at int, offset uint32, value func()) {
			e.keep(at, offset, 4, -1)
			store(at, offset, value)
		}
		head := func(place int, value func()) {
			e.placeAt(abi.WordLayer, i, place, headSize, other)
			e.keep(other, 0, headSize, -1)
			e.Get(other)
			value()
			e.Memory(wasm.I64Store, 0)
		}
		slotAndOne := func() {
			e.Get(slot)
			e.I32(1)
			e.Op(wasm.I32Add)
		}
		count := func(op byte) func() {
			return func() {
				e.Get(at)
				e.Memory(wasm.I32Load, endCount)
				e.I32(1)
				e.Op(op)
			}
		}
		e.keepAs(entry, entryPlace, 8, 8+16*int32(len(e.p.Refs)+1+i), slot)
		e.keep(entry, entryNext, 4, -1)
		e.placeAt(abi.WordIndexEnds, i, place, endSize, at)
		e.keep(at, 0, endSize, -1)
		e.Get(previous)
		e.Then(wasm.Void)
		e.neighbour(i, previous, other)
		set(other, entryNext, func() { e.Get(next) })
		e.Otherwise()
		head(place, func() {
			e.Get(next)
			e.Then(wasm.I64)
			e.entityIn(next)
			e.Otherwise()
			e.I64(0)
			e.End()
		})
		e.End()
		e.Get(next)
		e.Then(wasm.Void)
		e.neighbour(i, next, other)
		set(other, entryPrevious, func() { e.Get(previous) })
		e.Otherwise()
		store(at, endLast, func() { e.Get(previous) })
		e.End()
		store(at, endCount, count(wasm.I32Sub))
		e.I32(0)
		e.Set(last)
		e.Get(to)
		e.Then(wasm.Void) // it arrives
		e.placeAt(abi.WordIndexEnds, i, to, endSize, at)
		e.keep(at, 0, endSize, -1)
		e.Get(at)
		e.Memory(wasm.I32Load, endLast)
		e.Tee(last)
		e.Then(wasm.Void)
		e.neighbour(i, last, other)
		set(other, entryNext, slotAndOne)
		e.Otherwise()
		head(to, func() { e.Get(entity) })
		e.End()
		store(at, endLast, slotAndOne)
		store(at, endCount, count(wasm.I32Add))
		e.End()
		store(entry, entryPlace, func() { e.Get(to) })
		store(entry, entryPrevious, func() { e.Get(last) })
		store(entry, entryNext, func() { e.I32(0) })
	}
	e.End()
}
