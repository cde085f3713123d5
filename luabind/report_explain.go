package luabind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
	lua "github.com/yuin/gopher-lua"
)

// Reports about loops, for `ecsrun explain` and for embedders: which loops are compiled, and why others are not. A loop
// that has begun in a run is reported as it ran, any other one as its source and the values around it predict. Nothing
// here changes the world or runs a script. report_live.go has the counts of a run.

// A LoopReport says how one query loop of a script, or one loop over events or cells, runs: compiled, and then as machine
// code or closures, or interpreted, with the reason.
type LoopReport struct {
	File   string // in the script folder
	Line   int
	Reason string // why the loop is interpreted; "": it is compiled
	Advice string // what to change in the script so that the loop is compiled; "" if there is nothing to add to the Reason
	At     int    // line that the Reason is about; 0 if the loop is compiled
	AtFile string // file of that line; "" if it is File
	Impls  []Impl // the implementations of the systems with that file, in the order of Add; empty for a required file

	// Closures says why a compiled loop runs as closures even under [Auto]; "": it runs as machine code there.
	Closures string

	// OneCore says why the rows of a loop that runs as machine code run on one core; "": those of a large table run on all
	// cores of Options.Pool.
	OneCore string

	// ByClosures says what closures do of a loop that runs as machine code, in the rows that reach it; "": nothing.
	ByClosures string

	// Ordered says what the order of the loop costs, as far as the source shows that it has one; "": it has none.
	Ordered string

	// Unless lists the known conditions under which the interpreter runs a compiled loop, or rows of one: "while …",
	// "in rows …".
	Unless []string

	// Wanted says that some system may run the loop compiled: an enabled system with [Auto] or [Closures] whose
	// script is this file. For a required file, it is any such system.
	Wanted bool

	// Dump returns as text what a compiled loop becomes: its Program, and the module of its machine code if there
	// is one. It is nil for an interpreted loop, is valid as long as the Runtime, and takes about a millisecond.
	Dump func() string
}

// Explain lists the query loops and the loops over events and cells of all loaded files, by file and line. Call it after
// Load. A loop over the cells of a layer that a function is given is listed once it has begun. Loops that have begun in a run are reported with what they became the last time. For the others it lowers the
// loops with the values that their variables hold now; what a local inside a function will hold is a guess. The final
// decision is made each time a loop begins: a loop that is reported as compiled may be interpreted, because a variable
// then holds a string. [Runtime.Begun] says which loops have begun.
func (r *Runtime) Explain() []LoopReport {
	var out []LoopReport
	observed := r.observedBy()
	for _, file := range r.scripts.Paths() {
		of := r.scripts.Lookup(file)
		if of.Loops == nil {
			continue
		}
		of.Loops.Observed = observed
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
			if of.Loops.Given(l) {
				continue
			}
			report := LoopReport{File: file, Line: l.Line, Impls: impls, Wanted: own || impls == nil && any}
			if l.Ordered() {
				report.Ordered = orderedText
			}
			compiled, reason := of.Loops.Report(l, r.bound, functions)
			if reason == nil {
				if why := loops.WhyObserved(compiled.Program, r.world, observed, l.Line); why != nil {
					if reason = why; compiled.Watched != nil && compiled.Watched.Line > 0 {
						reason = compiled.Watched
					}
				} else if r.maybeObserved(compiled.Program) {
					compiled.Unless = append(compiled.Unless, "while somebody observes what it writes (some world:on computes its name)")
				}
			}
			switch {
			case reason != nil:
				report.Reason, report.Advice, report.At, report.AtFile = reason.Text, string(reason.Advice), reason.Line, reason.File
			case compiled.Narrowed:
				report.Closures = "it walks the sources of one target"
			default:
				r.forecast(&report, compiled)
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

// forecast fills in what becomes of a compiled loop.
func (r *Runtime) forecast(l *LoopReport, c loops.Compiled) {
	is := machine.Forecast(c.Program, c.Query, r.world, r.options.without)
	if why := r.codeless[c.Program]; why != "" && is.Refusal == "" {
		is = machine.Outlook{Refusal: strings.TrimPrefix(why, "machine code: ")}
	}
	l.Closures, l.OneCore = is.Refusal, is.OneCore
	text := cutTexts(is.Cuts)
	switch {
	case c.Copies && is.Refusal == "":
		l.Closures, l.OneCore = copiesText, ""
	case text == "":
	case is.Refusal != "":
		l.Closures = "each row " + cutTexts(is.Cuts[:1]) + wayOut
	case c.Rests:
		l.Closures, l.OneCore = "one row in ten or more "+text+wayOut, ""
	default:
		l.ByClosures = text
	}
}

// orderedText is what an order costs.
const orderedText = "in an order: when it begins, the keys of all rows are read, and those sorted that are not in the order of the last time"

// copiesText is why closures run a loop for which there is machine code, and the way out.
const copiesText = "machine code would copy more of components with strings than the loop uses; to make it machine code, keep the strings in a component of their own"

// wayOut is what makes a loop machine code that has one of these statements: code does the rows that do not reach it.
const wayOut = "; to make it machine code, let few rows do this, behind an if"

// mostCuts is how many statements a report names.
const mostCuts = 3

// cutTexts says what statements are that only closures can do, each text once, with its places.
func cutTexts(cuts []machine.Cut) string {
	var texts []string
	places := map[string][]string{}
	for _, cut := range cuts {
		text := cut.Why
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if at := cut.At(); at != "" && !slices.Contains(places[text], at) {
			places[text] = append(places[text], at)
		}
	}
	if len(texts) > mostCuts {
		texts = append(texts[:mostCuts], "others")
	}
	for i, text := range texts {
		if at := places[text]; len(at) > 0 {
			texts[i] += " (" + strings.Join(at, ", ") + ")"
		}
	}
	return strings.Join(texts, ", or ")
}

// Begun reports whether all loops of the loaded files have begun in this run, apart from those that are always
// interpreted and those inside other loops. Then Explain guesses nothing.
func (r *Runtime) Begun() bool {
	for _, file := range r.scripts.Paths() {
		if of := r.scripts.Lookup(file).Loops; of != nil && !of.AllBegun() {
			return false
		}
	}
	return true
}

// dump implements [LoopReport.Dump]. A loop without machine code has the text of its Program only.
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

// Files lists the Lua files that were loaded and compiled, sorted: those of systems and those that were required.
func (r *Runtime) Files() []string {
	return slices.DeleteFunc(r.scripts.Paths(), func(path string) bool { return r.scripts.Lookup(path).Data != nil })
}

// observedBy says who observes an operation: an observer of the world, or one that a loaded file declares, as far as
// its source shows.
func (r *Runtime) observedBy() loops.Observed {
	declared := loops.ObservedBy(r.world)
	return func(kind ecs.ObserverKind, id uint32) (string, bool) {
		if who, ok := declared(kind, id); ok {
			return who, true
		}
		name := ""
		if kind.Subject() == "tag" {
			name = r.world.TagName(ecs.TagID(id))
		} else {
			name = r.world.ComponentNames()[id]
		}
		for _, file := range r.scripts.Paths() {
			for _, o := range r.scripts.Lookup(file).Observes.List {
				if o.Kind == kind && o.Name == name {
					return fmt.Sprintf("%s:%d", file, o.Line), true
				}
			}
		}
		return "", false
	}
}

// maybeObserved reports whether a loaded file may observe what a loop writes, because it computes a name.
func (r *Runtime) maybeObserved(p *ir.Program) bool {
	set, removed := p.Tags()
	if len(p.Writes())+len(set)+len(removed) == 0 {
		return false
	}
	for _, file := range r.scripts.Paths() {
		if r.scripts.Lookup(file).Observes.Unknown {
			return true
		}
	}
	return false
}
