package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Indexes: their lists are read and changed where they are, like cells. The world is told of a move when its row is done.

// A moved is an entity that a row has moved to another place, with what its entry said before.
type moved struct {
	index                 *ecs.Index
	slot, place, previous uint32
}

// behind compiles an ir.Element of ir.NextAt.
func (c *compiler) behind(x *ir.Expr) numberFn {
	entity, i := c.number(x.A), x.I
	return func(f *frame) float64 {
		e := handle(entity(f))
		return numberOf(ecs.Raw.Behind(f.layers[i].index, uint32(e)))
	}
}

// moveInIndex compiles an ir.Put of ir.PlaceOf.
func (c *compiler) moveInIndex(s *ir.Stmt) step {
	entity, place, i := c.number(s.A), c.number(s.B), s.I
	return func(f *frame) int {
		e, to := handle(entity(f)), place(f)
		if f.failed || !f.move(f.layers[i].index, e, uint32(to)) {
			return stopped
		}
		return next
	}
}

// move takes an entity out of its place of an index and appends it to another one, counted from 1; 0 is none. It returns false if the log is full, or
// if the entity is in no place.
func (f *frame) move(x *ecs.Index, e ecs.Entity, to uint32) bool {
	slot := uint32(e)
	own := ecs.Raw.IndexEntry(x, slot)
	if own == nil {
		return false
	}
	heads, ends := ecs.Raw.Places(x)
	place, previous, behind := *half(own, ecs.IndexEntryPlace), *half(own, ecs.IndexEntryPrevious), *half(own, ecs.IndexEntryNext)
	switch {
	case place == to:
		return true
	case place == 0: // it may be a prefab, which is in no place
		return false
	}
	f.moves = append(f.moves, moved{x, slot, place, previous})
	ok := true
	set := func(p unsafe.Pointer, offset uintptr, v uint32) {
		at := half(p, offset)
		ok = f.undo.keep(unsafe.Pointer(at), ecs.U32) && ok
		*at = v
	}
	head := func(place uint32, e ecs.Entity) {
		at := (*ecs.Entity)(unsafe.Add(heads, 8*uintptr(place-1)))
		ok = f.undo.keep(unsafe.Pointer(at), ecs.EntityField) && ok
		*at = e
	}
	end := func(place uint32) unsafe.Pointer { return unsafe.Add(ends, 8*uintptr(place-1)) }
	if previous != 0 {
		set(ecs.Raw.IndexEntry(x, previous-1), ecs.IndexEntryNext, behind)
	} else {
		head(place, ecs.Raw.Behind(x, slot))
	}
	if behind != 0 {
		set(ecs.Raw.IndexEntry(x, behind-1), ecs.IndexEntryPrevious, previous)
	} else {
		set(end(place), ecs.IndexEndLast, previous)
	}
	set(end(place), ecs.IndexEndCount, *half(end(place), ecs.IndexEndCount)-1)
	last := uint32(0)
	if to != 0 {
		if last = *half(end(to), ecs.IndexEndLast); last != 0 {
			set(ecs.Raw.IndexEntry(x, last-1), ecs.IndexEntryNext, slot+1)
		} else {
			head(to, e)
		}
		set(end(to), ecs.IndexEndLast, slot+1)
		set(end(to), ecs.IndexEndCount, *half(end(to), ecs.IndexEndCount)+1)
	}
	set(own, ecs.IndexEntryPlace, to)
	set(own, ecs.IndexEntryPrevious, last)
	set(own, ecs.IndexEntryNext, 0)
	return ok
}

// half returns the uint32 at an offset from an address.
func half(p unsafe.Pointer, offset uintptr) *uint32 { return (*uint32)(unsafe.Add(p, offset)) }

// tellMoves tells the world of the moves of a row that is done.
func (f *frame) tellMoves() {
	for _, m := range f.moves {
		ecs.Raw.Moved(m.index, m.slot, m.place, m.previous)
	}
	f.moves = f.moves[:0]
}
