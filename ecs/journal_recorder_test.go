package ecs

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// This file is the journal of the tests: it checks that it is told of a part before the part changes, and takes all
// changes back.

// A recorder is a journal that has a copy of the world. When it is told of something for the first time, that must be as in the copy still.
// Then it can take back what it was told of, and nothing else: what is not as in the copy afterwards has changed without a word.
type recorder struct {
	w, before *World
	blocks    map[*Column]map[int]bool
	sizes     map[*Table]bool
	sets      map[*tagSet]bool
	lists     map[*relation]bool
	logs      map[*eventLog]bool
	grids     map[*Grid]bool
	layers    map[*AnyLayer]bool
	indexes   map[*Index]bool
	waiting   map[*waits]bool
	handles   bool
	graph     bool
	late      []string
}

func record(t *testing.T, w *World) *recorder {
	r := &recorder{w: w, blocks: map[*Column]map[int]bool{}, sizes: map[*Table]bool{}, sets: map[*tagSet]bool{}, lists: map[*relation]bool{}, logs: map[*eventLog]bool{}, grids: map[*Grid]bool{}, layers: map[*AnyLayer]bool{}, indexes: map[*Index]bool{}, waiting: map[*waits]bool{}}
	for _, c := range w.tracked {
		c.lost.systems = nil // they belong to the schedule, which is not copied here
	}
	w.install(r)
	r.before = must[*World](t)(w.Copy())
	return r
}

// first notes that the recorder was told of something; then same says whether it is as before.
func first[K comparable](r *recorder, told map[K]bool, key K, what string, same func() bool) {
	if !told[key] {
		told[key] = true
		if !same() {
			r.late = append(r.late, what)
		}
	}
}

// twin returns the same table of the copy, nil for one that was made since.
func (r *recorder) twin(t *Table) *Table {
	return r.before.byMask[string(tableKey(nil, t.mask, t.prefab))]
}

func (r *recorder) rows(c *Column, from, to int) {
	twin := r.twin(c.table)
	if twin == nil {
		return
	}
	o := twin.Column(c.info.id)
	if r.blocks[c] == nil {
		r.blocks[c] = map[int]bool{}
		if c.newest != o.newest {
			r.late = append(r.late, "the newest stamps of "+c.info.name)
		}
	}
	for block := from >> blockShift; block<<blockShift < min(to, len(twin.entities)); block++ {
		first(r, r.blocks[c], block, fmt.Sprintf("block %d of %s", block, c.info.name), func() bool { return sameBlock(c, o, block, len(twin.entities)) })
	}
}

func sameBlock(c, o *Column, block, end int) bool {
	same := c.blocks[block].summary() == o.blocks[block].summary()
	for row := block << blockShift; row < min(end, (block+1)<<blockShift); row++ {
		same = same && c.single(row) == o.single(row)
		for i := range c.info.schema.fields {
			x, y := Row{schema: c.info.schema, ptr: c.at(row)}, Row{schema: c.info.schema, ptr: o.at(row)}
			same = same && x.Get(i).Equal(y.Get(i))
		}
	}
	return same
}

// size notes that a table gets or loses rows, and that all columns change around these rows.
func (r *recorder) size(t *Table, rows ...int) {
	r.slots()
	twin := r.twin(t)
	if twin == nil {
		return
	}
	first(r, r.sizes, t, fmt.Sprintf("the rows of table %d", t.id), func() bool { return t.capacity == twin.capacity && slices.Equal(t.entities, twin.entities) })
	for i := range t.columns {
		for _, row := range rows {
			r.rows(&t.columns[i], row, row+1)
		}
	}
}

func (r *recorder) adds(t *Table, n int) { r.size(t, max(0, len(t.entities)-1), len(t.entities)) }

func (r *recorder) removes(t *Table, from, to int) {
	rows := []int{max(0, len(t.entities)-1)}
	for row := from; row < to; row++ {
		rows = append(rows, row)
	}
	r.size(t, rows...)
}

func (r *recorder) slots() {
	if !r.handles && (!slices.Equal(r.w.slots.all, r.before.slots.all) || !slices.Equal(r.w.slots.free, r.before.slots.free)) {
		r.late = append(r.late, "the slots")
	}
	r.handles = true
}

func (r *recorder) tables() {
	if !r.graph && len(r.w.tables) != len(r.before.tables) {
		r.late = append(r.late, "the tables")
	}
	r.graph = true
}

func (r *recorder) tag(s *tagSet, e Entity) {
	r.slots()
	o := r.before.tags[s.id]
	first(r, r.sets, s, "tag "+s.name, func() bool {
		return slices.Equal(s.dense, o.dense) && equalPages(&s.sparse, &o.sparse) && cap(s.dense) == cap(o.dense)
	})
}

func (r *recorder) relation(x *relation) {
	r.slots()
	o := r.before.relations[x.place]
	first(r, r.lists, x, "relation "+x.info.name, func() bool {
		same := equalPages(&x.heads, &o.heads) && equalPages(&x.links, &o.links) && (x.forest == nil) == (o.forest == nil)
		if p := x.pairs; p != nil {
			same = same && equalPages(&p.lists, &o.pairs.lists) && equalPages(&p.all, &o.pairs.all)
		}
		return same && (x.forest == nil || slices.Equal(x.forest.nodes, o.forest.nodes))
	})
}

func (r *recorder) sends(l *eventLog) { r.events(l) }

func (r *recorder) events(l *eventLog) {
	o := r.before.events[l.id]
	first(r, r.logs, l, "event "+l.name, func() bool {
		return l.first == o.first && l.end == o.end && l.capacity == o.capacity && l.hole == o.hole && l.previous == o.previous && len(l.readers) == len(o.readers)
	})
}

func (r *recorder) cells(l *AnyLayer, from, to int) {
	first(r, r.layers, l, "layer "+l.spec.Name, func() bool {
		return string(l.span(0, l.Len())) == string(r.before.LookupLayer(l.spec.Name).span(0, l.Len()))
	})
}

func (r *recorder) waits(int) {
	first(r, r.waiting, &r.w.waits, "waiting events", func() bool {
		return slices.Equal(r.w.waitTexts(), r.before.waitTexts()) && r.w.waits.gone == r.before.waits.gone
	})
}

func (r *recorder) index(x *Index, _ uint32, _ indexEntry) {
	first(r, r.indexes, x, "index "+x.spec.Name, func() bool {
		before := r.before.LookupIndex(x.spec.Name)
		for place := range x.lists {
			at := before.entries.at(x.heads[place].Index()).place
			if at == 0 || !slices.Equal(x.members(nil, place), before.members(nil, at-1)) {
				return false
			}
		}
		return true
	})
}

func (r *recorder) sweeps(g *Grid) { r.grid(g) }

func (r *recorder) grid(g *Grid) {
	o := r.before.LookupGrid(g.spec.Name)
	first(r, r.grids, g, "grid "+g.spec.Name, func() bool {
		return g.gridSnapshot == o.gridSnapshot && slices.EqualFunc(g.points, o.points, samePoint)
	})
}

// samePoint compares points to the bit: what a point does not carry is a NaN, and so is the place of an entity that has died.
func samePoint(a, b gridPoint) bool {
	bits := func(p gridPoint) [4]uint64 {
		return [4]uint64{math.Float64bits(p.x), math.Float64bits(p.y), uint64(p.entity), math.Float64bits(p.carried)}
	}
	return bits(a) == bits(b)
}

// takeBack brings what the recorder was told of back to what it was, and what a journal is not told of.
func (r *recorder) takeBack() {
	w, before := r.w, r.before
	w.install(nil)
	if r.graph {
		w.rebuildTables(before.tables)
		for i, o := range before.tables {
			w.tables[i].restoreEdges(o)
		}
	}
	for c, blocks := range r.blocks {
		o := r.twin(c.table).Column(c.info.id)
		c.newest = o.newest
		for block := range blocks {
			c.blocks[block].summarize(&o.blocks[block])
			for row := block << blockShift; row < min(len(o.table.entities), (block+1)<<blockShift); row++ {
				c.setSingle(row, o.single(row))
				c.info.schema.copyRow(c.at(row), o.at(row))
			}
		}
	}
	for t := range r.sizes {
		t.restore(r.twin(t))
	}
	if r.handles {
		restoreSlots(w, before)
	}
	for s := range r.sets {
		s.restore(before.tags[s.id])
	}
	w.tagMarks.restore(&before.tagMarks)
	for x := range r.lists {
		x.restore(w, before.relations[x.place])
	}
	w.targets.restore(&before.targets)
	for l := range r.logs {
		o := before.events[l.id]
		l.restore(o)
		l.readers = slices.DeleteFunc(l.readers, func(mine *EventReader) bool {
			return !slices.ContainsFunc(o.readers, func(r *EventReader) bool { return r.root == mine.root })
		})
	}
	for i, l := range before.events {
		for _, reader := range l.readers {
			w.events[i].readerLike(reader).next = reader.next
		}
	}
	w.clock.readers = w.adopt(w.clock.readers, before.clock.readers)
	for g := range r.grids {
		g.restore(before.LookupGrid(g.spec.Name))
	}
	for l := range r.layers {
		copy(l.span(0, l.Len()), before.LookupLayer(l.spec.Name).span(0, l.Len()))
	}
	if len(r.waiting) > 0 {
		restoreWaits(w, before)
	}
	w.waits.last = before.waits.last
	for x := range r.indexes {
		o := before.LookupIndex(x.spec.Name)
		x.entries.restore(&o.entries)
		x.indexPlaces.restore(&o.indexPlaces)
	}
	restoreClock(w, before)
	restoreResources(w, before)
	restoreStreams(w, before)
	restoreRemovals(w, before)
	restoreCommands(w, before)
	restoreLimits(w, before)
}
