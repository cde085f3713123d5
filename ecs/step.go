package ecs

import (
	"fmt"
	"slices"
	"unsafe"
)

// maxTerms is how many terms of a query a [Step] can read.
const maxTerms = 8

// A Step is one entity of a walk, as a value that stays in registers: the fastest way to visit entities one at a time.
//
//	for s := q.Start(); s.Ok(); s = s.Next() {
//		p, v := pos.At(s), vel.At(s)
//		p.X += v.DX
//	}
//
// where pos and vel are made once by [Component.In]. Structure is locked until the walk is over; call [Step.End] to leave it early.
//
// A walk is at one place: once a copy of a Step has moved on to other rows or to the end, the Step itself is used up, and its values panic.
// A loop inside a loop needs a Start of its own.
type Step struct {
	walk     *stepWalk // nil at the end
	row, end uint64    // rows of the current run, with the run's number in the upper half
}

// stepWalk is what the steps of one walk share. Its query keeps it for the next walk.
//
// A walk goes in runs: rows of one table, or one row, that need no look at a condition. Each run has a number, which goes down from run to
// run and from walk to walk and stands in the upper half of a Step's row and of end. So one comparison, row < end, tells a Step of the
// current run from all that were left behind.
type stepWalk struct {
	end    uint64 // of the current run; 0 when the walk is over
	query  *Query // nil when the walk is over
	bases  [maxTerms]unsafe.Pointer
	pair   [2]int // the places of a Pair's terms
	cursor Cursor
	based  *match // whose columns bases holds
	run    uint32 // number of the current run, or of the one before the first
	first  uint32 // number before the first run of this walk
	spare  *stepWalk
}

// firstRun is the number before the first run of a new stepWalk.
const firstRun = 1<<32 - 1

// Start opens a walk, as [Query.Begin] does, and moves to the first entity.
func (q *Query) Start() Step { return q.start(q.Begin()) }

// StartSince opens a walk, as [Query.BeginSince] does, and moves to the first entity.
func (q *Query) StartSince(since Tick) Step { return q.start(q.BeginSince(since)) }

func (q *Query) start(c Cursor) Step { return q.stepWalk(c).next() }

// stepWalk returns the walk of a cursor that was just begun.
func (q *Query) stepWalk(c Cursor) *stepWalk {
	w := q.steps
	if w == nil {
		w = &stepWalk{run: firstRun}
		q.walks = append(q.walks, w)
	} else {
		q.steps = w.spare
	}
	if uint64(w.run) <= uint64(len(q.world.slots.all)+len(q.world.tables)) { // there may not be enough numbers for another walk
		at := slices.Index(q.walks, w)
		w = &stepWalk{run: firstRun}
		q.walks[at] = w
	}
	w.query, w.cursor, w.based, w.first = q, c, nil, w.run
	return w
}

// Ok reports whether there is an entity; false at the end, where the walk is over.
func (s Step) Ok() bool { return s.row < s.end }

// Next moves on.
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

// End leaves the walk early. It does nothing when the walk is over already, also when its query is walked again by then.
func (s Step) End() {
	if s.walk != nil {
		s.walk.leave(s.row)
	}
}

// leave closes the walk of the Step at row.
func (w *stepWalk) leave(row uint64) {
	if n := uint32(row >> 32); w.query != nil && w.run <= n && n < w.first {
		w.cursor.End()
		w.over()
	}
}

// over marks the walk as over, once its cursor has ended, and keeps it for the next.
func (w *stepWalk) over() {
	q := w.query
	w.spare, q.steps = q.steps, w
	w.end, w.query = 0, nil
	if q.users == 0 { // it was released meanwhile
		q.world.orphans = slices.DeleteFunc(q.world.orphans, func(o *stepWalk) bool { return o == w })
	}
}

// after is next for the Step that has reached the end of its run; row is behind its last.
func (w *stepWalk) after(row uint64) Step {
	if w == nil {
		return Step{} // Next of a Step at the end
	}
	if w.query == nil || uint32(row>>32) != w.run {
		panic(walkLeft)
	}
	return w.next()
}

// next moves to the next run.
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

// baseAt returns row 0 of a term's column. Where the table lacks it, in a run of one row of an Inherited query, it is as far below address 0
// as the row is from row 0: then the address of the row is 0, without a branch in the loop. With 32 bits such an address might be one of the
// heap, which the collector would not like, so there is a branch.
func (c *Cursor) baseAt(term int) unsafe.Pointer {
	if col := c.match.cols[term]; col != nil {
		return col.base
	}
	if pointerSize == 4 {
		return nil
	}
	return unsafe.Add(nil, -c.row*int(c.query.world.components[c.query.terms[term]].schema.size))
}

// A Term is a component seen as the Go type T at its place in a query. It is for walks over that query; in others its values panic.
type Term[T any] struct {
	query  *Query
	index  int
	offset uintptr // of its base in stepWalk: one load in the loop, no bounds check
}

// In returns the component's place among the required terms of q. Errors: [ErrNoComponent] when q does not require it, or not among its
// first eight terms, or is a query of another world.
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

// Slice returns the component's column in the current table of a walk by [Cursor.NextTable], without a lookup; as [Component.Slice] otherwise.
func (t Term[T]) Slice(c *Cursor) []T {
	if c.query != t.query || c.hold.world == nil {
		panic(termForeign)
	}
	if c.hold.world.journal != nil {
		c.match.cols[t.index].tell(0, len(c.match.table.entities))
	}
	return unsafe.Slice((*T)(c.match.cols[t.index].base), len(c.match.table.entities))
}

// At returns the value for reading and writing. A write stamps nothing, see [Term.Stamp]. Where an Inherited query matches an entity that
// only shares the component, the pointer must not be used (it panics): see [Component.Shared].
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

// stamp marks a row of a term's column, if the table has it.
func (w *stepWalk) stamp(term int, row uint64) {
	if row >= w.end {
		panic(walkLeft)
	}
	if col := w.cursor.match.cols[term]; col != nil {
		col.stampChanged(int(uint32(row)), w.query.world.now)
	}
}
