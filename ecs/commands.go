package ecs

import (
	"unsafe"
)

// This file is the first half of the command pipeline: it checks commands and queues them as data. apply.go
// applies them when the system returns. A worker of a parallel walk fills a queue of its own, which
// parallel_merge.go merges into the system's queue.

// Commands is an ordered queue of changes, stored as data. A system's queue is applied when the system returns, so
// it can be filled inside query loops. A command for an entity that is dead by then is skipped.
//
// An open query loop locks structure: spawn, despawn, add, remove, and a set that would add return [ErrLocked]. A walk
// unlocks it at its end; one that does not get there needs a call of End. What a turn has left open is closed when the turn
// ends, also by a panic; outside of turns [World.EndWalks] does that. Values, tags and events may be written in a loop. Everything else is queued:
//
//	for e := q.Start(); e.Ok(); e = e.Next() { // a *Query1[Health]
//		if e.Get().Current <= 0 {
//			w.Commands().Despawn(e.Entity()) // applied when the system returns
//		}
//	}
//
// Go types go in whole: [Component.QueueSet] for one value, [Spawner2.Queue] and [Spawner2.QueueSet] for several.
//
// Commands are applied in the order in which they were queued. A handle from [Commands.Spawn] can be used in later
// commands at once; the entity is alive once the command is applied.
type Commands struct {
	world *World
	ops   []command
	// What a command needs beyond its fixed fields lies in these lists; it refers to them by index.
	ids    []ComponentID  // component lists of spawn, add and remove; the latter two ascending, each component once
	fields []FieldValue   // values of set and send
	goals  []Target       // targets of spawn, relate and unrelateFrom
	orders []waitOrder    // of events that are to wait, and of those that are cancelled
	values []commandStore // typed values, by component
	stored []ComponentID  // the components that have values, in the order of their first: the queue is emptied without a look at the others

	runs []spawnRun // what runCommands stand for: see commandruns.go
	made []Entity   // their handles
	free int        // how many values of each of its types the last run has room for

	last  lastMove
	place uint16 // what At was called with last; copied into each command

	wakes []wake    // the commands that observers have queued, in their order
	woken int       // while the queue is applied: index in wakes
	joins bool      // what is queued next belongs to the last spawn, see Join
	spare *Commands // memory for what observers queue while this queue is applied

	worker bool   // the queue belongs to a worker of a parallel walk: its spawns return provisional handles until it is merged
	spawns uint32 // of a worker: how many spawns it has queued
}

type commandOp uint8

const (
	spawnCommand commandOp = iota
	despawnCommand
	addCommand
	removeCommand
	setCommand   // fields
	storeCommand // a typed value
	tagCommand
	untagCommand
	sendCommand
	relateCommand
	unrelateCommand
	waitCommand     // fields; entity is an index in orders
	cancelCommand   // likewise
	stateCommand    // id is a state, from the tag of a value
	instanceCommand // as spawn; the first target is the prefab
	unrelateFromCommand
	runCommand // id is an index in runs; a file has none
)

// makes reports whether the command makes the entity that it is about.
func (op *command) makes() bool { return op.op == spawnCommand || op.op == instanceCommand }

// A command says what to do with which entity, and where its data is in the queue.
type command struct {
	entity   Entity
	id       uint32 // component, tag, event or state; the component of an add or remove of one; for spawn, relate and unrelateFrom: index in goals
	from, to uint32 // range in ids or fields; for store: from is the index in values[id]; for spawn: ids[to] is the number of its targets
	place    uint16 // see Commands.At
	op       commandOp
	joined   bool // it belongs to the spawn before it, see Commands.Join
}

// A lastMove caches the move of the last add or remove of one component. Tables and their moves do not change
// while commands are applied, so it is valid for one batch.
type lastMove struct {
	op    commandOp // spawnCommand, which moves nothing, while the cache is empty
	id    uint32
	table uint32
	move  *move
}

// commandStore holds the queued typed values of one component, in memory that the garbage collector scans if it
// has pointers.
type commandStore struct {
	base     unsafe.Pointer
	n        int
	capacity int
}

func newCommands(w *World) *Commands { return &Commands{world: w} }

// Commands returns the queue of the running system; in an observer that of the turn in which it is called. Between systems it returns a queue that the schedule applies
// at the start of its next frame.
func (w *World) Commands() *Commands {
	w.mustBeAlone()
	if w.queue != nil {
		return w.queue
	}
	if w.system != nil {
		return w.system.commands
	}
	return w.commands
}

// At sets the place of the commands that are queued next: a number of the caller's choice, for instance a source
// line. A [CommandError] contains it. Apply and Drop reset it to 0.
func (c *Commands) At(place uint16) { c.place = place }

// Join decides whether the commands that are queued next belong to the last spawn, as values and tags that the new
// entity has from the start: observers are told of the entity when it has them all, and not of single writes. Nothing
// else may be queued until Join(false).
func (c *Commands) Join(on bool) { c.joins = on }

// Len returns the number of queued commands.
func (c *Commands) Len() int {
	n := len(c.ops) - len(c.runs)
	for i := range c.runs {
		r := &c.runs[i]
		n += (r.to - r.from) * (1 + len(r.by.ids))
	}
	return n
}

// Spawn queues a new entity with these components and returns its handle. Later commands may use the handle at
// once, but the entity is not alive until the queue is applied. Errors: [ErrUnknown], [ErrLimit].
func (c *Commands) Spawn(ids ...ComponentID) (Entity, error) {
	return c.SpawnRelated(nil, ids...)
}

// SpawnRelated is [Commands.Spawn] with relations. If the target of a [ChildOf] is dead when the queue is applied,
// the entity is not spawned, and its handle never becomes alive; any other relation to a dead target is left out.
// Errors: [ErrUnknown], [ErrLimit].
func (c *Commands) SpawnRelated(targets []Target, ids ...ComponentID) (Entity, error) {
	c.mayQueue()
	return c.reserve(spawnCommand, nil, targets, ids)
}

// reserve queues the making of an entity and returns its handle. first are targets that count beside the others.
func (c *Commands) reserve(op commandOp, first, targets []Target, ids []ComponentID) (Entity, error) {
	if err := c.checkIDs("spawn", ids); err != nil {
		return None, err
	}
	for _, to := range targets {
		if _, err := c.world.relation("spawn", None, to.Relation); err != nil {
			return None, err
		}
	}
	var e Entity
	if c.worker {
		c.spawns++
		e = makeEntity(c.spawns, workerGeneration)
	} else {
		if err := c.world.room(1); err != nil {
			return None, err
		}
		if j := c.world.journal; j != nil {
			j.slots()
		}
		e = c.world.slots.take()
		c.world.pending++
	}
	c.queueIDs(op, e, ids)
	c.ops[len(c.ops)-1].id = uint32(len(c.goals))
	c.goals = append(c.goals, first...)
	for i, to := range targets {
		if c.world.counts(targets, i) {
			c.goals = append(c.goals, to)
		}
	}
	c.ids = append(c.ids, ComponentID(len(c.goals)-int(c.ops[len(c.ops)-1].id)))
	return e, nil
}

// goalsOf returns the targets of a spawn.
func (c *Commands) goalsOf(op *command) []Target {
	return c.goals[op.id : op.id+uint32(c.ids[op.to])]
}

// Relate queues a change of the target of e in a relation, or another target if it may have many. If the target is dead when the queue is applied, e
// stays as it is. Error: [ErrUnknown].
func (c *Commands) Relate(e Entity, id RelationID, target Entity) error {
	c.mayQueue()
	if _, err := c.world.relation("relate", e, id); err != nil {
		return err
	}
	c.ops = append(c.ops, command{joined: c.joins, op: relateCommand, place: c.place, entity: e, id: uint32(len(c.goals))})
	c.goals = append(c.goals, Target{id, target})
	return nil
}

// UnrelateFrom queues the end of one target of e, see [World.UnrelateFrom]. Error: [ErrUnknown].
func (c *Commands) UnrelateFrom(e Entity, id RelationID, target Entity) error {
	c.mayQueue()
	if _, err := c.world.relation("unrelate", e, id); err != nil {
		return err
	}
	c.ops = append(c.ops, command{joined: c.joins, op: unrelateFromCommand, place: c.place, entity: e, id: uint32(len(c.goals))})
	c.goals = append(c.goals, Target{id, target})
	return nil
}

// Unrelate queues the end of a relation of e. Error: [ErrUnknown].
func (c *Commands) Unrelate(e Entity, id RelationID) error {
	c.mayQueue()
	if _, err := c.world.relation("unrelate", e, id); err != nil {
		return err
	}
	c.ops = append(c.ops, command{joined: c.joins, op: unrelateCommand, place: c.place, entity: e, id: uint32(id)})
	return nil
}

// Despawn queues the despawning of e.
func (c *Commands) Despawn(e Entity) {
	c.mayQueue()
	c.ops = append(c.ops, command{joined: c.joins, op: despawnCommand, place: c.place, entity: e})
}

// Add queues the addition of components, in one move. Error: [ErrUnknown].
func (c *Commands) Add(e Entity, ids ...ComponentID) error {
	c.mayQueue()
	err := c.checkIDs("add", ids)
	if err == nil {
		c.queueIDs(addCommand, e, ids)
	}
	return err
}

// Remove queues the removal of components, in one move. Error: [ErrUnknown].
func (c *Commands) Remove(e Entity, ids ...ComponentID) error {
	c.mayQueue()
	err := c.checkIDs("remove", ids)
	if err == nil {
		c.queueIDs(removeCommand, e, ids)
	}
	return err
}

// Set queues the writing of fields. If e lacks the component when the queue is applied, it is added first. A value
// that does not fit its field is an error now, and nothing is queued.
func (c *Commands) Set(e Entity, id ComponentID, fields ...FieldValue) error {
	c.mayQueue()
	if err := c.checkIDs("set", []ComponentID{id}); err != nil {
		return err
	}
	info := c.world.components[id]
	for _, fv := range fields {
		if err := info.schema.check(fv); err != nil {
			return fail("set", e, info.schema.of(info.name, fv), err)
		}
	}
	c.queueFields(setCommand, e, uint32(id), fields)
	return nil
}

// Tag queues the setting of a tag. Panics for an id that this world has not declared.
func (c *Commands) Tag(e Entity, id TagID) {
	c.mayQueue()
	c.world.tag(id)
	c.ops = append(c.ops, command{joined: c.joins, op: tagCommand, place: c.place, entity: e, id: uint32(id)})
}

// Untag queues the removal of a tag. Panics for an id that this world has not declared.
func (c *Commands) Untag(e Entity, id TagID) {
	c.mayQueue()
	c.world.tag(id)
	c.ops = append(c.ops, command{joined: c.joins, op: untagCommand, place: c.place, entity: e, id: uint32(id)})
}

// Send queues an event. An event that is not declared is [ErrUnknown], and a value that does not fit its field is an error,
// now; then nothing is queued.
func (c *Commands) Send(id EventID, fields ...FieldValue) error {
	c.mayQueue()
	if uint(id) >= uint(len(c.world.events)) {
		return fail("send", None, "", unknownID("event", id))
	}
	schema := c.world.event(id).schema
	for _, fv := range fields {
		if err := schema.check(fv); err != nil {
			return fail("send", None, schema.of(c.world.events[id].name, fv), err)
		}
	}
	c.queueFields(sendCommand, None, uint32(id), fields)
	return nil
}

// QueueSet queues the writing of a whole typed value on q. If e lacks the component when the queue is applied, it
// is added first. Panics for a queue of another world.
func (c Component[T]) QueueSet(q *Commands, e Entity, v T) {
	made(c.info != nil, "Component", "ecs.Register")
	given(q != nil, "Component.QueueSet", "a queue")
	c.world.mustBe(q.world)
	q.mayQueue()
	queueValue(q, c.info, e, v)
}

// queueValue queues the writing of a typed value.
func queueValue[T any](q *Commands, info *component, e Entity, v T) {
	p, at := q.store(info)
	*(*T)(p) = v
	q.ops = append(q.ops, command{joined: q.joins, op: storeCommand, place: q.place, entity: e, id: uint32(info.id), from: at})
}

// store reserves memory for one queued value of a component. It returns its address, valid until the next store,
// and its index.
func (c *Commands) store(info *component) (unsafe.Pointer, uint32) {
	s := c.storeOf(info)
	if s.n == s.capacity {
		s.resize(info.schema, max(2*s.capacity, 16))
	}
	s.n++
	return unsafe.Add(s.base, uintptr(s.n-1)*info.schema.size), uint32(s.n - 1)
}

// storeOf returns the list of queued values of a component. An empty list is entered in c.stored, so the caller must add a value.
func (c *Commands) storeOf(info *component) *commandStore {
	for len(c.values) <= int(info.id) {
		c.values = append(c.values, commandStore{base: unsafe.Pointer(&zeroBase)})
	}
	s := &c.values[info.id]
	if s.n == 0 {
		c.stored = append(c.stored, info.id)
	}
	return s
}

// resize moves the values to new memory for capacity rows.
func (s *commandStore) resize(schema *Schema, capacity int) {
	base, _ := allocRows(nil, schema, capacity)
	schema.copyRows(base, s.base, s.n)
	s.base, s.capacity = base, capacity
}

// mayQueue panics if a worker of a parallel walk uses a queue other than that of its part, or if the queue of a
// part is used after the walk.
func (c *Commands) mayQueue() {
	made(c.world != nil, "Commands", "World.Commands")
	if c.worker != c.world.slots.parallel {
		panic(workerQueue)
	}
}

// checkIDs returns ErrUnknown for an id that is not declared, and an error for a relation that is added or set
// without a target. Relations may be removed by id.
func (c *Commands) checkIDs(op string, ids []ComponentID) error {
	for _, id := range ids {
		if uint(id) >= uint(len(c.world.components)) {
			return fail(op, None, "", unknownID("component", id))
		}
		if c.world.components[id].relation != nil && op != "remove" {
			return fail(op, None, c.world.components[id].name, errTarget)
		}
	}
	return nil
}

// queueIDs appends a command with a list of components. For a single component the id is stored in the command,
// and from > to marks that there is no list. The lists of add and remove are sorted, without duplicates; that of a
// spawn stays as it is.
func (c *Commands) queueIDs(op commandOp, e Entity, ids []ComponentID) {
	makes := op == spawnCommand || op == instanceCommand
	if len(ids) == 1 && !makes {
		c.ops = append(c.ops, command{joined: c.joins, op: op, place: c.place, entity: e, id: uint32(ids[0]), from: 1}) // a range that ends before it begins: no list
		return
	}
	from := uint32(len(c.ids))
	c.ids = append(c.ids, ids...)
	if !makes {
		c.ids = c.ids[:int(from)+len(sorted(c.ids[from:]))]
	}
	c.ops = append(c.ops, command{joined: c.joins, op: op, place: c.place, entity: e, from: from, to: uint32(len(c.ids))})
}

// queueFields appends a command with a list of field values, which have been checked.
func (c *Commands) queueFields(op commandOp, e Entity, id uint32, fields []FieldValue) {
	from := uint32(len(c.fields))
	c.fields = append(c.fields, fields...)
	c.ops = append(c.ops, command{joined: c.joins, op: op, place: c.place, entity: e, id: id, from: from, to: uint32(len(c.fields))})
}
