package ecs

import (
	"errors"
	"unsafe"
)

// Apply replays the queue in order and empties it. Commands queued meanwhile wait for the next Apply. A relation that would form a cycle
// is left out and is the error, [ErrCycle], once the rest has been applied. The other only error is [ErrLocked], when a
// query loop is open; then nothing was applied and nothing is lost.
func (c *Commands) Apply() error {
	if len(c.ops) == 0 {
		return nil
	}
	if c.world.locks != 0 {
		return fail("apply commands", None, "", ErrLocked)
	}
	batch := *c
	*c = Commands{world: c.world}
	var failed error
	for i := range batch.ops {
		if err := batch.run(&batch.ops[i]); err != nil && failed == nil {
			failed = err
		}
	}
	batch.reset()
	if len(c.ops) == 0 {
		*c = batch // keep the memory
	}
	return failed
}

// run applies one command. All but cycles were checked when they were queued.
func (c *Commands) run(op *command) error {
	w := c.world
	switch op.op {
	case spawnCommand:
		c.spawn(op)
		return nil
	case sendCommand:
		if err := w.Send(EventID(op.id), c.fields[op.from:op.to]...); err != nil {
			panic("ecs: a checked event did not fit: " + err.Error())
		}
		return nil
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
			w.migrate(op.entity, sl, mv)
		}
	case setCommand:
		_, err = w.Set(op.entity, ComponentID(op.id), c.fields[op.from:op.to]...)
	case storeCommand:
		c.storeValue(op, sl)
	case tagCommand:
		w.Tag(op.entity, TagID(op.id))
	case untagCommand:
		w.Untag(op.entity, TagID(op.id))
	case relateCommand:
		to := c.goals[op.id]
		if _, err := w.Relate(op.entity, to.Relation, to.Entity); errors.Is(err, ErrCycle) {
			return err
		}
	case unrelateCommand:
		_, err = w.Unrelate(op.entity, RelationID(op.id))
	}
	if err != nil {
		panic("ecs: a checked command failed: " + err.Error())
	}
	return nil
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
	if one {
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
	return sorted(c.ids[op.from:op.to]) // this queue's own list: sorting it in place harms nobody
}

func (c *Commands) spawn(op *command) {
	w := c.world
	w.pending--
	var buf [16]ComponentID
	ids := append(buf[:0], c.ids[op.from:op.to]...)
	goals := c.goals[op.id : op.id+uint32(op.targets)]
	alive := goals[:0]
	for _, to := range goals {
		if w.Alive(to.Entity) {
			alive = append(alive, to)
		} else if w.components[to.Relation].relation.cascade {
			w.slots.release(uint32(op.entity))
			return
		}
	}
	w.placeRelated(op.entity, alive, ids)
}

func (c *Commands) storeValue(op *command, sl *slot) {
	w := c.world
	info := w.components[op.id]
	if t := w.tables[sl.table]; !t.mask.has(info.id) {
		w.migrate(op.entity, sl, t.adding([]ComponentID{info.id}))
	}
	col := info.column(sl.table)
	info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(c.values[op.id].base, uintptr(op.from)*info.schema.size))
	col.stampChanged(int(sl.row), w.now)
}

// Drop empties the queue without applying it. Handles its spawns gave out are dead for ever.
func (c *Commands) Drop() {
	for i := len(c.ops) - 1; i >= 0; i-- { // last first, so that the free list stands as before
		if op := &c.ops[i]; op.op == spawnCommand && !c.worker {
			c.world.pending--
			c.world.slots.release(uint32(op.entity))
		}
	}
	spawns := c.spawns
	c.reset()
	c.spawns = spawns // a worker's numbers are not given out twice
}

// reset empties the queue, keeps its memory and forgets the pointers in it.
func (c *Commands) reset() {
	c.ops, c.ids, c.goals = c.ops[:0], c.ids[:0], c.goals[:0]
	c.spawns = 0
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
