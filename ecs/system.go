package ecs

import "fmt"

// A Stage is a place in the schedule. Startup runs once, before frame 1; the others every frame, in this order.
type Stage uint8

// The stages. The zero Stage is Update.
const (
	Update Stage = iota
	Startup
	First
	Last
)

var stageNames = [...]string{Update: "update", Startup: "startup", First: "first", Last: "last"}

// Stages lists the names in the order they run.
func Stages() []string { return []string{"startup", "first", "update", "last"} }

// ParseStage returns the stage of that name; "" is Update.
func ParseStage(name string) (Stage, bool) {
	for s, n := range stageNames {
		if n == name {
			return Stage(s), true
		}
	}
	return Update, name == ""
}

// String returns the name used in config files.
func (s Stage) String() string { return stageNames[s] }

// order returns the stage's place in a frame; Startup is before all.
func (s Stage) order() int {
	return [...]int{Update: 2, Startup: 0, First: 1, Last: 3}[s]
}

// A SystemFunc is one turn of a system: dt is the world seconds since its last turn. It may read and write the world; structural changes
// inside query loops go through [World.Commands]. If it returns an error, its queued commands are dropped; its other changes stay.
type SystemFunc func(w *World, dt float64) error

// A NativeFunc prepares a system written in Go for a world: it declares or looks up what it needs and returns the turn. dt and limits are
// those of any other system. It is called once per world, before the startup stage.
type NativeFunc func(w *World) (SystemFunc, error)

// A SystemSpec describes a system to [Schedule.AddSystem].
type SystemSpec struct {
	Name  string
	Stage Stage
	After []string // names of systems of the same stage that run before this one
	Every int      // frames between turns: it runs on frames divisible by it, with dt times it; 0 means 1
	When  func(*World) (bool, error)
	Run   SystemFunc
}

// A System is one entry of a schedule: its function and all that belongs to it and outlives a swap of the function.
type System struct {
	spec  SystemSpec
	place int // order of AddSystem
	progress
	commands *Commands
	random   *Random        // one of the world's streams
	readers  []*EventReader // by event id; nil where it has not read
}

// progress says how far a system has come.
type progress struct {
	disabled bool
	turns    uint64
	window   Tick // changes after this tick are news to it
}

// Name returns the system's name.
func (s *System) Name() string { return s.spec.Name }

// Spec returns the description, with the function in use.
func (s *System) Spec() SystemSpec { return s.spec }

// Turns returns how often the system has run.
func (s *System) Turns() uint64 { return s.turns }

// Window returns the tick after which the system sees changes: that of its last turn. Before the first it is that of the last frame's
// end, or of [Schedule.Settle], at which the system was added; 0 when there was neither.
func (s *System) Window() Tick { return s.window }

// Enabled reports whether the system takes its turns.
func (s *System) Enabled() bool { return !s.disabled }

// SetEnabled lets the system take its turns or not. Disabling it drops its event cursors: nothing is kept for it any more.
func (s *System) SetEnabled(on bool) {
	s.disabled = !on
	if !on {
		for _, r := range s.readers {
			if r != nil {
				r.Close()
			}
		}
		s.readers = nil
	}
}

// due reports whether the system's turn comes in this frame.
func (s *System) due(w *World) (bool, error) {
	if s.disabled || (s.spec.Every > 1 && w.clock.frame%uint64(s.spec.Every) != 0) {
		return false, nil
	}
	if s.spec.When == nil {
		return true, nil
	}
	ok, err := s.spec.When(w)
	if err != nil {
		return false, fmt.Errorf("when: %w", err)
	}
	return ok, nil
}

// call runs fn as this system: under a tick of its own, with its commands, random stream and readers; then it applies its commands, or
// drops them when fn failed.
func (w *World) call(s *System, fn SystemFunc, dt float64) error {
	w.advanceTick()
	w.system = s
	err := fn(w, dt)
	if w.locks != 0 {
		w.endWalks()
		if err == nil {
			err = fmt.Errorf("system %q left a query loop open: call End", s.spec.Name)
		}
	}
	if len(s.commands.ops) > 0 {
		if err != nil {
			s.commands.Drop()
		} else {
			err = s.commands.Apply()
		}
	}
	w.system = nil
	return err
}
