package ecs

import (
	"fmt"
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
type Step struct {
	walk     *stepWalk
	row, end int
}

// stepWalk is what the steps of one walk share. Its query keeps one for the next walk.
type stepWalk struct {
	end    int    // of the run of rows, of a Pair; in front, where reading it is a short instruction
	pair   [2]int // the places of its terms
	cursor Cursor
	based  *match // whose columns bases holds
	bases  [maxTerms]unsafe.Pointer
}

// Start opens a walk, as [Query.Begin] does, and moves to the first entity.
func (q *Query) Start() Step { return q.start(q.Begin()) }

// StartSince opens a walk, as [Query.BeginSince] does, and moves to the first entity.
func (q *Query) StartSince(since Tick) Step { return q.start(q.BeginSince(since)) }

func (q *Query) start(c Cursor) Step {
	walk := q.steps
	if walk == nil {
		walk = new(stepWalk)
	}
	q.steps = nil
	walk.cursor, walk.based = c, nil
	return walk.next()
}

// Ok reports whether there is an entity; false at the end, where the walk is over.
func (s Step) Ok() bool { return s.row < s.end }

// Next moves on.
func (s Step) Next() Step {
	if s.row++; s.row < s.end {
		return s
	}
	return s.walk.next()
}

// Entity returns the current entity.
func (s Step) Entity() Entity { return s.walk.cursor.match.table.entities[s.row] }

// End leaves the walk early. The Step cannot be used afterwards.
func (s Step) End() {
	q := s.walk.cursor.query
	s.walk.cursor.End()
	if q != nil {
		q.steps = s.walk
	}
}

// next finds the next run of rows that need no look at a condition: a table, or one row.
func (w *stepWalk) next() Step {
	c, q := &w.cursor, w.cursor.query
	if !c.advance() {
		if q != nil {
			q.steps = w
		}
		return Step{}
	}
	if c.match != w.based {
		w.based = c.match
		for i, col := range c.match.cols[:min(len(c.match.cols), maxTerms)] {
			w.bases[i] = nil
			if col != nil {
				w.bases[i] = col.base
			}
		}
	}
	return Step{walk: w, row: c.row, end: max(c.end, c.row+1)}
}

// A Term is a component seen as the Go type T at its place in a query.
type Term[T any] struct {
	index  int
	offset uintptr // of its base in stepWalk: one load in the loop, no bounds check
}

// In returns the component's place among the required terms of q. Errors: [ErrNoComponent] when q does not require it, or not among its
// first eight terms.
func (c Component[T]) In(q *Query) (Term[T], error) {
	for i, id := range q.filter.Required {
		if id == c.info.id && i < maxTerms {
			return Term[T]{index: i, offset: unsafe.Offsetof(stepWalk{}.bases) + uintptr(i)*unsafe.Sizeof(unsafe.Pointer(nil))}, nil
		}
	}
	return Term[T]{}, fail("query", None, c.info.name, fmt.Errorf("%w: it is not among the first %d required components", ErrNoComponent, maxTerms))
}

// Slice returns the component's column in the current table of a walk by [Cursor.NextTable], without a lookup; as [Component.Slice] otherwise.
func (t Term[T]) Slice(c *Cursor) []T {
	return unsafe.Slice((*T)(c.match.cols[t.index].base), len(c.match.table.entities))
}

// At returns the value for reading and writing; a write stamps nothing, see [Term.Stamp].
func (t Term[T]) At(s Step) *T {
	base := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(s.walk), t.offset))
	return (*T)(unsafe.Add(base, uintptr(s.row)*unsafe.Sizeof(*new(T))))
}

// Stamp marks the current row as changed now.
func (t Term[T]) Stamp(s Step) { s.walk.stamp(t.index, s.row) }

// stamp marks a row of a term's column.
func (w *stepWalk) stamp(term, row int) {
	w.cursor.match.cols[term].stampChanged(row, w.cursor.query.world.now)
}
