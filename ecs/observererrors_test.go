package ecs

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Tests of observers that fail, never end, or are misused.

type watchedSchedule struct{ *watched }

func (s *watchedSchedule) add(name string, run SystemFunc) (*System, error) {
	if s.schedule == nil {
		s.schedule = NewSchedule(s.World)
	}
	return s.schedule.AddSystem(SystemSpec{Name: name, Run: run})
}

func failure[T any](_ T, err error) error { return err }

func TestErrorsOfObservers(t *testing.T) {
	s := newWatched(t)
	all := &watchedSchedule{s}
	maker := must[*System](t)(all.add("maker", func(w *World, dt float64) error {
		must[Entity](t)(w.Spawn(s.pos.ID()))
		return nil
	}))
	hud := must[*System](t)(all.add("hud", func(*World, float64) error { return nil }))
	var seen []string
	var stop error
	s.schedule.OnError = func(sys *System, err error) error {
		seen = append(seen, sys.Name()+": "+err.Error())
		return stop
	}
	hud.Declaring(func() {
		s.on(OnAdded, "Position", func(Change) error {
			must[Entity](t)(s.Commands().Spawn())
			return errors.New("boom")
		})
	})
	s.on(OnSpawned, "")
	ok(t, s.schedule.Run(1))
	s.told("added Position 0v1 at 0", "spawned  0v1")
	if want := []string{"hud: observer added Position (hud): boom (while Position was added to 0v1)"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
	if s.Len() != 1 || maker.commands.Len() != 0 {
		t.Error("the commands of a failed observer are not dropped")
	}
	hud.SetEnabled(false)
	ok(t, s.schedule.Run(1))
	s.told("spawned  1v2")
	hud.SetEnabled(true)
	stop = errors.New("stopped")
	if err := s.schedule.Run(1); !errors.Is(err, stop) || len(seen) != 2 {
		t.Errorf("%v, %q", err, seen)
	}
	s.told("added Position 2v1 at 0") // the other one is not called any more
	hud.Declaring(func() { s.on(OnTagged, "hurt", func(Change) error { return errors.New("between") }) })
	s.Tag(s.TableAt(0), s.hurt)
	if err := s.schedule.Run(1); !errors.Is(err, stop) {
		t.Errorf("the error of an observer between frames: %v", err)
	}
	ok(t, s.schedule.Reschedule([]SystemSpec{maker.Spec()}))
	if n := len(s.Observers()); n != 1 {
		t.Errorf("%d observers are left of a system that is gone", n)
	}
	s.on(OnSpawned, "", func(Change) error { return errors.New("nobody's") })
	must[Entity](t)(s.Spawn())
	if err := s.TakeFault(); err == nil || s.TakeFault() != nil {
		t.Errorf("without an owner: %v", err)
	}
}

// TableAt returns some living entity.
func (s *watched) TableAt(row int) Entity {
	for e := range s.Entities {
		return e
	}
	return None
}

func TestObserversWithoutAnEnd(t *testing.T) {
	t.Run("writes", func(t *testing.T) {
		s := newWatched(t)
		e := must[Entity](t)(s.Spawn(s.pos.ID()))
		calls := 0
		must[*Observer](t)(s.Observe(ObserverSpec{Kind: OnSet, Name: "Position", Label: "a.go:1", Run: func(w *World, c Change) error {
			calls++
			s.Tag(e, s.hurt)
			s.Tag(e, s.hurt)
			return nil
		}}))
		must[*Observer](t)(s.Observe(ObserverSpec{Kind: OnTagged, Name: "hurt", Label: "b.go:2", Run: func(w *World, c Change) error {
			s.Untag(e, s.hurt)
			must[bool](t)(s.pos.Set(e, position{}))
			must[bool](t)(s.pos.Set(e, position{}))
			return nil
		}}))
		must[bool](t)(s.pos.Set(e, position{}))
		err := s.TakeFault()
		if !errors.Is(err, ErrObserverChain) || !strings.Contains(err.Error(), "set Position (a.go:1) -> tagged hurt (b.go:2) -> set Position (a.go:1) -> tagged hurt (b.go:2) -> … 9 more … -> ") {
			t.Error(err)
		}
		if calls > MaxObserverDepth {
			t.Errorf("%d calls", calls)
		}
		s.Untag(e, s.hurt)
		must[bool](t)(s.pos.Set(e, position{}))
		if s.TakeFault() == nil {
			t.Error("no error the second time")
		}
	})
	t.Run("commands", func(t *testing.T) {
		s := newWatched(t)
		s.on(OnSpawned, "", func(c Change) error { s.Commands().Despawn(c.Entity); return nil })
		s.on(OnDespawned, "", func(c Change) error { must[Entity](t)(s.Commands().Spawn()); return nil })
		must[Entity](t)(s.Commands().Spawn())
		apply(t, s.Commands())
		if err := s.TakeFault(); !errors.Is(err, ErrObserverChain) || !strings.Contains(err.Error(), "spawned -> despawned -> spawned -> despawned -> … ") {
			t.Error(err)
		}
		if n := len(s.calls); n != maxObserverChain {
			t.Errorf("%d calls", n)
		}
	})
}

func TestMisuseOfObservers(t *testing.T) {
	s := newWatched(t)
	run := func(*World, Change) error { return nil }
	for want, spec := range map[string]ObserverSpec{
		`observe added Helth: component "Helth" is not declared`:                                                            {Kind: OnAdded, Name: "Helth", Run: run},
		`observe tagged Position: "Position" is a component; "tagged" needs a tag: use "added", "removed" or "set"`:         {Kind: OnTagged, Name: "Position", Run: run},
		`observe set Likes: "Likes" is a relation; "set" needs a component: use "related" or "unrelated"`:                   {Kind: OnSet, Name: "Likes", Run: run},
		`observe related hurt: "hurt" is a tag; "related" needs a relation: use "tagged" or "untagged"`:                     {Kind: OnRelated, Name: "hurt", Run: run},
		`observe spawned Position: "spawned" is about entities and takes no name`:                                           {Kind: OnSpawned, Name: "Position", Run: run},
		`observe added: "added" needs the name of a component`:                                                              {Kind: OnAdded, Run: run},
		`observe added Position: there is no function`:                                                                      {Kind: OnAdded, Name: "Position"},
		`observe: unknown kind 77; there are added, removed, set, tagged, untagged, related, unrelated, spawned, despawned`: {Kind: 77, Run: run},
	} {
		if _, err := s.Observe(spec); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if s.Observers() != nil || s.ObserverVersion() != 0 {
		t.Error("a mistake leaves something behind")
	}
	sys := must[*System](t)((&watchedSchedule{s}).add("late", func(*World, float64) error {
		return failure(s.pos.OnSet(func(*World, Entity, *position) error { return nil }))
	}))
	if err := s.schedule.Run(1); err == nil || !strings.Contains(err.Error(), `system "late" is in its turn; declare observers in its init, or between frames`) {
		t.Error(err)
	}
	ok(t, s.schedule.Call(sys, func(*World, float64) error {
		return failure(s.pos.OnSet(func(*World, Entity, *position) error { return nil }))
	}))
	if o := s.Observed(OnSet, uint32(s.pos.ID())); o == nil || o.Spec().Owner != sys || s.Observed(OnAdded, uint32(s.pos.ID())) != nil {
		t.Error("the observer of an init does not belong to its system")
	}
}
