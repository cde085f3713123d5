package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// The walk of a loop over events. View 0 is the current event, which is read-only. An event counts as read when its
// row is done.

// RunEvents implements [kernel.EventKernel].
func (k *Kernel) RunEvents(w *ecs.World, events kernel.Events) kernel.Ending {
	k.unmark()
	return k.ResumeEvents(w, events)
}

// ResumeEvents runs the rest of a walk that machine code has begun, from the current event on: see [Kernel.Resume].
func (k *Kernel) ResumeEvents(w *ecs.World, events kernel.Events) kernel.Ending {
	k.begin(w)
	how := k.walkEvents(events)
	k.budget.Charge(k.granted - k.frame.fuel)
	k.end()
	return how
}

// walkEvents runs the body for each event until one leaves the loop or has to be restored.
func (k *Kernel) walkEvents(events kernel.Events) kernel.Ending {
	f, price := &k.frame, k.program.Price
	for event, ok := events.Event(); ok; event, ok = events.Event() {
		f.ptr[0], f.dirty = event, 0
		if !f.burn(price) {
			return kernel.Starved
		}
		if how := k.event(events); how != walking {
			return how
		}
	}
	return kernel.Finished
}

// event runs the body for the event that the view is set to, and moves past it.
func (k *Kernel) event(events kernel.Events) kernel.Ending {
	f := &k.frame
	k.save()
	how := k.body(f)
	if how == stopped || f.failed {
		k.restore(mark{})
		return k.left()
	}
	events.Next()
	k.done++
	k.finish(0)
	switch how {
	case broken:
		return kernel.Finished
	case returned:
		return kernel.Returned
	}
	return walking
}
