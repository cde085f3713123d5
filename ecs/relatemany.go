package ecs

import "unsafe"

// This file relates many entities at once: those of a list, or all that have a target.

// RelateMany makes target the target of the living entities of a list, or one of their targets, as [World.Relate] does one after the other, and
// returns how many were alive. Errors: those of Relate; except for [ErrBytes], nothing has happened then.
func (w *World) RelateMany(list []Entity, id RelationID, target Entity) (int, error) {
	r, err := w.mayRelate(list, id, target)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range list {
		if sl := w.slots.find(e); sl != nil {
			if r.pairs != nil && w.relates(r, e, target) {
				n++
				continue
			}
			if err := w.roomToRelate(r, e, sl, target); err != nil {
				return n, fail("relate", e, r.info.name, err)
			}
			if w.observers != nil && w.observers.replacing(r, e, sl, target) {
				sl = w.slots.find(e)
			}
			w.relate(r, e, sl, target)
			n++
		}
	}
	return n, nil
}

// mayRelate returns the relation, or why the entities of a list cannot have the target.
func (w *World) mayRelate(list []Entity, id RelationID, target Entity) (*relation, error) {
	r, err := w.relation("relate", None, id)
	if err != nil {
		return nil, err
	}
	if w.locks != 0 {
		return nil, fail("relate", None, r.info.name, w.lockedBy())
	}
	if err := w.checkTarget(r, None, target); err != nil {
		return nil, fail("relate", None, r.info.name, err)
	}
	if !r.acyclic {
		return r, nil
	}
	for _, e := range list {
		if w.Alive(e) {
			if err := w.checkTarget(r, e, target); err != nil {
				return nil, fail("relate", e, r.info.name, err)
			}
		}
	}
	return r, nil
}

// Retarget relates all entities whose target is from to another one, in the order in which they were related, and returns
// how many there are. Of many targets, from is taken away after the other one was added. It is [World.RelateMany] of the [World.Sources] of from in less time. There are none if from is
// dead. Errors are those of RelateMany.
func (w *World) Retarget(id RelationID, from, to Entity) (int, error) {
	r, err := w.relation("relate", from, id)
	if err != nil {
		return 0, err
	}
	if r.pairs != nil {
		return w.retargetPairs(r, from, to)
	}
	simple := !r.bounded && r.forest == nil && r.info.watch == nil && w.journal == nil && from != to
	if simple && r.acyclic { // no source of from may be above the new target
		for up, steps := to, 0; simple && up != None; up, steps = w.target(r, up), steps+1 {
			simple = steps < r.patience && w.target(r, up) != from
		}
	}
	if !simple || w.locks != 0 || !w.Alive(from) || !w.Alive(to) || r.head(uint32(from)).count == 0 {
		return w.RelateMany(w.Sources(nil, id, from), id, to)
	}
	first := r.head(uint32(from)).first - 1
	if err := r.reserve(w, first, uint32(to), 0); err != nil {
		return 0, fail("relate", from, r.info.name, err)
	}
	w.beginChange()
	defer w.endChange()
	w.retargetRows(r, first+1, to)
	w.becomesTarget(r, to)
	old, h := r.heads.at(uint32(from)), r.heads.at(uint32(to))
	n := int(old.count)
	if h.count == 0 {
		*h = *old
	} else {
		r.links.at(h.last-1).next, r.links.at(old.first-1).previous = old.first, h.last
		h.last, h.count = old.last, h.count+old.count
	}
	*old = relationHead{}
	return n, nil
}

// retargetPairs is Retarget for a relation with many targets.
func (w *World) retargetPairs(r *relation, from, to Entity) (int, error) {
	list := w.Sources(nil, r.info.id, from)
	n, err := w.RelateMany(list, r.info.id, to)
	if err != nil || from == to {
		return n, err
	}
	for _, e := range list[:n] {
		if _, err := w.UnrelateFrom(e, r.info.id, from); err != nil {
			return n, err
		}
	}
	return n, nil
}

// retargetRows writes and stamps the target of the sources in a list, which begins with s, a slot index + 1.
func (w *World) retargetRows(r *relation, s uint32, to Entity) {
	all := w.slots.all
	for s != 0 {
		sl := &all[s-1]
		table, begin := sl.table, sl.row
		end := begin + 1
		for { // those in the rows right after it, of which many often follow each other slot after slot
			page, slots := r.links.page(s - 1)[(s-1)&slotMask:], all[s:]
			n := min(len(page), len(slots))
			page, slots = page[:n], slots[:n]
			i := uint32(0)
			for ; int(i) < len(page) && page[i].next == s+i+1 && slots[i].row == end+i && slots[i].table == table; i++ {
			}
			s, end = s+i, end+i
			next := r.links.at(s - 1).next
			if s = next; s == 0 || all[s-1].row != end || all[s-1].table != table {
				break
			}
			end++
		}
		col := r.info.column(table)
		cells := unsafe.Slice((*Entity)(col.at(int(begin))), int(end-begin))
		for i := range cells {
			cells[i] = to
		}
		if end == begin+1 {
			col.stampChanged(int(begin), w.now)
		} else {
			col.StampRange(int(begin), int(end))
		}
	}
}
