package luabind

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	lua "github.com/yuin/gopher-lua"
)

// Copies in memory: the world, what the schedule keeps for its systems, and the state tables of scripts.

// A Copy is the state of a Runtime at one moment, in memory. It can be restored any number of times, into the Runtime that
// it was taken of.
type Copy struct {
	of       *Runtime
	schedule *ecs.Schedule          // holds the state only; it cannot run
	systems  map[string]systemState // by name
	failed   bool                   // an error had ended the run
}

// systemState is what a Runtime keeps for a system, besides what the schedule keeps.
type systemState struct {
	state   ecs.Value // of its script; nil if it has none
	begun   bool
	strikes int

	// A system that is dropped later gets these back.
	instance  *script.Instance
	observers []*observer
}

// Copy copies the state of the world, of the schedule, and the state table of each script. Other variables of
// scripts are not part of it. It costs about as much as [ecs.World.Copy]. Call it between frames, after Load.
//
// Errors: [ecs.ErrLocked] inside of a query loop; an error that names the system if its state is not plain data.
func (r *Runtime) Copy() (*Copy, error) {
	if err := r.closed("Copy"); err != nil {
		return nil, err
	}
	s := &Copy{of: r, systems: map[string]systemState{}, failed: r.failed}
	err := r.guarded(func() error {
		for _, sys := range r.systems {
			kept := systemState{begun: sys.begun, strikes: sys.strikes, instance: sys.instance}
			if sys.instance != nil {
				var err error
				if kept.state, err = r.surface.Value(sys.instance.State()); err != nil {
					return fmt.Errorf("the state of system %q cannot be copied: %w", sys.Name, err)
				}
			}
			for _, o := range r.inOrder() {
				if o.sys == sys {
					same := *o
					kept.observers = append(kept.observers, &same)
				}
			}
			s.systems[sys.Name] = kept
		}
		return nil
	})
	if err == nil {
		s.schedule, err = r.schedule.Copy(nil)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// RestoreCopy puts world, schedule and state tables back to where they were when the copy was made. The frames that
// follow then have the same results. A state table stays the same table, and so do the tables in it that were there
// before, so that variables of scripts that hold them see the old values, too. Call it between frames.
//
// Errors: [ecs.ErrLocked] inside of a query loop; [ecs.ErrMismatch] if something was declared since; an error if the
// copy is one of another Runtime. After an error nothing has changed.
func (r *Runtime) RestoreCopy(s *Copy) error {
	if s == nil || s.of != r {
		return errors.New("the copy is one of another world")
	}
	if err := r.closed("RestoreCopy"); err != nil {
		return err
	}
	if err := r.schedule.Restore(s.schedule); err != nil {
		return err
	}
	r.failed = s.failed
	return r.guarded(func() error {
		for _, sys := range r.systems {
			kept, ok := s.systems[sys.Name]
			if !ok {
				continue
			}
			sys.begun, sys.strikes = kept.begun, kept.strikes
			if err := r.regain(sys, kept); err != nil {
				return err
			}
			if sys.instance == nil {
				continue
			}
			was := r.surface.Lua(kept.state)
			if now, ok := sys.instance.State().(*lua.LTable); ok && was.Type() == lua.LTTable {
				restoreTable(now, was.(*lua.LTable))
			} else {
				sys.instance.SetState(was)
			}
		}
		return nil
	})
}

// regain gives a system that was dropped since the copy what it had then.
func (r *Runtime) regain(sys *system, kept systemState) error {
	if sys.dropped == nil || kept.instance == nil {
		return nil
	}
	sys.instance, sys.dropped = kept.instance, nil
	for _, o := range kept.observers {
		again := *o
		again.sys, again.what.Owner, again.what.Run = sys, sys.entry, again.told
		if err := again.declare(); err != nil {
			return err
		}
		again.in.Replace(o.in)
	}
	return nil
}

// restoreTable gives a table the content of another one, which nobody else has. Tables that both have under the same
// key are restored in the same way.
func restoreTable(now, was *lua.LTable) {
	for k, _ := now.Next(lua.LNil); k != lua.LNil; k, _ = now.Next(k) {
		if was.RawGet(k) == lua.LNil {
			now.RawSet(k, lua.LNil)
		}
	}
	for k, v := was.Next(lua.LNil); k != lua.LNil; k, v = was.Next(k) {
		mine, ok := now.RawGet(k).(*lua.LTable)
		if inner, both := v.(*lua.LTable); ok && both {
			restoreTable(mine, inner)
			continue
		}
		now.RawSet(k, v)
	}
}
