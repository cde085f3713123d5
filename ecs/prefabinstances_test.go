package ecs

import (
	"errors"
	"slices"
	"testing"
)

func TestQueuedInstances(t *testing.T) {
	h := newDungeon(t)
	town := must[Entity](t)(h.Spawn())
	q := h.Commands()
	e := must[Entity](t)(q.Instance(h.goblin, []Target{{h.livesIn, town}}, h.pos))
	q.Join(true)
	if err := q.Set(e, h.health.ID(), FieldValue{0, Number(1)}); err != nil {
		t.Fatal(err)
	}
	q.Tag(e, h.boss)
	q.Join(false)
	orphan := must[Entity](t)(q.Instance(h.goblin, []Target{{h.childOf().info.id, town}}))
	q.Despawn(town)
	late := must[Entity](t)(q.Instance(h.goblin, []Target{{h.childOf().info.id, town}}))
	if h.Alive(e) || h.pending != 3 {
		t.Error("it is made too early")
	}
	if err := q.Apply(); err != nil {
		t.Fatal(err)
	}
	if got, want := h.shape(e), "goblin Position Health #enemy #boss(goblin/tail, goblin/sword(goblin/sword/gem))"; got != want || h.points(e) != (hitPoints{1, 12}) {
		t.Errorf("it is %s, want %s", got, want)
	}
	if h.Alive(orphan) || h.Alive(late) || h.pending != 0 {
		t.Error("a child of a dead parent is there")
	}
	checked(t, h.World)
	dropped := must[Entity](t)(q.Instance(h.goblin, nil))
	q.Drop()
	if h.pending != 0 || h.Alive(dropped) {
		t.Error("a dropped instance is there")
	}
	checked(t, h.World)
}

// An instance that finds no room leaves nothing behind.
func TestInstancesWithoutRoom(t *testing.T) {
	for _, o := range []Options{{MaxEntities: 8}, {MaxTags: 3}, {MaxTags: 4}, {MaxTags: 2}} {
		for _, queued := range []bool{false, true} {
			h := newDungeon(t)
			h.Tag(h.Child(h.goblin, "sword"), h.boss)
			h.Tag(h.Child(h.goblin, "sword"), h.enemy)
			h.SetLimits(o)
			tags := len(h.TagMembers(h.enemy)) + len(h.TagMembers(h.boss))
			for range 3 {
				e, err := None, error(nil)
				if queued {
					e = must[Entity](t)(h.Commands().Instance(h.goblin, nil, h.pos))
					must[Entity](t)(h.Commands().Instance(h.goblin, nil, h.pos))
					err = h.Commands().Apply()
				} else {
					e, err = h.Instance(h.goblin, nil, h.pos)
				}
				if !errors.Is(err, ErrLimit) || h.Alive(e) || h.Len() != 0 || h.pending != 0 {
					t.Fatalf("%+v, queued %v: %v, %d entities, %d reserved", o, queued, err, h.Len(), h.pending)
				}
				if n := len(h.TagMembers(h.enemy)) + len(h.TagMembers(h.boss)); n != tags {
					t.Errorf("%d tags are left of %d", n, tags)
				}
				checked(t, h.World)
			}
		}
	}
}

func TestObserversAreToldOfInstancesOnly(t *testing.T) {
	h := declareDungeon(t)
	var told []string
	watch := func(kind ObserverKind, name string) {
		must[*Observer](t)(h.Observe(ObserverSpec{Kind: kind, Name: name, Run: func(w *World, c Change) error {
			text := kind.String() + " " + name + " " + w.PrefabOf(w.Related(c.Entity, w.isA.info.id))
			if w.isPrefab(c.Entity) {
				text += " at a prefab"
			}
			told = append(told, text)
			return nil
		}}))
	}
	watch(OnSpawned, "")
	watch(OnDespawned, "")
	for _, kind := range []ObserverKind{OnAdded, OnRemoved, OnSet} {
		watch(kind, "Health")
		watch(kind, "Blade")
	}
	for _, kind := range []ObserverKind{OnTagged, OnUntagged} {
		watch(kind, "enemy")
	}
	for _, kind := range []ObserverKind{OnRelated, OnUnrelated} {
		watch(kind, "IsA")
		watch(kind, "LivesIn")
	}
	h.monster = must[Entity](t)(h.DeclarePrefab(monsterSpec(h)))
	h.goblin = must[Entity](t)(h.DeclarePrefab(goblinSpec(h)))
	town := must[Entity](t)(h.Spawn())
	told = nil
	ok := func(_ bool, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(h.Relate(h.goblin, h.livesIn, town))
	ok(h.Relate(h.goblin, h.livesIn, h.monster))
	ok(h.Set(h.goblin, h.health.ID(), FieldValue{0, Number(2)}))
	ok(h.Set(h.goblin, h.blade))
	ok(h.Remove(h.goblin, h.blade))
	ok(h.Unrelate(h.goblin, h.livesIn))
	h.Untag(h.goblin, h.enemy)
	h.Tag(h.goblin, h.enemy)
	ok(h.Relate(h.goblin, h.livesIn, town))
	ok(h.Despawn(town))
	town = must[Entity](t)(h.Spawn())
	ok(h.Relate(h.Child(h.goblin, "sword"), h.livesIn, town))
	if want := []string{"despawned  ", "spawned  "}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	told = nil
	if _, err := h.Instance(h.goblin, nil, h.health.ID()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"spawned  goblin", "added Health goblin", "tagged enemy goblin", "related IsA goblin",
		"spawned  goblin/tail", "related IsA goblin/tail",
		"spawned  goblin/sword", "related IsA goblin/sword", "related LivesIn goblin/sword", "spawned  goblin/sword/gem", "related IsA goblin/sword/gem",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	checked(t, h.World)
}

// A turn that fails takes its instances back.
func TestInstancesAreTakenBack(t *testing.T) {
	h := newDungeon(t)
	s := NewSchedule(h.World)
	s.RollBack = true
	s.OnError = func(*System, error) error { return nil }
	failing := errors.New("it fails")
	must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Stage: Update, Run: func(w *World, _ float64) error {
		e, err := w.Instance(h.goblin, nil, h.pos)
		if err != nil {
			return err
		}
		if _, err := w.Set(h.goblin, h.blade, FieldValue{0, Number(8)}); err != nil {
			return err
		}
		w.Tag(h.goblin, h.boss)
		if _, err := w.Despawn(w.Child(e, "tail")); err != nil {
			return err
		}
		if _, err := w.Commands().Instance(h.goblin, nil); err != nil {
			return err
		}
		return failing
	}}))
	before := must[*World](t)(h.Copy())
	for range 3 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		checked(t, h.World)
		if h.Len() != 0 || h.Has(h.goblin, h.blade) || h.Tagged(h.goblin, h.boss) || h.pending != 0 {
			t.Fatalf("left: %v", before.Differences(h.World, 5))
		}
	}
}

// An instance gets all targets of its prefab, except in relations of which targets are given.
func TestInstancesHaveAllTargets(t *testing.T) {
	h := newDungeon(t)
	knows := must[RelationID](t)(h.DeclareRelation("Knows", ManyTargets))
	var friends [3]Entity
	for i := range friends {
		friends[i] = must[Entity](t)(h.Spawn())
	}
	for _, to := range friends[:2] {
		must[bool](t)(h.Relate(h.goblin, knows, to))
	}
	must[bool](t)(h.Relate(h.goblin, h.livesIn, friends[0]))
	for _, c := range []struct {
		given []Target
		want  []Entity
		home  Entity
	}{
		{nil, friends[:2], friends[0]},
		{[]Target{{knows, friends[2]}}, friends[2:], friends[0]},
		{[]Target{{h.livesIn, friends[1]}}, friends[:2], friends[1]},
	} {
		e := must[Entity](t)(h.Instance(h.goblin, c.given))
		if got := slices.Collect(h.Targets(e, knows)); !slices.Equal(got, c.want) || h.Related(e, h.livesIn) != c.home {
			t.Errorf("%v: %v and %v, not %v and %v", c.given, got, h.Related(e, h.livesIn), c.want, c.home)
		}
	}
	checked(t, h.World)
}
