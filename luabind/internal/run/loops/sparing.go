package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Machine code only where it pays. Making it takes some milliseconds for a loop, which a loop over forty entities may
// never get back. So in a small world a loop is closures first, and becomes machine code when these have used some fuel. Both give
// the same bits and are charged alike, so a resumed run, which begins with closures again, ends turns at the same places.

const (
	// SmallWorld is the number of entities from which on loops become machine code at once.
	SmallWorld = 1000
	// enoughFuel is the fuel after which machine code pays: its closures take about as long as making it, which is up to
	// 20 ms in a process that has made none before.
	enoughFuel = 1_500_000
)

// waits reports whether a new kernel is closures for now, although it could be machine code.
func (r *Runner) waits(w *ecs.World) bool { return r.Sparing && w.Len() < SmallWorld }

// hurries reports whether a variant has waited for machine code long enough.
func (v *variant) hurries(r *Runner) bool { return v.spent >= enoughFuel || !r.waits(v.context.World) }

// hurry makes machine code for a variant that has waited for it long enough.
func (v *variant) hurry(s *site, r *Runner) {
	if !v.hurries(r) {
		return
	}
	v.waiting = false
	k := v.machineKernel(r, v.p, nil)
	if k == nil {
		return
	}
	v.kernel, v.machine = k, true
	v.shares, _ = k.(sharer)
	r.machine++
	r.watch(s, k, v.p)
	v.setPrinter(s)
	if v.writer != nil {
		k.SetTableWriter(v.writer)
	}
}

// machineKernel makes machine code for the Program of a variant; it returns nil if there can be none, or if closures are
// faster.
func (v *variant) machineKernel(r *Runner, p *ir.Program, guess *Guess) (k kernel.Kernel) {
	switch {
	case r.Machine == nil:
	case v.context.Query != nil && !v.context.Narrowed: // a call of machine code for one row costs more than it saves
		if guess != nil && guess.Make != nil {
			k = guess.Make()
		}
		if k == nil {
			k = r.Machine(p, v.context.Query)
		}
	case v.context.Events != nil:
		k = r.Machine(p, nil)
	}
	return k
}
