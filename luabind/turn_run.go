package luabind

import (
	"context"
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// Running: the startup stage and the frames. The schedule of package ecs decides which systems run, and calls turn
// for each (turn.go).

// Start does everything that comes before frame 1. It compiles the loops whose types the source shows, on the cores
// of [Options].Pool. It runs the startup stage: the init of each startup system, if it has one, and then the
// system. Then it runs the init of every other enabled system that runs Lua, in the order of the schedule. The
// commands of each init are applied right after it. An init that fails ends the run, whatever the policy; so does a
// cancelled ctx. Call it once, after Load.
func (r *Runtime) Start(ctx context.Context) (err error) {
	if err := r.enter(ctx, "Start"); err != nil {
		return err
	}
	defer r.leave(&err)
	switch {
	case r.phase == phaseAdding:
		return errors.New("luabind: Start before Load")
	case r.started:
		return errors.New("luabind: Start twice, or after Restore")
	}
	r.started = true
	err = r.start(ctx)
	r.failed = r.failed || err != nil
	return err
}

// start is Start after Load.
func (r *Runtime) start(ctx context.Context) error {
	r.heed(ctx)
	defer func() { r.ctx = context.Background() }()
	if !r.sparing() {
		r.compileAhead()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.schedule.RollBack = r.options.Limits.OnError != Stop
	if err := r.schedule.RunStartup(); err != nil {
		return err
	}
	for _, entry := range r.schedule.Systems() {
		sys := r.system(entry.Name())
		if sys == nil || sys.Stage == ecs.Startup || !entry.Enabled() || sys.run != nil {
			continue
		}
		sys.begun = true // an init that a later version of the file has is not called
		if sys.init() == nil {
			continue
		}
		if err := r.schedule.Call(entry, func(*ecs.World, float64) error { return r.callInit(sys) }); err != nil {
			return r.count(err)
		}
	}
	if r.sparing() && r.world.Len() >= loops.SmallWorld {
		r.compileAhead()
	}
	if r.options.Settle {
		r.schedule.Settle()
	} else {
		r.world.EndFrame() // for events, what came before frame 1 counts as a frame
	}
	return nil
}

// Frame runs one frame of dt seconds. If a turn fails, Limits.OnError decides whether Frame returns its error;
// after an error the run must end. [Runtime.Failures] counts the errors that did not end the run. When ctx is
// cancelled, the running turn ends as by a limit, and the rest of the frame is left out. Then the error is a
// [*ScriptError] with the place in the script and the text of [context.Cause], or ctx.Err() between two turns;
// errors.Is finds ctx.Err() in both. A native system is not interrupted. Frames with the same context allocate
// nothing for it.
func (r *Runtime) Frame(ctx context.Context, dt float64) (err error) {
	if err := r.enter(ctx, "Frame"); err != nil {
		return err
	}
	defer r.leave(&err)
	if r.phase == phaseAdding {
		return errors.New("luabind: Frame before Load")
	}
	if r.ahead && r.world.Frame() >= aheadFrames {
		r.forgetAhead()
	}
	r.heed(ctx)
	r.schedule.RollBack = r.options.Limits.OnError != Stop
	r.turns++ // commands of the host, and what these lead to
	if err = r.beginRestored(); err == nil {
		err = r.schedule.Run(dt)
	}
	r.dropDisabled()
	r.failed = err != nil // a whole frame after a failed one, as after a reload, can be resumed again
	return err
}
