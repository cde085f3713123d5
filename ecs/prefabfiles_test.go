package ecs

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func TestPrefabsAreSavedCopiedAndAdopted(t *testing.T) {
	h := newDungeon(t)
	e := must[Entity](t)(h.Instance(h.goblin, nil, h.pos))
	if _, err := h.Set(h.monster, h.health.ID(), FieldValue{0, Number(5)}); err != nil {
		t.Fatal(err)
	}
	queued := must[Entity](t)(h.Commands().Instance(h.goblin, nil, h.health.ID()))

	same := func(what string, w *World) {
		t.Helper()
		checked(t, w)
		if w.Digest() != h.Digest() || w.Child(e, "sword") != h.Child(e, "sword") || w.LookupPrefab("goblin") != h.goblin || w.Len() != h.Len() {
			t.Errorf("%s: %v", what, w.Differences(h.World, 3))
		}
		if err := w.Commands().Apply(); err != nil || w.Child(queued, "sword") == None {
			t.Errorf("%s: the queued instance is not made, %v", what, err)
		}
		checked(t, w)
	}
	same("copy", must[*World](t)(h.Copy()))
	var file bytes.Buffer
	if err := h.Save(&file); err != nil {
		t.Fatal(err)
	}
	same("file", must[*World](t)(Load(bytes.NewReader(file.Bytes()), Options{})))
	fresh := newDungeon(t)
	if err := fresh.Restore(h.World); err != nil {
		t.Fatal(err)
	}
	same("restore", fresh.World)

	blank := h.Blank(Options{MaxEntities: 1, MaxTags: 1, MaxBytes: 1})
	checked(t, blank)
	if got := (&dungeon{World: blank}).shape(blank.LookupPrefab("goblin")); got != h.shape(h.goblin) || blank.Len() != 0 {
		t.Errorf("blank: %s", got)
	}
	if err := fresh.Reset(); err != nil || fresh.Len() != 0 || fresh.points(fresh.LookupPrefab("goblin")) != (hitPoints{7, 12}) {
		t.Errorf("reset: %v", err)
	}
	checked(t, fresh.World)
}

func TestAdoptedPrefabs(t *testing.T) {
	h := newDungeon(t)
	e := must[Entity](t)(h.Instance(h.goblin, nil))
	if _, err := h.Set(h.monster, h.health.ID(), FieldValue{0, Number(5)}); err != nil {
		t.Fatal(err)
	}
	h.Commands() // a queue
	must[Entity](t)(h.Commands().Instance(h.goblin, nil))

	now := declareDungeon(t)
	must[Entity](t)(now.DeclarePrefab(PrefabSpec{Name: "stone"}))
	spec := monsterSpec(now)
	spec.Name, spec.Components[0].Fields[1].Value = "beast", Number(20)
	must[Entity](t)(now.DeclarePrefab(spec))
	spec = goblinSpec(now)
	spec.Base = "beast"
	must[Entity](t)(now.DeclarePrefab(spec))
	if _, err := now.Adopt(h.World, Adopting{Renamed: Renamed{Prefabs: map[string]string{"monster": "beast"}}}); err != nil {
		t.Fatal(err)
	}
	checked(t, now.World)
	if now.LookupPrefab("goblin") != h.goblin || now.LookupPrefab("beast") != h.monster || now.Child(e, "sword") != h.Child(e, "sword") {
		t.Error("the entities are others")
	}
	if got := now.points(now.LookupPrefab("beast")); got != (hitPoints{5, 20}) || now.points(e) != (hitPoints{7, 20}) {
		t.Errorf("the values are %v and %v", got, now.points(e))
	}
	if now.LookupPrefab("stone") == None || now.Len() != h.Len() {
		t.Error("the new one is not there")
	}
	if err := now.Commands().Apply(); err != nil || now.Len() != 2*h.Len() {
		t.Errorf("the queue: %v, %d entities", err, now.Len())
	}
	checked(t, now.World)

	gone := declareDungeon(t)
	before := gone.Digest()
	var loss *LossError
	_, err := gone.Adopt(h.World, Adopting{})
	if !errors.As(err, &loss) || len(loss.Losses) != 1 || loss.Losses[0].String() != `prefab "goblin" (4 instances)` || gone.Digest() != before {
		t.Fatalf("%v", err)
	}
	warnings, err := gone.Adopt(h.World, Adopting{Drop: func(l Loss) bool { return l.Kind == "prefab" }})
	if err != nil || len(warnings) != 2 {
		t.Fatalf("%v, %q", err, warnings)
	}
	checked(t, gone.World)
	if len(gone.PrefabNames()) != 0 || !gone.Alive(e) || gone.Alive(h.goblin) || gone.Has(e, gone.health.ID()) {
		t.Error("the prefabs are left")
	}
	if err := gone.Commands().Apply(); err != nil || gone.pending != 0 {
		t.Errorf("the queued instance: %v", err)
	}
	checked(t, gone.World)
}

func TestDifferencesOfPrefabs(t *testing.T) {
	a, b := newDungeon(t), newDungeon(t)
	if d := a.Differences(b.World, 9); len(d) != 0 {
		t.Errorf("alike: %v", d)
	}
	must[Entity](t)(b.DeclarePrefab(PrefabSpec{Name: "stone"}))
	found := a.Differences(b.World, 9)
	if !slices.ContainsFunc(found, func(d Difference) bool {
		return d.Kind == DifferentPrefab && d.String() == "prefab 7: nothing, stone 6v1"
	}) {
		t.Errorf("found %v", found)
	}
	parts := a.PartDigests(nil)
	if !slices.ContainsFunc(parts, func(d PartDigest) bool { return d.Part == "prefab goblin" }) {
		t.Errorf("the parts are %v", parts)
	}
}

// A state that ends takes its entities with it, and leaves the prefabs.
func TestPrefabsOutliveStates(t *testing.T) {
	h := declareDungeon(t)
	must[StateID](t)(h.DeclareState(StateSpec{Name: "game", Values: []string{"on", "off"}}))
	on, _ := h.LookupTag("game.on")
	p := must[Entity](t)(h.DeclarePrefab(PrefabSpec{Name: "p", Tags: []TagID{on}}))
	e := must[Entity](t)(h.Instance(p, nil))
	if err := h.endTagged(on); err != nil || h.Alive(e) || !h.Alive(p) {
		t.Errorf("%v", err)
	}
}
