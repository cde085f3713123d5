package app

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// explain --live: it runs the world of a config as run does, without what scripts print and without a summary, and says
// of each loop what it did.

// liveFrames is the number of frames of a config that has no end.
const liveFrames = 60

// A lively is what the loops did in a run.
type lively struct {
	frames uint64
	ended  string            // the reason for the end of the run
	runs   []luabind.LoopRun // in the order of the reports of Explain
	falls  []luabind.LoopFallback
}

// live runs the frames.
func (r *run) live() *lively {
	r.config.Run.Realtime = false
	if r.config.Run.Frames == 0 {
		r.config.Run.Frames = liveFrames
	}
	r.meter = measure(r.runtime.Schedule())
	signal, release := interrupts()
	defer release()
	r.play(signal)
	r.failures.countUp()
	return &lively{r.runtime.World().Frame(), r.ended, r.runtime.LoopRuns(), r.runtime.Fallbacks()}
}

// mostly returns what most rows of the loop with index i ran as, and why, if its report says something else; otherwise "".
func (v *lively) mostly(i int, l luabind.LoopReport) (what, why string) {
	run, is := v.runs[i], becomes(l)
	rows := run.Machine + run.Closures + run.Interpreted
	switch {
	case 2*run.Interpreted > rows && is != "interpreted":
		var most luabind.LoopFallback
		for _, f := range v.falls {
			if f.File == run.File && f.Line == run.Line && f.Times > most.Times {
				most = f
			}
		}
		if most.Times == 0 && run.Inside > 0 { // most rows ran as a part of the loop around it, and are not counted
			return "", ""
		}
		why = most.Reason
		if most.Rows && run.Rested > 0 {
			why = "there are too many " + why
		}
		if most.Advice != "" {
			why += "; " + most.Advice
		}
		return "interpreted", why
	case 2*run.Closures > rows && is == "machine code":
		if l.ByClosures != "" {
			return "closures", "many rows reach what code cannot do"
		}
		return "closures", "code cannot do some walks, or costs more than it gains there"
	}
	return "", ""
}

// headline is verdict for the loop with index i: it says first what most rows ran as.
func (v *lively) headline(i int, l luabind.LoopReport) string {
	what, why := v.mostly(i, l)
	if what == "" {
		return verdict(l)
	}
	if why != "" {
		why = " (" + why + ")"
	}
	return "mostly " + what + why + "; the others: " + verdict(l)
}

// lines returns what is shown below the loop with index i: its rows, and why the interpreter ran some of them.
func (v *lively) lines(i int, loops []luabind.LoopReport) (lines []string) {
	run := v.runs[i]
	rows := run.Machine + run.Closures + run.Interpreted
	switch {
	case rows > 0:
		var parts []string
		for _, part := range []struct {
			n    int
			what string
		}{{run.Machine, "machine code"}, {run.Closures, "closures"}, {run.Interpreted, "interpreted"}} {
			if part.n > 0 {
				text := grouped(uint64(part.n)) + " " + part.what
				if part.what == "machine code" && run.Shared > 0 {
					text += " (" + grouped(uint64(run.Shared)) + " on several cores)"
				}
				parts = append(parts, text)
			}
		}
		lines = append(lines, counted(uint64(rows), "row")+": "+strings.Join(parts, ", "))
	case run.Inside > 0 && loops[i].Reason == "":
		lines = append(lines, fmt.Sprintf("no row by itself: it is a part of the loop in line %d", run.Inside))
	default:
		lines = append(lines, "no row")
	}
	for _, f := range v.falls {
		if f.File != run.File || f.Line != run.Line {
			continue
		}
		what := counted(uint64(f.Times), "time")
		if f.Rows {
			what = counted(uint64(f.Times), "row") + " left"
		}
		text := what + ": " + f.Reason
		if f.Advice != "" {
			text += "; " + f.Advice
		}
		lines = append(lines, text)
	}
	if run.Rested > 0 {
		lines = append(lines, counted(uint64(run.Rested), "walk")+" interpreted: too many rows were left in the walks before")
	}
	return lines
}
