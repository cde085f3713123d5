package luabind

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/machine"
	lua "github.com/yuin/gopher-lua"
)

// A LoopReport says how a query loop of a script, or a loop over events, runs under
// [Closures].
type LoopReport struct {
	File   string // in the script folder
	Line   int
	Reason string // why it is interpreted; "": it is compiled
	Advice string // what to change so that it is compiled; "" when the Reason says it all
	At     int    // line of the reason, 0 without one
	AtFile string // file of that line when it is another one, "" for File
	Impls  []Impl // of the systems with that file, in the order of Add; none for a file that was required

	// Closures says why a compiled loop runs as closures under [Auto], too; "": it
	// is machine code there.
	Closures string

	// Unless says when the interpreter runs a compiled loop all the same, or rows of one, as far as that shows: "while …", "in rows …".
	Unless []string

	// Wanted says that a system may run it compiled: one with that file, enabled, and [Auto] or [Closures]; for a file that was required,
	// any such system.
	Wanted bool

	// Dump writes what a compiled loop becomes, for a reader: its program, and the module of its machine code where there is one. It is nil for an interpreted loop,
	// valid as long as the Runtime, and takes about a millisecond.
	Dump func() string
}

// Explain lists the query loops, and those over events, of all files that were
// loaded, by file and line.
// What a loop works on is decided when it begins: a loop reported as compiled may
// be interpreted for a variable that holds a string by then.
func (r *Runtime) Explain() []LoopReport {
	var out []LoopReport
	for _, file := range r.scripts.Paths() {
		of := r.scripts.Lookup(file)
		if of.Loops == nil {
			continue
		}
		var impls []Impl
		var functions []*lua.LFunction
		own, any := false, false
		for _, sys := range r.systems {
			compiles := sys.compiles()
			any = any || compiles
			if sys.Script != file {
				continue
			}
			own = own || compiles
			functions = append(functions, sys.init(), sys.update())
			if !slices.Contains(impls, sys.Impl) {
				impls = append(impls, sys.Impl)
			}
		}
		for _, l := range of.Loops.Loops {
			report := LoopReport{File: file, Line: l.Line, Impls: impls, Wanted: own || impls == nil && any}
			compiled, reason := l.Explain(r.bound, functions, r.library)
			switch {
			case reason != nil:
				report.Reason, report.Advice, report.At, report.AtFile = reason.Text, string(reason.Advice), reason.Line, reason.File
			case compiled.Narrowed:
				report.Closures = "it walks the sources of one target"
			default:
				report.Closures = machine.Refusal(compiled.Program, compiled.Query, r.world)
			}
			if reason == nil {
				report.Unless = compiled.Unless
				report.Dump = func() string { return r.dump(compiled) }
			}
			out = append(out, report)
		}
	}
	return out
}

// dump is [LoopReport.Dump].
func (r *Runtime) dump(c loops.Compiled) string {
	text := c.Program.Dump()
	if c.Narrowed {
		return text
	}
	module, err := machine.Dump(c.Program, c.Query, r.world)
	if err != nil {
		return text
	}
	return text + module
}

// Files lists the Lua files that were loaded and compiled, those of systems and
// those that were required, sorted.
func (r *Runtime) Files() []string { return r.scripts.Paths() }

// A LoopFall says that the interpreter ran a compiled loop, or rows of it, and why.
type LoopFall struct {
	File   string // in the script folder
	Line   int
	Reason string // the values at hand, or which rows
	Rows   bool   // single rows ran interpreted, those of the Reason; the others ran compiled, as long as these were few
}

// Falls lists the compiled loops that the interpreter ran so far, by file, then in the order in which it happened. A loop is listed once for each
// reason. If a row was the reason, the text says what a row of the loop can do, not what that row did.
func (r *Runtime) Falls() []LoopFall {
	var out []LoopFall
	for _, file := range r.scripts.Paths() {
		if loops := r.scripts.Lookup(file).Loops; loops != nil {
			for _, f := range loops.Falls {
				out = append(out, LoopFall{file, f.Loop.Line, f.Reason, f.Rows})
			}
		}
	}
	return out
}
