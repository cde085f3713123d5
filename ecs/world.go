package ecs

import (
	"math"
	"sync/atomic"
)

// Options set up a world. The zero value works.
type Options struct {
	Seed        uint64 // the run's seed: every random stream derives from it
	MaxEntities int    // living and reserved entities at once; 0 means no limit but the 2^32 slots
	MaxBytes    uint64 // of tables, tags, grids, relations and events; what would pass it is an [ErrBytes]; 0 means no limit
	Memory      Memory // see there; nil means Go's heap
}

// A World holds entities, their components and tags, events, resources and the clock. It belongs to one goroutine at a time; nothing
// in it takes a mutex. Use [NewWorld].
type World struct {
	options Options

	slots   slots
	living  int
	pending int // reserved by commands, not alive yet

	components     []*component
	componentNames map[string]ComponentID

	tables  []*Table
	byMask  map[string]*Table
	queries []*Query

	queriesByKey map[string]*Query // the same, by Filter.appendKey
	choices      []*choice         // of ended walks, to be used again
	locks        int               // open walks and other reasons not to change structure; it changes only at 0
	layout       uint64            // see Layout
	restored     uint64            // how often Restore was called: tables found before that may be gone

	hold    *hold       // of the open walks
	orphans []*stepWalk // the open ones of queries that were released

	relations []*relation
	isA       *relation
	cascade   []Entity // scratch of despawn
	parts     []Part   // scratch of parallel walks
	partWork  func(*Part)
	runPart   func(int) // calls partWork

	tags     []*tagSet
	tagNames map[string]TagID

	events     []*eventLog
	eventNames map[string]EventID

	resources     []*resource
	resourceNames map[string]ResourceID

	streams     []*Random          // in the order of their first use
	streamNamed map[string]*Random // all that were ever made, by name
	grids       []*Grid
	tracked     []*component // those with a removal log

	ticks
	clock clock

	journal  journal   // nil: nobody is told of changes
	system   *System   // the one running, nil between systems
	commands *Commands // the queue used between systems
	ending

	bytes atomic.Int64 // see Bytes

	targets  slotMarks // by slot: the relations, as places in relations, that its entity is a target of
	tagMarks slotMarks // by slot: the tags of its entity
	marked   []uint32  // scratch of untag and endTarget
	below    []uint32  // scratch of flat
	work     uint64    // see Work

	structure uint64 // bytes of tables and edges without rows; they are not in bytes
	gaveBack  Tick   // when memory was last given back for want of room
}

// ticks are the world's counters of change.
type ticks struct {
	now       uint32 // the tick that writes carry, relative to tickBase
	tickBase  Tick
	watermark Tick // the tick at the end of the last frame
}

// ending says whether [World.Stop] was called, and with what.
type ending struct {
	stopped bool
	reason  string
}

// NewWorld returns an empty world at frame 0, time 0 and tick 1.
func NewWorld(o Options) *World {
	if o.MaxEntities <= 0 {
		o.MaxEntities = min(math.MaxUint32, math.MaxInt)
	}
	w := &World{
		options:        o,
		componentNames: map[string]ComponentID{},
		byMask:         map[string]*Table{},
		queriesByKey:   map[string]*Query{},
		tagNames:       map[string]TagID{},
		eventNames:     map[string]EventID{},
		resourceNames:  map[string]ResourceID{},
		streamNamed:    map[string]*Random{},
		ticks:          ticks{now: 1},
	}
	w.hold = &hold{w}
	w.slots.memory = o.Memory
	w.commands = newCommands(w)
	w.tableOf(nil)
	return w
}

// Options returns what the world was made with.
func (w *World) Options() Options { return w.options }

// Len returns the number of living entities.
func (w *World) Len() int { return w.living }

// Tables returns all tables in the order of creation. Do not change the slice.
func (w *World) Tables() []*Table { return w.tables }

// Entities calls yield with every living entity, table by table in the order of creation, row by row. Structure is locked meanwhile.
func (w *World) Entities(yield func(Entity) bool) {
	w.mustBeAlone()
	w.locks++
	defer w.unlock(w.hold)
	for _, t := range w.tables {
		for _, e := range t.entities {
			if !yield(e) {
				return
			}
		}
	}
}

// unlock takes back one lock, unless it was taken back by force: h was the world's hold then.
func (w *World) unlock(h *hold) {
	if w.hold == h {
		w.locks--
	}
}

// Tick returns the tick that writes carry now.
func (w *World) Tick() Tick { return w.tickBase + Tick(w.now) }

// Since returns the tick after which the running system sees changes; between systems, the end of the last frame.
func (w *World) Since() Tick {
	if w.system != nil {
		return w.system.window
	}
	return w.watermark
}

// advanceTick gives what follows a tick of its own.
func (w *World) advanceTick() {
	if w.now >= math.MaxUint32-1 {
		w.rebase()
	}
	w.now++
}

// Locked reports whether a query loop is open, so that structural changes return [ErrLocked].
func (w *World) Locked() bool { return w.locks > 0 }

// Stop asks the caller of the schedule to end the run after this frame (see [World.Stopped]). If it is called again, the first reason is kept.
func (w *World) Stop(reason string) {
	w.mustBeAlone()
	if !w.stopped {
		w.stopped, w.reason = true, reason
	}
}

// Stopped reports whether Stop was called, and why.
func (w *World) Stopped() (reason string, ok bool) { return w.reason, w.stopped }
