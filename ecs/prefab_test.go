package ecs

import (
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
