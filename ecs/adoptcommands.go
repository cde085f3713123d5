package ecs

import (
	"slices"
	"unsafe"
)

// queue queues the commands of an old queue in a new one, with new ids. Commands that name what is no longer declared
// are left out; a spawn is kept without it, because its handle is reserved.
func (a *adoption) queue(q, old *Commands) {
	for i := range old.ops {
		a.command(q, old, &old.ops[i])
	}
	q.place = old.place
}

// loseCommand notes that a queued command, or a part of it, is dropped with what it names.
func (a *adoption) loseCommand(kind, name string) { a.lose(kind, name, 1, "queued command") }

func (a *adoption) loseComponent(id ComponentID) {
	c := a.from.components[id]
	a.loseCommand(c.kind.String(), c.name)
}

// command queues one command, if what it names is still there.
func (a *adoption) command(q, old *Commands, op *command) {
	n := *op
	switch op.op {
	case despawnCommand:
	case spawnCommand:
		n.from = uint32(len(q.ids))
		q.ids = append(q.ids, a.ids(old.ids[op.from:op.to], true)...)
		n.to, n.id = uint32(len(q.ids)), uint32(len(q.goals))
		for _, to := range old.goalsOf(op) {
			if c := a.components[to.Relation]; c != nil {
				q.goals = append(q.goals, Target{c.id, to.Entity})
			} else {
				a.loseComponent(to.Relation)
			}
		}
		q.ids = append(q.ids, ComponentID(uint32(len(q.goals))-n.id))
	case addCommand, removeCommand:
		var one [1]ComponentID
		ids := a.ids(old.list(op, &one), op.op == addCommand)
		slices.Sort(ids)
		if len(ids) == 0 && len(old.list(op, &one)) > 0 {
			return
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
		var owner string
		switch c := op.id; {
		case op.op == setCommand && a.components[c] != nil:
			owner = a.from.components[c].name
			n.id, cv = uint32(a.components[c].id), a.columns[c]
		case op.op == sendCommand && a.events[c] != nil:
			owner = a.from.events[c].name
			n.id, cv = uint32(a.events[c].id), a.sent[c]
		case op.op == setCommand:
			a.loseComponent(ComponentID(c))
			return
		default:
			a.loseCommand("event", a.from.events[c].name)
			return
		}
		n.from = uint32(len(q.fields))
		for _, f := range old.fields[op.from:op.to] {
			if at := cv.fields[f.Index]; at >= 0 {
				q.fields = append(q.fields, FieldValue{at, f.Value})
			} else {
				a.loseCommand("field", owner+"."+cv.from.fields[f.Index].Name)
			}
		}
		n.to = uint32(len(q.fields))
	case storeCommand:
		c := a.components[op.id]
		if c == nil {
			a.loseComponent(ComponentID(op.id))
			return
		}
		p, at := q.store(c)
		cv := a.columns[op.id]
		cv.rows(p, unsafe.Add(old.values[op.id].base, uintptr(op.from)*cv.from.size), 1)
		n.id, n.from = uint32(c.id), at
	case tagCommand, untagCommand:
		if a.tags[op.id] == nil {
			if op.op == tagCommand {
				a.loseCommand("tag", a.from.tags[op.id].name)
			}
			return
		}
		n.id = uint32(a.tags[op.id].id)
	case relateCommand:
		to := old.goals[op.id]
		c := a.components[to.Relation]
		if c == nil {
			a.loseComponent(to.Relation)
			return
		}
		n.id = uint32(len(q.goals))
		q.goals = append(q.goals, Target{c.id, to.Entity})
	case unrelateCommand:
		if a.components[op.id] == nil {
			return
		}
		n.id = uint32(a.components[op.id].id)
	default:
		panic("ecs: a command of an unknown kind")
	}
	q.ops = append(q.ops, n)
}

// ids returns the new ids of components, without those that are dropped, which are a loss if given says so.
func (a *adoption) ids(old []ComponentID, given bool) []ComponentID {
	ids := make([]ComponentID, 0, len(old))
	for _, id := range old {
		if c := a.components[id]; c != nil {
			ids = append(ids, c.id)
		} else if given {
			a.loseComponent(id)
		}
	}
	return ids
}
