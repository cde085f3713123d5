package ecs

import (
	"fmt"
	"testing"
)

// What programs do beside the plain operations: tags, observers, relations in bulk, queries made on the spot.

func BenchmarkTagged(b *testing.B) {
	const n = 100_000
	for _, every := range []int{2, 8, 64} {
		walk := func(b *testing.B, marked bool) *Query2[Mut[benchA], benchB] {
			w := newWorld(Options{})
			MustRegister[benchA](w, "A")
			MustRegister[benchB](w, "B")
			mark := MustRegister[struct{}](w, "Mark")
			tag := must[TagID](b)(w.DeclareTag("t"))
			for i, e := range must[[]Entity](b)(must[*Bundle](b)(w.Bundle(0, 1)).SpawnMany(n, nil)) {
				if i%every != 0 {
					continue
				}
				if marked {
					must[bool](b)(mark.Set(e, struct{}{}))
				} else {
					w.Tag(e, tag)
				}
			}
			if marked {
				return must[*Query2[Mut[benchA], benchB]](b)(NewQuery2[Mut[benchA], benchB](w, Filter{Required: []ComponentID{mark.ID()}}))
			}
			return must[*Query2[Mut[benchA], benchB]](b)(NewQuery2[Mut[benchA], benchB](w, Filter{Tagged: []TagID{tag}}))
		}
		for _, marked := range []bool{false, true} {
			q := walk(b, marked)
			bench(b, fmt.Sprintf("every=%d/%s", every, map[bool]string{false: "tag", true: "component"}[marked]), n/every, func() {
				for e := q.Start(); e.Ok(); e = e.Next() {
					p, v := e.Get()
					p.V.X += v.X
				}
			})
		}
	}
}

func BenchmarkInBulk(b *testing.B) {
	const n = 10_000
	w := newWorld(Options{})
	a := MustRegister[benchA](w, "A")
	MustRegister[benchB](w, "B")
	MustRegister[benchC](w, "C")
	owned := must[RelationID](b)(w.DeclareRelation("OwnedBy"))
	from, to := must[Entity](b)(w.Spawn()), must[Entity](b)(w.Spawn())
	pair := must[*Spawner2[benchA, benchB]](b)(NewSpawner2[benchA, benchB](w))
	three := must[*Spawner3[benchA, benchB, benchC]](b)(NewSpawner3[benchA, benchB, benchC](w))
	for range 1000 {
		must[Entity](b)(pair.Spawn(benchA{}, benchB{}, Target{owned, from}))
	}
	bench(b, "re-target", 1000, func() {
		_, _ = w.Retarget(owned, from, to)
		from, to = to, from
	})
	list := make([]Entity, n)
	for i := range list {
		list[i] = must[Entity](b)(three.Spawn(benchA{}, benchB{}, benchC{}))
	}
	bench(b, "set two of three", n, func() {
		for _, e := range list {
			_, _ = pair.Set(e, benchA{1, 2}, benchB{3, 4})
		}
	})
	without := Filter{Without: []ComponentID{2}}
	bench(b, "query made anew and released", 1, func() {
		q, _ := NewQuery2[Mut[benchA], benchB](w, without)
		for e := q.Start(); e.Ok(); e = e.NextRun() {
		}
		q.Release()
	})
	must[int](b)(w.DespawnMany(list))
	all := must[*Query](b)(w.Query(Filter{Required: []ComponentID{a.ID()}}))
	as, bs := make([]benchA, n), make([]benchB, n)
	spawnMany := func() {
		list, _ = pair.SpawnMany(list[:0], as, bs)
		must[int](b)(all.DespawnAll())
	}
	bench(b, "spawn many", n, spawnMany)
	q := w.Commands()
	bench(b, "queued", n, func() {
		for i := range n {
			_, _ = pair.Queue(q, benchA{float64(i), 1}, benchB{2, 3})
		}
		ok(b, q.Apply())
		must[int](b)(all.DespawnAll())
	})
	type both struct {
		a benchA
		b benchB
	}
	var hand []both
	bench(b, "list by hand", n, func() {
		hand = hand[:0]
		for i := range n {
			hand = append(hand, both{benchA{float64(i), 1}, benchB{2, 3}})
		}
		for _, x := range hand {
			_, _ = pair.Spawn(x.a, x.b)
		}
		must[int](b)(all.DespawnAll())
	})
	must[*Observer](b)(a.OnAdded(func(*World, Entity, *benchA) error { return nil }))
	bench(b, "spawn many, observed", n, spawnMany)
	bench(b, "spawn, observed", n, func() {
		for range n {
			_, _ = pair.Spawn(benchA{}, benchB{})
		}
		must[int](b)(all.DespawnAll())
	})
}
