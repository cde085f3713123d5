package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Walks over events by kernels. Package loops uses an EventWalk in place of the generator; events.go in that
// package says how. It corresponds to Walk (walk.go).

// An EventWalk is the walk of a loop over world:read, world:peek or world:drain that a kernel runs in place of the
// script. In the middle it may be handed over to the loop as it is written: for one event, after which the kernel
// goes on, or for all that are left. The order of use is: Open, Begin; then Event and Next, or Rest and Skip;
// HandOver and Resume; End.
type EventWalk struct {
	world   *World
	kind    *eventType
	name    string // for which kind was found; "" if it is not known
	method  string
	reader  *ecs.EventReader // of read
	events  ecs.Events
	next, n int
	adds    bool       // the events raise the budget
	rows    int        // the number of events that are left, if they raise the budget
	loop    *eventLoop // the loop that events were handed over to; nil if there was none
}

// Open finds out what world:METHOD would walk, given the world and the arguments on L's stack. It returns false if
// the loop must run as it is written. w is used again: no walk of it may be open.
func (w *EventWalk) Open(L *lua.LState, method string) bool {
	return L.GetTop() == 2 && w.Reopen([]lua.LValue{L.Get(1), L.Get(2)}, method)
}

// Reopen is Open for values that are not on a stack: the world, and the arguments.
func (w *EventWalk) Reopen(head []lua.LValue, method string) bool {
	if len(head) != 2 {
		return false
	}
	world := WorldOf(head[0])
	if world == nil || world.surface.loading > 0 {
		return false
	}
	name, ok := head[1].(lua.LString)
	if !ok {
		return false
	}
	if world != w.world || w.kind == nil || string(name) != w.name {
		k, err := world.event("", string(name))
		if err != nil {
			return false
		}
		w.world, w.kind, w.name = world, k, string(name)
	}
	w.method, w.loop = method, nil
	return true
}

// World returns the world of the walk. It is valid after Open.
func (w *EventWalk) World() *World { return w.world }

// Schema returns the layout of the events. It is valid after Open.
func (w *EventWalk) Schema() *ecs.Schema { return w.kind.schema }

// Begin takes the events that there are now, and starts at the first one. It returns the number of events that
// raise the budget.
func (w *EventWalk) Begin() (rows int) {
	w.take()
	w.rows = w.n
	if w.adds = w.rows > 0 && w.world.adds(); !w.adds { // a loop without rows is none
		w.rows = 0
	}
	return w.rows
}

// None reports whether there are no events. It is valid after Open, and begins nothing.
func (w *EventWalk) None() bool { return w.Count() == 0 }

// Count returns the number of events that there are now. It is valid after Open, and begins nothing.
func (w *EventWalk) Count() int {
	if w.method == "read" {
		return w.world.ecs.ReaderOf(w.kind.id).Unread().Len()
	}
	return w.world.ecs.Peek(w.kind.id).Len()
}

// take takes the events that there are now.
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

// Event returns the address of the current event; false at the end. The address is valid until something is sent.
func (w *EventWalk) Event() (unsafe.Pointer, bool) {
	if w.next >= w.n {
		return nil, false
	}
	return ecs.Raw.Row(w.events.Row(w.next)), true
}

// Next moves past the current event, which counts as read.
func (w *EventWalk) Next() {
	w.next++
	if w.reader != nil {
		w.reader.Next()
	}
}

// Rest returns the address of the current event, and how many events from it on follow one another in memory.
func (w *EventWalk) Rest() (first unsafe.Pointer, n int) {
	first, ok := w.Event()
	if !ok {
		return nil, 0
	}
	return first, w.n - w.next
}

// Skip moves past n events, which count as read.
func (w *EventWalk) Skip(n int) {
	w.next += n
	if w.reader != nil {
		w.reader.Skip(n)
	}
}

// HandOver leaves the walk to a loop as it is written, and returns the generator of that loop. done is the number
// of events that the kernel has visited since Begin or Resume. With once, the loop gets only the current event, and
// Resume goes on after it. Otherwise it gets all that are left.
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

// Resume takes back a walk that was handed over for one event, given its generator. It returns the number of
// remaining events that raise the budget. ok is false if the walk is over: the loop had all remaining events, or
// its body has left it. w is used again: no walk of it may be open.
func (w *EventWalk) Resume(of *lua.LFunction) (rows int, ok bool) {
	g, ok := interp.IteratorOf(of).(*generator)
	if !ok || g.events == nil || g.events.state != suspended || g.events.turn != g.world.turn {
		return 0, false
	}
	l := g.events
	l.state = finished
	if w.world != g.world || w.kind != l.kind {
		w.name = ""
	}
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

// End ends the walk. Of a drain, the events that the walk has moved past are removed only now; nothing can look at
// them in between.
func (w *EventWalk) End() {
	if w.method == "drain" && w.next > 0 {
		w.world.take(w.kind, w.next)
	}
	if w.loop != nil && w.loop.peek != nil {
		w.loop.peek.next = w.next // nobody has to keep what is walked
	}
	w.reader, w.events, w.loop = nil, ecs.Events{}, nil
}
