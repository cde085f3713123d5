package ecs

import (
	"errors"
	"unsafe"
)

// This file is the second half of the command pipeline: commands.go checks and queues commands, this file applies
// them. A Schedule calls Apply when a system returns; by then no query loop is open. Commands are applied one by
// one, in the order in which they were queued. Everything that can be checked when a command is queued has been
// checked, so a command fails here only for a reason that arises later: a dead target, a cycle, a chain that is
// too long, or no room (ErrBytes).

// Apply applies the queue in order and empties it. Commands that observers queue while it runs are applied
// after it, in the same call.
// A relation that would form a cycle, or a chain that is too long, is left out; the other commands are applied,
// and then Apply returns [ErrCycle] or [ErrDepth]. If a query loop is open, the error is [ErrLocked]; then nothing
// was applied and nothing is lost. A command for which there is no room ([ErrBytes]) is not applied, and the rest
// of the queue is dropped as [Commands.Drop] does. Every error except ErrLocked is a [CommandError].
func (c *Commands) Apply() error { return c.ApplyCharged(nil) }

// ApplyCharged is [Commands.Apply] for callers that limit the work that others queue. If charge is not nil, it is
// called every few thousand steps, with the number of steps since the last call. One step costs about as much as
// one interpreted instruction. The numbers are the same in every run. If charge returns an error, no further
// command is applied, and the rest is dropped as [Commands.Drop] does.
func (c *Commands) ApplyCharged(charge func(steps int) error) error {
	if len(c.ops) == 0 {
		return nil
	}
	if c.world.locks != 0 {
		return fail("apply commands", None, "", c.world.lockedBy())
	}
	if o := c.world.observers; o != nil {
		o.apply++
		defer o.applied()
	}
	var failed error
	for again := true; again; again = len(c.wakes) > 0 { // again for what observers queue meanwhile
		batch := *c
		next := batch.spare
		if next == nil {
			next = &Commands{world: c.world}
		}
		*c, batch.spare = *next, nil
		batch.last = lastMove{} // since the last batch the world may have been restored
		err, stopped := batch.replay(charge)
		batch.reset()
		if failed == nil {
			failed = err
		}
		if stopped {
			c.Drop()
		}
		if len(c.ops) == 0 {
			*next, *c = *c, batch // keep the memory of both
		} else {
			*next = batch
		}
		c.spare = next
	}
	return failed
}

// chargeEvery is the number of steps between two calls of charge.
const chargeEvery = 4096

// replay applies the queue and returns the first error. An error does not stop it, except ErrBytes: then the
// handles of the remaining spawns are given back.
func (c *Commands) replay(charge func(steps int) error) (failed error, stopped bool) {
	if charge != nil {
		return c.replayCharged(charge)
	}
	var err error
	o, own := c.world.observers, len(c.wakes) == 0
	for i := range c.ops {
		op := &c.ops[i]
		switch {
		case o == nil:
			err = c.run(op)
		case own && c.alone(o, i):
			o.begin(op)
			err = c.run(op)
		default:
			err = c.next(i)
		}
		if err != nil {
			if failed == nil {
				failed = &CommandError{Place: op.place, Err: err}
			}
			if errors.Is(err, ErrBytes) {
				c.dropFrom(i)
				return failed, true
			}
		}
	}
	return failed, false
}

// alone reports whether command i can be applied without [Commands.next], in a queue without wakes: it is not joined to another.
func (c *Commands) alone(o *observers, i int) bool {
	return !o.joined && !c.ops[i].joined && (i+1 == len(c.ops) || !c.ops[i+1].joined)
}

// begin notes which command is applied next. It is one that stands alone.
func (o *observers) begin(op *command) {
	o.place, o.joining = op.place, false
	if o.cause != nil {
		o.cause = nil
	}
}

// next applies command i. Observers are told of a spawn together with the commands that are joined to it.
func (c *Commands) next(i int) error {
	o := c.world.observers
	if o == nil {
		return c.run(&c.ops[i])
	}
	if op := &c.ops[i]; len(c.wakes) == 0 && c.alone(o, i) {
		o.begin(op)
		return c.run(op)
	}
	o.applying(c, i)
	err := c.run(&c.ops[i])
	o.joining = err == nil && i+1 < len(c.ops) && c.ops[i+1].joined
	if !o.joining && o.joined {
		o.joined = false
		c.world.releaseReports()
	}
	return err
}

// applying notes which command is applied next, and who has queued it.
func (o *observers) applying(c *Commands, i int) {
	op := &c.ops[i]
	o.place, o.cause, o.joining = op.place, nil, op.joined
	for c.woken < len(c.wakes) && c.wakes[c.woken].to <= i {
		c.woken++
	}
	if c.woken < len(c.wakes) && c.wakes[c.woken].from <= i {
		o.cause = c.wakes[c.woken].by
	}
	if !o.joined && i+1 < len(c.ops) && c.ops[i+1].joined {
		o.joined = true
		o.held++
	}
}

// applied is called when a queue has been applied.
func (o *observers) applied() {
	if o.apply--; o.apply == 0 {
		o.place, o.cause, o.broken = 0, nil, false
	}
}

// replayCharged is replay with a call of charge whenever chargeEvery steps have been made, and after the last
// command. The steps are the cost of each command plus the work that the world has counted meanwhile.
func (c *Commands) replayCharged(charge func(steps int) error) (failed error, stopped bool) {
	steps, work := 0, c.world.work
	for i := range c.ops {
		op := &c.ops[i]
		steps += c.cost(op)
		if err := c.next(i); err != nil {
			if failed == nil {
				failed = &CommandError{Place: op.place, Err: err}
			}
			if errors.Is(err, ErrBytes) {
				c.dropFrom(i)
				return failed, true
			}
		}
		if done := steps + int(c.world.work-work); done >= chargeEvery || i == len(c.ops)-1 {
			if err := charge(done); err != nil {
				c.dropFrom(i + 1)
				return &CommandError{Place: op.place, Err: err}, true
			}
			steps, work = 0, c.world.work
		}
	}
	return failed, false
}

// cost returns the steps of a command, estimated before it is applied: 1, plus its fields or components, plus the
// weight of the table whose row may move. It leaves out the steps that the world counts itself (see
// [RawAccess.Work]).
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

// A CommandError says which queued command failed when it was applied. Its text is that of its cause.
type CommandError struct {
	Place uint16 // what [Commands.At] said when it was queued
	Err   error  // the cause, never nil
}

func (e *CommandError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// run applies one command. A command for an entity that has died is skipped. Cycles and depths of relations are
// checked here; everything else was checked when the command was queued, so any other error except ErrBytes is a
// bug and panics.
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
			w.shift(op.entity, sl, mv)
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

// noRoom returns the error of an add or remove that was refused with err because there is no room.
func (c *Commands) noRoom(op *command, err error) error {
	name := "add"
	if op.op == removeCommand {
		name = "remove"
	}
	var buf [1]ComponentID
	return fail(name, op.entity, c.world.list(c.list(op, &buf)), err)
}

// move returns the move of an add or remove that starts in a table; nil if the entity has nothing to gain or lose.
// Commands of one kind usually come in long runs, so the last answer is kept and tried first.
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

// list returns the components of an add or remove, in ascending order. one is the caller's buffer for a command
// with a single component, whose id is in the command and not in the list.
func (c *Commands) list(op *command, one *[1]ComponentID) []ComponentID {
	if op.from > op.to {
		one[0] = ComponentID(op.id)
		return one[:]
	}
	return c.ids[op.from:op.to]
}

// spawn makes a reserved handle live. If a target is dead, the relation is left out; if the relation cascades (as
// ChildOf does), the entity is not spawned and its slot is released. A target that would make the chain too long
// is left out, too, and is the error.
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

// storeValue copies a queued typed value into the entity's row and stamps it. If the entity lacks the component,
// it moves to the table that has it first. Error: [ErrBytes].
func (c *Commands) storeValue(op *command, sl *slot) error {
	w := c.world
	info := w.components[op.id]
	if t := w.tables[sl.table]; !t.mask.has(info.id) {
		mv := t.adding([]ComponentID{info.id})
		if err := mv.ask(w); err != nil {
			return fail("set", op.entity, info.name, err)
		}
		if w.observers != nil {
			w.holdReports()
			defer w.releaseReports()
		}
		w.shift(op.entity, sl, mv)
	}
	col := info.column(sl.table)
	col.stampChanged(int(sl.row), w.now)
	info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(c.values[op.id].base, uintptr(op.from)*info.schema.size))
	if info.watch != nil {
		w.wrote(info, op.entity)
	}
	return nil
}

// Drop empties the queue without applying it. The handles that its spawns have returned never become alive.
func (c *Commands) Drop() {
	c.dropFrom(0)
	spawns := c.spawns
	c.reset()
	c.spawns = spawns // a worker's numbers are not given out twice
}

// cut drops the commands from n on.
func (c *Commands) cut(n int) {
	c.dropFrom(n)
	c.ops = c.ops[:n]
	for len(c.wakes) > 0 && c.wakes[len(c.wakes)-1].to > n {
		if last := &c.wakes[len(c.wakes)-1]; last.from < n {
			last.to = n
			break
		}
		c.wakes = c.wakes[:len(c.wakes)-1]
	}
}

// dropFrom releases the slots that the spawns from command i on had reserved.
func (c *Commands) dropFrom(i int) {
	if j := c.world.journal; j != nil && !c.worker {
		j.slots()
	}
	for j := len(c.ops) - 1; j >= i; j-- { // last first, so that the free list is again what it was before the spawns were queued
		if op := &c.ops[j]; op.op == spawnCommand && !c.worker {
			c.world.pending--
			c.world.slots.release(uint32(op.entity))
		}
	}
}

// reset empties the queue and keeps its memory. It clears the pointers in it, so that the garbage collector can
// free what they point at.
func (c *Commands) reset() {
	c.ops, c.ids, c.goals = c.ops[:0], c.ids[:0], c.goals[:0]
	c.spawns, c.place, c.woken, c.joins = 0, 0, 0, false
	clear(c.wakes)
	c.wakes = c.wakes[:0]
	clear(c.fields)
	c.fields = c.fields[:0]
	for _, id := range c.stored {
		s, schema := &c.values[id], c.world.components[id].schema
		if m := schema.memory; m != nil {
			for row := range s.n {
				m.clear(unsafe.Add(s.base, uintptr(row)*schema.size))
			}
		}
		s.n = 0
	}
	c.stored = c.stored[:0]
}
