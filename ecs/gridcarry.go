package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// nothingCarried are the bits of gridPoint.carried for an entity that lacks what the grid carries. They are a NaN
// that no field yields, because loadCarried replaces every NaN by math.NaN().
const nothingCarried = 0xfff8_0000_0000_0002

// A gridCarry is [GridSpec.Carry] with its names resolved. The zero gridCarry carries nothing.
type gridCarry struct {
	what   carryKind
	offset uintptr   // carryField: of the field in GridSpec.Carry.Component
	kind   FieldType // carryField
	tag    TagID     // carryTag
}

type carryKind uint8

const (
	carryNothing carryKind = iota
	carryField
	carryTag
)

// resolveCarry finds the field or tag that c names; its error says which name is wrong.
func (w *World) resolveCarry(c Carried) (g gridCarry, err error) {
	switch {
	case c.Field != "" && c.Tag != "":
		return g, fmt.Errorf("it carries either a field or a tag, not both %q and %q", c.Field, c.Tag)
	case c.Tag != "":
		tag, ok := w.LookupTag(c.Tag)
		if !ok {
			return g, fmt.Errorf("tag %q: %w", c.Tag, ErrUnknown)
		}
		return gridCarry{what: carryTag, tag: tag}, nil
	case c.Field == "":
		return g, nil
	case uint(c.Component) >= uint(len(w.components)):
		return g, fmt.Errorf("carried field: %w", unknownID("component", c.Component))
	}
	info := w.components[c.Component]
	i := info.schema.Index(c.Field)
	if i < 0 {
		return g, fmt.Errorf("component %q has no field %q", info.name, c.Field)
	}
	f := info.schema.fields[i]
	if t := f.Type; !t.Numeric() && t != Bool && t != EntityField || t == I64 || t == U64 {
		return g, fmt.Errorf("field %q of component %q is of type %s; a grid carries booleans, entities, and numbers that a float64 holds exactly", f.Name, info.name, t)
	}
	return gridCarry{what: carryField, offset: f.Offset, kind: f.Type}, nil
}

// loadCarried sets the carried value of points, which are rows of table t and carry nothing so far. rows has the
// row of each point.
func (g *Grid) loadCarried(t *Table, points []gridPoint, rows []int32) {
	switch g.carry.what {
	case carryNothing:
	case carryTag:
		tag := g.world.tags[g.carry.tag]
		for i := range points {
			if tag.has(points[i].entity) {
				points[i].carried = 1
			}
		}
	case carryField:
		c := t.Column(g.spec.Carry.Component)
		if c == nil {
			return
		}
		for i := range points {
			v := loadNumber(unsafe.Add(c.at(int(rows[i])), g.carry.offset), g.carry.kind)
			if v != v {
				v = math.NaN()
			}
			points[i].carried = v
		}
	default:
		panic("ecs: a grid carries something unknown")
	}
}

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
