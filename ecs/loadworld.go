package ecs

import (
	"math"
	"unsafe"
)

// This file is the column "load" of [sections] without tables (loadtables.go), events and commands
// (loadevents.go).

func loadOptions(w *World, l *loader) {
	w.options.Seed = l.number()
	w.options.MaxEntities = mostEntities(int(min(l.number(), math.MaxUint32)))
	w.options.MaxBytes = l.number()
	if l.c.Left() > 0 { // without these limits they are not in the file, and earlier programs have not saved them
		w.options.MaxEvents, w.options.MaxTags = int(l.below(math.MaxInt, "the limit of events")), int(l.below(math.MaxInt, "the limit of tags"))
	}
}

func loadClock(w *World, l *loader) {
	w.now = uint32(l.below(math.MaxUint32, "the tick"))
	w.tickBase = Tick(l.below(1<<62, "the base of ticks"))
	w.watermark = Tick(l.below(uint64(w.Tick())+1, "the tick of the last frame"))
	w.clock.frame = l.number()
	w.clock.time, w.clock.dt = l.float(), l.float()
	w.stopped, w.reason = l.flag(), l.text()
	if w.now == 0 {
		l.fail("the tick is 0")
	}
}

func loadComponents(w *World, l *loader) {
	for i := range l.count(3) {
		name, kind := l.text(), l.below(manyComponent+1, "the kind of a component")
		var id ComponentID
		var err error
		if kind != uint64(dataComponent) {
			patience := int(l.below(math.MaxInt32, "the patience of a relation"))
			var how []RelationOption
			if kind == manyComponent {
				how = []RelationOption{ManyTargets}
			}
			if id, err = w.DeclareRelation(name, how...); err == nil {
				w.components[id].relation.patience = patience
			}
		} else {
			id, err = w.DeclareComponent(name, l.schema())
		}
		l.must(err)
		if int(id) != i {
			l.fail("component %q is declared twice", name)
		}
	}
}

func loadSlots(w *World, l *loader) {
	s := &w.slots
	n := l.count(4)
	s.reserve(n)
	s.all = s.all[:n]
	loadColumn(l, s.all, unsafe.Offsetof(slot{}.meta), 4)
	for i := range s.all {
		meta := s.all[i].meta
		if meta&generationMask == 0 || meta&^(generationMask|slotFree|slotTagged|slotTarget|slotSpent) != 0 {
			l.fail("slot %d has the generation and flags %x", i, meta)
		}
		if meta&slotFree == 0 {
			w.living++
			if meta&slotTarget != 0 {
				s.targets++
			}
		}
	}
	s.free = make([]uint32, l.count(4))
	loadColumn(l, s.free, 0, 4)
	for _, index := range s.free {
		if int64(index) >= int64(n) {
			l.fail("slot %d of %d is on the free list", index, n)
		}
	}
	s.deaths = l.number()
	if living := l.number(); living != uint64(w.living) {
		l.fail("%d slots live, the count says %d", w.living, living)
	}
	w.pending = int(l.below(uint64(n)+1, "the number of reserved slots"))
}

// entity returns the handle of the living entity in a slot that the file names.
func (l *loader) entity(w *World, index uint32) Entity {
	if int64(index) >= int64(len(w.slots.all)) || w.slots.all[index].meta&slotFree != 0 {
		l.fail("slot %d is not that of a living entity", index)
	}
	return makeEntity(index, w.slots.all[index].meta&generationMask)
}

// entities reads a list of living entities by their slots.
func (l *loader) entities(w *World, list []Entity) {
	for len(list) > 0 {
		var indexes [512]uint32
		part := indexes[:min(len(list), len(indexes))]
		loadColumn(l, part, 0, 4)
		for i, index := range part {
			list[i] = l.entity(w, index)
		}
		list = list[len(part):]
	}
}

func loadTags(w *World, l *loader) {
	n := l.count(2)
	for i := range n {
		name := l.text()
		id, err := w.DeclareTag(name)
		l.must(err)
		if int(id) != i {
			l.fail("tag %q is declared twice", name)
		}
	}
	for _, t := range w.tags {
		var owned bool
		t.dense = loadRoom[Entity](l, nil, &owned, 4)
		l.entities(w, t.dense)
		loadPages(l, &t.sparse)
		for place, e := range t.dense {
			if !t.sparse.has(e.Index()) {
				l.fail("tag %q does not cover its member %s", t.name, e)
			}
			*t.sparse.at(e.Index()) = tagEntry{e.Generation(), uint32(place)}
		}
	}
	l.marks(w, &w.tagMarks)
}

// marks reads the words of all levels, of which there are as many rows as the declarations need.
func (l *loader) marks(w *World, m *slotMarks) {
	for _, rows := range m.levels {
		for _, r := range rows {
			loadPages(l, &r.words, [2]int{0, 8})
			for slot, word := range r.words.all {
				if *word != 0 && slot >= len(w.slots.all) {
					l.fail("marks for slot %d of %d", slot, len(w.slots.all))
				}
			}
		}
	}
}

func loadRelations(w *World, l *loader) {
	slots := len(w.slots.all)
	for _, r := range w.relations {
		loadPages(l, &r.heads, headColumns[:]...)
		loadPages(l, &r.links, linkColumns[:]...)
		places := slots
		if r.pairs != nil {
			l.pairs(w, r)
			places = int(r.pairs.made)
		}
		within := func(a, b uint32) {
			if v := max(a, b); int64(v) > int64(places) {
				l.fail("a list of sources leads to slot or pair %d of %d", v, places)
			}
		}
		for target, h := range r.heads.all {
			if *h != (relationHead{}) && target >= slots {
				l.fail("relation %q has sources of slot %d of %d", r.info.name, target, slots)
			}
			within(h.first, h.last)
		}
		for _, at := range r.links.all {
			within(at.previous, at.next)
		}
		if l.flag() {
			l.forest(w, r)
		}
	}
	l.marks(w, &w.targets)
}

// pairs reads the pairs of a relation with many targets.
func (l *loader) pairs(w *World, r *relation) {
	p, slots := r.pairs, len(w.slots.all)
	loadPages(l, &p.lists, headColumns[:]...)
	loadPages(l, &p.all, pairColumns[:]...)
	p.free, p.made, p.count = uint32(l.below(math.MaxUint32, "a free pair")), uint32(l.below(math.MaxUint32, "a number of pairs")), uint32(l.below(math.MaxUint32, "a number of pairs"))
	bad := func(a, b uint32) bool { return max(a, b) > p.made }
	broken := bad(p.free, p.count) || p.made > 0 && !(p.all.has(p.made-1) && r.links.has(p.made-1))
	for source, h := range p.lists.all {
		broken = broken || *h != (relationHead{}) && source >= slots || bad(h.first, h.last)
	}
	for number, pair := range p.all.all {
		broken = broken || *pair != (targetPair{}) && number >= int(p.made) || bad(pair.previous, pair.next) ||
			number < int(p.made) && max(int64(pair.source), int64(pair.target)) >= int64(slots)
	}
	if broken {
		l.fail("the pairs of relation %q are broken", r.info.name)
	}
}

// forest reads a forest. A child knows its parent: so the search for nodes from the roots of splay trees ends.
func (l *loader) forest(w *World, r *relation) {
	var owned bool
	f := &forest{steps: &w.work, nodes: loadRoom[pathNode](l, nil, &owned, 12)}
	loadColumn(l, f.nodes, unsafe.Offsetof(pathNode{}.up), 4)
	loadColumn(l, f.nodes, unsafe.Offsetof(pathNode{}.left), 4)
	loadColumn(l, f.nodes, unsafe.Offsetof(pathNode{}.right), 4)
	n := uint32(len(f.nodes))
	if !r.acyclic || int64(n) > int64(len(w.slots.all))+2 || n == 0 || f.nodes[0] != (pathNode{}) {
		l.fail("relation %q has a forest of %d nodes", r.info.name, n)
	}
	for x, node := range f.nodes {
		if node.up >= n || node.left >= n || node.right >= n || node.left == node.right && node.left != 0 ||
			node.left != 0 && f.nodes[node.left].up != uint32(x) || node.right != 0 && f.nodes[node.right].up != uint32(x) {
			l.fail("the forest of relation %q is broken at node %d", r.info.name, x)
		}
	}
	r.forest = f
}

func loadResources(w *World, l *loader) {
	for i := range l.count(3) {
		name, s := l.text(), l.schema()
		id, err := w.declareResource(name, s)
		l.must(err)
		if int(id) != i {
			l.fail("resource %q is declared twice", name)
		}
		l.rows(s, w.resources[id].ptr, 1)
	}
}

func loadStreams(w *World, l *loader) {
	for i := range l.count(25) {
		r := w.Stream(l.text())
		if len(w.streams) != i+1 {
			l.fail("random stream %q is there twice", r.name)
		}
		r.seed, r.at.Hi, r.at.Lo = l.word(), l.word(), l.word()
	}
}

func loadRemovals(w *World, l *loader) {
	for i := range l.count(2) {
		id := ComponentID(l.below(uint64(len(w.components)), "a component"))
		w.TrackRemoved(id)
		if len(w.tracked) != i+1 {
			l.fail("component %q is tracked twice", w.components[id].name)
		}
		entries := make([]removal, l.count(16))
		loadColumn(l, entries, unsafe.Offsetof(removal{}.entity), 8)
		loadColumn(l, entries, unsafe.Offsetof(removal{}.tick), 8)
		last := Tick(0)
		for _, e := range entries {
			if e.tick < last || e.tick > w.Tick() {
				l.fail("a component was lost at tick %d, after %d and before %d", e.tick, last, w.Tick())
			}
			last = e.tick
		}
		w.components[id].lost.entries = entries
	}
}

func loadLimits(w *World, l *loader) {
	w.work, w.structure = l.number(), l.below(1<<60, "the bytes of tables")
	w.gaveBack = Tick(l.below(uint64(w.Tick())+1, "the tick of the last search for memory"))
	w.remeasure()
}

func loadGrids(w *World, l *loader) {
	for i := range l.count(8) {
		spec := GridSpec{Name: l.text()}
		spec.Component = ComponentID(l.below(uint64(len(w.components)), "the component of a grid"))
		spec.X, spec.Y, spec.Cell = l.text(), l.text(), l.float()
		spec.Carry.Component = ComponentID(l.below(math.MaxUint32+1, "the component that a grid carries"))
		spec.Carry.Field, spec.Carry.Tag = l.text(), l.text()
		what := l.below(2*gridOfQuery, "the kind of a grid")
		if what&gridOfQuery != 0 {
			spec.Query = l.members(w)
		}
		g, err := w.DeclareGrid(spec)
		l.must(err)
		if len(w.grids) != i+1 {
			l.fail("grid %q is declared twice", spec.Name)
		}
		if spec.Query != nil {
			spec.Query.Release()
		}
		if what&gridTaken != 0 {
			g.taken = 1
		}
		l.snapshot(w, g)
	}
}

// snapshot reads the points of a grid, and checks what a search relies on: that the cells divide the points, and that
// the points are alive, or swept, if nothing has died since.
func (l *loader) snapshot(w *World, g *Grid) {
	m := w.memory
	g.frame, g.tick = l.below(w.clock.frame+1, "the frame of a grid"), Tick(l.below(uint64(w.Tick())+1, "the tick of a grid"))
	g.built = l.flag()
	g.cols, g.rows = int(l.below(math.MaxInt32, "the columns of a grid")), int(l.below(math.MaxInt32, "the rows of a grid"))
	g.minX, g.minY, g.cell = l.float(), l.float(), l.float()
	g.deaths = l.below(math.MaxUint64, "the deaths before a grid")
	g.points = loadRoom[gridPoint](l, m, &g.owned[0], 32)
	loadColumn(l, g.points, unsafe.Offsetof(gridPoint{}.x), 8)
	loadColumn(l, g.points, unsafe.Offsetof(gridPoint{}.y), 8)
	loadColumn(l, g.points, unsafe.Offsetof(gridPoint{}.entity), 8)
	loadColumn(l, g.points, unsafe.Offsetof(gridPoint{}.carried), 8)
	g.starts = loadRoom[int32](l, m, &g.owned[1], 4)
	loadColumn(l, g.starts, 0, 4)
	g.sorted = room[gridPoint](m, nil, &g.owned[2], l.capacity(0, uint64(unsafe.Sizeof(gridPoint{}))))
	runs := 0
	if g.carry.what != carryNothing {
		runs = len(g.points)
	}
	g.cells = room[int32](nil, nil, new(bool), l.capacity(runs, 4))[:runs]
	g.findRuns()
	l.checkCells(w, g)
}

func (l *loader) checkCells(w *World, g *Grid) {
	cells, points := int64(g.cols)*int64(g.rows), len(g.points)
	if points == 0 && cells == 0 {
		return
	}
	if int64(len(g.starts)) != cells+1 || g.starts[0] != 0 || int(g.starts[cells]) != points || !(g.cell > 0) || g.minX-g.minX != 0 || g.minY-g.minY != 0 {
		l.fail("grid %q has %d starts for %d cells", g.spec.Name, len(g.starts), cells)
	}
	for i := range cells {
		if g.starts[i] > g.starts[i+1] {
			l.fail("the cells of grid %q are not in order", g.spec.Name)
		}
	}
	for i := range g.points {
		p := &g.points[i]
		dead := w.slots.find(p.entity) == nil
		if swept := dead && math.IsNaN(p.x); p.y-p.y != 0 || !swept && (p.x-p.x != 0 || dead && g.deaths == w.slots.deaths) {
			l.fail("grid %q has the point %v", g.spec.Name, *p)
		}
	}
}
