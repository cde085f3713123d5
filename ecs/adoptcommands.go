package ecs

import (
	"slices"
	"unsafe"
)

// queue queues the commands of an old queue in a new one, with new ids. Commands that name what is no longer declared
// are left out; a spawn is kept without it, because its handle is reserved.
func (a *adoption) queue(q, old *Commands) {
	dropped := 0
	for i := range old.ops {
		if !a.command(q, old, &old.ops[i]) {
			dropped++
		}
	}
	q.place = old.place
	if dropped > 0 {
		a.warn("%d queued commands name what is no longer declared: dropped", dropped)
	}
}

// command queues one command. It reports false if the command is left out.
func (a *adoption) command(q, old *Commands, op *command) bool {
	n := *op
	switch op.op {
	case despawnCommand:
	case spawnCommand:
		n.from = uint32(len(q.ids))
		q.ids = append(q.ids, a.ids(old.ids[op.from:op.to])...)
		n.to, n.id = uint32(len(q.ids)), uint32(len(q.goals))
		for _, to := range old.goalsOf(op) {
			if c := a.components[to.Relation]; c != nil {
				q.goals = append(q.goals, Target{c.id, to.Entity})
			}
		}
		q.ids = append(q.ids, ComponentID(uint32(len(q.goals))-n.id))
	case addCommand, removeCommand:
		var one [1]ComponentID
		ids := a.ids(old.list(op, &one))
		slices.Sort(ids)
		if len(ids) == 0 && len(old.list(op, &one)) > 0 {
			return false
		}
		n.from = uint32(len(q.ids))
		q.ids = append(q.ids, ids...)
		n.to, n.id = uint32(len(q.ids)), 0
		if len(ids) == 1 {
			n.id, n.from, n.to = uint32(ids[0]), 1, 0
			q.ids = q.ids[:len(q.ids)-1]
		}
	case setCommand, sendCommand:
		var cv *conversion
		switch c := op.id; {
		case op.op == setCommand && a.components[c] != nil:
			n.id, cv = uint32(a.components[c].id), a.columns[c]
		case op.op == sendCommand && a.events[c] != nil:
			n.id, cv = uint32(a.events[c].id), a.sent[c]
		default:
			return false
		}
		n.from = uint32(len(q.fields))
		for _, f := range old.fields[op.from:op.to] {
			if at := cv.fields[f.Index]; at >= 0 {
				q.fields = append(q.fields, FieldValue{at, f.Value})
			}
		}
		n.to = uint32(len(q.fields))
	case storeCommand:
		c := a.components[op.id]
		if c == nil {
			return false
		}
		p, at := q.store(c)
		cv := a.columns[op.id]
		cv.rows(p, unsafe.Add(old.values[op.id].base, uintptr(op.from)*cv.from.size), 1)
		n.id, n.from = uint32(c.id), at
	case tagCommand, untagCommand:
		if a.tags[op.id] == nil {
			return false
		}
		n.id = uint32(a.tags[op.id].id)
	case relateCommand:
		to := old.goals[op.id]
		c := a.components[to.Relation]
		if c == nil {
			return false
		}
		n.id = uint32(len(q.goals))
		q.goals = append(q.goals, Target{c.id, to.Entity})
	case unrelateCommand:
		if a.components[op.id] == nil {
			return false
		}
		n.id = uint32(a.components[op.id].id)
	default:
		panic("ecs: a command of an unknown kind")
	}
	q.ops = append(q.ops, n)
	return true
}

// ids returns the new ids of components, without those that are dropped.
func (a *adoption) ids(old []ComponentID) []ComponentID {
	ids := make([]ComponentID, 0, len(old))
	for _, id := range old {
		if c := a.components[id]; c != nil {
			ids = append(ids, c.id)
		}
	}
	return ids
}
