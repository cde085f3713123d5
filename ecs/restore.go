package ecs

import "slices"

// This file and restoretables.go are the column "restore" of [sections]: one function per part of a world, which
// makes the part equal to that of another world with the same declarations. Objects that handles point at stay the
// same objects and get the content of the others. Capacities are restored as well, because near a limit of bytes
// they decide which operations are refused.

// restoreOptions takes over the limits and the seed. The world keeps its own Memory.
func restoreOptions(w, from *World) {
	memory := w.options.Memory
	w.options = from.options
	w.options.Memory = memory
}

// restoreClock takes over ticks, frame and time, and whether Stop was called.
func restoreClock(w, from *World) {
	w.ticks = from.ticks
	w.ending = from.ending
	w.fault = from.fault
	w.clock.moment = from.clock.moment
}

// restoreSlots takes over all slots, the free list and the counts.
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

// restore makes the members equal to those of o. Marks are restored separately.
func (s *tagSet) restore(o *tagSet) {
	s.dense = likeHeap(s.dense, o.dense)
	s.sparse.restore(&o.sparse)
	s.unkeep()
}

func restoreRelations(w, from *World) {
	for i, o := range from.relations {
		w.relations[i].restore(w, o)
	}
	w.targets.restore(&from.targets)
}

// restore makes the lists of sources, the pairs and the forest equal to those of o.
func (r *relation) restore(w *World, o *relation) {
	r.heads.restore(&o.heads)
	r.links.restore(&o.links)
	if p := r.pairs; p != nil {
		p.lists.restore(&o.pairs.lists)
		p.all.restore(&o.pairs.all)
		p.free, p.made, p.count = o.pairs.free, o.pairs.made, o.pairs.count
	}
	if o.forest == nil {
		r.forest = nil
		return
	}
	if r.forest == nil {
		r.forest = &forest{steps: &w.work}
	}
	r.forest.nodes = likeHeap(r.forest.nodes, o.forest.nodes)
}

// restore makes the marks equal to those of o, which covers the same numbers.
func (m *slotMarks) restore(o *slotMarks) {
	for level, rows := range o.levels {
		for i, row := range rows {
			m.levels[level][i].words.restore(&row.words)
		}
	}
}

func restoreEvents(w, from *World) {
	for i, o := range from.events {
		w.events[i].restore(o)
	}
	w.clock.readers = w.adopt(w.clock.readers, from.clock.readers)
	for _, t := range w.taps {
		t.Clear() // what was sent since then has not happened
	}
}

// restore makes the log and its readers equal to those of o, a log of this or another world. A reader of l that
// corresponds to none of o stays open and starts again with what Peek returns; for a reader of o that corresponds
// to none of l a loose one is made.
func (l *eventLog) restore(o *eventLog) {
	held := l.front() + int(l.end-l.first) // rows of the memory up to the last event
	l.rewind()
	if l.capacity != o.capacity {
		l.base, _ = allocRows(nil, l.schema, o.capacity)
		l.capacity, held = o.capacity, 0
	}
	l.first, l.end, l.full = o.first, o.end, o.first+uint64(o.capacity)
	l.hole, l.previous, l.current = o.hole, o.previous, o.current
	n := int(l.end - l.first)
	l.schema.copyRows(l.base, o.base, n)
	l.clear(n, max(0, held-n))
	for _, r := range l.readers {
		r.next = l.previous // readers that were opened after the copy start again; the others are set below
	}
	free := 0 // readers of l that the program has opened, for readers from a file
	for i, r := range o.readers {
		mine := l.readerLike(r)
		if mine == nil && r.saved && r.free {
			mine = l.nextFree(&free)
		}
		if mine == nil {
			mine = &EventReader{log: l, home: l, root: r.root, free: r.free, saved: r.saved, loose: true}
			l.readers = append(l.readers, mine)
		}
		mine.next = r.next
		if at := slices.Index(l.readers, mine); !r.saved && at > i { // files have their order
			l.readers = slices.Insert(slices.Delete(l.readers, at, at+1), i, mine)
		}
	}
}

// nextFree returns the next reader of l, from index at on, that the program has opened, nil if there is none. It is
// the counterpart of a reader from a file: the program that has written the file had opened it as the same in order.
func (l *eventLog) nextFree(at *int) *EventReader {
	for *at < len(l.readers) {
		r := l.readers[*at]
		*at++
		if r.free && !r.loose {
			return r
		}
	}
	return nil
}

// readerLike returns the reader of this log that has the same origin as r: one is a copy of the other, or both are
// copies of the same reader. It is nil if there is none. If that reader has been closed since, it is opened again.
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

// adopt returns, for a list of readers by event of another world or system, the corresponding readers of this
// world. The logs have been restored, so they exist. Readers in mine without a counterpart are closed.
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
	w.closeResources()
	for i, o := range from.resources {
		w.resources[i].schema.copyRow(w.resources[i].ptr, o.ptr)
	}
}

// restoreStreams gives w the streams of from, in the same order. A stream that from does not have is set back to
// its start, and is listed again at its next use.
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

// restoreRemovals restores the logs of lost components. Which systems ask for them is restored with the schedule.
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

// restoreGrids restores the snapshots of grids: after a restore in the middle of a frame the remaining systems use
// them.
func restoreGrids(w, from *World) {
	for i, o := range from.grids {
		w.grids[i].restore(o)
	}
}

func (g *Grid) restore(o *Grid) {
	m := g.world.memory
	g.gridSnapshot = o.gridSnapshot
	if o.taken > 0 {
		g.taken++ // so that users that derived something from a snapshot notice the new one
	}
	g.points = like(m, g.points, &g.owned[0], o.points)
	g.starts = like(m, g.starts, &g.owned[1], o.starts)
	g.sorted = like(m, g.sorted, &g.owned[2], o.sorted)
	g.cells = likeHeap(g.cells, o.cells)
}

func restoreCommands(w, from *World) { w.commands.restore(from.commands) }

// restore makes the queue equal to o, which belongs to a world with the same declarations.
func (c *Commands) restore(o *Commands) {
	o = o.plain()
	c.reset()
	c.ops, c.ids = append(c.ops, o.ops...), append(c.ids, o.ids...)
	c.fields, c.goals, c.orders = append(c.fields, o.fields...), append(c.goals, o.goals...), append(c.orders, o.orders...)
	c.place, c.last = o.place, lastMove{}
	for _, id := range o.stored {
		from, info := &o.values[id], c.world.components[id]
		to := c.storeOf(info)
		if to.capacity < from.n {
			to.resize(info.schema, from.n)
		}
		info.schema.copyRows(to.base, from.base, from.n)
		to.n = from.n
	}
}

// restoreLimits restores the counters of limits. It is the last section, because it measures the others.
func restoreLimits(w, from *World) {
	w.work, w.structure, w.gaveBack = from.work, from.structure, from.gaveBack
	w.remeasure()
}
