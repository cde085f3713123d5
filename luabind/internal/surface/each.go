package surface

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// An eachLoop is one loop over world:each. Its generator is a function of its
// own, so that the loop which runs it can be told from all others.
type eachLoop struct {
	generator interp.IteratorFunction
	world     *World
	number    uint64 // counted from 1, in the world
	plan      *plan
	narrow    narrowing
	cursor    ecs.Cursor
	turn      uint64
	state     loopState
	loop      sandbox.Loop // who runs it
	held      bool         // the cursor stands on an entity that is still to be visited
	handed    handed
	visit     visit
}

// handed is what a loop knows of a walk that a kernel has begun: see walk.go.
type handed struct {
	over bool // the kernel has left the walk to the loop, which has not begun since
	adds bool // the walk adds to the budget
	once bool // the loop ends after one row, and the kernel goes on behind it
	rows int  // from that row on, how many are left that add to the budget
}

type loopState uint8

const (
	notBegun loopState = iota
	running
	finished
	left      // structure changed after the loop had been left
	suspended // a kernel may go on: the walk is open
)

// each is world:each.
func each(c call) int {
	l := c.w.newEachLoop(c.Env)
	l.plan, l.narrow = c.plan()
	c.Push(&l.generator.LFunction)
	return 1
}

func (w *World) newEachLoop(env *lua.LTable) *eachLoop {
	w.loops++
	l := &eachLoop{world: w, turn: w.turn, number: w.loops}
	l.generator.Init(env, l.step, l)
	return l
}

// step is a turn of the loop: the entity and a view per component, nothing at
// the end.
func (l *eachLoop) step(L *lua.LState) int {
	if !l.advance(L) {
		return 0
	}
	return l.world.yield(L, l.plan, &l.cursor)
}

// advance moves to the next entity; false at the end.
func (l *eachLoop) advance(L *lua.LState) bool {
	if l.state != running || l.turn != l.world.turn {
		if !l.begin(L) {
			return false
		}
	}
	l.loop.On(L)
	switch {
	case l.held:
		l.held = false
	case l.handed.once:
		l.visit.end(l.world)
		l.state = suspended
		return false
	case !l.cursor.Next():
		l.finish(finished)
		return false
	}
	l.visit.row(l.world, L, &l.generator.LFunction)
	return true
}

// begin opens the cursor at the first turn.
func (l *eachLoop) begin(L *lua.LState) bool {
	w := l.world
	switch {
	case l.turn != w.turn:
		raise(L, "this world:each belongs to an earlier turn of a system; call world:each again")
	case w.surface.loading > 0:
		raise(L, "world:each while a file is being loaded: only the functions it returns get at a world")
	case l.state == left:
		raise(L, "this world:each was left, and the structure of the world changed since; call world:each again")
	case l.state == finished, l.state == suspended:
		return false
	}
	if l.handed.over {
		l.handed.over = false
		l.visit.handedOver(w, L, &l.generator.LFunction, l.handed.adds)
	} else {
		if b := w.surface.state.Budget(); !b.Charge(int64(ecs.Raw.SharedSteps(l.plan.query))) {
			sandbox.Raise(L, b.Spent())
		}
		l.cursor = l.plan.begin(l.narrow)
		w.open = append(w.open, l)
	}
	l.state = running
	l.loop = w.surface.state.Loop(L, &l.generator.LFunction)
	return true
}

// finish closes the cursor and forgets the loop.
func (l *eachLoop) finish(why loopState) {
	l.cursor.End()
	l.visit.end(l.world)
	l.state = why
	l.close()
}

// close takes the loop off the list of open ones.
func (l *eachLoop) close() {
	open := l.world.open
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == l {
			l.world.open = slices.Delete(open, i, i+1)
			return
		}
	}
}

// closeLeft closes the loops that nobody runs any more.
func (w *World) closeLeft() {
	for i := len(w.open) - 1; i >= 0; i-- {
		if l := w.open[i]; !l.handed.over && !l.loop.Running() {
			l.finish(left)
		}
	}
}

// yield pushes what a turn of a loop gives: the entity, then its terms.
func (w *World) yield(L *lua.LState, p *plan, cur *ecs.Cursor) int {
	L.Push(w.entity(cur.Entity()))
	for i, c := range p.terms {
		L.Push(w.term(cur, i, c))
	}
	return 1 + len(p.terms)
}
