package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A grid is the index for neighbour searches. It copies the positions of all entities with a component and sorts
// them by cell; gridsearch.go walks the cells near a point. Snapshots are taken once per frame, so a search costs
// the cells that it touches and not the entities of the world. Compiled loops read the points and starts directly
// (raw.go).

// A GridSpec describes a grid: the positions that it holds, and the width of its cells. See the example of [Search].
type GridSpec struct {
	Name      string
	Component ComponentID
	X, Y      string  // names of two number fields of the component, the coordinates
	Cell      float64 // width of a cell in world units; about the usual search radius is best. 0: chosen at each snapshot, so that a cell has about one entity
	Carry     Carried // a value that a search can ask of each entity that it finds; the zero Carried for none

	// Query limits the grid to the entities that match when the snapshot is taken; nil for all that have the component,
	// which is always their own and never inherited. It may ask for components and tags, not for changes.
	Query *Query
}

// Carried names a value that a grid stores with each point, as it was when the snapshot was taken: a field of a
// component, of a number or boolean type, or a tag. A search that filters by it, for instance by the side a soldier
// fights for, does not have to look up each entity. See the example of [Search].
type Carried struct {
	Component ComponentID
	Field     string // name of a field; "" if a tag is carried, or nothing
	Tag       string // name of a tag; "" if a field is carried, or nothing
}

// A Grid finds the entities near a point, among all entities with a component. It works on a snapshot of their
// positions, which it takes at its first use in a frame; outside of systems it takes one at every use. Entities
// that have moved since are found at their old position, entities that were spawned since are not found, and dead
// entities are left out. A snapshot can always be taken again, so it is not part of the digest.
type Grid struct {
	world  *World
	spec   GridSpec
	x, y   int         // indexes of the two fields in the schema
	taken  uint64      // number of snapshots taken so far
	points []gridPoint // grouped by cell, in storage order within a cell
	starts []int32     // by cell: index of its first point; one more at the end
	owned  [3]bool     // whether points, starts, sorted lie in the world's Memory
	cells  []int32     // by point, while the snapshot is taken: its row, then its cell; afterwards, if the grid carries something: see findRuns
	sorted []gridPoint // scratch: the other half of a double buffer with points
	walks  int         // number of open calls of Near; while there is one, no new snapshot is taken
	carry  gridCarry
	asked  int // how many points were looked up because entities have died, since the snapshot or the last sweep
	gridSnapshot
}

// gridSnapshot says when the points of a grid were taken, and how cells are laid out.
type gridSnapshot struct {
	frame uint64
	tick  Tick
	built bool // taken inside a system: it holds for the rest of the frame
	cols  int
	rows  int
	minX  float64
	minY  float64
	cell  float64 // width of a cell; wider than GridSpec.Cell if the entities are too far apart for so many cells

	deaths uint64 // the world's count of deaths when the points were taken or swept; as long as it is the same, all points are alive
}

type gridPoint struct {
	x, y    float64
	entity  Entity
	carried float64 // what GridSpec.Carry names; nothingCarried if the entity lacks it
}

// DeclareGrid declares a grid. If there is one of that name with the same spec, it is returned; with another spec
// the error is [ErrMismatch].
func (w *World) DeclareGrid(spec GridSpec) (*Grid, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if uint(spec.Component) >= uint(len(w.components)) {
		return nil, fail("declare grid", None, spec.Name, ErrUnknown)
	}
	var err error
	if spec.Query, err = w.membersOf(spec.Query); err != nil {
		return nil, fail("declare grid", None, spec.Name, err)
	}
	n := len(w.grids)
	g, err := w.declareGrid(spec)
	if spec.Query != nil && len(w.grids) == n { // no grid has taken it
		spec.Query.Release()
	}
	return g, err
}

func (w *World) declareGrid(spec GridSpec) (*Grid, error) {
	if g := w.LookupGrid(spec.Name); g != nil {
		if g.spec != spec {
			return nil, fail("declare grid", None, spec.Name, fmt.Errorf("%w: it is over %s, not over %s", ErrMismatch, w.describeGrid(&g.spec), w.describeGrid(&spec)))
		}
		return g, nil
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
	if !(spec.Cell >= 0) || math.IsInf(spec.Cell, 0) {
		return nil, fail("declare grid", None, spec.Name, fmt.Errorf("the cell width must be a positive number, or 0, not %v", spec.Cell))
	}
	var err error
	if g.carry, err = w.resolveCarry(spec.Carry); err != nil {
		return nil, fail("declare grid", None, spec.Name, err)
	}
	w.grids = append(w.grids, g)
	return g, nil
}

// LookupGrid returns the grid of that name, nil if there is none.
func (w *World) LookupGrid(name string) *Grid {
	for _, g := range w.grids {
		if g.spec.Name == name {
			return g
		}
	}
	return nil
}

// GridNames returns the names of all grids in the order of declaration.
func (w *World) GridNames() []string {
	names := make([]string, len(w.grids))
	for i, g := range w.grids {
		names[i] = g.spec.Name
	}
	return names
}

// Near calls yield for each entity whose distance to (x, y) is at most radius, with the squared distance. The
// order is cell by cell, from low to high y and then x, and within a cell the storage order. Calls of Near inside
// yield use the same snapshot. An entity at the point itself is visited, too. Entities at infinite or NaN
// positions are never near. [Grid.Search] is the same walk without a function call for each entity.
func (g *Grid) Near(x, y, radius float64, yield func(e Entity, d2 float64) bool) {
	given(yield != nil, "Grid.Near", "a function")
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

// column returns the cell coordinate of v, limited to 0..n-1; that of NaN is 0.
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

// Ready takes a snapshot if [Grid.Near] would take one now. Error: [ErrBytes] if there is no room for it; then
// Near finds nothing.
func (g *Grid) Ready() error {
	made(g.world != nil, "Grid", "World.DeclareGrid")
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

// take takes the snapshot: collect copies the positions and chooses the cells, sortIntoCells groups the points,
// findRuns notes which of them carry the same.
func (g *Grid) take() error {
	if err := g.collect(); err != nil {
		return err
	}
	if err := g.sortIntoCells(); err != nil {
		return err
	}
	g.findRuns()
	return nil
}

// collect copies the finite positions of all entities of the grid, in storage order, with what the grid
// carries. It then chooses the layout of the cells: it doubles the width of a cell until there are at most about
// four cells per point. Error: [ErrBytes].
func (g *Grid) collect() (err error) {
	m, n := g.world.memory, 0
	for _, t := range g.world.tables {
		if t.Has(g.spec.Component) && !t.prefab {
			rows, _ := g.rowsOf(t)
			n += rows
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
		if c == nil || t.prefab {
			continue
		}
		members, chosen := g.rowsOf(t)
		if members == 0 {
			continue
		}
		first, rows := len(g.points), g.cells[:0]
		word := ^uint64(0)
		for row, e := range t.entities {
			if chosen != nil {
				if row%blockRows == 0 {
					word = g.spec.Query.word(chosen, row>>blockShift, window{})
				}
				if word>>(row%blockRows)&1 == 0 {
					continue
				}
			}
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
	if g.cell == 0 {
		g.cell = autoCell(width, height, len(g.points))
	}
	for {
		cols, rows := math.Floor(width/g.cell)+1, math.Floor(height/g.cell)+1
		if cols*rows <= limit {
			g.cols, g.rows = int(cols), int(rows)
			return nil
		}
		g.cell *= 2
	}
}

// position returns the coordinates in a row of a column of the grid's component.
func (g *Grid) position(c *Column, row int) (x, y float64) {
	at, fx, fy := c.at(row), &c.info.schema.fields[g.x], &c.info.schema.fields[g.y]
	if fx.Type == F64 && fy.Type == F64 { // as it mostly is
		return *(*float64)(unsafe.Add(at, fx.Offset)), *(*float64)(unsafe.Add(at, fy.Offset))
	}
	return loadNumber(unsafe.Add(at, fx.Offset), fx.Type), loadNumber(unsafe.Add(at, fy.Offset), fy.Type)
}

// sortIntoCells groups the points by cell, with a counting sort that keeps the storage order within a cell. Error:
// [ErrBytes].
func (g *Grid) sortIntoCells() (err error) {
	n := g.cols * g.rows
	w, m := g.world, g.world.memory
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
	copy(g.starts[1:], g.starts[:n]) // each start was advanced to the start of the next cell: shift them back
	g.starts[0] = 0
	g.points, g.sorted = g.sorted, g.points
	g.owned[0], g.owned[2] = g.owned[2], g.owned[0]
	return nil
}

// Spec returns the spec with which the grid was declared.
func (g *Grid) Spec() GridSpec { return g.spec }
