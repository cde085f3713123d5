package app

import (
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// assemble makes the world of a config and a runtime with its systems, nothing of which is loaded yet; o has what the config does not say. What cannot be had is a
// problem, and the runtime has the rest. The watchdog is dog, unless o has another.
func (p *program) assemble(c *config.Config, o luabind.Options, dog *watchdog) (*luabind.Runtime, config.Problems) {
	o.Natives, o.Predicates, o.Modules = p.natives, p.predicates, p.modules
	if o.Watchdog == nil {
		o.Watchdog = dog
	}
	o.Pool = cores()
	rt, problems := worldfile.New(c, o)
	if rt == nil {
		panic("app: " + problems.Error()) // the options are complete
	}
	dog.beside(rt.World())
	return rt, problems
}
