package ecs

// Flags of a slot, above the 21 bits of the generation.
const (
	slotFree   = 1 << 31 // no living entity here: the generation is the next one to hand out
	slotTagged = 1 << 30 // the entity is, or was, in at least one tag set
	slotTarget = 1 << 29 // the entity is, or was, the target of a relation

	generationMask = MaxGeneration
	liveMask       = generationMask | slotFree
)

// noTable is the table of free slots: that of entities without components, where no lookup finds a column, whatever the handle.
const noTable = 0

// A slot says where the entity with its index is. One record, so that a lookup by handle touches one cache line.
type slot struct {
	meta  uint32 // generation | flags
	table uint32 // index in World.tables; noTable when free
	row   uint32 // row in that table
}

// slots hands out entity indexes: the most recently freed first, each time with the next generation.
type slots struct {
	all     []slot
	free    []uint32 // indexes, a stack
	targets int      // living entities whose slotTarget is set
	deaths  uint64   // handles that have ended so far: while it stays, who lived lives
	memory  Memory
	owned   bool // all lies in memory

	guarded  bool // a parallel walk is open, or the world has a journal
	parallel bool // a parallel walk is open: workers read the slots, and what changes more than rows is refused
}

// reserve makes room for n slots in all.
func (s *slots) reserve(n int) { s.all = room(s.memory, s.all, &s.owned, n) }

// take returns a handle whose slot is still marked free: reserved, not alive. settle makes it live.
func (s *slots) take() Entity {
	if n := len(s.free); n > 0 {
		index := s.free[n-1]
		s.free = s.free[:n-1]
		return makeEntity(index, s.all[index].meta&generationMask)
	}
	index := uint32(len(s.all))
	if len(s.all) == cap(s.all) {
		s.reserve(max(2*len(s.all), 64))
	}
	s.all = append(s.all, slot{meta: 1 | slotFree, table: noTable})
	return makeEntity(index, 1)
}

// reuse fills list with handles as take would, all from the free list, and makes them live in the rows of a table from row on.
func (s *slots) reuse(list []Entity, table, row uint32) {
	all, n, at := s.all, len(s.free)-len(list), len(list)
	for _, index := range s.free[n:] {
		at--
		sl := &all[index]
		generation := sl.meta & generationMask
		*sl = slot{meta: generation, table: table, row: row + uint32(at)}
		list[at] = makeEntity(index, generation)
	}
	s.free = s.free[:n]
}

// settle makes a reserved handle live at table and row.
func (s *slots) settle(e Entity, table, row uint32) {
	s.all[uint32(e)] = slot{meta: e.Generation(), table: table, row: row}
}

// release ends a handle, live or reserved. The generation goes up by one; a slot whose generations are spent is retired: it stays
// marked free but is never handed out again.
func (s *slots) release(index uint32) { s.releaseSlot(&s.all[index], index) }

// releaseSlot is release for a slot at hand.
func (s *slots) releaseSlot(sl *slot, index uint32) {
	s.deaths++
	generation := sl.meta & generationMask
	if generation == MaxGeneration {
		*sl = slot{meta: generation | slotFree, table: noTable}
		return
	}
	*sl = slot{meta: (generation + 1) | slotFree, table: noTable}
	s.free = append(s.free, index)
}

// find returns the slot of a living entity, nil otherwise: an index out of range, a stale generation, a reserved handle.
func (s *slots) find(e Entity) *slot {
	index := uint32(e)
	if uint64(index) >= uint64(len(s.all)) {
		return nil
	}
	sl := &s.all[index]
	if sl.meta&liveMask != uint32(e>>32) || int64(e) < 0 { // no handle has the bit that marks a free slot
		return nil
	}
	return sl
}
