package ecs

import (
	"reflect"
	"unsafe"
)

// A Query4 is a typed query of four types; see [Query2].
type Query4[A, B, C, D any] struct {
	*Query
	typed typed
}

// NewQuery4 makes a query of four types, as [NewQuery2] does.
func NewQuery4[A, B, C, D any](w *World, filters ...Filter) (*Query4[A, B, C, D], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query4[A, B, C, D]](), filters).(*Query4[A, B, C, D]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A](), termOf[B](), termOf[C](), termOf[D]())
	if err != nil {
		return nil, err
	}
	made := &Query4[A, B, C, D]{q, t}
	w.keepTyped(reflect.TypeFor[Query4[A, B, C, D]](), filters, made, q)
	return made, nil
}

// Start opens a walk, as [Query2.Start] does.
func (q *Query4[A, B, C, D]) Start() Walk4[A, B, C, D] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query4[A, B, C, D]) StartSince(since Tick) Walk4[A, B, C, D] {
	return q.start(q.beginSince(since))
}

// StartTarget opens a walk over the sources of a relation's target, as [Query2.StartTarget] does.
func (q *Query4[A, B, C, D]) StartTarget(id RelationID, target Entity) (Walk4[A, B, C, D], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk4[A, B, C, D](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query4[A, B, C, D]) start(c Cursor) Walk4[A, B, C, D] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk4[A, B, C, D](w)
}

// A Walk4 is one entity of a walk over a [Query4], as a value that stays in registers. The zero value is of no use.
type Walk4[A, B, C, D any] struct {
	a, b unsafe.Pointer // the first row of the run in the first two columns
	Visit
}

// atWalk4 returns the first entity of the current run.
func atWalk4[A, B, C, D any](w *walk) Walk4[A, B, C, D] {
	if w == walkOver {
		return Walk4[A, B, C, D]{Visit: Visit{walk: w}}
	}
	return Walk4[A, B, C, D]{a: w.bases[0], b: w.bases[1], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk4[A, B, C, D]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk4[A, B, C, D]) Next() Walk4[A, B, C, D] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk4[A, B, C, D]) nextRun() Walk4[A, B, C, D] {
	return atWalk4[A, B, C, D](e.after(uint32(e.row)))
}

// NextRun leaves the run and moves to the first entity of the next one.
func (e Walk4[A, B, C, D]) NextRun() Walk4[A, B, C, D] {
	return atWalk4[A, B, C, D](e.after(uint32(e.row) + 1))
}

// Get returns the values, as [Walk2.Get] does.
func (e Walk4[A, B, C, D]) Get() (*A, *B, *C, *D) {
	w, i := e.walk, uintptr(uint32(e.row))
	if e.row >= w.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(e.b, i*unsafe.Sizeof(*new(B)))),
		(*C)(unsafe.Add(w.c, i*unsafe.Sizeof(*new(C)))), (*D)(unsafe.Add(w.d, i*unsafe.Sizeof(*new(D))))
}

// Slices returns the columns from the current entity to the end of the run, as [Walk2.Slices] does.
func (e Walk4[A, B, C, D]) Slices() ([]A, []B, []C, []D) {
	n := e.rest()
	va, vb, vc, vd := e.Get()
	return unsafe.Slice(va, n), unsafe.Slice(vb, n), unsafe.Slice(vc, n), unsafe.Slice(vd, n)
}
