package app

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file checks the conditions of systems that a sweep varies. Package config does not know Lua, and what a condition may name is known when its world is loaded.

// checkConditions returns what is wrong with the values of when that vary, each by itself.
func (p *program) checkConditions(s *sweep, file *config.Sweep, set []string) (problems config.Problems) {
	s.plan.Values(func(v plan.Value) {
		if !strings.HasPrefix(v.Key, "systems.") || !strings.HasSuffix(v.Key, ".when") {
			return
		}
		c, err := config.Load(file.Config, file.Overrides(append(slices.Clone(set), v.Key+"="+v.Text)))
		if err != nil {
			return // it needs other values of the point
		}
		found := p.preflight(c, nil)
		if len(found) == 0 {
			found = p.wrongConditions(c)
		}
		if len(found) > 0 {
			problems = append(problems, v.Problem(found[0].Message, found[0].Hint))
		}
	})
	return problems
}

// wrongConditions loads the scripts of a config for the sake of its conditions.
func (p *program) wrongConditions(c *config.Config) config.Problems {
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(c, luabind.Options{Sparing: true}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return nil // the world of the job says so
	}
	problems, _ = conditions(c, rt.Load())
	return problems
}
