package app

import (
	"errors"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file checks values that a sweep varies and that cannot be judged one by one, or not by package config: mods that need each other, and the conditions of systems.

// checkMods returns what is wrong with mods that are on and off together. Each combination is tried once, at the first point that has it.
func checkMods(s *sweep, file *config.Sweep) (problems config.Problems) {
	first := slices.IndexFunc(s.plan.Keys, isMod)
	if first < 0 {
		return nil
	}
	seen := map[string]bool{}
	for point := range s.plan.Points() {
		var chosen []string
		for i, value := range s.plan.Params(point) {
			if isMod(s.plan.Keys[i]) {
				chosen = append(chosen, s.plan.Keys[i]+"="+value)
			}
		}
		with := strings.Join(chosen, " ")
		if seen[with] {
			continue
		}
		seen[with] = true
		_, err := config.Load(file.Config, file.Overrides(s.plan.Overrides(point)))
		if found := config.Problems(nil); errors.As(err, &found) {
			problems = append(problems, s.plan.PointProblem(point, first, "with "+with+": "+found[0].Message, found[0].Hint))
		}
	}
	return problems
}

func isMod(key string) bool { return strings.HasPrefix(key, "mods.") }

// checkConditions returns what is wrong with the values of when that vary, each by itself. What a condition may name is known when its world is loaded.
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
