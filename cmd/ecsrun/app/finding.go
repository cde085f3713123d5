package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// findings collects the problems that check finds, in all stages.
type findings struct {
	list          []finding
	seen          map[string]bool
	exact, within map[string]bool // paths of the config that have a problem; and those that have or contain one
}

type finding struct {
	pos  config.Pos
	path string // in the config; "" for a problem in a script
	text string
}

// add adds the problems that package config or preflight has found.
func (f *findings) add(err error) {
	for _, e := range flatten(err) {
		var problem *config.Problem
		if errors.As(e, &problem) {
			f.put(finding{problem.Pos, problem.Path, problem.Error()})
		} else {
			f.put(finding{text: e.Error()})
		}
	}
}

// addScript adds an error of loading scripts. If undeclared is set, undeclared names are not reported: their
// declaration is wrong, and that was reported already.
func (f *findings) addScript(c *config.Config, err error, undeclared bool) {
	var script *luabind.ScriptError
	switch {
	case undeclared && errors.Is(err, ecs.ErrUnknown):
	case !errors.As(err, &script):
		f.put(finding{pos: config.Pos{File: c.At("").File}, text: c.At("").File + ": " + err.Error()})
	case script.File == "":
		f.put(f.ofSystem(c, script))
	default:
		// A file that several systems use is loaded for each of them, and fails for each; so the names of systems
		// are left out.
		pos := config.Pos{File: c.ScriptFile(script.File), Line: script.Line, Column: script.Column}
		f.put(finding{pos: pos, text: fmt.Sprintf("%s: %s", position(pos), script.Message)})
	}
}

// ofSystem places an error that is not in a file at the line of the config that names the system.
func (f *findings) ofSystem(c *config.Config, script *luabind.ScriptError) finding {
	if problem := systemProblem(c, script); problem != nil {
		return finding{problem.Pos, problem.Path, problem.Error()}
	}
	return finding{text: script.Error()}
}

// position is Pos.String without an unknown column.
func position(pos config.Pos) string {
	switch {
	case pos.Line == 0:
		return pos.File
	case pos.Column == 0:
		return fmt.Sprintf("%s:%d", pos.File, pos.Line)
	default:
		return pos.String()
	}
}

func (f *findings) put(one finding) {
	if f.seen == nil {
		f.seen, f.exact, f.within = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	if !f.seen[one.text] {
		f.seen[one.text] = true
		f.list = append(f.list, one)
	}
	f.exact[one.path] = true
	for i := len(one.path); i >= 0; i = strings.LastIndexAny(one.path[:i], ".[") {
		f.within[one.path[:i]] = true
	}
}

// at reports whether there is a problem with exactly this value of the config.
func (f *findings) at(path string) bool { return f.exact[path] }

// under reports whether there is a problem with this value or with something inside of it.
func (f *findings) under(path string) bool { return f.within[path] }

// declarations reports whether there is a problem with a declaration that scripts can name.
func (f *findings) declarations() bool {
	return slices.ContainsFunc([]string{"components", "tags", "events", "resources", "relations"}, f.under)
}

// lines returns the problems in order: those of the config by line, those of scripts by file and line, then those
// without a file.
func (f *findings) lines() []string {
	config := ""
	for _, o := range f.list {
		if o.path != "" && o.pos.Line > 0 {
			config = o.pos.File
			break
		}
	}
	rank := func(o finding) int {
		switch {
		case o.pos.Line == 0:
			return 2
		case o.pos.File == config:
			return 0
		default:
			return 1
		}
	}
	slices.SortStableFunc(f.list, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)), cmp.Compare(a.pos.File, b.pos.File),
			cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Column, b.pos.Column), cmp.Compare(a.text, b.text))
	})
	lines := make([]string, len(f.list))
	for i, o := range f.list {
		lines[i] = o.text
	}
	return lines
}
