package ecs

import (
	"strconv"
	"strings"
)

// Slots are the bottom of the store: every access by handle goes through one. A slot maps an entity's index to the
// table and row where the entity is, and holds the generation that tells a live handle from a stale one.
// Everything here costs O(1) per entity.

// Flags in a slot's meta word, above the 21 bits of the generation.
const (
	slotFree   = 1 << 31 // no living entity; the generation is the next one to hand out
	slotTagged = 1 << 30 // the entity is, or was, in at least one tag set
	slotTarget = 1 << 29 // the entity is, or was, the target of a relation

	// Of a slot in use, how many generations after that of its entity are used up: turns that were taken back have given them out. If
	// all bits are set, there may be more, and the slot is not used again.
	slotSpent  = 255 << spentShift
	spentShift = 21

	generationMask = MaxGeneration
	liveMask       = generationMask | slotFree
)

// noTable is the table of a free slot: the table without components, in which no look-up finds a column.
const noTable = 0

// A slot says where the entity of its index is. It is a single record of 12 bytes, so that a look-up by handle
// touches one cache line.
type slot struct {
	meta  uint32 // generation | flags
	table uint32 // index in World.tables; noTable when free
	row   uint32 // row in that table
}

// slots hands out entity indexes. The index that was freed last is reused first, with the next generation.
type slots struct {
	all     []slot
	free    []uint32 // a stack of free indexes
	targets int      // number of living entities with slotTarget
	deaths  uint64   // number of handles that have ended; as long as it is the same, everything that lived is alive
	memory  Memory
	owned   bool   // all is in memory
	grown   func() // is called when all has grown

	log      *slotLog // of the turn that is recorded; nil otherwise
	guarded  bool     // a parallel walk is open, or the world has a journal or a tap
	parallel bool     // a parallel walk is open: workers read the slots, and other changes than to their rows are refused
}

// reserve makes room for n slots in total.
func (s *slots) reserve(n int) {
	if n > cap(s.all) {
		s.all = room(s.memory, s.all, &s.owned, n)
		s.grown()
	}
}

// take returns a handle that is reserved: its slot is still marked as free, so it is not alive. settle makes it
// alive; release gives it back.
func (s *slots) take() Entity {
	if n := len(s.free); n > 0 {
		index := s.free[n-1]
		s.free = s.free[:n-1]
		if s.log != nil {
			s.log.note(index, s.all[index], slotPopped)
		}
		return makeEntity(index, s.all[index].meta&generationMask)
	}
	index := uint32(len(s.all))
	if len(s.all) == cap(s.all) {
		s.reserve(max(2*len(s.all), 64))
	}
	s.all = append(s.all, slot{meta: 1 | slotFree, table: noTable})
	if s.log != nil {
		s.log.note(index, slot{}, slotGrown)
	}
	return makeEntity(index, 1)
}

// reuse fills list with the handles that as many calls of take would return from the free list, and makes them
// alive in the rows of a table from row on. The free list must be long enough.
func (s *slots) reuse(list []Entity, table, row uint32) {
	all, n, at := s.all, len(s.free)-len(list), len(list)
	for i := len(s.free) - 1; s.log != nil && i >= n; i-- {
		s.log.note(s.free[i], all[s.free[i]], slotPopped)
	}
	for _, index := range s.free[n:] {
		at--
		sl := &all[index]
		generation := sl.meta & generationMask
		*sl = slot{meta: generation, table: table, row: row + uint32(at)}
		list[at] = makeEntity(index, generation)
	}
	s.free = s.free[:n]
}

// settle makes a reserved handle alive, in a row of a table.
func (s *slots) settle(e Entity, table, row uint32) {
	sl := &s.all[uint32(e)]
	*sl = slot{meta: sl.meta&slotSpent | e.Generation(), table: table, row: row}
}

// release ends a handle, alive or reserved. The slot gets the next generation that is not used up. A slot that has used all
// generations is retired: it stays marked as free but is never handed out again.
func (s *slots) release(index uint32) { s.releaseSlot(&s.all[index], index) }

// releaseSlot is release for a caller that has the slot already.
func (s *slots) releaseSlot(sl *slot, index uint32) {
	s.deaths++
	next, more := sl.next()
	if s.log != nil {
		s.log.noteRelease(index, *sl, more)
	}
	*sl = slot{meta: next | slotFree, table: noTable}
	if more {
		s.free = append(s.free, index)
	}
}

// next returns the generation after that of a handle that ends; more is false if there is none.
func (sl *slot) next() (generation uint32, more bool) {
	generation = sl.meta&generationMask + 1
	if spent := sl.meta & slotSpent; spent != 0 {
		if generation += spent >> spentShift; spent == slotSpent {
			return MaxGeneration, false
		}
	}
	if generation > MaxGeneration {
		return MaxGeneration, false
	}
	return generation, true
}

// find returns the slot of a living entity. It returns nil if the index is out of range, the generation is stale,
// or the handle is only reserved.
func (s *slots) find(e Entity) *slot {
	index := uint32(e)
	if uint64(index) >= uint64(len(s.all)) {
		return nil
	}
	sl := &s.all[index]
	if sl.meta&liveMask != uint32(e>>32) || int64(e) < 0 { // no handle has the sign bit, which as part of meta marks a free slot
		return nil
	}
	return sl
}

// An Entity is a handle: a 32-bit slot index and a generation, printed "17v2". It stays valid while the entity lives and never
// matches a later entity in the same slot. Compare with ==. The zero Entity is [None].
//
// The generation is at least 1 and at most [MaxGeneration], so every handle is at least 2^32 and below 2^53: exact in a float64.
//
// The world stops using a slot when its generations are used up. Calls with a dead entity return nothing, false or
// [ErrDead], never another entity's data.
type Entity uint64

// None is entity 0: no entity. It is the default of an entity field and is never alive.
const None Entity = 0

func makeEntity(index, generation uint32) Entity {
	return Entity(generation)<<32 | Entity(index)
}

// EntityFromNumber turns a number, as a script or a file holds it, back into a handle. It reports false when v is not a whole number
// of the right form; 0 gives [None]. Whether the entity lives is another question: see [World.Alive].
func EntityFromNumber(v float64) (Entity, bool) {
	if v == 0 {
		return None, true
	}
	if !(v >= 1<<32 && v < 1<<53) {
		return None, false
	}
	e := Entity(v)
	return e, float64(e) == v
}

// Index returns the slot, counted from 0.
func (e Entity) Index() uint32 { return uint32(e) }

// Generation returns how often the slot had been handed out, counted from 1; 0 for [None].
func (e Entity) Generation() uint32 { return uint32(e >> 32) }

// Number returns the handle as an exact float64.
func (e Entity) Number() float64 { return float64(e) }

// String returns the form all messages use: "17v2", or "none" for entity 0.
func (e Entity) String() string {
	if e == None {
		return "none"
	}
	var buf [24]byte
	b := strconv.AppendUint(buf[:0], uint64(e.Index()), 10)
	b = append(b, 'v')
	b = strconv.AppendUint(b, uint64(e.Generation()), 10)
	return string(b)
}

// ParseEntity converts the text of a handle, "17v2". It takes only the text that [Entity.String] returns, so that one entity has
// one text; ok is false for any other.
func ParseEntity(text string) (e Entity, ok bool) {
	index, generation, ok := strings.Cut(text, "v")
	i, errIndex := strconv.ParseUint(index, 10, 32)
	g, errGeneration := strconv.ParseUint(generation, 10, 32)
	if !ok || errIndex != nil || errGeneration != nil || g < 1 || g > MaxGeneration {
		return None, false
	}
	e = Entity(g<<32 | i)
	return e, e.String() == text
}
