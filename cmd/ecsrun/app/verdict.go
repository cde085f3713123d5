package app

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// verdict is what explain says of a loop.
func verdict(l luabind.LoopReport) string {
	if l.Reason == "" {
		return "compiled (closures)"
	}
	text := fmt.Sprintf("interpreted: %s (line %d)", l.Reason, l.At)
	if a := advice(l.Reason); a != "" {
		text += "; " + a
	}
	return text
}

// advice is what to change, by what a reason begins with.
func advice(reason string) string {
	for _, a := range []struct{ begins, text string }{
		{"calls math.", "use another function of math"},
		{"calls ", "do it in a loop of its own after this one, or leave it interpreted"},
		{"makes a table", "make it before the loop"},
		{"makes a function", "make it before the loop"},
		{"uses a string", "compare numbers or tags instead"},
		{"joins strings", "collect numbers here, and make the text after the loop"},
		{"takes a length", "take it before the loop"},
		{"indexes ", "keep the value in a local before the loop"},
		{"uses the view", "use its fields"},
		{`uses the global "print"`, "collect what to print, and print it after the loop"},
		{"uses the global", "keep it in a local of the file"},
		{"assigns the global", "keep it in a local of the file"},
		{"assigns something else", "collect in locals, and assign after the loop"},
		{"has a query loop within", "gather what the inner loop needs before the outer one"},
		{"local ", "begin it with a number or a boolean"},
		{"there is no component ", "declare it with ecs.component, or name the config that does"},
	} {
		if strings.HasPrefix(reason, a.begins) {
			return a.text
		}
	}
	return ""
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
