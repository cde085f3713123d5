package ecs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A target whose sources are not neighbours is walked again and again.
func TestWalkTheSourcesOfATargetTwice(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[benchA](w, "A")
	owned := must[RelationID](t)(w.DeclareRelation("OwnedBy"))
	s := must[*Spawner1[benchA]](t)(NewSpawner1[benchA](w))
	target, other := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
	var sources []Entity
	for i := range 5 {
		e := must[Entity](t)(s.Spawn(benchA{float64(i), 0}, Target{owned, []Entity{target, other}[i%2]}))
		if i%2 == 0 {
			sources = append(sources, e)
		}
	}
	q := must[*Query1[Mut[benchA]]](t)(NewQuery1[Mut[benchA]](w))
	for range 4 {
		var got []Entity
		e, err := q.StartTarget(owned, target)
		for ok(t, err); e.Ok(); e = e.Next() {
			got = append(got, e.Entity())
		}
		if !slices.Equal(got, sources) || w.Locked() {
			t.Fatal("the sources are", got, "not", sources)
		}
	}
}

// A walk over the sources of a target visits what World.Sources lists, in that order, whichever way it goes, and stamps
// what it visits.
func TestWalksOverSourcesVisitTheSources(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := newWorld(Options{})
		a, b := MustRegister[benchA](w, "A"), MustRegister[benchB](w, "B")
		owned := must[RelationID](t)(w.DeclareRelation("OwnedBy"))
		var targets, all []Entity
		for range 3 {
			targets = append(targets, must[Entity](t)(w.Spawn()))
		}
		for range 120 {
			ids := []ComponentID{a.ID()}
			if r.IntN(10) == 0 {
				ids = append(ids, b.ID())
			}
			e := must[Entity](t)(w.Spawn(ids...))
			all = append(all, e)
			if n := r.IntN(40); n < 35 {
				must[bool](t)(w.Relate(e, owned, targets[min(n/12, 2)]))
			} else if n == 39 {
				_, _ = w.Despawn(all[r.IntN(len(all))])
			}
		}
		q := must[*Query1[Mut[benchA]]](t)(NewQuery1[Mut[benchA]](w))
		for n := range 12 {
			target := targets[n%3]
			want := w.Sources(nil, owned, target)
			w.EndFrame()
			w.advanceTick()
			stop, now, at := len(want)+1, w.Tick(), 0
			if n >= 6 {
				stop = r.IntN(len(want) + 1)
			}
			e, err := q.StartTarget(owned, target)
			for ok(t, err); e.Ok(); e = e.Next() {
				if at == stop {
					e.End()
					break
				}
				if e.Entity() != want[at] || &e.Get().V != a.Get(want[at]) {
					t.Fatalf("seed %d: visit %d is %v, not %v", seed, at, e.Entity(), want[at])
				}
				at++
			}
			if at < min(stop, len(want)) || w.Locked() || len(w.walks) > 0 {
				t.Fatalf("seed %d: %d of %d visited, open %v", seed, at, len(want), w.Locked())
			}
			for i, e := range want {
				sl := w.slots.find(e)
				col := a.Column(w.tables[sl.table])
				if visited := i < at || i == stop; visited != (col.Changed(int(sl.row)) == now) {
					t.Fatalf("seed %d: source %d of %d, stopped at %d, visited %v, changed at %d of %d", seed, i, len(want), stop, visited, col.Changed(int(sl.row)), now)
				}
			}
		}
	}
}
