package ecs

import (
	"reflect"
	"unsafe"
)

// A Query6 is a typed query of six types; see [Query2].
type Query6[A, B, C, D, E, F any] struct {
	*Query
	typed typed
}

// NewQuery6 makes a query of six types, as [NewQuery2] does.
func NewQuery6[A, B, C, D, E, F any](w *World, filters ...Filter) (*Query6[A, B, C, D, E, F], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query6[A, B, C, D, E, F]](), filters).(*Query6[A, B, C, D, E, F]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A](), termOf[B](), termOf[C](), termOf[D](), termOf[E](), termOf[F]())
	if err != nil {
		return nil, err
	}
	made := &Query6[A, B, C, D, E, F]{q, t}
	w.keepTyped(reflect.TypeFor[Query6[A, B, C, D, E, F]](), filters, made, q)
	return made, nil
}

// Start opens a walk, as [Query2.Start] does.
func (q *Query6[A, B, C, D, E, F]) Start() Walk6[A, B, C, D, E, F] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query6[A, B, C, D, E, F]) StartSince(since Tick) Walk6[A, B, C, D, E, F] {
	return q.start(q.beginSince(since))
}

// StartTarget opens a walk over the sources of a relation's target, as [Query2.StartTarget] does.
func (q *Query6[A, B, C, D, E, F]) StartTarget(id RelationID, target Entity) (Walk6[A, B, C, D, E, F], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk6[A, B, C, D, E, F](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query6[A, B, C, D, E, F]) start(c Cursor) Walk6[A, B, C, D, E, F] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk6[A, B, C, D, E, F](w)
}

// A Walk6 is one entity of a walk over a [Query6], as a value that stays in registers. The zero value is of no use.
type Walk6[A, B, C, D, E, F any] struct {
	a, b unsafe.Pointer // the first row of the run in the first two columns
	Visit
}

// atWalk6 returns the first entity of the current run.
func atWalk6[A, B, C, D, E, F any](w *walk) Walk6[A, B, C, D, E, F] {
	if w == walkOver {
		return Walk6[A, B, C, D, E, F]{Visit: Visit{walk: w}}
	}
	return Walk6[A, B, C, D, E, F]{a: w.bases[0], b: w.bases[1], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk6[A, B, C, D, E, F]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk6[A, B, C, D, E, F]) Next() Walk6[A, B, C, D, E, F] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk6[A, B, C, D, E, F]) nextRun() Walk6[A, B, C, D, E, F] {
	return atWalk6[A, B, C, D, E, F](e.after(uint32(e.row)))
}

// NextRun leaves the run and moves to the first entity of the next one.
func (e Walk6[A, B, C, D, E, F]) NextRun() Walk6[A, B, C, D, E, F] {
	return atWalk6[A, B, C, D, E, F](e.after(uint32(e.row) + 1))
}

// Get returns the values, as [Walk2.Get] does.
func (e Walk6[A, B, C, D, E, F]) Get() (*A, *B, *C, *D, *E, *F) {
	w, i := e.walk, uintptr(uint32(e.row))
	if e.row >= w.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(e.b, i*unsafe.Sizeof(*new(B)))),
		(*C)(unsafe.Add(w.c, i*unsafe.Sizeof(*new(C)))), (*D)(unsafe.Add(w.d, i*unsafe.Sizeof(*new(D)))),
		(*E)(unsafe.Add(w.e, i*unsafe.Sizeof(*new(E)))), (*F)(unsafe.Add(w.f, i*unsafe.Sizeof(*new(F))))
}

// Slices returns the columns from the current entity to the end of the run, as [Walk2.Slices] does.
func (e Walk6[A, B, C, D, E, F]) Slices() ([]A, []B, []C, []D, []E, []F) {
	n := e.rest()
	va, vb, vc, vd, ve, vf := e.Get()
	return unsafe.Slice(va, n), unsafe.Slice(vb, n), unsafe.Slice(vc, n), unsafe.Slice(vd, n), unsafe.Slice(ve, n), unsafe.Slice(vf, n)
}
