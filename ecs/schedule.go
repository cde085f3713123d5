package ecs

import (
	"errors"
	"fmt"
	"sort"
)

// A Schedule runs systems over a world, frame by frame: the stages in order, and within a stage the systems in the order of adding, changed by After.
type Schedule struct {
	world   *World
	systems []*System // in running order once sorted
	named   map[string]*System
	sorted  bool
	errs    []error // of Add, reported by Sort

	// OnError gets the error of a failing turn. The frame goes on if it returns nil, and ends with the error that it returns. Without OnError the frame ends with the error.
	OnError func(*System, error) error
	// Before and After are called around every turn, when set: for timing, which ecs itself never does.
	Before, After func(*System)
}

// NewSchedule returns an empty schedule for w.
func NewSchedule(w *World) *Schedule { return &Schedule{world: w} }

// Add appends a system of the update stage and returns the schedule, so that calls chain. Errors wait for [Schedule.Sort].
func (s *Schedule) Add(name string, run SystemFunc) *Schedule {
	if _, err := s.AddSystem(SystemSpec{Name: name, Run: run}); err != nil {
		s.errs = append(s.errs, err)
	}
	return s
}

// AddSystem appends a system. It does not see what was written before the end of the last frame, or before [Schedule.Settle], as changed. Errors: no name, a name that is taken, no function.
func (s *Schedule) AddSystem(spec SystemSpec) (*System, error) {
	switch {
	case spec.Name == "":
		return nil, errors.New("a system needs a name")
	case s.Find(spec.Name) != nil:
		return nil, fmt.Errorf("system %q is there already", spec.Name)
	case spec.Run == nil:
		return nil, fmt.Errorf("system %q has no function", spec.Name)
	}
	sys := &System{spec: spec, place: len(s.systems), commands: newCommands(s.world), random: s.world.Stream(spec.Name)}
	sys.window = s.world.watermark
	if s.named == nil {
		s.named = map[string]*System{}
	}
	s.systems, s.named[spec.Name] = append(s.systems, sys), sys
	s.sorted = false
	return sys, nil
}

// World returns the world that the systems run over.
func (s *Schedule) World() *World { return s.world }

// Systems returns the systems in the order they run. Do not change the slice.
func (s *Schedule) Systems() []*System { return s.systems }

// Names returns the systems' names in the order they run.
func (s *Schedule) Names() []string {
	names := make([]string, len(s.systems))
	for i, sys := range s.systems {
		names[i] = sys.spec.Name
	}
	return names
}

// Find returns the system of that name, nil when there is none.
func (s *Schedule) Find(name string) *System {
	return s.named[name]
}

// Swap gives a system another function. Its place, window, commands, random stream and event cursors stay.
func (s *Schedule) Swap(name string, run SystemFunc) error {
	sys := s.Find(name)
	if sys == nil || run == nil {
		return fmt.Errorf("swap: no system %q, or no function", name)
	}
	sys.spec.Run = run
	return nil
}

// Sort brings the systems into running order: by stage, then in the order of adding, where a system that has an After waits for those it
// names and holds up no other. Errors: an After that names no system
// or one of another stage, a cycle (named), and what Add could not report. The frame functions call it when needed.
func (s *Schedule) Sort() error {
	if err := errors.Join(s.errs...); err != nil {
		return err
	}
	if s.sorted {
		return nil
	}
	byPlace := append([]*System(nil), s.systems...)
	sort.SliceStable(byPlace, func(i, j int) bool {
		a, b := byPlace[i], byPlace[j]
		if a.spec.Stage != b.spec.Stage {
			return a.spec.Stage.order() < b.spec.Stage.order()
		}
		return a.place < b.place
	})
	for _, sys := range byPlace {
		for _, name := range sys.spec.After {
			before := s.Find(name)
			if before == nil {
				return fmt.Errorf("system %q runs after %q, which there is not", sys.spec.Name, name)
			}
			if before.spec.Stage != sys.spec.Stage {
				return fmt.Errorf("system %q of stage %s runs after %q of stage %s: after orders within a stage", sys.spec.Name, sys.spec.Stage, name, before.spec.Stage)
			}
		}
	}
	order, err := ordered(byPlace, s.Find)
	if err != nil {
		return err
	}
	s.systems, s.sorted = order, true
	return nil
}

// RunStartup runs the systems of the startup stage, once each.
func (s *Schedule) RunStartup() error {
	if err := s.Sort(); err != nil {
		return err
	}
	for _, sys := range s.systems {
		if sys.spec.Stage == Startup && !sys.disabled {
			if err := s.turn(sys, s.world.clock.dt); err != nil {
				return err
			}
		}
	}
	return nil
}

// Settle ends set-up: no system sees what was written so far as changed or added. Without it, the first turn of a system sees everything that
// was written before frame 1 as changed and added.
func (s *Schedule) Settle() {
	for _, sys := range s.systems {
		sys.window = s.world.Tick()
	}
	s.world.EndFrame()
}

// Call runs fn as the system sys, with its commands, random stream and readers, and applies its commands (or drops them on an error). It
// is no turn: the system's window stays. For set-up.
func (s *Schedule) Call(sys *System, fn SystemFunc) error {
	err := s.world.call(sys, fn, s.world.clock.dt)
	s.world.advanceTick()
	return err
}

// Run runs one frame of dt seconds. After a failed turn, if OnError does not return nil, it returns that
// error, and the later turns of the frame are left out. But the frame ends as usual, so the world is consistent.
func (s *Schedule) Run(dt float64) error {
	if err := s.Sort(); err != nil {
		return err
	}
	w := s.world
	if err := w.commands.Apply(); err != nil {
		return err
	}
	w.BeginFrame(dt)
	var failed error
	for _, sys := range s.systems {
		if sys.spec.Stage == Startup {
			continue
		}
		due, err := sys.due(w)
		if due && err == nil {
			err = s.turn(sys, dt*float64(max(1, sys.spec.Every)))
		} else if err != nil {
			err = s.forgive(sys, err)
		}
		if err != nil {
			failed = err
			break
		}
	}
	w.EndFrame()
	return failed
}

func (s *Schedule) turn(sys *System, dt float64) error {
	if s.Before != nil {
		s.Before(sys)
	}
	err := s.world.call(sys, sys.spec.Run, dt)
	sys.turns++
	if sys.spec.Stage != Startup {
		sys.window = s.world.Tick()
	}
	s.world.advanceTick()
	if s.After != nil {
		s.After(sys)
	}
	if err != nil {
		return s.forgive(sys, err)
	}
	return nil
}

func (s *Schedule) forgive(sys *System, err error) error {
	if s.OnError == nil {
		return err
	}
	return s.OnError(sys, err)
}
