package ecs

import (
	"math"
	"math/bits"
)

// A Search walks the entities near a point, with the result and order of [Grid.Near], but without a function call
// for each of them:
//
//	for s := grid.Search(x, y, radius); s.Next(); {
//		e, d2 := s.Entity(), s.D2()
//		…
//	}
//
// A Search is a value; do not copy it while it is in use. It need not be ended, and it allocates nothing.
//
// Points are tested 64 at a time into a mask, without a branch per point. The mask is used up point by point. If
// an entity has died since the snapshot, the rest of the points is looked up one by one.
//
// Before the first Next that is true, Entity, D2 and Carried end in a nil dereference.
type Search struct {
	grid   *Grid
	x, y   float64    // the point
	r2     float64    // the squared radius
	taken  uint64     // number of the snapshot that it walks
	deaths uint64     // the world's count of deaths up to which the points of mask are known to be alive
	mask   uint64     // of the 64 points from base on: those that are near and not visited yet
	base   int        // index of a point
	point  *gridPoint // the current point
	next   int        // the next point to look at
	end    int        // index after the last point of this row of cells
	row    int        // the next row of cells
	last   int        // the last row of cells
	x0, x1 int        // the first and last column of cells
	kind   searchKind // how carried values are tested
	value  float64    // the value of Only or Except

	narrowed bool // r2 is smaller than when rows and columns were chosen
}

// searchKind says which of the near entities a Search visits.
type searchKind uint8

const (
	searchAll searchKind = iota
	searchOnly
	searchExcept
)

// Only returns the search, limited to entities that carry v (see [GridSpec.Carry]). The search must not have
// begun.
func (s Search) Only(v float64) Search {
	s.kind, s.value = searchOnly, v
	return s
}

// Except returns the search without the entities that carry v, a NaN, or nothing. The search must not have begun.
func (s Search) Except(v float64) Search {
	s.kind, s.value = searchExcept, v
	return s
}

// Search starts a walk over the entities whose distance to (x, y) is at most radius. It takes a snapshot if
// [Grid.Near] would take one; if there is no room for it, the walk is empty. A snapshot that is taken later
// invalidates the Search, and its Next panics. Within a system this cannot happen, because a snapshot holds for
// the rest of the frame.
func (g *Grid) Search(x, y, radius float64) Search {
	made(g.world != nil, "Grid", "World.DeclareGrid")
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

// mustHaveSnapshot panics if the grid has no snapshot that a worker of a parallel walk may use: workers cannot
// take one.
func (g *Grid) mustHaveSnapshot() {
	if g.taken == 0 || g.frame != g.world.clock.frame || g.built != (g.world.system != nil) || !g.built && g.tick != g.world.Tick() {
		panic(noSnapshot)
	}
}

// Next moves to the next entity that is near. It reports false at the end.
func (s *Search) Next() bool {
	if s.mask == 0 || s.deaths != s.grid.world.slots.deaths || s.taken != s.grid.taken {
		return s.more()
	}
	s.point = &s.grid.points[s.base+bits.TrailingZeros64(s.mask)]
	s.mask &= s.mask - 1
	return true
}

// more is the cold path of Next: it tests further points when the mask is used up, and it looks up points one by
// one once an entity has died since the snapshot.
func (s *Search) more() bool {
	made(s.grid != nil, "Search", "Grid.Search")
	g := s.grid
	if s.taken != g.taken {
		panic(searchOver)
	}
	for {
		for s.mask == 0 {
			for s.next == s.end {
				if s.narrowed {
					s.tighten()
				}
				if s.row > s.last {
					return false
				}
				first := s.row * g.cols // the cells of one row are consecutive in points
				s.next, s.end = int(g.starts[first+s.x0]), int(g.starts[first+s.x1+1])
				s.row++
			}
			if s.kind != searchAll && g.carry.what != carryNothing {
				if s.next = s.leave(s.next, s.end); s.next == s.end {
					continue
				}
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
			s.deaths = g.deaths // so that Next takes the cold path for the next point, too
			return true
		}
	}
}

// test returns a mask of those points, at most 64, that the search visits. It has no branch per point, because a
// processor cannot predict which points are near.
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
			mask |= bit(p.d2(x, y) <= r2) & bit(math.Abs(p.carried-v) > 0) << (i & 63) // false if either is NaN
		}
	default:
		panic("ecs: a search of an unknown kind")
	}
	return mask
}

// bit returns 1 for true and 0 for false; it compiles to no branch.
func bit(b bool) (n uint64) {
	if b {
		n = 1
	}
	return n
}

// d2 returns the squared distance of the point to (x, y). The explicit conversions forbid fused multiply-add, so
// that all machines get the same bits.
func (p *gridPoint) d2(x, y float64) float64 {
	dx, dy := p.x-x, p.y-y
	return float64(dx*dx) + float64(dy*dy)
}

// sweep removes dead entities from the snapshot, by moving their points to NaN. It does so only when the look-ups
// so far have cost as much as the sweep.
func (g *Grid) sweep() {
	if g.asked <= len(g.points) {
		return
	}
	if j := g.world.journal; j != nil {
		j.sweeps(g)
	}
	for i := range g.points {
		if p := &g.points[i]; !g.world.Alive(p.entity) {
			p.x = math.NaN() // near nothing
		}
	}
	g.deaths, g.asked = g.world.slots.deaths, 0
}

// Narrow reduces the radius: entities whose squared distance is greater than d2 are left out from now on. Some of
// them may still be visited, because they were tested before. A search for the nearest entity therefore compares
// distances, and calls Narrow with each new minimum.
func (s *Search) Narrow(d2 float64) {
	if d2 < s.r2 {
		s.r2, s.narrowed = d2, true
	}
}

// Entity returns the current entity.
func (s *Search) Entity() Entity { return s.point.entity }

// D2 returns the squared distance between the point and the current entity, at its position in the snapshot.
func (s *Search) D2() float64 { return s.point.d2(s.x, s.y) }

// Carried returns the value that the grid carries for the current entity (see [GridSpec]): the value of the field,
// or 0 or 1 for a boolean. It reports false if the entity lacked the component or the tag when the snapshot was
// taken, and for a grid that carries nothing.
func (s *Search) Carried() (float64, bool) {
	v := s.point.carried
	return v, math.Float64bits(v) != nothingCarried
}
