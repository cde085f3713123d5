package ecs

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"
)

// This file computes the running order of systems for Schedule.Sort.

// ordered returns systems in running order. They are given by stage, and within a stage in the order of adding.
// The next system is always the first one whose After have all been placed, so After delays the system that has it
// and never moves another one forward. find returns a system by name and must know all names in After. A cycle is
// an error that names it.
func ordered(byPlace []*System, find func(name string) *System) ([]*System, error) {
	place := make(map[*System]int, len(byPlace))
	for i, sys := range byPlace {
		place[sys] = i
	}
	waits := make([]int, len(byPlace))     // by place: the number of systems that it still waits for
	waiting := make([][]int, len(byPlace)) // by place: the systems that wait for it
	var ready places
	for i, sys := range byPlace {
		for _, name := range sys.spec.After {
			before := place[find(name)]
			waiting[before] = append(waiting[before], i)
			waits[i]++
		}
		if waits[i] == 0 {
			ready = append(ready, i) // in order, so it is a heap
		}
	}
	order := make([]*System, 0, len(byPlace))
	for len(ready) > 0 {
		next := heap.Pop(&ready).(int)
		order = append(order, byPlace[next])
		for _, i := range waiting[next] {
			if waits[i]--; waits[i] == 0 {
				heap.Push(&ready, i)
			}
		}
	}
	if len(order) < len(byPlace) {
		for i, sys := range byPlace {
			if waits[i] > 0 {
				return nil, cycleFrom(sys, find)
			}
		}
	}
	return order, nil
}

// cycleFrom returns an error that names the cycle which sys is in or waits for.
func cycleFrom(sys *System, find func(name string) *System) error {
	const (
		visiting = iota + 1
		visited
	)
	state := map[*System]int{}
	var path []string
	var visit func(sys *System) error
	visit = func(sys *System) error {
		switch state[sys] {
		case visited:
			return nil
		case visiting:
			return fmt.Errorf("systems run after each other: %s", strings.Join(append(path, sys.spec.Name), " after "))
		}
		state[sys] = visiting
		path = append(path, sys.spec.Name)
		for _, name := range sys.spec.After {
			if err := visit(find(name)); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		state[sys] = visited
		return nil
	}
	return visit(sys)
}

// places is a heap of places in the given order, for container/heap.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(int)) }
func (p *places) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

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
			old.spec, old.place, old.in = sys.spec, sys.place, sys.in
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
