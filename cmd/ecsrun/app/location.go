package app

import (
	"errors"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// location returns the path and line of a script's failure in a form that can be opened from the current folder:
// "scripts/poison.lua:9". For a condition it is the place in the config, or the flag. It is "" if there is no
// file.
func location(c *config.Config, script *luabind.ScriptError) string {
	switch {
	case script.File != "":
		file := c.ScriptFile(script.File)
		return position(config.Pos{File: file, Line: script.Line, Column: script.Column})
	case errors.Is(script, luabind.ErrCondition):
		if problem := systemProblem(c, script); problem != nil {
			return problem.Pos.String()
		}
	}
	return ""
}

// systemProblem converts an error of a condition or a native system, which is not in a script, to a problem of the
// config. It returns nil if the config has no such system.
func systemProblem(c *config.Config, script *luabind.ScriptError) *config.Problem {
	for i, s := range c.Systems {
		if s.Name != script.System {
			continue
		}
		path := c.SystemPath(i)
		if errors.Is(script, luabind.ErrCondition) {
			path += ".when"
		} else if errors.Is(script, luabind.ErrNative) {
			path += ".native"
		}
		return c.Problem(path, script.Message, "")
	}
	return nil
}

// conditions splits an error of Load into problems with conditions, which belong to the config, and other errors.
func conditions(c *config.Config, err error) (problems config.Problems, rest []error) {
	for _, e := range flatten(err) {
		var script *luabind.ScriptError
		if errors.Is(e, luabind.ErrCondition) && errors.As(e, &script) {
			if problem := systemProblem(c, script); problem != nil {
				problems = append(problems, problem)
				continue
			}
		}
		rest = append(rest, e)
	}
	return problems, rest
}
