package ecs

import (
	"slices"
	"unsafe"
)

// This file appends the commands that workers have queued to the queue of the running system, after a parallel
// walk. Workers cannot take handles from the world, so their spawns return provisional handles: a count per part,
// with a generation that no entity has. Here each of them gets a real handle, and every command that mentions a
// provisional handle is rewritten.

// workerGeneration marks the provisional handles of workers' spawns. No entity ever has this generation.
const workerGeneration = MaxGeneration + 1

// births maps the provisional handles of a worker's queue to real ones, by their number from 1. The entry is None
// if the worker has dropped the spawn.
type births []Entity

// mergeParts appends the commands of the parts, part after part. If there is no room for all spawned entities, it
// returns ErrLimit and appends nothing.
func (c *Commands) mergeParts(parts []Part) error {
	spawns := 0
	for i := range parts {
		from := parts[i].commands
		for j := 0; j < len(from.ops) && from.spawns > 0; j++ {
			if from.ops[j].makes() {
				spawns++
			}
		}
	}
	if err := c.world.room(spawns); err != nil {
		return err
	}
	if j := c.world.journal; j != nil {
		j.slots()
	}
	for i := range parts {
		parts[i].born = c.merge(parts[i].commands, parts[i].born[:0])
	}
	return nil
}

// merge appends the commands of a worker's queue and returns the real handles of its spawns, valid until the next
// walk. born is memory for them.
func (c *Commands) merge(from *Commands, born births) births {
	for range from.spawns {
		born = append(born, None)
	}
	for i := range from.ops {
		op := from.ops[i]
		if op.makes() {
			c.world.pending++
			born[op.entity.Index()-1] = c.world.slots.take()
		}
		op.entity = born.entity(op.entity)
		switch op.op {
		case spawnCommand, instanceCommand:
			goals := from.goalsOf(&op)
			op.from, op.to = c.takeIDs(from.ids[op.from:op.to])
			c.ids = append(c.ids, ComponentID(len(goals)))
			op.id = c.takeGoals(born, goals)
		case addCommand, removeCommand:
			if op.from <= op.to {
				op.from, op.to = c.takeIDs(from.ids[op.from:op.to])
			}
		case setCommand, sendCommand, waitCommand:
			if op.op == waitCommand {
				op.entity = c.takeOrder(from, &from.ops[i])
			}
			fields := from.fields[op.from:op.to]
			op.from = uint32(len(c.fields))
			for _, fv := range fields {
				c.fields = append(c.fields, FieldValue{fv.Index, born.value(fv.Value)})
			}
			op.to = uint32(len(c.fields))
		case cancelCommand:
			op.entity = c.takeOrder(from, &from.ops[i])
		case relateCommand, unrelateFromCommand:
			op.id = c.takeGoals(born, from.goals[op.id:op.id+1])
		case storeCommand:
			info := c.world.components[op.id]
			p, at := c.store(info)
			info.schema.copyRow(p, unsafe.Add(from.values[op.id].base, uintptr(op.from)*info.schema.size))
			if len(born) > 0 {
				born.row(info.schema, p)
			}
			op.from = at
		}
		c.ops = append(c.ops, op)
	}
	return born
}

// takeIDs appends a list of components to c.ids and returns its range.
func (c *Commands) takeIDs(ids []ComponentID) (from, to uint32) {
	from = uint32(len(c.ids))
	c.ids = append(c.ids, ids...)
	return from, uint32(len(c.ids))
}

// takeGoals appends targets with real handles to c.goals and returns the index of the first.
func (c *Commands) takeGoals(born births, goals []Target) (from uint32) {
	from = uint32(len(c.goals))
	for _, to := range goals {
		c.goals = append(c.goals, Target{to.Relation, born.entity(to.Entity)})
	}
	return from
}

// entity returns the real handle of a provisional e, and any other e unchanged. A provisional handle of another
// queue is unchanged, too; it is dead.
func (b births) entity(e Entity) Entity {
	if i := int(e.Index()) - 1; e.Generation() == workerGeneration && i >= 0 && i < len(b) {
		return b[i]
	}
	return e
}

// value returns v with real handles, also inside plain data.
func (b births) value(v Value) Value {
	switch {
	case len(b) == 0:
		return v
	case v.kind == EntityValue:
		return EntityOf(b.entity(v.Entity()))
	case v.kind == TableValue:
		return TableOf(b.data(v.Data()))
	default:
		return v
	}
}

// data returns d with real handles: d itself if it mentions no provisional one, and a copy otherwise.
func (b births) data(d *Data) *Data {
	var settled *Data
	for i, old := range d.valueList() {
		v := b.value(old)
		if v == old {
			continue
		}
		if settled == nil {
			copied := *d // keys and depth stay the same
			settled = &copied
			settled.values = unsafe.SliceData(slices.Clone(d.valueList()))
		}
		settled.valueList()[i] = v
	}
	if settled == nil {
		return d
	}
	return settled
}

// row replaces the provisional handles in a typed value.
func (b births) row(s *Schema, p unsafe.Pointer) {
	for i := range s.fields {
		f := &s.fields[i]
		if n := f.Type.Len(); n > 0 && f.Type.Elem() == EntityField {
			for k := range n {
				at := (*Entity)(f.item(p, k))
				*at = b.entity(*at)
			}
			continue
		}
		switch cell := unsafe.Add(p, f.Offset); f.Type {
		case EntityField:
			*(*Entity)(cell) = b.entity(*(*Entity)(cell))
		case TableField:
			*(**Data)(cell) = b.data(*(**Data)(cell))
		}
	}
}
