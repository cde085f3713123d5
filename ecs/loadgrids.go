package ecs

import (
	"math"
	"unsafe"
)

func loadGrids(w *World, l *loader) {
	for i := range l.count(8) {
		spec := GridSpec{Name: l.text()}
		spec.Component = ComponentID(l.below(uint64(len(w.components)), "the component of a grid"))
		spec.X, spec.Y, spec.Cell = l.text(), l.text(), l.float()
		spec.Carry.Component = ComponentID(l.below(math.MaxUint32+1, "the component that a grid carries"))
		spec.Carry.Field, spec.Carry.Tag = l.text(), l.text()
		g, err := w.DeclareGrid(spec)
		l.must(err)
		if len(w.grids) != i+1 {
			l.fail("grid %q is declared twice", spec.Name)
		}
		if l.flag() {
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
