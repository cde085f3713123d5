package ecs

import (
	"fmt"
	"unsafe"
)

// Commands is an ordered queue of changes, kept as data. A system's queue is applied when the system returns, so it may be filled inside
// query loops. A command for an entity that is dead by then is skipped.
type Commands struct {
	world  *World
	ops    []command
	ids    []ComponentID  // component lists of spawn, add and remove; the latter two ascending, each component once
	fields []FieldValue   // of set and send
	goals  []Target       // of spawn and relate
	values []commandStore // typed values, by component

	last  lastMove
	place uint16 // of the commands that are queued next

	worker bool   // filled by a worker of a parallel walk: spawns give out numbers until the queue is merged
	spawns uint32 // of a worker: how many
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
)

// A command names what to do, to whom, and where its data lies in the queue.
type command struct {
	entity   Entity
	id       uint32 // component, tag or event; the only component of an add or remove; of spawn and relate: the place in goals
	from, to uint32 // range in ids or fields; the place in values[id]; of spawn, ids[to] is how many goals it has
	place    uint16 // see Commands.At
	op       commandOp
}

// A lastMove is the move of the last add or remove of one component in a batch. Tables and their moves stay while commands are applied.
type lastMove struct {
	op    commandOp // that of spawn, which moves nothing, before there was one
	id    uint32
	table uint32
	move  *move
}

// commandStore holds queued values of one component in memory the collector understands.
type commandStore struct {
	base     unsafe.Pointer
	n        int
	capacity int
}

func newCommands(w *World) *Commands { return &Commands{world: w} }

// Commands returns the running system's queue; between systems, a queue that the next frame of the schedule applies first.
func (w *World) Commands() *Commands {
	w.mustBeAlone()
	if w.system != nil {
		return w.system.commands
	}
	return w.commands
}

// At says where the commands that follow are queued, as a number of the caller's: a [CommandError] has it. It is 0 after Apply and Drop.
func (c *Commands) At(place uint16) { c.place = place }

// Len returns how many commands wait.
func (c *Commands) Len() int { return len(c.ops) }

// Spawn queues a new entity with these components and returns its handle, which later commands may use at once. It is not alive until
// the queue is applied. Errors: [ErrUnknown], [ErrLimit].
func (c *Commands) Spawn(ids ...ComponentID) (Entity, error) {
	return c.SpawnRelated(nil, ids...)
}

// SpawnRelated queues a new entity with relations, too. If the target of a [ChildOf] is dead by then the entity is not spawned and its
// handle is dead for ever; another relation to a dead target is left out. Errors: [ErrUnknown], [ErrLimit].
func (c *Commands) SpawnRelated(targets []Target, ids ...ComponentID) (Entity, error) {
	c.mayQueue()
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
	c.queueIDs(spawnCommand, e, ids)
	c.ops[len(c.ops)-1].id = uint32(len(c.goals))
	c.ids = append(c.ids, ComponentID(len(targets)))
	c.goals = append(c.goals, targets...)
	return e, nil
}

// goalsOf returns the targets of a spawn.
func (c *Commands) goalsOf(op *command) []Target {
	return c.goals[op.id : op.id+uint32(c.ids[op.to])]
}

// Relate queues making target the one target of e. A target that is dead by then leaves e as it is. Error: [ErrUnknown].
func (c *Commands) Relate(e Entity, id RelationID, target Entity) error {
	c.mayQueue()
	if _, err := c.world.relation("relate", e, id); err != nil {
		return err
	}
	c.ops = append(c.ops, command{op: relateCommand, place: c.place, entity: e, id: uint32(len(c.goals))})
	c.goals = append(c.goals, Target{id, target})
	return nil
}

// Unrelate queues ending a relation of e. Error: [ErrUnknown].
func (c *Commands) Unrelate(e Entity, id RelationID) error {
	c.mayQueue()
	if _, err := c.world.relation("unrelate", e, id); err != nil {
		return err
	}
	c.ops = append(c.ops, command{op: unrelateCommand, place: c.place, entity: e, id: uint32(id)})
	return nil
}

// Despawn queues the end of an entity.
func (c *Commands) Despawn(e Entity) {
	c.mayQueue()
	c.ops = append(c.ops, command{op: despawnCommand, place: c.place, entity: e})
}

// Add queues adding components, in one move. Error: [ErrUnknown].
func (c *Commands) Add(e Entity, ids ...ComponentID) error {
	c.mayQueue()
	err := c.checkIDs("add", ids)
	if err == nil {
		c.queueIDs(addCommand, e, ids)
	}
	return err
}

// Remove queues removing components, in one move. Error: [ErrUnknown].
func (c *Commands) Remove(e Entity, ids ...ComponentID) error {
	c.mayQueue()
	err := c.checkIDs("remove", ids)
	if err == nil {
		c.queueIDs(removeCommand, e, ids)
	}
	return err
}

// Set queues writing fields, adding the component first when e lacks it. A value that does not fit is an error now, and nothing is
// queued.
func (c *Commands) Set(e Entity, id ComponentID, fields ...FieldValue) error {
	c.mayQueue()
	if err := c.checkIDs("set", []ComponentID{id}); err != nil {
		return err
	}
	info := c.world.components[id]
	for _, fv := range fields {
		if err := info.schema.check(fv); err != nil {
			return fail("set", e, info.name+"."+info.schema.fields[fv.Index].Name, err)
		}
	}
	c.queueFields(setCommand, e, uint32(id), fields)
	return nil
}

// Tag queues setting a tag, Untag taking it off. They panic for an id this world never gave out.
func (c *Commands) Tag(e Entity, id TagID) {
	c.mayQueue()
	c.world.tag(id)
	c.ops = append(c.ops, command{op: tagCommand, place: c.place, entity: e, id: uint32(id)})
}

// Untag queues taking a tag off.
func (c *Commands) Untag(e Entity, id TagID) {
	c.mayQueue()
	c.world.tag(id)
	c.ops = append(c.ops, command{op: untagCommand, place: c.place, entity: e, id: uint32(id)})
}

// Send queues an event. A value that does not fit is an error now, and nothing is queued.
func (c *Commands) Send(id EventID, fields ...FieldValue) error {
	c.mayQueue()
	schema := c.world.event(id).schema
	for _, fv := range fields {
		if err := schema.check(fv); err != nil {
			return fail("send", None, c.world.events[id].name+"."+schema.fields[fv.Index].Name, err)
		}
	}
	c.queueFields(sendCommand, None, uint32(id), fields)
	return nil
}

// QueueSet queues writing a whole typed value on q, adding the component first when e lacks it. Panics for a queue of another world.
func (c Component[T]) QueueSet(q *Commands, e Entity, v T) {
	c.world.mustBe(q.world)
	q.mayQueue()
	p, at := q.store(c.info)
	*(*T)(p) = v
	q.ops = append(q.ops, command{op: storeCommand, place: q.place, entity: e, id: uint32(c.info.id), from: at})
}

func (c *Commands) store(info *component) (unsafe.Pointer, uint32) {
	for len(c.values) <= int(info.id) {
		c.values = append(c.values, commandStore{base: unsafe.Pointer(&zeroBase)})
	}
	s := &c.values[info.id]
	if s.n == s.capacity {
		s.capacity = max(2*s.capacity, 16)
		base, _ := allocRows(nil, info.schema, s.capacity)
		info.schema.copyRows(base, s.base, s.n)
		s.base = base
	}
	s.n++
	return unsafe.Add(s.base, uintptr(s.n-1)*info.schema.size), uint32(s.n - 1)
}

// mayQueue panics when a worker queues elsewhere than on its part, and on a part's queue when the walk is over.
func (c *Commands) mayQueue() {
	if c.worker != c.world.slots.parallel {
		panic(workerQueue)
	}
}

func (c *Commands) checkIDs(op string, ids []ComponentID) error {
	for _, id := range ids {
		if uint(id) >= uint(len(c.world.components)) {
			return fail(op, None, "", unknown("component", fmt.Sprint(id)))
		}
		if c.world.components[id].relation != nil && op != "remove" {
			return fail(op, None, c.world.components[id].name, errTarget)
		}
	}
	return nil
}

func (c *Commands) queueIDs(op commandOp, e Entity, ids []ComponentID) {
	if len(ids) == 1 && op != spawnCommand {
		c.ops = append(c.ops, command{op: op, place: c.place, entity: e, id: uint32(ids[0]), from: 1}) // a range that ends before it begins: no list
		return
	}
	from := uint32(len(c.ids))
	c.ids = append(c.ids, ids...)
	if op != spawnCommand {
		c.ids = c.ids[:int(from)+len(sorted(c.ids[from:]))]
	}
	c.ops = append(c.ops, command{op: op, place: c.place, entity: e, from: from, to: uint32(len(c.ids))})
}

func (c *Commands) queueFields(op commandOp, e Entity, id uint32, fields []FieldValue) {
	from := uint32(len(c.fields))
	c.fields = append(c.fields, fields...)
	c.ops = append(c.ops, command{op: op, place: c.place, entity: e, id: id, from: from, to: uint32(len(c.fields))})
}
