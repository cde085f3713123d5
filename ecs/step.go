package ecs

import (
	"fmt"
	"slices"
	"unsafe"
)

// This file is the fastest way to visit entities one at a time. A Step is a small value that the compiler keeps in
// registers; the state that the steps of a walk share is in a stepWalk, which drives a Cursor. Pair (pair.go) is
// the same for two components.

// maxTerms is the number of terms of a query that a [Step] can read.
const maxTerms = 8

// A Step is one entity of a walk, as a value that stays in registers: the fastest way to visit entities one at a
// time.
//
//	for s := q.Start(); s.Ok(); s = s.Next() {
//		p, v := pos.At(s), vel.At(s)
//		p.X += v.DX
//	}
//
// pos and vel are made once with [Component.In]. Structure is locked until the walk is over; call [Step.End] to
// leave it early.
//
// A walk is at one place only. When a copy of a Step has moved on to other rows or to the end, the Step itself can
// no longer be used: reading through it panics. A loop inside a loop needs a Start of its own.
type Step struct {
	walk     *stepWalk // nil at the end
	row, end uint64    // rows of the current run; the upper half is the number of the run
}

// A stepWalk is the state that the steps of one walk share. The query keeps it for its next walk.
//
// A walk proceeds in runs. A run is a range of rows of one table that are all visited; it is a single row if rows
// are tested. Runs are numbered downwards, from run to run and from walk to walk, and the number is the upper half
// of a Step's row and of end. So the single comparison row < end distinguishes a Step of the current run from
// those of earlier runs.
type stepWalk struct {
	end    uint64                   // end of the current run, with its number; 0 when the walk is over
	query  *Query                   // nil when the walk is over
	bases  [maxTerms]unsafe.Pointer // row 0 of the column of each term, see baseAt
	pair   [2]int                   // the terms of a Pair
	cursor Cursor
	based  *match    // the match whose columns are in bases
	run    uint32    // number of the current run; before the first run, the number before it
	first  uint32    // the number before the first run of this walk
	spare  *stepWalk // the next one in Query.steps
}

// firstRun is the number before the first run of a new stepWalk.
const firstRun = 1<<32 - 1

// Start opens a walk, as [Query.Begin] does, and moves to the first entity.
func (q *Query) Start() Step { return q.start(q.Begin()) }

// StartSince opens a walk, as [Query.BeginSince] does, and moves to the first entity.
func (q *Query) StartSince(since Tick) Step { return q.start(q.BeginSince(since)) }

func (q *Query) start(c Cursor) Step { return q.stepWalk(c).next() }

// stepWalk returns a walk for a cursor that has just begun: one that is not in use, or a new one. One with too few
// numbers left for another walk is replaced.
func (q *Query) stepWalk(c Cursor) *stepWalk {
	w := q.steps
	if w == nil {
		w = &stepWalk{run: firstRun}
		q.walks = append(q.walks, w)
	} else {
		q.steps = w.spare
	}
	if uint64(w.run) <= uint64(len(q.world.slots.all)+len(q.world.tables)) { // the numbers might not suffice for another walk
		at := slices.Index(q.walks, w)
		w = &stepWalk{run: firstRun}
		q.walks[at] = w
	}
	w.query, w.cursor, w.based, w.first = q, c, nil, w.run
	return w
}

// Ok reports whether the Step is at an entity; false means that the walk is over.
func (s Step) Ok() bool { return s.row < s.end }

// Next returns the Step at the next entity.
func (s Step) Next() Step {
	if s.row++; s.row < s.end {
		return s
	}
	return s.walk.after(s.row)
}

// Entity returns the current entity.
func (s Step) Entity() Entity {
	if s.row >= s.walk.end {
		panic(walkLeft)
	}
	return s.walk.cursor.match.table.entities[uint32(s.row)]
}

// End leaves the walk early. If the walk is over already, it does nothing, even if the query is being walked again
// by then.
func (s Step) End() {
	if s.walk != nil {
		s.walk.leave(s.row)
	}
}

// leave ends the walk if the Step at row belongs to it.
func (w *stepWalk) leave(row uint64) {
	if n := uint32(row >> 32); w.query != nil && w.run <= n && n < w.first {
		w.cursor.End()
		w.over()
	}
}

// over marks the walk as over and gives it to the query for the next walk. Its cursor has ended.
func (w *stepWalk) over() {
	q := w.query
	w.spare, q.steps = q.steps, w
	w.end, w.query = 0, nil
	if q.users == 0 { // the query was released meanwhile
		q.world.orphans = slices.DeleteFunc(q.world.orphans, func(o *stepWalk) bool { return o == w })
	}
}

// after is the cold path of Step.Next, at the end of a run. row is the Step's row after its last. It panics if the
// walk is over or has moved on without this Step.
func (w *stepWalk) after(row uint64) Step {
	if w == nil {
		return Step{} // Next of a Step at the end
	}
	if w.query == nil || uint32(row>>32) != w.run {
		panic(walkLeft)
	}
	return w.next()
}

// next moves to the next run and returns the Step at its first row. It loads the addresses of the columns if the
// table is another one.
func (w *stepWalk) next() Step {
	c := &w.cursor
	if !c.advance() {
		w.over()
		return Step{}
	}
	if c.match != w.based || c.match.inherit {
		w.based = c.match
		for i := range min(len(c.match.cols), maxTerms) {
			w.bases[i] = c.baseAt(i)
		}
	}
	if c.query.world.journal != nil {
		c.beforeRun(c.row, max(c.end, c.row+1))
	}
	w.run--
	number := uint64(w.run) << 32
	w.end = number | uint64(max(c.end, c.row+1))
	return Step{walk: w, row: number | uint64(c.row), end: w.end}
}

// baseAt returns row 0 of the column of a term. If the table lacks the column (in a run of one row of an Inherited
// query), it returns an address as far below 0 as the row is above row 0: the address of the row is then 0, and an
// access panics, without a branch in the loop. On 32-bit machines such an address could point into the heap, which
// would confuse the garbage collector; so it is nil there, and the loop has a branch.
func (c *Cursor) baseAt(term int) unsafe.Pointer {
	if col := c.match.cols[term]; col != nil {
		return col.base
	}
	if pointerSize == 4 {
		return nil
	}
	return unsafe.Add(nil, -c.row*int(c.query.world.components[c.query.terms[term]].schema.size))
}

// A Term is a typed component at its place among the terms of a query. It can be used in walks over that query
// only; in others its methods panic.
type Term[T any] struct {
	query  *Query
	index  int
	offset uintptr // offset of its base in stepWalk, so that a load needs no bounds check
}

// In returns the component as a Term of q. Error: [ErrNoComponent] if it is not among the first eight required
// components of q, or q belongs to another world.
func (c Component[T]) In(q *Query) (Term[T], error) {
	if q.world != c.world {
		return Term[T]{}, fail("query", None, c.info.name, fmt.Errorf("%w: the query is of another world", ErrNoComponent))
	}
	for i, id := range q.filter.Required {
		if id == c.info.id && i < maxTerms {
			return Term[T]{query: q, index: i, offset: unsafe.Offsetof(stepWalk{}.bases) + uintptr(i)*unsafe.Sizeof(unsafe.Pointer(nil))}, nil
		}
	}
	return Term[T]{}, fail("query", None, c.info.name, fmt.Errorf("%w: it is not among the first %d required components", ErrNoComponent, maxTerms))
}

// Slice is [Component.Slice] for the current table of a walk with [Cursor.NextTable], without a look-up.
func (t Term[T]) Slice(c *Cursor) []T {
	if c.query != t.query || c.hold.world == nil {
		panic(termForeign)
	}
	if c.hold.world.journal != nil {
		c.match.cols[t.index].tell(0, len(c.match.table.entities))
	}
	return unsafe.Slice((*T)(c.match.cols[t.index].base), len(c.match.table.entities))
}

// At returns the value for reading and writing, valid until the next structural change. A write stamps nothing:
// call [Term.Stamp]. If an Inherited query matches an entity that only shares the component, the pointer must not
// be used (that panics): see [Component.Shared].
func (t Term[T]) At(s Step) *T {
	w := s.walk
	if w.query != t.query {
		panic(termForeign)
	}
	if s.row >= w.end {
		panic(walkLeft)
	}
	base := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(w), t.offset))
	if pointerSize == 4 && base == nil {
		return nil // see baseAt
	}
	return (*T)(unsafe.Add(base, uintptr(uint32(s.row))*unsafe.Sizeof(*new(T))))
}

// Stamp marks the current row as changed now.
func (t Term[T]) Stamp(s Step) {
	if s.walk.query != t.query {
		panic(termForeign)
	}
	s.walk.stamp(t.index, s.row)
}

// stamp marks a row of a term's column as changed now, if the table has the column.
func (w *stepWalk) stamp(term int, row uint64) {
	if row >= w.end {
		panic(walkLeft)
	}
	if col := w.cursor.match.cols[term]; col != nil {
		col.stampChanged(int(uint32(row)), w.query.world.now)
	}
}
