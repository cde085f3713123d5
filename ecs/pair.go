package ecs

import "unsafe"

// A Pair is one entity of a walk over two components, as a value that stays in registers: a [Step] that holds the two columns itself, so
// that an entity costs one load more than in a loop over two slices.
//
//	for e := ecs.StartPair(q, pos, vel); e.Ok(); e = e.Next() {
//		p, v := e.Get()
//		p.X += v.DX
//	}
//
// where pos and vel are made once by [Component.In]. Structure is locked until the walk is over; call [Pair.End] to leave it early.
type Pair[A, B any] struct {
	a, b unsafe.Pointer // row 0 of the columns
	row  int
	walk *stepWalk // nil when the walk is over
}

// StartPair opens a walk, as [Query.Start] does, over two required components of q and moves to the first entity.
func StartPair[A, B any](q *Query, a Term[A], b Term[B]) Pair[A, B] {
	return startPair(q.Start(), a, b)
}

// StartPairSince opens a walk, as [Query.StartSince] does, over two required components of q and moves to the first entity.
func StartPairSince[A, B any](q *Query, since Tick, a Term[A], b Term[B]) Pair[A, B] {
	return startPair(q.StartSince(since), a, b)
}

func startPair[A, B any](s Step, a Term[A], b Term[B]) Pair[A, B] {
	if s.Ok() {
		s.walk.pair = [2]int{a.index, b.index}
	}
	return pairAt[A, B](s)
}

// pairAt returns the first entity of a run of rows.
func pairAt[A, B any](s Step) Pair[A, B] {
	if !s.Ok() {
		return Pair[A, B]{}
	}
	w := s.walk
	w.end = s.end
	return Pair[A, B]{a: w.pairBase(0), b: w.pairBase(1), row: s.row, walk: w}
}

// pairBase returns row 0 of a column of the pair, nil when an Inherited query matches entities that only share the component.
func (w *stepWalk) pairBase(i int) unsafe.Pointer {
	if col := w.cursor.match.cols[w.pair[i]]; col != nil {
		return col.base
	}
	return nil
}

// Ok reports whether there is an entity; false at the end, where the walk is over.
func (p Pair[A, B]) Ok() bool { return p.walk != nil }

// Next moves on.
func (p Pair[A, B]) Next() Pair[A, B] {
	if p.row++; p.row < p.walk.end {
		return p
	}
	return p.nextRun()
}

func (p Pair[A, B]) nextRun() Pair[A, B] { return pairAt[A, B](p.walk.next()) }

// Get returns the values for reading and writing, valid until the next structural change. A write stamps nothing: see [Pair.StampA] and
// [Pair.StampB]. Where an Inherited query matches an entity that only shares one of them, its pointer must not be used: see
// [Component.Shared].
func (p Pair[A, B]) Get() (*A, *B) {
	return (*A)(unsafe.Add(p.a, uintptr(p.row)*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(p.b, uintptr(p.row)*unsafe.Sizeof(*new(B))))
}

// Entity returns the current entity.
func (p Pair[A, B]) Entity() Entity { return p.walk.cursor.match.table.entities[p.row] }

// StampA marks the first component of the current entity as changed now.
func (p Pair[A, B]) StampA() { p.walk.stamp(p.walk.pair[0], p.row) }

// StampB marks the second component of the current entity as changed now.
func (p Pair[A, B]) StampB() { p.walk.stamp(p.walk.pair[1], p.row) }

// End leaves the walk early. The Pair cannot be used afterwards.
func (p Pair[A, B]) End() { Step{walk: p.walk}.End() }
