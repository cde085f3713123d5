package ecs

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// savedRun returns the file of a random run of some frames, with grids that are asked often, entities that come and go, and turns that fail. It
// saves the world after each frame, loads that, and compares.
func savedRun(t testing.TB, seed uint64, frames int) (file []byte, swept int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 9))
	w := newWorld(Options{Seed: seed, MaxTags: 200, MaxEvents: 500})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	hit := hits(t, w)
	tag := must[TagID](t)(w.DeclareTag("red"))
	childOf := must[RelationID](t)(w.DeclareRelation(ChildOf))
	grid := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 2, Carry: Carried{Tag: "red"}}))
	s := NewSchedule(w)
	s.RollBack = true
	s.OnError = func(*System, error) error { return nil }
	must[*System](t)(s.AddSystem(SystemSpec{Name: "all", Run: func(*World, float64) error {
		some := func() Entity {
			list := w.slots.list(nil)
			if len(list) == 0 {
				return None
			}
			return list[rng.IntN(len(list))]
		}
		for range 3 + rng.IntN(30) {
			switch e := some(); rng.IntN(9) {
			case 0, 1:
				e := must[Entity](t)(w.Spawn(pos.ID()))
				*pos.Write(e) = position{rng.Float64() * 9, []float64{1, 2, math.Inf(1)}[rng.IntN(3)]}
			case 2:
				_, _ = w.Despawn(e)
			case 3:
				_, _ = w.TryTag(e, tag)
			case 4:
				_, _ = w.Add(e, vel.ID())
			case 5:
				_, _ = w.Remove(e, pos.ID())
			case 6:
				hit.Send(hitEvent{e, rng.Float64()})
			case 7:
				_, _ = w.Relate(e, childOf, some())
			default:
				for range rng.IntN(20) {
					grid.Near(4, 1, 9, func(Entity, float64) bool { return true })
				}
			}
		}
		if rng.IntN(3) == 0 {
			return errFailed
		}
		return nil
	}}))
	for range frames {
		ok(t, s.Run(1))
		for _, p := range grid.points {
			if math.IsNaN(p.x) {
				swept++
			}
		}
		file = savedSchedule(t, s)
		loaded, err := load(file)
		if err != nil {
			t.Fatalf("seed %d, frame %d: %v", seed, w.Frame(), err)
		}
		ok(t, loaded.world.Check())
		if loaded.world.Digest() != w.Digest() || !bytes.Equal(savedSchedule(t, loaded), file) {
			t.Fatalf("seed %d, frame %d: the loaded world is another one", seed, w.Frame())
		}
	}
	return file, swept
}

// What a run saves can be loaded, whatever it has done.
func TestSnapshotsOfRandomRunsAreLoaded(t *testing.T) {
	swept := 0
	for seed := range uint64(60) {
		_, n := savedRun(t, seed, 12)
		swept += n
	}
	if swept < 100 {
		t.Errorf("the runs have saved %d points that were swept", swept)
	}
}
