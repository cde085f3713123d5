package ecs

import (
	"math"
	"math/bits"
)

// A Search walks the entities near a point, as [Grid.Near] does and in its order, without a call for each of them:
//
//	for s := grid.Search(x, y, radius); s.Next(); {
//		e, d2 := s.Entity(), s.D2()
//		…
//	}
//
// A Search is a value; do not copy it while it is open. It needs no end. It allocates nothing.
type Search struct {
	grid   *Grid
	x, y   float64    // the point
	r2     float64    // the squared radius
	taken  uint64     // the snapshot that it walks
	deaths uint64     // entities that had died when mask was made
	mask   uint64     // of the 64 points from base on: those that are near and not visited yet
	base   int        // number of a point
	point  *gridPoint // the current point
	next   int        // the next point to look at
	end    int        // behind the last point of this row of cells
	row    int        // the next row of cells
	last   int        // the last row of cells
	x0, x1 int        // the first and last column of cells
	kind   searchKind
	value  float64 // of Only and Except
}

// searchKind says which of the entities that are near a Search visits.
type searchKind uint8

const (
	searchAll searchKind = iota
	searchOnly
	searchExcept
)

// Only returns the search, which has not begun, without all entities but those that carry v ([GridSpec.Carry]).
func (s Search) Only(v float64) Search {
	s.kind, s.value = searchOnly, v
	return s
}

// Except returns the search, which has not begun, without the entities that carry v, a NaN, or nothing.
func (s Search) Except(v float64) Search {
	s.kind, s.value = searchExcept, v
	return s
}

// Search begins a walk over the entities whose distance to (x, y) is at most radius. It takes the snapshot when [Grid.Near] would; without
// room for one the walk is empty. A snapshot that is taken later ends the Search: its Next panics then. Within a system that cannot happen,
// because a snapshot holds for the rest of the frame.
func (g *Grid) Search(x, y, radius float64) Search {
	if g.world.slots.parallel { // the snapshot stays
		g.mustHaveSnapshot()
	} else {
		if g.Ready() != nil {
			return Search{grid: g, taken: g.taken, last: -1}
		}
		g.sweep()
	}
	s := Search{grid: g, x: x, y: y, r2: radius * radius, taken: g.taken, deaths: g.deaths, last: -1}
	if len(g.points) > 0 && radius >= 0 {
		s.x0, s.x1 = g.column(x-radius, g.minX, g.cols), g.column(x+radius, g.minX, g.cols)
		s.row, s.last = g.column(y-radius, g.minY, g.rows), g.column(y+radius, g.minY, g.rows)
	}
	return s
}

// mustHaveSnapshot panics in a worker of a parallel walk if the grid has no snapshot that the worker may use.
func (g *Grid) mustHaveSnapshot() {
	if g.taken == 0 || g.frame != g.world.clock.frame || g.built != (g.world.system != nil) || !g.built && g.tick != g.world.Tick() {
		panic(noSnapshot)
	}
}

// Next moves to the next entity that is near; false at the end.
func (s *Search) Next() bool {
	if s.mask == 0 || s.deaths != s.grid.world.slots.deaths || s.taken != s.grid.taken {
		return s.more()
	}
	s.point = &s.grid.points[s.base+bits.TrailingZeros64(s.mask)]
	s.mask &= s.mask - 1
	return true
}

// more is Next where the points at hand are used up, or where an entity has died since they were tested.
func (s *Search) more() bool {
	g := s.grid
	if s.taken != g.taken {
		panic(searchOver)
	}
	for {
		for s.mask == 0 {
			for s.next == s.end {
				if s.row > s.last {
					return false
				}
				first := s.row * g.cols // the cells of a row are neighbours in points, too
				s.next, s.end = int(g.starts[first+s.x0]), int(g.starts[first+s.x1+1])
				s.row++
			}
			points := g.points[s.next:min(s.next+64, s.end)]
			s.base, s.mask = s.next, s.test(points)
			s.next += len(points)
		}
		s.point = &g.points[s.base+bits.TrailingZeros64(s.mask)]
		s.mask &= s.mask - 1
		if s.deaths = g.world.slots.deaths; s.deaths == g.deaths {
			return true
		}
		if !g.world.slots.parallel {
			g.asked++
		}
		if g.world.Alive(s.point.entity) {
			s.deaths = g.deaths // so that the next one is asked, too
			return true
		}
	}
}

// test returns a mask of the points, at most 64, that the search visits. It has no branch for each point: which points are near cannot be
// predicted.
func (s *Search) test(points []gridPoint) (mask uint64) {
	x, y, r2, v := s.x, s.y, s.r2, s.value
	switch s.kind {
	case searchAll:
		for i := range points {
			mask |= bit(points[i].d2(x, y) <= r2) << (i & 63)
		}
	case searchOnly:
		for i := range points {
			p := &points[i]
			mask |= bit(p.d2(x, y) <= r2) & bit(p.carried == v) << (i & 63)
		}
	case searchExcept:
		for i := range points {
			p := &points[i]
			mask |= bit(p.d2(x, y) <= r2) & bit(math.Abs(p.carried-v) > 0) << (i & 63) // with a NaN it is not
		}
	default:
		panic("ecs: a search of an unknown kind")
	}
	return mask
}

// bit returns 1 for true, without a branch.
func bit(b bool) (n uint64) {
	if b {
		n = 1
	}
	return n
}

// d2 returns the squared distance of the point to (x, y); explicit conversions: no fused multiply-add on any machine.
func (p *gridPoint) d2(x, y float64) float64 {
	dx, dy := p.x-x, p.y-y
	return float64(dx*dx) + float64(dy*dy)
}

// sweep takes the dead out of the snapshot once asking whether points live has cost as much as asking all of them.
func (g *Grid) sweep() {
	if g.asked <= len(g.points) {
		return
	}
	if j := g.world.journal; j != nil {
		j.grid(g)
	}
	for i := range g.points {
		if p := &g.points[i]; !g.world.Alive(p.entity) {
			p.x = math.NaN() // near nothing
		}
	}
	g.deaths, g.asked = g.world.slots.deaths, 0
}

// Narrow leaves out, from now on, entities whose squared distance is more than d2. Some of them may still come, so who looks for the nearest
// compares, and narrows the search with each that is nearer than those before.
func (s *Search) Narrow(d2 float64) { s.r2 = min(s.r2, d2) }

// Entity returns the current entity.
func (s *Search) Entity() Entity { return s.point.entity }

// D2 returns the squared distance of the current entity to the point, at the time of the snapshot.
func (s *Search) D2() float64 { return s.point.d2(s.x, s.y) }

// Carried returns what the grid carries of the current entity ([GridSpec]): the value of the field, 0 or 1 for a boolean. It reports false if the
// entity lacked the component or the tag when the snapshot was taken, and for a grid that carries nothing.
func (s *Search) Carried() (float64, bool) {
	v := s.point.carried
	return v, math.Float64bits(v) != nothingCarried
}
