package ecs

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// people is a world with a relation of many targets, and some entities.
type people struct {
	*World
	t     *testing.T
	knows RelationID
	list  []Entity
}

func newPeople(t *testing.T, n int) *people {
	t.Helper()
	p := &people{World: newWorld(Options{}), t: t}
	p.knows = must[RelationID](t)(p.DeclareRelation("Knows", ManyTargets))
	for range n {
		p.list = append(p.list, must[Entity](t)(p.Spawn()))
	}
	t.Cleanup(func() { check(t, p.World) })
	return p
}

func (p *people) relate(e int, targets ...int) {
	p.t.Helper()
	for _, to := range targets {
		if ok, err := p.Relate(p.list[e], p.knows, p.list[to]); !ok || err != nil {
			p.t.Fatalf("relate %d to %d: %v, %v", e, to, ok, err)
		}
	}
}

// has compares the targets and the sources of an entity, by their places in the list.
func (p *people) has(e int, targets, sources []int) {
	p.t.Helper()
	places := func(list []Entity) (out []int) {
		for _, e := range list {
			out = append(out, slices.Index(p.list, e))
		}
		return out
	}
	if got := places(slices.Collect(p.Targets(p.list[e], p.knows))); !slices.Equal(got, targets) {
		p.t.Errorf("the targets of %d are %v, not %v", e, got, targets)
	}
	if got := places(p.Sources(nil, p.knows, p.list[e])); !slices.Equal(got, sources) {
		p.t.Errorf("the sources of %d are %v, not %v", e, got, sources)
	}
	if n := p.TargetCount(p.list[e], p.knows); n != len(targets) {
		p.t.Errorf("%d has %d targets, not %d", e, n, len(targets))
	}
	first := None
	if len(targets) > 0 {
		first = p.list[targets[0]]
	}
	if got := p.Related(p.list[e], p.knows); got != first {
		p.t.Errorf("the first target of %d is %s, not %s", e, got, first)
	}
	check(p.t, p.World)
}

func TestManyTargetsKeepTheOrderInWhichTheyCame(t *testing.T) {
	p := newPeople(t, 4)
	p.relate(0, 2, 1, 3, 1, 0)
	p.relate(1, 3)
	p.has(0, []int{2, 1, 3, 0}, []int{0})
	p.has(3, nil, []int{0, 1})
	tables := len(p.Tables())
	if ok, err := p.UnrelateFrom(p.list[0], p.knows, p.list[2]); !ok || err != nil {
		t.Errorf("unrelate from: %v, %v", ok, err)
	}
	p.has(0, []int{1, 3, 0}, []int{0})
	if ok, err := p.UnrelateFrom(p.list[0], p.knows, p.list[2]); ok || err != nil {
		t.Errorf("unrelate again: %v, %v", ok, err)
	}
	if !p.Relates(p.list[0], p.knows, p.list[3]) || p.Relates(p.list[0], p.knows, p.list[2]) || p.Relates(p.list[3], p.knows, p.list[0]) || p.Relates(p.list[0], p.knows, Entity(900)) {
		t.Error("relates says otherwise")
	}
	if ok, err := p.Unrelate(p.list[0], p.knows); !ok || err != nil {
		t.Errorf("unrelate: %v, %v", ok, err)
	}
	p.has(0, nil, nil)
	p.has(3, nil, []int{1})
	if len(p.Tables()) != tables {
		t.Errorf("%d tables, there were %d", len(p.Tables()), tables)
	}
}

func TestASecondTimeChangesNothing(t *testing.T) {
	p := newPeople(t, 2)
	p.relate(0, 1)
	p.endTurn()
	before := p.Digest()
	p.relate(0, 1)
	table, row := p.TableOf(p.list[0])
	if table.Column(p.knows).Changed(row) == p.Tick() || p.Digest() != before {
		t.Error("a target that was there has changed the world")
	}
	p.relate(0, 0)
	if table.Column(p.knows).Changed(row) != p.Tick() {
		t.Error("another target has not changed the row")
	}
	p.endTurn()
	must[bool](t)(p.UnrelateFrom(p.list[0], p.knows, p.list[0]))
	if table.Column(p.knows).Changed(row) != p.Tick() {
		t.Error("a target less has not changed the row")
	}
}

// endTurn begins another tick.
func (p *people) endTurn() { p.World.now++ }

func TestADyingTargetIsTakenAwayFromEachSource(t *testing.T) {
	p := newPeople(t, 4)
	p.TrackRemoved(p.knows)
	p.relate(0, 1, 2)
	p.relate(3, 1)
	p.relate(1, 1, 0)
	must[bool](t)(p.Despawn(p.list[1]))
	p.has(0, []int{2}, nil)
	p.has(3, nil, nil)
	if p.Has(p.list[3], p.knows) || !p.Has(p.list[0], p.knows) {
		t.Error("who has lost the last target has lost the relation")
	}
	var lost []Entity
	for _, r := range p.components[p.knows].lost.entries {
		lost = append(lost, r.entity)
	}
	if !slices.Equal(lost, []Entity{p.list[3], p.list[1]}) {
		t.Errorf("lost by %v", lost)
	}
}

func TestOneTargetAndManyAreTwoDeclarations(t *testing.T) {
	p := newPeople(t, 0)
	for name, want := range map[string]string{
		"Knows": "declare relation Knows: declared differently: it has many targets, not one target",
		"Likes": "declare relation Likes: declared differently: it has one target, not many targets",
		ChildOf: "declare relation ChildOf: declared differently: it has one target",
	} {
		var how []RelationOption
		if name != "Knows" {
			how = []RelationOption{ManyTargets}
		}
		if name == "Likes" {
			must[RelationID](t)(p.DeclareRelation(name))
		}
		if _, err := p.DeclareRelation(name, how...); !errors.Is(err, ErrMismatch) || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := must[RelationID](t)(p.DeclareRelation("Knows", ManyTargets))
	info, _ := p.ComponentInfo(again)
	if again != p.knows || !info.Many || !info.Relation {
		t.Errorf("declared again: %+v", info)
	}
	other := newWorld(Options{})
	must[RelationID](t)(other.DeclareRelation("Knows"))
	must[RelationID](t)(other.DeclareRelation("Likes"))
	if err := p.Restore(other); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `relation "Knows" has many targets here and one target there`) {
		t.Errorf("restore: %v", err)
	}
}

func TestOneTargetIsTakenAwayByName(t *testing.T) {
	f := newFamily(t)
	a, b, c := f.spawn(), f.spawn(), f.spawn()
	f.relate(a, f.ownedBy, b)
	if ok, err := f.UnrelateFrom(a, f.ownedBy, c); ok || err != nil || !f.Relates(a, f.ownedBy, b) || f.TargetCount(a, f.ownedBy) != 1 {
		t.Errorf("another target: %v, %v", ok, err)
	}
	if got := slices.Collect(f.Targets(a, f.ownedBy)); !slices.Equal(got, []Entity{b}) {
		t.Errorf("targets %v", got)
	}
	if ok, err := f.UnrelateFrom(a, f.ownedBy, b); !ok || err != nil || f.Owns(a, f.ownedBy) || f.TargetCount(a, f.ownedBy) != 0 {
		t.Errorf("its target: %v, %v", ok, err)
	}
	if _, err := f.UnrelateFrom(a, f.pos.ID(), b); !errors.Is(err, ErrUnknown) {
		t.Errorf("a component: %v", err)
	}
}

func TestStructureIsLockedInALoopOverTargets(t *testing.T) {
	p := newPeople(t, 3)
	p.relate(0, 1, 2)
	n := 0
	for to := range p.Targets(p.list[0], p.knows) {
		if _, err := p.UnrelateFrom(p.list[0], p.knows, to); !errors.Is(err, ErrLocked) {
			t.Errorf("in the loop: %v", err)
		}
		p.Commands().UnrelateFrom(p.list[0], p.knows, to)
		if n++; n == 1 {
			break
		}
	}
	ok(t, p.Commands().Apply())
	p.has(0, []int{2}, nil)
}

func TestManyTargetsOfASpawn(t *testing.T) {
	p := newPeople(t, 3)
	to := func(list ...int) (out []Target) {
		for _, i := range list {
			out = append(out, Target{p.knows, p.list[i]})
		}
		return out
	}
	p.list = append(p.list, must[Entity](t)(p.SpawnRelated(to(2, 0, 2))))
	p.has(3, []int{2, 0}, nil)
	p.list = append(p.list, must[Entity](t)(p.Commands().SpawnRelated(to(1, 2))))
	ok(t, p.Commands().Relate(p.list[4], p.knows, p.list[0]))
	ok(t, p.Commands().Apply())
	p.has(4, []int{1, 2, 0}, nil)
	p.list = append(p.list, must[Entity](t)(p.CopyEntity(p.list[4])))
	p.has(5, []int{1, 2, 0}, nil)
	p.has(2, nil, []int{3, 4, 5})
	spot := MustRegister[position](p.World, "Position")
	spawner := must[*Spawner1[position]](t)(NewSpawner1[position](p.World))
	p.list = append(p.list, must[[]Entity](t)(spawner.SpawnMany(nil, []position{{1, 2}, {3, 4}}, to(0, 1)...))...)
	p.has(7, []int{0, 1}, nil)
	if spot.Get(p.list[7]).X != 3 {
		t.Error("another value")
	}
}

func TestRelateManyAndRetargetOfManyTargets(t *testing.T) {
	p := newPeople(t, 5)
	p.relate(0, 3)
	if n, err := p.RelateMany(p.list[:3], p.knows, p.list[4]); n != 3 || err != nil {
		t.Errorf("relate many: %d, %v", n, err)
	}
	p.relate(1, 3)
	p.has(4, nil, []int{0, 1, 2})
	if n, err := p.Retarget(p.knows, p.list[4], p.list[3]); n != 3 || err != nil {
		t.Errorf("retarget: %d, %v", n, err)
	}
	p.has(0, []int{3}, nil)
	p.has(1, []int{3}, nil)
	p.has(3, nil, []int{0, 1, 2})
	p.has(4, nil, nil)
	if n, err := p.Retarget(p.knows, p.list[3], p.list[3]); n != 3 || err != nil {
		t.Errorf("retarget to the same: %d, %v", n, err)
	}
	p.has(3, nil, []int{0, 1, 2})
	p.relate(0, 1)
	ok(t, p.SortByTarget(p.knows))
	p.has(0, []int{3, 1}, nil)
}

func TestObserversAreToldOfEachTarget(t *testing.T) {
	s := newWatched(t)
	knows := must[RelationID](t)(s.DeclareRelation("Knows", ManyTargets))
	var e []Entity
	for range 4 {
		e = append(e, must[Entity](t)(s.Spawn()))
	}
	s.on(OnRelated, "Knows")
	s.on(OnUnrelated, "Knows")
	for _, to := range []Entity{e[1], e[2], e[1], e[3]} {
		must[bool](t)(s.Relate(e[0], knows, to))
	}
	s.told("related Knows 0v1 1v1", "related Knows 0v1 2v1", "related Knows 0v1 3v1")
	must[bool](t)(s.UnrelateFrom(e[0], knows, e[2]))
	s.told("unrelated Knows 0v1 2v1")
	must[bool](t)(s.Despawn(e[1]))
	s.told("unrelated Knows 0v1 1v1")
	must[bool](t)(s.Relate(e[0], knows, e[2]))
	must[bool](t)(s.Relate(e[0], knows, e[0]))
	s.told("related Knows 0v1 2v1", "related Knows 0v1 0v1")
	must[bool](t)(s.Despawn(e[0]))
	s.told("unrelated Knows 0v1 3v1", "unrelated Knows 0v1 2v1", "unrelated Knows 0v1 0v1")
	f := must[Entity](t)(s.SpawnRelated([]Target{{knows, e[2]}, {knows, e[3]}}))
	s.told("related Knows 0v2 2v1", "related Knows 0v2 3v1")
	must[bool](t)(s.Unrelate(f, knows))
	s.told("unrelated Knows 0v2 2v1", "unrelated Knows 0v2 3v1")
	must[int](t)(s.RelateMany([]Entity{e[2], f}, knows, e[3]))
	s.told("related Knows 2v1 3v1", "related Knows 0v2 3v1")
	must[int](t)(s.Retarget(knows, e[3], f))
	s.told("related Knows 2v1 0v2", "related Knows 0v2 0v2", "unrelated Knows 2v1 3v1", "unrelated Knows 0v2 3v1")
}

func TestPairsCountForTheLimitOfBytes(t *testing.T) {
	p := newPeople(t, 300)
	p.relate(0, 1)
	p.options.MaxBytes = p.Bytes() + 100
	var err error
	n := 1
	for ; err == nil && n < 300; n++ {
		_, err = p.Relate(p.list[0], p.knows, p.list[n])
	}
	if !errors.Is(err, ErrBytes) || p.TargetCount(p.list[0], p.knows) != n-2 {
		t.Errorf("after %d targets: %v", n, err)
	}
	check(t, p.World)
	p.options.MaxBytes = 0
	p.random(7, 3000)
	check(t, p.World)
	if w := p.Blank(Options{}); w.Stats().IndexBytes >= p.Stats().IndexBytes {
		t.Error("the pairs are in no statistics")
	}
	ok(t, p.Reset())
	if pairs := p.components[p.knows].relation.pairs; pairs.all.bytes() != 0 || pairs.lists.bytes() != 0 || pairs.made != 0 {
		t.Error("something is left in an empty world")
	}
	p.list = nil
}

func TestWalksOverTheSourcesOfOneOfManyTargets(t *testing.T) {
	p := newPeople(t, 6)
	spot := MustRegister[position](p.World, "Position")
	for i, e := range p.list[1:] {
		must[bool](t)(spot.Set(e, position{float64(i + 1), 0}))
		p.relate(i+1, (i+2)%6, 0)
	}
	must[bool](t)(p.Remove(p.list[3], spot.ID()))
	q := must[*Query1[position]](t)(NewQuery1[position](p.World))
	var met []float64
	e, err := q.StartTarget(p.knows, p.list[0])
	ok(t, err)
	for ; e.Ok(); e = e.Next() {
		met = append(met, e.Get().X)
	}
	if !slices.Equal(met, []float64{1, 2, 4, 5}) {
		t.Errorf("met %v", met)
	}
	plain := must[*Query](t)(p.Query(Filter{Required: []ComponentID{spot.ID()}, Changed: []ComponentID{spot.ID()}}))
	c := must[Cursor](t)(Raw.BeginTarget(plain, p.knows, p.list[4]))
	for met = nil; c.Next(); {
		met = append(met, spot.Get(c.Entity()).X)
	}
	if len(met) != 0 {
		t.Errorf("of 4, whose only source has no place: %v", met)
	}
	c = must[Cursor](t)(Raw.BeginTarget(plain, p.knows, p.list[5]))
	if !c.Next() || c.Entity() != p.list[4] || c.Next() {
		t.Error("not the source of 5")
	}
}
