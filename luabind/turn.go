package luabind

import (
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// turn is one turn of a system.
func (r *Runtime) turn(sys *system, w *ecs.World, dt float64) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if sys.run != nil {
		if err := sys.run(w, dt); err != nil {
			return r.scriptError(sys.Name, err)
		}
		return nil
	}
	if sys.Stage == ecs.Startup && !sys.begun {
		sys.begun = true
		if sys.init() != nil {
			if err := r.callInit(sys); err != nil {
				return err
			}
		}
	}
	update := sys.update()
	if update == nil {
		return nil
	}
	if sys.dt == nil || float64(sys.dt.(lua.LNumber)) != dt {
		sys.dt = lua.LNumber(dt)
	}
	return r.call(sys, update, r.bound.Value(), sys.dt)
}

func (r *Runtime) callInit(sys *system) error {
	err := r.call(sys, sys.init(), r.bound.Value())
	if se := (*ScriptError)(nil); errors.As(err, &se) {
		se.Err = &caused{se.Message, []error{se.Err, ErrInit}}
	}
	return err
}

// call runs a Lua function as a system, closes every query loop, and applies the
// commands: all of it under its budget, and watched.
func (r *Runtime) call(sys *system, fn *lua.LFunction, args ...lua.LValue) error {
	r.running = sys
	defer func() { r.running = nil }()
	r.state.Plain(sys.Impl == Lua)
	err := r.guarded(func() error {
		err := r.state.Call(fn, args...)
		r.bound.EndTurn()
		if err == nil {
			err = r.state.Budget().Spent() // a pcall in tail position can end a spent turn without an error
		}
		if err != nil {
			return err
		}
		return r.world.Commands().ApplyCharged(r.charge)
	})
	if err == nil {
		return nil
	}
	if in := (*sandbox.Error)(nil); r.cancelled(err) && !errors.As(err, &in) && !errors.As(err, new(*ecs.CommandError)) {
		return r.ctx.Err() // it had not begun
	}
	return r.scriptError(sys.Name, err)
}
