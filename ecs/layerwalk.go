package ecs

import (
	"iter"
	"math"
)

// A Neighbourhood says which places are around a place. See the example of [AreaWalk].
type Neighbourhood uint8

// The neighbourhoods.
const (
	Moore   Neighbourhood = iota // the square: |dx| and |dy| are at most r
	Neumann                      // the diamond: |dx| + |dy| is at most r
)

// An AreaWalk walks the places around a place, by offset: dy from -r to r, and within it dx from -r to r, never the place
// itself. What lies outside is left out; in an area that wraps, each place comes once, at its first offset, however small
// the area is. It allocates nothing.
type AreaWalk struct {
	width, height int
	wrap          bool
	x, y, r       int
	kind          Neighbourhood
	dx, dy        int // of the place that Next found
	last          int // the last dx of the row
	left          int // places that can still come, under wrap
}

// Around returns a walk around (x, y). Error: the place is outside of a layer that does not wrap, or r is negative.
func (l *AnyLayer) Around(x, y, r int, kind Neighbourhood) (AreaWalk, error) {
	if _, err := l.Cell(x, y); err != nil {
		return AreaWalk{}, err
	}
	if r < 0 {
		return AreaWalk{}, l.wrong("around: r is %d; a whole number from 0 expected", r)
	}
	return aroundArea(l.spec.Width, l.spec.Height, l.spec.Wrap, x, y, r, kind), nil
}

// aroundArea returns a walk in an area of a size. The place is inside, unless the area wraps.
func aroundArea(width, height int, wrap bool, x, y, r int, kind Neighbourhood) AreaWalk {
	a := AreaWalk{width: width, height: height, wrap: wrap, r: min(r, math.MaxInt/2), kind: kind}
	a.x, a.y = modulo(x, width), modulo(y, height)
	a.left = width*height - 1
	a.dy = -a.r
	if !wrap {
		a.dy = max(a.dy, -a.y)
	}
	a.beginRow()
	return a
}

// reach returns the greatest |dx| in the row of an offset, -1 if the row has none.
func (a *AreaWalk) reach(dy int) int {
	if dy < 0 {
		dy = -dy
	}
	if dy > a.r {
		return -1
	}
	if a.kind == Neumann {
		return a.r - dy
	}
	return a.r
}

// beginRow sets dx before the first offset of the row, and last to its last one.
func (a *AreaWalk) beginRow() {
	reach := a.reach(a.dy)
	first, last := -reach, reach
	if a.wrap {
		last = min(last, first+a.width-1) // the offsets after these are places that came already
	} else {
		first, last = max(first, -a.x), min(last, a.width-1-a.x)
	}
	a.dx, a.last = first-1, last
}

// Next goes to the next place. It returns false after the last one.
func (a *AreaWalk) Next() bool {
	lastRow := a.r
	if !a.wrap {
		lastRow = min(lastRow, a.height-1-a.y)
	}
	for a.width > 0 && a.left > 0 {
		if a.dx >= a.last {
			if a.dy >= lastRow {
				return false
			}
			a.dy++
			a.beginRow()
			continue
		}
		a.dx++
		if a.wrap {
			if a.dx%a.width == 0 && a.dy%a.height == 0 || a.came() {
				continue
			}
		} else if a.dx == 0 && a.dy == 0 {
			continue
		}
		a.left--
		return true
	}
	return false
}

// came reports whether the place of the offset came in an earlier row: under wrap, rows that are a multiple of the height
// apart are the same row.
func (a *AreaWalk) came() bool {
	column := modulo(a.dx, a.width)
	nearest := min(column, a.width-column) // the smallest |dx| of the place
	for dy := a.dy - a.height; dy >= -a.r; dy -= a.height {
		if nearest <= a.reach(dy) {
			return true
		}
	}
	return false
}

// At returns the place that Next found.
func (a *AreaWalk) At() (x, y int) {
	x, y = a.x+a.dx, a.y+a.dy
	if a.wrap {
		return modulo(x, a.width), modulo(y, a.height)
	}
	return x, y
}

// All returns the places of the walk that are left, for range.
func (a *AreaWalk) All() iter.Seq2[int, int] {
	return func(yield func(x, y int) bool) {
		for a.Next() {
			if !yield(a.At()) {
				return
			}
		}
	}
}
