package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Walks over the cells of a layer by kernels. Package loops uses a CellWalk as it uses an EventWalk: what is walked are rows with x and y. The value of
// a cell is no part of them, because a kernel reads it when the walk reaches the cell.

// A cellRow is what a kernel gets for a cell: a row of CellSchema.
type cellRow struct{ x, y int32 }

// CellSchema is the layout of the rows of a walk over cells.
var CellSchema = ecs.Must(ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.I32}, ecs.Field{Name: "y", Type: ecs.I32}))

// cellBlock is how many rows are made at once: they stay in the first cache.
const cellBlock = 1024

// A CellWalk is the walk of a loop over layer:each or layer:around that a kernel runs in place of the script. The order of use is that of an EventWalk.
type CellWalk struct {
	layer *layer
	name  string // of the function, for messages
	most  int    // of around: how many cells there are at most
	cells cells  // behind the rows
	first cells  // from the first of the rows on
	rows  []cellRow
	next  int        // index in rows
	loop  *layerWalk // the loop that cells were handed over to; nil if there was none
}

// Open finds out what LAYER:METHOD would walk, given the layer and the arguments on L's stack. It returns false if the loop must run as it is written:
// then it may raise an error.
func (w *CellWalk) Open(L *lua.LState, method string) bool {
	var head []lua.LValue
	for i := range L.GetTop() {
		head = append(head, L.Get(i+1))
	}
	return w.Reopen(head, method)
}

// Reopen is Open for values that are not on a stack.
func (w *CellWalk) Reopen(head []lua.LValue, method string) bool {
	l := layerOf(head[0])
	if l == nil || l.world.surface.loading > 0 {
		return false
	}
	w.layer, w.loop, w.rows, w.next = l, nil, w.rows[:0], 0
	if method == "each" {
		w.name, w.cells = "layer:each", cells{}
		return len(head) == 1
	}
	if len(head) != 4 && len(head) != 5 {
		return false
	}
	var at [3]int
	for i := range at {
		v, number := head[1+i].(lua.LNumber)
		n, whole := wholeOf(float64(v))
		if !number || !whole {
			return false
		}
		at[i] = n
	}
	kind := ecs.Moore
	if len(head) == 5 {
		switch head[4] {
		case lua.LNil, lua.LString("moore"):
		case lua.LString("neumann"):
			kind = ecs.Neumann
		default:
			return false
		}
	}
	area, err := l.Around(at[0], at[1], at[2], kind)
	w.name, w.cells, w.most = "layer:around", cells{area: area, around: true}, int(MostAround(min(float64(at[2]), 1<<20), kind))
	return err == nil
}

// FewCells is how many cells a walk has at least that a kernel is worth: to begin with a kernel takes as long as so many steps of an interpreted loop.
const FewCells = 20

// Few reports whether the walk has fewer cells, as far as radius and neighbourhood say. It is valid after Open.
func (w *CellWalk) Few() bool {
	n := w.layer.cells
	if w.cells.around {
		n = min(n, w.most)
	}
	return n < FewCells
}

// MostAround returns how many cells there are around a place, at most.
func MostAround(r float64, kind ecs.Neighbourhood) float64 {
	if kind == ecs.Neumann {
		return 2 * r * (r + 1)
	}
	return 4 * r * (r + 1)
}

// World returns the world of the walk. It is valid after Open.
func (w *CellWalk) World() *World { return w.layer.world }

// Layer returns the layer. It is valid after Open.
func (w *CellWalk) Layer() *ecs.AnyLayer { return w.layer.AnyLayer }

// Begin starts at the first cell. Cells raise no budget, so it returns 0.
func (w *CellWalk) Begin() (rows int) { return 0 }

// None reports whether there are no cells. It is valid after Open, and begins nothing.
func (w *CellWalk) None() bool {
	_, n := w.Rest()
	return n == 0
}

// Event returns the address of the row of the current cell; false at the end.
func (w *CellWalk) Event() (unsafe.Pointer, bool) {
	first, n := w.Rest()
	return first, n > 0
}

// Next moves past the current cell.
func (w *CellWalk) Next() { w.next++ }

// Rest returns the address of the row of the current cell, and how many rows from it on there are; more may follow.
func (w *CellWalk) Rest() (first unsafe.Pointer, n int) {
	if w.next == len(w.rows) {
		w.first, w.next = w.cells, 0
		w.rows = w.cells.take(w.layer, w.rows[:0])
		if len(w.rows) == 0 {
			return nil, 0
		}
	}
	return unsafe.Pointer(&w.rows[w.next]), len(w.rows) - w.next
}

// Skip moves past n cells.
func (w *CellWalk) Skip(n int) { w.next += n }

// HandOver leaves the walk to a loop as it is written: see [EventWalk.HandOver].
func (w *CellWalk) HandOver(L *lua.LState, _ int, once bool) *lua.LFunction {
	l := w.loop
	if l == nil {
		l = &layerWalk{layer: w.layer, name: w.name, turn: w.layer.world.turn}
		l.Init(L.Env, l.push, l)
	}
	l.cells, l.once, l.given = w.first, once, false
	for range w.next {
		_, _, _ = l.cells.next(w.layer)
	}
	w.End()
	return &l.LFunction
}

// Resume takes back a walk that was handed over for one cell: see [EventWalk.Resume].
func (w *CellWalk) Resume(of *lua.LFunction) (rows int, ok bool) {
	l, ok := interp.IteratorOf(of).(*layerWalk)
	if !ok || !l.suspended || l.turn != l.layer.world.turn {
		return 0, false
	}
	l.suspended = false
	w.layer, w.name, w.loop, w.cells, w.rows, w.next = l.layer, l.name, l, l.cells, w.rows[:0], 0
	return 0, true
}

// End ends the walk.
func (w *CellWalk) End() { w.loop = nil }

// cells is a place in a walk over cells: the cells that are left.
type cells struct {
	around bool
	area   ecs.AreaWalk // of around
	x, y   int          // of each: the next cell
}

// take appends the rows of the next cells, at most a block of them.
func (c *cells) take(l *layer, rows []cellRow) []cellRow {
	if c.around {
		for len(rows) < cellBlock && c.area.Next() {
			x, y := c.area.At()
			rows = append(rows, cellRow{int32(x), int32(y)})
		}
		return rows
	}
	for len(rows) < cellBlock && c.y*l.width < l.cells {
		x, last := int32(c.x), int32(min(l.width, c.x+cellBlock-len(rows)))
		for y := int32(c.y); x < last; x++ {
			rows = append(rows, cellRow{x, y})
		}
		if c.x = int(last); c.x == l.width {
			c.x, c.y = 0, c.y+1
		}
	}
	return rows
}

// next returns the next cell; false at the end.
func (c *cells) next(l *layer) (x, y int, ok bool) {
	if c.around {
		if !c.area.Next() {
			return 0, 0, false
		}
		x, y = c.area.At()
		return x, y, true
	}
	if c.y*l.width == l.cells {
		return 0, 0, false
	}
	if x, y = c.x, c.y; c.x+1 < l.width {
		c.x++
	} else {
		c.x, c.y = 0, c.y+1
	}
	return x, y, true
}
