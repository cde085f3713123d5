package ecs

import "slices"

// Handles that work gave out which was taken back are used up: they are never alive again, and belong to no other
// entity. A slot that is free again has the first generation that was not given out; a slot in use notes how many
// generations are used up after that of its entity (slotSpent); slots that are new stay, at the end of the free list.
// So the indexes of later entities are those of a world in which the work did not happen, and the cost is O(what was taken back).

// useUp makes the generations of a slot before next used up. free says that it is on the free list.
func (s *slots) useUp(index, next uint32, free bool) {
	sl := &s.all[index]
	generation := sl.meta & generationMask
	switch {
	case !free:
		if spent := int64(next) - int64(generation) - 1; spent > int64(sl.meta&slotSpent>>spentShift) {
			sl.meta = sl.meta&^slotSpent | uint32(min(spent, slotSpent>>spentShift))<<spentShift
		}
	case next > MaxGeneration: // retired, see slots.release
		sl.meta = MaxGeneration | slotFree
		s.free = slices.DeleteFunc(s.free, func(i uint32) bool { return i == index })
	case next > generation:
		sl.meta = next | slotFree
	}
}

// keep puts the slots from index first on, which have become free for the first time, after all others of the free
// list, so that those with lower indexes are taken first.
func (s *slots) keep(first int) {
	n := len(s.all) - first
	s.free = slices.Insert(s.free, 0, make([]uint32, n)...)
	for i := range n {
		s.free[i] = uint32(len(s.all) - 1 - i)
	}
}

// listed returns which slots are on the free list. The other ones are in use, reserved or retired.
func (s *slots) listed() []bool {
	listed := make([]bool, len(s.all))
	for _, index := range s.free {
		listed[index] = true
	}
	return listed
}

// useUp makes the handles used up that a turn has given out. The slots are those of the beginning of the turn, and those
// from first on, which it has made.
func (l *slotLog) useUp(s *slots, first, pending int) {
	if first < len(s.all) {
		s.keep(first)
	}
	free := func(index uint32) bool { return s.all[index].meta&slotFree != 0 } // a slot that was taken is not retired
	if pending > 0 {
		listed := s.listed()
		free = func(index uint32) bool { return listed[index] }
	}
	for _, c := range l.changes {
		switch c.kind {
		case slotPopped:
			s.useUp(c.index, c.old.meta&generationMask+1, free(c.index))
		case slotGrown:
			s.useUp(c.index, 2, free(c.index))
		case slotPushed, slotRetired, slotFlagged:
		}
	}
}

// GivenOut returns, by slot, the first generation that the world has not given out in a handle. It costs O(slots).
func (RawAccess) GivenOut(w *World) []uint32 {
	s := &w.slots
	given := make([]uint32, len(s.all))
	for i := range s.all {
		next, more := s.all[i].next()
		if !more {
			next = MaxGeneration + 1
		}
		given[i] = next
	}
	for _, index := range s.free {
		given[index] = s.all[index].meta & generationMask
	}
	return given
}

// UseUp makes handles used up that the world has given out and does not know of, because it was restored to an earlier
// state: given is what [RawAccess.GivenOut] has returned before. It costs O(slots).
func (RawAccess) UseUp(w *World, given []uint32) {
	s := &w.slots
	if first := len(s.all); first < len(given) {
		s.reserve(len(given))
		for len(s.all) < len(given) {
			s.all = append(s.all, slot{meta: 1 | slotFree, table: noTable})
		}
		s.keep(first)
	}
	listed := s.listed()
	for i, next := range given {
		s.useUp(uint32(i), next, listed[i])
	}
	w.remeasure()
}
