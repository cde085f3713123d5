package ecs

import "unsafe"

// This file implements inheritance through the relation IsA: an entity shares the components of its base until it
// has its own. A shared component is found by following the relation's column, row by row; nothing is copied or
// cached. Tables whose entities have no base never reach this code.

// inherits reports whether the entities of t have a base. Only they can share components, so worlds that declare
// [IsA] without using it pay nothing.
func (w *World) inherits(t *Table) bool {
	return w.isA != nil && w.isA.info.column(t.id) != nil
}

// shared finds a component that the entity at sl lacks: on its base, on the base's base, and so on, at most
// MaxBases steps. It returns nil if none has it. Relations are not shared.
func (w *World) shared(info *component, sl *slot) (*Column, int) {
	if w.isA == nil || info.relation != nil {
		return nil, 0
	}
	for range MaxBases {
		if w.isA.info.column(sl.table) == nil {
			return nil, 0
		}
		sl = w.slots.find(*w.targetCell(w.isA, sl))
		if sl == nil {
			return nil, 0 // not possible: a dead base ends the relation
		}
		if col := info.column(sl.table); col != nil {
			return col, int(sl.row)
		}
	}
	return nil, 0
}

// visible finds a component of the entity at sl; own is false if it is shared. col is nil if there is none.
func (w *World) visible(info *component, sl *slot) (col *Column, row int, own bool) {
	if col := info.column(sl.table); col != nil {
		return col, int(sl.row), true
	}
	col, row = w.shared(info, sl)
	return col, row, false
}

// Owns reports whether e is alive and has the component itself, not through [IsA].
func (w *World) Owns(e Entity, id ComponentID) bool {
	sl := w.slots.find(e)
	return sl != nil && w.tables[sl.table].mask.has(id)
}

// Shared returns the value of e for reading, its own or the one that it shares through [IsA]; nil if it has
// neither. The pointer is valid until the next structural change.
func (c Component[T]) Shared(e Entity) *T {
	made(c.info != nil, "Component", "ecs.Register")
	if own := c.Get(e); own != nil {
		return own
	}
	sl := c.world.slots.find(e)
	if sl == nil {
		return nil
	}
	col, row := c.world.shared(c.info, sl)
	if col == nil {
		return nil
	}
	return (*T)(col.at(row))
}

// inheritedMatch reports whether the rows of t have to be tested one by one, because their entities have a base
// and may share what the table lacks or what the query excludes. It is false if the table's own mask decides.
func (q *Query) inheritedMatch(t *Table) bool {
	isA := q.world.isA
	if !q.filter.Inherited || isA == nil || !t.mask.has(isA.info.id) {
		return false
	}
	for _, id := range q.filter.Required {
		if !t.mask.has(id) && q.world.components[id].relation != nil {
			return false
		}
	}
	if t.mask.intersects(q.without) {
		return false
	}
	complete := len(q.without) == 0 && len(q.any) == 0 && q.rows == nil && t.mask.containsAll(q.required)
	for _, id := range q.filter.Optional {
		complete = complete && t.mask.has(id)
	}
	return !complete
}

// bases returns the bases of the entities of t, by row. They have one.
func (w *World) bases(t *Table) []Entity {
	c := w.isA.info.column(t.id)
	return unsafe.Slice((*Entity)(c.at(0)), len(t.entities))
}

// alike reports whether all bases are the same. It is unrolled for speed.
func alike(bases []Entity) bool {
	first, other := bases[0], Entity(0)
	for ; len(bases) >= 8; bases = bases[8:] {
		b := (*[8]Entity)(bases)
		other |= (b[0] ^ first) | (b[1] ^ first) | (b[2] ^ first) | (b[3] ^ first) | (b[4] ^ first) | (b[5] ^ first) | (b[6] ^ first) | (b[7] ^ first)
	}
	for _, b := range bases {
		other |= b ^ first
	}
	return other == 0
}

// inheritedWords sets the rows that match, 64 per word, of a query without conditions on rows. Rows with the same base match alike. Bits beyond the end
// of the table are 0. It reports whether all rows have the same base.
func (q *Query) inheritedWords(words []uint64, t *Table) (oneBase bool) {
	bases := q.world.bases(t)
	oneBase = true
	last, sees := None, false
	ask := func(row int) bool {
		if bases[row] != last {
			last, sees = bases[row], q.sees(&q.world.slots.all[uint32(t.entities[row])], window{})
		}
		return sees
	}
	for block := range words {
		from := block << blockShift
		n := min(blockRows, len(bases)-from)
		words[block] = 0
		if alike(bases[from : from+n]) {
			if ask(from) {
				words[block] = ^uint64(0) >> (blockRows - n)
			}
			oneBase = oneBase && bases[from] == bases[0]
			continue
		}
		oneBase = false
		for i := range n {
			if ask(from + i) {
				words[block] |= 1 << i
			}
		}
	}
	return oneBase
}

// Shared returns the address of the value that the entity in a row of a table shares through [IsA], for reading; nil if it shares none. It is valid until the next structural
// change. Rows with the same base share the same value.
func (RawAccess) Shared(t *Table, id ComponentID, row int) (value unsafe.Pointer) {
	w := t.world
	if col, at := w.shared(w.components[id], &w.slots.all[uint32(t.entities[row])]); col != nil {
		return col.at(at)
	}
	return nil
}

// Bases returns the bases of the entities of a table, by row, nil if they have none. It is valid until the next structural change.
func (RawAccess) Bases(t *Table) []Entity {
	if !t.world.inherits(t) || len(t.entities) == 0 {
		return nil
	}
	return t.world.bases(t)
}

// inheritedWord returns the rows of a block that match, one bit per row, including shared components.
func (q *Query) inheritedWord(t *Table, block int, in window) uint64 {
	var word uint64
	from := block << blockShift
	for i, e := range t.entities[from:min(from+blockRows, len(t.entities))] {
		if q.sees(&q.world.slots.all[uint32(e)], in) {
			word |= 1 << i
		}
	}
	return word
}

// sees reports whether an Inherited query matches the entity at sl, including shared components.
func (q *Query) sees(sl *slot, in window) bool {
	has := func(id ComponentID) bool {
		if t := q.world.tables[sl.table]; t.mask.has(id) {
			return true
		}
		col, _ := q.world.shared(q.world.components[id], sl)
		return col != nil
	}
	for _, id := range q.filter.Required {
		if !has(id) {
			return false
		}
	}
	for _, id := range q.filter.Without {
		if has(id) {
			return false
		}
	}
	any := len(q.filter.Any) == 0
	for _, id := range q.filter.Any {
		any = any || has(id)
	}
	return any && (q.rows == nil || q.rows.row(q, sl, in))
}

// row evaluates the condition for one entity. Shared components count if the query is Inherited.
func (x *Expr) row(q *Query, sl *slot, in window) bool {
	w := q.world
	stamp := func() rowStamp {
		info := w.components[x.id]
		col, row, own := w.visible(info, sl)
		if col == nil || (!own && !q.filter.Inherited) {
			return rowStamp{}
		}
		return col.stampOf(row)
	}
	switch x.op {
	case opContains:
		col, _, own := w.visible(w.components[x.id], sl)
		return col != nil && (own || q.filter.Inherited)
	case opChanged:
		return in.has(stamp().changed)
	case opAdded:
		return in.has(stamp().added)
	case opTagged:
		return w.tags[x.id].has(w.tables[sl.table].entities[sl.row])
	case opAnd:
		for _, p := range x.parts {
			if !p.row(q, sl, in) {
				return false
			}
		}
		return true
	case opOr:
		for _, p := range x.parts {
			if p.row(q, sl, in) {
				return true
			}
		}
		return false
	case opXor:
		return x.parts[0].row(q, sl, in) != x.parts[1].row(q, sl, in)
	default: // opNot
		return !x.parts[0].row(q, sl, in)
	}
}
