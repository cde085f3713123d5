package ecs

import (
	"fmt"
	"unsafe"
)

// maxTerms is how many terms of a query a [Step] can read.
const maxTerms = 8

// A Step is one entity of a walk, as a value that stays in registers: the fastest way to visit entities one at a time.
//
//	c := q.Begin()
//	defer c.End()
//	for s := c.Start(); s.Ok(); s = s.Next() {
//		p, v := pos.At(s), vel.At(s)
//		p.X += v.DX
//	}
//
// where pos and vel are made once by [Component.In]. Do not mix it with [Cursor.Next] in one walk.
type Step struct {
	cursor   *Cursor
	row, end int
}

// Start moves to the first entity of the walk.
func (c *Cursor) Start() Step { return c.step() }

// Ok reports whether there is an entity; false at the end, where the cursor has ended itself.
func (s Step) Ok() bool { return s.row < s.end }

// Next moves on.
func (s Step) Next() Step {
	if s.row++; s.row < s.end {
		return s
	}
	return s.cursor.step()
}

// Entity returns the current entity.
func (s Step) Entity() Entity { return s.cursor.match.table.entities[s.row] }

// step finds the next run of rows that need no look at a condition: a table, or one row.
func (c *Cursor) step() Step {
	if !c.advance() {
		return Step{}
	}
	if c.match != c.based {
		c.based = c.match
		for i, col := range c.match.cols[:min(len(c.match.cols), maxTerms)] {
			c.bases[i] = nil
			if col != nil {
				c.bases[i] = col.base
			}
		}
	}
	return Step{cursor: c, row: c.row, end: max(c.end, c.row+1)}
}

// A Term is a component seen as the Go type T at its place in a query.
type Term[T any] struct {
	index  int
	offset uintptr // of its base in Cursor: one load in the loop, no bounds check
}

// In returns the component's place among the required terms of q. Errors: [ErrNoComponent] when q does not require it, or not among its
// first eight terms.
func (c Component[T]) In(q *Query) (Term[T], error) {
	for i, id := range q.filter.Required {
		if id == c.info.id && i < maxTerms {
			return Term[T]{index: i, offset: unsafe.Offsetof(Cursor{}.bases) + uintptr(i)*unsafe.Sizeof(unsafe.Pointer(nil))}, nil
		}
	}
	return Term[T]{}, fail("query", None, c.info.name, fmt.Errorf("%w: it is not among the first %d required components", ErrNoComponent, maxTerms))
}

// At returns the value for reading and writing; a write stamps nothing, see [Term.Stamp].
func (t Term[T]) At(s Step) *T {
	base := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(s.cursor), t.offset))
	return (*T)(unsafe.Add(base, uintptr(s.row)*unsafe.Sizeof(*new(T))))
}

// Stamp marks the current row as changed now.
func (t Term[T]) Stamp(s Step) {
	s.cursor.match.cols[t.index].stampChanged(s.row, s.cursor.query.world.now)
}
