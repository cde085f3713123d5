package ecs

import (
	"slices"
	"unsafe"
)

// This file is the column "save" of [sections] without tables (savetables.go): one function per part of a world.

func saveOptions(w *World, s *saver) {
	s.number(w.options.Seed)
	s.count(w.options.MaxEntities)
	s.number(w.options.MaxBytes)
	if w.options.MaxEvents > 0 || w.options.MaxTags > 0 {
		s.count(max(w.options.MaxEvents, 0))
		s.count(max(w.options.MaxTags, 0))
	}
}

func saveClock(w *World, s *saver) {
	s.number(uint64(w.now))
	s.number(uint64(w.tickBase))
	s.number(uint64(w.watermark))
	s.number(w.clock.frame)
	s.float(w.clock.time)
	s.float(w.clock.dt)
	s.flag(w.stopped)
	s.text(w.reason)
}

// saveComponents writes the declarations of components and relations.
func saveComponents(w *World, s *saver) {
	s.count(len(w.components))
	for _, c := range w.components {
		s.text(c.name)
		kind := uint64(c.kind)
		if c.relation != nil && c.relation.pairs != nil {
			kind = manyComponent
		}
		s.number(kind)
		if c.relation != nil {
			s.count(c.relation.patience)
		} else {
			s.schema(c.schema)
		}
	}
}

// manyComponent is the kind of a relation with many targets in a file.
const manyComponent = uint64(relationComponent) + 1

// saveSlots writes the generation and the flags of each slot, and the free list. The tables say where the living
// are.
func saveSlots(w *World, s *saver) {
	s.count(len(w.slots.all))
	saveColumn(s, w.slots.all, unsafe.Offsetof(slot{}.meta), 4)
	s.count(len(w.slots.free))
	saveColumn(s, w.slots.free, 0, 4)
	s.number(w.slots.deaths)
	s.count(w.living)
	s.count(w.pending)
}

// saveTags writes the names of tags, their members in order, and the marks.
func saveTags(w *World, s *saver) {
	s.count(len(w.tags))
	for _, t := range w.tags {
		s.text(t.name)
	}
	for _, t := range w.tags {
		saveRoom(s, t.dense)
		saveColumn(s, t.dense, indexOfEntity, 4)
		savePages(s, &t.sparse) // the entries follow from the members
	}
	s.marks(&w.tagMarks)
}

// marks writes the words of all levels.
func (s *saver) marks(m *slotMarks) {
	for _, rows := range m.levels {
		for _, r := range rows {
			savePages(s, &r.words, [2]int{0, 8})
		}
	}
}

// What of heads, links and pairs is in a file: three, two and four numbers of 4 bytes.
var (
	headColumns = [...][2]int{{int(unsafe.Offsetof(relationHead{}.first)), 4}, {int(unsafe.Offsetof(relationHead{}.last)), 4}, {int(unsafe.Offsetof(relationHead{}.count)), 4}}
	linkColumns = [...][2]int{{int(unsafe.Offsetof(relationLink{}.previous)), 4}, {int(unsafe.Offsetof(relationLink{}.next)), 4}}
	pairColumns = [...][2]int{{int(unsafe.Offsetof(targetPair{}.source)), 4}, {int(unsafe.Offsetof(targetPair{}.target)), 4}, {int(unsafe.Offsetof(targetPair{}.previous)), 4}, {int(unsafe.Offsetof(targetPair{}.next)), 4}}
)

// saveRelations writes the lists of sources, the pairs and the forests. Targets without pairs are values of columns.
func saveRelations(w *World, s *saver) {
	for _, r := range w.relations {
		savePages(s, &r.heads, headColumns[:]...)
		savePages(s, &r.links, linkColumns[:]...)
		if p := r.pairs; p != nil {
			savePages(s, &p.lists, headColumns[:]...)
			savePages(s, &p.all, pairColumns[:]...)
			s.number(uint64(p.free))
			s.number(uint64(p.made))
			s.number(uint64(p.count))
		}
		s.flag(r.forest != nil)
		if f := r.forest; f != nil {
			saveRoom(s, f.nodes)
			saveColumn(s, f.nodes, unsafe.Offsetof(pathNode{}.up), 4)
			saveColumn(s, f.nodes, unsafe.Offsetof(pathNode{}.left), 4)
			saveColumn(s, f.nodes, unsafe.Offsetof(pathNode{}.right), 4)
		}
	}
	s.marks(&w.targets)
}

func saveResources(w *World, s *saver) {
	s.count(len(w.resources))
	for _, r := range w.resources {
		s.text(r.name)
		s.schema(r.schema)
		s.rows(r.schema, r.ptr, 1)
	}
}

func saveStreams(w *World, s *saver) {
	s.count(len(w.streams))
	for _, r := range w.streams {
		s.text(r.name)
		s.word(r.seed)
		s.word(r.at.Hi)
		s.word(r.at.Lo)
	}
}

// saveRemovals writes which components are tracked, and what was lost.
func saveRemovals(w *World, s *saver) {
	s.count(len(w.tracked))
	for _, c := range w.tracked {
		s.number(uint64(c.id))
		s.count(len(c.lost.entries))
		saveColumn(s, c.lost.entries, unsafe.Offsetof(removal{}.entity), 8)
		saveColumn(s, c.lost.entries, unsafe.Offsetof(removal{}.tick), 8)
	}
}

// What the number after a grid's spec says.
const (
	gridTaken   = 1 << iota // a snapshot was taken
	gridOfQuery             // its query follows
)

// saveGrids writes the declarations of grids, and the snapshots: a system of the same frame uses them still.
func saveGrids(w *World, s *saver) {
	s.count(len(w.grids))
	for _, g := range w.grids {
		s.text(g.spec.Name)
		s.number(uint64(g.spec.Component))
		s.text(g.spec.X)
		s.text(g.spec.Y)
		s.float(g.spec.Cell)
		s.number(uint64(g.spec.Carry.Component))
		s.text(g.spec.Carry.Field)
		s.text(g.spec.Carry.Tag)
		what := uint64(0)
		if g.taken > 0 {
			what |= gridTaken
		}
		if g.spec.Query != nil {
			what |= gridOfQuery
		}
		s.number(what)
		if g.spec.Query != nil {
			s.members(g.spec.Query)
		}
		s.snapshot(g)
	}
}

func (s *saver) snapshot(g *Grid) {
	s.number(g.frame)
	s.number(uint64(g.tick))
	s.flag(g.built)
	s.count(g.cols)
	s.count(g.rows)
	s.float(g.minX)
	s.float(g.minY)
	s.float(g.cell)
	s.number(g.deaths)
	saveRoom(s, g.points)
	saveColumn(s, g.points, unsafe.Offsetof(gridPoint{}.x), 8)
	saveColumn(s, g.points, unsafe.Offsetof(gridPoint{}.y), 8)
	saveColumn(s, g.points, unsafe.Offsetof(gridPoint{}.entity), 8)
	saveColumn(s, g.points, unsafe.Offsetof(gridPoint{}.carried), 8)
	saveRoom(s, g.starts)
	saveColumn(s, g.starts, 0, 4)
	s.count(cap(g.sorted)) // scratch: its memory counts, its content does not
	s.count(cap(g.cells))  // what is in them follows from the points
}

func saveLimits(w *World, s *saver) {
	s.number(w.work)
	s.number(w.structure)
	s.number(uint64(w.gaveBack))
}

// indexOfEntity is the offset of the slot index in a handle in memory: 0 on little-endian machines.
var indexOfEntity = func() uintptr {
	e := makeEntity(1, 0)
	if *(*uint32)(unsafe.Pointer(&e)) == 1 {
		return 0
	}
	return 4
}()

// saveEvents writes the declarations of events, the logs, the readers, and which of them belong to the code between
// systems.
func saveEvents(w *World, s *saver) {
	s.count(len(w.events))
	for _, l := range w.events {
		s.text(l.name)
		s.schema(l.schema)
		s.number(l.first)
		s.number(l.hole - l.first)
		s.number(l.previous - l.hole)
		s.number(l.current - l.previous)
		s.number(l.end - l.current)
		s.count(l.free())
		s.rows(l.schema, l.base, int(l.end-l.first))
		s.count(len(l.readers))
		for _, r := range l.readers {
			s.number(r.next - l.first)
			s.flag(r.free)
		}
	}
	s.readers(w, w.clock.readers)
}

// readers writes the readers of a system: for each event 0 for none, 1 for one that is closed, or its place among
// the readers of the log plus 2.
func (s *saver) readers(w *World, list []*EventReader) {
	s.count(len(list))
	for id, r := range list {
		switch {
		case r == nil:
			s.number(0)
		case r.log != r.home:
			s.number(1)
		default:
			s.count(2 + slices.Index(w.events[id].readers, r))
		}
	}
}

func saveCommands(w *World, s *saver) { s.queue(w.commands) }

// queue writes the queued commands with the lists that they refer to.
func (s *saver) queue(c *Commands) {
	c = c.plain()
	s.count(len(c.ops))
	for i := range c.ops {
		op := &c.ops[i]
		s.number(uint64(op.op))
		s.number(uint64(op.entity))
		s.number(uint64(op.id))
		s.number(uint64(op.from))
		s.number(uint64(op.to))
		s.number(uint64(op.place))
		s.flag(op.joined)
	}
	s.ids(c.ids)
	s.count(len(c.fields))
	for _, f := range c.fields {
		s.count(f.Index)
		s.value(f.Value)
	}
	s.count(len(c.goals))
	for _, to := range c.goals {
		s.number(uint64(to.Relation))
		s.number(uint64(to.Entity))
	}
	if slices.ContainsFunc(c.ops, command.hasOrder) { // a queue without them is as earlier programs have saved it
		s.orders(c.orders)
	}
	s.number(uint64(c.place))
	values := 0 // those of components beyond the last that has some say nothing
	for _, id := range c.stored {
		values = max(values, int(id)+1)
	}
	s.count(values)
	for i, v := range c.values[:values] {
		s.count(v.n)
		s.rows(c.world.components[i].schema, v.base, v.n)
	}
}
