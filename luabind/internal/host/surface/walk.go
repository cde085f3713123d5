package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Walks over entities by kernels. Package loops uses a Walk in place of the generator of world:each: the same
// query, the same locks, the same budget. Rows that a kernel leaves go to an eachLoop (each.go).

// A Walk is the walk of a loop over world:each that a kernel runs in place of the script. In the middle it may be
// handed over to the loop as it is written: for one row, after which the kernel goes on, or for all rows that are
// left. The order of use is: Open, Begin; the kernel moves the Cursor; HandOver and Resume.
type Walk struct {
	Cursor ecs.Cursor

	world  *World
	plan   *plan
	narrow narrowing
	adds   bool      // the rows raise the budget
	rows   int       // the number of rows that are left, if they raise the budget
	loop   *eachLoop // the loop that rows were handed over to; nil if there was none

	names []lua.LString // the arguments for which plan was found; empty if these were not only names
}

// Open finds out what world:each would walk, given the world and the arguments on L's stack. It returns false if
// the loop must run as it is written, so that errors are raised at the right place of the script. w is used again:
// no walk of it may be open.
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

// Reopen is Open for values that are not on a stack: the world, and the arguments. It returns false if Open has to be
// asked: the world or the arguments are not those of the last walk, or not only names.
func (w *Walk) Reopen(head []lua.LValue) bool {
	world := WorldOf(head[0])
	if world == nil || world.surface.loading > 0 {
		return false
	}
	if p := world.planOfQuery(head[1:]); p != nil && p.order == nil {
		w.world, w.plan, w.narrow, w.names, w.loop = world, p, narrowing{}, w.names[:0], nil
		return true
	}
	if world != w.world || len(w.names) == 0 || len(head) != 1+len(w.names) {
		return false
	}
	for i, name := range w.names {
		if given, ok := head[1+i].(lua.LString); !ok || given != name {
			return false
		}
	}
	w.loop = nil
	return true
}

// Steady reports whether Again can open the next walk with the same world and arguments.
func (w *Walk) Steady(head []lua.LValue) bool {
	return w.narrow.relation == nil && (len(w.names) > 0 || len(head) == 2 && w.world.planOfQuery(head[1:]) == w.plan)
}

// Again is Reopen for the world and the arguments of the last walk, for which Steady was true. last is the last argument.
func (w *Walk) Again(last lua.LValue) bool {
	if w.world.surface.loading > 0 || len(w.names) == 0 && w.world.planOfQuery([]lua.LValue{last}) != w.plan {
		return false
	}
	w.loop = nil
	return true
}

// sameNames reports whether the arguments are the names for which the plan was found, as in most turns.
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

// Begin locks structure and starts at the first entity. It returns the number of rows that raise the budget.
func (w *Walk) Begin() (rows int) {
	if n := w.plan.steps(w.narrow); n > 0 {
		w.world.surface.state.Budget().Charge(int64(n)) // a budget that this spends ends the turn at the first row
	}
	w.Cursor = w.plan.begin(w.world, w.narrow)
	w.rows = w.Cursor.Rows()
	if w.adds = w.rows > 0 && w.world.adds(); !w.adds { // a loop without rows is none
		w.rows = 0
	}
	return w.rows
}

// Narrowed reports whether the walk is over the sources of one target; then each source is a row by itself. It is
// valid after Open.
func (w *Walk) Narrowed() bool { return w.narrow.relation != nil }

// Query returns the query of the walk. The same arguments in the same world give the same query. It is valid after
// Open.
func (w *Walk) Query() *ecs.Query { return w.plan.query }

// World returns the world of the walk. It is valid after Open.
func (w *Walk) World() *World { return w.world }

// Entity returns a handle as a Lua value.
func (w *Walk) Entity(e ecs.Entity) lua.LValue { return w.world.entity(e) }

// HandOver leaves the walk to a loop as it is written, and returns the generator of that loop. done is the number
// of rows that the kernel has visited since Begin or Resume. With once, the loop gets only the row that the cursor
// stands on, and Resume goes on after it. Otherwise it gets all that are left: from that row on if here is true,
// else from the next one.
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

// Resume takes back a walk that was handed over for one row, given its generator, and moves it past the row. It
// returns the number of remaining rows that raise the budget. ok is false if the walk is over: the loop had all
// remaining rows, or its body has left it. w is used again: no walk of it may be open.
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

// Number returns a number as a Lua value.
func Number(f float64) lua.LValue { return number(f) }

// QueryOf returns the query of this world that a value stands for; nil if it stands for none, or if the query is
// wrong.
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
	if err != nil || p.order != nil { // whoever asks walks it as it is
		return nil
	}
	return p.query
}

// planOfQuery returns the plan of a query that is the only argument; nil for other arguments, and for a query that is
// wrong.
func (w *World) planOfQuery(args []lua.LValue) *plan {
	if len(args) != 1 {
		return nil
	}
	ud, ok := args[0].(*lua.LUserData)
	if !ok {
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
	return p
}

// planOf returns what the arguments after the world ask for, as [call.plan] does. The plan is nil if they are
// wrong.
func (w *World) planOf(L *lua.LState) (*plan, narrowing) {
	last := L.GetTop()
	var keys []string
	if t, ok := L.Get(last).(*lua.LTable); ok && last > 2 {
		var err error
		if keys, err = orderIn(t); err != nil {
			return nil, narrowing{}
		}
		last--
	}
	p, to := w.planUpTo(L, last)
	if p == nil {
		return nil, to
	}
	if keys == nil {
		keys = p.order
	}
	if to.arrange(w, p, keys) != nil {
		return nil, to
	}
	return p, to
}

// planUpTo is planOf for the arguments up to one.
func (w *World) planUpTo(L *lua.LState, last int) (*plan, narrowing) {
	var to narrowing
	if target, ok := L.Get(last).(lua.LNumber); ok && last > 3 {
		name, ok := L.Get(last - 1).(lua.LString)
		if !ok || w.relationOf(string(name)) == nil {
			return nil, to
		}
		to = narrowing{relation: w.relationOf(string(name)), target: entityOf(target)}
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
	for i := 2; i <= last; i++ {
		name, ok := L.Get(i).(lua.LString)
		if !ok {
			return nil, to
		}
		if _, err := w.component("", string(name)); err != nil {
			return nil, to
		}
		for j := 2; j < i; j++ {
			if L.Get(j) == lua.LValue(name) {
				return nil, to // listed twice
			}
		}
	}
	p, _ := call{LState: L, w: w, surface: w.surface, name: "each", skip: 1}.planOf(last - 1)
	return p, to
}
