package ecs

import "unsafe"

// A Pair is one entity of a walk over two components, as a value that stays in registers. It is a [Step] that
// holds the two columns itself, so that an entity costs only one load more than in a loop over two slices.
//
//	for e := ecs.StartPair(q, pos, vel); e.Ok(); e = e.Next() {
//		p, v := e.Get()
//		p.X += v.DX
//	}
//
// pos and vel are made once with [Component.In]. Structure is locked until the walk is over; call [Pair.End] to
// leave it early. As for a Step, a copy that was left behind panics.
type Pair[A, B any] struct {
	a, b unsafe.Pointer // row 0 of the two columns, see baseAt
	row  uint64         // as in a Step: run number and row
	walk *stepWalk      // nil at the end
}

// StartPair opens a walk as [Query.Start] does, over two required components of q, and moves to the first entity.
// Panics if a or b is a Term of another query.
func StartPair[A, B any](q *Query, a Term[A], b Term[B]) Pair[A, B] {
	return startPair(q, q.Begin(), a, b)
}

// StartPairSince opens a walk as [Query.StartSince] does, over two required components of q, and moves to the
// first entity.
func StartPairSince[A, B any](q *Query, since Tick, a Term[A], b Term[B]) Pair[A, B] {
	return startPair(q, q.BeginSince(since), a, b)
}

func startPair[A, B any](q *Query, c Cursor, a Term[A], b Term[B]) Pair[A, B] {
	if a.query != q || b.query != q {
		c.End()
		panic(termForeign)
	}
	w := q.stepWalk(c)
	w.pair = [2]int{a.index, b.index}
	return pairAt[A, B](w.next())
}

// pairAt returns the Pair at the first row of a run.
func pairAt[A, B any](s Step) Pair[A, B] {
	if !s.Ok() {
		return Pair[A, B]{}
	}
	w := s.walk
	return Pair[A, B]{a: w.cursor.baseAt(w.pair[0]), b: w.cursor.baseAt(w.pair[1]), row: s.row, walk: w}
}

// Ok reports whether the Pair is at an entity; false means that the walk is over.
func (p Pair[A, B]) Ok() bool { return p.walk != nil }

// Next returns the Pair at the next entity.
func (p Pair[A, B]) Next() Pair[A, B] {
	if p.row++; p.row < p.walk.end {
		return p
	}
	return p.nextRun()
}

func (p Pair[A, B]) nextRun() Pair[A, B] { return pairAt[A, B](p.walk.after(p.row)) }

// Get returns the two values for reading and writing, valid until the next structural change. A write stamps
// nothing: call [Pair.StampA] or [Pair.StampB]. If an Inherited query matches an entity that only shares a
// component, its pointer must not be used (that panics): see [Component.Shared].
func (p Pair[A, B]) Get() (*A, *B) {
	if p.row >= p.walk.end {
		panic(walkLeft)
	}
	if pointerSize == 4 && (p.a == nil || p.b == nil) {
		return (*A)(rowAt(p.a, p.row, unsafe.Sizeof(*new(A)))), (*B)(rowAt(p.b, p.row, unsafe.Sizeof(*new(B))))
	}
	return (*A)(unsafe.Add(p.a, uintptr(uint32(p.row))*unsafe.Sizeof(*new(A)))), (*B)(unsafe.Add(p.b, uintptr(uint32(p.row))*unsafe.Sizeof(*new(B))))
}

// rowAt returns the address of a row, nil if there is no column.
func rowAt(base unsafe.Pointer, row uint64, size uintptr) unsafe.Pointer {
	if base == nil {
		return nil
	}
	return unsafe.Add(base, uintptr(uint32(row))*size)
}

// Entity returns the current entity.
func (p Pair[A, B]) Entity() Entity { return Step{walk: p.walk, row: p.row}.Entity() }

// StampA marks the first component of the current entity as changed now.
func (p Pair[A, B]) StampA() { p.walk.stamp(p.walk.pair[0], p.row) }

// StampB marks the second component of the current entity as changed now.
func (p Pair[A, B]) StampB() { p.walk.stamp(p.walk.pair[1], p.row) }

// End leaves the walk early, as [Step.End] does.
func (p Pair[A, B]) End() { Step{walk: p.walk, row: p.row}.End() }
