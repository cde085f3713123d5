package ecs

import (
	"reflect"
	"unsafe"
)

// A Query5 is a typed query of five types; see [Query2].
type Query5[A, B, C, D, E any] struct {
	*Query
	typed typed
}

// NewQuery5 makes a query of five types, as [NewQuery2] does.
func NewQuery5[A, B, C, D, E any](w *World, filters ...Filter) (*Query5[A, B, C, D, E], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query5[A, B, C, D, E]](), filters).(*Query5[A, B, C, D, E]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A](), termOf[B](), termOf[C](), termOf[D](), termOf[E]())
	if err != nil {
		return nil, err
	}
	made := &Query5[A, B, C, D, E]{q, t}
	w.keepTyped(reflect.TypeFor[Query5[A, B, C, D, E]](), filters, made, q)
	return made, nil
}

// Start opens a walk, as [Query2.Start] does.
func (q *Query5[A, B, C, D, E]) Start() Walk5[A, B, C, D, E] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query5[A, B, C, D, E]) StartSince(since Tick) Walk5[A, B, C, D, E] {
	return q.start(q.beginSince(since))
}

// StartTarget opens a walk over the sources of a relation's target, as [Query2.StartTarget] does.
func (q *Query5[A, B, C, D, E]) StartTarget(id RelationID, target Entity) (Walk5[A, B, C, D, E], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk5[A, B, C, D, E](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query5[A, B, C, D, E]) start(c Cursor) Walk5[A, B, C, D, E] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk5[A, B, C, D, E](w)
}

// A Walk5 is one entity of a walk over a [Query5], as a value that stays in registers. The zero value is of no use.
type Walk5[A, B, C, D, E any] struct {
	a, b unsafe.Pointer // the first row of the run in the first two columns
	Visit
}

// atWalk5 returns the first entity of the current run.
func atWalk5[A, B, C, D, E any](w *walk) Walk5[A, B, C, D, E] {
	if w == walkOver {
		return Walk5[A, B, C, D, E]{Visit: Visit{walk: w}}
	}
	return Walk5[A, B, C, D, E]{a: w.bases[0], b: w.bases[1], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk5[A, B, C, D, E]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk5[A, B, C, D, E]) Next() Walk5[A, B, C, D, E] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk5[A, B, C, D, E]) nextRun() Walk5[A, B, C, D, E] {
	return atWalk5[A, B, C, D, E](e.after(uint32(e.row)))
}

// NextRun leaves the run and moves to the first entity of the next one.
func (e Walk5[A, B, C, D, E]) NextRun() Walk5[A, B, C, D, E] {
	return atWalk5[A, B, C, D, E](e.after(uint32(e.row) + 1))
}

// Get returns the values, as [Walk2.Get] does.
func (e Walk5[A, B, C, D, E]) Get() (*A, *B, *C, *D, *E) {
	w, i := e.walk, uintptr(uint32(e.row))
	if e.row >= w.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(e.b, i*unsafe.Sizeof(*new(B)))),
		(*C)(unsafe.Add(w.c, i*unsafe.Sizeof(*new(C)))), (*D)(unsafe.Add(w.d, i*unsafe.Sizeof(*new(D)))),
		(*E)(unsafe.Add(w.e, i*unsafe.Sizeof(*new(E))))
}

// Slices returns the columns from the current entity to the end of the run, as [Walk2.Slices] does.
func (e Walk5[A, B, C, D, E]) Slices() ([]A, []B, []C, []D, []E) {
	n := e.rest()
	va, vb, vc, vd, ve := e.Get()
	return unsafe.Slice(va, n), unsafe.Slice(vb, n), unsafe.Slice(vc, n), unsafe.Slice(vd, n), unsafe.Slice(ve, n)
}
