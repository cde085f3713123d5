package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// valueType is what a field is in a local.
func valueType(f *ecs.Field) byte {
	if f.Type == ecs.Bool {
		return wasm.I32
	}
	return wasm.F64
}

// place puts the address of the row on the stack, and gives the offset of a field.
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

// ReadField reads the field at an offset from the address on the stack.
func (e *Emitter) ReadField(f *ecs.Field, at uint32) {
	switch f.Type {
	case ecs.F64:
		e.Memory(wasm.F64Load, at)
	case ecs.F32:
		e.Memory(wasm.F32Load, at)
		e.Op(wasm.F64PromoteF32)
	case ecs.EntityField:
		e.Memory(wasm.I64Load, at)
		e.Op(wasm.F64ConvertI64S)
	case ecs.I32:
		e.Memory(wasm.I32Load, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U32:
		e.Memory(wasm.I32Load, at)
		e.Op(wasm.F64ConvertI32U)
	case ecs.I16:
		e.Memory(wasm.I32Load16S, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U16:
		e.Memory(wasm.I32Load16U, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.I8:
		e.Memory(wasm.I32Load8S, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U8:
		e.Memory(wasm.I32Load8U, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.Bool:
		e.Memory(wasm.I32Load8U, at)
	default:
		abi.Refuse("it uses a field of type %s", f.Type)
	}
}

// store assigns a field: to its local as it will be read, and to the row, unless
// that waits until the row is done.
func (e *Emitter) store(s *ir.Stmt) {
	if !e.cached(s.I) {
		e.storeDirect(s)
		return
	}
	c := e.cell(s.I, s.Field)
	e.assign(c, s.A)
	if !e.p.Exact {
		e.write(c)
	}
	e.stored(s.I)
}

// assign sets the local of a field to what the field will hold of a value.
func (e *Emitter) assign(c *Cell, x *ir.Expr) {
	switch c.Field.Type {
	case ecs.Bool:
		e.Condition(x)
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

// stored notes in the mark of the row that a view is stored.
func (e *Emitter) stored(view int) {
	if bit := e.MarkBit(view); bit != 0 {
		e.Get(e.own.dirty)
		e.I32(bit)
		e.Op(wasm.I32Or)
		e.Set(e.own.dirty)
	}
}

// MarkBit is the bit of a view in the mark of a row, 0 for one that needs none.
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

// fits stops the row when the number in a cell cannot be held by its field, and
// makes it what the field will hold.
func (e *Emitter) fits(c *Cell) {
	if c.Field.Type == ecs.EntityField {
		e.fitsEntity(c)
		return
	}
	whole := e.Local(wasm.I32)
	signed := c.Field.Type == ecs.I8 || c.Field.Type == ecs.I16 || c.Field.Type == ecs.I32
	e.Get(c.local)
	if c.Field.Type == ecs.U32 {
		e.Saturating(wasm.I32TruncSatF64U)
	} else {
		e.Saturating(wasm.I32TruncSatF64S)
	}
	// Cut to the field's bits and back, it must still be the number.
	switch c.Field.Type {
	case ecs.I8:
		e.Op(wasm.I32Extend8S)
	case ecs.I16:
		e.Op(wasm.I32Extend16S)
	case ecs.U8:
		e.I32(0xff)
		e.Op(wasm.I32And)
	case ecs.U16:
		e.I32(0xffff)
		e.Op(wasm.I32And)
	}
	e.Tee(whole)
	if signed {
		e.Op(wasm.F64ConvertI32S)
	} else {
		e.Op(wasm.F64ConvertI32U)
	}
	number := e.Local(wasm.F64)
	e.Tee(number)
	e.Get(c.local)
	e.Op(wasm.F64Ne)
	e.JumpIf(e.iter.stop)
	e.Get(number) // -0 is 0 now
	e.Set(c.local)
}

// fitsEntity stops the row when the number in a cell is no handle: 0, or a whole
// number with a generation and of 53 bits at most.
func (e *Emitter) fitsEntity(c *Cell) {
	number, handle := e.Local(wasm.F64), e.Local(wasm.I64)
	e.Get(c.local)
	e.Saturating(wasm.I64TruncSatF64S)
	e.Tee(handle)
	e.Op(wasm.F64ConvertI64S)
	e.Tee(number)
	e.Get(c.local)
	e.Op(wasm.F64Ne)
	e.JumpIf(e.iter.stop)
	e.Get(handle)
	e.Op(wasm.I64Eqz, wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(handle)
	e.I64(1 << 32)
	e.Op(wasm.I64Sub)
	e.I64(1<<53 - 1<<32)
	e.Op(wasm.I64LtU, wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.End()
	e.Get(number)
	e.Set(c.local)
}

// write stores the local of a field.
func (e *Emitter) write(c *Cell) {
	at := e.place(c)
	e.writeAt(c, at)
}

// writeAt stores it at an offset from the address on the stack.
func (e *Emitter) writeAt(c *Cell, at uint32) {
	e.Get(c.local)
	switch c.Field.Type {
	case ecs.F64:
		e.Memory(wasm.F64Store, at)
	case ecs.F32:
		e.Op(wasm.F32DemoteF64)
		e.Memory(wasm.F32Store, at)
	case ecs.EntityField:
		e.Saturating(wasm.I64TruncSatF64S)
		e.Memory(wasm.I64Store, at)
	case ecs.Bool:
		e.Memory(wasm.I32Store8, at)
	case ecs.U32:
		e.Saturating(wasm.I32TruncSatF64U)
		e.Memory(wasm.I32Store, at)
	case ecs.I64, ecs.U64:
		abi.Refuse("it stores a field of type %s", c.Field.Type)
	default:
		e.Saturating(wasm.I32TruncSatF64S)
		switch c.Field.Type.Size() {
		case 4:
			e.Memory(wasm.I32Store, at)
		case 2:
			e.Memory(wasm.I32Store16, at)
		default:
			e.Memory(wasm.I32Store8, at)
		}
	}
}
