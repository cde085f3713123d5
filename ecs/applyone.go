package ecs

import (
	"errors"
	"slices"
	"unsafe"
)

// This file runs a single queued command: apply.go decides when and in which order. A command whose entity has died is
// skipped, and one that fails has changed nothing.

// run applies one command. A command for an entity that has died is skipped. Cycles and depths of relations are
// checked here; everything else was checked when the command was queued, so any other error except that there is no room
// (isFull) is a bug and panics.
func (c *Commands) run(op *command) error {
	w := c.world
	switch op.op {
	case spawnCommand:
		return c.spawn(op)
	case instanceCommand:
		return c.instance(op)
	case sendCommand:
		err := w.Send(EventID(op.id), c.fields[op.from:op.to]...)
		if err != nil && !isFull(err) {
			panic("ecs: a checked event did not fit: " + err.Error())
		}
		return err
	case runCommand:
		return c.makeRun(op.id)
	case waitCommand:
		return c.runWait(op)
	case cancelCommand:
		c.runCancel(op)
		return nil
	case stateCommand:
		st := &w.states[op.id]
		if at := slices.Index(st.tags, TagID(op.from)); at >= 0 { // else its values have been revised since
			st.asked = at + 1
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
		if w.isPrefab(op.entity) {
			return fail("despawn", op.entity, "", ErrPrefab)
		}
		w.despawn(op.entity, sl)
	case addCommand, removeCommand:
		var one [1]ComponentID
		if w.tables[sl.table].prefab && w.fixes(c.list(op, &one)) {
			return fail("remove", op.entity, w.list(c.list(op, &one)), ErrPrefab)
		}
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
	case unrelateFromCommand:
		to := c.goals[op.id]
		_, err = w.UnrelateFrom(op.entity, to.Relation, to.Entity)
	case unrelateCommand:
		_, err = w.Unrelate(op.entity, RelationID(op.id))
	}
	if err != nil && !isFull(err) && !errors.Is(err, ErrCycle) && !errors.Is(err, ErrDepth) && !errors.Is(err, ErrPrefab) {
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
func (c *Commands) spawn(op *command) error {
	w := c.world
	var buf [16]ComponentID
	ids := append(buf[:0], c.ids[op.from:op.to]...)
	kept, dead, err := c.living(c.goalsOf(op))
	if dead {
		c.abandon(op)
		return nil
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

// living returns those of the targets of a new entity that it can have, in place. dead says that it cannot be made, because a target is dead with which it
// would have ended. The error is that of a target that was left out.
func (c *Commands) living(goals []Target) (kept []Target, dead bool, err error) {
	w := c.world
	kept = goals[:0]
	for _, to := range goals {
		r := w.components[to.Relation].relation
		switch refused := w.checkTarget(r, None, to.Entity); {
		case refused == nil:
			kept = append(kept, to)
		case !errors.Is(refused, ErrDead):
			err = fail("spawn", None, r.info.name, refused)
		case r.cascade:
			return nil, true, nil
		}
	}
	return kept, false, err
}

// abandon releases the handle of an entity that cannot be made.
func (c *Commands) abandon(op *command) {
	w := c.world
	if w.journal != nil {
		w.journal.slots()
	}
	w.pending--
	w.slots.release(uint32(op.entity))
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
