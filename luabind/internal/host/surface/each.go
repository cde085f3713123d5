package surface

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Loops over world:each that the interpreter runs: all of the loop, or the rows that a kernel leaves to it
// (walk.go). The loop holds an open cursor, which locks structure; doc.go says how it is closed.

// An eachLoop is one loop over world:each. Its generator is a function of its own, so that the Lua loop that runs
// it can be distinguished from all others.
type eachLoop struct {
	generator interp.IteratorFunction
	world     *World
	plan      *plan
	narrow    narrowing
	cursor    ecs.Cursor
	turn      uint64
	state     loopState
	loop      sandbox.Loop // the Lua loop that runs it
	held      bool         // the cursor stands on an entity that the loop has not visited yet
	handed    handed
	visit     visit
}

// A handed is what a loop knows of a walk that a kernel has begun: see walk.go.
type handed struct {
	over bool // the kernel has left the walk to the loop, and the loop has not begun yet
	adds bool // the walk raises the budget
	once bool // the loop ends after one row, after which the kernel goes on
	rows int  // the number of rows from that row on, if they raise the budget
}

// A loopState is how far a loop has come.
type loopState uint8

const (
	notBegun loopState = iota
	running
	finished
	left      // the loop was left, and then structure changed
	suspended // a kernel may go on, so the walk stays open
)

// each is world:each. It returns the generator; the cursor opens at the first step.
func each(c call) int {
	l := c.w.newEachLoop(c.Env)
	l.plan, l.narrow = c.plan()
	c.Push(&l.generator.LFunction)
	return 1
}

// newEachLoop makes a loop of the current turn, which has not begun.
func (w *World) newEachLoop(env *lua.LTable) *eachLoop {
	l := &eachLoop{world: w, turn: w.turn}
	l.generator.Init(env, l.step, l)
	return l
}

// step is the generator for gopher-lua: it pushes the entity and a view for each component; nothing at the end.
func (l *eachLoop) step(L *lua.LState) int {
	if !l.advance(L) {
		return 0
	}
	return l.world.yield(L, l.plan, &l.cursor)
}

// advance moves to the next entity. It returns false at the end.
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

// begin opens the cursor at the first step.
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
		if b := w.surface.state.Budget(); !b.Charge(int64(l.plan.steps(l.narrow))) {
			sandbox.Raise(L, b.Spent())
		}
		l.cursor = l.plan.begin(w, l.narrow)
		w.open = append(w.open, l)
	}
	l.state = running
	l.loop = w.surface.state.Loop(L, &l.generator.LFunction)
	return true
}

// finish closes the cursor and ends the loop.
func (l *eachLoop) finish(why loopState) {
	l.cursor.End()
	l.visit.end(l.world)
	l.state = why
	l.close()
}

// close removes the loop from the list of open ones.
func (l *eachLoop) close() {
	open := l.world.open
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == l {
			l.world.open = slices.Delete(open, i, i+1)
			return
		}
	}
}

// closeLeft closes the loops that no Lua loop runs any more.
func (w *World) closeLeft() {
	for i := len(w.open) - 1; i >= 0; i-- {
		if l := w.open[i]; !l.handed.over && !l.loop.Running() {
			l.finish(left)
		}
	}
}

// yield pushes the values of one step: the entity, then its terms.
func (w *World) yield(L *lua.LState, p *plan, cur *ecs.Cursor) int {
	L.Push(w.entity(cur.Entity()))
	for i, c := range p.terms {
		L.Push(w.term(cur, i, c))
	}
	return 1 + len(p.terms)
}
