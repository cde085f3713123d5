package design

import (
	"fmt"

	"github.com/ecsrun/ecsrun/config"
)

// A Design is a list of points.
type Design interface {
	// Len returns the number of points.
	Len() int
	// At writes the coordinates of a point, one for each key, each from 0 to 1, and below 1 unless the design is a grid or morris.
	At(i int, u []float64)
}

// New returns the design of a sweep over so many keys. levels has the number of values of each key, 0 for a range that a grid divides into steps.
// New refuses a list, whose points are values and not places of the unit cube.
func New(d config.Design, levels []int) (Design, error) {
	k := len(levels)
	switch d.Kind {
	case config.DesignGrid:
		sides := make([]int, k)
		for i, n := range levels {
			if sides[i] = n; n == 0 {
				sides[i] = d.Steps
			}
		}
		return newGrid(sides)
	case config.DesignRandom:
		return random{d.Points, d.Seed}, nil
	case config.DesignLHS:
		return newHypercube(d.Points, k, d.Seed), nil
	case config.DesignSobol:
		return sobol{d.Points, newSequence(k)}, nil
	case config.DesignMorris:
		return morris{d.Points, k, d.Levels, d.Seed}, nil
	case config.DesignSaltelli:
		return newSaltelli(d.Points, k, d.Seed), nil
	}
	return nil, fmt.Errorf("design: kind %q", d.Kind)
}

// mostPoints is the largest number of points of a grid.
const mostPoints = 1 << 30

// A grid has each combination of the steps of its keys; the last key is the innermost.
type grid struct {
	sides []int
	n     int
}

func newGrid(sides []int) (Design, error) {
	g := grid{sides, 1}
	for _, n := range sides {
		if g.n > mostPoints/n {
			return nil, fmt.Errorf("the grid has more than %d points; vary fewer keys, take fewer steps, or choose points by sobol or lhs", mostPoints)
		}
		g.n *= n
	}
	return g, nil
}

func (g grid) Len() int { return g.n }

func (g grid) At(i int, u []float64) {
	for k := len(g.sides) - 1; k >= 0; k-- {
		n := g.sides[k]
		if u[k] = 0; n > 1 {
			u[k] = float64(i%n) / float64(n-1)
		}
		i /= n
	}
}

// Index returns which of n values a coordinate stands for: on a grid the ends are the first and the last, elsewhere each has an equal part of the side.
func Index(kind string, u float64, n int) int {
	if kind == config.DesignGrid || kind == config.DesignMorris {
		return min(int(u*float64(n-1)+0.5), n-1)
	}
	return min(int(u*float64(n)), n-1)
}
