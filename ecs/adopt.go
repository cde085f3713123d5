package ecs

import (
	"fmt"
	"slices"
)

// This file takes over the state of a world whose declarations differ: usually one that was saved before its config
// was changed. Declarations are matched by name. The state is first brought into an empty world with the new
// declarations (adoptworld.go, adoptcommands.go); the rest is an ordinary Restore, so that handles stay valid and
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
		for i := range sys.commands.ops {
			if op := &sys.commands.ops[i]; op.op == spawnCommand {
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
