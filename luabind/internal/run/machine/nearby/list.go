package nearby

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The list of near entities: the code that walks the cells around a point and collects the records within the
// radius.

// List writes code that appends a record of [abi.FoundSize] bytes for each point within a radius. The arguments x, y, radius
// and to are locals; to has the address after the last found point, and is moved. at is the offset in the frame of the
// [abi.GridView] of the loop, which the host has filled in. filter leaves out points; nil for none. The order is that of [ecs.Grid.Near]: row of cells by row of
// cells, in each by column, in a cell by entity.
func (e *Writer) List(at uint32, x, y, radius, to int, filter *Filter) {
	field := func(op byte, offset uintptr) {
		e.Get(abi.ArgFrame)
		e.Memory(op, at+uint32(offset))
	}
	if filter != nil {
		e.I32(0)
		e.Set(filter.Reach)
	}
	none := e.Block()
	points := e.Local(wasm.I32)
	field(wasm.I32Load, unsafe.Offsetof(abi.GridView{}.Points))
	e.Tee(points)
	e.Op(wasm.I32Eqz)
	e.JumpIf(none)
	e.Get(radius)
	e.around.Zero()
	e.Op(wasm.F64Ge, wasm.I32Eqz)
	e.JumpIf(none)
	// column returns a local with the column or row of a coordinate, limited to the numbers from 0 to last.
	column := func(place, sign int, min, last uintptr) int {
		c, end := e.Local(wasm.I32), e.Local(wasm.I32)
		e.Get(place)
		e.Get(radius)
		e.Op(byte(sign))
		field(wasm.F64Load, min)
		e.Op(wasm.F64Sub)
		field(wasm.F64Load, unsafe.Offsetof(abi.GridView{}.Cell))
		e.Op(wasm.F64Div)
		e.Saturating(wasm.I32TruncSatF64U)
		e.Set(c)
		field(wasm.I32Load, last)
		e.Set(end)
		e.Get(c)
		e.Get(end)
		e.Op(wasm.I32GtU)
		e.Then(wasm.Void)
		e.Get(end)
		e.Set(c)
		e.End()
		return c
	}
	x0 := column(x, wasm.F64Sub, unsafe.Offsetof(abi.GridView{}.MinX), unsafe.Offsetof(abi.GridView{}.LastCol))
	x1 := column(x, wasm.F64Add, unsafe.Offsetof(abi.GridView{}.MinX), unsafe.Offsetof(abi.GridView{}.LastCol))
	y0 := column(y, wasm.F64Sub, unsafe.Offsetof(abi.GridView{}.MinY), unsafe.Offsetof(abi.GridView{}.LastRow))
	y1 := column(y, wasm.F64Add, unsafe.Offsetof(abi.GridView{}.MinY), unsafe.Offsetof(abi.GridView{}.LastRow))
	r2, cols, first, width := e.Local(wasm.F64), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(radius)
	e.Get(radius)
	e.Op(wasm.F64Mul)
	e.Set(r2)
	field(wasm.I32Load, unsafe.Offsetof(abi.GridView{}.LastCol))
	e.I32(1)
	e.Op(wasm.I32Add)
	e.Set(cols)
	e.Get(y0) // first is the address of the start of the first cell in a row of cells
	e.Get(cols)
	e.Op(wasm.I32Mul)
	e.Get(x0)
	e.Op(wasm.I32Add)
	e.I32(2)
	e.Op(wasm.I32Shl)
	field(wasm.I32Load, unsafe.Offsetof(abi.GridView{}.Starts))
	e.Op(wasm.I32Add)
	e.Set(first)
	e.Get(x1)
	e.Get(x0)
	e.Op(wasm.I32Sub)
	e.I32(1)
	e.Op(wasm.I32Add)
	e.I32(2)
	e.Op(wasm.I32Shl)
	e.Set(width)
	records, cached, past := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	field(wasm.I32Load, unsafe.Offsetof(abi.GridView{}.Cache))
	e.Set(records)
	field(wasm.I32Load, unsafe.Offsetof(abi.GridView{}.Cached)) // then of the current row of cells
	e.Get(y0)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Set(cached)
	e.Get(y1) // past is the end of cached
	e.Get(y0)
	e.Op(wasm.I32Sub)
	e.I32(1)
	e.Op(wasm.I32Add)
	e.I32(2)
	e.Op(wasm.I32Shl)
	e.Get(cached)
	e.Op(wasm.I32Add)
	e.Set(past)
	p, end := e.Local(wasm.I32), e.Local(wasm.I32)
	nextRow := e.Loop()
	e.Get(cached)
	e.Memory(wasm.I32Load, 0)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.cacheRow(first, x0, cols, points, records)
	e.Get(cached)
	e.I32(1)
	e.Memory(wasm.I32Store, 0)
	e.End()
	e.Get(first)
	e.Memory(wasm.I32Load, 0)
	e.Set(p)
	e.Get(first)
	e.Get(width)
	e.Op(wasm.I32Add)
	e.Memory(wasm.I32Load, 0)
	e.Set(end)
	e.count(e.looked, p, end, 1)
	if filter != nil {
		e.count(filter.Reach, p, end, 1)
	}
	e.nth(p, records, e.record.size)
	e.nth(end, records, e.record.size)
	if filter != nil {
		e.leave(filter, p, end)
	}
	e.addNear(p, end, x, y, r2, to, filter)
	e.nextRow(first, cols, cached, past, nextRow)
	e.End()
}

// nth writes code that replaces the index of an item, in local n, by its address. items is the local with the
// address of item 0.
func (e *Writer) nth(n, items int, size uint32) {
	e.Get(n)
	e.I32(int32(size))
	e.Op(wasm.I32Mul)
	e.Get(items)
	e.Op(wasm.I32Add)
	e.Set(n)
}

// addNear lists the records from p to end that are within the radius. It looks at two in an iteration, and writes both to the
// list before it knows whether they are near: without a branch, the processor has nothing to predict. So the list needs room
// for one more than can be found, and the cache for one record after the last.
func (e *Writer) addNear(p, end, x, y, r2, to int, filter *Filter) {
	e.Get(p)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	nextPoint := e.Loop()
	d2 := [...]int{e.Local(wasm.F64), e.Local(wasm.F64)}
	for i := 1; i >= 0; i-- { // the second record first: its bounds check covers the first one, too
		dx, dy, at := e.Local(wasm.F64), e.Local(wasm.F64), uint32(i)*e.record.size
		e.Get(p)
		e.Memory(wasm.F64Load, at+recordY)
		e.Get(y)
		e.Op(wasm.F64Sub)
		e.Set(dy)
		e.Get(p)
		e.Memory(wasm.F64Load, at+recordX)
		e.Get(x)
		e.Op(wasm.F64Sub)
		e.Tee(dx)
		e.Get(dx)
		e.Op(wasm.F64Mul)
		e.Get(dy)
		e.Get(dy)
		e.Op(wasm.F64Mul, wasm.F64Add)
		e.Set(d2[i])
	}
	if filter != nil {
		e.addFiltered(p, end, d2, r2, to, filter)
	} else {
		e.addBoth(p, end, d2, r2, to)
	}
	e.Get(p)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Again(nextPoint)
	e.End()
}

// addBoth lists the records at p and after it, if they are within the radius, and moves p past them.
func (e *Writer) addBoth(p, end int, d2 [2]int, r2, to int) {
	for i, d := range d2 {
		e.Get(to)
		e.Get(d)
		e.Memory(wasm.F64Store, abi.FoundD2)
		e.Get(to)
		e.Get(p)
		e.Memory(wasm.I32Store, abi.FoundNeighbour)
		e.Get(to)
		e.Get(d)
		e.Get(r2)
		e.Op(wasm.F64Le)
		if i > 0 {
			e.Get(p)
			e.Get(end)
			e.Op(wasm.I32LtU, wasm.I32And)
		}
		e.I32(4)
		e.Op(wasm.I32Shl, wasm.I32Add)
		e.Set(to)
		e.Get(p)
		e.I32(int32(e.record.size))
		e.Op(wasm.I32Add)
		e.Set(p)
	}
}

// addFiltered is addBoth with a filter. Few records pass most filters, and the processor can predict that: so they are
// written after a branch.
func (e *Writer) addFiltered(p, end int, d2 [2]int, r2, to int, filter *Filter) {
	var add [2]int
	for i := 1; i >= 0; i-- {
		add[i] = e.Local(wasm.I32)
		filter.Holds(p, uint32(i)*e.record.size, d2[i])
		e.Get(d2[i])
		e.Get(r2)
		e.Op(wasm.F64Le, wasm.I32And)
		if i > 0 {
			e.Get(p)
			e.I32(int32(e.record.size))
			e.Op(wasm.I32Add)
			e.Get(end)
			e.Op(wasm.I32LtU, wasm.I32And)
		}
		e.Set(add[i])
	}
	e.Get(add[0])
	e.Get(add[1])
	e.Op(wasm.I32Or)
	e.Then(wasm.Void)
	for i, d := range d2 {
		e.Get(to)
		e.Get(d)
		e.Memory(wasm.F64Store, abi.FoundD2)
		e.Get(to)
		e.Get(p)
		e.I32(int32(uint32(i) * e.record.size))
		e.Op(wasm.I32Add)
		e.Memory(wasm.I32Store, abi.FoundNeighbour)
		e.Get(to)
		e.Get(add[i])
		e.I32(4)
		e.Op(wasm.I32Shl, wasm.I32Add)
		e.Set(to)
	}
	e.End()
	e.Get(p)
	e.I32(int32(2 * e.record.size))
	e.Op(wasm.I32Add)
	e.Set(p)
}
