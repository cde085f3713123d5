package ecs

import (
	"fmt"
	"maps"
	"slices"
)

// A query is a filter that the world has prepared: it knows the tables that match, and is offered every new table.
// The ways to walk it are in walk.go (by Go types), parallel.go (several cores), cursor.go (for hosts of scripts) and
// here (whole tables).

// A Query is a prepared filter. It keeps the matching tables and their columns and is told of every new table, so
// a walk searches nothing. It visits tables in the order of their creation, and rows in order. The world keeps its
// queries, because each new table is offered to all of them. A program that keeps making queries with new filters
// should call [Query.Release] when it is done with one.
type Query struct {
	world    *World
	filter   Filter
	terms    []ComponentID // the required components, then the optional ones
	required mask
	without  mask
	any      mask
	rows     *Expr // the condition on rows; nil if every row of a matching table matches
	matches  []match
	matched  matchSet // the same tables, by id
	inherit  bool     // at least one match has inherit set
	simple   bool     // not inherit, and not released
	key      string   // Filter.appendKey, the key in World.queriesByKey
	users    int      // calls of World.Query that returned it, minus calls of Release
}

// A match is a table that matches a query.
type match struct {
	table   *Table
	cols    []*Column // by term; nil for a component that the table lacks
	inherit bool      // rows are tested one by one, because the entities have a base
}

// Query returns the query of a filter. Equal filters give the same query; two Where conditions are equal if they
// are built alike. Errors: [ErrUnknown], and a component that is listed twice as a term.
func (w *World) Query(f Filter) (*Query, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
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
		old.another()
		return old, nil
	}
	q.users, q.simple = 1, true
	q.required, q.without, q.any = maskOf(f.Required), maskOf(f.Without), maskOf(f.Any)
	for _, t := range w.tables {
		q.consider(t)
	}
	w.queries = append(w.queries, q)
	w.queriesByKey[q.key] = q
	return q, nil
}

// Release says that the caller no longer uses the query. Once it has been called as often as [World.Query] has
// returned the query, using it panics, and the world forgets all but the few that were released last. Open walks can be
// finished. It costs O(queries).
func (q *Query) Release() {
	made(q != nil && q.world != nil, "Query", "World.Query")
	q.world.mustBeAlone()
	if q.users == 0 {
		panic("ecs: Query.Release: the query was released more often than World.Query returned it")
	}
	if q.users--; q.users > 0 {
		return
	}
	q.simple = false
	w := q.world
	w.parked = append(w.parked, q)
	if len(w.parked) > mostParked {
		w.forgetQuery(w.parked[0])
		w.parked = slices.Delete(w.parked, 0, 1)
	}
}

// mostParked is how many queries that nobody uses the world remembers: a program may make a query anew in each frame and
// release it.
const mostParked = 4

// another counts one more user of a query, which may be parked.
func (q *Query) another() {
	if q.users++; q.users == 1 {
		q.simple = !q.inherit
		q.world.parked = slices.DeleteFunc(q.world.parked, func(o *Query) bool { return o == q })
	}
}

// forgetQuery removes a query that nobody uses.
func (w *World) forgetQuery(q *Query) {
	w.queries = slices.DeleteFunc(w.queries, func(o *Query) bool { return o == q })
	delete(w.queriesByKey, q.key)
	maps.DeleteFunc(w.typedQueries, func(_ typedKey, kept keptQuery) bool { return kept.query == q })
}

// use returns the world. It panics if the query was released. Everything that opens a walk calls it.
func (q *Query) use() *World {
	made(q != nil && q.world != nil, "Query", "World.Query")
	if q.users == 0 {
		panic("ecs: the query was released; ask World.Query for it again")
	}
	return q.world
}

// consider adds a table to the matches if it matches. It is called for each table in the order of creation, so
// matches are in that order.
func (q *Query) consider(t *Table) {
	if t.prefab && !q.filter.Prefabs {
		return
	}
	if q.filter.Exclusive && slices.ContainsFunc(t.ids, func(id ComponentID) bool {
		return !slices.Contains(q.terms, id) && !slices.Contains(q.filter.Any, id)
	}) {
		return
	}
	inherit := q.inheritedMatch(t)
	if !inherit && (!t.mask.containsAll(q.required) || t.mask.intersects(q.without) || (len(q.any) > 0 && !t.mask.intersects(q.any))) {
		return
	}
	m := match{table: t, cols: make([]*Column, len(q.terms)), inherit: inherit}
	if inherit {
		q.inherit, q.simple = true, false
	}
	for i, id := range q.terms {
		m.cols[i] = t.Column(id)
	}
	q.matched.add(t.id, len(q.matches))
	q.matches = append(q.matches, m)
}

// Matches reports whether a walk that begins now visits e. It costs a search among the matching tables, and the conditions.
func (q *Query) Matches(e Entity) bool {
	w := q.use()
	if !w.Alive(e) {
		return false
	}
	sl := &w.slots.all[uint32(e)]
	m := q.matchOf(sl.table)
	return m != nil && q.meets(m, sl, w.window())
}

// meets reports whether the entity at sl, whose table is that of m, matches.
func (q *Query) meets(m *match, sl *slot, in window) bool {
	if m.inherit {
		return q.sees(sl, in)
	}
	return q.rows == nil || q.rows.row(q, sl, in)
}

// Terms returns the components of the cursor's columns: the required ones, then the optional ones. Do not change
// the slice.
func (q *Query) Terms() []ComponentID {
	made(q != nil && q.world != nil, "Query", "World.Query")
	return q.terms
}

// Filter returns the filter of the query.
func (q *Query) Filter() Filter {
	made(q != nil && q.world != nil, "Query", "World.Query")
	return q.filter
}

// Required returns how many of the terms are required.
func (q *Query) Required() int {
	made(q != nil && q.world != nil, "Query", "World.Query")
	return len(q.filter.Required)
}

// Count returns the number of matching entities. It costs O(tables), or O(rows / 64) and more if the query has
// conditions on rows.
func (q *Query) Count() int {
	q.use()
	if !q.testsRows() {
		return q.Rows()
	}
	n, in := 0, q.world.window()
	for i := q.filled(0); i < len(q.matches); i = q.filled(i + 1) {
		if m := &q.matches[i]; !q.idle(m, in) {
			n += q.countRows(m, in)
		}
	}
	return n
}

// Rows returns the number of rows of the matching tables, without regard to conditions on rows. It costs
// O(tables).
func (q *Query) Rows() int {
	made(q != nil && q.world != nil, "Query", "World.Query")
	n := 0
	for i := q.filled(0); i < len(q.matches); i = q.filled(i + 1) {
		n += q.matches[i].table.Len()
	}
	return n
}

// First returns the entity that a loop would visit first, [None] if there is none.
func (q *Query) First() Entity {
	c := q.begin()
	defer c.End()
	if c.First() {
		return c.Entity()
	}
	return None
}

// EntityAt returns the entity that a loop would visit after i others, [None] if there are not so many. It costs O(tables), or
// O(rows / 64) if the query has conditions on rows.
func (q *Query) EntityAt(i int) Entity {
	c := q.begin()
	defer c.End()
	if i >= 0 && c.Nth(i) {
		return c.Entity()
	}
	return None
}

// AppendEntities appends the matching entities to list, in the order of the query, and returns the result. Structure
// may change while the caller goes through the list.
func (q *Query) AppendEntities(list []Entity) []Entity {
	for c := q.begin(); c.Next(); {
		list = append(list, c.Entity())
	}
	return list
}

// Tables visits every matching table that has rows, for loops over whole columns: for t := range q.Tables. It does
// not test conditions on tags and changes. Structure is locked until the loop ends, in whatever way.
func (q *Query) Tables(yield func(*Table) bool) {
	c := q.begin()
	defer c.End()
	for c.NextTable() {
		if !yield(c.match.table) {
			return
		}
	}
}
