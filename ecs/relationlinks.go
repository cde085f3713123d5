package ecs

// This file has the lists of the sources of each target. A list is threaded through an array by the slots of its
// sources, or by their pairs (relationpairs.go), in the order in which they were related. relation.go says when they change.

// A relationHead is the list of sources of one target. first and last are slot index + 1; 0 is none.
type relationHead struct{ first, last, count uint32 }

// A relationLink is a source's place in its list. Both are slot index + 1, or number of a pair + 1; 0 is none.
type relationLink struct{ previous, next uint32 }

var (
	noHeads slotPage[relationHead]
	noLinks slotPage[relationLink]
)

// head returns the list of a target, the empty list if it never was one.
func (r *relation) head(target uint32) relationHead { return *r.heads.at(target) }

// reserve makes room for a source and its target, both slot indexes, in the lists, the marks and the forest. more is how
// many targets other than this one there will be room for, and none are made yet. Error: [ErrBytes].
func (r *relation) reserve(w *World, source, target uint32, more int) error {
	w.beforeRelation(r)
	if err := r.heads.reserve(w, target); err != nil {
		return err
	}
	if r.pairs != nil {
		if err := r.pairs.reserve(w, r, source, more); err != nil {
			return err
		}
	} else if err := r.links.reserve(w, source); err != nil {
		return err
	}
	if !r.marked.has(target, r.bit) {
		if err := w.targets.reserve(w, r.place, target); err != nil {
			return err
		}
	}
	if r.forest != nil {
		return r.forest.reserve(w, max(source, target))
	}
	return nil
}

// link appends source to the list of target. Both are slot indexes for which there is room.
func (r *relation) link(w *World, source, target uint32) {
	h := r.heads.at(target)
	if w.undo != nil {
		r.note(w, target, source+1, h.last)
	}
	*r.links.at(source) = relationLink{previous: h.last}
	if h.last != 0 {
		r.links.at(h.last - 1).next = source + 1
	} else {
		h.first = source + 1
	}
	h.last = source + 1
	h.count++
	if r.forest != nil {
		r.forest.link(source, target)
	}
}

// unlink removes source from the list of its target. If the target has died first, its list is empty already.
func (r *relation) unlink(w *World, source uint32, target Entity) {
	if r.forest != nil {
		r.forest.cut(source)
	}
	h := r.heads.at(uint32(target))
	if h.count == 0 {
		return
	}
	l := *r.links.at(source)
	if w.undo != nil {
		r.note(w, uint32(target), l.previous, l.next)
	}
	if l.previous != 0 {
		r.links.at(l.previous - 1).next = l.next
	} else {
		h.first = l.next
	}
	if l.next != 0 {
		r.links.at(l.next - 1).previous = l.previous
	} else {
		h.last = l.previous
	}
	h.count--
}

// unlinkColumns removes e, in row of t, from the lists of its targets in these columns.
func (t *Table) unlinkColumns(e Entity, row int, columns []*Column) {
	for _, c := range columns {
		t.world.beforeRelation(c.info.relation)
		if p := c.info.relation.pairs; p != nil {
			p.removeAll(t.world, c.info.relation, uint32(e))
			continue
		}
		c.info.relation.unlink(t.world, uint32(e), *(*Entity)(c.at(row)))
	}
}

// endTarget ends all relations to a dying entity. Sources that die with it are pushed on the stack, with the first
// related one on top; the others lose the target, and with their last one the relation.
func (w *World) endTarget(e Entity, stack []Entity) []Entity {
	if w.journal != nil {
		for _, place := range w.targets.list(nil, uint32(e)) {
			w.journal.relation(w.relations[place])
		}
	}
	w.marked = w.targets.take(w.marked[:0], uint32(e))
	w.work += uint64(len(w.marked))
	for _, place := range w.marked {
		r := w.relations[place]
		h := r.head(uint32(e))
		if h.count == 0 {
			continue
		}
		if r.cascade {
			for at := h.last; at != 0; at = r.links.at(at - 1).previous {
				stack = append(stack, makeEntity(at-1, w.slots.all[at-1].meta&generationMask))
			}
			if w.undo != nil {
				r.note(w, uint32(e))
			}
			*r.heads.at(uint32(e)) = relationHead{}
			continue
		}
		for heads := r.heads.at(uint32(e)); heads.count > 0; {
			w.work++
			source := r.source(heads.first - 1)
			sl := &w.slots.all[source]
			if r.pairs != nil && r.pairs.lists.at(source).count > 1 {
				w.dropTarget(r, sl, heads.first)
				continue
			}
			w.migrate(w.slots.handle(source), sl, w.tables[sl.table].takingAway([]ComponentID{r.info.id}))
		}
	}
	return stack
}
