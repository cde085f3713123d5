package ecs

import (
	"errors"
	"fmt"
)

// Turns between frames, for changes that come from outside of the schedule.

// Between runs fn between two frames as a turn of a system of that name which is not in the schedule: under a tick of its own,
// so that every system sees its changes, and with its own commands, which are applied when fn returns. If fn fails, or an
// observer that it calls, the turn leaves no trace, as with RollBack, and the error is returned; OnError is not asked. Its random
// stream is that of the name, and is made when it is first used. Its window is that of code between frames, and its event
// readers are closed behind the turn, so it has no state of its own. Before and After are called.
//
// Errors: no name, no function; [ErrLocked] inside of a query loop; an error inside of a turn.
func (s *Schedule) Between(name string, fn SystemFunc) error {
	made(s.world != nil, "Schedule", "ecs.NewSchedule")
	w := s.world
	w.notInTurn()
	switch {
	case name == "" || fn == nil:
		return errors.New("a turn between frames needs a name and a function")
	case w.system != nil:
		return fmt.Errorf("a turn of %q between frames: system %q is in its turn", name, w.system.spec.Name)
	case w.fault != nil:
		return w.fault // the next frame ends with it
	}
	if err := w.begins("a turn between frames"); err != nil {
		return err
	}
	sys := s.outside[name]
	if sys == nil {
		if s.outside == nil {
			s.outside = map[string]*System{}
		}
		sys = &System{spec: SystemSpec{Name: name}, schedule: s, commands: newCommands(w)}
		s.outside[name] = sys
	}
	was := w.undo != nil
	w.rollBack(true)
	defer w.rollBack(was)
	defer sys.closeReaders()
	defer w.returned(nil)
	sys.window = w.watermark
	if s.Before != nil {
		s.Before(sys)
	}
	sys.inTurn = true
	w.undo.begin(sys)
	err := w.call(sys, fn, w.clock.dt)
	sys.inTurn = false
	if fault := w.TakeFault(); fault != nil {
		err = fault
	}
	sys.turns++
	w.undo.end()
	if err != nil {
		w.undo.takeBack(sys)
	}
	w.advanceTick()
	if s.After != nil {
		s.After(sys)
	}
	return err
}
