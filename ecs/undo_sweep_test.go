package ecs

import (
	"math"
	"testing"
)

// A turn that searches a snapshot of its frame sweeps the dead from it, here twice. When it has failed, the snapshot has the living again, each where it was.
func TestTwoSweepsOfASnapshotAreTakenBack(t *testing.T) {
	u := newUndone(t)
	g := must[*Grid](t)(u.DeclareGrid(GridSpec{Name: "near", Component: u.pos.ID(), X: "x", Y: "y", Cell: 8}))
	near := func() (found []Entity) {
		g.Near(0, 0, 1000, func(e Entity, _ float64) bool { found = append(found, e); return true })
		return found
	}
	u.BeginFrame(1)
	u.system = u.schedule.Find("failing")
	before := len(near())
	u.system = nil
	taken := g.taken
	swept := func() (n int) {
		for range 3 {
			near()
		}
		for _, p := range g.points {
			if math.IsNaN(p.x) {
				n++
			}
		}
		return n
	}
	u.fails(func() {
		must[bool](t)(u.Despawn(u.es[3]))
		if n := swept(); n != 1 {
			t.Errorf("%d points were swept, not 1", n)
		}
		must[bool](t)(u.Despawn(u.es[150]))
		if n := swept(); n != 2 || g.taken != taken {
			t.Errorf("%d points were swept, not 2, in snapshot %d, not %d", n, g.taken, taken)
		}
	})
	u.system = u.schedule.Find("failing")
	defer func() { u.system = nil }()
	if after := len(near()); before != 200 || after != before || g.taken != taken {
		t.Errorf("%d entities were near before the turn and %d are after it, in snapshots %d and %d", before, after, taken, g.taken)
	}
	for _, p := range g.points {
		if p.x != u.pos.Get(p.entity).X {
			t.Errorf("%s is at %g in the snapshot", p.entity, p.x)
		}
	}
}
