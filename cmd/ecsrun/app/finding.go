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

// findings collects what check finds in one config, in all stages.
type findings struct {
	config        string // the path of the config, as on the command line
	list          []finding
	seen          map[string]bool
	exact, within map[string]bool // paths of the config that have a problem; and those that have or contain one
}

// A finding is one line of check.
type finding struct {
	code    string
	pos     config.Pos // without a line for what is about no line
	path    string     // in the config; "" for a finding in a script
	message string
	fix     string // what to do; "" if the message says it
}

// text returns the line that check prints.
func (x finding) text() string {
	var parts []string
	if at := position(x.pos); at != "" {
		parts = append(parts, at)
	}
	if !codesOf[x.code].Error || x.code[0] == 'W' { // E codes are for machines
		parts = append(parts, x.code)
	}
	text := strings.Join(append(parts, x.message), ": ")
	if x.fix != "" {
		text += "; " + x.fix
	}
	return text
}

// add adds the problems that package config or preflight has found.
func (f *findings) add(err error) {
	for _, e := range flatten(err) {
		f.put(ofConfig(e))
	}
}

// ofConfig makes a finding of a problem of a config, or of any other error.
func ofConfig(e error) finding {
	var problem *config.Problem
	if !errors.As(e, &problem) {
		return finding{code: codeOfConfig, message: e.Error()}
	}
	message := problem.Message
	if problem.Path != "" && (problem.Pos.Line > 0 || problem.Pos.File == "") {
		message = problem.Path + ": " + message
	}
	return finding{code: codeOfConfig, pos: problem.Pos, path: problem.Path, message: message, fix: problem.Hint}
}

// addScript adds an error of scripts, with this code. If undeclared is set, undeclared names are not reported: their
// declaration is wrong, and that was reported already.
func (f *findings) addScript(c *config.Config, err error, undeclared bool, code string) {
	var script *luabind.ScriptError
	switch {
	case undeclared && errors.Is(err, ecs.ErrUnknown):
	case !errors.As(err, &script):
		f.put(finding{code: code, pos: config.Pos{File: c.At("").File}, message: err.Error()})
	case script.File == "":
		f.put(f.ofSystem(c, script))
	default:
		// A file that several systems use is loaded for each of them, and fails for each; so the names of systems
		// are left out.
		pos := config.Pos{File: c.ScriptFile(script.File), Line: script.Line, Column: script.Column}
		f.put(finding{code: code, pos: pos, message: script.Message})
	}
}

func (f *findings) warning(code string, pos config.Pos, message, fix string) {
	f.put(finding{code: code, pos: pos, message: message, fix: fix})
}

// ofSystem places an error that is not in a file at the line of the config that names the system.
func (f *findings) ofSystem(c *config.Config, script *luabind.ScriptError) finding {
	if problem := systemProblem(c, script); problem != nil {
		return ofConfig(problem)
	}
	return finding{code: codeOfLoading, message: script.Error()}
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
	if text := one.text(); !f.seen[text] {
		f.seen[text] = true
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
	return slices.ContainsFunc([]string{"components", "tags", "events", "resources", "relations", "layers", "states", "indexes", "prefabs", "data"}, f.under)
}

// sort puts the findings in order: those of the config by line, then those of scripts by file and line, then those
// without a place.
func (f *findings) sort() {
	rank := func(x finding) int {
		switch {
		case x.pos.Line == 0:
			return 2
		case x.pos.File == f.config:
			return 0
		default:
			return 1
		}
	}
	slices.SortStableFunc(f.list, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)), cmp.Compare(a.pos.File, b.pos.File),
			cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Column, b.pos.Column), cmp.Compare(a.code, b.code), cmp.Compare(a.message, b.message))
	})
}
