package ecs

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Query is a prepared condition. It keeps the tables that match and their columns, and is told of every new table, so using it again
// searches nothing. The order of what it visits is the order of tables' creation and of rows. A world keeps its queries, since each new table is offered to
// all of them: a program that makes queries of ever new filters gives back those it is done with by [Query.Release].
type Query struct {
	world    *World
	filter   Filter
	terms    []ComponentID // required, then optional
	required mask
	without  mask
	any      mask
	rows     *Expr // nil when every row of a matching table matches
	matches  []match
	inherit  bool        // some match has inherit
	spare    *Cursor     // reused by Each
	steps    *stepWalk   // reused by Start: those of no open walk, linked by spare
	walks    []*stepWalk // all, open or not
	key      string      // of the filter, in World.queriesByKey
	users    int         // how often World.Query returned it, less how often Release was called
}

type match struct {
	table   *Table
	cols    []*Column // beside Query.terms; nil for a component the table lacks
	inherit bool      // each row decides: the entities have a base
}

// Query returns the query of a filter: for equal filters the same one, where Where counts as equal when it is built alike. Errors: [ErrUnknown]; a component
// listed twice as a term.
func (w *World) Query(f Filter) (*Query, error) {
	w.mustBeAlone()
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
	q.key = string(f.appendKey(nil))
	if old := w.queriesByKey[q.key]; old != nil {
		old.users++
		return old, nil
	}
	q.users = 1
	q.required, q.without, q.any = maskOf(f.Required), maskOf(f.Without), maskOf(f.Any)
	for _, t := range w.tables {
		q.consider(t)
	}
	w.queries = append(w.queries, q)
	w.queriesByKey[q.key] = q
	return q, nil
}

// Release says that the caller is done with the query. When it was released as often as [World.Query] returned it, the world forgets it: it costs nothing any
// more, and using it panics. Walks that are open stay right. It costs O(queries).
func (q *Query) Release() {
	q.world.mustBeAlone()
	if q.users == 0 {
		panic("ecs: Query.Release: the query was released more often than World.Query returned it")
	}
	if q.users--; q.users > 0 {
		return
	}
	w := q.world
	w.queries = slices.DeleteFunc(w.queries, func(o *Query) bool { return o == q })
	delete(w.queriesByKey, q.key)
	for _, walk := range q.walks {
		if walk.query != nil {
			w.orphans = append(w.orphans, walk)
		}
	}
}

// use panics when the query was released. What opens a walk calls it.
func (q *Query) use() *World {
	if q.users == 0 {
		panic("ecs: the query was released; ask World.Query for it again")
	}
	return q.world
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
	q.use()
	if !q.testsRows() {
		return q.Rows()
	}
	n, in := 0, q.world.window()
	for i := range q.matches {
		if m := &q.matches[i]; !q.idle(m, in) {
			for block := range (m.table.Len() + blockRows - 1) >> blockShift {
				n += bits.OnesCount64(q.word(m, block, in))
			}
		}
	}
	return n
}

// Rows returns how many rows the matching tables have, whether or not conditions on rows hold for them: O(tables).
func (q *Query) Rows() int {
	n := 0
	for i := range q.matches {
		n += q.matches[i].table.Len()
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
