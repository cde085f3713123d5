package ecs

import "fmt"

// A system is a function with a place in the schedule and a state that outlives the function. World.call is how a
// turn runs, for systems in Go and in Lua alike.

// A Stage is a group of systems in the schedule. The systems of Startup run once, before frame 1; those of First,
// Update and Last run in every frame, in this order. Before them, those of Leave and Enter run when a state changes: see [Commands.State].
type Stage uint8

// The stages. The zero Stage is Update.
const (
	Update Stage = iota
	Startup
	First
	Last
	Leave // when a state leaves a value: see SystemSpec.In
	Enter // when a value begins to hold
)

var stageNames = [...]string{Update: "update", Startup: "startup", First: "first", Last: "last", Leave: "leave", Enter: "enter"}

// Stages lists the names of the stages of a frame, and startup, in the order in which they run.
func Stages() []string { return []string{"startup", "first", "update", "last"} }

// ParseStage returns the stage of that name, Update for "". It reports false for other names.
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

// changes reports whether the stage is one of changes of states.
func (s Stage) changes() bool { return s == Leave || s == Enter }

// order returns the position of the stage in the running order.
func (s Stage) order() int {
	return [...]int{Update: 4, Startup: 0, Leave: 1, Enter: 2, First: 3, Last: 5}[s]
}

// A SystemFunc is one turn of a system. dt is the length of the frame in seconds, times the Every of the system. It
// may read and write the world; structural changes inside of query loops are queued on [World.Commands]. If it
// returns an error, its queued commands are dropped; its other changes stay, unless [Schedule].RollBack is set. See
// the example of [NativeFunc].
type SystemFunc func(w *World, dt float64) error

// A NativeFunc prepares a system in Go for a world: it declares or looks up what the system needs, and returns the
// function to run. It is called once per world, before the startup stage.
type NativeFunc func(w *World) (SystemFunc, error)

// A SystemSpec describes a system for [Schedule.AddSystem].
type SystemSpec struct {
	Name  string
	Stage Stage
	After []string                   // names of systems of the same stage that run before this one
	Every int                        // the system runs in frames whose number is divisible by it, with dt multiplied by it; 0 means 1
	When  func(*World) (bool, error) // a further condition, asked in each frame in which the system could run; nil means always
	Run   SystemFunc

	// In names values of states, as in "game.playing": the system runs in frames in which one of them holds; nil means always. A system of the stages Enter and Leave has one, and no
	// Every: it runs when that begins to hold, also before the first frame in which the world has the state, or when it ends to.
	In []string

	Random string // the name of its random stream; "" means Name. Systems that give the same name share the stream
}

// stream returns the name of the random stream of the system.
func (s *SystemSpec) stream() string {
	if s.Random != "" {
		return s.Random
	}
	return s.Name
}

// A System is one entry of a schedule: its function, and the state that stays when the function is replaced.
type System struct {
	spec     SystemSpec
	in       []stateValue // spec.In, set by Sort
	schedule *Schedule
	place    int  // position in the order of adding
	inTurn   bool // its turn is running: it declares no observers
	progress
	commands *Commands
	random   *Random        // one of the world's streams; nil outside of the schedule: see Schedule.Between
	readers  []*EventReader // by event id; nil for an event that it has not read
}

// progress is the part of a system's state that is copied as a value.
type progress struct {
	disabled bool
	turns    uint64
	window   Tick // the system sees changes after this tick
}

// Name returns the system's name.
func (s *System) Name() string { return s.spec.Name }

// Spec returns the description of the system, with its current function.
func (s *System) Spec() SystemSpec { return s.spec }

// Turns returns the number of turns that the system has had.
func (s *System) Turns() uint64 { return s.turns }

// Window returns the tick after which the system sees changes: that of its last turn. Before its first turn it is
// the tick at the end of the last frame, or of [Schedule.Settle], when the system was added; 0 if there was
// neither.
func (s *System) Window() Tick { return s.window }

// Enabled reports whether the system runs.
func (s *System) Enabled() bool { return !s.disabled }

// SetEnabled enables or disables the system. A disabled system has no turns. Disabling it closes its event
// readers, so no events are kept for it.
func (s *System) SetEnabled(on bool) {
	made(s.schedule != nil, "System", "Schedule.AddSystem")
	s.disabled = !on
	if !on {
		if u := s.commands.world.undo; u != nil {
			u.readersOf(s)
		}
		s.closeReaders()
	}
}

func (s *System) closeReaders() {
	for _, r := range s.readers {
		if r != nil {
			r.Close()
		}
	}
	s.readers = nil
}

// due reports whether the system has a turn in this frame. The error is that of its When.
func (s *System) due(w *World) (bool, error) {
	if s.disabled || (s.spec.Every > 1 && w.clock.frame%uint64(s.spec.Every) != 0) {
		return false, nil
	}
	if len(s.in) > 0 && !s.isIn(w) {
		return false, nil
	}
	return s.asks(w)
}

// isIn reports whether one of the values holds in which the system runs.
func (s *System) isIn(w *World) bool {
	for _, v := range s.in {
		if w.holds(v) {
			return true
		}
	}
	return false
}

// asks evaluates When.
func (s *System) asks(w *World) (bool, error) {
	if s.spec.When == nil {
		return true, nil
	}
	ok, err := s.spec.When(w)
	if err != nil {
		return false, fmt.Errorf("when: %w", err)
	}
	return ok, nil
}

// call runs fn as the system s, under a new tick and with its commands, random stream and readers. Afterwards it
// applies the commands, or drops them if fn has failed. A query loop that fn has left open is closed; it is an
// error if fn reported none. The caller defers returned, which does the same if fn does not return.
func (w *World) call(s *System, fn SystemFunc, dt float64) error {
	w.notInTurn()
	w.advanceTick()
	before := w.system
	w.system = s
	err := fn(w, dt)
	if w.locks != 0 {
		w.endWalks()
		if err == nil {
			err = fmt.Errorf("system %q left a query loop open: call End", s.spec.Name)
		}
	}
	if err == nil && len(w.indexes) > 0 {
		w.indexStamped()
	}
	if len(s.commands.ops) > 0 {
		if err != nil {
			s.commands.Drop()
		} else {
			err = s.commands.Apply()
		}
	}
	w.system = before
	return err
}

// returned ends a call that a panic or [runtime.Goexit] has ended. before was the running system when its caller began.
func (w *World) returned(before *System) {
	if s := w.system; s != before {
		w.abandon(s, before == nil)
		w.system = before
	}
}

// abandon closes the loops and drops the commands of a call that a panic or [runtime.Goexit] has ended. If it is the
// outermost one, and that of a turn, the turn ends, too; with RollBack it leaves no trace.
func (w *World) abandon(s *System, outermost bool) {
	whole := w.changing == 0 // else it has ended in the middle of a change: see meet
	if whole {
		if w.locks != 0 {
			w.endWalks()
		}
		s.commands.Drop()
	}
	if !outermost || !s.inTurn {
		return
	}
	s.inTurn = false
	w.TakeFault()
	if u := w.undo; u != nil {
		u.end()
		if whole && !u.sealed {
			u.takeBack(s)
		}
	}
	w.advanceTick()
}
