package ecs

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
