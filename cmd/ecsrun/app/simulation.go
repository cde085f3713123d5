package app

import (
	"fmt"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// assemble makes the world of a config and a runtime with its systems, nothing of which is loaded yet; o has what the config does not say.
// What cannot be had is a problem, and the runtime has the rest. Scripts are those of the config and the watchdog is dog, unless o has
// others.
func (p *program) assemble(c *config.Config, o luabind.Options, dog *watchdog) (*luabind.Runtime, config.Problems) {
	world, problems := newWorld(c)
	dog.beside(world)
	o.World = world
	if o.Scripts == nil {
		o.Scripts = files.Folder(c.Scripts.Dir)
	}
	o.Limits = luabind.Limits{
		OnError:      policies[c.Limits.OnError],
		Errors:       c.Limits.Errors,
		Instructions: c.Limits.Instructions,
	}
	o.Natives, o.Predicates, o.Modules = p.natives, p.predicates, p.modules
	if o.Watchdog == nil {
		o.Watchdog = dog
	}
	o.Settle = c.Run.Settle
	o.Pool = cores()
	rt, err := luabind.New(o)
	if err != nil {
		panic("app: " + err.Error()) // the options are complete
	}
	for i, s := range c.Systems {
		if err := rt.Add(system(s)); err != nil {
			problems = append(problems, c.Problem(fmt.Sprintf("systems[%d]", i), err.Error(), ""))
		}
	}
	return rt, problems
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
