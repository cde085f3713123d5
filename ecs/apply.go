package ecs

import (
	"errors"
	"unsafe"
)

// Apply replays the queue in order and empties it. Commands queued meanwhile wait for the next Apply. A relation that would form a cycle
// or too long a chain is left out and is the error, [ErrCycle] or [ErrDepth], once the rest has been applied. When a query loop is open the error is
// [ErrLocked]; then nothing was applied and nothing is lost. A command that finds no room, [ErrBytes], is not applied, and the rest is dropped as
// [Commands.Drop] does. Each error but ErrLocked is a [CommandError].
func (c *Commands) Apply() error { return c.ApplyCharged(nil) }

// ApplyCharged is Apply for callers that bound what others queue. charge, unless it is nil, is called every few thousand steps with the
// number of steps since; one step is about the cost of one interpreted instruction, and the numbers are the same in every run. When it returns an
// error, no further command is applied, and the rest is dropped as [Commands.Drop] does.
func (c *Commands) ApplyCharged(charge func(steps int) error) error {
	if len(c.ops) == 0 {
		return nil
	}
	if c.world.locks != 0 {
		return fail("apply commands", None, "", ErrLocked)
	}
	batch := *c
	batch.last = lastMove{} // since the last batch the world may have been restored
	*c = Commands{world: c.world}
	failed := batch.replay(charge)
	batch.reset()
	if len(c.ops) == 0 {
		*c = batch // keep the memory
	}
	return failed
}

// chargeEvery is how many steps are made between two calls of charge.
const chargeEvery = 4096

// replay applies the queue.
func (c *Commands) replay(charge func(steps int) error) (failed error) {
	if charge != nil {
		return c.replayCharged(charge)
	}
	for i := range c.ops {
		if err := c.run(&c.ops[i]); err != nil {
			if failed == nil {
				failed = &CommandError{Place: c.ops[i].place, Err: err}
			}
			if errors.Is(err, ErrBytes) {
				c.dropFrom(i)
				return failed
			}
		}
	}
	return failed
}

func (c *Commands) replayCharged(charge func(steps int) error) (failed error) {
	steps, work := 0, c.world.work
	for i := range c.ops {
		op := &c.ops[i]
		steps += c.cost(op)
		if err := c.run(op); err != nil {
			if failed == nil {
				failed = &CommandError{Place: op.place, Err: err}
			}
			if errors.Is(err, ErrBytes) {
				c.dropFrom(i)
				return failed
			}
		}
		if done := steps + int(c.world.work-work); done >= chargeEvery || i == len(c.ops)-1 {
			if err := charge(done); err != nil {
				c.dropFrom(i + 1)
				return &CommandError{Place: op.place, Err: err}
			}
			steps, work = 0, c.world.work
		}
	}
	return failed
}

// cost returns how many steps a command takes, without those that the world counts, see [RawAccess.Work].
func (c *Commands) cost(op *command) int {
	w := c.world
	n := 1
	switch op.op {
	case spawnCommand:
		n += int(op.to-op.from) + int(c.ids[op.to])
	case sendCommand:
		n += int(op.to-op.from) + int(w.events[op.id].schema.size>>6)
	case setCommand:
		n += int(op.to - op.from)
	case tagCommand, untagCommand:
		return n
	}
	if sl := w.slots.find(op.entity); sl != nil {
		n += w.tables[sl.table].weight
	}
	return n
}

// A CommandError is why a queued command failed when it was applied. Its text is that of the cause.
type CommandError struct {
	Place uint16 // what [Commands.At] said when it was queued
	Err   error  // the cause, never nil
}

func (e *CommandError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// run applies one command. All but cycles and depth were checked when they were queued.
func (c *Commands) run(op *command) error {
	w := c.world
	switch op.op {
	case spawnCommand:
		return c.spawn(op)
	case sendCommand:
		err := w.Send(EventID(op.id), c.fields[op.from:op.to]...)
		if err != nil && !errors.Is(err, ErrBytes) {
			panic("ecs: a checked event did not fit: " + err.Error())
		}
		return err
	}
	sl := w.slots.find(op.entity)
	if sl == nil {
		return nil // died meanwhile
	}
	var err error
	switch op.op {
	case despawnCommand:
		w.despawn(op.entity, sl)
	case addCommand, removeCommand:
		if mv := c.move(op, sl.table); mv != nil {
			if err := mv.ask(w); err != nil {
				return c.noRoom(op, err)
			}
			w.migrate(op.entity, sl, mv)
		}
	case setCommand:
		_, err = w.Set(op.entity, ComponentID(op.id), c.fields[op.from:op.to]...)
	case storeCommand:
		err = c.storeValue(op, sl)
	case tagCommand:
		_, err = w.TryTag(op.entity, TagID(op.id))
	case untagCommand:
		w.Untag(op.entity, TagID(op.id))
	case relateCommand:
		to := c.goals[op.id]
		if _, err = w.Relate(op.entity, to.Relation, to.Entity); errors.Is(err, ErrDead) {
			err = nil // the target died meanwhile
		}
		if errors.Is(err, ErrCycle) || errors.Is(err, ErrDepth) {
			return err
		}
	case unrelateCommand:
		_, err = w.Unrelate(op.entity, RelationID(op.id))
	}
	if err != nil && !errors.Is(err, ErrBytes) {
		panic("ecs: a checked command failed: " + err.Error())
	}
	return err
}

// noRoom is the error of an add or remove that finds no room.
func (c *Commands) noRoom(op *command, err error) error {
	name := "add"
	if op.op == removeCommand {
		name = "remove"
	}
	var buf [1]ComponentID
	return fail(name, op.entity, c.world.list(c.list(op, &buf)), err)
}

// move returns the move that an add or remove makes from a table, nil when there is nothing to move. Commands come in crowds, so the last answer is
// mostly the next one, too.
func (c *Commands) move(op *command, table uint32) *move {
	one, last := op.from > op.to, &c.last
	if one && last.op == op.op && last.id == op.id && last.table == table {
		return last.move
	}
	var buf [1]ComponentID
	ids, t := c.list(op, &buf), c.world.tables[table]
	var mv *move
	if op.op == addCommand {
		mv = t.adding(ids)
	} else {
		mv = t.removing(ids)
	}
	if one && mv != noRoom {
		*last = lastMove{op: op.op, id: op.id, table: table, move: mv}
	}
	return mv
}

// list returns the components of an add or remove, ascending.
func (c *Commands) list(op *command, one *[1]ComponentID) []ComponentID {
	if op.from > op.to {
		one[0] = ComponentID(op.id)
		return one[:]
	}
	return c.ids[op.from:op.to]
}

// spawn makes a reserved handle live. A target that is dead is left out, or takes the entity with it; one that would make a chain too long is
// left out and is the error.
func (c *Commands) spawn(op *command) (err error) {
	w := c.world
	var buf [16]ComponentID
	ids := append(buf[:0], c.ids[op.from:op.to]...)
	goals := c.goalsOf(op)
	kept := goals[:0]
	for _, to := range goals {
		r := w.components[to.Relation].relation
		switch refused := w.checkTarget(r, None, to.Entity); {
		case refused == nil:
			kept = append(kept, to)
		case !errors.Is(refused, ErrDead):
			err = fail("spawn", None, r.info.name, refused)
		case r.cascade:
			if w.journal != nil {
				w.journal.slots()
			}
			w.pending--
			w.slots.release(uint32(op.entity))
			return nil
		}
	}
	t, full := w.roomFor(op.entity, kept, ids)
	if full != nil {
		return fail("spawn", None, "", full)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	w.pending--
	w.placeRelated(op.entity, kept, t)
	return err
}

func (c *Commands) storeValue(op *command, sl *slot) error {
	w := c.world
	info := w.components[op.id]
	if t := w.tables[sl.table]; !t.mask.has(info.id) {
		mv := t.adding([]ComponentID{info.id})
		if err := mv.ask(w); err != nil {
			return fail("set", op.entity, info.name, err)
		}
		w.migrate(op.entity, sl, mv)
	}
	col := info.column(sl.table)
	col.stampChanged(int(sl.row), w.now)
	info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(c.values[op.id].base, uintptr(op.from)*info.schema.size))
	return nil
}

// Drop empties the queue without applying it. Handles its spawns gave out are dead for ever.
func (c *Commands) Drop() {
	c.dropFrom(0)
	spawns := c.spawns
	c.reset()
	c.spawns = spawns // a worker's numbers are not given out twice
}

// dropFrom gives back the handles of the spawns from command i on.
func (c *Commands) dropFrom(i int) {
	if j := c.world.journal; j != nil && !c.worker {
		j.slots()
	}
	for j := len(c.ops) - 1; j >= i; j-- { // last first, so that the free list stands as before
		if op := &c.ops[j]; op.op == spawnCommand && !c.worker {
			c.world.pending--
			c.world.slots.release(uint32(op.entity))
		}
	}
}

// reset empties the queue, keeps its memory and forgets the pointers in it.
func (c *Commands) reset() {
	c.ops, c.ids, c.goals = c.ops[:0], c.ids[:0], c.goals[:0]
	c.spawns, c.place = 0, 0
	clear(c.fields)
	c.fields = c.fields[:0]
	for i := range c.values {
		s := &c.values[i]
		if m := c.world.components[i].schema.memory; m != nil {
			for row := range s.n {
				m.clear(unsafe.Add(s.base, uintptr(row)*c.world.components[i].schema.size))
			}
		}
		s.n = 0
	}
}
