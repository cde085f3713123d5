package ecs

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// random makes n random changes of the relations.
func (p *people) random(seed uint64, n int) {
	state := seed*2654435761 + 1
	next := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state >> 33 % uint64(n))
	}
	for range n {
		a, b := p.list[next(len(p.list))], p.list[next(len(p.list))]
		switch next(5) {
		case 0:
			must[bool](p.t)(p.UnrelateFrom(a, p.knows, b))
		case 1:
			must[bool](p.t)(p.UnrelateFrom(a, p.knows, p.Related(a, p.knows)))
		default:
			must[bool](p.t)(p.Relate(a, p.knows, b))
		}
	}
}

func TestManyTargetsAreSavedAndLoaded(t *testing.T) {
	p := newPeople(t, 30)
	p.random(1, 900)
	ok(t, p.Commands().UnrelateFrom(p.list[0], p.knows, p.Related(p.list[0], p.knows)))
	var file bytes.Buffer
	ok(t, p.Save(&file))
	loaded := must[*World](t)(Load(&file, Options{}))
	check(t, loaded)
	if loaded.Digest() != p.Digest() || len(loaded.Differences(p.World, 9)) > 0 {
		t.Error("the loaded world is another one")
	}
	ok(t, loaded.Commands().Apply())
	ok(t, p.Commands().Apply())
	again := &people{World: loaded, t: t, knows: p.knows, list: p.list}
	again.random(2, 300)
	p.random(2, 300)
	check(t, loaded)
	if loaded.Digest() != p.Digest() {
		t.Error("the loaded world goes on otherwise")
	}
}

func TestDigestsAndDifferencesKnowEachTarget(t *testing.T) {
	p := newPeople(t, 4)
	p.relate(0, 1, 2, 3)
	other := must[*World](t)(p.Copy())
	must[bool](t)(other.UnrelateFrom(p.list[0], p.knows, p.list[2]))
	must[bool](t)(other.Relate(p.list[0], p.knows, p.list[2]))
	var lines []string
	for _, d := range p.Differences(other, 9) {
		lines = append(lines, d.String())
	}
	if !slices.Equal(lines, []string{"entity 0v1, Knows.target[2]: 2v1, 3v1"}) {
		t.Errorf("differences %q", lines)
	}
	part := func(w *World) uint64 {
		for _, d := range w.PartDigests(nil) {
			if d.Part == "component Knows" {
				return d.Digest
			}
		}
		return 0
	}
	if p.Digest() == other.Digest() || part(p.World) == part(other) {
		t.Error("the order of targets is in no digest")
	}
	ok(t, p.Restore(other))
	p.has(0, []int{1, 3, 2}, nil)
	if p.Digest() != other.Digest() || part(p.World) != part(other) {
		t.Error("the restored world has another digest")
	}
	turn := p.NewTurnDigests()
	end := func(target int) uint64 {
		p.now++
		turn.Begin()
		p.now++
		must[bool](t)(p.UnrelateFrom(p.list[0], p.knows, p.list[target]))
		sum := turn.End(nil, nil)
		p.relate(0, target)
		return sum
	}
	if end(3) == end(2) {
		t.Error("the digest of a turn does not know which target was taken away")
	}
}

func TestAdoptMakesManyOfOneTarget(t *testing.T) {
	one := newWorld(Options{})
	likes := must[RelationID](t)(one.DeclareRelation("Likes"))
	var e []Entity
	for range 4 {
		e = append(e, must[Entity](t)(one.Spawn()))
	}
	for _, i := range []int{2, 0, 1} {
		must[bool](t)(one.Relate(e[i], likes, e[3]))
	}
	many := newWorld(Options{})
	id := must[RelationID](t)(many.DeclareRelation("Likes", ManyTargets))
	must[TagID](t)(many.DeclareTag("new"))
	must[[]string](t)(many.Adopt(one, Adopting{}))
	check(t, many)
	must[bool](t)(many.Relate(e[0], id, e[1]))
	if got := slices.Collect(many.Targets(e[0], id)); !slices.Equal(got, []Entity{e[3], e[1]}) {
		t.Errorf("targets %v", got)
	}
	if got := many.Sources(nil, id, e[3]); !slices.Equal(got, []Entity{e[2], e[0], e[1]}) {
		t.Errorf("sources %v", got)
	}
	if _, err := one.Adopt(many, Adopting{}); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `relation "Likes" had many targets and has one target now`) {
		t.Errorf("the other way: %v", err)
	}
	third := newWorld(Options{})
	more := must[RelationID](t)(third.DeclareRelation("Loves", ManyTargets))
	must[[]string](t)(third.Adopt(many, Adopting{Renamed: Renamed{Relations: map[string]string{"Likes": "Loves"}}, Drop: func(Loss) bool { return true }}))
	check(t, third)
	if third.TargetCount(e[0], more) != 2 {
		t.Error("a renamed relation has lost targets")
	}
}

func TestAFailedTurnGivesTargetsBack(t *testing.T) {
	p := newPeople(t, 12)
	p.random(3, 100)
	s := NewSchedule(p.World)
	s.RollBack = true
	fails := errors.New("fails")
	s.OnError = func(*System, error) error { return nil }
	seed, failing := uint64(9), true
	must[*System](t)(s.AddSystem(SystemSpec{Name: "social", Run: func(w *World, _ float64) error {
		dying := p.list[int(seed)%len(p.list)]
		p.random(seed, 60)
		if !failing {
			return nil
		}
		must[bool](t)(w.Despawn(dying))
		return fails
	}}))
	for range 20 {
		before := p.Digest()
		ok(t, s.Run(1))
		check(t, p.World)
		if p.Digest() != before {
			t.Fatal("the turn has left something behind")
		}
		failing, seed = false, seed+1
		ok(t, s.Run(1))
		check(t, p.World)
		failing = true
	}
}
