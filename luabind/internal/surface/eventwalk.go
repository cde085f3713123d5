package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// An EventWalk is the walk of a loop over world:read, world:peek or world:drain
// that Go runs in place of the script. It may be handed over, in the middle, to the
// loop as it is written.
type EventWalk struct {
	world   *World
	kind    *eventType
	method  string
	reader  *ecs.EventReader // of read
	events  ecs.Events
	next, n int
	adds    bool
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
	w.world, w.kind, w.method = world, k, method
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
	if w.adds = w.world.adds(); w.adds {
		rows = w.n
	}
	return rows
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

// HandOver leaves the walk to the loop that begins next, which starts with the
// event this one stands on.
func (w *EventWalk) HandOver() {
	w.world.walked = *w
	w.End()
}

// End lets go of the events. Of a drain, those that the walk has moved past are
// taken now: nobody else can look in between.
func (w *EventWalk) End() {
	if w.method == "drain" && w.next > 0 {
		w.world.take(w.kind, w.next)
	}
	w.reader, w.events = nil, ecs.Events{}
}

// goOn is the walk that was handed over to the loop that begins now; one of no
// method when there is none.
func (w *World) takeResumed() (l EventWalk) {
	l, w.walked = w.walked, EventWalk{}
	return l
}
