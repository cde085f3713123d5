package ecs

import (
	"reflect"
	"unsafe"
)

// A Query2 is a typed query of two components, made once with [NewQuery2] and walked as often as wanted. A type A
// stands for the component that was registered with it and says that the walk may write it; [Read][A] says that the
// walk only reads it. [Maybe][A] is an optional component. A walk visits one entity after the other,
//
//	for e := q.Start(); e.Ok(); e = e.Next() {
//		p, v := e.Get() // *Position, *ecs.Read[Velocity]
//		p.X += v.Get().X
//	}
//
// or, with NextRun instead of Next, one run after the other. A run is a range of rows of one table that all match;
// Slices returns its columns:
//
//	for e := q.Start(); e.Ok(); e = e.NextRun() {
//		p, v := e.Slices() // []Position, []ecs.Read[Velocity]
//		for i := range p {
//			p[i].X += v[i].Get().X
//		}
//	}
//
// Every entity that the walk visits counts as changed in the components that it may write, whether or not the caller
// writes: from the moment the walk leaves their run, and in any case from the end of the walk. To write few of many,
// read the component in the query and write with [Component.MutOf] or [Component.Set].
//
// Structure is locked until the walk is at its end. Call End to leave it early.
//
// The [Query] has the rest: Count, First, Release, Parallel and the cursors of components that are declared at run
// time.
type Query2[A, B any] struct {
	*Query
	typed typed
}

// NewQuery2 makes the query of the entities that have both components and satisfy all conditions of the filters.
// Further components of a filter come after those of the types. If a filter is Inherited, a walk reads values that
// entities share through [IsA], and does not visit those that only share a component which it may write. Errors:
// [ErrUnknown] for a type that was not registered in the world, [ErrMismatch] for one that was registered for several
// components, and those of [World.Query].
func NewQuery2[A, B any](w *World, filters ...Filter) (*Query2[A, B], error) {
	if known, ok := w.typedAgain(reflect.TypeFor[Query2[A, B]](), filters).(*Query2[A, B]); ok {
		return known, nil
	}
	q, t, err := w.typedQuery(filters, termOf[A](), termOf[B]())
	if err != nil {
		return nil, err
	}
	made := &Query2[A, B]{q, t}
	w.keepTyped(reflect.TypeFor[Query2[A, B]](), filters, made, q)
	return made, nil
}

// Start opens a walk and moves to its first entity. Conditions on changes select what others have done since the
// running system last ran ([World.Since]). What is visited is decided now: rows that are written or tagged during the
// walk do not change it.
func (q *Query2[A, B]) Start() Walk2[A, B] { return q.start(q.begin()) }

// StartSince opens a walk whose conditions on changes select what was done after that tick.
func (q *Query2[A, B]) StartSince(since Tick) Walk2[A, B] { return q.start(q.beginSince(since)) }

// StartTarget opens a walk over those sources of a relation's target that match, in the order in which they were
// related. Error: [ErrUnknown] if id is not a relation.
func (q *Query2[A, B]) StartTarget(id RelationID, target Entity) (Walk2[A, B], error) {
	c, err := q.beginTarget(id, target)
	if err != nil {
		return atWalk2[A, B](walkOver), err
	}
	return q.start(c), nil
}

func (q *Query2[A, B]) start(c Cursor) Walk2[A, B] {
	w := q.typed.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return atWalk2[A, B](w)
}

// A Walk2 is one entity of a walk over a [Query2], as a value that stays in registers. The zero value is of no use.
type Walk2[A, B any] struct {
	a, b unsafe.Pointer // the first row of the run in the two columns
	Visit
}

// atWalk2 returns the first entity of the current run.
func atWalk2[A, B any](w *walk) Walk2[A, B] {
	if w == walkOver {
		return Walk2[A, B]{Visit: Visit{walk: w}}
	}
	return Walk2[A, B]{a: w.bases[0], b: w.bases[1], Visit: Visit{row: uint64(w.run) << 32, walk: w}}
}

// Ok reports whether the walk is at an entity; false means that it is over.
func (e Walk2[A, B]) Ok() bool { return e.row < e.walk.end }

// Next moves to the next entity.
func (e Walk2[A, B]) Next() Walk2[A, B] {
	if e.row++; e.row < e.walk.end {
		return e
	}
	return e.nextRun()
}

func (e Walk2[A, B]) nextRun() Walk2[A, B] { return atWalk2[A, B](e.after(uint32(e.row))) }

// NextRun leaves the run and moves to the first entity of the next one. The rows of the run that
// neither Next nor Slices has visited do not count as visited.
func (e Walk2[A, B]) NextRun() Walk2[A, B] { return atWalk2[A, B](e.after(uint32(e.row) + 1)) }

// Get returns the two values, valid until the next structural change. Panics at the end of the walk, and if a copy of
// this Walk2 has moved on to another run.
func (e Walk2[A, B]) Get() (*A, *B) {
	i := uintptr(uint32(e.row))
	if e.row >= e.walk.end {
		panic(walkLeft)
	}
	return (*A)(unsafe.Add(e.a, i*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(e.b, i*unsafe.Sizeof(*new(B))))
}

// Slices returns the columns from the current entity to the end of the run, valid until the next structural change.
// All rows of the run then count as visited.
func (e Walk2[A, B]) Slices() ([]A, []B) {
	n := e.rest()
	va, vb := e.Get()
	return unsafe.Slice(va, n), unsafe.Slice(vb, n)
}
