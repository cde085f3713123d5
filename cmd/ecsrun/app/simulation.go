package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// assemble makes the world of a config and a runtime with its systems, nothing of which is loaded yet. The error is config.Problems, or
// what the runtime says of a system.
func (p *program) assemble(c *config.Config, stdout io.Writer, log *slog.Logger, w *watchdog) (*luabind.Runtime, error) {
	world, problems := newWorld(c)
	if len(problems) > 0 {
		return nil, problems
	}
	w.world.Store(world)
	rt, err := luabind.New(luabind.Options{
		World:   world,
		Scripts: os.DirFS(c.Scripts.Dir),
		Stdout:  stdout,
		Log:     log,
		Limits: luabind.Limits{
			OnError:      policies[c.Limits.OnError],
			Errors:       c.Limits.Errors,
			Instructions: c.Limits.Instructions,
		},
		Natives:    p.natives,
		Predicates: p.predicates,
		Modules:    p.modules,
		Watchdog:   w,
		Settle:     c.Run.Settle,
	})
	if err != nil {
		return nil, err
	}
	for i, s := range c.Systems {
		if err := rt.Add(system(s)); err != nil {
			problems = append(problems, c.Problem(fmt.Sprintf("systems[%d]", i), err.Error(), ""))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems, rt.Close())
	}
	return rt, nil
}

var policies = map[string]luabind.Policy{
	config.OnErrorStop:    luabind.Stop,
	config.OnErrorDisable: luabind.Disable,
	config.OnErrorSkip:    luabind.Skip,
}

var impls = map[string]luabind.Impl{
	config.ImplAuto:     luabind.Auto,
	config.ImplLua:      luabind.Lua,
	config.ImplClosures: luabind.Closures,
	config.ImplNative:   luabind.Native,
}

// system converts an entry of the schedule.
func system(s config.System) luabind.System {
	stage, ok := ecs.ParseStage(s.Stage)
	if !ok {
		panic(fmt.Sprintf("app: stage %q of system %q", s.Stage, s.Name)) // config knows the same names
	}
	return luabind.System{
		Name: s.Name, Script: s.Script, Native: s.Native, Impl: impls[s.Impl],
		Stage: stage, After: s.After, Every: s.Every, When: s.When, Disabled: !s.Enabled,
	}
}
