package ecs

import "testing"

// BenchmarkOneEntity walks a typed query of one entity, with a query that is kept and with one that is asked for each
// time. The floor is the same loop over two slices.
func BenchmarkOneEntity(b *testing.B) {
	bw := newBenchWorld(b, 1, 2, 1, false)
	kept := bw.moving(b)
	p, v := filled[benchA](1), filled[benchB](1)
	bench(b, "floor", 1, func() { moveSlices(p, v) })
	bench(b, "typed", 1, func() { bw.moveTyped(kept) })
	bench(b, "query made anew", 1, func() {
		q, _ := NewQuery2[Mut[benchA], benchB](bw.w)
		bw.moveTyped(q)
	})
}
