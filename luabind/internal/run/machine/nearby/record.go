package nearby

import (
	"math"
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The cache of a grid's snapshot: one record for each point, with the position and the places of the components
// that the loop looks up.

// A record is what the cache holds of one entity in the snapshot of a grid. These are the offsets of its parts.
// Values, ends of runs and tags (see filter.go) come after the components.
const (
	recordX     = 0  // float64: NaN for an entity that is dead, so that it is near nothing
	recordY     = 8  // float64
	recordSlot  = 16 // uint32: index of its slot; slots move when an effect takes more of them
	recordFirst = 20 // uint32 for each component: address of the entity's row, 0 if it lacks the component
)

// recordLayout is the layout of the records of one Program.
type recordLayout struct {
	components []ecs.ComponentID // components that a loop over near entities looks up
	values     []value           // fields that filters read
	runs       []run             // fields by whose values records are left out together
	tags       []tag             // tags that filters ask for
	entity     uint32            // offset of the entity as a float64; at the end, because reading it first spares all other bounds checks
	size       uint32            // bytes of a record
}

// layoutOf returns the layout of records for a Program: a component gets a place if it is looked up for an entity that
// a loop over near entities has found.
func layoutOf(p *ir.Program) (l recordLayout) {
	var within func(body []*ir.Stmt, near []int)
	within = func(body []*ir.Stmt, near []int) {
		for _, s := range body {
			if s.Op == ir.Look && s.A.Op == ir.Reg && slices.Contains(near, s.A.I) {
				if id := p.Refs[s.I-p.Views].Component; !slices.Contains(l.components, id) {
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
	within(p.Body, nil)
	l.entity = (l.addFiltered(p, recordFirst+4*uint32(len(l.components))) + 7) &^ 7
	l.size = l.entity + 8
	return l
}

// component returns the offset of the address of a component's row.
func (l *recordLayout) component(id ecs.ComponentID) uint32 {
	return recordFirst + 4*uint32(slices.Index(l.components, id))
}

// RecordSize returns how many bytes the cache needs for an entity.
func (e *Writer) RecordSize() uint32 { return e.record.size }

// LoadEntity replaces the address of a record on the stack by its entity, a float64.
func (e *Writer) LoadEntity() { e.Memory(wasm.F64Load, e.record.entity) }

// EntityOffset returns where the entity lies in a record, a float64.
func (e *Writer) EntityOffset() uint32 { return e.record.entity }

// LoadComponent puts the address of the row of a component on the stack, 0 if the entity lacks it. record is the local
// with the address of its record.
func (e *Writer) LoadComponent(record int, id ecs.ComponentID) {
	e.Get(record)
	e.Memory(wasm.I32Load, e.record.component(id))
}

// LoadSlot puts the address of the entity's slot on the stack. record is the local with the address of its record.
func (e *Writer) LoadSlot(record int) {
	e.Get(record)
	e.Memory(wasm.I32Load, recordSlot)
	e.I32(int32(ecs.SlotSize))
	e.Op(wasm.I32Mul)
	e.Get(e.around.Word(abi.WordSlots, 0))
	e.Op(wasm.I32Add)
}

// cacheRow writes the records of the points in one row of cells. All arguments are locals: first has the address of the
// start of one cell of the row, x0 the column of that cell, cols the number of columns, points and records where the points
// of the snapshot and the records of the cache begin.
func (e *Writer) cacheRow(first, x0, cols, points, records int) {
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
	e.count(e.looked, from, end, 4)
	e.Get(from)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.nth(to, records, e.record.size)
	begin := 0
	if len(e.record.runs) > 0 {
		begin = e.Local(wasm.I32)
		e.Get(to)
		e.Set(begin)
	}
	e.nth(from, points, uint32(ecs.PointSize))
	e.nth(end, points, uint32(ecs.PointSize))
	next := e.Loop()
	e.cachePoint(from, to)
	e.Get(to)
	e.I32(int32(e.record.size))
	e.Op(wasm.I32Add)
	e.Set(to)
	e.Get(from)
	e.I32(int32(ecs.PointSize))
	e.Op(wasm.I32Add)
	e.Tee(from)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Again(next)
	for _, r := range e.record.runs {
		e.findRuns(r, begin, to)
	}
	e.End()
}

// Fill writes code that caches the rows of cells that the frame names, as far as they are not cached: see [abi.FillCache]. at
// is the offset in the frame of the [abi.GridView] that owns the cache.
func (e *Writer) Fill(at uint32) {
	view := func(offset uintptr) {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, at+uint32(offset))
	}
	row := func(frame uint32) {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, frame)
	}
	first, x0, cols, points, records := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	cached, past := e.Local(wasm.I32), e.Local(wasm.I32)
	view(unsafe.Offsetof(abi.GridView{}.Points))
	e.Set(points)
	view(unsafe.Offsetof(abi.GridView{}.Cache))
	e.Set(records)
	view(unsafe.Offsetof(abi.GridView{}.LastCol))
	e.I32(1)
	e.Op(wasm.I32Add)
	e.Set(cols)
	e.I32(0)
	e.Set(x0)
	row(abi.FrameFillFrom)
	e.Get(cols)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Mul)
	view(unsafe.Offsetof(abi.GridView{}.Starts))
	e.Op(wasm.I32Add)
	e.Set(first)
	for _, end := range [...]struct {
		local int
		frame uint32
	}{{cached, abi.FrameFillFrom}, {past, abi.FrameFillTo}} {
		view(unsafe.Offsetof(abi.GridView{}.Cached))
		row(end.frame)
		e.I32(2)
		e.Op(wasm.I32Shl, wasm.I32Add)
		e.Set(end.local)
	}
	e.Get(cached)
	e.Get(past)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	next := e.Loop()
	e.Get(cached)
	e.Memory(wasm.I32Load, 0)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.cacheRow(first, x0, cols, points, records)
	e.Get(cached)
	e.I32(1)
	e.Memory(wasm.I32Store, 0)
	e.End()
	e.nextRow(first, cols, cached, past, next)
	e.End()
}

// nextRow writes the end of a loop over rows of cells: it moves local first, the address of the row's first cell, by
// cols cells, and local cached, the address of the row's mark, by one mark, and jumps to the loop while cached is
// below past.
func (e *Writer) nextRow(first, cols, cached, past int, loop wasm.Label) {
	e.Get(first)
	e.Get(cols)
	e.I32(2)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Set(first)
	e.Get(cached)
	e.I32(4)
	e.Op(wasm.I32Add)
	e.Tee(cached)
	e.Get(past)
	e.Op(wasm.I32LtU)
	e.Again(loop)
}

// cachePoint writes the record of one point. point and to are locals with the addresses of both.
func (e *Writer) cachePoint(point, to int) {
	handle, x, slot := e.Local(wasm.I64), e.Local(wasm.F64), e.Local(wasm.I32)
	var columns []int
	for range e.record.components {
		l := e.Local(wasm.I32)
		e.I32(0)
		e.Set(l)
		columns = append(columns, l)
	}
	tags := e.noTags()
	e.F64(math.NaN())
	e.Set(x)
	e.Get(point)
	e.Memory(wasm.I64Load, uint32(ecs.PointEntity))
	e.Tee(handle)
	e.Op(wasm.I32WrapI64)
	e.Get(e.around.Word(abi.WordSlotCount, 0))
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.around.IfLives(handle, slot, func() {
		e.Get(point)
		e.Memory(wasm.F64Load, uint32(ecs.PointX))
		e.Set(x)
		for i, id := range e.record.components {
			e.around.ColumnRow(slot, id, e.refSize(id), columns[i])
		}
		e.askTags(handle, tags)
	})
	e.End()
	e.Get(to)
	e.Get(handle)
	e.Op(wasm.F64ConvertI64S)
	e.Memory(wasm.F64Store, e.record.entity)
	e.Get(to)
	e.Get(x)
	e.Memory(wasm.F64Store, recordX)
	e.Get(to)
	e.Get(point)
	e.Memory(wasm.F64Load, uint32(ecs.PointY))
	e.Memory(wasm.F64Store, recordY)
	e.Get(to)
	e.Get(handle)
	e.Op(wasm.I32WrapI64)
	e.Memory(wasm.I32Store, recordSlot)
	for i, l := range columns {
		e.Get(to)
		e.Get(l)
		e.Memory(wasm.I32Store, recordFirst+4*uint32(i))
	}
	e.cacheFiltered(to, columns, tags)
}

// refSize returns the size of a component that a Look finds.
func (e *Writer) refSize(id ecs.ComponentID) int32 {
	i := slices.IndexFunc(e.program.Refs, func(r ir.Ref) bool { return r.Component == id && r.Query < 0 })
	return int32(e.program.Refs[i].Schema.Size())
}

// count writes code that adds the points from one number to another to the local sum, each counted some times.
func (e *Writer) count(sum, from, to int, times int32) {
	e.Get(sum)
	e.Get(to)
	e.Get(from)
	e.Op(wasm.I32Sub)
	e.I32(times)
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(sum)
}
