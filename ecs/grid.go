package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A GridSpec describes a neighbour grid: whose positions it holds, and how wide its cells are.
type GridSpec struct {
	Name      string
	Component ComponentID
	X, Y      string  // names of two number fields of the component
	Cell      float64 // width of a cell in world units; about the usual search radius is best
	Carry     Carried // what a search asks of each entity it finds; the zero Carried for nothing
}

// Carried names a value that a grid keeps with each point, as it was when the snapshot was taken. A search that filters by it, for instance by
// the side that a soldier fights for, does not have to look up each entity. It is a field of numbers or booleans of a component, or a tag.
type Carried struct {
	Component ComponentID
	Field     string // name of a field; "" if a tag is carried, or nothing
	Tag       string // name of a tag; "" if a field is carried, or nothing
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
	cells  []int32     // scratch: the row in its table of each point, then its cell
	sorted []gridPoint // scratch
	walks  int         // open calls of Near: the snapshot stays while somebody walks it
	carry  gridCarry
	asked  int // how often a search had to ask whether a point lives, since the snapshot or the last sweep
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

	deaths uint64 // entities that had died in the world when the points were taken, or swept: all points live while no more have
}

type gridPoint struct {
	x, y    float64
	entity  Entity
	carried float64 // what GridSpec.Carry names; nothingCarried if the entity lacks it
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
	var err error
	if g.carry, err = w.resolveCarry(spec.Carry); err != nil {
		return nil, fail("declare grid", None, spec.Name, err)
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
// within a cell in storage order. A Near inside yield sees the same snapshot. The entity at the point itself is visited, too. Entities at infinite or NaN
// positions are never near. [Grid.Search] is the same walk without a call for each entity.
func (g *Grid) Near(x, y, radius float64, yield func(e Entity, d2 float64) bool) {
	s := g.Search(x, y, radius)
	if !g.world.slots.parallel { // the count is not one worker's to change
		g.walks++
		defer func() { g.walks-- }()
	}
	for s.Next() {
		if !yield(s.Entity(), s.D2()) {
			return
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
	var heap bool
	if g.cells, err = enlarge(g.world, nil, g.cells[:0], &heap, n); err != nil {
		return err
	}
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	lacks := math.Float64frombits(nothingCarried)
	for _, t := range g.world.tables {
		c := t.Column(g.spec.Component)
		if c == nil {
			continue
		}
		first, rows := len(g.points), g.cells[:0]
		for row, e := range t.entities {
			x, y := g.position(c, row)
			if x-x != 0 || y-y != 0 { // infinite or NaN
				continue
			}
			minX, maxX = min(minX, x), max(maxX, x)
			minY, maxY = min(minY, y), max(maxY, y)
			g.points, rows = append(g.points, gridPoint{x: x, y: y, entity: e, carried: lacks}), append(rows, int32(row))
		}
		g.loadCarried(t, g.points[first:], rows)
	}
	g.deaths, g.asked = g.world.slots.deaths, 0
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

// position returns the point of a row of a column of the grid's component.
func (g *Grid) position(c *Column, row int) (x, y float64) {
	at, fx, fy := c.at(row), &c.info.schema.fields[g.x], &c.info.schema.fields[g.y]
	if fx.Type == F64 && fy.Type == F64 { // as it mostly is
		return *(*float64)(unsafe.Add(at, fx.Offset)), *(*float64)(unsafe.Add(at, fy.Offset))
	}
	return loadNumber(unsafe.Add(at, fx.Offset), fx.Type), loadNumber(unsafe.Add(at, fy.Offset), fy.Type)
}

// sortIntoCells groups the points by cell with a counting sort, which keeps storage order within a cell.
func (g *Grid) sortIntoCells() (err error) {
	n := g.cols * g.rows
	w, m := g.world, g.world.options.Memory
	if g.starts, err = enlarge(w, m, g.starts[:0], &g.owned[1], n+1); err != nil {
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
