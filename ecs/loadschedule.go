package ecs

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

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

// system reads a system and adds it.
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
