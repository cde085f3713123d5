package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// A Program is what the compiled loops of a file need when the file is loaded.
type Program struct {
	Loops []*Loop // all loops of the file over entities or events, by line

	// Compile says whether kernels run, asked whenever a loop begins; nil: never.
	Compile func() bool

	// Machine makes machine code, nil when there can be none; nil: never.
	Machine func(p *kernel.Program, q *ecs.Query) kernel.Code

	// Place gives the number that commands queued at a line carry.
	Place func(line int) uint16

	// Differs is told of machine code that did something else than closures, in the loop
	// of a line; nil: nothing is compared.
	Differs func(line int, d *kernel.Difference)

	// Falls are the loops that the interpreter ran although they may have kernels: each with each of its reasons, in the order in which they came up.
	Falls []Fall

	kernels []*Loop
	guesses []*Guess // by kernel; nil once they are forgotten
	made    int      // kernels
	machine int      // those of machine code
}

// mostLoops bounds how many loops of a file are compiled.
const mostLoops = 100

// Pass returns a pass that puts calls of kernels in front of the loops of a file, and fills in p. A file that compiles no more with it, for want
// of registers, is to be compiled without.
func Pass(p *Program) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		p.Loops, p.kernels = Find(file), nil
		for _, l := range p.Loops { // before any name is copied
			if l.Kernel == nil {
				continue
			}
			if reason := l.reach(); reason != nil {
				l.leave(reason)
			}
		}
		for _, l := range p.Loops {
			if l.Kernel != nil {
				*l.slot = p.call(l)
			}
		}
		return nil
	}
}

// Fill gives values to the hidden names of a file that is about to be loaded into
// an environment that no script has run in yet.
func (p *Program) Fill(state *sandbox.State, env *sandbox.Env) map[string]lua.LValue {
	if p == nil || len(p.kernels) == 0 {
		return nil
	}
	library, _ := env.Table.RawGetString("math").(*lua.LTable)
	return map[string]lua.LValue{hiddenRun: state.NewFunction(p.runner(state, env, library))}
}

// place is Place, 0 without it.
func (p *Program) place(line int) uint16 {
	if p.Place == nil {
		return 0
	}
	return p.Place(line)
}
