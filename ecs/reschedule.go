package ecs

import (
	"fmt"
	"slices"
)

// Changing a schedule between frames, for programs that reload their config. Sort (schedule.go) and ordered
// (order.go) compute the running order.

// Reschedule replaces the descriptions of all systems, in the order of adding. A system that the schedule has keeps
// its window, turns, commands, random stream and event readers, and whether it is enabled; a new one is added as by
// [Schedule.AddSystem]. It must be called between frames. It costs O(systems).
//
// A system that the list leaves out leaves the schedule: its event readers are closed, and its observers stop. Errors: no
// name, a name that occurs twice, no function; a system of the schedule whose stage the list changes; those of
// [Schedule.Sort]. After an error nothing has changed.
func (s *Schedule) Reschedule(list []SystemSpec) error {
	if err := s.Sort(); err != nil {
		return err
	}
	next := &Schedule{world: s.world, named: map[string]*System{}}
	for i, spec := range list {
		old := s.Find(spec.Name)
		switch {
		case spec.Name == "" || spec.Run == nil || next.Find(spec.Name) != nil:
			_, err := next.AddSystem(spec)
			return err
		case old != nil && old.spec.Stage != spec.Stage:
			return fmt.Errorf("system %q is in stage %s and cannot move to stage %s", spec.Name, old.spec.Stage, spec.Stage)
		}
		sys := &System{spec: spec, schedule: s, place: i}
		next.systems, next.named[spec.Name] = append(next.systems, sys), sys
	}
	if err := next.Sort(); err != nil {
		return err
	}
	for _, sys := range s.systems {
		if next.Find(sys.spec.Name) == nil {
			s.drop(sys)
		}
	}
	if s.named == nil {
		s.named = map[string]*System{}
	}
	for i, sys := range next.systems {
		if old := s.Find(sys.spec.Name); old != nil {
			old.spec, old.place = sys.spec, sys.place
			next.systems[i] = old
			continue
		}
		sys.commands, sys.random, sys.window = newCommands(s.world), s.world.Stream(sys.spec.stream()), s.world.watermark
		s.named[sys.spec.Name] = sys
	}
	s.systems = next.systems
	return nil
}

// drop releases what a system holds in the world that leaves the schedule.
func (s *Schedule) drop(sys *System) {
	sys.SetEnabled(false) // closes its event readers
	for _, c := range s.world.components {
		if c.lost != nil {
			c.lost.systems = slices.DeleteFunc(c.lost.systems, func(other *System) bool { return other == sys })
		}
	}
	for _, o := range s.world.Observers() {
		if o.spec.Owner == sys {
			o.Stop()
		}
	}
	delete(s.named, sys.spec.Name)
}
