package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	lua "github.com/yuin/gopher-lua"
)

// An EventWalk is the walk of a loop over world:read, world:peek or world:drain
// that Go runs in place of the script. It may be handed over, in the middle, to the
// loop as it is written: for one event, after which Go goes on, or for all that are left.
type EventWalk struct {
	world   *World
	kind    *eventType
	method  string
	reader  *ecs.EventReader // of read
	events  ecs.Events
	next, n int
	adds    bool       // the events add to the budget
	rows    int        // how many of these are left
	loop    *eventLoop // what events of the walk were left to; nil: there were none
}

// Open finds what world:METHOD would walk with the world and the arguments on L's
// stack; false when the loop must run as it is written. w is reused: no walk of it
// may be open.
func (w *EventWalk) Open(L *lua.LState, method string) bool {
	world := WorldOf(L.Get(1))
	if world == nil || world.surface.loading > 0 || L.GetTop() != 2 {
		return false
	}
	name, ok := L.Get(2).(lua.LString)
	if !ok {
		return false
	}
	k, err := world.event(string(name))
	if err != nil {
		return false
	}
	w.world, w.kind, w.method, w.loop = world, k, method, nil
	return true
}

// World is the world of the walk, from Open on.
func (w *EventWalk) World() *World { return w.world }

// Schema is the layout of the events, from Open on.
func (w *EventWalk) Schema() *ecs.Schema { return w.kind.schema }

// Begin takes what there is now, and starts at the first event. It returns how many
// events there are that add to the budget.
func (w *EventWalk) Begin() (rows int) {
	w.take()
	w.rows = 0
	if w.adds = w.world.adds(); w.adds {
		w.rows = w.n
	}
	return w.rows
}

// take takes what there is now.
func (w *EventWalk) take() {
	w.next = 0
	switch w.method {
	case "read":
		w.reader = w.world.ecs.ReaderOf(w.kind.id)
		w.events = w.reader.Unread()
	case "peek", "drain":
		w.events = w.world.ecs.Peek(w.kind.id)
	}
	w.n = w.events.Len()
}

// Event returns the address of the event the walk stands on, valid until something
// is sent; false at the end.
func (w *EventWalk) Event() (unsafe.Pointer, bool) {
	if w.next >= w.n {
		return nil, false
	}
	return ecs.Raw.Row(w.events.Row(w.next)), true
}

// Next moves past an event: a reader has read it.
func (w *EventWalk) Next() {
	w.next++
	if w.reader != nil {
		w.reader.Next()
	}
}

// Rest returns the address of the event the walk stands on, and how many there are
// from it on, one after the other.
func (w *EventWalk) Rest() (first unsafe.Pointer, n int) {
	first, ok := w.Event()
	if !ok {
		return nil, 0
	}
	return first, w.n - w.next
}

// Skip moves past n events: a reader has read them.
func (w *EventWalk) Skip(n int) {
	w.next += n
	if w.reader != nil {
		w.reader.Skip(n)
	}
}

// HandOver leaves the walk to a loop as it is written: the function that it
// returns is its generator. done is how many events Go has visited since Begin or
// Resume. With once the loop gets the event that the walk stands on, and Resume goes
// on behind it. Otherwise it gets all that are left.
func (w *EventWalk) HandOver(L *lua.LState, done int, once bool) *lua.LFunction {
	l := w.loop
	if l == nil {
		l = w.world.newEventLoop(L.Env, w.kind, w.method)
		switch w.method {
		case "peek":
			l.peek.events = w.events
		default: // what was sent meanwhile is not walked
			_, l.end = w.events.Position()
		}
	}
	l.handed, l.given = handed{over: true, adds: w.adds, once: once, rows: w.rows - done}, false
	w.loop = l
	w.End()
	return &l.generator.LFunction
}

// Resume takes back the walk that was handed over for one event, to the loop of the
// generator of. It returns how many events are left that add to the budget. ok is false
// when the walk is over: the loop had all events that were left, or its body has left
// it. w is reused: no walk of it may be open.
func (w *EventWalk) Resume(of *lua.LFunction) (rows int, ok bool) {
	g, ok := interp.IteratorOf(of).(*generator)
	if !ok || g.events == nil || g.events.state != suspended || g.events.turn != g.world.turn {
		return 0, false
	}
	l := g.events
	l.state = finished
	w.world, w.kind, w.method, w.loop, w.adds = g.world, l.kind, l.method, l, l.handed.adds
	w.rows = max(0, l.handed.rows-1)
	w.take()
	if p := l.peek; p != nil {
		w.events, w.next, w.n = p.events, p.next, p.events.Len()
		return w.rows, true
	}
	from, _ := w.events.Position()
	w.n = min(w.n, int(l.end-min(from, l.end)))
	return w.rows, true
}

// End lets go of the events. Of a drain, those that the walk has moved past are
// taken now: nobody else can look in between.
func (w *EventWalk) End() {
	if w.method == "drain" && w.next > 0 {
		w.world.take(w.kind, w.next)
	}
	if w.loop != nil && w.loop.peek != nil {
		w.loop.peek.next = w.next // nobody has to keep what is walked
	}
	w.reader, w.events, w.loop = nil, ecs.Events{}, nil
}
