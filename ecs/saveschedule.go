package ecs

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

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
