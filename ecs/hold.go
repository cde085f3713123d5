package ecs

// Panics for wrong use of the handle of a walk. The texts are constants, so that functions which test for them are
// small enough to be inlined into the caller's loop.
const (
	cursorNowhere = "ecs: the cursor is at no entity: Next was not called, or the walk is over"
	cursorBehind  = "ecs: the cursor stands behind the last row of its table: Skip moved it there"
	walkLeft      = "ecs: the walk is over, or a copy of it has moved on: a loop inside a loop needs a Start of its own"
	inWorker      = "ecs: a worker of a parallel walk may read the world, write rows of its part and queue on Part.Commands; all else is the caller's"
	noSnapshot    = "ecs: a worker may use a grid whose snapshot was taken before the walk: call Near or Raw first, in the same frame"
	searchOver    = "ecs: the grid has taken a new snapshot during this Search: outside systems each use of a grid takes one, so begin the Search again"
	workerQueue   = "ecs: a worker queues on Part.Commands alone, and only during the walk"
	otherWorld    = "ecs: the two handles belong to different worlds"
)

// A hold connects open walks with their world. What a walk hands out points at the hold that the world had when
// the walk began. When the world closes all walks by force, it clears the hold and takes a new one: handles of the
// old walks then find no world and panic instead of reading rows that have moved.
type hold struct{ world *World }

// noHold is the hold of a cursor that has ended. It is never written, so it has no world.
var noHold = new(hold)

// endWalks closes all open walks by force and unlocks structure. It is called when a system has returned, or
// failed, with a walk open.
func (w *World) endWalks() {
	w.EndWalks()
	w.hold.world = nil
	w.hold = &hold{w}
	w.locks = 0
}

// EndWalks closes the loops over typed queries that are open, as [Visit.End] does, and unlocks structure. It is for a
// host that has recovered a panic, or whose goroutine has ended ([runtime.Goexit]), in a loop outside of systems; the
// loops of a system are closed when its turn ends, and those that are left between frames when the next one begins.
// Visits of a closed loop panic when they go on.
func (w *World) EndWalks() {
	w.mustBeAlone()
	for len(w.walks) > 0 {
		w.walks[len(w.walks)-1].abandon()
	}
}

// mustBeAlone panics if it is called during a parallel walk, where only the workers run.
func (w *World) mustBeAlone() {
	if w.slots.parallel {
		panic(inWorker)
	}
}

// mustBe panics unless w and o are the same world.
func (w *World) mustBe(o *World) {
	if w != o {
		panic(otherWorld)
	}
}
