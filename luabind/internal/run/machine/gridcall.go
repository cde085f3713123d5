package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What the host does when code asks for the snapshot of a grid: it takes the snapshot, makes room for the cache and the
// list, and fills in the [abi.GridView].

// snapshot fills in the view of the grid of a loop over near entities; false if code cannot reach the snapshot, or there is
// no memory.
func (k *Kernel) snapshot(loop int) bool {
	v := k.frame.GridView(loop)
	v.Ready, v.Points = 0, 0
	grid := k.unit.Nears[loop].Grid
	if grid == nil { // of a Program that was only to be explained
		return false
	}
	if grid.Ready() != nil {
		return false
	}
	g := ecs.Raw.Grid(grid)
	v.Ready = 1
	if g.N == 0 {
		return true
	}
	first := slices.IndexFunc(k.unit.Nears, func(s *ir.Stmt) bool { return s.Grid == grid })
	owner := k.frame.GridView(first)
	if (!owner.Kept || owner.Taken != g.Taken) && !k.makeCache(first, g) {
		return false
	}
	// There is room for one more than can be found: code writes an entry before it knows whether the entity is near.
	list := &k.taken.nears[loop]
	points, ok := k.memory.Address(g.Points)
	starts, also := k.memory.Address(g.Starts)
	if !ok || !also || list.Set((g.N+1)*int(abi.FoundSize)/4) == nil {
		return false
	}
	v.Points, v.Starts, v.List = points, starts, list.Address
	v.Cache, v.Cached = owner.Cache, owner.Cached
	v.LastCol, v.LastRow = uint32(g.Cols-1), uint32(g.Rows-1)
	v.MinX, v.MinY, v.Cell = g.MinX, g.MinY, g.Cell
	return true
}

// makeCache makes room for the cache of a snapshot, of which nothing is cached. There is one more record than points,
// because code looks at two at a time.
func (k *Kernel) makeCache(first int, g ecs.RawGrid) bool {
	v, l := k.frame.GridView(first), &k.taken.nears[len(k.unit.Nears)+first]
	words := (g.N + 1) * int(k.unit.Neighbour) / 4
	all := l.Set(words + g.Rows)
	if all == nil {
		return false
	}
	clear(all[words:])
	v.Cache, v.Cached = l.Address, l.Address+4*uint32(words)
	v.Kept, v.Taken = true, g.Taken
	return true
}
