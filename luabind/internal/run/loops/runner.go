package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// The Runner: what package luabind gives to the loops of a file, and what they report back.

// A Runner runs the loops of a File in one world, for all instances of the file there. It keeps what is found out
// while they run. The functions in it are set before the first Fill. It belongs to the goroutine of the Lua state.
type Runner struct {
	*File

	// Compile reports whether kernels may run. It is called whenever a loop begins; nil means never.
	Compile func() bool

	// Observing reports whether an observer runs, whose loops are interpreted; nil means never.
	Observing func() bool

	// Machine makes machine code for a Program; it returns nil if there can be none. If it is nil, all kernels are
	// closures.
	Machine func(p *ir.Program, q *ecs.Query) kernel.Kernel

	// Sparing says that a loop in a small world becomes machine code only when it has done enough as closures: see
	// sparing.go.
	Sparing bool

	// Partial reports whether machine code for a Program would leave some rows to closures. Such code is not waited for, so that a report
	// knows how many rows these are. It is nil where that does not matter.
	Partial func(p *ir.Program) bool

	// Place returns the number that commands carry which are queued at a line of a file. "" is the file of the
	// loop.
	Place func(file string, line int) uint16

	// Observed says who observes what loops write, for Report; if it is nil, nobody does.
	Observed Observed

	// Library has the functions of other files. If it is nil, Fill makes one.
	Library *Library

	// Differs is called for machine code that did something differently from closures, in the loop at a line. If it
	// is nil, nothing is compared.
	Differs func(line int, d *kernel.Difference)

	// Fell is called when a reason is met for the first time because of which the interpreter runs a loop, or rows of
	// it. It may be nil.
	Fell func(f Fall)

	// Falls lists the loops that the interpreter has run although they may have kernels, once for each reason, in
	// the order in which these came up.
	Falls []Fall

	tallies []Tally  // for each loop that may be compiled; nil before the first run
	begun   []*site  // for each loop that may be compiled: its site that has begun last; nil before the first run
	guesses []*Guess // for each loop that may be compiled; nil once they are forgotten
	made    int      // number of kernels so far
	machine int      // number of kernels that are machine code
}

// The reasons why no kernel may run.
var (
	notCompiled = refusal{"it goes on in a system with impl: lua", ""}
	inObserver  = refusal{"it runs in an observer", "let the observer note what has changed, and run the loop in a system"}
)

// refuses returns why no kernel may run; the zero refusal if one may.
func (r *Runner) refuses() refusal {
	switch {
	case r.Compile == nil || !r.Compile():
		return notCompiled
	case r.Observing != nil && r.Observing():
		return inObserver
	}
	return refusal{}
}

// Fill returns the values of the hidden names in the code of a file: RUN, for one instance of the file. The file is about to
// be loaded into the environment. The functions of the file that have loops keep owner alive.
func (r *Runner) Fill(state *sandbox.State, env *sandbox.Env, owner any) map[string]lua.LValue {
	if r == nil {
		return nil
	}
	if r.Library == nil {
		r.Library = NewLibrary(0)
	}
	r.Library.learn(r.File, state, env)
	if len(r.kernels) == 0 {
		return nil
	}
	return map[string]lua.LValue{hiddenRun: r.function(state, env, owner)}
}

// place calls Place; without it the number is 0.
func (r *Runner) place(file string, line int) uint16 {
	if r.Place == nil {
		return 0
	}
	return r.Place(file, line)
}
