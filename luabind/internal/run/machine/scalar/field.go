package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Fields of the row that are kept in locals: loading, assigning and storing them, and the mark of the row. Package
// fieldcode has the code of each type.

// place puts the address of a row on the stack, and returns the offset of a field from it.
func (e *Emitter) place(c *Cell) uint32 {
	w := e.own.walkers[e.own.views[c.View]]
	e.Get(w.Ptr)
	return uint32(e.iter.row)*w.Stride + uint32(c.Field.Offset)
}

// load reads a field into its local.
func (e *Emitter) load(c *Cell) {
	at := e.place(c)
	e.ReadField(c.Field, at)
	e.Set(c.local)
}

// ReadField replaces the address on the stack by the field at an offset from it.
func (e *Emitter) ReadField(f *ecs.Field, at uint32) { fieldcode.Load(e.Function, f.Type, at) }

// store assigns a field: its local, and the row itself, unless that waits for the end of the row.
func (e *Emitter) store(s *ir.Stmt) {
	if !e.cached(s.I) {
		e.storeDirect(s)
		return
	}
	c := e.cell(s.I, s.Field)
	e.assign(c, s.A)
	if !e.p.Exact && !e.iter.fast {
		e.write(c)
	}
	e.stored(s.I)
}

// assign sets the local of a field to what the field will hold of a value. A value that does not fit stops the row.
func (e *Emitter) assign(c *Cell, x *ir.Expr) {
	switch c.Field.Type {
	case ecs.Bool:
		e.Condition(x)
		e.Set(c.local)
	case ecs.String:
		e.text(x)
		e.Set(c.local)
	case ecs.F64:
		e.Number(x, true)
		e.Set(c.local)
	case ecs.F32:
		e.Number(x, true)
		e.Op(wasm.F32DemoteF64, wasm.F64PromoteF32)
		e.Set(c.local)
	default:
		e.Number(x, false)
		e.Set(c.local)
		e.fits(c)
	}
}

// stored notes in the mark of the row that a view is stored, if not every row stores it.
func (e *Emitter) stored(view int) {
	if bit := e.MarkBit(view); bit != 0 {
		e.Get(e.own.dirty)
		e.I32(bit)
		e.Op(wasm.I32Or)
		e.Set(e.own.dirty)
	}
}

// MarkBit returns the bit of a view in the mark of a row; 0 if every row stores it, or none.
func (e *Emitter) MarkBit(view int) int32 {
	if e.own.others&(1<<view) == 0 {
		return 0
	}
	bit := int32(1)
	for i := range view {
		if e.own.others&(1<<i) != 0 {
			bit <<= 1
		}
	}
	return bit
}

// fits stops the row if the field of a cell cannot hold the number in its local. Otherwise the local gets what the field will
// hold.
func (e *Emitter) fits(c *Cell) { fieldcode.Fit(e.Function, c.Field.Type, c.local, e.iter.stop) }

// write stores the local of a cell in the row.
func (e *Emitter) write(c *Cell) {
	at := e.place(c)
	e.writeAt(c, at)
}

// writeAt stores the local of a cell at an offset from the address on the stack.
func (e *Emitter) writeAt(c *Cell, at uint32) { fieldcode.Store(e.Function, c.Field.Type, c.local, at) }
