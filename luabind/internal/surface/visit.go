package surface

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A visit is a loop over entities or events as the budget of its turn sees it:
// each row that it visits adds to the budget, so that no loop is ended for the size
// of the world.
//
// A script could walk the same rows for ever, and each walk would pay for the next.
// So only some loops add: the first ones of a turn, and in each row of such a loop
// the first ones that begin there. Loops further in count as begun in the row of
// the outermost. Whatever a turn does, its rows add a bounded number of instructions.
type visit struct {
	loop  sandbox.Loop
	begun bool
	adds  bool
}

// addingLoops is how many loops of a turn add to the budget, and how many of those
// that begin within one row.
const addingLoops = 100

// adds reports whether a loop that begins now adds to the budget.
func (w *World) adds() bool {
	if w.outer != nil && !w.outer.loop.Running() { // it was left
		w.outer = nil
	}
	if w.outer != nil {
		w.within++
		return w.within <= addingLoops
	}
	w.begun++
	return w.begun <= addingLoops
}

// handedOver is adds for a loop that goes on with a walk which Go has begun.
func (v *visit) handedOver(w *World, L *lua.LState, generator *lua.LFunction, adds bool) {
	v.begun, v.adds = true, adds
	if adds && w.outer == nil {
		v.loop = w.surface.state.Loop(L, generator)
		w.outer = v
	}
}

// row is a row that the loop has come to.
func (v *visit) row(w *World, L *lua.LState, generator *lua.LFunction) {
	if !v.begun {
		v.handedOver(w, L, generator, w.adds())
	}
	if v.adds {
		w.surface.state.Budget().Visit()
	}
	if w.outer == v {
		v.loop.On(L)
		w.within = 0
	}
}

// end is the end of the loop.
func (v *visit) end(w *World) {
	if w.outer == v {
		w.outer = nil
	}
}

// endVisits forgets the loops of a turn.
func (w *World) endVisits() { w.outer, w.begun, w.within = nil, 0, 0 }
