package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Compiling machine code ahead of the first frame. [Runtime.Start] calls compileAhead after Load and before the
// startup stage; with Options.Sparing, at its end, if the world is large by then. In comes what package loops guesses about each loop: its Program and its query, as far as the
// values of its variables are known before it runs. Out come compiled modules ([machine.Ready]), which the loops
// take up when they run for the first time.
//
// Machine code takes about a millisecond for each loop. Loops whose variables cannot be guessed are compiled in the
// first frame that runs them. A wrong guess is harmless: the code is dropped, and the loop is compiled when it
// runs.

// aheadFrames is the number of frames after which the code of loops that have not run yet is dropped, to free its
// memory.
const aheadFrames = 256

// compileAhead makes machine code for the loops that enabled systems with [Auto] may run: those in the files of
// these systems, and those in required files, which any system may call. It uses all cores of Options.Pool; the
// results do not depend on their number. It ends early when the context is cancelled.
func (r *Runtime) compileAhead() {
	if r.options.without.Has(without.Ahead) {
		return
	}
	var guesses []*loops.Guess
	wanted, any := map[string]bool{}, false // by script of a system: whether an enabled system with Auto runs it
	functions := map[string][]*lua.LFunction{}
	for _, sys := range r.systems {
		runs := !sys.native() && sys.Impl == Auto && sys.entry.Enabled()
		wanted[sys.Script] = wanted[sys.Script] || runs
		any = any || runs
		if runs {
			functions[sys.Script] = append(functions[sys.Script], sys.init(), sys.update())
		}
	}
	for _, file := range r.scripts.Paths() {
		if r.ctx.Err() != nil {
			return
		}
		if runs, own := wanted[file]; own && runs || !own && any {
			guesses = append(guesses, r.scripts.Lookup(file).Loops.Guess(r.bound, functions[file])...)
		}
	}
	ready := make([]*machine.Ready, len(guesses))
	prepare := func(i int) {
		if r.ctx.Err() != nil { // cancelled: the loops that are being compiled are finished, no others are begun
			return
		}
		// An error is ignored here. It occurs again, and is reported, when the loop runs.
		ready[i], _ = machine.Prepare(guesses[i].Program, guesses[i].Query, r.world, r.options.without)
	}
	if r.options.Pool != nil && len(guesses) > 1 {
		r.options.Pool.Run(len(guesses), prepare)
	} else {
		for i := range guesses {
			prepare(i)
		}
	}
	for i, g := range guesses {
		if ready[i] != nil {
			g.Make = func() kernel.Kernel { return r.readyCode(ready[i]) }
		}
	}
	r.ahead = len(guesses) > 0
}

// readyCode makes the kernel of a loop from code that was compiled ahead. A loop calls it in its first run. It
// returns nil when the running system does not use machine code, or when the code cannot be instantiated; then the
// loop runs as closures.
func (r *Runtime) readyCode(code *machine.Ready) kernel.Kernel {
	if !r.usesMachineCode() {
		return nil
	}
	k, err := code.Kernel(r.state.Budget(), r.options.Pool)
	if err != nil {
		return nil
	}
	return k
}

// forgetAhead drops the code that was compiled ahead for loops that have not run yet. [Runtime.Frame] calls it
// once, after aheadFrames frames, and [Runtime.Close] calls it.
func (r *Runtime) forgetAhead() {
	for _, file := range r.scripts.Paths() {
		r.scripts.Lookup(file).Loops.Forget()
	}
	r.ahead = false
}
