package ecs

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// The state of a schedule is what its systems keep from turn to turn: whether they are enabled, their turns,
// windows, event readers, queued commands and random streams, and the components whose removals they ask for.
// Names, stages, order and functions are not part of the state.

// Copy returns an independent schedule in the same state, over a copy of the world: see [World.Copy]. Running the
// same frames has the same results in both.
//
// The functions of systems hold typed components and queries of their world, so the copy needs new ones. bind
// makes them: it is called for each system, in the order of adding, with the copied world and the system's
// description, and returns the functions to run over the copy. It may look up and declare what the first world
// declares, as a [NativeFunc] does. The copied world has no entities yet, and anything else that bind does to it
// is undone. OnError, Before and After are not copied.
//
// If bind is nil, the copy only holds the state for [Schedule.Restore]; running it is an error. It lies on Go's heap, and not in
// [Options.Memory], so that it needs no end: nothing gives back the memory of a world that is dropped.
//
// Errors: [ErrLocked] inside of a system or a query loop; the errors of bind; [ErrMismatch] if bind has declared
// something new; the errors of [Schedule.Sort].
func (s *Schedule) Copy(bind func(w *World, spec SystemSpec) (run SystemFunc, when func(*World) (bool, error), err error)) (*Schedule, error) {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	if s.world.busy() {
		return nil, fail("copy schedule", None, "", s.world.lockedBy())
	}
	if err := s.Sort(); err != nil {
		return nil, err
	}
	o := s.world.options
	if bind == nil {
		bind, o.Memory = unbound, nil
	}
	c := NewSchedule(s.world.blank(o))
	c.loaded = s.loaded
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

// unbound is the bind of a copy that only holds the state: each system gets a function that returns an error.
func unbound(_ *World, spec SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
	return func(*World, float64) error {
		return fmt.Errorf("system %q belongs to a copy of its schedule that holds the state only: give Schedule.Copy a function that binds it", spec.Name)
	}, nil, nil
}

// Restore puts the schedule and its world into the state of another schedule and its world, usually an earlier
// copy. [World.Restore] says what stays valid and what it costs. Restore may also be called between two turns of a
// frame, by Before, After or OnError; the frame then continues with the next system.
//
// Errors: those of [World.Restore]; [ErrMismatch] if the two do not have systems of the same names. After an error
// nothing has changed.
func (s *Schedule) Restore(from *Schedule) error {
	if from == nil {
		return noSource("restore schedule", "schedule")
	}
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

// restore makes the state of a system equal to that of the system of the same name in another world. The worlds
// have been made equal before.
func (s *System) restore(from *System) {
	s.progress = from.progress
	s.readers = s.commands.world.adopt(s.readers, from.readers)
	s.commands.restore(from.commands)
	// The random stream was restored with the world.
}

// restoreSystems replaces the systems of schedule s in the log by those whose namesakes in schedule from ask for
// the removals there.
func (l *removedLog) restoreSystems(s *Schedule, theirs []*System, from *Schedule) {
	l.systems = slices.DeleteFunc(l.systems, func(sys *System) bool { return s.named[sys.spec.Name] == sys })
	for _, sys := range theirs {
		if from.named[sys.spec.Name] == sys {
			l.systems = append(l.systems, s.named[sys.spec.Name])
		}
	}
}

// LoadSchedule reads what [Schedule.SaveSections] has written. The schedule holds the state only, as that of
// [Schedule.Copy] without bind does: its systems have no functions. Give the state to the schedule of a program with
// [Schedule.Restore], or with [Schedule.Adopt] if the declarations or systems have changed. [Load] says what o and
// the errors are.
func LoadSchedule(f *snapfile.Reader, o Options) (s *Schedule, err error) {
	l := newLoader(f)
	defer l.recoverDamage(&err)
	w := l.world(o)
	s = NewSchedule(w)
	l.section(scheduleSection, func() {
		s.loaded = true
		l.schedule(s)
		l.must(s.Sort())
	})
	return s, nil
}

func (l *loader) schedule(s *Schedule) {
	w := s.world
	streams := slices.Clone(w.streams)
	for range l.count(10) {
		l.system(s)
	}
	for _, c := range w.tracked {
		for range l.count(1) {
			if at := l.below(uint64(len(s.systems))+1, "a system"); at > 0 && !slices.Contains(c.lost.systems, s.systems[at-1]) {
				c.lost.systems = append(c.lost.systems, s.systems[at-1])
			}
		}
	}
	for _, r := range w.streamNamed { // in map order: each is changed by itself
		r.listed = slices.Contains(streams, r)
	}
	w.streams = streams // adding systems has listed their streams
}

func (l *loader) system(s *Schedule) {
	spec := SystemSpec{Name: l.text()}
	stage, known := ParseStage(l.text())
	if !known {
		l.fail("system %q is in an unknown stage", spec.Name)
	}
	spec.Stage = stage
	for range l.count(1) {
		spec.After = append(spec.After, l.text())
	}
	spec.Every = int(l.below(1<<31, "how often a system runs"))
	spec.Random = l.text()
	spec.Run, spec.When, _ = unbound(s.world, spec)
	sys, err := s.AddSystem(spec)
	l.must(err)
	sys.disabled = l.flag()
	sys.turns = l.number()
	sys.window = Tick(l.below(uint64(s.world.Tick())+1, "the window of a system"))
	sys.readers = l.readers(s.world)
	l.queue(sys.commands)
}

// scheduleSection is the section of what systems keep.
const scheduleSection = "schedule"

// SaveSections writes the world as sections "world/…", and what its systems keep from turn to turn as section
// "schedule": what [Schedule.Copy] copies. [LoadSchedule] reads them. Errors: those of [World.Save] and
// [Schedule.Sort].
func (s *Schedule) SaveSections(f *snapfile.Writer) error {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	if err := s.Sort(); err != nil {
		return err
	}
	if err := s.world.saveSections(f); err != nil {
		return err
	}
	out := &saver{f: f}
	out.begin(scheduleSection)
	byPlace := slices.SortedFunc(slices.Values(s.systems), func(a, b *System) int { return a.place - b.place })
	out.count(len(byPlace))
	for _, sys := range byPlace {
		out.system(sys)
	}
	for _, c := range s.world.tracked {
		out.count(len(c.lost.systems))
		for _, sys := range c.lost.systems {
			out.count(slices.Index(byPlace, sys) + 1) // 0 for a system of another schedule
		}
	}
	out.end()
	if out.err != nil {
		return fmt.Errorf("save schedule: %w", out.err)
	}
	return nil
}

// system writes the description of a system without its functions, and its state.
func (s *saver) system(sys *System) {
	s.text(sys.spec.Name)
	s.text(sys.spec.Stage.String())
	s.count(len(sys.spec.After))
	for _, name := range sys.spec.After {
		s.text(name)
	}
	s.count(max(0, sys.spec.Every))
	s.text(sys.spec.Random)
	s.flag(sys.disabled)
	s.number(sys.turns)
	s.number(uint64(sys.window))
	s.readers(sys.schedule.world, sys.readers)
	s.queue(sys.commands)
}
