package ecs

import (
	"fmt"
	"slices"
)

// The state of a schedule is what its systems keep from turn to turn: whether they are enabled, their turns, windows, event readers, queued
// commands and random streams, and of which components they want the removals. Names, stages, order and functions are no state.

// Copy returns an independent schedule in the same state, with a copy of the world: see [World.Copy]. The same frames have the same results in both.
//
// A system's functions hold typed components and queries of their world, so bind makes new ones: it is called for each system in the order of
// adding, with its description, and returns the functions that run over the copy, w. It may look up and declare what the first world declares, as
// a [NativeFunc] does; w has no entities yet, and anything else that bind does to it is undone. OnError, Before and After are the caller's to set.
//
// bind may be nil: then the copy holds the state for [Schedule.Restore], and running it is an error.
//
// Errors: [ErrLocked] inside a system or a query loop; those of bind; [ErrMismatch] when bind declared something new; those of [Schedule.Sort].
func (s *Schedule) Copy(bind func(w *World, spec SystemSpec) (run SystemFunc, when func(*World) (bool, error), err error)) (*Schedule, error) {
	if s.world.busy() {
		return nil, fail("copy schedule", None, "", ErrLocked)
	}
	if err := s.Sort(); err != nil {
		return nil, err
	}
	if bind == nil {
		bind = unbound
	}
	c := NewSchedule(s.world.Blank(s.world.options))
	byPlace := slices.SortedFunc(slices.Values(s.systems), func(a, b *System) int { return a.place - b.place })
	for _, sys := range byPlace {
		spec := sys.spec
		var err error
		if spec.Run, spec.When, err = bind(c.world, sys.spec); err == nil {
			_, err = c.AddSystem(spec)
		}
		if err != nil {
			return nil, fmt.Errorf("copy schedule: system %q: %w", sys.spec.Name, err)
		}
	}
	if err := c.Sort(); err != nil {
		return nil, err
	}
	return c, c.Restore(s)
}

// unbound gives the systems of a copy that only holds state a function that says so.
func unbound(_ *World, spec SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
	return func(*World, float64) error {
		return fmt.Errorf("system %q belongs to a copy of its schedule that holds the state only: give Schedule.Copy a function that binds it", spec.Name)
	}, nil, nil
}

// Restore brings the schedule and its world back into the state of another schedule and its world, mostly an earlier copy: see [World.Restore]
// for what stays valid and what it costs. It may be called between turns, too, by Before, After or OnError; the frame then goes on with the next system.
//
// Errors: those of [World.Restore]; [ErrMismatch] when the two have not the same systems. After an error nothing has changed.
func (s *Schedule) Restore(from *Schedule) error {
	for _, sys := range s.systems {
		if from.named[sys.spec.Name] == nil {
			return fail("restore schedule", None, "", fmt.Errorf("%w: system %q is not in the schedule to restore from; add it before that copy is made", ErrMismatch, sys.spec.Name))
		}
	}
	for _, sys := range from.systems {
		if s.named[sys.spec.Name] == nil {
			return fail("restore schedule", None, "", fmt.Errorf("%w: system %q is in the schedule to restore from only", ErrMismatch, sys.spec.Name))
		}
	}
	if err := s.world.Restore(from.world); err != nil {
		return err
	}
	if s == from {
		return nil
	}
	for _, sys := range s.systems {
		sys.restore(from.named[sys.spec.Name])
	}
	for i, c := range s.world.components {
		if c.lost != nil {
			c.lost.restoreSystems(s, from.world.components[i].lost.systems, from)
		}
	}
	return nil
}

// restore makes the state of a system equal to that of another world's system of the same name. The worlds are equal already.
func (s *System) restore(from *System) {
	s.progress = from.progress
	s.readers = s.commands.world.adopt(s.readers, from.readers)
	s.commands.restore(from.commands)
	// The random stream is one of the world's.
}

// restoreSystems makes the systems of a schedule that ask for removals those whose namesakes ask in another schedule.
func (l *removedLog) restoreSystems(s *Schedule, theirs []*System, from *Schedule) {
	l.systems = slices.DeleteFunc(l.systems, func(sys *System) bool { return s.named[sys.spec.Name] == sys })
	for _, sys := range theirs {
		if from.named[sys.spec.Name] == sys {
			l.systems = append(l.systems, s.named[sys.spec.Name])
		}
	}
}
