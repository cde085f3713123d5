package luabind

import (
	"context"
	"errors"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Start makes machine code of the loops whose variables show what they will hold
// (see [Options].Pool), and runs the startup stage, each system's own init right before it, and then
// the init of every other system whose Lua is in use, in the order of the
// schedule, each followed by its commands. An init that fails ends the run,
// whatever the policy; so does a cancelled ctx.
func (r *Runtime) Start(ctx context.Context) error {
	if !r.loaded {
		return errors.New("luabind: Start before Load")
	}
	r.heed(ctx)
	defer func() { r.ctx = context.Background() }()
	r.compileAhead()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.schedule.RunStartup(); err != nil {
		return err
	}
	for _, entry := range r.schedule.Systems() {
		sys := r.system(entry.Name())
		if sys == nil || sys.Stage == ecs.Startup || !entry.Enabled() || sys.init == nil || sys.run != nil {
			continue
		}
		if err := r.schedule.Call(entry, func(*ecs.World, float64) error { return r.callInit(sys) }); err != nil {
			return r.count(err)
		}
	}
	if r.options.Settle {
		r.schedule.Settle()
	} else {
		r.world.EndFrame() // what came before frame 1 was a frame of its own, for events
	}
	return nil
}

// Frame runs one frame of dt seconds. A failing turn is dealt with as
// Limits.OnError says; an error means that the run must end. Failures lists what
// was forgiven. When ctx is cancelled the turn that runs is stopped as by a limit, the rest of
// the frame is left out, and the error is ctx's: a *[ScriptError] that says where the turn was, in the words of [context.Cause], or
// ctx.Err() between two turns. A native system is not stopped. Frames with one context allocate nothing for it.
func (r *Runtime) Frame(ctx context.Context, dt float64) error {
	if r.ahead && r.world.Frame() >= aheadFrames {
		r.forgetAhead()
	}
	r.heed(ctx)
	err := r.schedule.Run(dt)
	r.ctx = context.Background()
	return err
}

// heeded is the context that trips the running turn when it ends.
type heeded struct {
	done    <-chan struct{} // of the context; nil: there is none
	stop    func() bool
	tripped chan struct{} // closed once the turn was tripped
}

// heed makes ctx the context of the calls that follow. What waits for its end stays when the next frame has the same context, so that a
// frame allocates nothing.
func (r *Runtime) heed(ctx context.Context) {
	r.ctx = ctx
	if ctx.Done() == r.heeded.done {
		return
	}
	r.unheed()
	if ctx.Done() == nil {
		return
	}
	tripped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		r.state.Budget().Trip(context.Cause(ctx))
		close(tripped)
	})
	r.heeded = heeded{ctx.Done(), stop, tripped}
}

// unheed leaves the context of the last frame.
func (r *Runtime) unheed() {
	if r.heeded.done != nil && !r.heeded.stop() {
		<-r.heeded.tripped // it is on its way: it must not hit a later turn
	}
	r.heeded = heeded{}
}

// cancelled reports whether err is the context's.
func (r *Runtime) cancelled(err error) bool {
	return r.ctx.Err() != nil && (errors.Is(err, r.ctx.Err()) || errors.Is(err, context.Cause(r.ctx)))
}

// system finds a system by name, nil when the schedule has one of its own.
func (r *Runtime) system(name string) *system {
	return r.named[name]
}

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
		if sys.init != nil {
			if err := r.callInit(sys); err != nil {
				return err
			}
		}
	}
	if sys.update == nil {
		return nil
	}
	if sys.dt == nil || float64(sys.dt.(lua.LNumber)) != dt {
		sys.dt = lua.LNumber(dt)
	}
	return r.call(sys, sys.update, r.bound.Value(), sys.dt)
}

func (r *Runtime) callInit(sys *system) error {
	err := r.call(sys, sys.init, r.bound.Value())
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

// guarded calls into Lua under a fresh budget and the watchdog.
func (r *Runtime) guarded(fn func() error) error {
	b := r.state.Budget()
	b.Reset(int64(min(r.options.Limits.Instructions, 1<<62)))
	if err := r.ctx.Err(); err != nil { // after Reset: from here on the context trips this turn
		return err
	}
	if dog := r.options.Watchdog; dog != nil {
		turn := b.Turn()
		dog.Begin(func(err error) { b.TripTurn(turn, err) })
		defer dog.End()
	}
	err := fn()
	if err == nil {
		err = b.Spent() // a pcall in tail position can end a spent turn without an error
	}
	return err
}

// charge takes the steps of applying commands from the budget of the turn.
func (r *Runtime) charge(steps int) error {
	if b := r.state.Budget(); !b.Charge(int64(steps)) {
		return b.Spent()
	}
	return nil
}

// Failures counts what went wrong in a run, also where the run went on.
type Failures struct {
	Errors     int      // failing turns and inits that passed no limit
	Limits     int      // those that passed one
	FirstError error    // nil when Errors is 0
	FirstLimit error    // nil when Limits is 0
	Disabled   []string // systems dropped by the policy, in that order
	Bugs       int      // differences between machine code and closures that were found while loops ran
	FirstBug   error    // nil when Bugs is 0; errors.As finds a *Difference in it
}

// Failures returns the counts so far.
func (r *Runtime) Failures() Failures {
	f := r.failures
	f.Disabled = append([]string(nil), f.Disabled...)
	return f
}

// count books an error and returns it.
func (r *Runtime) count(err error) error {
	switch {
	case r.cancelled(err) || errors.Is(err, ErrBug):
	case errors.Is(err, ErrLimit):
		if r.failures.Limits++; r.failures.FirstLimit == nil {
			r.failures.FirstLimit = err
		}
	default:
		if r.failures.Errors++; r.failures.FirstError == nil {
			r.failures.FirstError = err
		}
	}
	return err
}

// onError applies the policy to a failing turn.
func (r *Runtime) onError(entry *ecs.System, err error) error {
	if r.cancelled(err) {
		return err
	}
	err = r.count(r.scriptError(entry.Name(), err)) // still a *ScriptError
	if errors.Is(err, ErrBug) || errors.Is(err, ErrInit) {
		return err
	}
	switch r.options.Limits.OnError {
	case Skip:
	case Disable:
		sys := r.system(entry.Name())
		if sys == nil {
			return err
		}
		if sys.strikes++; sys.strikes >= max(1, r.options.Limits.Errors) {
			entry.SetEnabled(false)
			r.failures.Disabled = append(r.failures.Disabled, sys.Name)
		}
	default:
		return err
	}
	r.report(err.(*ScriptError), entry)
	return nil
}

// report passes on an error the run survives.
func (r *Runtime) report(err *ScriptError, entry *ecs.System) {
	if r.options.Report != nil {
		r.options.Report(err)
		return
	}
	then := "turn skipped"
	if !entry.Enabled() {
		then = "system disabled"
	}
	r.options.Log.LogAttrs(r.ctx, slog.LevelError, err.Error(), slog.String("then", then))
}
