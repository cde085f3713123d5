package plan

import (
	"fmt"

	"github.com/ecsrun/ecsrun/config"
)

// mostProblems is how many values of a list are named at most.
const mostProblems = 20

// CheckList returns what is wrong with the values of a list, all at once. It gives numbers the form that they have in results.
func (p *Plan) CheckList(c *config.Config) error {
	var problems config.Problems
	for i, key := range p.Keys {
		if hint := config.NotVaried(key, p.Sweep.Frames > 0); hint != "" {
			problems = append(problems, &config.Problem{Pos: p.cell(0), Message: fmt.Sprintf("%q cannot vary", key), Hint: hint})
			continue
		}
		for _, row := range p.list {
			row[i] = c.ShortValue(key, row[i])
		}
	}
	p.Values(func(v Value) {
		if problem := c.TrySet(v.Key, v.Text); problem != nil && len(problems) < mostProblems {
			problems = append(problems, v.Problem(problem.Message, problem.Hint))
		}
	})
	if len(problems) > 0 {
		return problems
	}
	return nil
}

// A Value is one of those that a key has.
type Value struct {
	Key, Text string
	place     func(message, hint string) *config.Problem
}

// Problem returns a problem with the value, where the file has it first.
func (v Value) Problem(message, hint string) *config.Problem { return v.place(message, hint) }

// Values calls do once for each value that the file writes for a key. A range has none.
func (p *Plan) Values(do func(Value)) {
	for i, v := range p.vary {
		for k, text := range v.Values {
			do(Value{v.Key, text, func(message, hint string) *config.Problem {
				return p.Sweep.Problem(fmt.Sprintf("vary[%d].values[%d]", i, k), message, hint)
			}})
		}
	}
	for i, key := range p.Keys {
		seen := map[string]bool{}
		for k, row := range p.list {
			if config.NotVaried(key, p.Sweep.Frames > 0) != "" || seen[row[i]] {
				continue
			}
			seen[row[i]] = true
			do(Value{key, row[i], func(message, hint string) *config.Problem {
				return &config.Problem{Pos: p.cell(k + 1), Message: key + ": " + message, Hint: hint}
			}})
		}
	}
}

// PointProblem returns a problem of a point: at its line of a list, or at a key that varies.
func (p *Plan) PointProblem(point, key int, message, hint string) *config.Problem {
	if p.design == nil {
		return &config.Problem{Pos: p.cell(point + 1), Message: message, Hint: hint}
	}
	return p.Sweep.Problem(fmt.Sprintf("vary[%d]", key), message, hint)
}

// cell returns the place of a line of a list, counted from 0.
func (p *Plan) cell(line int) config.Pos {
	return config.Pos{File: p.Sweep.Design.File, Line: line + 1, Column: 1}
}
