package ecs

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// A schedule turns systems into frames. Run is the body of the main loop: it applies the commands queued between
// frames, begins the frame, gives each due system its turn (World.call in system.go), and ends the frame. order.go
// has the running order, schedulestate.go copies and restores.

// A Schedule runs systems over a world, frame by frame: the stages in order, and within a stage the systems in the
// order of adding, changed by After. It belongs to the goroutine of its world.
//
// A frame has the stages [First], [Update] and [Last]. The stage [Startup] runs once before all frames; call
// [Schedule.Settle] after it if what it wrote shall not count as changed. Each system has its own commands (applied
// when it returns, dropped when it fails), its own window for changes, its own random stream and its own event
// cursors. These stay when [Schedule.Swap] gives it another function.
type Schedule struct {
	world   *World
	systems []*System // in running order if sorted, else in the order of adding
	named   map[string]*System
	sorted  bool
	loaded  bool               // it holds what was read from a file, where the values of states are not said
	errs    []error            // errors of Add, returned by Sort
	outside map[string]*System // see Between

	// OnError is called with the error of a turn that fails. If it returns nil, the frame continues with the next
	// system; if it returns an error, the frame ends with that error. Without OnError the frame ends with the
	// error of the turn.
	OnError func(*System, error) error
	// RollBack makes a turn that fails leave no trace: the world is then as it was when the turn began, with values,
	// change stamps, entities, tags, relations, events, resources and random streams, and the
	// next turn of the system sees the changes and events that this one was to see. Handles that the turn has given out
	// are used up: no later entity gets one of them. It is done before OnError is called. Memory that the turn has made columns and lists grow by may stay reserved. A turn that succeeds pays
	// for a copy of what it writes, by blocks of 64 rows. The field can be set between frames.
	RollBack bool
	// Before and After are called before and after every turn, if they are set. They are for timing, which ecs
	// itself never does.
	Before, After func(*System)
	// Calling is called before and after each [Schedule.Call], if it is set, with whether it begins.
	Calling func(sys *System, begins bool)
	// Ending is called after the last turn of a frame, or of the startup stage, and before events and changes of the frame are
	// settled, if it is set; not when an error has ended the turns. Programs that compare two worlds look at them there.
	Ending func()
	// Observing is called before and after each call of an observer, with its owner, if it is set. Calls nest: an
	// observer runs within the turn of a system, or within another observer.
	Observing func(owner *System, begins bool)
}

// NewSchedule returns an empty schedule for w.
func NewSchedule(w *World) *Schedule {
	given(w != nil, "NewSchedule", "a world")
	return &Schedule{world: w}
}

// Add appends a system of the update stage and returns the schedule, for chained calls. Its errors are returned by
// [Schedule.Sort].
func (s *Schedule) Add(name string, run SystemFunc) *Schedule {
	if _, err := s.AddSystem(SystemSpec{Name: name, Run: run}); err != nil {
		s.errs = append(s.errs, err)
	}
	return s
}

// AddSystem appends a system. For its first turn, everything that was written up to the end of the last frame, or
// up to [Schedule.Settle], does not count as changed. Errors: no name, a name that is in use, no function.
func (s *Schedule) AddSystem(spec SystemSpec) (*System, error) {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	switch {
	case spec.Name == "":
		return nil, errors.New("a system needs a name")
	case s.Find(spec.Name) != nil:
		return nil, fmt.Errorf("system %q is there already", spec.Name)
	case spec.Run == nil:
		return nil, fmt.Errorf("system %q has no function", spec.Name)
	case int(spec.Stage) >= len(stageNames):
		return nil, fmt.Errorf("system %q is in a stage that there is not", spec.Name)
	case len(spec.In) != 1 && spec.Stage.changes() && !s.loaded:
		return nil, fmt.Errorf("system %q of stage %s names %d values of states; give it one", spec.Name, spec.Stage, len(spec.In))
	case spec.Every < 0:
		return nil, fmt.Errorf("system %q runs every %d frames; give 1 for each frame, 2 for every other one", spec.Name, spec.Every)
	}
	sys := &System{spec: spec, schedule: s, place: len(s.systems), commands: newCommands(s.world), random: s.world.Stream(spec.stream())}
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

// Systems returns the systems in running order, once [Schedule.Sort] was called. Do not change the slice.
func (s *Schedule) Systems() []*System { return s.systems }

// Names returns the names of the systems in the order of [Schedule.Systems].
func (s *Schedule) Names() []string {
	names := make([]string, len(s.systems))
	for i, sys := range s.systems {
		names[i] = sys.spec.Name
	}
	return names
}

// Find returns the system of that name, nil if there is none.
func (s *Schedule) Find(name string) *System {
	return s.named[name]
}

// Swap replaces the function of a system. The system keeps its place, window, commands, random stream and event
// readers. Errors: no such system, no function.
func (s *Schedule) Swap(name string, run SystemFunc) error {
	sys := s.Find(name)
	if sys == nil || run == nil {
		return fmt.Errorf("swap: no system %q, or no function", name)
	}
	sys.spec.Run = run
	return nil
}

// Sort puts the systems into running order: by stage, and within a stage in the order of adding. A system with
// After waits for the systems that it names, and delays no other. Errors: an After that names no system or one of
// another stage; a cycle, which is named; and the errors of Add. The functions that run frames call Sort.
func (s *Schedule) Sort() error {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
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
		if sys.in = sys.in[:0]; len(sys.spec.In) > 0 {
			for _, name := range sys.spec.In {
				v, err := s.world.stateValue(name)
				if err != nil {
					return fmt.Errorf("system %q: %w", sys.spec.Name, err)
				}
				sys.in = append(sys.in, v)
			}
		}
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

// RunStartup runs the systems of the startup stage, each once. Call it before the first frame. It stops at an
// error that OnError does not absorb.
func (s *Schedule) RunStartup() error {
	if err := s.Sort(); err != nil {
		return err
	}
	if err := s.world.begins("run the startup stage"); err != nil {
		return err
	}
	s.world.rollBack(s.RollBack)
	defer s.world.returned(s.world.system)
	for _, sys := range s.systems {
		if sys.spec.Stage == Startup && !sys.disabled {
			if err := s.turn(sys, s.world.clock.dt); err != nil {
				return err
			}
		}
	}
	if s.Ending != nil {
		s.Ending()
	}
	return nil
}

// Settle ends the set-up: nothing that was written so far counts as changed or added for any system. Without it,
// the first turn of each system sees everything that was written before frame 1 as changed and added.
func (s *Schedule) Settle() {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	for _, sys := range s.systems {
		sys.window = s.world.Tick()
	}
	s.world.EndFrame()
}

// Call runs fn as the system sys, with its commands, random stream and readers. It applies the commands
// afterwards, or drops them if fn fails. It is not a turn: the window of the system does not change. Call is for
// set-up.
func (s *Schedule) Call(sys *System, fn SystemFunc) error {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	given(fn != nil, "Schedule.Call", "a function")
	if sys == nil || sys.schedule != s {
		return fmt.Errorf("call: the system is none of this schedule")
	}
	if err := s.world.begins("call"); err != nil {
		return err
	}
	w, before, done := s.world, s.world.system, false
	if s.Calling != nil {
		s.Calling(sys, true)
		defer s.Calling(sys, false)
	}
	defer func() {
		if !done { // returned would not see a call inside of a turn of the same system
			w.abandon(sys, before == nil)
			w.system = before
		}
		w.advanceTick()
	}()
	err := w.call(sys, fn, w.clock.dt)
	done = true
	if fault := s.world.TakeFault(); fault != nil {
		return fault
	}
	return err
}

// Run runs one frame of dt seconds: first the changes of states that were asked for, then the systems. If a turn fails and OnError does not return nil, Run returns that error, and
// the remaining systems have no turn in this frame. The frame is ended in any case, so the world is consistent.
func (s *Schedule) Run(dt float64) error {
	if err := s.Sort(); err != nil {
		return err
	}
	w := s.world
	w.notInTurn()
	switch {
	case w.system != nil:
		return fmt.Errorf("run a frame: system %q is in its turn; a frame cannot run inside of another one", w.system.spec.Name)
	case math.IsNaN(dt) || math.IsInf(dt, 0):
		return fmt.Errorf("run a frame of %v seconds: the time of the world would not be a number any more", dt)
	}
	if err := w.begins("run a frame"); err != nil {
		return err
	}
	err := w.commands.Apply()
	if fault := w.TakeFault(); fault != nil {
		err = fault
	}
	if err != nil {
		return err
	}
	w.rollBack(s.RollBack) // begins a tick where it begins to note changes: not between what the host has done and its commands
	w.BeginFrame(dt)
	defer w.endFrame() // after a panic, too
	failed := s.changeStates(dt)
	for _, sys := range s.systems {
		if failed != nil {
			break
		}
		if sys.spec.Stage == Startup || sys.spec.Stage.changes() {
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
	if failed == nil && s.Ending != nil {
		s.Ending()
	}
	return failed
}

// endFrame ends a frame and a turn that did not return, and closes the loops that a condition or a hook has left open.
func (w *World) endFrame() {
	w.returned(nil)
	if w.locks != 0 && w.changing == 0 {
		w.endWalks()
	}
	w.EndFrame()
}

// begins prepares for turns. It closes typed loops that are still open outside of all turns: a panic that the caller has
// recovered has left them, or the caller is in one, which panics when it goes on. Error: [ErrLocked] if something
// else locks structure, such as a function given to [Component.Modify].
func (w *World) begins(what string) error {
	if w.system != nil || w.locks == 0 {
		return nil
	}
	if len(w.walks) == w.locks {
		w.endWalks()
		return nil
	}
	return fail(what, None, "", w.lockedBy())
}

// turn gives a system its turn and moves its window up to now. A failed turn counts as a turn; with RollBack it moves
// no window.
func (s *Schedule) turn(sys *System, dt float64) error {
	if s.Before != nil {
		s.Before(sys)
	}
	sys.inTurn = true
	if len(s.world.indexes) > 0 {
		s.world.indexStamped() // what code between turns has written stays if the turn fails
	}
	undo := s.world.undo
	if undo != nil {
		undo.begin(sys)
	}
	err := s.world.call(sys, sys.spec.Run, dt)
	sys.inTurn = false
	fault := s.world.TakeFault()
	sys.turns++
	if sys.spec.Stage != Startup {
		sys.window = s.world.Tick()
	}
	if undo != nil {
		undo.end()
		if err != nil || fault != nil {
			undo.takeBack(sys)
		}
	}
	s.world.advanceTick()
	if s.After != nil {
		s.After(sys)
	}
	switch {
	case fault != nil: // the error of the turn, if there is one, comes from it
		return fault
	case err != nil:
		return s.forgive(sys, err)
	}
	return nil
}

// forgive asks OnError about a failed turn. It returns nil if the frame is to continue.
func (s *Schedule) forgive(sys *System, err error) error {
	if s.OnError == nil {
		return err
	}
	return s.OnError(sys, err)
}
