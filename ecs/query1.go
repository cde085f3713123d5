package ecs

import (
	"reflect"
	"unsafe"
)

// A Query1 is a typed query of one type; see [Query2].
type Query1[A any] struct {
	*Query
	typed typed
}

// NewQuery1 makes a query of one type, as [NewQuery2] does.
func NewQuery1[A any](w *World, filters ...Filter) (*Query1[A], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query1[A]](), filters).(*Query1[A]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A]())
	if err != nil {
		return nil, err
	}
	made := &Query1[A]{q, t}
	w.keepTyped(reflect.TypeFor[Query1[A]](), filters, made, q)
	return made, nil
}

// Start opens a walk, as [Query2.Start] does.
func (q *Query1[A]) Start() Walk1[A] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query1[A]) StartSince(since Tick) Walk1[A] { return q.start(q.beginSince(since)) }

// StartTarget opens a walk over the sources of a relation's target, as [Query2.StartTarget] does.
func (q *Query1[A]) StartTarget(id RelationID, target Entity) (Walk1[A], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk1[A](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query1[A]) start(c Cursor) Walk1[A] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk1[A](w)
}

// A Walk1 is one entity of a walk over a [Query1], as a value that stays in registers. The zero value is of no use.
type Walk1[A any] struct {
	a unsafe.Pointer // the first row of the run in its column
	Visit
}

// atWalk1 returns the first entity of the current run.
func atWalk1[A any](w *walk) Walk1[A] {
	if w == walkOver {
		return Walk1[A]{Visit: Visit{walk: w}}
	}
	return Walk1[A]{a: w.bases[0], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk1[A]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk1[A]) Next() Walk1[A] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk1[A]) nextRun() Walk1[A] { return atWalk1[A](e.after(uint32(e.row))) }

// NextRun leaves the run and moves to the first entity of the next one.
func (e Walk1[A]) NextRun() Walk1[A] { return atWalk1[A](e.after(uint32(e.row) + 1)) }

// Get returns the value, as [Walk2.Get] does.
func (e Walk1[A]) Get() *A {
	i := uintptr(uint32(e.row))
	if e.row >= e.walk.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A))))
}

// Slices returns the column from the current entity to the end of the run, as [Walk2.Slices] does.
func (e Walk1[A]) Slices() []A {
	n := e.rest()
	va := e.Get()
	return unsafe.Slice(va, n)
}
