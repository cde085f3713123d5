package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Entities that a spawner makes with relations are those that World.SpawnRelated makes: values, stamps, targets in their
// order, tags, handles. Observers find the values when they are told of the entity and of its relations.
func TestSpawnersMakeWhatSpawnRelatedMakes(t *testing.T) {
	var told [2][]string
	var worlds [2]*World
	for i := range worlds {
		w := newWorld(Options{Seed: 1})
		worlds[i] = w
		pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
		parent, likes := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation("Likes"))
		tag := must[TagID](t)(w.DeclareTag("young"))
		for _, kind := range []ObserverKind{OnSpawned, OnRelated} {
			name := ""
			if kind == OnRelated {
				name = "Likes"
			}
			must[*Observer](t)(w.Observe(ObserverSpec{Kind: kind, Name: name, Run: func(w *World, c Change) error {
				at := position{}
				if p := pos.Get(c.Entity); p != nil {
					at = *p
				}
				told[i] = append(told[i], fmt.Sprint(kind, c.Entity, c.Target, at, w.Related(c.Entity, parent), w.Tagged(c.Entity, tag)))
				return nil
			}}))
		}
		a, b := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
		s := must[*Spawner2[velocity, position]](t)(NewSpawner2[velocity, position](w, tag))
		for n := range 30 {
			targets := []Target{{likes, b}, {parent, a}}[:n%3]
			p, v := position{float64(n), 1}, velocity{2, float64(n)}
			if i == 0 {
				must[Entity](t)(s.Spawn(v, p, targets...))
				continue
			}
			w.holdReports()
			e := must[Entity](t)(w.SpawnRelated(targets, pos.ID(), vel.ID()))
			*pos.Get(e), *vel.Get(e) = p, v
			w.Tag(e, tag)
			w.releaseReports()
		}
		if n := w.SourceCount(likes, b); n != 20 {
			t.Errorf("%d like it", n)
		}
		check(t, w)
		if i == 0 {
			defer func() {
				must[bool](t)(w.Despawn(a))
				if w.Len() != 1+20 {
					t.Errorf("%d outlive the parent", w.Len())
				}
				check(t, w)
			}()
		}
	}
	if worlds[0].Digest() != worlds[1].Digest() {
		t.Error("other worlds")
	}
	sameStamps(t, worlds[0], worlds[1])
	if len(told[0]) != 2+30+20 || !slices.Equal(told[0], told[1]) {
		t.Errorf("observers were told\n%q\n%q", told[0], told[1])
	}
}

// A spawner makes nothing if a target is dead or no relation, structure is locked, or the world is full.
func TestSpawnRelatedOfASpawnerRefuses(t *testing.T) {
	w := newWorld(Options{MaxEntities: 3})
	pos := MustRegister[position](w, "Position")
	parent := must[RelationID](t)(w.DeclareRelation(ChildOf))
	s := must[*Spawner1[position]](t)(NewSpawner1[position](w))
	a, b := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
	must[bool](t)(w.Despawn(b))
	refused := func(want error, to Target) {
		t.Helper()
		n, tables := w.Len(), len(w.tables)
		if e, err := s.Spawn(position{1, 2}, to); e != None || !errors.Is(err, want) {
			t.Errorf("%v, %v instead of %v", e, err, want)
		}
		if w.Len() != n || len(w.tables) != tables {
			t.Errorf("%v: something was made", want)
		}
		check(t, w)
	}
	refused(ErrDead, Target{parent, b})
	refused(ErrUnknown, Target{pos.ID(), a})
	walk := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](w)).Query.begin()
	refused(ErrLocked, Target{parent, a})
	walk.End()
	must[Entity](t)(s.Spawn(position{}, Target{parent, a}))
	must[Entity](t)(s.Spawn(position{}))
	refused(ErrLimit, Target{parent, a})

	// The spawner is good after a restore, too.
	kept := must[*World](t)(w.Copy())
	must[bool](t)(w.Despawn(a))
	if err := w.Restore(kept); err != nil {
		t.Fatal(err)
	}
	must[int](t)(w.DespawnMany(w.Sources(nil, parent, a)))
	e := must[Entity](t)(s.Spawn(position{3, 4}, Target{parent, a}))
	if *pos.Get(e) != (position{3, 4}) || w.Related(e, parent) != a {
		t.Error("other values after a restore")
	}
	check(t, w)
}

// Many entities with relations are those that would be made one by one.
func TestManyRelatedAreThoseMadeOneByOne(t *testing.T) {
	a, b := newWalked(t, 11), newWalked(t, 11)
	sa := must[*Spawner2[label, position]](t)(NewSpawner2[label, position](a.w, a.tag))
	sb := must[*Spawner2[label, position]](t)(NewSpawner2[label, position](b.w, b.tag))
	for _, x := range []*walked{a, b} { // some slots to use again
		must[int](t)(x.w.DespawnMany(slices.DeleteFunc(slices.Clone(x.es[40:90]), func(e Entity) bool { return e == x.into })))
		x.w.advanceTick()
	}
	var ls []label
	var ps []position
	var want []Entity
	for i := range 200 {
		ls, ps = append(ls, label{fmt.Sprint(i)}), append(ps, position{float64(i), 1})
		want = append(want, must[Entity](t)(sb.Spawn(ls[i], ps[i], Target{b.likes, b.into}, Target{b.isA, b.into})))
	}
	got := must[[]Entity](t)(sa.SpawnMany(nil, ls, ps, Target{a.likes, a.into}, Target{a.isA, a.into}))
	if !slices.Equal(got, want) || a.w.Digest() != b.w.Digest() {
		t.Fatal("other entities")
	}
	sameStamps(t, a.w, b.w)
	check(t, a.w)
	dead := must[Entity](t)(a.w.Spawn())
	must[bool](t)(a.w.Despawn(dead))
	before := a.w.Digest()
	if list, err := sa.SpawnMany(nil, ls, ps, Target{a.likes, dead}); !errors.Is(err, ErrDead) || list != nil || a.w.Digest() != before {
		t.Error("a dead target:", list, err)
	}
	if list, err := sa.SpawnMany(nil, nil, nil, Target{a.likes, a.into}); err != nil || list != nil || a.w.Digest() != before {
		t.Error("none:", list, err)
	}
}
