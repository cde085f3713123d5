package ecs

import (
	"fmt"
	"math"
)

// A GridSpec describes a neighbour grid: whose positions it holds, and how wide its cells are.
type GridSpec struct {
	Name      string
	Component ComponentID
	X, Y      string  // names of two number fields of the component
	Cell      float64 // width of a cell in world units; about the usual search radius is best
}

// A Grid finds the entities near a point, among all entities with a component. It is a snapshot of their positions, taken at its first use in
// a frame (outside systems: at every use). Entities that have moved since are found at their old position, entities spawned since are not
// found, and dead entities are left out. The grid is rebuilt from storage in the next frame, so it is not in the digest.
type Grid struct {
	world  *World
	spec   GridSpec
	x, y   int         // field indexes
	taken  uint64      // snapshots so far
	points []gridPoint // grouped by cell, in storage order within a cell
	starts []int32     // by cell: its first point; one more at the end
	owned  [3]bool     // points, starts, sorted lie in the world's Memory
	cells  []int32     // scratch: the cell of each point
	sorted []gridPoint // scratch
	walks  int         // open calls of Near: the snapshot stays while somebody walks it
	gridSnapshot
}

// gridSnapshot says when the points of a grid were taken, and how they lie in cells.
type gridSnapshot struct {
	frame uint64
	tick  Tick
	built bool // inside a system: it holds for the rest of the frame
	cols  int
	rows  int
	minX  float64
	minY  float64
	cell  float64 // at least GridSpec.Cell: wider when the world is too sparse
}

type gridPoint struct {
	x, y   float64
	entity Entity
}

// DeclareGrid declares a grid, or returns the one of that name when the spec is the same; another spec is [ErrMismatch].
func (w *World) DeclareGrid(spec GridSpec) (*Grid, error) {
	if uint(spec.Component) >= uint(len(w.components)) {
		return nil, fail("declare grid", None, spec.Name, ErrUnknown)
	}
	for _, g := range w.grids {
		if g.spec.Name == spec.Name {
			if g.spec != spec {
				return nil, fail("declare grid", None, spec.Name, ErrMismatch)
			}
			return g, nil
		}
	}
	w.mustBeAlone()
	s := w.components[spec.Component].schema
	g := &Grid{world: w, spec: spec, x: s.Index(spec.X), y: s.Index(spec.Y)}
	for _, f := range []struct {
		name  string
		index int
	}{{spec.X, g.x}, {spec.Y, g.y}} {
		if f.index < 0 || !s.fields[f.index].Type.Numeric() {
			return nil, fail("declare grid", None, spec.Name, fmt.Errorf("component %q has no number field %q", w.components[spec.Component].name, f.name))
		}
	}
	if !(spec.Cell > 0) || math.IsInf(spec.Cell, 0) {
		return nil, fail("declare grid", None, spec.Name, fmt.Errorf("the cell width must be a positive number, not %v", spec.Cell))
	}
	w.grids = append(w.grids, g)
	return g, nil
}

// LookupGrid returns the grid of that name, nil when there is none.
func (w *World) LookupGrid(name string) *Grid {
	for _, g := range w.grids {
		if g.spec.Name == name {
			return g
		}
	}
	return nil
}

// GridNames returns all declared grids in the order of declaration.
func (w *World) GridNames() []string {
	names := make([]string, len(w.grids))
	for i, g := range w.grids {
		names[i] = g.spec.Name
	}
	return names
}

// Near visits the entities whose distance to (x, y) is at most radius, with the squared distance: cell by cell from low to high y, then x;
// within a cell in storage order. A Near inside yield sees the same snapshot. The entity at the point itself is visited, too. Entities at infinite or NaN positions are never near.
func (g *Grid) Near(x, y, radius float64, yield func(e Entity, d2 float64) bool) {
	if g.world.slots.parallel { // the snapshot stays, and the count is not one worker's to change
		if g.taken == 0 || g.frame != g.world.clock.frame || g.built != (g.world.system != nil) || !g.built && g.tick != g.world.Tick() {
			panic(noSnapshot)
		}
	} else {
		if g.Ready() != nil {
			return
		}
		g.walks++
		defer func() { g.walks-- }()
	}
	if len(g.points) == 0 || !(radius >= 0) {
		return
	}
	x0, x1 := g.column(x-radius, g.minX, g.cols), g.column(x+radius, g.minX, g.cols)
	y0, y1 := g.column(y-radius, g.minY, g.rows), g.column(y+radius, g.minY, g.rows)
	r2 := radius * radius
	for cy := y0; cy <= y1; cy++ {
		// The cells of a row are neighbours in points, too.
		for _, p := range g.points[g.starts[cy*g.cols+x0]:g.starts[cy*g.cols+x1+1]] {
			dx, dy := p.x-x, p.y-y
			d2 := float64(dx*dx) + float64(dy*dy) // explicit: no fused multiply-add on any machine
			if d2 <= r2 && g.world.Alive(p.entity) && !yield(p.entity, d2) {
				return
			}
		}
	}
}

// column returns the cell coordinate of v, cut to the grid; NaN counts as the first.
func (g *Grid) column(v, low float64, n int) int {
	c := (v - low) / g.cell
	if !(c > 0) {
		return 0
	}
	if c >= float64(n) {
		return n - 1
	}
	return int(c)
}

// Ready takes the snapshot when [Grid.Near] would, or returns [ErrBytes] if there is no room for it. Until there is room, Near finds nothing.
func (g *Grid) Ready() error {
	g.world.mustBeAlone()
	if g.walks > 0 || g.built && g.world.system != nil && g.frame == g.world.clock.frame && g.frame > 0 {
		return nil
	}
	if j := g.world.journal; j != nil {
		j.grid(g)
	}
	g.taken++
	g.built = false
	if err := g.take(); err != nil {
		g.points, g.cols, g.rows = g.points[:0], 0, 0
		return fail("take grid", None, g.spec.Name, err)
	}
	g.built, g.frame, g.tick = g.world.system != nil, g.world.clock.frame, g.world.Tick()
	return nil
}

func (g *Grid) take() error {
	if err := g.collect(); err != nil {
		return err
	}
	return g.sortIntoCells()
}

func (g *Grid) collect() (err error) {
	m, n := g.world.options.Memory, 0
	for _, t := range g.world.tables {
		if t.Has(g.spec.Component) {
			n += t.Len()
		}
	}
	if g.points, err = enlarge(g.world, m, g.points[:0], &g.owned[0], n); err != nil {
		return err
	}
	s := g.world.components[g.spec.Component].schema
	fx, fy := s.fields[g.x], s.fields[g.y]
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, t := range g.world.tables {
		c := t.Column(g.spec.Component)
		if c == nil {
			continue
		}
		for row, e := range t.entities {
			at := Row{schema: s, ptr: c.at(row)}
			x, y := loadNumber(at.field(fx.Offset), fx.Type), loadNumber(at.field(fy.Offset), fy.Type)
			if x-x != 0 || y-y != 0 { // infinite or NaN
				continue
			}
			minX, maxX = min(minX, x), max(maxX, x)
			minY, maxY = min(minY, y), max(maxY, y)
			g.points = append(g.points, gridPoint{x, y, e})
		}
	}
	g.minX, g.minY, g.cell = minX, minY, g.spec.Cell
	if len(g.points) == 0 {
		g.cols, g.rows = 0, 0
		return nil
	}
	limit := float64(4*len(g.points) + 64) // cells worth having
	width, height := min(maxX-minX, math.MaxFloat64), min(maxY-minY, math.MaxFloat64)
	for {
		cols, rows := math.Floor(width/g.cell)+1, math.Floor(height/g.cell)+1
		if cols*rows <= limit {
			g.cols, g.rows = int(cols), int(rows)
			return nil
		}
		g.cell *= 2
	}
}

// sortIntoCells groups the points by cell with a counting sort, which keeps storage order within a cell.
func (g *Grid) sortIntoCells() (err error) {
	n := g.cols * g.rows
	w, m := g.world, g.world.options.Memory
	if g.starts, err = enlarge(w, m, g.starts[:0], &g.owned[1], n+1); err != nil {
		return err
	}
	var heap bool
	if g.cells, err = enlarge(w, nil, g.cells[:0], &heap, len(g.points)); err != nil {
		return err
	}
	if g.sorted, err = enlarge(w, m, g.sorted[:0], &g.owned[2], len(g.points)); err != nil {
		return err
	}
	g.starts, g.sorted = g.starts[:n+1], g.sorted[:len(g.points)]
	clear(g.starts)
	g.cells = g.cells[:0]
	for _, p := range g.points {
		c := g.column(p.y, g.minY, g.rows)*g.cols + g.column(p.x, g.minX, g.cols)
		g.cells = append(g.cells, int32(c))
		g.starts[c+1]++
	}
	for i := 1; i <= n; i++ {
		g.starts[i] += g.starts[i-1]
	}
	for i, p := range g.points {
		c := g.cells[i]
		g.sorted[g.starts[c]] = p
		g.starts[c]++
	}
	copy(g.starts[1:], g.starts[:n]) // each start has moved to the next cell's: move them back
	g.starts[0] = 0
	g.points, g.sorted = g.sorted, g.points
	g.owned[0], g.owned[2] = g.owned[2], g.owned[0]
	return nil
}

// Spec returns what the grid was declared with.
func (g *Grid) Spec() GridSpec { return g.spec }
