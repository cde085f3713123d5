package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	lua "github.com/yuin/gopher-lua"
)

// A Walk is the walk of a loop over world:each that Go runs in place of the
// script. It may be handed over, in the middle, to the loop as it is written: for
// one row, after which Go goes on, or for all rows that are left.
type Walk struct {
	Cursor ecs.Cursor

	world  *World
	plan   *plan
	narrow narrowing
	adds   bool      // the rows add to the budget
	rows   int       // how many of these are left
	loop   *eachLoop // what rows of the walk were left to; nil: there were none

	names []lua.LString // the arguments that plan was found for; empty: they were other values
}

// Open finds what world:each would walk with the world and the arguments on L's
// stack; false when the loop must run as it is written, so that it raises (or
// not) where the script says. w is reused: no walk of it may be open.
func (w *Walk) Open(L *lua.LState) bool {
	world := WorldOf(L.Get(1))
	if world == nil || world.surface.loading > 0 {
		return false
	}
	w.loop = nil
	if world == w.world && w.sameNames(L) {
		return true
	}
	p, to := world.planOf(L)
	if p == nil {
		return false
	}
	w.world, w.plan, w.narrow = world, p, to
	w.remember(L)
	return true
}

// sameNames reports whether the arguments are the names that the plan was found for: a loop asks
// for the same in each turn.
func (w *Walk) sameNames(L *lua.LState) bool {
	if len(w.names) == 0 || L.GetTop() != 1+len(w.names) {
		return false
	}
	for i, name := range w.names {
		if given, ok := L.Get(2 + i).(lua.LString); !ok || given != name {
			return false
		}
	}
	return true
}

// remember keeps the arguments for sameNames.
func (w *Walk) remember(L *lua.LState) {
	w.names = w.names[:0]
	for i := 2; i <= L.GetTop(); i++ {
		name, ok := L.Get(i).(lua.LString)
		if !ok {
			w.names = w.names[:0]
			return
		}
		w.names = append(w.names, name)
	}
}

// Begin locks structure and starts at the first entity. It returns how many rows
// the walk visits that add to the budget.
func (w *Walk) Begin() (rows int) {
	w.world.surface.state.Budget().Charge(int64(ecs.Raw.SharedSteps(w.plan.query))) // a budget that this spends ends the turn at the first row
	w.Cursor = w.plan.begin(w.narrow)
	w.rows = 0
	if w.adds = w.world.adds(); w.adds {
		w.rows = w.Cursor.Rows()
	}
	return w.rows
}

// Narrowed reports, from Open on, whether the walk is over the sources of one
// target: each of them is a row by itself.
func (w *Walk) Narrowed() bool { return w.narrow.relation != nil }

// Query identifies what is walked, from Open on: the same arguments in the same
// world give the same one.
func (w *Walk) Query() *ecs.Query { return w.plan.query }

// World is the world of the walk, from Open on.
func (w *Walk) World() *World { return w.world }

// Entity is a handle as a Lua value.
func (w *Walk) Entity(e ecs.Entity) lua.LValue { return w.world.entity(e) }

// HandOver leaves the walk to a loop as it is written: the function that it
// returns is its generator. done is how many rows Go has visited since Begin or
// Resume. With once the loop gets the row that the cursor stands on, and no other;
// then Resume goes on. Otherwise it gets all that are left: from that row on if here
// is true, else from the next one.
func (w *Walk) HandOver(L *lua.LState, done int, once, here bool) *lua.LFunction {
	l := w.loop
	if l == nil {
		l = w.world.newEachLoop(L.Env)
		l.plan, l.narrow = w.plan, w.narrow
	}
	w.loop = nil
	l.cursor, w.Cursor = w.Cursor, ecs.Cursor{}
	l.held, l.state = here, notBegun
	l.handed = handed{over: true, adds: w.adds, once: once, rows: w.rows - done}
	w.world.open = append(w.world.open, l)
	return &l.generator.LFunction
}

// Resume takes back the walk that was handed over for one row, to the loop of that
// generator, and moves it behind the row. It returns how many rows are left that add
// to the budget. ok is false when the walk is over: the loop had all rows that were
// left, or its body has left it. w is reused: no walk of it may be open.
func (w *Walk) Resume(generator *lua.LFunction) (rows int, ok bool) {
	l, ok := interp.IteratorOf(generator).(*eachLoop)
	if !ok || l.turn != l.world.turn {
		return 0, false
	}
	if l.state != suspended {
		if l.state == running { // by break or goto
			l.finish(left)
		}
		return 0, false
	}
	l.close()
	if w.world != l.world || w.plan != l.plan || w.narrow != l.narrow {
		w.names = w.names[:0]
	}
	w.world, w.plan, w.narrow, w.adds, w.loop = l.world, l.plan, l.narrow, l.handed.adds, l
	w.rows = max(0, l.handed.rows-1)
	w.Cursor, l.cursor, l.state = l.cursor, ecs.Cursor{}, finished
	w.Cursor.Continue()
	return w.rows, true
}

// Number is a number as a Lua value.
func Number(f float64) lua.LValue { return number(f) }

// QueryOf is the query of this world that a value stands for, nil when it stands
// for none, or for a wrong one.
func (w *World) QueryOf(v lua.LValue) *ecs.Query {
	ud, ok := v.(*lua.LUserData)
	if !ok || w == nil {
		return nil
	}
	q, ok := ud.Value.(*query)
	if !ok {
		return nil
	}
	p, err := q.plan(w)
	if err != nil {
		return nil
	}
	return p.query
}

// planOf is what the arguments after the world ask for, as [call.plan] reads them;
// no plan when they are wrong.
func (w *World) planOf(L *lua.LState) (*plan, narrowing) {
	last := L.GetTop()
	var to narrowing
	if target, ok := L.Get(last).(lua.LNumber); ok && last > 3 {
		name, ok := L.Get(last - 1).(lua.LString)
		if !ok || w.relationOf(string(name)) == nil {
			return nil, to
		}
		to = narrowing{w.relationOf(string(name)), entityOf(target)}
		last -= 2
	}
	if ud, ok := L.Get(2).(*lua.LUserData); ok {
		q, ok := ud.Value.(*query)
		if !ok || last > 2 {
			return nil, to
		}
		p, err := q.plan(w)
		if err != nil {
			return nil, to
		}
		return p, to
	}
	for i := 2; i == 2 || i <= last; i++ {
		name, ok := L.Get(i).(lua.LString)
		if !ok {
			return nil, to
		}
		if _, err := w.component(string(name)); err != nil {
			return nil, to
		}
		for j := 2; j < i; j++ {
			if L.Get(j) == lua.LValue(name) {
				return nil, to // listed twice
			}
		}
	}
	p, _ := call{LState: L, w: w, surface: w.surface, name: "each", skip: 1}.plan()
	return p, to
}
