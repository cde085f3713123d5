package ecs

import "unsafe"

// Apply replays the queue in order and empties it. Commands queued meanwhile wait for the next Apply. The only error is [ErrLocked], when a
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
	for i := range batch.ops {
		batch.run(&batch.ops[i])
	}
	batch.reset()
	if len(c.ops) == 0 {
		*c = batch // keep the memory
	}
	return nil
}

func (c *Commands) run(op *command) {
	w := c.world
	if op.op == spawnCommand {
		w.pending--
		t := w.tables[0]
		var buf [16]ComponentID
		ids, _ := w.sortIDs("spawn", buf[:0], c.ids[op.from:op.to]) // checked when queued
		if mv := t.adding(ids); mv != nil {
			t = mv.to
		}
		w.place(op.entity, t)
		return
	}
	if op.op == sendCommand {
		if err := w.Send(EventID(op.id), c.fields[op.from:op.to]...); err != nil {
			panic("ecs: a checked event did not fit: " + err.Error())
		}
		return
	}
	sl := w.slots.find(op.entity)
	if sl == nil {
		return // died meanwhile
	}
	var err error
	switch op.op {
	case despawnCommand:
		w.despawn(op.entity, sl)
	case addCommand:
		_, err = w.Add(op.entity, c.ids[op.from:op.to]...)
	case removeCommand:
		_, err = w.Remove(op.entity, c.ids[op.from:op.to]...)
	case setCommand:
		_, err = w.Set(op.entity, ComponentID(op.id), c.fields[op.from:op.to]...)
	case storeCommand:
		c.storeValue(op, sl)
	case tagCommand:
		w.Tag(op.entity, TagID(op.id))
	case untagCommand:
		w.Untag(op.entity, TagID(op.id))
	}
	if err != nil {
		panic("ecs: a checked command failed: " + err.Error())
	}
}

func (c *Commands) storeValue(op *command, sl *slot) {
	w := c.world
	info := w.components[op.id]
	if t := w.tables[sl.table]; !t.mask.has(info.id) {
		w.migrate(op.entity, sl, t.adding([]ComponentID{info.id}))
	}
	col := info.cols[sl.table]
	info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(c.values[op.id].base, uintptr(op.from)*info.schema.size))
	col.stampChanged(int(sl.row), w.now)
}

// Drop empties the queue without applying it. Handles its spawns gave out are dead for ever.
func (c *Commands) Drop() {
	for i := len(c.ops) - 1; i >= 0; i-- { // last first, so that the free list stands as before
		if op := &c.ops[i]; op.op == spawnCommand {
			c.world.pending--
			c.world.slots.release(uint32(op.entity))
		}
	}
	c.reset()
}

// reset empties the queue, keeps its memory and forgets the pointers in it.
func (c *Commands) reset() {
	c.ops, c.ids = c.ops[:0], c.ids[:0]
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
