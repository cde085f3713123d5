package ecs

import "math"

// Runs: parts of a snapshot that a search can leave out at once. A search for what is carried (Only, Except) meets
// long runs of points that it does not ask for, such as the comrades around a soldier who looks for enemies. findRuns
// notes once for each snapshot where the runs end, and Search.leave jumps to the end of a run. A search that was
// narrowed leaves out the cells that are too far away by now.

// findRuns sets cells, for each point of a grid that carries something, to the index after its run. The run of a
// point with a value ends before the next point with another value. The run of a point that carries nothing ends
// before the next point that carries something. So no point in the rest of a run has a value that its first point
// has not.
func (g *Grid) findRuns() {
	if g.carry.what == carryNothing {
		return
	}
	some, other := len(g.points), len(g.points) // the next point with a value; the next one with another value than that
	value := math.NaN()                         // of point some
	for i := len(g.points) - 1; i >= 0; i-- {
		v := g.points[i].carried
		if math.Float64bits(v) == nothingCarried {
			g.cells[i] = int32(some)
			continue
		}
		if v != value { // a NaN is a run of its own
			other, value = some, v
		}
		g.cells[i], some = int32(other), i
	}
}

// leave returns the index of the next point, from i on and before end, that may carry what the search asks for. It
// looks at the beginnings of runs only.
func (s *Search) leave(i, end int) int {
	for i < end {
		v := s.grid.points[i].carried
		if (v == s.value) == (s.kind == searchOnly) && math.Float64bits(v) != nothingCarried {
			return i
		}
		i = int(s.grid.cells[i])
	}
	return end
}

// tighten leaves out the rows and columns of cells that are farther away than the radius to which the search was
// narrowed. The distance is rounded up a little, so that no rounding loses a point: a squared distance is rounded
// three times, and it may be 0 for points that are closer than 1e-150.
func (s *Search) tighten() {
	s.narrowed = false
	if s.r2 < 0 { // nothing is that near
		s.last = s.row - 1
		return
	}
	g, radius := s.grid, float64(math.Sqrt(s.r2)*(1+1e-12))+1e-150
	s.x0, s.x1 = max(s.x0, g.column(s.x-radius, g.minX, g.cols)), min(s.x1, g.column(s.x+radius, g.minX, g.cols))
	s.row, s.last = max(s.row, g.column(s.y-radius, g.minY, g.rows)), min(s.last, g.column(s.y+radius, g.minY, g.rows))
}
