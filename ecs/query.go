package ecs

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Query is a prepared condition. It keeps the tables that match and their columns, and is told of every new table, so using it again
// searches nothing. Queries live as long as their world; the order of what they visit is the order of tables' creation and of rows.
type Query struct {
	world    *World
	filter   Filter
	terms    []ComponentID // required, then optional
	required mask
	without  mask
	any      mask
	rows     *Expr // nil when every row of a matching table matches
	matches  []match
	inherit  bool      // some match has inherit
	spare    *Cursor   // reused by Each
	steps    *stepWalk // reused by Start
	key      string
}

type match struct {
	table   *Table
	cols    []*Column // beside Query.terms; nil for a component the table lacks
	inherit bool      // each row decides: the entities have a base
}

// Query returns the query of a filter. The same filter gives the same query, unless it has a Where. Error: [ErrUnknown]; a component
// listed twice as a term is an error, too.
func (w *World) Query(f Filter) (*Query, error) {
	f.Required, f.Optional, f.Without, f.Any = slices.Clone(f.Required), slices.Clone(f.Optional), slices.Clone(f.Without), slices.Clone(f.Any)
	f.Tagged, f.Untagged, f.Changed, f.Added = slices.Clone(f.Tagged), slices.Clone(f.Untagged), slices.Clone(f.Changed), slices.Clone(f.Added)
	q := &Query{world: w, filter: f, rows: f.rowTest()}
	for _, list := range [][]ComponentID{f.Required, f.Optional, f.Without, f.Any, f.Changed, f.Added} {
		if _, err := w.sortIDs("query", nil, list); err != nil {
			return nil, err
		}
	}
	if q.rows != nil {
		if err := q.rows.check(w); err != nil {
			return nil, fail("query", None, "", err)
		}
	}
	q.terms = append(append(q.terms, f.Required...), f.Optional...)
	seen := mask{}
	for _, id := range q.terms {
		if seen.has(id) {
			return nil, fail("query", None, w.components[id].name, fmt.Errorf("the component is listed twice"))
		}
		seen = seen.set(id)
	}
	if f.Where == nil {
		q.key = fmt.Sprint(f.Required, f.Optional, f.Without, f.Any, f.Tagged, f.Untagged, f.Changed, f.Added, f.Inherited)
		for _, old := range w.queries {
			if old.key == q.key {
				return old, nil
			}
		}
	}
	q.required, q.without, q.any = maskOf(f.Required), maskOf(f.Without), maskOf(f.Any)
	for _, t := range w.tables {
		q.consider(t)
	}
	w.queries = append(w.queries, q)
	return q, nil
}

// consider adds a table that matches.
func (q *Query) consider(t *Table) {
	inherit := q.inheritedMatch(t)
	if !inherit && (!t.mask.containsAll(q.required) || t.mask.intersects(q.without) || (len(q.any) > 0 && !t.mask.intersects(q.any))) {
		return
	}
	m := match{table: t, cols: make([]*Column, len(q.terms)), inherit: inherit}
	q.inherit = q.inherit || inherit
	for i, id := range q.terms {
		m.cols[i] = t.Column(id)
	}
	q.matches = append(q.matches, m)
}

// Terms returns the components a cursor's columns stand for: the required ones, then the optional ones. Do not change it.
func (q *Query) Terms() []ComponentID { return q.terms }

// Filter returns what the query was made from.
func (q *Query) Filter() Filter { return q.filter }

// Required returns how many of the terms are required.
func (q *Query) Required() int { return len(q.filter.Required) }

// Count returns how many entities match: O(tables), and O(rows / 64) or more where tags or changes are asked for.
func (q *Query) Count() int {
	n, in := 0, q.world.window()
	for i := range q.matches {
		m := &q.matches[i]
		switch {
		case !q.testsRows():
			n += m.table.Len()
		case !q.idle(m, in):
			for block := range (m.table.Len() + blockRows - 1) >> blockShift {
				n += bits.OnesCount64(q.word(m, block, in))
			}
		}
	}
	return n
}

// First returns the entity the loop would visit first, None when there is none.
func (q *Query) First() Entity {
	c := q.Begin()
	defer c.End()
	if c.First() {
		return c.Entity()
	}
	return None
}

// Tables visits every matching table that has rows, for loops over whole columns: for t := range q.Tables. Conditions on tags and
// changes are not applied. Structure is locked during the loop, however it ends.
func (q *Query) Tables(yield func(*Table) bool) {
	c := q.Begin()
	defer c.End()
	for c.NextTable() {
		if !yield(c.match.table) {
			return
		}
	}
}

// Each visits every matching entity: for e, c := range q.Each. The cursor is valid in the body only. Structure is locked during the
// loop, however it ends.
func (q *Query) Each(yield func(Entity, *Cursor) bool) {
	c := q.spare
	if c == nil {
		c = new(Cursor)
	}
	q.spare = nil
	*c = q.Begin()
	defer func() {
		c.End()
		q.spare = c
	}()
	for c.Next() {
		if !yield(c.Entity(), c) {
			return
		}
	}
}
