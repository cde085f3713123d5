package kernel

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// Events are what a loop over events walks.
type Events interface {
	// Event returns the address of the event the walk stands on, valid until something is sent; false at the end.
	Event() (unsafe.Pointer, bool)
	// Next moves past it.
	Next()
	// Rest returns the address of the event the walk stands on, and how many there are from it on, one after the other; valid as Event's is.
	Rest() (first unsafe.Pointer, n int)
	// Skip moves past n of them.
	Skip(n int)
}

// EventCode is what a back end makes of the Program of a loop over events: a [Code] whose Run is never called.
type EventCode interface {
	Code
	RunEvents(w *ecs.World, events Events) Ending
}

// RunEvents is [Code.Run] of a loop over events, which are its view 0. After Left the walk stands on an event that was not begun, or was
// put back: the interpreter goes on there. A break or return is past the event it was reached at.
func (k *Kernel) RunEvents(w *ecs.World, events Events) Ending {
	k.unmark()
	return k.ResumeEvents(w, events)
}

// ResumeEvents is RunEvents for the rest of a walk that other code has begun: see [Kernel.Resume].
func (k *Kernel) ResumeEvents(w *ecs.World, events Events) Ending {
	k.begin(w)
	how := k.walkEvents(events)
	k.budget.Charge(k.granted - k.frame.fuel)
	k.end()
	return how
}

func (k *Kernel) walkEvents(events Events) Ending {
	f, price := &k.frame, k.program.Price
	for event, ok := events.Event(); ok; event, ok = events.Event() {
		f.ptr[0], f.dirty = event, 0
		if !f.burn(price) {
			return Left
		}
		k.save()
		how := k.body(f)
		if how == stopped || f.failed {
			k.restore(mark{})
			return Left
		}
		events.Next()
		k.finish(0)
		switch how {
		case broken:
			return Finished
		case returned:
			return Returned
		}
	}
	return Finished
}

// noComponent is in the place of an event's: no component has it.
const noComponent = ecs.ComponentID(math.MaxUint32)

// events declares the variables of a loop over events: the first one is the event, and there is nothing for others.
func (c *checker) events() {
	c.p.Views, c.p.Events, c.p.Components = 1, c.scene.Events, []ecs.ComponentID{noComponent}
	c.declare(c.t.Variables[0], &symbol{kind: viewSymbol, event: true, schema: c.scene.Events})
	for _, v := range c.t.Variables[1:] {
		c.declare(v, &symbol{kind: nothingSymbol})
	}
}
