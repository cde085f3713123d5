package app

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// verdict is what explain says of a loop.
func verdict(l luabind.LoopReport) string {
	if l.Reason == "" {
		return compiled(l)
	}
	text := fmt.Sprintf("interpreted: %s (line %d)", l.Reason, l.At)
	if a := advice(l.Reason); a != "" {
		text += "; " + a
	}
	return text
}

// compiled says how a compiled loop runs: as machine code, unless it cannot, or its systems ask for closures.
func compiled(l luabind.LoopReport) string {
	auto := len(l.Impls) == 0 || slices.Contains(l.Impls, luabind.Auto)
	text := "machine code"
	switch {
	case slices.Contains(l.Impls, luabind.Closures) && !auto:
		text = "closures"
	case l.Closures != "":
		text = "closures: " + l.Closures
	}
	if len(l.Unless) > 0 {
		text += "; interpreted " + strings.Join(l.Unless, ", and ")
	}
	return "compiled (" + text + ")"
}

// advice is what to change, by what a reason begins with; "" when the reason says it all.
func advice(reason string) string {
	for _, a := range advices {
		if strings.HasPrefix(reason, a.begins) {
			return a.text
		}
	}
	return ""
}

// advices are in the order they are tried: the longer beginning first.
var advices = []struct{ begins, text string }{
	{"calls math.", "use another function of math"},
	{"calls ", "do it in a loop of its own after this one, or leave it interpreted"},
	{"uses the function ", "call it by its name"},
	{`uses the global "print"`, "collect what to print, and print it after the loop"},
	{"uses the global ", "keep it in a local of the file"},
	{"uses the view ", "use its fields"},
	{"uses the event ", "use its fields"},
	{"uses a view ", "keep it in a local, and use its fields"},
	{"and, or give ", "give both sides one type, or choose with if and else"},
	{"looks up ", "keep what is looked up in a component, or choose with if and elseif"},
	{"appends to ", "send an event for each, and append in a loop over these"},
	{"asks whether a table ", "keep a number for it, 0 where there is none"},
	{"has a loop within over the sources ", "keep the target in a component of each source, and loop over these"},
	{"the target of a relation", "keep it in a field of type entity as well"},
	{"takes a name ", "write it in quotes, or in a local of the file"},
	{"it takes too long ", "split it into several loops"},
	{"uses a string", "compare numbers or tags instead"},
	{"uses ...", "name the arguments"},
	{"assigns the global ", "keep it in a local of the file"},
	{"assigns the variable ", "use a local of your own"},
	{"assigns something else", "collect in locals, and assign after the loop"},
	{"makes a table with a key", "write the keys as names"},
	{"makes a table", "make it before the loop"},
	{"makes a function", "make it before the loop"},
	{"spawns from a table ", "write the table in the call"},
	{"takes a table ", "write the table in the call"},
	{"takes a length", "take it before the loop"},
	{"takes the length", "take it before the loop"},
	{"joins strings", "collect numbers here, and make the text after the loop"},
	{"indexes ", "keep the value in a local before the loop"},
	{"reads ", "begin it with a value"},
	{"local ", "begin it with a number or a boolean"},
	{"has a query loop within", "gather what the inner loop needs before the outer one"},
	{"has a for … in over something else", "walk a list with a numeric for"},
	{"the view ", "use its fields"},
	{"the query is not ", "make it with ecs.query in a local of the file"},
	{"the loop uses too many ", "split it into several loops"},
	{"the loop has too many ", "split it into several loops"},
	{"the body is too large", "split it into several loops"},
	{"the file has too many loops", "move some of them to a module"},
	{"there is no field ", ""},
	{"there is no ", "declare it in the file, or name the config that does"},
}

// logCompiled says how many query loops are compiled, of those in Lua systems that run and may be.
func logCompiled(log *slog.Logger, path string, reports []luabind.LoopReport) {
	compiled, all := 0, 0
	for _, l := range reports {
		if l.Wanted {
			all++
			if l.Reason == "" {
				compiled++
			}
		}
	}
	switch {
	case all == 0:
	case compiled == all:
		log.Info(fmt.Sprintf("compiles %s", counted(all, "query loop")))
	default:
		log.Info(fmt.Sprintf("compiles %d of %s; ecsrun explain %s says why not the others", compiled, counted(all, "query loop"), path))
	}
}

// mostFallen is how many loops that fell back are named without being asked.
const mostFallen = 3

// logFallen says which of the loops that explain calls compiled ran interpreted, or in part, and why: the first of them, and at debug level all.
func logFallen(log *slog.Logger, dir string, reports []luabind.LoopReport, falls []luabind.LoopFall) {
	n := 0
	for _, f := range falls {
		promised := slices.ContainsFunc(reports, func(l luabind.LoopReport) bool { return l.File == f.File && l.Line == f.Line && l.Reason == "" })
		if !promised {
			continue
		}
		level := slog.LevelInfo
		if n++; n > mostFallen {
			level = slog.LevelDebug
		}
		log.Log(context.Background(), level, fmt.Sprintf("%s:%d: the compiled loop ran interpreted: %s", filepath.ToSlash(filepath.Join(dir, f.File)), f.Line, f.Reason))
	}
	if n > mostFallen {
		log.Info(fmt.Sprintf("%s more ran interpreted; log.level: debug names them", counted(n-mostFallen, "compiled loop")))
	}
}
