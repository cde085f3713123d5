package ecs

import (
	"slices"
	"unsafe"
)

// What follows makes one part of a world equal to that of another, which declares the same: the column "restore" of [sections]. Tables are
// in restoretables.go. Objects that handles point at stay the same objects, and get the other's content.

// restoreOptions takes over what bounds the world. Its Memory stays.
func restoreOptions(w, from *World) {
	memory := w.options.Memory
	w.options = from.options
	w.options.Memory = memory
}

func restoreClock(w, from *World) {
	w.ticks = from.ticks
	w.ending = from.ending
	w.clock.moment = from.clock.moment
}

func restoreSlots(w, from *World) {
	s, o := &w.slots, &from.slots
	s.reserve(len(o.all))
	s.all = append(s.all[:0], o.all...)
	s.free = append(s.free[:0], o.free...)
	s.targets, s.deaths = o.targets, o.deaths
	w.living, w.pending = from.living, from.pending
}

func restoreTags(w, from *World) {
	for i, o := range from.tags {
		w.tags[i].restore(o)
	}
	w.tagMarks.restore(&from.tagMarks)
}

// restore makes the set equal to o; the marks are not in it.
func (s *tagSet) restore(o *tagSet) {
	s.dense = likeHeap(s.dense, o.dense)
	if len(s.sparse) == 1 {
		s.sparse = nil // noTags, which is not the set's own
	}
	if len(o.sparse) > 1 {
		s.sparse = like(s.memory, s.sparse, &s.owned, o.sparse)
	} else {
		release(s.memory, s.sparse, &s.owned)
		s.sparse = noTags[:1:1]
	}
}

func restoreRelations(w, from *World) {
	for i, o := range from.relations {
		w.relations[i].restore(w, o)
	}
	w.targets.restore(&from.targets)
}

// restore makes the lists of sources, and the forest, equal to those of o.
func (r *relation) restore(w *World, o *relation) {
	r.heads, r.links = likeHeap(r.heads, o.heads), likeHeap(r.links, o.links)
	if o.forest == nil {
		r.forest = nil
		return
	}
	if r.forest == nil {
		r.forest = &forest{steps: &w.work}
	}
	r.forest.nodes = likeHeap(r.forest.nodes, o.forest.nodes)
}

// restore makes the marks equal to those of o, which are for as many numbers.
func (m *slotMarks) restore(o *slotMarks) {
	for level, rows := range o.levels {
		for i, row := range rows {
			m.levels[level][i].words = likeHeap(m.levels[level][i].words, row.words)
		}
	}
}

func restoreEvents(w, from *World) {
	for i, o := range from.events {
		w.events[i].restore(o)
	}
	w.clock.readers = w.adopt(w.clock.readers, from.clock.readers)
}

// restore makes the log equal to o, which may be of another world, with its readers.
func (l *eventLog) restore(o *eventLog) {
	held := int(l.end - l.first)
	if l.capacity() != o.capacity() {
		l.base, _ = allocRows(nil, l.schema, o.capacity())
		held = 0
	}
	l.first, l.end, l.full = o.first, o.end, o.full
	l.hole, l.previous, l.current = o.hole, o.previous, o.current
	n := int(l.end - l.first)
	l.schema.copyRows(l.base, o.base, n)
	l.clear(n, max(0, held-n))
	for _, r := range l.readers {
		r.next = l.previous // those opened since begin again; the others follow
	}
	for _, r := range o.readers {
		mine := l.readerLike(r)
		if mine == nil {
			mine = &EventReader{log: l, home: l, root: r.root, loose: true}
			l.readers = append(l.readers, mine)
		}
		mine.next = r.next
	}
}

// readerLike returns the reader of this log that is a copy of the same reader as r, or the other way round; nil when there is none. One that
// was closed since is opened again.
func (l *eventLog) readerLike(r *EventReader) *EventReader {
	for _, mine := range l.readers {
		if mine.root == r.root {
			return mine
		}
	}
	if r.root.home != l {
		return nil
	}
	r.root.log = l
	l.readers = append(l.readers, r.root)
	return r.root
}

// adopt returns, for a list of readers by event, those of this world that stand for the readers of another list, which the restored logs
// know. Readers of mine that have no counterpart are closed.
func (w *World) adopt(mine, other []*EventReader) []*EventReader {
	list := make([]*EventReader, len(other))
	for id, r := range other {
		switch {
		case r == nil:
		case r.log != r.home: // closed
			list[id] = &EventReader{log: &eventLog{name: r.log.name, schema: r.log.schema}, home: w.events[id], root: r.root}
		default:
			list[id] = w.events[id].readerLike(r)
			list[id].loose = false
		}
	}
	for _, r := range mine {
		if r != nil && !slices.Contains(list, r) {
			r.Close()
		}
	}
	return list
}

func restoreResources(w, from *World) {
	for i, o := range from.resources {
		w.resources[i].schema.copyRow(w.resources[i].ptr, o.ptr)
	}
}

// restoreStreams gives w the streams of from, in that order. A stream that was first used since starts again when it is asked for again.
func restoreStreams(w, from *World) {
	for _, r := range w.streamNamed {
		r.listed = false
		r.seed = w.options.Seed
		r.restart(r.seed)
	}
	w.streams = w.streams[:0]
	for _, o := range from.streams {
		r := w.Stream(o.name)
		r.seed, r.at = o.seed, o.at
	}
}

// restoreRemovals restores what is recorded of lost components. Which systems ask for it is part of the schedule.
func restoreRemovals(w, from *World) {
	for _, c := range w.tracked {
		if from.components[c.id].lost == nil {
			c.lost = nil
		}
	}
	w.tracked = w.tracked[:0]
	for _, o := range from.tracked {
		c := w.components[o.id]
		if c.lost == nil {
			c.lost = newRemovedLog()
		}
		c.lost.entries = append(c.lost.entries[:0], o.lost.entries...)
		w.tracked = append(w.tracked, c)
	}
}

// restoreGrids restores the snapshot of positions that each grid has taken: in the middle of a frame the systems to come use it.
func restoreGrids(w, from *World) {
	for i, o := range from.grids {
		w.grids[i].restore(o)
	}
}

func (g *Grid) restore(o *Grid) {
	m := g.world.options.Memory
	g.gridSnapshot = o.gridSnapshot
	if o.taken > 0 {
		g.taken++ // who keeps what it made of a snapshot must see that it is another one
	}
	g.points = like(m, g.points, &g.owned[0], o.points)
	g.starts = like(m, g.starts, &g.owned[1], o.starts)
	g.sorted = like(m, g.sorted, &g.owned[2], o.sorted)
	g.cells = likeHeap(g.cells, o.cells)
}

func restoreCommands(w, from *World) { w.commands.restore(from.commands) }

// restore makes the queue equal to o.
func (c *Commands) restore(o *Commands) {
	c.reset()
	c.ops, c.ids = append(c.ops, o.ops...), append(c.ids, o.ids...)
	c.fields, c.goals = append(c.fields, o.fields...), append(c.goals, o.goals...)
	c.place, c.last = o.place, lastMove{}
	for i, from := range o.values {
		if i == len(c.values) {
			c.values = append(c.values, commandStore{base: unsafe.Pointer(&zeroBase)})
		}
		to, schema := &c.values[i], c.world.components[i].schema
		if to.capacity < from.n {
			to.base, _ = allocRows(nil, schema, from.n)
			to.capacity = from.n
		}
		schema.copyRows(to.base, from.base, from.n)
		to.n = from.n
	}
}

// restoreLimits restores what limits are compared with. It comes last: what the world holds is then as large as in the other.
func restoreLimits(w, from *World) {
	w.work, w.structure, w.gaveBack = from.work, from.structure, from.gaveBack
	w.bytes.Store(w.measure())
}
