package surface

import (
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
	loop  sandbox.Loop
	begun bool
	adds  bool
	rows  *int // counts the rows, if the Surface counts them
}

// addingLoops is the number of loops of a turn that raise the budget, and the number of those that begin within one
// row.
const addingLoops = 100

// adds reports whether a loop that begins now raises the budget.
func (w *World) adds() bool {
	if w.outer != nil && !w.outer.loop.Running() { // the loop was left
		w.outer = nil
	}
	if w.outer != nil {
		w.within++
		return w.within <= addingLoops
	}
	w.begun++
	return w.begun <= addingLoops
}

// handedOver begins a visit for a loop that continues a walk which a kernel has begun. adds says whether it raises
// the budget.
func (v *visit) handedOver(w *World, L *lua.LState, generator *lua.LFunction, adds bool) {
	v.begun, v.adds = true, adds
	if count := w.surface.rows; count != nil {
		v.rows = count(w.surface.state.Where())
	}
	if adds && w.outer == nil {
		v.loop = w.surface.state.Loop(L, generator)
		w.outer = v
	}
}

// row must be called for each row that the loop comes to.
func (v *visit) row(w *World, L *lua.LState, generator *lua.LFunction) {
	if !v.begun {
		v.handedOver(w, L, generator, w.adds())
	}
	if v.adds {
		w.surface.state.Budget().Visit()
	}
	if v.rows != nil {
		*v.rows++
	}
	if w.outer == v {
		v.loop.On(L)
		w.within = 0
	}
}

// end must be called when the loop has ended.
func (v *visit) end(w *World) {
	if w.outer == v {
		w.outer = nil
	}
}

// endVisits forgets the loops of a turn.
func (w *World) endVisits() { w.outer, w.begun, w.within = nil, 0, 0 }
