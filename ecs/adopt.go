package ecs

import (
	"fmt"
	"slices"
	"unsafe"
)

// This file takes over the state of a world whose declarations differ: usually one that was saved before its config
// was changed. Declarations are matched by name. The state is first brought into an empty world with the new
// declarations (adoptworld.go, and commands here); the rest is an ordinary Restore, so that handles stay valid and
// nothing has changed after an error.

// Adopt is [World.Restore] for a world with other declarations, matched by name, or as how says. Entities keep their
// handles. An added field has its default. Fields, components, relations, tags, events and resources that this world does
// not declare are dropped if they hold nothing, or if how allows it, with the queued commands that name them; warnings
// says so, one line each. What only this world declares is empty, and a resource has its first value. A field holds
// something where its value is not the default, a resource likewise. Snapshots of grids are taken again. The cost is that of Restore, plus
// twice the size of the world.
//
// Errors: [ErrLocked]; a [LossError] for what holds something and may not be dropped; [ErrMismatch] for a field whose type
// has changed, for a component that was a relation or the other way round, and for two names that would be one; those of codecs ([RegisterCodec]), for fields of Go types that come from a file. After an error w is
// unchanged.
func (w *World) Adopt(from *World, how Adopting) (warnings []string, err error) {
	if from == nil {
		return nil, noSource("adopt world", "world")
	}
	if w.busy() || from.busy() {
		return nil, fail("adopt world", None, "", w.lockedBy())
	}
	if differentDeclarations(w, from) == nil {
		return nil, w.Restore(from)
	}
	a, err := newAdoption(w, from, how)
	if err != nil {
		return nil, fail("adopt world", None, "", err)
	}
	if err := a.finish(w); err != nil {
		return nil, err
	}
	return a.warnings, nil
}

// Adopt is [Schedule.Restore] for a schedule with other declarations or other systems, matched by name: see
// [World.Adopt]. A system that the other schedule does not have starts as one that is added now: what was written
// before is no change for it. A system that only the other schedule has is dropped with a warning; its queued commands are
// a [Loss].
func (s *Schedule) Adopt(from *Schedule, how Adopting) (warnings []string, err error) {
	if from == nil {
		return nil, noSource("adopt schedule", "schedule")
	}
	w := s.world
	if w.busy() || from.world.busy() {
		return nil, fail("adopt schedule", None, "", w.lockedBy())
	}
	known := func(of *Schedule) func(sys *System) bool {
		return func(sys *System) bool { return of.named[sys.spec.Name] != nil }
	}
	if len(s.systems) == len(from.systems) && !slices.ContainsFunc(s.systems, func(sys *System) bool { return !known(from)(sys) }) && differentDeclarations(w, from.world) == nil {
		return nil, s.Restore(from)
	}
	a, err := newAdoption(w, from.world, how)
	if err != nil {
		return nil, fail("adopt schedule", None, "", err)
	}
	queues := map[*System]*Commands{}
	for _, sys := range from.systems {
		if known(s)(sys) {
			queues[sys] = newCommands(a.to)
			a.queue(queues[sys], sys.commands)
			continue
		}
		if n := sys.commands.Len(); n > 0 {
			a.lose("system", sys.spec.Name, n, "queued command")
		} else {
			a.warn("system %q is no longer there", sys.spec.Name)
		}
		ops := sys.commands.plain().ops
		for i := range ops {
			if op := &ops[i]; op.makes() {
				a.to.pending--
				a.to.slots.release(uint32(op.entity))
			}
		}
	}
	if err := a.finish(w); err != nil {
		return nil, err
	}
	for _, sys := range s.systems {
		if old := from.named[sys.spec.Name]; old != nil {
			sys.progress = old.progress
			sys.readers = w.adopt(sys.readers, a.readers(old.readers))
			sys.commands.restore(queues[old])
			continue
		}
		sys.progress = progress{disabled: sys.disabled, window: w.watermark}
		sys.readers = w.adopt(sys.readers, nil)
		sys.commands.reset()
		sys.random = w.Stream(sys.spec.stream())
	}
	for _, c := range from.world.components {
		if to := a.components[c.id]; c.lost != nil && to != nil {
			w.components[to.id].lost.restoreKnown(s, c.lost.systems, from)
		}
	}
	return a.warnings, nil
}

// restoreKnown is restoreSystems for a schedule that may lack some of the systems.
func (l *removedLog) restoreKnown(s *Schedule, theirs []*System, from *Schedule) {
	l.restoreSystems(s, slices.DeleteFunc(slices.Clone(theirs), func(sys *System) bool { return s.named[sys.spec.Name] == nil }), from)
}

// finish gives w the adopted state.
func (a *adoption) finish(w *World) error {
	if a.err != nil {
		return fmt.Errorf("adopt world: %w", a.err)
	}
	if err := a.allowed(); err != nil {
		return fail("adopt world", None, "", err)
	}
	if err := a.to.Check(); err != nil {
		return fmt.Errorf("adopt world: %w", err)
	}
	w.restore(a.to)
	return nil
}

func (a *adoption) warn(format string, args ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, args...))
}

// queue queues the commands of an old queue in a new one, with new ids. Commands that name what is no longer declared
// are left out; a spawn is kept without it, because its handle is reserved.
func (a *adoption) queue(q, old *Commands) {
	old = old.plain()
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
	case spawnCommand, instanceCommand:
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
	case setCommand, sendCommand, waitCommand:
		var cv *conversion
		var owner string
		switch c := op.id; {
		case op.op == setCommand && a.components[c] != nil:
			owner = a.from.components[c].name
			n.id, cv = uint32(a.components[c].id), a.columns[c]
		case op.op != setCommand && a.events[c] != nil:
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
		if op.op == waitCommand {
			n.entity = a.order(q, old, op)
		}
	case cancelCommand:
		if o := &old.orders[op.entity]; o.number == 0 && a.events[o.event] == nil {
			return
		}
		n.entity = a.order(q, old, op)
	case stateCommand:
		if !a.stateCommand(&n) {
			return
		}
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
	case relateCommand, unrelateFromCommand:
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
