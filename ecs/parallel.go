package ecs

import "unsafe"

// partRows is how many rows a part has at most: whole blocks of stamps, and small enough to share out evenly.
const partRows = 64 * blockRows

// A Part is a run of rows of one table, worked on by one goroutine. Part borders depend on the tables only, never on the number of
// workers, and lie between blocks of stamps, so that workers stamp without a race.
type Part struct {
	table    *Table
	from, to int
	commands *Commands
}

// Table returns the table of the part.
func (p *Part) Table() *Table { return p.table }

// Range returns the rows from..to-1.
func (p *Part) Range() (from, to int) { return p.from, p.to }

// Entities returns the entities of the rows.
func (p *Part) Entities() []Entity { return p.table.entities[p.from:p.to] }

// Commands returns the part's own queue. After the walk the parts' commands follow those of the running system, in the order of the
// query, so the result does not depend on the workers. A handle from its Spawn can be used in this queue only.
func (p *Part) Commands() *Commands { return p.commands }

// PartSlice returns the rows of a component, len == to-from, nil when the table lacks it; writes stamp nothing, see [StampPart].
func (c Component[T]) PartSlice(p *Part) []T {
	all := c.Slice(p.table)
	if all == nil {
		return nil
	}
	return all[p.from:p.to]
}

// StampPart marks all rows of the part as changed now.
func (c Component[T]) StampPart(p *Part) {
	if col := c.Column(p.table); col != nil {
		col.StampRange(p.from, p.to)
	}
}

// Parallel visits every matching table in parts of up to 4,096 rows, on the pool when there are at least minRows rows (one goroutine
// otherwise; below about half a millisecond of work a second core costs more than it brings). Conditions on rows are not applied. work may
// read the world, write and stamp the rows of its own part, and queue commands on it; tags, events, random numbers and other rows are the
// caller's to do before or after. Structural change returns [ErrLocked]. The result is the same as with one worker.
func (q *Query) Parallel(pool Pool, minRows int, work func(p *Part)) error {
	w := q.world
	parts := w.parts[:0]
	rows := 0
	for i := range q.matches {
		t := q.matches[i].table
		if q.matches[i].inherit && !t.mask.containsAll(q.required) {
			continue
		}
		n := len(t.entities)
		rows += n
		for from := 0; from < n; from += partRows {
			if len(parts) == cap(parts) {
				parts = append(parts, Part{})
			} else {
				parts = parts[:len(parts)+1] // with the queue it had
			}
			p := &parts[len(parts)-1]
			if p.commands == nil {
				p.commands = &Commands{world: w, worker: true}
			}
			p.table, p.from, p.to = t, from, min(from+partRows, n)
		}
	}
	w.parts = parts
	w.locks++
	if pool == nil || pool.Workers() < 2 || rows < minRows || len(parts) < 2 {
		for i := range parts {
			work(&parts[i])
		}
	} else {
		if w.runPart == nil {
			w.runPart = func(i int) { w.partWork(&w.parts[i]) } // made once: a walk allocates nothing
		}
		w.partWork = work
		pool.Run(len(parts), w.runPart)
		w.partWork = nil
	}
	w.locks--
	into := w.Commands()
	for i := range parts {
		if err := into.merge(parts[i].commands); err != nil {
			for j := i; j < len(parts); j++ {
				parts[j].commands.reset()
			}
			return err
		}
	}
	return nil
}

// merge appends the commands of a worker's queue and empties it. Handles the worker's spawns gave out become real ones.
func (c *Commands) merge(from *Commands) error {
	if len(from.ops) == 0 {
		return nil
	}
	var real []Entity // by the number of the spawn
	settle := func(e Entity) Entity {
		if e != None && e.Generation() == 0 {
			return real[e.Index()-1]
		}
		return e
	}
	for i := range from.ops {
		op := from.ops[i]
		if op.op == spawnCommand {
			if err := c.world.room(1); err != nil {
				return err
			}
			c.world.pending++
			real = append(real, c.world.slots.take())
		}
		op.entity = settle(op.entity)
		switch op.op {
		case spawnCommand:
			op.from, op.to = c.takeIDs(from.ids[op.from:op.to])
			goals := from.goals[op.id : op.id+uint32(op.targets)]
			op.id = uint32(len(c.goals))
			for _, to := range goals {
				c.goals = append(c.goals, Target{to.Relation, settle(to.Entity)})
			}
		case addCommand, removeCommand:
			if op.from <= op.to {
				op.from, op.to = c.takeIDs(from.ids[op.from:op.to])
			}
		case setCommand, sendCommand:
			fields := from.fields[op.from:op.to]
			op.from = uint32(len(c.fields))
			for _, fv := range fields {
				if fv.Value.kind == EntityValue {
					fv.Value = EntityOf(settle(fv.Value.Entity()))
				}
				c.fields = append(c.fields, fv)
			}
			op.to = uint32(len(c.fields))
		case relateCommand:
			to := from.goals[op.id]
			op.id = uint32(len(c.goals))
			c.goals = append(c.goals, Target{to.Relation, settle(to.Entity)})
		case storeCommand:
			info := c.world.components[op.id]
			p, at := c.store(info)
			info.schema.copyRow(p, unsafe.Add(from.values[op.id].base, uintptr(op.from)*info.schema.size))
			for _, f := range info.schema.fields {
				if cell := (*Entity)(unsafe.Add(p, f.Offset)); f.Type == EntityField {
					*cell = settle(*cell)
				}
			}
			op.from = at
		}
		c.ops = append(c.ops, op)
	}
	from.reset()
	return nil
}

func (c *Commands) takeIDs(ids []ComponentID) (from, to uint32) {
	from = uint32(len(c.ids))
	c.ids = append(c.ids, ids...)
	return from, uint32(len(c.ids))
}
