package ecs

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// family is a world with both special relations, one of the user's own and two components.
type family struct {
	*World
	t            *testing.T
	childOf, isA RelationID
	ownedBy      RelationID
	pos          Component[position]
	vel          Component[velocity]
}

func newFamily(t *testing.T) *family {
	t.Helper()
	f := &family{World: newWorld(Options{}), t: t}
	for _, r := range []struct {
		name string
		id   *RelationID
	}{{ChildOf, &f.childOf}, {IsA, &f.isA}, {"OwnedBy", &f.ownedBy}} {
		id, err := f.DeclareRelation(r.name)
		if err != nil {
			t.Fatal(err)
		}
		*r.id = id
	}
	f.pos = MustRegister[position](f.World, "Position")
	f.vel = MustRegister[velocity](f.World, "Velocity")
	t.Cleanup(func() {
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *family) spawn(ids ...ComponentID) Entity {
	f.t.Helper()
	e, err := f.Spawn(ids...)
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

func (f *family) relate(e Entity, id RelationID, target Entity) {
	f.t.Helper()
	if ok, err := f.Relate(e, id, target); !ok || err != nil {
		f.t.Fatalf("relate %s to %s: %v, %v", e, target, ok, err)
	}
}

func TestDespawningAParentTakesItsChildrenDepthFirst(t *testing.T) {
	f := newFamily(t)
	f.TrackRemoved(f.pos.ID())
	root := f.spawn(f.pos.ID())
	a, b := f.spawn(f.pos.ID()), f.spawn(f.pos.ID())
	a1, a2 := f.spawn(f.pos.ID()), f.spawn(f.pos.ID())
	stranger := f.spawn(f.pos.ID())
	f.relate(a, f.childOf, root)
	f.relate(b, f.childOf, root)
	f.relate(a1, f.childOf, a)
	f.relate(a2, f.childOf, a)
	if _, err := f.Despawn(root); err != nil {
		t.Fatal(err)
	}
	want := []Entity{root, a, a1, a2, b}
	if got := f.RemovedSince(nil, f.pos.ID(), 0); !slices.Equal(got, want) {
		t.Errorf("died in the order %v, want %v", got, want)
	}
	if f.Len() != 1 || !f.Alive(stranger) {
		t.Errorf("%d entities live", f.Len())
	}
}

func TestADeepFamilyDies(t *testing.T) {
	f := newFamily(t)
	root := f.spawn()
	last := root
	for range 10_000 {
		e, err := f.SpawnRelated([]Target{{f.childOf, last}})
		if err != nil {
			t.Fatal(err)
		}
		last = e
	}
	if _, err := f.Despawn(root); err != nil {
		t.Fatal(err)
	}
	if f.Len() != 0 {
		t.Errorf("%d entities live", f.Len())
	}
}

func TestCyclesAreRefused(t *testing.T) {
	f := newFamily(t)
	a, b, c := f.spawn(), f.spawn(), f.spawn()
	f.relate(b, f.childOf, a)
	f.relate(c, f.childOf, b)
	for _, e := range []Entity{a, b, c} {
		if _, err := f.Relate(a, f.childOf, e); !errors.Is(err, ErrCycle) {
			t.Errorf("a as a child of %s: %v", e, err)
		}
	}
	f.relate(b, f.ownedBy, a) // other relations may form cycles
	f.relate(a, f.ownedBy, b)
	f.relate(a, f.ownedBy, a)
	if got := f.Related(a, f.ownedBy); got != a {
		t.Errorf("a is owned by %s", got)
	}
}

func TestADeadTargetEndsTheRelation(t *testing.T) {
	f := newFamily(t)
	owner, base := f.spawn(), f.spawn(f.pos.ID())
	e := f.spawn()
	f.relate(e, f.ownedBy, owner)
	f.relate(e, f.isA, base)
	if !f.Has(e, f.ownedBy, f.isA, f.pos.ID()) {
		t.Error("has does not see the relations or the shared component")
	}
	for _, target := range []Entity{owner, base} {
		if _, err := f.Despawn(target); err != nil {
			t.Fatal(err)
		}
	}
	if !f.Alive(e) || f.Has(e, f.ownedBy) || f.Has(e, f.isA) || f.Has(e, f.pos.ID()) {
		t.Error("a relation outlived its target")
	}
}

func TestRetargetMovesNothing(t *testing.T) {
	f := newFamily(t)
	a, b, e := f.spawn(), f.spawn(), f.spawn(f.pos.ID())
	f.relate(e, f.ownedBy, a)
	table, row := f.TableOf(e)
	tables := len(f.Tables())
	f.relate(e, f.ownedBy, b)
	if t2, r2 := f.TableOf(e); t2 != table || r2 != row || len(f.Tables()) != tables {
		t.Error("the entity moved")
	}
	if f.SourceCount(f.ownedBy, a) != 0 || !slices.Equal(f.Sources(nil, f.ownedBy, b), []Entity{e}) {
		t.Error("the lists of sources are wrong")
	}
	if n := testing.AllocsPerRun(100, func() { f.relate(e, f.ownedBy, a); f.relate(e, f.ownedBy, b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if ok, err := f.Unrelate(e, f.ownedBy); !ok || err != nil {
		t.Error(ok, err)
	}
	if ok, err := f.Unrelate(e, f.ownedBy); ok || err != nil {
		t.Error("ended twice", ok, err)
	}
}

func TestSharedUntilOverridden(t *testing.T) {
	f := newFamily(t)
	grand, base, e := f.spawn(f.pos.ID(), f.vel.ID()), f.spawn(), f.spawn()
	*f.pos.Write(grand) = position{1, 2}
	f.relate(base, f.isA, grand)
	f.relate(e, f.isA, base)
	if got := f.pos.Shared(e); got == nil || *got != (position{1, 2}) || f.pos.Get(e) != nil {
		t.Errorf("through the chain: %v", got)
	}
	if err := f.Ref(e, f.pos.ID()).SetNumber(0, 9); !errors.Is(err, ErrInherited) {
		t.Errorf("writing through an inherited view: %v", err)
	}
	if ok, err := f.Set(e, f.pos.ID(), FieldValue{0, Number(5)}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got := *f.pos.Get(e); got != (position{5, 2}) {
		t.Errorf("an override starts from the base's values: %v", got)
	}
	if *f.pos.Get(grand) != (position{1, 2}) {
		t.Error("the base changed")
	}
	if f.Owns(e, f.vel.ID()) || !f.Owns(e, f.pos.ID()) {
		t.Error("Owns")
	}
}

func TestQueriesSeeInheritedComponents(t *testing.T) {
	f := newFamily(t)
	base := f.spawn(f.pos.ID())
	f.pos.Write(base).X = 7
	plain := f.spawn(f.vel.ID())
	e := f.spawn(f.vel.ID())
	f.relate(e, f.isA, base)
	q, err := f.Query(Filter{Required: []ComponentID{f.vel.ID(), f.pos.ID()}, Inherited: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []Entity
	for x, c := range q.each {
		got = append(got, x)
		if c.Row(1).Number(0) != 7 {
			t.Errorf("%s reads %v", x, c.Row(1).Number(0))
		}
	}
	if !slices.Equal(got, []Entity{e}) || q.Count() != 1 || q.First() != e {
		t.Errorf("matched %v", got)
	}
	without, err := f.Query(Filter{Required: []ComponentID{f.vel.ID()}, Without: []ComponentID{f.pos.ID()}, Inherited: true})
	if err != nil {
		t.Fatal(err)
	}
	if without.Count() != 1 || without.First() != plain {
		t.Errorf("without sees %d", without.Count())
	}
	own, err := f.Query(Filter{Required: []ComponentID{f.vel.ID(), f.pos.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	if own.Count() != 0 {
		t.Error("a query that does not ask for inherited components sees them")
	}
	for table := range q.Tables {
		if f.pos.Slice(table) == nil {
			t.Error("a table without the column was handed out")
		}
	}
}

func TestNarrowedToATarget(t *testing.T) {
	f := newFamily(t)
	p1, p2 := f.spawn(), f.spawn()
	var want []Entity
	for i := range 10 {
		e := f.spawn(f.pos.ID())
		if i%2 == 0 {
			f.relate(e, f.childOf, p1)
			want = append(want, e)
		} else {
			f.relate(e, f.childOf, p2)
		}
	}
	f.relate(f.spawn(), f.childOf, p1) // without a position
	q, err := f.Query(Filter{Required: []ComponentID{f.pos.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := q.beginTarget(f.childOf, p1)
	if err != nil {
		t.Fatal(err)
	}
	var got []Entity
	for c.Next() {
		got = append(got, c.Entity())
		if *f.pos.at(&c) != *f.pos.Get(c.Entity()) {
			t.Error("the cursor reads another row")
		}
	}
	if !slices.Equal(got, want) || f.Locked() {
		t.Errorf("visited %v, want %v", got, want)
	}
	any, err := f.Query(Filter{Required: []ComponentID{f.childOf}})
	if err != nil {
		t.Fatal(err)
	}
	if any.Count() != 11 {
		t.Errorf("%d have any parent", any.Count())
	}
}

func TestCommandsWithRelations(t *testing.T) {
	f := newFamily(t)
	c := f.Commands()
	parent, doomed := f.spawn(), f.spawn()
	child, err := c.SpawnRelated([]Target{{f.childOf, parent}}, f.pos.ID())
	if err != nil {
		t.Fatal(err)
	}
	orphan, err := c.SpawnRelated([]Target{{f.childOf, doomed}})
	if err != nil {
		t.Fatal(err)
	}
	owned, err := c.SpawnRelated([]Target{{f.ownedBy, doomed}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Relate(child, f.ownedBy, parent); err != nil {
		t.Fatal(err)
	}
	if err := c.Relate(parent, f.childOf, child); err != nil { // a cycle, known only when applied
		t.Fatal(err)
	}
	c.Despawn(orphan)
	if _, err := f.Despawn(doomed); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); !errors.Is(err, ErrCycle) {
		t.Errorf("apply: %v", err)
	}
	if f.Related(child, f.childOf) != parent || f.Related(child, f.ownedBy) != parent {
		t.Error("the child is not related")
	}
	if f.Alive(orphan) || !f.Alive(owned) || f.Has(owned, f.ownedBy) {
		t.Error("spawns with a dead target")
	}
}

func TestARelationNeedsATarget(t *testing.T) {
	f := newFamily(t)
	e := f.spawn()
	_, spawned := f.Spawn(f.childOf)
	_, added := f.Add(e, f.childOf)
	_, set := f.Set(e, f.childOf, FieldValue{0, EntityOf(e)})
	_, bundled := f.Bundle(f.childOf)
	for op, err := range map[string]error{"spawn": spawned, "add": added, "set": set, "bundle": bundled, "queue": f.Commands().Add(e, f.childOf)} {
		if !errors.Is(err, errTarget) {
			t.Errorf("%s: %v", op, err)
		}
	}
	f.relate(e, f.ownedBy, f.spawn())
	if err := f.Ref(e, f.ownedBy).Set(0, EntityOf(e)); !errors.Is(err, errTarget) {
		t.Errorf("write through a view: %v", err)
	}
	if ok, err := f.Remove(e, f.ownedBy); !ok || err != nil || f.Has(e, f.ownedBy) {
		t.Error("removing the component ends the relation", ok, err)
	}
}

// A world that declares a relation nobody uses is no other world.
func TestDigestOfUnusedRelations(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	a, b := must[Entity](t)(w.Spawn(pos.ID())), must[Entity](t)(w.Spawn(pos.ID()))
	before := w.Digest()
	id := must[RelationID](t)(w.DeclareRelation(ChildOf))
	if w.Digest() != before {
		t.Error("declaring counts")
	}
	must[bool](t)(w.Relate(b, id, a))
	if w.Digest() == before {
		t.Error("relating does not count")
	}
}

// What the relations with a meaning of their own do, and others do not.
func TestWhatRelationsMean(t *testing.T) {
	f := newFamily(t)
	for id, want := range map[RelationID][3]bool{f.childOf: {true, true, false}, f.isA: {true, false, true}, f.ownedBy: {}} {
		r := f.components[id].relation
		if got := [3]bool{r.acyclic, r.cascade, r.bounded}; got != want || (f.World.isA == r) != (id == f.isA) {
			t.Errorf("%s: acyclic, cascade, bounded: %v", r.info.name, got)
		}
	}
}

// Conditions on a component that a source only shares hold in queries that look through IsA, and in no others.
func TestNarrowedConditionsOnWhatIsShared(t *testing.T) {
	f := newFamily(t)
	base, target := f.spawn(f.vel.ID()), f.spawn()
	shares, owns := f.spawn(f.pos.ID()), f.spawn(f.pos.ID(), f.vel.ID())
	f.relate(shares, f.isA, base)
	for _, e := range []Entity{shares, owns} {
		f.relate(e, f.ownedBy, target)
	}
	for name, x := range map[string]*Expr{"contains": Contains(f.vel.ID()), "changed": Changed(f.vel.ID()), "added": Added(f.vel.ID()), "two": And(Contains(f.vel.ID()), Changed(f.vel.ID()))} {
		for _, inherited := range []bool{false, true} {
			want := []Entity{owns}
			if inherited {
				want = []Entity{shares, owns}
			}
			q := must[*Query](t)(f.Query(Filter{Required: []ComponentID{f.pos.ID()}, Where: x, Inherited: inherited}))
			c := must[Cursor](t)(q.beginTarget(f.ownedBy, target))
			var got []Entity
			for c.Next() {
				got = append(got, c.Entity())
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, inherited %v: %v, want %v", name, inherited, got, want)
			}
		}
	}
}

// Every new world has ChildOf and IsA, before everything else, and a copy and a file of it have them, too.
func TestEveryWorldHasTheBuiltInRelations(t *testing.T) {
	w := NewWorld(Options{})
	childOf, isChildOf := w.LookupRelation(ChildOf)
	isA, isIsA := w.LookupRelation(IsA)
	if !isChildOf || !isIsA || childOf != 0 || isA != 1 || !slices.Equal(w.RelationNames(), []string{ChildOf, IsA}) {
		t.Error(w.RelationNames())
	}
	if again := must[RelationID](t)(w.DeclareRelation(IsA)); again != isA {
		t.Error("declared again")
	}
	parent := must[Entity](t)(w.Spawn())
	must[Entity](t)(w.SpawnRelated([]Target{{childOf, parent}}))
	for name, o := range map[string]*World{"copy": must[*World](t)(w.Copy()), "loaded": must[*World](t)(Load(bytes.NewReader(saved(t, w)), Options{}))} {
		if !slices.Equal(o.ComponentNames(), w.ComponentNames()) || o.Digest() != w.Digest() {
			t.Error(name, o.ComponentNames())
		}
		must[bool](t)(o.Despawn(parent))
		if o.Len() != 0 {
			t.Error(name, "the child outlives its parent")
		}
	}
}
