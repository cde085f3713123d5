package ecs

import (
	"reflect"
	"unsafe"
)

// A Query3 is a typed query of three types; see [Query2].
type Query3[A, B, C any] struct {
	*Query
	typed typed
}

// NewQuery3 makes a query of three types, as [NewQuery2] does.
func NewQuery3[A, B, C any](w *World, filters ...Filter) (*Query3[A, B, C], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query3[A, B, C]](), filters).(*Query3[A, B, C]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A](), termOf[B](), termOf[C]())
	if err != nil {
		return nil, err
	}
	made := &Query3[A, B, C]{q, t}
	w.keepTyped(reflect.TypeFor[Query3[A, B, C]](), filters, made, q)
	return made, nil
}

// Start opens a walk, as [Query2.Start] does.
func (q *Query3[A, B, C]) Start() Walk3[A, B, C] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query3[A, B, C]) StartSince(since Tick) Walk3[A, B, C] { return q.start(q.beginSince(since)) }

// StartTarget opens a walk over the sources of a relation's target, as [Query2.StartTarget] does.
func (q *Query3[A, B, C]) StartTarget(id RelationID, target Entity) (Walk3[A, B, C], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk3[A, B, C](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query3[A, B, C]) start(c Cursor) Walk3[A, B, C] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk3[A, B, C](w)
}

// A Walk3 is one entity of a walk over a [Query3], as a value that stays in registers. The zero value is of no use.
type Walk3[A, B, C any] struct {
	a, b unsafe.Pointer // the first row of the run in the first two columns
	Visit
}

// atWalk3 returns the first entity of the current run.
func atWalk3[A, B, C any](w *walk) Walk3[A, B, C] {
	if w == walkOver {
		return Walk3[A, B, C]{Visit: Visit{walk: w}}
	}
	return Walk3[A, B, C]{a: w.bases[0], b: w.bases[1], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk3[A, B, C]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk3[A, B, C]) Next() Walk3[A, B, C] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk3[A, B, C]) nextRun() Walk3[A, B, C] { return atWalk3[A, B, C](e.after(uint32(e.row))) }

// NextRun leaves the run and moves to the first entity of the next one.
func (e Walk3[A, B, C]) NextRun() Walk3[A, B, C] { return atWalk3[A, B, C](e.after(uint32(e.row) + 1)) }

// Get returns the values, as [Walk2.Get] does.
func (e Walk3[A, B, C]) Get() (*A, *B, *C) {
	w, i := e.walk, uintptr(uint32(e.row))
	if e.row >= w.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(e.b, i*unsafe.Sizeof(*new(B)))),
		(*C)(unsafe.Add(w.c, i*unsafe.Sizeof(*new(C))))
}

// Slices returns the columns from the current entity to the end of the run, as [Walk2.Slices] does.
func (e Walk3[A, B, C]) Slices() ([]A, []B, []C) {
	n := e.rest()
	va, vb, vc := e.Get()
	return unsafe.Slice(va, n), unsafe.Slice(vb, n), unsafe.Slice(vc, n)
}
