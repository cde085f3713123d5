package luabind

import (
	"fmt"
	"maps"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
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
	entities map[string]ecs.Entity
}

// systemState is what a Runtime keeps for a system, besides what the schedule keeps.
type systemState struct {
	state   lua.LValue // a copy of that of its script; nil if it has none
	begun   bool
	strikes int
	setting liveSetting

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
	for _, sys := range r.systems {
		if sys.instance == nil {
			continue
		}
		if err := r.guarded(func() error { _, err := r.surface.Value(sys.instance.State()); return err }); err != nil {
			return nil, fmt.Errorf("the state of system %q cannot be copied: %w", sys.Name, err)
		}
	}
	return r.copyWhole()
}

// copyWhole is Copy for states with any values. Those that are not plain data, such as coroutines, are shared.
func (r *Runtime) copyWhole() (*Copy, error) {
	s := &Copy{of: r, systems: map[string]systemState{}, failed: r.failed, entities: maps.Clone(r.entities)}
	err := r.guarded(func() error {
		for _, sys := range r.systems {
			kept := systemState{begun: sys.begun, strikes: sys.strikes, setting: sys.setting(), instance: sys.instance}
			if sys.instance != nil {
				kept.state = sys.instance.CopyState()
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

// restoreCopy is RestoreCopy for systems that have the settings of then.
func (r *Runtime) restoreCopy(s *Copy) error {
	if err := r.schedule.Restore(s.schedule); err != nil {
		return err
	}
	r.failed, r.entities = s.failed, maps.Clone(s.entities)
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
			was := lua.LValue(lua.LNil)
			if kept.state != nil {
				was = sys.instance.Copied(kept.state)
			}
			if now, ok := sys.instance.State().(*lua.LTable); ok && was.Type() == lua.LTTable {
				restoreTable(now, was.(*lua.LTable), map[*lua.LTable]bool{})
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
// key are restored in the same way. done has those that were met before.
func restoreTable(now, was *lua.LTable, done map[*lua.LTable]bool) {
	if done[was] {
		return
	}
	done[was] = true
	c := sandbox.ContentsOf(was)
	c.Each(func(k, v lua.LValue) lua.LValue {
		mine, ok := sandbox.Get(now, k).(*lua.LTable)
		inner, both := v.(*lua.LTable)
		if !ok || !both {
			return v
		}
		restoreTable(mine, inner, done)
		return mine
	})
	c.PutInto(now)
}
