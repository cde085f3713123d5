package luabind

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/load/lint"
)

// Warnings about scripts: what runs and is probably not meant. Package lint has the rules; here it is given the files
// and the schedule of a Runtime.

// A Warning is one finding of [Runtime.Lint]. docs/check.md explains the codes. If File is "", it is about a system or
// a declaration of the config.
type Warning = lint.Warning

// A WarningCode describes one sort of finding.
type WarningCode = lint.Code

// WarningCodes lists all codes, sorted. Some are found only by `ecsrun check`, because they need the config file.
func WarningCodes() []WarningCode { return slices.Clone(lint.Codes) }

// Lint looks for what is probably not meant in all loaded files and in the schedule: unused names, queries that cannot
// match, conditions that are always true. Nothing runs, and nothing changes. Call it after Load. It parses all files
// again, so it takes milliseconds. Comments in scripts that silence a finding are not regarded.
func (r *Runtime) Lint() []Warning {
	own, reference := map[string]bool{}, map[string]bool{}
	for _, sys := range r.systems {
		own[sys.Script] = true
		if sys.Impl == Lua {
			reference[sys.Script] = true
		}
	}
	in := lint.Input{World: r.world, Lacks: r.state.Lacks, Module: r.scripts.Missing, Globals: r.libraryGlobals, Inputs: r.options.Inputs}
	for _, path := range r.scripts.Paths() {
		if data := r.scripts.Lookup(path).Data; data != nil {
			in.Data = append(in.Data, *data)
			continue
		}
		in.Files = append(in.Files, lint.File{Path: path, Chunk: r.scripts.Lookup(path).Tree(), Own: own[path], Reference: reference[path]})
	}
	for _, entry := range r.schedule.Systems() {
		sys := r.named[entry.Name()]
		if sys == nil { // it was added to the schedule directly
			in.Systems = append(in.Systems, lint.System{Name: entry.Name(), Stage: entry.Spec().Stage, In: entry.Spec().In, After: entry.Spec().After})
			continue
		}
		in.Systems = append(in.Systems, lint.System{
			Name: sys.Name, Own: sys.ownName(), File: sys.Script, Stage: sys.Stage, In: sys.In, After: sys.After, When: sys.When, Off: !entry.Enabled(),
		})
	}
	return lint.Check(in)
}

// libraryGlobals returns the undeclared globals of a required file that does not require "ecs", for Lint.
func (r *Runtime) libraryGlobals(file string) (list []lint.Global) {
	module := r.scripts.Module(file)
	if module == nil || module.Unit.Data != nil || module.Unit.Code.RequiresEcs() {
		return nil
	}
	for _, e := range r.scripts.UndeclaredIn(module) {
		list = append(list, lint.Global{Line: e.Pos.Line, Text: e.Message})
	}
	return list
}
