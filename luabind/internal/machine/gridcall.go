package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// snapshot fills in what code asks for; false when it cannot reach that.
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
	if (!owner.Kept || owner.Taken != g.Taken) && !k.introduces(first, g) {
		return false
	}
	// There is one more than can be found: who is not near is written, too, and then
	// written over.
	list := &k.taken.nears[loop]
	points, ok := k.memory.Address(g.Points)
	starts, also := k.memory.Address(g.Starts)
	if !ok || !also || list.Set((g.N+1)*int(abi.FoundSize)/4) == nil {
		return false
	}
	v.Points, v.Starts, v.List = points, starts, list.Address
	v.Neighbours, v.Met = owner.Neighbours, owner.Met
	v.LastCol, v.LastRow = uint32(g.Cols-1), uint32(g.Rows-1)
	v.MinX, v.MinY, v.Cell = g.MinX, g.MinY, g.Cell
	return true
}

// introduces makes room for the neighbours of a snapshot, who are still to be met. A
// loop that goes through two of them at once may look beyond the last.
func (k *Kernel) introduces(first int, g ecs.RawGrid) bool {
	v, l := k.frame.GridView(first), &k.taken.nears[len(k.unit.Nears)+first]
	words := (g.N + 1) * int(k.unit.Neighbour) / 4
	all := l.Set(words + g.Rows)
	if all == nil {
		return false
	}
	clear(all[words:])
	v.Neighbours, v.Met = l.Address, l.Address+4*uint32(words)
	v.Kept, v.Taken = true, g.Taken
	return true
}
