package ecs

import (
	"errors"
	"strings"
	"testing"
)

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
