package ecs

import (
	"math"
	"slices"
)

// failedTurnOp makes some operations as a turn that fails: the world must be as before, and so is the model, but for the handles that are used up.
func (r *machine) failedTurnOp() {
	if r.waiting > 0 || r.inTurn {
		return // commands that wait do not belong to a turn
	}
	n := r.pick(12)
	r.say("a turn of %d operations begins", n)
	r.w.rollBack(true)
	r.w.advanceTick() // a turn begins in a tick of its own: BeginFrame and the end of each turn see to that
	for r.w.now > math.MaxUint32-64 {
		r.w.advanceTick() // A turn of a schedule is one tick, so the base of the stamps never moves in it. Operations of this model begin ticks.
	}
	before, err := r.w.Copy()
	r.ok(err)
	at := &modelCheckpoint{before, r.m.clone(), slices.Clone(r.handles), r.windows, 0, slices.Clone(r.queued), r.waiting}
	readers, cycles, own := slices.Clone(r.readers), r.cycles, slices.Clone(r.w.clock.readers)
	sys := &System{commands: newCommands(r.w)}
	r.w.undo.begin(sys)
	r.inTurn = true
	for range n {
		r.step()
	}
	r.inTurn = false
	r.queue.Drop()
	r.say("the turn fails")
	r.w.undo.takeBack(sys)
	r.w.clock.readers = own // of a system they are taken back
	if r.byte()%2 == 0 {
		r.w.rollBack(false) // otherwise the log stays until the next such turn
	}
	relations, given, number := r.m.relations, r.m.given(), r.m.number
	*r.m = *at.model
	r.m.useUp(given)
	r.m.number = number
	for i, rel := range r.m.relations {
		*relations[i] = *rel
	}
	r.m.relations = relations
	r.handles, r.windows, r.queued, r.waiting, r.readers, r.cycles = at.handles, at.windows, at.queued, at.waiting, readers, cycles
	if err := differentState(r.w, before); err != nil {
		r.fail("after a turn that was taken back: %v", err)
	}
	if got, want := Raw.GivenOut(r.w), r.m.given(); !slices.Equal(got, want) {
		r.fail("given out: the world says %v, the model %v", got, want)
	}
	r.ok(wholeMemory(r.w))
	r.compare()
}
