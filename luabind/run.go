package luabind

import (
	"context"
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
)

// Start compiles the loops whose types the source shows, on the cores of
// [Options].Pool. Then it runs the startup stage: the init of each system, if it has
// one, and then the system. Then it runs the init of every other system whose Lua is in
// use, in the order of the schedule. The commands of each init are applied right after
// it. An init that fails ends the run, whatever the policy; so does a cancelled ctx.
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

// Frame runs one frame of dt seconds. If a turn fails, Limits.OnError
// decides whether Frame returns its error; after an error the run must end. Failures
// counts the errors that did not end the run. When ctx is cancelled, the running turn is
// ended as by a limit, and the rest of the frame is left out. The error is then a
// *[ScriptError] with the place in the script and the text of [context.Cause], or
// ctx.Err() between two turns; errors.Is finds ctx.Err() in both. A native system is
// not stopped. Frames with one context allocate nothing for it.
func (r *Runtime) Frame(ctx context.Context, dt float64) error {
	if r.ahead && r.world.Frame() >= aheadFrames {
		r.forgetAhead()
	}
	r.heed(ctx)
	err := r.schedule.Run(dt)
	r.ctx = context.Background()
	return err
}
