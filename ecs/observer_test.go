package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A watched is a world in which observers write down what they are told.
type watched struct {
	*World
	t              *testing.T
	pos            Component[position]
	vel            Component[velocity]
	hurt           TagID
	childOf, likes RelationID
	calls          []string
	schedule       *Schedule
}

func newWatched(t *testing.T) *watched {
	w := newWorld(Options{})
	s := &watched{World: w, t: t, pos: MustRegister[position](w, "Position"), vel: MustRegister[velocity](w, "Velocity")}
	s.hurt = must[TagID](t)(w.DeclareTag("hurt"))
	s.childOf, s.likes = must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation("Likes"))
	return s
}

// on declares an observer that writes down what it sees, and then calls then.
func (s *watched) on(kind ObserverKind, name string, then ...func(c Change) error) *Observer {
	s.t.Helper()
	return must[*Observer](s.t)(s.Observe(ObserverSpec{Kind: kind, Name: name, Run: func(w *World, c Change) error {
		text := fmt.Sprintf("%s %s %s", kind, name, c.Entity)
		if c.Target != None {
			text += " " + c.Target.String()
		}
		if p := s.pos.Get(c.Entity); p != nil && name == "Position" {
			text += fmt.Sprintf(" at %v", p.X)
		}
		s.calls = append(s.calls, text)
		for _, f := range then {
			if err := f(c); err != nil {
				return err
			}
		}
		return nil
	}}))
}

// told compares what the observers have written down, and forgets it.
func (s *watched) told(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.calls, want) {
		s.t.Errorf("told:\n\t%s\nwant:\n\t%s", strings.Join(s.calls, "\n\t"), strings.Join(want, "\n\t"))
	}
	s.calls = nil
	check(s.t, s.World)
}

func (s *watched) all() {
	for i := range observerKindNames {
		kind := ObserverKind(i)
		switch kind.Subject() {
		case "component":
			s.on(kind, "Position")
		case "tag":
			s.on(kind, "hurt")
		case "relation":
			s.on(kind, "Likes")
			s.on(kind, ChildOf)
		default:
			s.on(kind, "")
		}
	}
}

func TestObserversOfSingleOperations(t *testing.T) {
	s := newWatched(t)
	s.all()
	e := must[Entity](t)(s.Spawn(s.vel.ID()))
	s.told("spawned  0v1")
	must[bool](t)(s.Set(e, s.pos.ID(), FieldValue{0, Number(3)}))
	s.told("added Position 0v1 at 3", "set Position 0v1 at 3")
	must[bool](t)(s.pos.Set(e, position{X: 4}))
	s.pos.Modify(e, func(p *position) { p.X = 5 })
	ok(t, s.Ref(e, s.pos.ID()).SetNumber(0, 6))
	ok(t, s.Ref(e, s.pos.ID()).Set(0, Number(7)))
	s.told("set Position 0v1 at 4", "set Position 0v1 at 5", "set Position 0v1 at 6", "set Position 0v1 at 7")
	s.Tag(e, s.hurt)
	s.Tag(e, s.hurt)
	s.told("tagged hurt 0v1")
	s.Untag(e, s.hurt)
	s.Untag(e, s.hurt)
	s.told("untagged hurt 0v1")
	a, b := must[Entity](t)(s.Spawn()), must[Entity](t)(s.Spawn())
	s.calls = nil
	must[bool](t)(s.Relate(e, s.likes, a))
	s.told("related Likes 0v1 1v1")
	must[bool](t)(s.Relate(e, s.likes, b))
	s.told("unrelated Likes 0v1 1v1", "related Likes 0v1 2v1")
	must[bool](t)(s.Relate(e, s.likes, b))
	s.told()
	must[bool](t)(s.Unrelate(e, s.likes))
	s.told("unrelated Likes 0v1 2v1")
	must[bool](t)(s.Remove(e, s.pos.ID(), s.vel.ID()))
	s.told("removed Position 0v1 at 7")
	must[bool](t)(s.Remove(e, s.pos.ID()))
	must[bool](t)(s.Add(e, s.pos.ID(), s.vel.ID()))
	s.told("added Position 0v1 at 0")
	must[bool](t)(s.Relate(e, s.likes, a))
	s.Tag(e, s.hurt)
	s.calls = nil
	must[bool](t)(s.Despawn(e))
	s.told("removed Position 0v1 at 0", "untagged hurt 0v1", "unrelated Likes 0v1 1v1", "despawned  0v1")
	must[bool](t)(s.Despawn(e))
	s.told()
}

func TestObserversOfASpawnSeeTheWhole(t *testing.T) {
	s := newWatched(t)
	s.all()
	parent := must[Entity](t)(s.Spawn())
	s.calls = nil
	must[Entity](t)(s.pos.With(s.Build(), position{X: 2}).Tag(s.hurt).Spawn())
	s.told("added Position 1v1 at 2", "tagged hurt 1v1", "spawned  1v1")
	must[Entity](t)(s.SpawnRelated([]Target{{s.childOf, parent}, {s.likes, parent}}, s.pos.ID()))
	s.told("added Position 2v1 at 0", "related Likes 2v1 0v1", "related ChildOf 2v1 0v1", "spawned  2v1")
	bundle := must[*Bundle](t)(s.Bundle(s.pos.ID()))
	must[[]Entity](t)(bundle.SpawnMany(2, func(t *Table, from, to int) {
		for i, p := range s.pos.Slice(t)[from:to] {
			s.pos.Slice(t)[from+i].X = p.X + float64(i) + 1
		}
	}))
	s.told("added Position 3v1 at 1", "spawned  3v1", "added Position 4v1 at 2", "spawned  4v1")
	must[Entity](t)(bundle.Spawn())
	s.told("added Position 5v1 at 0", "spawned  5v1")
	q := s.Commands()
	e := must[Entity](t)(q.SpawnRelated([]Target{{s.likes, parent}}, s.pos.ID()))
	q.Join(true)
	ok(t, q.Set(e, s.pos.ID(), FieldValue{0, Number(9)}))
	q.Tag(e, s.hurt)
	q.Join(false)
	ok(t, q.Set(e, s.pos.ID(), FieldValue{0, Number(10)}))
	s.told()
	apply(t, q)
	s.told("added Position 6v1 at 9", "tagged hurt 6v1", "related Likes 6v1 0v1", "spawned  6v1", "set Position 6v1 at 10")
}

func TestObserversOfACascade(t *testing.T) {
	s := newWatched(t)
	root := must[Entity](t)(s.Spawn())
	child := must[Entity](t)(s.SpawnRelated([]Target{{s.childOf, root}, {s.likes, root}}, s.pos.ID()))
	grandchild := must[Entity](t)(s.SpawnRelated([]Target{{s.childOf, child}}, s.pos.ID()))
	fan := must[Entity](t)(s.SpawnRelated([]Target{{s.likes, child}}))
	s.Tag(grandchild, s.hurt)
	s.all()
	s.on(OnDespawned, "", func(c Change) error {
		if !s.Alive(root) || !s.Alive(grandchild) {
			t.Error("something is gone already")
		}
		return nil
	})
	must[bool](t)(s.Despawn(root))
	s.told("despawned  0v1", "despawned  0v1",
		"removed Position 1v1 at 0", "unrelated Likes 1v1 0v1", "unrelated ChildOf 1v1 0v1", "despawned  1v1", "despawned  1v1",
		"unrelated Likes 3v1 1v1",
		"removed Position 2v1 at 0", "untagged hurt 2v1", "unrelated ChildOf 2v1 1v1", "despawned  2v1", "despawned  2v1")
	if !s.Alive(fan) || s.Len() != 1 {
		t.Errorf("%d live", s.Len())
	}
}

func TestObserversOfBulkOperations(t *testing.T) {
	s := newWatched(t)
	s.all()
	bundle := must[*Bundle](t)(s.Bundle(s.vel.ID()))
	must[[]Entity](t)(bundle.SpawnMany(3, nil))
	s.calls = nil
	moving := must[*Query](t)(s.Query(Filter{Required: []ComponentID{s.vel.ID()}}))
	place := must[*Bundle](t)(s.Bundle(s.pos.ID()))
	must[int](t)(place.AddAll(moving, func(t *Table, from, to int) { s.pos.Slice(t)[from].X = 8 }))
	s.told("added Position 0v1 at 8", "added Position 1v1 at 0", "added Position 2v1 at 0")
	must[int](t)(place.RemoveAll(moving))
	s.told("removed Position 0v1 at 8", "removed Position 1v1 at 0", "removed Position 2v1 at 0")
	e := moving.First()
	must[bool](t)(place.Add(e))
	must[bool](t)(place.Remove(e))
	s.calls = nil
	must[int](t)(moving.DespawnAll())
	s.told("despawned  2v1", "despawned  1v1", "despawned  0v1")
}

func TestObserversInTheOrderOfDeclaration(t *testing.T) {
	s := newWatched(t)
	s.on(OnTagged, "hurt")
	s.on(OnSpawned, "")
	first := s.on(OnAdded, "Position")
	s.on(OnAdded, "Position")
	second := s.on(OnSpawned, "")
	b := s.pos.With(s.Build(), position{X: 1}).Tag(s.hurt)
	must[Entity](t)(b.Spawn())
	s.told("tagged hurt 0v1", "spawned  0v1", "added Position 0v1 at 1", "added Position 0v1 at 1", "spawned  0v1")
	first.Stop()
	first.Stop()
	second.Replace(s.Observers()[0])
	must[Entity](t)(s.pos.With(s.Build(), position{X: 1}).Spawn())
	s.told("spawned  1v1", "spawned  1v1", "added Position 1v1 at 1")
	if list := s.Observers(); len(list) != 4 || list[1].Spec().Kind != OnSpawned {
		t.Errorf("%d observers", len(list))
	}
}

// TestAnObserverInsideAnOperation has observers that write, tag, send and queue.
func TestAnObserverInsideAnOperation(t *testing.T) {
	s := newWatched(t)
	hit := must[Event[hitEvent]](t)(RegisterEvent[hitEvent](s.World, "Hit"))
	s.on(OnAdded, "Position", func(c Change) error {
		s.Tag(c.Entity, s.hurt)
		must[bool](t)(s.pos.Set(c.Entity, position{X: 5}))
		hit.Send(hitEvent{c.Entity, 1})
		s.Commands().Despawn(c.Entity)
		for range 99 { // the slots grow
			must[Entity](t)(s.Commands().Spawn())
		}
		for _, err := range []error{
			failure(s.Spawn()), failure(s.Despawn(c.Entity)), failure(s.Add(c.Entity, s.vel.ID())), failure(s.Remove(c.Entity, s.pos.ID())),
			failure(s.Relate(c.Entity, s.likes, c.Entity)), failure(s.vel.Set(c.Entity, velocity{})), failure(s.Copy()),
		} {
			if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "while an observer runs") {
				t.Errorf("structure is not locked: %v", err)
			}
		}
		if _, err := s.Observe(ObserverSpec{Kind: OnSpawned, Run: func(*World, Change) error { return nil }}); err == nil {
			t.Error("an observer declares an observer")
		}
		return nil
	})
	s.on(OnTagged, "hurt")
	s.on(OnSet, "Position")
	s.on(OnDespawned, "")
	s.on(OnRemoved, "Position", func(c Change) error { must[Entity](t)(s.Commands().Spawn()); return nil })
	sys := must[*System](t)((&watchedSchedule{s}).add("maker", func(w *World, dt float64) error {
		must[bool](t)(s.Set(must[Entity](t)(w.Spawn()), s.pos.ID(), FieldValue{0, Number(1)}))
		return nil
	}))
	ok(t, s.schedule.Run(1))
	s.told("added Position 0v1 at 1", "tagged hurt 0v1", "set Position 0v1 at 5", "set Position 0v1 at 5", "despawned  0v1", "removed Position 0v1 at 5")
	if s.Len() != 100 || s.Locked() || s.Observing() || sys.commands.Len() != 0 {
		t.Errorf("%d live, locked %v", s.Len(), s.Locked())
	}
}

// TestCopiesAndRestoresCallNoObservers: observers belong to their world.
func TestCopiesAndRestoresCallNoObservers(t *testing.T) {
	s := newWatched(t)
	e := must[Entity](t)(s.Spawn(s.pos.ID()))
	before := must[*World](t)(s.Copy())
	s.all()
	must[bool](t)(s.Despawn(e))
	s.calls = nil
	ok(t, s.Restore(before))
	s.told()
	must[bool](t)(before.Despawn(e))
	s.told()
	s.Mute(func() { must[bool](t)(s.Despawn(e)) })
	s.told()
	must[Entity](t)(s.Spawn())
	s.told("spawned  0v2")
}

// TestAnOwnersWindowAndRandom: an observer runs as its owner, with the commands of the turn.
func TestAnOwnersRandomAndReaders(t *testing.T) {
	s := newWatched(t)
	hit := must[Event[hitEvent]](t)(RegisterEvent[hitEvent](s.World, "Hit"))
	all := &watchedSchedule{s}
	must[*System](t)(all.add("maker", func(w *World, dt float64) error {
		hit.Send(hitEvent{})
		must[Entity](t)(w.Spawn(s.pos.ID()))
		return nil
	}))
	hud := must[*System](t)(all.add("hud", func(w *World, dt float64) error {
		if len(hit.Read()) != 0 {
			t.Error("the observer has not read for its owner")
		}
		return nil
	}))
	var during []string
	s.schedule.Observing = func(sys *System, begins bool) { during = append(during, fmt.Sprint(sys.Name(), begins)) }
	hud.Declaring(func() {
		s.on(OnSpawned, "", func(Change) error {
			if s.Random() != hud.random {
				t.Error("another stream")
			}
			for range hit.Read() {
			}
			return nil
		})
	})
	ok(t, s.schedule.Run(1))
	if !slices.Equal(during, []string{"hudtrue", "hudfalse"}) {
		t.Errorf("%q", during)
	}
}

func TestObserversThatDoNotFireAllocateNothing(t *testing.T) {
	s := newWatched(t)
	s.vel.On(t)
	e := must[Entity](t)(s.Spawn(s.pos.ID()))
	q := s.Commands()
	frame := func() {
		must[bool](t)(s.pos.Set(e, position{}))
		must[bool](t)(s.Set(e, s.pos.ID()))
		s.Tag(e, s.hurt)
		s.Untag(e, s.hurt)
		must[bool](t)(s.Remove(e, s.pos.ID()))
		must[bool](t)(s.Add(e, s.pos.ID()))
		q.Despawn(must[Entity](t)(q.Spawn(s.pos.ID())))
		apply(t, q)
	}
	for range 3 {
		frame()
	}
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// On declares observers of all kinds of a component.
func (c Component[T]) On(t *testing.T) {
	must[*Observer](t)(c.OnAdded(func(*World, Entity, *T) error { return nil }))
	must[*Observer](t)(c.OnRemoved(func(*World, Entity, *T) error { return nil }))
	must[*Observer](t)(c.OnSet(func(*World, Entity, *T) error { return nil }))
}

// A table may have another number after a restore. Who is told of its rows goes with it.
func TestObserversOfTablesWhoseNumbersChange(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C", "D")
	empty := must[*World](t)(w.Copy())
	var told []string
	for _, name := range []string{"A", "B"} {
		must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnAdded, Name: name, Run: func(*World, Change) error { told = append(told, name); return nil }}))
	}
	must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnAdded, Name: "C", With: []string{"D"}, Run: func(*World, Change) error { told = append(told, "C+D"); return nil }}))
	sets := [][]ComponentID{ids[:1], ids[1:2], ids[2:]}
	for _, set := range sets {
		must[Entity](t)(w.Spawn(set...))
	}
	for _, set := range [][]ComponentID{sets[2], sets[0], sets[1]} {
		must[Entity](t)(empty.Spawn(set...))
	}
	ok(t, w.Restore(empty))
	for _, set := range sets {
		must[Entity](t)(w.Spawn(set...))
	}
	if !slices.Equal(told, []string{"A", "B", "C+D", "A", "B", "C+D"}) {
		t.Error(told)
	}
}
