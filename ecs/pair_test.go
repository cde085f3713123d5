package ecs

import (
	"slices"
	"testing"
)

func TestPairsVisitWhatStepsVisit(t *testing.T) {
	w, _, _ := bulkWorld(t, false, false)
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	ids := []ComponentID{pos.ID(), vel.ID()}
	bundle := must[*Bundle](t)(w.Bundle(ids...))
	es := append([]Entity(nil), must[[]Entity](t)(bundle.SpawnMany(150, nil))...)
	for i, e := range es {
		pos.Get(e).X, vel.Get(e).DX = float64(i), float64(2*i)
	}
	since := w.Tick()
	w.advanceTick()
	for _, e := range es[70:73] {
		pos.Mut(e)
	}
	for _, f := range []Filter{{Required: ids}, {Required: ids, Changed: ids[:1]}, {Required: []ComponentID{vel.ID(), pos.ID()}}} {
		q := must[*Query](t)(w.Query(f))
		ta, tb := must[Term[position]](t)(pos.In(q)), must[Term[velocity]](t)(vel.In(q))
		var want, got []Entity
		for s := q.StartSince(since); s.Ok(); s = s.Next() {
			want = append(want, s.Entity())
		}
		for p := StartPairSince(q, since, ta, tb); p.Ok(); p = p.Next() {
			got = append(got, p.Entity())
			if a, b := p.Get(); a != pos.Get(p.Entity()) || b != vel.Get(p.Entity()) {
				t.Fatal("the pair holds another entity's values")
			}
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Fatalf("%d entities, steps visit %d", len(got), len(want))
		}
		if n := testing.AllocsPerRun(10, func() {
			for p := StartPair(q, ta, tb); p.Ok(); p = p.Next() {
				a, b := p.Get()
				a.X += b.DX
			}
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if w.Locked() {
		t.Fatal("still locked")
	}
}

func TestPairsStampAndLeaveEarly(t *testing.T) {
	w := NewWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	e := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	ta, tb := must[Term[position]](t)(pos.In(q)), must[Term[velocity]](t)(vel.In(q))
	table, row := w.TableOf(e)
	changed := func() [2]Tick { return [2]Tick{pos.Column(table).Changed(row), vel.Column(table).Changed(row)} }
	before := w.Tick()
	w.advanceTick()
	p := StartPair(q, ta, tb)
	p.StampB()
	if changed() != [2]Tick{before, w.Tick()} {
		t.Fatal("StampB", changed())
	}
	p.StampA()
	if changed() != [2]Tick{w.Tick(), w.Tick()} || !w.Locked() {
		t.Fatal("StampA", changed())
	}
	p.End()
	if w.Locked() {
		t.Fatal("left early, still locked")
	}
	must[int](t)(q.DespawnAll())
	if StartPair(q, ta, tb).Ok() || w.Locked() {
		t.Fatal("a walk over nothing")
	}
}

// An instance has what its base has; a Pair over an Inherited query comes to it without a column.
func TestPairOverSharedComponents(t *testing.T) {
	w := NewWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	instance := must[Entity](t)(w.Spawn(pos.ID()))
	must[bool](t)(w.Relate(instance, isA, base))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}, Inherited: true}))
	tp, tv := must[Term[position]](t)(pos.In(q)), must[Term[velocity]](t)(vel.In(q))
	var got []Entity
	for p := StartPair(q, tp, tv); p.Ok(); p = p.Next() {
		got = append(got, p.Entity())
	}
	if len(got) != 2 || got[0] != base || got[1] != instance {
		t.Fatalf("the pairs of %v", got)
	}
}
