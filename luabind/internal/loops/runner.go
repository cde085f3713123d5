package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A Runner runs the loops of a File in one world, for all environments that the file is loaded into there. It holds what is found out while they run. The
// functions are set before the first Fill.
type Runner struct {
	*File

	// Compile says whether kernels run, asked whenever a loop begins; nil: never.
	Compile func() bool

	// Machine makes machine code, nil when there can be none; nil: never.
	Machine func(p *ir.Program, q *ecs.Query) kernel.Kernel

	// Place gives the number that commands queued at a line of a file carry. "" is the file itself.
	Place func(file string, line int) uint16

	// Library knows the functions of the other files; nil: those of this file and of math are known.
	Library *Library

	// Differs is told of machine code that did something else than closures, in the loop
	// of a line; nil: nothing is compared.
	Differs func(line int, d *kernel.Difference)

	// Falls are the loops that the interpreter ran although they may have kernels: each with each of its reasons, in the order in which they came up.
	Falls []Fall

	tallies []Tally  // by kernel; nil before the first walk
	guesses []*Guess // by kernel; nil once they are forgotten
	made    int      // kernels
	machine int      // those of machine code
}

// Fill gives values to the hidden names of a file that is about to be loaded into
// an environment that no script has run in yet.
func (r *Runner) Fill(state *sandbox.State, env *sandbox.Env) map[string]lua.LValue {
	if r == nil {
		return nil
	}
	if r.Library == nil {
		r.Library = NewLibrary()
	}
	r.Library.learn(r.File, env)
	if len(r.kernels) == 0 {
		return nil
	}
	return map[string]lua.LValue{hiddenRun: state.NewFunction(r.function(state, env))}
}

// place is Place, 0 without it.
func (r *Runner) place(file string, line int) uint16 {
	if r.Place == nil {
		return 0
	}
	return r.Place(file, line)
}
