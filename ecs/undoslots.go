package ecs

import "slices"

// This file is the part of the undo log about handles, tags and relations.

// A slotLog holds slots as they were before they were taken or released in a turn. It is set in slots while a turn
// is recorded, because a journal is not told of single slots.
type slotLog struct {
	changes []slotUndo
	scratch []uint32
}

type slotUndo struct {
	index uint32
	kind  slotChange
	old   slot
}

// A slotChange says how a slot changed.
type slotChange uint8

const (
	slotPopped  slotChange = iota // it was taken from the free list
	slotGrown                     // it is new
	slotPushed                    // it was released, to the free list
	slotRetired                   // it was released, and has no further generation
	slotFlagged                   // it got a flag
)

func (l *slotLog) begin(*slots) { l.changes = l.changes[:0] }

// note records a slot before it changes.
func (l *slotLog) note(index uint32, old slot, kind slotChange) {
	l.changes = append(l.changes, slotUndo{index, kind, old})
}

// noteRelease records a slot before it is released; free says that it comes to the free list.
func (l *slotLog) noteRelease(index uint32, old slot, free bool) {
	kind := slotPushed
	if !free {
		kind = slotRetired
	}
	l.note(index, old, kind)
}

// slots implements journal: single slots are in the slotLog.
func (u *undo) slots() {}

// restoreSlots takes back what happened to slots, last first, and makes the handles used up that were given out. The places of slots that did not change themselves
// are restored with their rows.
func (u *undo) restoreSlots(w *World) {
	s, first := &w.slots, len(w.slots.all)
	for _, c := range slices.Backward(u.slotLog.changes) {
		switch c.kind {
		case slotPopped:
			s.free = append(s.free, c.index)
			s.all[c.index] = c.old
		case slotGrown:
			first = int(c.index)
			s.all[first] = slot{meta: 1 | slotFree, table: noTable}
		case slotPushed:
			s.free = s.free[:len(s.free)-1]
			s.all[c.index] = c.old
		case slotRetired, slotFlagged:
			s.all[c.index] = c.old
		default:
			panic("ecs: an unknown change of a slot")
		}
	}
	s.deaths++ // handles have ended
	u.useUp(s, first, u.pending)
}

// unmarkFree clears marks that nothing would clear later: those of slots that are free again, and those of entities
// that got their first tag, or became a target, in the turn, because they are without the flag again.
func (u *undo) unmarkFree(w *World) {
	for _, c := range u.slotLog.changes {
		var flags uint32 // none, if the slot is free or gone
		if int(c.index) < len(w.slots.all) {
			flags = w.slots.all[c.index].meta
		}
		if flags&slotTagged == 0 {
			u.scratch = w.tagMarks.take(u.scratch[:0], c.index)
		}
		if flags&slotTarget == 0 {
			u.scratch = w.targets.take(u.scratch[:0], c.index)
		}
	}
}

// A tagUndo is whether an entity had a tag, and where in the list.
type tagUndo struct {
	set    *tagSet
	entity Entity
	place  int // -1: it did not have the tag
}

func (s *tagSet) placeOf(e Entity) int {
	if !s.has(e) {
		return -1
	}
	return int(s.sparse.at(uint32(e)).place)
}

// tag implements journal.
func (u *undo) tag(s *tagSet, e Entity) {
	if u.recording {
		u.tagLog = append(u.tagLog, tagUndo{s, e, s.placeOf(e)})
	}
}

// takeBack undoes one change of a tag. All later ones have been undone.
func (c tagUndo) takeBack() {
	s, now := c.set, c.set.placeOf(c.entity)
	switch {
	case now == c.place:
	case c.place < 0:
		s.forget(c.entity)
	default:
		s.marks.mark(uint32(s.id), uint32(c.entity))
		Raw.PutBackTag(TagSet{s, &s.world.slots}, c.entity, c.place)
	}
}

// A roomUndo is for how many entries a tag had room. Room counts for the limit of tags.
type roomUndo struct {
	set  *tagSet
	room int
}

// resizes records the room of a tag before it changes first in this turn. u may be nil.
func (u *undo) resizes(s *tagSet) {
	if u != nil && u.recording && !slices.ContainsFunc(u.roomLog, func(c roomUndo) bool { return c.set == s }) {
		u.roomLog = append(u.roomLog, roomUndo{s, cap(s.dense)})
	}
}

// A relationUndo is a part of a relation as it was.
type relationUndo struct {
	relation *relation
	index    uint32
	part     relationPart
	head     relationHead // of a target or a source; for pairCounts free, made and count
	link     relationLink
	pair     targetPair
}

// A relationPart says what a relationUndo holds.
type relationPart uint8

const (
	sourceLink relationPart = iota
	sourceHead
	pairHead
	pairOf
	pairCounts
)

// relation implements journal: single lists are recorded by note.
func (u *undo) relation(*relation) {}

// note records the list of a target, and the places of sources, before they change. Sources are slot index + 1; 0 is
// none.
func (r *relation) note(w *World, target uint32, sources ...uint32) {
	u := w.undo
	if !u.recording {
		return
	}
	u.relationLog = append(u.relationLog, relationUndo{relation: r, index: target, part: sourceHead, head: *r.heads.at(target)})
	for _, at := range sources {
		if at != 0 {
			u.relationLog = append(u.relationLog, relationUndo{relation: r, index: at - 1, link: *r.links.at(at - 1)})
		}
	}
}

// note records the list of a source, pairs and the counts before they change. Pairs are number + 1; 0 is none.
func (p *targetPairs) note(w *World, r *relation, source uint32, pairs ...uint32) {
	u := w.undo
	if !u.recording {
		return
	}
	u.relationLog = append(u.relationLog, relationUndo{relation: r, part: pairCounts, head: relationHead{p.free, p.made, p.count}},
		relationUndo{relation: r, index: source, part: pairHead, head: *p.lists.at(source)})
	for _, at := range pairs {
		if at != 0 {
			u.relationLog = append(u.relationLog, relationUndo{relation: r, index: at - 1, part: pairOf, pair: *p.all.at(at - 1)})
		}
	}
}

// takeBack undoes one change of a list. The forest follows from the lists, and is made again when it is needed.
func (c relationUndo) takeBack(w *World) {
	r := c.relation
	r.forest = nil
	switch c.part {
	case sourceLink:
		*r.links.at(c.index) = c.link
	case sourceHead:
		if *r.heads.at(c.index) = c.head; c.head.count > 0 {
			w.targets.mark(r.place, c.index)
		}
	case pairHead:
		*r.pairs.lists.at(c.index) = c.head
	case pairOf:
		*r.pairs.all.at(c.index) = c.pair
	case pairCounts:
		r.pairs.free, r.pairs.made, r.pairs.count = c.head.first, c.head.last, c.head.count
	}
}
