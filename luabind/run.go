package luabind

import (
	"context"
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
)

// Start makes machine code of the loops whose variables show what they will hold
// (see [Options].Pool), and runs the startup stage, each system's own init right before it, and then
// the init of every other system whose Lua is in use, in the order of the
// schedule, each followed by its commands. An init that fails ends the run,
// whatever the policy; so does a cancelled ctx.
func (r *Runtime) Start(ctx context.Context) error {
	if r.phase == phaseAdding {
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
		if sys == nil || sys.Stage == ecs.Startup || !entry.Enabled() || sys.init() == nil || sys.run != nil {
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
