package ecs

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

type hitPoints struct{ Current, Max float64 }

// A dungeon is a world with two prefabs: a monster with a tail, and a goblin that is one, with a sword of its own.
type dungeon struct {
	*World
	pos, name, blade ComponentID
	health           Component[hitPoints]
	enemy, boss      TagID
	livesIn          RelationID
	monster, goblin  Entity
}

func monsterSpec(h *dungeon) PrefabSpec {
	return PrefabSpec{
		Name: "monster", Components: []PrefabPart{{h.health.ID(), []FieldValue{{0, Number(10)}, {1, Number(12)}}}}, Tags: []TagID{h.enemy},
		Children: []PrefabSpec{{Name: "tail", Components: []PrefabPart{{h.name, []FieldValue{{0, Text("tail")}}}}}},
	}
}

func goblinSpec(h *dungeon) PrefabSpec {
	return PrefabSpec{
		Name: "goblin", Base: "monster", Components: []PrefabPart{{h.health.ID(), []FieldValue{{0, Number(7)}}}}, Tags: []TagID{h.enemy, h.boss}[:1],
		Children: []PrefabSpec{
			{Name: "sword", Components: []PrefabPart{{h.blade, []FieldValue{{0, Number(3)}}}}, Children: []PrefabSpec{{Name: "gem", Components: []PrefabPart{{h.name, nil}}}}},
			{Name: "tail", Components: []PrefabPart{{h.blade, nil}}},
		},
	}
}

func newDungeon(t testing.TB) *dungeon {
	t.Helper()
	h := declareDungeon(t)
	h.monster = must[Entity](t)(h.DeclarePrefab(monsterSpec(h)))
	h.goblin = must[Entity](t)(h.DeclarePrefab(goblinSpec(h)))
	checked(t, h.World)
	return h
}

func declareDungeon(t testing.TB) *dungeon {
	t.Helper()
	h := &dungeon{World: NewWorld(Options{})}
	h.pos = MustRegister[position](h.World, "Position").ID()
	h.health = MustRegister[hitPoints](h.World, "Health")
	h.name = must[ComponentID](t)(h.DeclareComponent("Name", must[*Schema](t)(NewSchema(Field{Name: "text", Type: String}))))
	h.blade = must[ComponentID](t)(h.DeclareComponent("Blade", must[*Schema](t)(NewSchema(Field{Name: "edge", Type: I32, Default: Number(1)}))))
	h.enemy, h.boss = must[TagID](t)(h.DeclareTag("enemy")), must[TagID](t)(h.DeclareTag("boss"))
	h.livesIn = must[RelationID](t)(h.DeclareRelation("LivesIn"))
	return h
}

func checked(t testing.TB, w *World) {
	t.Helper()
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
}

func (h *dungeon) field(e Entity, id ComponentID, i int) Value {
	sl := h.slots.find(e)
	col, row, _ := h.visible(h.components[id], sl)
	if col == nil {
		return Value{}
	}
	return col.Row(row).Get(i)
}

func (h *dungeon) points(e Entity) hitPoints {
	if p := h.health.Shared(e); p != nil {
		return *p
	}
	return hitPoints{-1, -1}
}

func (h *dungeon) count(t testing.TB, f Filter) int {
	t.Helper()
	q := must[*Query](t)(h.Query(f))
	defer q.Release()
	return q.Count()
}

// shape writes an entity with its children: the names of its base, its tags and its own components.
func (h *dungeon) shape(e Entity) string {
	var b strings.Builder
	b.WriteString(h.PrefabOf(h.Related(e, h.isA.info.id)))
	for _, id := range h.ComponentsOf(e) {
		if h.components[id].relation == nil {
			b.WriteString(" " + h.components[id].name)
		}
	}
	for _, id := range h.TagsOf(e) {
		b.WriteString(" #" + h.TagName(id))
	}
	for i, c := range h.Sources(nil, h.childOf().info.id, e) {
		b.WriteString([]string{"(", ", "}[min(i, 1)] + h.shape(c))
	}
	if h.SourceCount(h.childOf().info.id, e) > 0 {
		b.WriteString(")")
	}
	return b.String()
}

func TestPrefabsMergeWithTheirBase(t *testing.T) {
	h := newDungeon(t)
	if got, want := h.shape(h.goblin), "monster Health #enemy(monster/tail Blade,  Blade( Name))"; got != want {
		t.Errorf("the goblin is %s, want %s", got, want)
	}
	if got := h.points(h.goblin); got != (hitPoints{7, 12}) {
		t.Errorf("a component given in part has %v", got)
	}
	for e, want := range map[Entity]string{h.goblin: "goblin", h.Child(h.goblin, "sword"): "goblin/sword", h.Child(h.Child(h.goblin, "sword"), "gem"): "goblin/sword/gem", h.Child(h.monster, "tail"): "monster/tail"} {
		if got := h.PrefabOf(e); got != want {
			t.Errorf("%s is prefab %q, want %q", e, got, want)
		}
	}
	if got := h.field(h.Child(h.goblin, "tail"), h.name, 0).Str(); got != "tail" {
		t.Errorf("the goblin's tail shares the name %q", got)
	}
	if h.Len() != 0 || h.Stats().Entities != 6 {
		t.Errorf("%d entities, %d with prefabs", h.Len(), h.Stats().Entities)
	}
	for range h.Entities {
		t.Error("a prefab is among all entities")
	}
	if !slices.Equal(h.PrefabNames(), []string{"monster", "goblin"}) || h.LookupPrefab("goblin") != h.goblin || h.LookupPrefab("ghost") != None {
		t.Errorf("the prefabs are %q", h.PrefabNames())
	}
	if again := must[Entity](t)(h.DeclarePrefab(goblinSpec(h))); again != h.goblin {
		t.Errorf("declared alike, it is %s, not %s", again, h.goblin)
	}
	want := goblinSpec(h)
	if spec, ok := h.PrefabSpec("goblin"); !ok || !spec.Same(want) {
		t.Errorf("it was declared with %+v", spec)
	}
}

func TestQueriesLeavePrefabsOut(t *testing.T) {
	h := newDungeon(t)
	all := must[*Query](t)(h.Query(Filter{Required: []ComponentID{h.health.ID()}, Prefabs: true}))
	for what, f := range map[string]Filter{
		"component": {Required: []ComponentID{h.health.ID()}}, "nothing": {}, "inherited": {Required: []ComponentID{h.name}, Inherited: true}, "tag": {Tagged: []TagID{h.enemy}},
		"any": {Any: []ComponentID{h.blade, h.name}},
	} {
		if n := h.count(t, f); n != 0 {
			t.Errorf("%s: %d prefabs are found", what, n)
		}
	}
	if n := all.Count(); n != 2 || !all.Matches(h.goblin) {
		t.Errorf("a query with prefabs finds %d", n)
	}
	if n := h.count(t, Filter{Tagged: []TagID{h.enemy}, Prefabs: true}); n != 2 {
		t.Errorf("%d prefabs are enemies", n)
	}
	typed := must[*Query1[Mut[hitPoints]]](t)(NewQuery1[Mut[hitPoints]](h.World, Filter{Prefabs: true}))
	for e := typed.Start(); e.Ok(); e = e.Next() {
		e.Get().V.Max++
	}
	if got := h.points(h.goblin); got != (hitPoints{7, 13}) {
		t.Errorf("a walk over prefabs left %v", got)
	}
}

func TestGridsIndexesAndRemovalsLeavePrefabsOut(t *testing.T) {
	h := declareDungeon(t)
	h.TrackRemoved(h.pos)
	index := must[*Index](t)(h.DeclareIndex(IndexSpec{Name: "edges", Component: "Blade", Fields: []string{"edge"}}))
	grid := must[*Grid](t)(h.DeclareGrid(GridSpec{Name: "near", Component: h.pos, X: "x", Y: "y", Cell: 1}))
	p := must[Entity](t)(h.DeclarePrefab(PrefabSpec{Name: "p", Components: []PrefabPart{{h.pos, nil}, {h.blade, nil}}}))
	if _, err := h.Set(p, h.blade, FieldValue{0, Number(1)}); err != nil {
		t.Fatal(err)
	}
	if n, err := index.Count(Number(1)); n != 0 || err != nil {
		t.Errorf("%d prefabs are in an index, %v", n, err)
	}
	if err := grid.Ready(); err != nil {
		t.Fatal(err)
	}
	grid.Near(0, 0, 10, func(e Entity, _ float64) bool { t.Errorf("%s is in a grid", e); return true })
	if _, err := h.Remove(p, h.pos); err != nil {
		t.Fatal(err)
	}
	if lost := h.Removed(nil, h.pos); len(lost) != 0 {
		t.Errorf("%v lost a position", lost)
	}
	e := must[Entity](t)(h.Instance(p, nil, h.blade))
	if at, err := index.At(Number(1)); at != e || err != nil {
		t.Errorf("%s is in the index, not its instance; %v", at, err)
	}
	checked(t, h.World)
}

func TestInstancesHaveTagsRelationsAndChildren(t *testing.T) {
	h := newDungeon(t)
	town := must[Entity](t)(h.Spawn())
	if _, err := h.Relate(h.Child(h.goblin, "sword"), h.livesIn, town); err != nil {
		t.Fatal(err)
	}
	h.Tag(h.goblin, h.boss)
	e := must[Entity](t)(h.Instance(h.goblin, []Target{{h.livesIn, town}}, h.pos, h.health.ID()))
	if got, want := h.shape(e), "goblin Position Health #enemy #boss(goblin/tail, goblin/sword(goblin/sword/gem))"; got != want {
		t.Errorf("the instance is %s, want %s", got, want)
	}
	if got := h.points(e); got != (hitPoints{7, 12}) {
		t.Errorf("a component given begins with %v", got)
	}
	sword := h.Child(e, "sword")
	if h.Related(e, h.livesIn) != town || h.Related(sword, h.livesIn) != town || h.field(sword, h.blade, 0).Float() != 3 {
		t.Error("a relation or a value is missing")
	}
	if h.Child(e, "hat") != None || h.Child(town, "sword") != None || h.PrefabOf(e) != "" {
		t.Error("a child is found that is not there")
	}
	if _, err := h.Set(h.goblin, h.blade, FieldValue{0, Number(9)}); err != nil || h.field(e, h.blade, 0).Float() != 9 {
		t.Errorf("what is set at a prefab is not seen: %v, %v", h.field(e, h.blade, 0), err)
	}
	if _, err := h.Despawn(sword); err != nil || h.Child(e, "sword") != None {
		t.Errorf("the sword is there: %v", err)
	}
	other := must[Entity](t)(h.Instance(h.Child(h.goblin, "sword"), nil))
	if got, want := h.shape(other), "goblin/sword(goblin/sword/gem)"; got != want {
		t.Errorf("an instance of a child is %s, want %s", got, want)
	}
	checked(t, h.World)
}

func TestPrefabsKeepWhatTheyAre(t *testing.T) {
	h := newDungeon(t)
	e := must[Entity](t)(h.Spawn())
	q := must[*Query](t)(h.Query(Filter{Prefabs: true}))
	isA, childOf := h.isA.info.id, h.childOf().info.id
	before := h.Digest()
	for what, f := range map[string]func() error{
		"despawn":      func() error { _, err := h.Despawn(h.goblin); return err },
		"despawn many": func() error { _, err := h.DespawnMany([]Entity{e, h.goblin}); return err },
		"despawn all":  func() error { _, err := q.DespawnAll(); return err },
		"parent":       func() error { _, err := h.Relate(h.goblin, childOf, e); return err },
		"child":        func() error { _, err := h.Relate(e, childOf, h.goblin); return err },
		"spawned":      func() error { _, err := h.SpawnRelated([]Target{{childOf, h.goblin}}); return err },
		"base":         func() error { _, err := h.Relate(h.goblin, isA, e); return err },
		"unrelate":     func() error { _, err := h.Unrelate(h.goblin, isA); return err },
		"remove":       func() error { _, err := h.Remove(h.goblin, isA); return err },
		"copy":         func() error { _, err := h.CopyEntity(h.goblin); return err },
		"queued":       func() error { h.Commands().Despawn(h.goblin); return h.Commands().Apply() },
		"queued base": func() error {
			return errors.Join(h.Commands().Relate(h.goblin, isA, e), h.Commands().Apply())
		},
		"queued end": func() error {
			return errors.Join(h.Commands().Unrelate(h.goblin, isA), h.Commands().Apply())
		},
		"queued removal": func() error {
			return errors.Join(h.Commands().Remove(h.goblin, isA), h.Commands().Apply())
		},
	} {
		if err := f(); !errors.Is(err, ErrPrefab) {
			t.Errorf("%s: %v", what, err)
		}
		checked(t, h.World)
	}
	if h.Digest() != before {
		t.Error("something has changed")
	}
	if _, err := h.Instance(e, nil); err == nil {
		t.Error("an instance of no prefab")
	}
	if _, err := h.Instance(h.goblin, []Target{{isA, e}}); err == nil {
		t.Error("an instance with another base")
	}
	if _, err := h.Commands().Instance(e, nil); err == nil {
		t.Error("a queued instance of no prefab")
	}
	if _, err := h.Commands().Instance(h.goblin, []Target{{isA, e}}); err == nil {
		t.Error("a queued instance with another base")
	}
}

func TestDeclarationsOfPrefabsAreChecked(t *testing.T) {
	h := newDungeon(t)
	before := h.Digest()
	for what, spec := range map[string]PrefabSpec{
		"a prefab needs a name":              {},
		`prefab "ghost" is not declared`:     {Name: "x", Base: "ghost"},
		"declared differently":               {Name: "goblin"},
		`two children are called "a"`:        {Name: "x", Children: []PrefabSpec{{Name: "a"}, {Name: "a"}}},
		`"LivesIn" is a relation`:            {Name: "x", Components: []PrefabPart{{Component: h.livesIn}}},
		`component "Blade" is there twice`:   {Name: "x", Components: []PrefabPart{{Component: h.blade}, {Component: h.blade}}},
		"component id 99 is not declared":    {Name: "x", Components: []PrefabPart{{Component: 99}}},
		"tag id 99 is not declared":          {Name: "x", Tags: []TagID{99}},
		"Blade.edge: number expected":        {Name: "x", Components: []PrefabPart{{h.blade, []FieldValue{{0, Text("sharp")}}}}},
		`child "c": component id 99`:         {Name: "x", Children: []PrefabSpec{{Name: "c", Components: []PrefabPart{{Component: 99}}}}},
		`the base of "c": prefab "ghost" is`: {Name: "x", Children: []PrefabSpec{{Name: "c", Base: "ghost"}}},
		`prefab "x" is made of itself`:       {Name: "x", Children: []PrefabSpec{{Name: "c", Base: "x"}}},
	} {
		if _, err := h.DeclarePrefab(spec); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	cycle := monsterSpec(h)
	cycle.Base = "goblin"
	if err := h.RevisePrefab(cycle); !errors.Is(err, ErrCycle) {
		t.Errorf("a cycle: %v", err)
	}
	if err := h.RevisePrefab(PrefabSpec{Name: "ghost"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("revising what is not there: %v", err)
	}
	c := must[*Query](t)(h.Query(Filter{})).begin()
	if _, err := h.DeclarePrefab(PrefabSpec{Name: "x"}); !errors.Is(err, ErrLocked) {
		t.Errorf("inside of a loop: %v", err)
	}
	if _, err := h.Instance(h.goblin, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("an instance inside of a loop: %v", err)
	}
	c.End()
	if h.Digest() != before {
		t.Error("something has changed")
	}
	checked(t, h.World)
	last := h.goblin
	for i := range MaxBases + 2 {
		name, base := "deep"+string(rune('A'+i)), "goblin"
		if i > 0 {
			base = "deep" + string(rune('A'+i-1))
		}
		e, err := h.DeclarePrefab(PrefabSpec{Name: name, Base: base})
		if err != nil {
			if !errors.Is(err, ErrDepth) {
				t.Error(err)
			}
			break
		}
		last = e
	}
	if _, err := h.Instance(last, nil); !errors.Is(err, ErrDepth) {
		t.Errorf("too deep: %v", err)
	}
	e := must[Entity](t)(h.Commands().Instance(last, nil))
	if err := h.Commands().Apply(); !errors.Is(err, ErrDepth) || h.Alive(e) {
		t.Errorf("too deep, queued: %v", err)
	}
	checked(t, h.World)
	spec := PrefabSpec{Name: "p0"}
	for i := range 14 { // each has the children of two earlier ones
		if i > 0 {
			base := "p" + string(rune('0'+i-1))
			spec = PrefabSpec{Name: "p" + string(rune('0'+i)), Children: []PrefabSpec{{Name: "a", Base: base}, {Name: "b", Base: base}}}
		}
		if _, err := h.DeclarePrefab(spec); err != nil {
			if !errors.Is(err, ErrLimit) || i < 12 {
				t.Errorf("prefab %d: %v", i, err)
			}
			return
		}
	}
	t.Error("a prefab has 16,383 entities")
}

func TestARevisedPrefabGetsWhatHasChanged(t *testing.T) {
	h := newDungeon(t)
	e := must[Entity](t)(h.Instance(h.goblin, nil))
	if _, err := h.Set(h.monster, h.health.ID(), FieldValue{0, Number(5)}); err != nil { // another field than is going to change
		t.Fatal(err)
	}
	spec := monsterSpec(h)
	spec.Components[0].Fields[1].Value = Number(20)
	spec.Components = append(spec.Components, PrefabPart{h.blade, []FieldValue{{0, Number(4)}}})
	spec.Tags = []TagID{h.boss}
	spec.Children = append(spec.Children, PrefabSpec{Name: "horn"})
	if err := h.RevisePrefab(spec); err != nil {
		t.Fatal(err)
	}
	checked(t, h.World)
	if got := h.points(h.monster); got != (hitPoints{5, 20}) {
		t.Errorf("the monster has %v", got)
	}
	if got := h.points(h.goblin); got != (hitPoints{7, 20}) {
		t.Errorf("the goblin has %v", got)
	}
	if got, want := h.shape(h.monster), " Health Blade #boss( Name, )"; got != want {
		t.Errorf("the monster is %q, want %q", got, want)
	}
	if !h.Tagged(h.goblin, h.boss) || !h.Tagged(h.goblin, h.enemy) || h.Child(h.goblin, "horn") == None {
		t.Errorf("the goblin is %s", h.shape(h.goblin))
	}
	if h.field(e, h.blade, 0).Float() != 4 || h.points(e) != (hitPoints{7, 20}) || h.Tagged(e, h.boss) || h.Child(e, "horn") != None {
		t.Errorf("the instance is %s", h.shape(e))
	}
	if err := h.RevisePrefab(PrefabSpec{Name: "goblin"}); err != nil {
		t.Fatal(err)
	}
	checked(t, h.World)
	if got := h.shape(h.goblin); got != "" || h.Has(e, h.health.ID()) || h.Related(h.Child(e, "sword"), h.isA.info.id) != None {
		t.Errorf("the goblin is %s, the instance %s", got, h.shape(e))
	}
	if n := len(h.Sources(nil, h.childOf().info.id, e)); n != 3-1 {
		t.Errorf("the instance has %d children", n)
	}
	if err := h.RevisePrefab(goblinSpec(h)); err != nil {
		t.Fatal(err)
	}
	checked(t, h.World)
	if h.points(e) != (hitPoints{7, 20}) {
		t.Errorf("the instance has %v", h.points(e))
	}
}

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
