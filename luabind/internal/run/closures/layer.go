package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Layers: cells are read and written in place.

// A layer is where the cells of a layer of the world are.
type layer struct {
	of    *ecs.AnyLayer // nil for cells of an index
	index *ecs.Index
	cells unsafe.Pointer
	count int
}

// layersOf finds the layers of a Program in a world.
func layersOf(p *ir.Program, w *ecs.World) []layer {
	list := make([]layer, len(p.Layers))
	for i, l := range p.Layers {
		if list[i] = (layer{cells: l.Cell(w), count: l.Cells}); l.Places != 0 {
			list[i].index = w.LookupIndex(l.Name)
		} else {
			list[i].of = w.LookupLayer(l.Name)
		}
	}
	return list
}

// cell returns the number of the cell at a key; -1 if there is none.
func (l *layer) cell(key float64) int {
	if i := int(key); float64(i) == key && uint(i) < uint(l.count) {
		return i
	}
	return -1
}

// cell compiles an ir.Element of a layer.
func (c *compiler) cell(x *ir.Expr) numberFn {
	if c.p.Layers[x.I].Places == ir.NextAt {
		return c.behind(x)
	}
	key, i, t := c.number(x.A), x.I, x.Field.Type
	size := t.Size()
	return func(f *frame) float64 {
		l := &f.layers[i]
		at := l.cell(key(f))
		if at < 0 {
			f.failed = true
			return 0
		}
		v, ok := loadCell(unsafe.Add(l.cells, uintptr(at)*size), t)
		if !ok {
			f.failed = true
		}
		return v
	}
}

// putCell compiles an ir.Put of a layer. The old value is logged.
func (c *compiler) putCell(s *ir.Stmt) step {
	if c.p.Layers[s.I].Places == ir.PlaceOf {
		return c.moveInIndex(s)
	}
	key, v, i, t := c.number(s.A), c.number(s.B), s.I, s.Field.Type
	size := t.Size()
	return func(f *frame) int {
		l := &f.layers[i]
		at := l.cell(key(f))
		x := v(f)
		if at < 0 || f.failed || !kernel.Fits(t, x) {
			return stopped
		}
		p := unsafe.Add(l.cells, uintptr(at)*size)
		if !f.undo.keep(p, t) {
			return stopped
		}
		ecs.Raw.OpenCell(l.of, at)
		kernel.Poke(p, size, cellBits(t, x))
		return next
	}
}

// loadCell returns the number at p; false if a number cannot hold it.
func loadCell(p unsafe.Pointer, t ecs.FieldType) (float64, bool) {
	const most = 1 << 53
	switch t {
	case ecs.F64:
		return *(*float64)(p), true
	case ecs.F32:
		return float64(*(*float32)(p)), true
	case ecs.I32:
		return float64(*(*int32)(p)), true
	case ecs.U32:
		return float64(*(*uint32)(p)), true
	case ecs.I16:
		return float64(*(*int16)(p)), true
	case ecs.U16:
		return float64(*(*uint16)(p)), true
	case ecs.I8:
		return float64(*(*int8)(p)), true
	case ecs.U8:
		return float64(*(*uint8)(p)), true
	case ecs.I64:
		v := *(*int64)(p)
		return float64(v), v >= -most && v <= most
	case ecs.U64:
		v := *(*uint64)(p)
		return float64(v), v <= most
	case ecs.EntityField:
		return numberOf(*(*ecs.Entity)(p)), true
	}
	panic("closures: a cell of unknown type")
}

// cellBits returns the bits of a cell that holds a number that fits.
func cellBits(t ecs.FieldType, x float64) uint64 {
	switch t {
	case ecs.F64:
		return math.Float64bits(x)
	case ecs.F32:
		return uint64(math.Float32bits(float32(x)))
	case ecs.EntityField:
		e, _ := ecs.EntityFromNumber(x)
		return uint64(e)
	}
	return uint64(int64(x))
}
