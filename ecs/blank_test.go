package ecs

import (
	"reflect"
	"testing"
)

// A blank world is the one that the same declarations make.
func TestBlankDeclaresTheSame(t *testing.T) {
	declare := func(w *World) GridSpec {
		pos := MustRegister[position](w, "Position")
		MustRegister[struct{ Text string }](w, "Name")
		if _, err := w.DeclareRelation(ChildOf); err != nil {
			t.Fatal(err)
		}
		MustRegister[velocity](w, "Velocity")
		if _, err := w.DeclareRelation(IsA); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"one", "two"} {
			if _, err := w.DeclareTag(name); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := RegisterEvent[velocity](w, "Gust"); err != nil {
			t.Fatal(err)
		}
		if _, err := w.DeclareResource("score", F64, Number(7)); err != nil {
			t.Fatal(err)
		}
		spec := GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 3}
		if _, err := w.DeclareGrid(spec); err != nil {
			t.Fatal(err)
		}
		return spec
	}
	w, fresh := newWorld(Options{Seed: 3}), NewWorld(Options{Seed: 4, MaxEntities: 9})
	spec := declare(w)
	declare(fresh)
	pos, _ := w.LookupComponent("Position")
	score, _ := w.LookupResource("score")
	w.TrackRemoved(pos)
	parent, err := w.Spawn(pos)
	if err != nil {
		t.Fatal(err)
	}
	child, _ := w.LookupRelation(ChildOf)
	if _, err := w.SpawnRelated([]Target{{child, parent}}, pos); err != nil {
		t.Fatal(err)
	}
	w.Tag(parent, 1)
	Raw.AppendEvent(w, 0)
	if err := w.Resource(score).Set(0, Number(8)); err != nil {
		t.Fatal(err)
	}
	w.Stream("drawn").Float64()
	before := w.Digest()
	q, err := w.Query(Filter{Required: []ComponentID{pos}})
	if err != nil {
		t.Fatal(err)
	}
	loop := q.begin()
	b := w.Blank(fresh.Options())
	loop.End()

	if b.Digest() != fresh.Digest() || b.Len() != 0 || b.Options() != fresh.Options() {
		t.Error("it is not as if just declared")
	}
	for _, names := range [...]func(*World) []string{(*World).RelationNames, (*World).TagNames, (*World).EventNames, (*World).ResourceNames, (*World).GridNames} {
		if got, want := names(b), names(w); !reflect.DeepEqual(got, want) {
			t.Errorf("it declares %q, not %q", got, want)
		}
	}
	for id := ComponentID(0); ; id++ {
		info, ok := w.ComponentInfo(id)
		if got, also := b.ComponentInfo(id); got != info || also != ok {
			t.Errorf("component %d is %+v, not %+v", id, got, info)
		}
		if !ok {
			break
		}
	}

	// It works, and apart from the first.
	declare(b)
	if g, err := b.DeclareGrid(spec); err != nil || g == w.LookupGrid("near") {
		t.Error("the grid is not its own", err)
	}
	e, err := b.Spawn(pos)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.SpawnRelated([]Target{{child, e}}, pos); err != nil {
		t.Fatal(err)
	}
	b.Tag(e, 0)
	Raw.AppendEvent(b, 0)
	if _, err := b.Despawn(e); err != nil || b.Len() != 0 {
		t.Error("the child outlives its parent", err)
	}
	if got := b.Removed(nil, pos); len(got) != 2 {
		t.Errorf("removed: %v", got)
	}
	if got := b.LookupGrid("near").Spec(); got != spec {
		t.Errorf("the grid is %+v", got)
	}
	b.LookupGrid("near").Near(0, 0, 1e9, func(Entity, float64) bool { t.Error("somebody is near"); return true })
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	if w.Digest() != before {
		t.Error("the first world changed")
	}
}
