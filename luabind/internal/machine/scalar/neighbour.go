package scalar

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// A neighbour is what code knows of an entity in the snapshot of a grid: where it
// was, its handle as a number, which slot it has, and where its components are that the
// loops over who is near look up. Nobody dies or moves to another row while a loop
// runs, so all of that is found out once a run, the first time somebody looks at a
// point of the same row of cells. The dead are nowhere, and so near nobody.
const (
	neighbourX     = 0
	neighbourY     = 8
	neighbourSlot  = 16 // number: slots move when an effect takes more of them
	neighbourFirst = 20 // address of the first component, 0 where it lacks that
)

type neighbourLayout struct {
	components []ecs.ComponentID
	entity     uint32 // float64, at the end: reading it first spares all other checks of bounds
	size       uint32
}

// findNeighbours finds out what of neighbours is looked up.
func (e *Emitter) findNeighbours() {
	l := &e.grids.neighbour
	var within func(body []*ir.Stmt, near []int)
	within = func(body []*ir.Stmt, near []int) {
		for _, s := range body {
			if s.Op == ir.Look && s.A.Op == ir.Reg && slices.Contains(near, s.A.I) {
				if id := e.p.Refs[s.I-e.p.Views].Component; !slices.Contains(l.components, id) {
					l.components = append(l.components, id)
				}
			}
			inner := near
			if s.Op == ir.Near && s.I >= 0 {
				inner = append(slices.Clone(near), s.I)
			}
			within(s.Body, inner)
			within(s.Else, inner)
		}
	}
	within(e.p.Body, nil)
	l.entity = (neighbourFirst + 4*uint32(len(l.components)) + 7) &^ 7
	l.size = l.entity + 8
}

// component is where in a neighbour the address of a component is.
func (l *neighbourLayout) component(id ecs.ComponentID) (at uint32, ok bool) {
	i := slices.Index(l.components, id)
	return neighbourFirst + 4*uint32(i), i >= 0
}

// introduceRow writes the neighbours of a row of cells. First is the address of the
// start of one of its cells, x0 the column of that.
func (e *Emitter) introduceRow(first, x0, cols, points, neighbours int) {
	from, to, end := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(first)
	e.Get(x0)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Sub)
	e.Tee(from)
	e.Get(cols)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
	e.Set(end)
	e.Get(from)
	e.Memory(wasm.I32Load, 0)
	e.Tee(from)
	e.Set(to)
	e.lookedAt(from, end, 4)
	e.Get(from)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.nth(to, neighbours, e.grids.neighbour.size)
	e.nth(from, points, uint32(ecs.PointSize))
	e.nth(end, points, uint32(ecs.PointSize))
	next := e.Loop()
	e.introduce(from, to)
	e.Get(to)
	e.I32(int32(e.grids.neighbour.size))
	e.Op(wasm.I32Add)
	e.Set(to)
	e.Get(from)
	e.I32(int32(ecs.PointSize))
	e.Op(wasm.I32Add)
	e.Tee(from)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Again(next)
	e.End()
}

// introduce writes the neighbour at a point.
func (e *Emitter) introduce(point, to int) {
	handle, x, slot := e.Local(wasm.I64), e.Local(wasm.F64), e.Local(wasm.I32)
	var columns []int
	for range e.grids.neighbour.components {
		l := e.Local(wasm.I32)
		e.I32(0)
		e.Set(l)
		columns = append(columns, l)
	}
	e.F64(math.NaN())
	e.Set(x)
	e.Get(point)
	e.Memory(wasm.I64Load, uint32(ecs.PointEntity))
	e.Tee(handle)
	e.Op(wasm.I32WrapI64)
	e.Get(e.word(abi.WordSlotCount, 0))
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.ifLives(handle, slot, func() {
		e.Get(point)
		e.Memory(wasm.F64Load, uint32(ecs.PointX))
		e.Set(x)
		for i, id := range e.grids.neighbour.components {
			e.columnRow(slot, id, e.refSize(id), columns[i])
		}
	})
	e.End()
	e.Get(to)
	e.Get(handle)
	e.Op(wasm.F64ConvertI64S)
	e.Memory(wasm.F64Store, e.grids.neighbour.entity)
	e.Get(to)
	e.Get(x)
	e.Memory(wasm.F64Store, neighbourX)
	e.Get(to)
	e.Get(point)
	e.Memory(wasm.F64Load, uint32(ecs.PointY))
	e.Memory(wasm.F64Store, neighbourY)
	e.Get(to)
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.Memory(wasm.I32Store, neighbourSlot)
	for i, l := range columns {
		e.Get(to)
		e.Get(l)
		e.Memory(wasm.I32Store, neighbourFirst+4*uint32(i))
	}
}

// slotOf puts the address of the slot of a neighbour on the stack.
func (e *Emitter) slotOf(neighbour int) {
	e.Get(neighbour)
	e.Memory(wasm.I32Load, neighbourSlot)
	e.I32(int32(ecs.SlotSize))
	e.Op(wasm.I32Mul)
	e.Get(e.word(abi.WordSlots, 0))
	e.Op(wasm.I32Add)
}

// refSize is how large a component is that a Look finds.
func (e *Emitter) refSize(id ecs.ComponentID) int32 {
	i := slices.IndexFunc(e.p.Refs, func(r ir.Ref) bool { return r.Component == id && r.Query < 0 })
	return int32(e.p.Refs[i].Schema.Size())
}

// lookedAt counts the points from one number to another, each some times.
func (e *Emitter) lookedAt(from, to int, times int32) {
	e.Get(e.grids.looked)
	e.Get(to)
	e.Get(from)
	e.Op(wasm.I32Sub)
	e.I32(times)
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(e.grids.looked)
}
