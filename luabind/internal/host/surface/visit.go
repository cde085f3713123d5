package surface

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// How loops raise the budget of a turn. Without that, the limit on instructions would depend on the number of
// entities.

// A visit is a loop over entities or events as the budget sees it. Each row that it visits raises the budget, so
// that no loop is ended because the world is large.
//
// A script could walk the same rows for ever, and each walk would pay for the next one. So only some loops raise
// the budget: the first ones of a turn, and in each row of such a loop the first ones that begin there. A loop that
// is nested more deeply counts as begun in the row of the outermost one. So the rows of a turn add a bounded number
// of instructions, whatever the turn does.
type visit struct {
	loop   sandbox.Loop
	begun  bool
	adds   bool
	raised bool // RaisesCause has answered for the current row
	rows   *int // counts the rows, if the Surface counts them
}

// visits are the loops that raise the budget, as far as they are known to run.
type visits struct {
	running []*visit // the outermost first
	begun   int      // number of loops in this turn that began outside of running[0]
	within  int      // number of loops that began in the current row of running[0]
}

// addingLoops is the number of loops of a turn that raise the budget, and the number of those that begin within one
// row.
const addingLoops = 100

// adds reports whether a loop that begins now raises the budget.
func (w *World) adds() bool {
	if w.within >= addingLoops && len(w.running) > 0 && w.running[0].loop.Running() { // to look at all of them costs time in a deep recursion
		return false
	}
	if w.dropLeft(); len(w.running) > 0 {
		w.within++
		return w.within <= addingLoops
	}
	w.begun++
	return w.begun <= addingLoops
}

// dropLeft forgets the loops that were left.
func (w *World) dropLeft() {
	w.running = slices.DeleteFunc(w.running, func(v *visit) bool { return !v.loop.Running() })
}

// RaisesCause reports whether the turn is at a row that raises the budget, for the first time at that row.
func (w *World) RaisesCause() bool {
	w.dropLeft()
	if len(w.running) == 0 {
		return false
	}
	v := w.running[len(w.running)-1]
	first := !v.raised
	v.raised = true
	return first
}

// handedOver begins a visit for a loop that continues a walk which a kernel has begun. adds says whether it raises
// the budget.
func (v *visit) handedOver(w *World, L *lua.LState, generator *lua.LFunction, adds bool) {
	v.begun, v.adds = true, adds
	if count := w.surface.rows; count != nil {
		v.rows = count(w.surface.state.Where())
	}
	if adds {
		v.end(w) // it may have been left before
		v.loop = w.surface.state.Loop(L, generator)
		w.running = append(w.running, v)
	}
}

// row must be called for each row that the loop comes to.
func (v *visit) row(w *World, L *lua.LState, generator *lua.LFunction) {
	if !v.begun {
		v.handedOver(w, L, generator, w.adds())
	}
	if v.rows != nil {
		*v.rows++
	}
	if !v.adds {
		return
	}
	w.surface.state.Budget().Visit()
	v.loop.On(L)
	v.raised = false
	if len(w.running) > 0 && w.running[0] == v {
		w.within = 0
	}
}

// end must be called when the loop has ended.
func (v *visit) end(w *World) {
	if i := slices.Index(w.running, v); i >= 0 {
		w.running = slices.Delete(w.running, i, i+1)
	}
}

// endVisits forgets the loops of a turn.
func (w *World) endVisits() {
	clear(w.running)
	w.visits = visits{running: w.running[:0]}
}
