package ecs

import (
	"maps"
	"slices"
)

// A modelCheckpoint is a copy of the world with what the model and the machine knew when it was made.
type modelCheckpoint struct {
	world   *World
	model   *model
	handles []Entity
	windows [3]Tick
	readers int
	queued  []func()
	waiting int
}

// checkpointOp copies the world.
func (r *machine) checkpointOp() {
	r.say("checkpoint := w.Copy()")
	c, err := r.w.Copy()
	r.ok(err)
	r.ok(c.Check())
	r.ok(wholeMemory(c))
	r.sameWorld(c)
	if r.ops%4 == 0 && dump(c) != dump(r.w) {
		r.fail("the copy is another world")
	}
	r.checkpoint = &modelCheckpoint{c, r.m.clone(), slices.Clone(r.handles), r.windows, len(r.readers), slices.Clone(r.queued), r.waiting}
}

// restoreOp brings the world, and the model, back to the checkpoint. What the test holds of the world must go on working.
func (r *machine) restoreOp() {
	c := r.checkpoint
	if c == nil {
		return
	}
	r.say("w.Restore(checkpoint)")
	r.ok(r.w.Restore(c.world))
	r.ok(r.w.Check())
	r.ok(wholeMemory(r.w))
	r.sameWorld(c.world)
	if r.ops%4 == 0 && dump(c.world) != dump(r.w) {
		r.fail("the restored world is another one")
	}
	relations := r.m.relations // queued commands hold them
	*r.m = *c.model.clone()
	for i, rel := range r.m.relations {
		*relations[i] = *rel
	}
	r.m.relations = relations
	r.handles, r.windows = slices.Clone(c.handles), c.windows
	r.queued, r.waiting = slices.Clone(c.queued), c.waiting
	for _, reader := range r.readers[c.readers:] {
		reader.Close()
	}
	r.readers = r.readers[:c.readers]
	r.compare()
}

// clone returns an independent model that says the same.
func (m *model) clone() *model {
	n := *m
	n.generations, n.free = slices.Clone(m.generations), slices.Clone(m.free)
	n.spent = maps.Clone(m.spent)
	n.reserved, n.tracked = maps.Clone(m.reserved), maps.Clone(m.tracked)
	n.events, n.readers, n.removals = slices.Clone(m.events), slices.Clone(m.readers), slices.Clone(m.removals)
	n.waits = slices.Clone(m.waits)
	n.indexes = nil
	for _, x := range m.indexes {
		n.indexes = append(n.indexes, x.clone())
	}
	for i := range n.cells {
		n.cells[i] = slices.Clone(n.cells[i])
	}
	n.tables, n.tags, n.relations, n.entities = nil, nil, nil, map[Entity]*modelEntity{}
	tables := map[*modelTable]*modelTable{}
	for _, t := range m.tables {
		tables[t] = &modelTable{t.ids, slices.Clone(t.rows)}
		n.tables = append(n.tables, tables[t])
	}
	for _, members := range m.tags {
		n.tags = append(n.tags, slices.Clone(members))
	}
	for _, r := range m.relations {
		sources := map[Entity][]Entity{}
		for target, list := range r.sources {
			sources[target] = slices.Clone(list)
		}
		targets := maps.Clone(r.targets) // the lists are never changed in place
		n.relations = append(n.relations, &modelRelation{r.id, r.childOf, r.isA, sources, targets})
	}
	for e, en := range m.entities {
		comps := make([]modelOwn, len(en.comps))
		for i, own := range en.comps {
			c := *own.c
			comps[i] = modelOwn{own.id, &c} // the values are never written in place
		}
		n.entities[e] = &modelEntity{tables[en.table], comps}
	}
	return &n
}
