package ecs

import (
	"fmt"
	"unsafe"
)

// This file is the second half of the command pipeline: commands.go checks and queues commands, this file applies
// them. A Schedule calls Apply when a system returns; by then no query loop is open. Commands are applied one by
// one, in the order in which they were queued. Everything that can be checked when a command is queued has been
// checked, so a command fails here only for a reason that arises later: a dead target, a cycle, a chain that is
// too long, or no room (isFull).

// Apply applies the queue in order and empties it. Commands that observers queue while it runs are applied
// after it, in the same call.
// A relation that would form a cycle, or a chain that is too long, is left out; the other commands are applied,
// and then Apply returns [ErrCycle] or [ErrDepth]. If a query loop is open, the error is [ErrLocked]; then nothing
// was applied and nothing is lost. A command for which there is no room, of bytes, events or tag entries ([ErrLimit]), is not applied, and the rest
// of the queue is dropped as [Commands.Drop] does. Every error except ErrLocked is a [CommandError].
func (c *Commands) Apply() error { return c.ApplyCharged(nil) }

// ApplyCharged is [Commands.Apply] for callers that limit the work that others queue. If charge is not nil, it is
// called every few thousand steps, and after each command for which observers were called, with the number of steps since the last call. One step costs about as much as
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
	var batch Commands
	applied := false
	defer func() {
		if !applied { // an observer has panicked
			batch.forsake(c)
		}
	}()
	for again := true; again; again = len(c.wakes) > 0 { // again for what observers queue meanwhile
		batch = *c
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
	applied = true
	return failed
}

// forsake drops the commands of a batch that are not applied yet, and those that were queued on now meanwhile.
func (c *Commands) forsake(now *Commands) {
	w := c.world
	if w.changing != 0 {
		return // the panic has come from the middle of a change: see meet
	}
	for i := len(c.ops) - 1; i >= 0; i-- {
		if c.ops[i].op == runCommand {
			c.releaseRun(c.ops[i].id)
			continue
		}
		e := c.ops[i].entity
		if c.ops[i].makes() && w.slots.all[uint32(e)].meta&liveMask == e.Generation()|slotFree && e.Generation() < MaxGeneration {
			w.pending--
			w.slots.release(uint32(e))
		}
	}
	now.Drop()
}

// chargeEvery is the number of steps between two calls of charge.
const chargeEvery = 4096

// replay applies the queue and returns the first error. An error does not stop it, unless there is no room: then the
// handles of the remaining spawns are given back.
func (c *Commands) replay(charge func(steps int) error) (failed error, stopped bool) {
	if charge != nil {
		return c.replayCharged(charge)
	}
	var err error
	o, own := c.world.observers, len(c.wakes) == 0
	apart := o != nil && own && !o.joined && !c.anyJoined()
	if apart {
		o.joining, o.cause = false, nil
	}
	for i := range c.ops {
		op := &c.ops[i]
		switch {
		case o == nil:
			err = c.run(op)
		case apart:
			o.place = op.place
			err = c.run(op)
		case own && c.alone(o, i):
			o.begin(op)
			err = c.run(op)
		case own:
			err = c.joined(o, i)
		default:
			err = c.next(i)
		}
		if err != nil {
			if failed == nil {
				failed = &CommandError{Place: op.place, Err: err}
			}
			if isFull(err) {
				c.dropFrom(i)
				return failed, true
			}
		}
	}
	return failed, false
}

// anyJoined reports whether some command is joined to another.
func (c *Commands) anyJoined() bool {
	for i := range c.ops {
		if c.ops[i].joined {
			return true
		}
	}
	return false
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

// joined applies a command that stands beside others to which it is joined, in a queue without wakes.
func (c *Commands) joined(o *observers, i int) error {
	op := &c.ops[i]
	o.begin(op)
	o.joining = op.joined
	if !o.joined {
		o.joined = true
		o.held++
	}
	err := c.run(op)
	if o.joining = err == nil && i+1 < len(c.ops) && c.ops[i+1].joined; !o.joining {
		o.joined = false
		c.world.releaseReports()
	}
	return err
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
	c.writeOut()
	steps, work := 0, c.world.work
	for i := range c.ops {
		op := &c.ops[i]
		steps += c.cost(op)
		made := c.world.observers.callsMade()
		if err := c.next(i); err != nil {
			if failed == nil {
				failed = &CommandError{Place: op.place, Err: err}
			}
			if isFull(err) {
				c.dropFrom(i)
				return failed, true
			}
		}
		if done := steps + int(c.world.work-work); done >= chargeEvery || i == len(c.ops)-1 || made != c.world.observers.callsMade() {
			if err := charge(done); err != nil {
				c.dropFrom(i + 1)
				return &CommandError{Place: op.place, Err: err}, true
			}
			steps, work = 0, c.world.work
		}
	}
	return failed, false
}

// callsMade returns the number of calls of observers so far.
func (o *observers) callsMade() uint64 {
	if o == nil {
		return 0
	}
	return o.made
}

// cost returns the steps of a command, estimated before it is applied: 1, plus its fields or components, plus the
// weight of the table whose row may move. It leaves out the steps that the world counts itself (see
// [RawAccess.Work]).
func (c *Commands) cost(op *command) int {
	w := c.world
	n := 1
	switch op.op {
	case spawnCommand, instanceCommand:
		n += int(op.to-op.from) + int(c.ids[op.to])
	case sendCommand, waitCommand:
		n += int(op.to-op.from) + int(w.events[op.id].schema.size>>6)
	case setCommand:
		n += int(op.to - op.from)
	case tagCommand, untagCommand:
		return n
	}
	if op.op == stateCommand || op.hasOrder() {
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

func (e *CommandError) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// Drop empties the queue without applying it. The handles that its spawns have returned never become alive.
func (c *Commands) Drop() {
	made(c.world != nil, "Commands", "World.Commands")
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
		switch op := &c.ops[j]; {
		case op.makes() && !c.worker:
			c.world.pending--
			c.world.slots.release(uint32(op.entity))
		case op.op == runCommand:
			c.releaseRun(op.id)
		}
	}
}

// reset empties the queue and keeps its memory. It clears the pointers in it, so that the garbage collector can
// free what they point at.
func (c *Commands) reset() {
	c.ops, c.ids, c.goals = c.ops[:0], c.ids[:0], c.goals[:0]
	c.spawns, c.place, c.woken, c.joins = 0, 0, 0, false
	clear(c.runs)
	c.runs, c.made = c.runs[:0], c.made[:0]
	clear(c.wakes)
	c.wakes = c.wakes[:0]
	clear(c.fields)
	c.fields = c.fields[:0]
	clear(c.orders)
	c.orders = c.orders[:0]
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
