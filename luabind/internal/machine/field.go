package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// valueType is what a field is in a local.
func valueType(f *ecs.Field) byte {
	if f.Type == ecs.Bool {
		return i32
	}
	return f64
}

// place puts the address of the row on the stack, and gives the offset of a field.
func (e *emitter) place(c *cell) uint32 {
	w := e.walkers[e.views[c.view]]
	e.get(w.ptr)
	return uint32(e.row)*w.stride + uint32(c.field.Offset)
}

// load reads a field into its local.
func (e *emitter) load(c *cell) {
	at := e.place(c)
	e.read(c.field, at)
	e.set(c.local)
}

// read reads the field at an offset from the address on the stack.
func (e *emitter) read(f *ecs.Field, at uint32) {
	switch f.Type {
	case ecs.F64:
		e.memory(opF64Load, at)
	case ecs.F32:
		e.memory(opF32Load, at)
		e.op(opF64PromoteF32)
	case ecs.EntityField:
		e.memory(opI64Load, at)
		e.op(opF64ConvertI64S)
	case ecs.I32:
		e.memory(opI32Load, at)
		e.op(opF64ConvertI32S)
	case ecs.U32:
		e.memory(opI32Load, at)
		e.op(opF64ConvertI32U)
	case ecs.I16:
		e.memory(opI32Load16S, at)
		e.op(opF64ConvertI32S)
	case ecs.U16:
		e.memory(opI32Load16U, at)
		e.op(opF64ConvertI32S)
	case ecs.I8:
		e.memory(opI32Load8S, at)
		e.op(opF64ConvertI32S)
	case ecs.U8:
		e.memory(opI32Load8U, at)
		e.op(opF64ConvertI32S)
	case ecs.Bool:
		e.memory(opI32Load8U, at)
	default:
		refuse("it uses a field of type %s", f.Type)
	}
}

// store assigns a field: to its local as it will be read, and to the row, unless
// that waits until the row is done.
func (e *emitter) store(s *kernel.Stmt) {
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
func (e *emitter) assign(c *cell, x *kernel.Expr) {
	switch c.field.Type {
	case ecs.Bool:
		e.condition(x)
		e.set(c.local)
	case ecs.F64:
		e.number(x, true)
		e.set(c.local)
	case ecs.F32:
		e.number(x, true)
		e.op(opF32DemoteF64, opF64PromoteF32)
		e.set(c.local)
	default:
		e.number(x, false)
		e.set(c.local)
		e.fits(c)
	}
}

// stored notes in the mark of the row that a view is stored.
func (e *emitter) stored(view int) {
	if bit := e.markOf(view); bit != 0 {
		e.get(e.dirty)
		e.i32(bit)
		e.op(opI32Or)
		e.set(e.dirty)
	}
}

// markOf is the bit of a view in the mark of a row, 0 for one that needs none.
func (e *emitter) markOf(view int) int32 {
	if e.others&(1<<view) == 0 {
		return 0
	}
	bit := int32(1)
	for i := range view {
		if e.others&(1<<i) != 0 {
			bit <<= 1
		}
	}
	return bit
}

// fits stops the row when the number in a cell cannot be held by its field, and
// makes it what the field will hold.
func (e *emitter) fits(c *cell) {
	if c.field.Type == ecs.EntityField {
		e.fitsEntity(c)
		return
	}
	whole := e.local(i32)
	signed := c.field.Type == ecs.I8 || c.field.Type == ecs.I16 || c.field.Type == ecs.I32
	e.get(c.local)
	if c.field.Type == ecs.U32 {
		e.saturating(satI32F64U)
	} else {
		e.saturating(satI32F64S)
	}
	// Cut to the field's bits and back, it must still be the number.
	switch c.field.Type {
	case ecs.I8:
		e.op(opI32Extend8S)
	case ecs.I16:
		e.op(opI32Extend16S)
	case ecs.U8:
		e.i32(0xff)
		e.op(opI32And)
	case ecs.U16:
		e.i32(0xffff)
		e.op(opI32And)
	}
	e.tee(whole)
	if signed {
		e.op(opF64ConvertI32S)
	} else {
		e.op(opF64ConvertI32U)
	}
	number := e.local(f64)
	e.tee(number)
	e.get(c.local)
	e.op(opF64Ne)
	e.jumpIf(e.stop)
	e.get(number) // -0 is 0 now
	e.set(c.local)
}

// fitsEntity stops the row when the number in a cell is no handle: 0, or a whole
// number with a generation and of 53 bits at most.
func (e *emitter) fitsEntity(c *cell) {
	number, handle := e.local(f64), e.local(i64)
	e.get(c.local)
	e.saturating(satI64F64S)
	e.tee(handle)
	e.op(opF64ConvertI64S)
	e.tee(number)
	e.get(c.local)
	e.op(opF64Ne)
	e.jumpIf(e.stop)
	e.get(handle)
	e.op(opI64Eqz, opI32Eqz)
	e.then(void)
	e.get(handle)
	e.i64(1 << 32)
	e.op(opI64Sub)
	e.i64(1<<53 - 1<<32)
	e.op(opI64LtU, opI32Eqz)
	e.jumpIf(e.stop)
	e.end()
	e.get(number)
	e.set(c.local)
}

// write stores the local of a field.
func (e *emitter) write(c *cell) {
	at := e.place(c)
	e.writeAt(c, at)
}

// writeAt stores it at an offset from the address on the stack.
func (e *emitter) writeAt(c *cell, at uint32) {
	e.get(c.local)
	switch c.field.Type {
	case ecs.F64:
		e.memory(opF64Store, at)
	case ecs.F32:
		e.op(opF32DemoteF64)
		e.memory(opF32Store, at)
	case ecs.EntityField:
		e.saturating(satI64F64S)
		e.memory(opI64Store, at)
	case ecs.Bool:
		e.memory(opI32Store8, at)
	case ecs.U32:
		e.saturating(satI32F64U)
		e.memory(opI32Store, at)
	case ecs.I64, ecs.U64:
		refuse("it stores a field of type %s", c.field.Type)
	default:
		e.saturating(satI32F64S)
		switch c.field.Type.Size() {
		case 4:
			e.memory(opI32Store, at)
		case 2:
			e.memory(opI32Store16, at)
		default:
			e.memory(opI32Store8, at)
		}
	}
}
