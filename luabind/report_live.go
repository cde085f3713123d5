package luabind

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// Reports about loops in a run: which compiled loops the interpreter ran after all ([Runtime.Fallbacks]), and how many
// rows each loop ran in which way ([Runtime.LoopRuns]), for `ecsrun run` and `ecsrun explain --live`. [Runtime.Explain]
// predicts it before the run.

// A LoopFallback says that the interpreter ran a compiled loop, or rows of it, and why.
type LoopFallback struct {
	File   string // in the script folder
	Line   int
	Reason string // values of variables that the loop was not compiled for, or which rows
	Advice string // what to change in the script; "" if there is nothing to add to the Reason
	Rows   bool   // the interpreter ran single rows, those of the Reason; the others ran compiled, as long as these were few
	Times  int    // how often: the number of rows, or of times that the loop began
}

// Fallbacks lists the compiled loops that the interpreter has run so far: by file, then in the order in which it
// happened. A loop is listed once for each reason. If a row was the reason, the text says what rows of the loop can
// do, not what that row did.
func (r *Runtime) Fallbacks() []LoopFallback {
	var out []LoopFallback
	for _, file := range r.scripts.Paths() {
		if loops := r.scripts.Lookup(file).Loops; loops != nil {
			for _, f := range loops.Falls {
				out = append(out, fallbackOf(file, f))
			}
		}
	}
	return out
}

func fallbackOf(file string, f loops.Fall) LoopFallback {
	return LoopFallback{file, f.Loop.Line, f.Reason, string(f.Advice), f.Rows, f.Times}
}

// A LoopRun says what a loop has done in a run: how many of its rows, which are entities or events, ran as machine
// code, as closures, and interpreted. Rows of a loop that is compiled as a part of a loop around it are not counted.
type LoopRun struct {
	File        string // in the script folder
	Line        int
	Machine     int
	Shared      int // of the rows that ran as machine code, those that ran on several cores
	Closures    int
	Interpreted int
	Left        int // of the interpreted rows, those that a kernel has left one by one
	Rested      int // walks that the interpreter ran as a whole, because many rows of earlier walks had been left
	Inside      int // line of the innermost loop around it; 0 if there is none

	Inherited string // a component that entities inherit from their IsA base, because of which closures did rows of machine code; "" without one

	Long string // the name of a list of more than 16,384 elements, whose keys compiled code looked up one by one; "" without one
}

// CountRows makes the Runtime count the rows that the interpreter runs, for LoopRuns. It must be called before Load, and
// costs a search for each loop that begins.
func (r *Runtime) CountRows() {
	r.interpreted = map[sandbox.Pos]*int{}
	r.surface.CountRows(func(at sandbox.Pos) *int {
		n := r.interpreted[at]
		if n == nil {
			n = new(int)
			r.interpreted[at] = n
		}
		return n
	})
}

// LoopRuns lists all loops of Explain with what they have done so far. Interpreted is 0 without CountRows. If several
// loops stand on one line, the first of them has the interpreted rows of all.
func (r *Runtime) LoopRuns() []LoopRun {
	var out []LoopRun
	for _, file := range r.scripts.Paths() {
		runner := r.scripts.Lookup(file).Loops
		if runner == nil {
			continue
		}
		for _, l := range runner.Loops {
			t := runner.Tally(l)
			run := LoopRun{File: file, Line: l.Line, Machine: t.Machine, Shared: t.Shared, Closures: t.Closures, Left: t.Left, Rested: t.Rested, Inherited: t.Inherited, Long: t.Long}
			if l.Outer != nil {
				run.Inside = l.Outer.Line
			}
			if n := r.interpreted[sandbox.Pos{File: file, Line: l.Line}]; n != nil && !slices.ContainsFunc(out, func(o LoopRun) bool { return o.File == file && o.Line == l.Line }) {
				run.Interpreted = *n
			}
			out = append(out, run)
		}
	}
	return out
}
