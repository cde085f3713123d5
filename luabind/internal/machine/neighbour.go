package machine

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
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
func (e *emitter) findNeighbours() {
	l := &e.neighbour
	var within func(body []*kernel.Stmt, near []int)
	within = func(body []*kernel.Stmt, near []int) {
		for _, s := range body {
			if s.Op == kernel.Look && s.A.Op == kernel.Reg && slices.Contains(near, s.A.I) {
				if id := e.p.Refs[s.I-e.p.Views].Component; !slices.Contains(l.components, id) {
					l.components = append(l.components, id)
				}
			}
			inner := near
			if s.Op == kernel.Near && s.I >= 0 {
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
func (e *emitter) introduceRow(first, x0, cols, points, neighbours int) {
	from, to, end := e.local(i32), e.local(i32), e.local(i32)
	e.get(first)
	e.get(x0)
	e.i32(2)
	e.op(opI32Shl, opI32Sub)
	e.tee(from)
	e.get(cols)
	e.i32(2)
	e.op(opI32Shl, opI32Add)
	e.memory(opI32Load, 0)
	e.set(end)
	e.get(from)
	e.memory(opI32Load, 0)
	e.tee(from)
	e.set(to)
	e.lookedAt(from, end, 4)
	e.get(from)
	e.get(end)
	e.op(opI32LtU)
	e.then(void)
	e.nth(to, neighbours, e.neighbour.size)
	e.nth(from, points, uint32(ecs.PointSize))
	e.nth(end, points, uint32(ecs.PointSize))
	next := e.loop()
	e.introduce(from, to)
	e.get(to)
	e.i32(int32(e.neighbour.size))
	e.op(opI32Add)
	e.set(to)
	e.get(from)
	e.i32(int32(ecs.PointSize))
	e.op(opI32Add)
	e.tee(from)
	e.get(end)
	e.op(opI32LtU)
	e.again(next)
	e.end()
}

// introduce writes the neighbour at a point.
func (e *emitter) introduce(point, to int) {
	handle, x, slot := e.local(i64), e.local(f64), e.local(i32)
	var columns []int
	for range e.neighbour.components {
		l := e.local(i32)
		e.i32(0)
		e.set(l)
		columns = append(columns, l)
	}
	e.f64(math.NaN())
	e.set(x)
	e.get(point)
	e.memory(opI64Load, uint32(ecs.PointEntity))
	e.tee(handle)
	e.op(opI32WrapI64)
	e.get(e.word(wordSlotCount, 0))
	e.op(opI32LtU)
	e.then(void)
	e.ifLives(handle, slot, func() {
		e.get(point)
		e.memory(opF64Load, uint32(ecs.PointX))
		e.set(x)
		for i, id := range e.neighbour.components {
			e.columnRow(slot, id, e.refSize(id), columns[i])
		}
	})
	e.end()
	e.get(to)
	e.get(handle)
	e.op(opF64ConvertI64S)
	e.memory(opF64Store, e.neighbour.entity)
	e.get(to)
	e.get(x)
	e.memory(opF64Store, neighbourX)
	e.get(to)
	e.get(point)
	e.memory(opF64Load, uint32(ecs.PointY))
	e.memory(opF64Store, neighbourY)
	e.get(to)
	e.get(handle)
	e.op(opI32WrapI64)
	e.memory(opI32Store, neighbourSlot)
	for i, l := range columns {
		e.get(to)
		e.get(l)
		e.memory(opI32Store, neighbourFirst+4*uint32(i))
	}
}

// slotOf puts the address of the slot of a neighbour on the stack.
func (e *emitter) slotOf(neighbour int) {
	e.get(neighbour)
	e.memory(opI32Load, neighbourSlot)
	e.i32(int32(ecs.SlotSize))
	e.op(opI32Mul)
	e.get(e.word(wordSlots, 0))
	e.op(opI32Add)
}

// refSize is how large a component is that a Look finds.
func (e *emitter) refSize(id ecs.ComponentID) int32 {
	i := slices.IndexFunc(e.p.Refs, func(r kernel.Ref) bool { return r.Component == id && r.Query < 0 })
	return int32(e.p.Refs[i].Schema.Size())
}

// lookedAt counts the points from one number to another, each some times.
func (e *emitter) lookedAt(from, to int, times int32) {
	e.get(e.looked)
	e.get(to)
	e.get(from)
	e.op(opI32Sub)
	e.i32(times)
	e.op(opI32Mul, opI32Add)
	e.set(e.looked)
}
