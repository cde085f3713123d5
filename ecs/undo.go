package ecs

import (
	"math"
	"slices"
)

// The undo log takes back a turn that has failed: the world is then as it was when the turn began, and so is what
// the system keeps (window, event readers, random stream). It is the journal of a world whose schedule has RollBack:
// it is told of each change before it happens, and keeps the old values. Small parts of the state, of which a
// journal is not told, are saved at the beginning of each turn. undocolumns.go has values, stamps and tables,
// undoslots.go handles, tags and relations, undoevents.go events and their readers, undolayers.go layers,
// undoindexes.go indexes, undoresources.go resources.
//
// A turn that succeeds only forgets the log. The memory of the log stays for the next turn, so steady frames
// allocate nothing. The log records while a turn runs, and nothing between turns.

// undo implements journal.
type undo struct {
	w         *World
	recording bool
	sealed    bool   // see RawAccess.Seal
	counted   int64  // see countUndo
	number    uint32 // of the recorded turn: what a column or a log has noted under another number is from an earlier turn

	columnLog
	slotLog
	eventUndo
	tagLog      []tagUndo
	roomLog     []roomUndo
	relationLog []relationUndo
	gridLog     []*Grid // that have taken a snapshot
	layerLog    layerLog
	resourceLog resourceLog
	indexLog    indexLog
	sweepLog    []sweepUndo
	waitLog     []int // places of events that do not wait any more
	waiting     int   // the number of entries when the turn began

	// saved at the beginning of the turn
	living, pending, targets int
	ending                   ending
	window                   Tick // of the system. A turn that is taken back counts, and what was disabled in it stays so
	streams                  []RandomState
	asked                    []int // by state
	removals                 []removalUndo
}

// A removalUndo is how much of a log of removals there was.
type removalUndo struct{ entries, systems int }

// rollBack installs or removes the world's undo log.
func (w *World) rollBack(on bool) {
	if on == (w.undo != nil) {
		return
	}
	if !on {
		w.undo, w.spareUndo = nil, w.undo
		w.install(nil)
		return
	}
	if w.undo = w.spareUndo; w.undo == nil { // used again, because tables and columns know the numbers of its turns
		w.undo = &undo{w: w}
	}
	w.install(w.undo)
}

// begin starts to record the turn of a system. Nothing may have been stamped in this tick yet: the journal is told of a block only when
// the first of its rows is stamped in a tick. It costs O(resources, states, random streams, tracked components).
func (u *undo) begin(sys *System) {
	w := u.w
	u.recording, u.sealed = true, false
	u.number++
	u.columnLog.begin(w)
	u.slotLog.begin(&w.slots)
	u.eventUndo.begin(sys, u.number)
	u.tagLog, u.relationLog, u.gridLog = u.tagLog[:0], u.relationLog[:0], u.gridLog[:0]
	u.sweepLog, u.roomLog = u.sweepLog[:0], u.roomLog[:0]
	u.layerLog.begin()
	u.indexLog.begin()
	u.waitLog, u.waiting = u.waitLog[:0], len(w.waits.all)
	u.living, u.pending, u.targets, u.ending, u.window = w.living, w.pending, w.slots.targets, w.ending, sys.window
	u.resourceLog.begin(w)
	u.streams = u.streams[:0]
	for _, r := range w.streams {
		u.streams = append(u.streams, r.at)
	}
	u.asked = u.asked[:0]
	for i := range w.states {
		u.asked = append(u.asked, w.states[i].asked)
	}
	u.removals = u.removals[:0]
	for _, c := range w.tracked {
		u.removals = append(u.removals, removalUndo{len(c.lost.entries), len(c.lost.systems)})
	}
	w.slots.log = &u.slotLog
	for _, t := range w.taps {
		t.turn()
	}
}

// end stops recording. What was recorded stays until the next turn begins.
func (u *undo) end() {
	u.recording = false
	u.countUndo()
	u.w.slots.log = nil
}

// Sealable reports whether [RawAccess.Seal] may be called: a turn is recorded, because it is to be taken back if it fails
// ([Schedule].RollBack), no command is queued, which could fail at the end of the turn, and no observer has failed.
func (RawAccess) Sealable(w *World) bool {
	u := w.undo
	return u != nil && u.recording && len(w.system.commands.ops) == 0 && w.fault == nil
}

// Seal says that the running turn cannot fail any more: what is left of it writes values, and nothing can refuse that.
// From here on the turn is not recorded, so the writes cost nothing. If the turn fails all the same, the world panics.
// Panics if the turn is not [RawAccess.Sealable].
func (RawAccess) Seal(w *World) {
	if !Raw.Sealable(w) {
		panic("ecs: a turn that may fail was sealed")
	}
	w.undo.recording, w.undo.sealed = false, true
}

// takeBack makes the world, and the progress and readers of the system, what they were at begin. The turn must have
// ended (end), no query loop may be open, and the system's queue must be empty. A new tick must begin after it. It costs O(what the turn has changed).
func (u *undo) takeBack(sys *System) {
	w := u.w
	if u.sealed {
		panic("ecs: a turn has failed after it was sealed")
	}
	u.dropTables()
	u.restoreColumns()
	u.restoreSlots(w)
	u.restoreRows()
	for _, c := range slices.Backward(u.tagLog) {
		c.takeBack()
	}
	for _, c := range u.roomLog {
		c.set.dense = grow(c.set.dense, c.room)
	}
	for _, c := range slices.Backward(u.relationLog) {
		c.takeBack(w)
	}
	u.unmarkFree(w)
	u.restoreEvents()
	u.layerLog.takeBack()
	u.indexLog.takeBack()
	u.restoreWaits()
	for _, c := range u.sweepLog {
		if !slices.Contains(u.gridLog, c.grid) {
			c.grid.points[c.point].x, c.grid.deaths = c.x, c.deaths
		}
	}
	for _, g := range u.gridLog {
		g.built = false // the next search takes a snapshot
		g.points, g.cols, g.rows = g.points[:0], 0, 0
		g.taken++
	}
	w.living, w.pending, w.slots.targets, w.ending = u.living, u.pending, u.targets, u.ending
	sys.window = u.window
	u.resourceLog.takeBack(w)
	for i, asked := range u.asked {
		w.states[i].asked = asked
	}
	for i, r := range w.streams {
		if i < len(u.streams) {
			r.at = u.streams[i]
			continue
		}
		r.listed = false // first used in this turn
		r.restart(r.seed)
	}
	w.streams = w.streams[:len(u.streams)]
	for i, c := range w.tracked {
		if i >= len(u.removals) {
			c.lost = nil
			continue
		}
		was := u.removals[i]
		c.lost.entries, c.lost.systems = c.lost.entries[:was.entries], c.lost.systems[:was.systems]
	}
	w.tracked = w.tracked[:len(u.removals)]
	w.layout++
	w.restored++
	w.remeasure()
	for _, t := range w.taps {
		t.takeBack()
	}
}

// A sweepUndo is the place of an entity in a snapshot, from which it was swept.
type sweepUndo struct {
	grid   *Grid
	point  int
	x      float64
	deaths uint64
}

// sweeps implements journal.
func (u *undo) sweeps(g *Grid) {
	for i := range g.points {
		if p := &g.points[i]; u.recording && !math.IsNaN(p.x) && !g.world.Alive(p.entity) {
			u.sweepLog = append(u.sweepLog, sweepUndo{g, i, p.x, g.deaths})
		}
	}
}

// grid implements journal.
func (u *undo) grid(g *Grid) {
	if u.recording && !slices.Contains(u.gridLog, g) {
		u.gridLog = append(u.gridLog, g)
	}
}
