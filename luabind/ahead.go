package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/machine"
	lua "github.com/yuin/gopher-lua"
)

// Machine code takes a millisecond or so to make for each loop. That of the loops
// whose variables show what they hold is made before the first frame, on all cores
// of the pool; that of others in the first frame that runs them.

// aheadFrames is how many frames loops have to run for the first time before the
// code that was made for them is dropped.
const aheadFrames = 256

// compileAhead makes machine code for the loops of systems that may run as such.
func (r *Runtime) compileAhead() {
	var guesses []*loops.Guess
	wanted, any := map[string]bool{}, false // by file of systems
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
		if r.ctx.Err() != nil { // whoever waits for the end waits for the loops at hand only
			return
		}
		// Whatever is wrong shows, and is reported, when the loop runs.
		ready[i], _ = machine.Prepare(guesses[i].Program, guesses[i].Query, r.world)
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

// readyCode puts code to work for a loop of the running system, nil when its
// implementation is another.
func (r *Runtime) readyCode(code *machine.Ready) kernel.Kernel {
	if r.running.Impl != Auto {
		return nil
	}
	k, err := code.Kernel(r.state.Budget(), r.options.Pool)
	if err != nil {
		return nil
	}
	return k
}

// forgetAhead drops the code of loops that have not run.
func (r *Runtime) forgetAhead() {
	for _, file := range r.scripts.Paths() {
		r.scripts.Lookup(file).Loops.Forget()
	}
	r.ahead = false
}
