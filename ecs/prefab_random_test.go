package ecs

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// randomPrefab returns a description whose base is one of the names.
func randomPrefab(h *dungeon, rng *rand.Rand, name string, bases []string, levels int) PrefabSpec {
	s := PrefabSpec{Name: name}
	if len(bases) > 0 && rng.IntN(2) == 0 {
		s.Base = bases[rng.IntN(len(bases))]
	}
	for _, id := range []ComponentID{h.health.ID(), h.blade, h.name} {
		if rng.IntN(2) == 0 {
			continue
		}
		part := PrefabPart{Component: id}
		if rng.IntN(3) > 0 {
			v := Number(float64(rng.IntN(5)))
			if id == h.name {
				v = Text(fmt.Sprint(rng.IntN(5)))
			}
			part.Fields = []FieldValue{{0, v}}
		}
		s.Components = append(s.Components, part)
	}
	for _, id := range []TagID{h.enemy, h.boss} {
		if rng.IntN(3) == 0 {
			s.Tags = append(s.Tags, id)
		}
	}
	for _, child := range []string{"a", "b", "c"} {
		if levels > 0 && rng.IntN(3) == 0 {
			s.Children = append(s.Children, randomPrefab(h, rng, child, bases, levels-1))
		}
	}
	return s
}

var prefabNames = []string{"p", "q", "r", "s"}

func randomDungeon(t *testing.T, rng *rand.Rand) *dungeon {
	h := declareDungeon(t)
	for i, name := range prefabNames {
		must[Entity](t)(h.DeclarePrefab(randomPrefab(h, rng, name, prefabNames[:i], 2)))
	}
	checked(t, h.World)
	return h
}

// Whatever is done with prefabs and instances, the world stays whole, and a revised prefab is as a fresh one if nothing else was written to it.
func TestRandomPrefabs(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		h := randomDungeon(t, rng)
		written := false
		var all []Entity
		some := func() Entity {
			if len(all) == 0 {
				return None
			}
			return all[rng.IntN(len(all))]
		}
		prefab := func() Entity {
			list := h.PrefabEntities(prefabNames[rng.IntN(len(prefabNames))])
			return list[rng.IntN(len(list))]
		}
		ids := []ComponentID{h.health.ID(), h.blade, h.name, h.pos}
		for range 40 {
			id := ids[rng.IntN(len(ids))]
			switch rng.IntN(12) {
			case 0, 1:
				all = append(all, must[Entity](t)(h.Instance(prefab(), nil, id)))
			case 2:
				all = append(all, must[Entity](t)(h.Commands().Instance(prefab(), []Target{{h.livesIn, some()}}, id)))
			case 3:
				if err := h.Commands().Apply(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			case 4:
				if _, err := h.Despawn(some()); err != nil {
					t.Fatal(err)
				}
			case 5:
				if e := some(); e != None {
					must[bool](t)(h.Set(e, id))
				}
			case 6:
				written = true
				must[bool](t)(h.Set(prefab(), id))
			case 7:
				written = true
				h.Tag(prefab(), h.boss)
			case 8:
				if e := some(); h.Alive(e) {
					written = true
					must[bool](t)(h.Relate(prefab(), h.livesIn, e))
				}
			default:
				i := rng.IntN(len(prefabNames))
				if err := h.RevisePrefab(randomPrefab(h, rng, prefabNames[i], prefabNames[:i], 2)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if err := h.Check(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if !written {
			fresh := h.Blank(Options{})
			for _, name := range prefabNames {
				x, y := h.PrefabEntities(name), fresh.PrefabEntities(name)
				if len(x) != len(y) {
					t.Fatalf("seed %d: prefab %s has %d entities, a fresh one %d", seed, name, len(x), len(y))
				}
				for i := range x {
					if a, b := text(h, x[i]), text(&dungeon{World: fresh, health: h.health, name: h.name, blade: h.blade}, y[i]); a != b {
						t.Fatalf("seed %d: prefab %s is %s, a fresh one %s", seed, h.PrefabOf(x[i]), a, b)
					}
				}
			}
		}
		c := must[*World](t)(h.Copy())
		var file bytes.Buffer
		if err := h.Save(&file); err != nil {
			t.Fatal(err)
		}
		loaded := must[*World](t)(Load(bytes.NewReader(file.Bytes()), Options{}))
		for _, w := range []*World{c, loaded} {
			if err := errors.Join(w.Check(), w.Commands().Apply()); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if c.Digest() != loaded.Digest() {
			t.Fatalf("seed %d: a copy and a file went different ways: %v", seed, c.Differences(loaded, 3))
		}
		other := randomDungeon(t, rand.New(rand.NewPCG(seed, 2)))
		if _, err := other.Adopt(h.World, Adopting{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := errors.Join(other.Check(), other.Commands().Apply(), other.Check()); err != nil {
			t.Fatalf("seed %d: adopted: %v", seed, err)
		}
	}
}

// text returns what an entity has, its values and tags.
func text(h *dungeon, e Entity) string {
	out := h.PrefabOf(e) + " of " + h.PrefabOf(h.Related(e, h.isA.info.id))
	for _, id := range h.ComponentsOf(e) {
		out += " " + h.components[id].name
	}
	for _, id := range h.TagsOf(e) {
		out += " #" + h.TagName(id)
	}
	for _, id := range []ComponentID{h.health.ID(), h.blade, h.name} {
		out += " " + h.field(e, id, 0).String()
	}
	return out
}
