package luabind

import (
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// One turn of a system: the function that the schedule calls for it. The schedule has increased the tick and opened
// the window before. Here the Go function or the Lua function runs, and the queued commands are applied; an error
// goes to onError (turn_policy.go).

// turn runs one turn of a system. A startup system calls its init first. It is the Run of the system's
// ecs.SystemSpec, so the schedule calls it, in the order and the frames that it decides. Every error is a
// *ScriptError, or that of the context if the turn did not begin.
func (r *Runtime) turn(sys *system, w *ecs.World, dt float64) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.turns++
	if sys.run != nil {
		return r.turnInGo(sys, w, dt)
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
	return r.call(sys, true, update, r.bound.Value(), sys.dt)
}

// turnInGo runs one turn of a native system.
func (r *Runtime) turnInGo(sys *system, w *ecs.World, dt float64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = r.panicked(sys.Name, v)
		}
	}()
	if err := sys.run(w, dt); err != nil {
		return r.scriptError(sys.Name, err)
	}
	return nil
}

// callInit runs the init of a system. Its error is an [ErrInit].
func (r *Runtime) callInit(sys *system) error {
	r.inInit = sys
	r.turns++
	defer func() { r.inInit = nil }()
	err := r.call(sys, false, sys.init(), r.bound.Value())
	if se := (*ScriptError)(nil); errors.As(err, &se) {
		se.Err = &caused{se.Message, []error{se.Err, ErrInit}}
	}
	return err
}

// call runs a Lua function as a turn of a system: under a fresh budget and the watchdog, with the random stream and
// the implementation of that system. Afterwards it closes the query loops that are still open, and applies the
// queued commands, which the same budget pays. If the function fails, the commands are not applied. last says
// that the turn of the schedule ends with this call.
func (r *Runtime) call(sys *system, last bool, fn *lua.LFunction, args ...lua.LValue) error {
	r.dropDisabled()
	r.running = sys
	defer func() { r.running = nil }()
	r.state.Plain(sys.Impl == Lua)
	err := r.guarded(func() error {
		err := r.state.CallAs(last, fn, args...)
		r.bound.EndTurn()
		if err == nil {
			err = r.state.SpentAfter(fn)
		}
		if err != nil {
			return err
		}
		r.applying = true
		defer func() { r.applying = false }()
		return r.world.Commands().ApplyCharged(r.charge)
	})
	if !sys.near && r.options.Near != nil {
		if b := r.state.Budget(); b.Limit() > 0 && b.Used() > b.Limit()/10*9 {
			sys.near = true
			r.options.Near(sys.Name, uint64(b.Used()), uint64(b.Limit()))
		}
	}
	if err == nil {
		return nil
	}
	switch late := (notBegun{}); {
	case errors.As(err, &late):
		return late.error
	case !errors.As(err, new(*sandbox.Error)) && !errors.As(err, new(*ecs.CommandError)):
		if spent := r.state.SpentAfter(fn); spent != nil {
			err = spent // interrupted after the last command
		}
	}
	return r.scriptError(sys.Name, err)
}
