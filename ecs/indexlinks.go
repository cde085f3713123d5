package ecs

import (
	"math/bits"
	"unsafe"
)

// This file moves entities between the places of an index.

// An indexEntry is an entity in an index: its place, counted from 1, 0 for none, and its neighbours in the list of the place, as slots plus one.
type indexEntry struct{ place, previous, next uint32 }

var noEntries slotPage[indexEntry]

// follow brings an entity to the place that its row says. If it is there already, nothing happens.
func (x *Index) follow(e Entity, row unsafe.Pointer) {
	at := x.entries.at(uint32(e))
	if x.spec.Width > 0 {
		if place := x.cellOf(row); place != at.place {
			x.leave(e)
			x.arrive(e, place)
		}
		return
	}
	var k indexKey
	x.keyOf(&k, row)
	if at.place != 0 && x.is(at.place-1, &k) {
		return
	}
	x.leave(e)
	x.arrive(e, x.take(&k))
}

// arrive appends an entity that is in no place to the list of one; place is counted from 1, and 0 for none.
func (x *Index) arrive(e Entity, place uint32) {
	if place != 0 {
		x.cover(uint32(e))
		x.note(e)
		x.insert(e, place, x.ends[place-1].last)
	}
}

// leave takes an entity out of the list of its place, if it is in one.
func (x *Index) leave(e Entity) {
	if x.entries.at(uint32(e)).place != 0 {
		x.note(e)
		x.takeOut(uint32(e))
	}
}

// note tells the journal that an entity is about to arrive or leave.
func (x *Index) note(e Entity) {
	w := x.world
	if w.journal != nil {
		w.journal.index(x, uint32(e), *x.entries.at(uint32(e)))
	}
	x.wrote = w.Tick()
}

// insert puts an entity behind another one of a place; previous is a slot plus one, 0 for the beginning.
func (x *Index) insert(e Entity, place, previous uint32) {
	slot, end := uint32(e), &x.ends[place-1]
	next := uint32(0)
	if previous != 0 {
		before := x.entries.at(previous - 1)
		before.next, next = slot+1, before.next
	} else {
		if first := x.heads[place-1]; first != None {
			next = uint32(first) + 1
		}
		x.heads[place-1] = e
	}
	if next != 0 {
		x.entries.at(next - 1).previous = slot + 1
	} else {
		end.last = slot + 1
	}
	end.count++
	*x.entries.at(slot) = indexEntry{place, previous, next}
}

// takeOut is leave for a slot whose entity is in a place.
func (x *Index) takeOut(slot uint32) {
	at := x.entries.at(slot)
	place, end := at.place-1, &x.ends[at.place-1]
	if at.previous != 0 {
		x.entries.at(at.previous - 1).next = at.next
	} else {
		x.heads[place] = x.bySlot(at.next)
	}
	if at.next != 0 {
		x.entries.at(at.next - 1).previous = at.previous
	} else {
		end.last = at.previous
	}
	*at = indexEntry{}
	if end.count--; end.count == 0 && x.spec.Width == 0 {
		x.drop(place)
	}
}

// bySlot returns the entity of a slot plus one, None for 0.
func (x *Index) bySlot(at uint32) Entity {
	if at == 0 {
		return None
	}
	return makeEntity(at-1, x.world.slots.all[at-1].meta&generationMask)
}

// cover makes the entry of a slot. Its memory was counted when its table got room for it.
func (x *Index) cover(slot uint32) {
	if x.entries.has(slot) {
		return
	}
	page := int(slot >> slotShift)
	need := cap(x.entries.pages)
	if page+2 > need {
		need = max(page+2, need+need/4)
	}
	x.entries.make(page, need)
	x.world.countIndexes()
}

// countIndexes counts the memory of indexes on Go's heap, and that of entries elsewhere, which counts as that of rows.
func (w *World) countIndexes() {
	n := int64(0)
	for _, x := range w.indexes {
		if n += x.entries.bytes(); x.spec.Width == 0 {
			n += x.heapBytes()
		}
	}
	w.heap.indexes.Store(n)
}

// Update indexes what was written through pointers and slices, and stamped, since the turn began, in the order of tables and rows. That happens
// by itself when the turn ends. It costs O(tables with the component + rows that were written in this turn).
func (x *Index) Update() {
	made(x.world != nil, "Index", "World.DeclareIndex")
	x.world.mustBeAlone()
	x.sync(true)
}

// sync brings all entities to the places that their rows say, or those only that were written in this tick.
func (x *Index) sync(written bool) {
	now, area := x.world.now, x.area()
	for i := x.query.filled(0); i < len(x.query.matches); i = x.query.filled(i + 1) {
		t := x.query.matches[i].table
		col := x.info.column(t.id)
		if written && col.newest.changed != now {
			continue
		}
		for from := 0; from < len(t.entities); from += blockRows {
			rows := ^uint64(0)
			if written {
				rows = col.block(from >> blockShift).changedAt(now)
			}
			if n := len(t.entities) - from; n < blockRows {
				rows &= 1<<n - 1
			}
			for ; rows != 0; rows &= rows - 1 {
				row := from + bits.TrailingZeros64(rows)
				e, p := t.entities[row], col.at(row)
				if !area.has(x.entries.at(uint32(e)).place, p) {
					x.follow(e, p)
				}
			}
		}
	}
}

// indexStamped indexes what was written in this tick.
func (w *World) indexStamped() {
	for _, x := range w.indexes {
		x.sync(true)
	}
}

// indexWrite brings an entity to its places after its component was written. While reports wait, so do arrivals: an operation of several steps
// is one.
func (w *World) indexWrite(info *component, e Entity) {
	if w.slots.parallel {
		return // the rows are stamped
	}
	if o := w.observers; o.held > 0 {
		o.arrivals = append(o.arrivals, arrival{info, e})
		return
	}
	w.index(info, e)
}

func (w *World) index(info *component, e Entity) {
	sl := w.slots.find(e)
	if sl == nil {
		return
	}
	if col := info.column(sl.table); col != nil {
		for _, x := range info.watch.indexes {
			x.follow(e, col.at(int(sl.row)))
		}
	}
}

// An arrival is an entity that may have another place now.
type arrival struct {
	info   *component
	entity Entity
}

// arrive indexes what has waited.
func (o *observers) arrive() {
	for _, a := range o.arrivals {
		o.world.index(a.info, a.entity)
	}
	o.arrivals = o.arrivals[:0]
}

// unindex takes an entity of a table out of all indexes.
func (w *World) unindex(e Entity, t *Table) {
	for _, x := range w.indexes {
		if t.mask.has(x.info.id) {
			x.leave(e)
		}
	}
}

// unindexLost takes an entity out of the indexes of the components that it loses along a move.
func (w *World) unindexLost(e Entity, mv *move) {
	for _, c := range mv.lost {
		if at := c.info.watch; at != nil {
			for _, x := range at.indexes {
				x.leave(e)
			}
		}
	}
}
