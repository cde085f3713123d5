package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// Loops over events. The host copies as many rows of the event log into linear memory as one call takes. Events never
// change, and events that are sent meanwhile are not part of the walk.

// eventBytes is how many bytes of events are copied for a call: they stay in the first cache.
const eventBytes = 16 << 10

// eventRows returns how many events are copied for a call.
func eventRows(s *ecs.Schema) int { return max(1, min(abi.MostRows, eventBytes/max(1, int(s.Size())))) }

// RunEvents implements [kernel.EventKernel].
func (k *Kernel) RunEvents(w *ecs.World, events kernel.Events) kernel.Ending {
	var how kernel.Ending
	_, k.exits.walk = events.Rest()
	switch {
	case k.resting():
		k.beginClosures()
		how = k.eventsByClosures(w, events)
	case k.begin(w) && !k.watch.Stopped() && k.makeRoomForEvents():
		how = k.walkEvents(w, events)
	default:
		how = k.eventsByClosures(w, events)
	}
	k.end()
	return how
}

// makeRoomForEvents makes room for the copies of events; false if there is none.
func (k *Kernel) makeRoomForEvents() bool {
	walker := k.unit.Views[0]
	if walker < 0 { // no field is used
		return true
	}
	size := uintptr(eventRows(k.program.Events)) * k.program.Events.Size()
	b := &k.taken.blocks[walker]
	if b.p == nil {
		if b.p = k.memory.Alloc(size); b.p == nil {
			return false
		}
		b.size = size
	}
	k.current.base[walker], _ = k.memory.Address(b.p)
	return true
}

// walkEvents is walk for events: call after call, until they end or a row leaves the loop.
func (k *Kernel) walkEvents(w *ecs.World, events kernel.Events) kernel.Ending {
	most := eventRows(k.program.Events)
	for {
		if k.outside.lost || k.unit.Effects && !k.room() || k.shortOfBytes() || k.asksTooMuch() {
			return k.eventsByClosures(w, events)
		}
		first, n := events.Rest()
		if n == 0 {
			return kernel.Finished
		}
		n = min(n, most)
		k.trim()
		if walker := k.unit.Views[0]; walker >= 0 {
			size := uintptr(n) * k.program.Events.Size()
			to := k.memory.At(k.current.base[walker])
			copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(first), size))
			k.bringTexts(k.eventTexts(), to, first, k.program.Events.Size(), n)
		}
		status, done := 0, 0
		if now, watched := k.watch.Plan(0, n, 0); watched {
			var same bool
			if status, done, same = k.watch.Run(watchedCode{k}, watch.Rows{World: w, Events: first, Size: k.program.Events.Size(), N: min(n, now)}); !same {
				return k.eventsByClosures(w, events)
			}
		} else {
			status, done = k.rows(0, now)
		}
		k.settleStores(status)
		events.Skip(done)
		k.current.done += done
		k.apply()
		switch {
		case status == abi.Failed && k.exits.may(k):
			if !k.goesOn() {
				return k.eventsByClosures(w, events)
			}
			how, goesOn := k.sideExit(w, func() (kernel.Ending, bool) { return k.rest.Event(events) })
			if !goesOn {
				return how
			}
		case status == abi.Broke:
			return kernel.Finished
		case status == abi.Returned:
			k.frame.TakeResults()
			return kernel.Returned
		case status == abi.Failed, status == abi.Starved && !k.frame.Fuel.Refuel():
			return k.left()
		case status == abi.Starved:
			*k.frame.Fuel.Left += k.program.Price // it is paid for, and will be charged by the call
		}
	}
}

// eventsByClosures leaves the rest of the events to closures.
func (k *Kernel) eventsByClosures(w *ecs.World, events kernel.Events) kernel.Ending {
	return k.handOver(func(rest *closures.Kernel) kernel.Ending { return rest.ResumeEvents(w, events) })
}
