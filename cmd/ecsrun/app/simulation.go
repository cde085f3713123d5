package app

import (
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// assemble makes the world of a config and a runtime with its systems; no script is loaded yet. o has the options
// that a config does not have. What cannot be made is returned as problems, and the runtime has the rest. dog is
// the watchdog, unless o has another one.
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
