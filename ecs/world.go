package ecs

import (
	"math"
	"reflect"
	"sync/atomic"
)

// The World is the struct that everything else in this package is a method of. Its fields are grouped by the file
// that manages them; state.go lists which of them are state.

// Options configure a world. The zero value works.
//
// What no option limits: 2^32 slots, each handed out up to 2^21 - 1 times; the bytes of a table, stamps included,
// must fit into an int (the package runs on machines of 64 and of 32 bits), and beyond that the error is [ErrLimit].
// The number of components is not limited; a mask has one bit for each id up to its highest. A slot takes 12 bytes,
// a row 8 for its handle, each value its own size and 8 bytes of stamps, each 64 rows of a column 32.
type Options struct {
	Seed        uint64 // seed of the run; every random stream derives from it
	MaxEntities int    // limit of living and reserved entities; 0 means only that of the 2^32 slots
	MaxBytes    uint64 // limit of the bytes of tables, tags, grids, relations and events, see [ErrBytes]; 0 means none
	MaxEvents   int    // limit of the events kept at a time, of all kinds; 0 means none
	MaxTags     int    // limit of the tag entries: pairs of an entity and a tag that it has; 0 means none
	Memory      Memory // where columns without pointers are stored; nil means Go's heap
}

// A World holds entities with their components and tags, relations, events, resources and the clock. It belongs to
// one goroutine at a time; nothing in it takes a mutex. Make it with [NewWorld].
//
// It keeps all entities with the same components in one [Table]: row r of every [Column] belongs to the same entity, so a
// [Query] walks dense slices. Setting a value moves no row. Adding or removing a component moves one row to another table
// (about 50 ns and the copy of the row). Tags, events and resources are stored beside the tables; changing them moves no
// row. A frame in which no table, queue or log has to grow allocates nothing.
//
//	World
//	 ├─ slots      index -> table, row, generation          an Entity is index + generation: "17v2"
//	 ├─ components name <-> id, schema                      declared by a Go type or at run time
//	 ├─ tables     Table {Position, Velocity}
//	 │               entities  17v1   4v3    9v1
//	 │               Position  {x y}  {x y}  {x y}          one column per component, with change stamps
//	 │               Velocity  {x y}  {x y}  {x y}
//	 ├─ queries    condition -> matching tables             told of every new table
//	 ├─ tags       name -> sparse set of entities
//	 ├─ events     name -> log with sequence numbers        read by cursors
//	 ├─ resources  name -> one value
//	 └─ commands   changes as data, applied in order
//
// If a goroutine begins a structural change, a loop, a turn, Save or Restore while another one is in the middle of a
// structural change or of a turn, it panics, and the message names both with their places in the code. Other such
// mistakes are for the race detector of Go. Two worlds are independent. Inside [Query.Parallel] workers may read the
// world, write the rows of their own part and queue on [Part.Commands]. [World.Bytes] may be called at any time. The
// package starts goroutines only in [NewPool].
type World struct {
	options Options

	slots   slots
	living  int
	pending int // handles that queued commands have reserved; not alive yet

	components     []*component
	componentNames map[string]ComponentID
	goTypes        map[reflect.Type][]*component // see componentOf

	codecs codecs // of Go types, see RegisterCodec

	tables   []*Table
	occupied tableSet // the tables that may have rows
	byMask   map[string]*Table
	queries  []*Query

	queriesByKey map[string]*Query      // by Filter.appendKey
	typedQueries map[typedKey]keptQuery // see typedAgain
	parked       []*Query               // those that nobody uses, see Query.Release
	choices      []*choice              // of walks that have ended, for reuse
	locks        int                    // number of open walks and other reasons to refuse structural changes
	changing     uint32                 // not 0 while tables and slots are being changed, see goroutines.go
	layout       uint64                 // see RawAccess.Layout
	restored     uint64                 // number of restores: tables found before the last one may be gone

	hold  *hold   // shared by the open walks, see hold.go
	walks []*walk // open walks of typed queries

	relations []*relation
	isA       *relation
	cascade   []Entity // scratch of despawn
	parts     []Part   // scratch of parallel walks
	partWork  func(*Part)
	runPart   func(int) // calls partWork for a part

	tags     []*tagSet
	tagNames map[string]TagID

	events     []*eventLog
	eventNames map[string]EventID
	waits      waits

	prefabs  []*prefab
	prefabAt map[Entity]prefabPlace // where the entities of prefabs are; nil without prefabs
	making   instancing             // scratch of Instance

	states []state
	ended  []Entity // scratch of endTagged

	resources     []*resource
	layers        []*AnyLayer
	indexes       []*Index
	resourceNames map[string]ResourceID

	streams     []*Random          // in the order of their first use
	streamNamed map[string]*Random // all that were ever made, also those that a restore has set back
	grids       []*Grid
	tracked     []*component // the components with a removal log

	ticks
	clock clock

	journal   journal     // told before changes; nil for none
	undo      *undo       // the journal that takes back failed turns; nil for none
	spareUndo *undo       // the journal of a schedule that had RollBack; nil if there was none
	taps      []*EventTap // told of events
	watched   uint32      // the version of their lists; 0 without observers
	observers *observers  // told of operations; nil until the first observer is declared
	system    *System     // the running system, nil between systems; in an observer its owner
	declaring *System     // the owner of observers that are declared now, see System.Declaring
	commands  *Commands   // the queue between systems
	queue     *Commands   // the queue of observers while one runs: that of the turn which has called it
	fault     error       // of an observer: why the frame ends, and meanwhile no observer is called; nil if it goes on
	ending

	bytes  atomic.Int64 // see World.Bytes
	heap   heapCounts
	memory Memory // Options.Memory for everything but slots; it counts what it gives

	targets  slotMarks // by slot: the relations, as indexes in relations, of which its entity is a target
	tagMarks slotMarks // by slot: the tags of its entity
	marked   []uint32  // scratch of untag and endTarget
	below    []uint32  // scratch of flat
	work     uint64    // see RawAccess.Work

	structure uint64 // bytes of tables and edges without their rows, which are in bytes
	gaveBack  Tick   // the tick in which giveBack last looked for memory
}

// ticks are the world's counters for change detection.
type ticks struct {
	now       uint32 // the tick that writes are stamped with, relative to tickBase
	tickBase  Tick
	watermark Tick // the tick at the end of the last frame: the window of code between systems
}

// ending says whether [World.Stop] was called, and with which reason.
type ending struct {
	stopped bool
	reason  string
}

// NewWorld returns an empty world at frame 0, time 0 and tick 1, in which only the relations [ChildOf] and [IsA] are declared.
func NewWorld(o Options) *World {
	w := newWorld(o)
	for _, name := range []string{ChildOf, IsA} {
		if _, err := w.DeclareRelation(name); err != nil {
			panic("ecs: " + err.Error()) // the world is empty
		}
	}
	return w
}

// newWorld makes a world that declares nothing.
func newWorld(o Options) *World {
	o.MaxEntities = mostEntities(o.MaxEntities)
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
	w.slots.memory, w.slots.grown = o.Memory, w.countSlots
	w.memory = w.heap.counted(o.Memory)
	w.commands = newCommands(w)
	w.tableOf(nil, false)
	return w
}

// Options returns the options of the world. A MaxEntities of 0 has been replaced by the largest number.
func (w *World) Options() Options { return w.options }

// Len returns the number of living entities without those of prefabs.
func (w *World) Len() int { return w.living - w.prefabEntities() }

// Tables returns all tables in the order of creation. Do not change the slice.
func (w *World) Tables() []*Table { return w.tables }

// Entities calls yield for every living entity but those of prefabs, table by table in the order of creation, and row by row. Structure
// is locked meanwhile.
func (w *World) Entities(yield func(Entity) bool) {
	given(yield != nil, "World.Entities", "a function")
	w.mustBeAlone()
	w.locks++
	defer w.unlock(w.hold)
	for _, t := range w.tables {
		if t.prefab {
			continue
		}
		for _, e := range t.entities {
			if !yield(e) {
				return
			}
		}
	}
}

// unlock removes one lock. h is the world's hold when the lock was taken: if the world has closed all walks by
// force since, the lock is gone already.
func (w *World) unlock(h *hold) {
	if w.hold == h {
		w.locks--
	}
}

// Tick returns the tick that writes are stamped with now.
func (w *World) Tick() Tick { return w.tickBase + Tick(w.now) }

// Since returns the tick after which the running system sees changes; between systems, the tick at the end of the
// last frame.
func (w *World) Since() Tick {
	if w.system != nil {
		return w.system.window
	}
	return w.watermark
}

// advanceTick starts a new tick.
func (w *World) advanceTick() {
	if len(w.indexes) > 0 && w.changing == 0 {
		w.indexStamped()
	}
	if w.now >= math.MaxUint32-1 {
		w.rebase()
	}
	w.now++
	w.closePages()
	w.closeResources()
}

// Locked reports whether structure is locked, for instance by an open query loop, so that structural changes
// return [ErrLocked].
func (w *World) Locked() bool { return w.locks > 0 }

// Stop asks the code that runs the schedule to end the run after this frame; it asks [World.Stopped]. If Stop is
// called again, the first reason is kept.
func (w *World) Stop(reason string) {
	w.mustBeAlone()
	if !w.stopped {
		w.stopped, w.reason = true, reason
	}
}

// Stopped reports whether Stop was called, and its reason.
func (w *World) Stopped() (reason string, ok bool) { return w.reason, w.stopped }
