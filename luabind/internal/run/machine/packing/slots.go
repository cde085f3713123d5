package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Slots of fields: which fields share a vector, and the code that loads and stores slots and takes single values out of
// them.

// layOut gives each field of each row its location: beside the next field in memory, or alone.
func (p *packer) layOut() {
	for row := range rowsOfBatch {
		for i, c := range p.cells {
			at := p.fieldOperand(row, i)
			if p.fields[at].slot != nil {
				continue
			}
			s := p.slotOf(c, row)
			p.fields[at] = location{s, 0}
			if c.Field.Type != ecs.F64 && c.Field.Type != ecs.F32 {
				continue
			}
			for j, d := range p.cells {
				next := d.View == c.View && d.Field.Type == c.Field.Type && d.Field.Offset == c.Field.Offset+c.Field.Type.Size()
				if at := p.fieldOperand(row, j); next && p.fields[at].slot == nil && !p.hasBefore(c) {
					s.n = 2
					p.fields[at] = location{s, 1}
				}
			}
		}
	}
	p.giveLocals()
}

// hasBefore reports whether a field is the second of a pair. In a run of fields of one type, pairs begin at the first
// field.
func (p *packer) hasBefore(c *scalar.Cell) bool {
	n := 0
	for at := c.Field.Offset; ; n++ {
		found := false
		for _, d := range p.cells {
			if d.View == c.View && d.Field.Type == c.Field.Type && d.Field.Offset+d.Field.Type.Size() == at {
				at, found = d.Field.Offset, true
				break
			}
		}
		if !found {
			return n%2 == 1
		}
	}
}

// slotOf makes a slot for a field of a row.
func (p *packer) slotOf(c *scalar.Cell, row int) *slot {
	s := &slot{n: 1, typ: c.Field.Type, view: c.View}
	s.at = p.offset(c, row)
	p.slots = append(p.slots, s)
	return s
}

// giveLocals allocates the locals of the slots of fields.
func (p *packer) giveLocals() {
	for _, s := range p.slots {
		switch {
		case s.n == 2:
			s.local, s.raw = p.Local(wasm.V128), p.Local(wasm.V128)
		case s.typ == ecs.Bool:
			s.local = p.Local(wasm.I32)
		default:
			s.local = p.Local(wasm.F64)
		}
	}
}

// offset returns the offset of a field of a row from the pointer of its view.
func (p *packer) offset(c *scalar.Cell, row int) uint32 {
	return uint32(row)*p.e.Stride(c.View) + uint32(c.Field.Offset)
}

// base puts the pointer of the view of a slot on the stack.
func (p *packer) base(s *slot) { p.Get(p.e.Pointer(s.view)) }

// load writes code that loads a slot, unless it is loaded.
func (p *packer) load(s *slot) {
	if s.loaded {
		return
	}
	s.loaded = true
	p.cost++
	f := &ecs.Field{Type: s.typ}
	switch {
	case s.n == 1:
		p.base(s)
		p.e.ReadField(f, s.at)
	case s.typ == ecs.F64:
		p.base(s)
		p.VectorMemory(wasm.V128Load, s.at)
	default:
		p.base(s)
		p.VectorMemory(wasm.V128Load64Zero, s.at)
		p.Tee(s.raw)
		p.Vector(wasm.F64x2PromoteLowF32x4)
	}
	p.Set(s.local)
}

// flush writes code that stores a slot, if it was assigned.
func (p *packer) flush(s *slot) {
	if !s.dirty {
		return
	}
	s.dirty = false
	p.cost++
	switch {
	case s.n == 1 && s.typ == ecs.F32:
		p.base(s)
		p.Get(s.local)
		p.Op(wasm.F32DemoteF64)
		p.Memory(wasm.F32Store, s.at)
	case s.n == 1 && s.typ == ecs.Bool:
		p.base(s)
		p.Get(s.local)
		p.Memory(wasm.I32Store8, s.at)
	case s.n == 1:
		p.base(s)
		p.Get(s.local)
		p.Memory(wasm.F64Store, s.at)
	case s.typ == ecs.F64:
		p.base(s)
		p.Get(s.local)
		p.VectorMemory(wasm.V128Store, s.at)
	default:
		p.base(s)
		p.Get(s.raw)
		p.lane(wasm.F64x2ExtractLane, 0)
		p.Memory(wasm.F64Store, s.at)
	}
}

// takeLane puts one value of a slot on the stack.
func (p *packer) takeLane(s *slot, lane int) {
	p.Get(s.local)
	switch {
	case s.n == 1:
		return
	case s.mask:
		p.lane(wasm.I64x2ExtractLane, byte(lane))
		p.Op(wasm.I32WrapI64)
		p.I32(1)
		p.Op(wasm.I32And)
		p.cost += 2
	case lane == 0:
		p.e.LowLane()
		p.cost += 2
	default:
		p.lane(wasm.F64x2ExtractLane, 1)
		p.cost++
	}
}

// lane writes an instruction on one lane of a vector.
func (p *packer) lane(op uint32, lane byte) {
	p.Vector(op)
	p.Op(lane)
}

// leaf puts a field or a register of the row at hand on the stack, in scalar code that the emitter writes. It returns false
// for what is the same in all rows: the emitter knows that.
func (p *packer) leaf(x *ir.Expr) bool {
	var h location
	switch x.Op {
	case ir.Load:
		h = p.fields[p.field(x, p.row)]
	case ir.Reg:
		at := p.register(x.Type, x.I)
		if !p.vars.changes[at] || p.vars.carried[at] {
			return false
		}
		at = p.inRow(at, p.row)
		if h = p.vars.locations[at]; h.slot == nil {
			p.Get(p.alone(at, x.Type))
			return true
		}
	default:
		return false
	}
	p.takeLane(h.slot, h.lane)
	return true
}

// field returns the operand of the field that an expression reads.
func (p *packer) field(x *ir.Expr, row int) operand { return p.operandOf(x.I, x.Field, row) }

func (p *packer) operandOf(view int, f *ecs.Field, row int) operand {
	for i, c := range p.cells {
		if c.View == view && c.Field.Offset == f.Offset {
			return p.fieldOperand(row, i)
		}
	}
	panic("machine: a field that was not surveyed")
}

// alone returns the local of a register that is in no vector.
func (p *packer) alone(at operand, typ ir.Type) int {
	if p.vars.single[at] == 0 {
		if typ == ir.Bool {
			p.vars.single[at] = p.Local(wasm.I32)
		} else {
			p.vars.single[at] = p.Local(wasm.F64)
		}
	}
	return p.vars.single[at]
}

// putLane assigns one value of a slot. write puts the value on the stack.
func (p *packer) putLane(h location, write func()) {
	s := h.slot
	s.dirty = s.view >= 0
	if s.n == 1 {
		write()
		if s.typ == ecs.F32 {
			p.Op(wasm.F32DemoteF64, wasm.F64PromoteF32)
		}
		p.Set(s.local)
		return
	}
	p.cost += 2
	p.Get(s.local)
	if s.mask {
		p.I64(0)
		write()
		p.Op(wasm.I64ExtendI32U, wasm.I64Sub)
		p.lane(wasm.I64x2ReplaceLane, byte(h.lane))
		p.Set(s.local)
		return
	}
	write()
	if s.typ == ecs.F32 && s.view >= 0 {
		p.Op(wasm.F32DemoteF64, wasm.F64PromoteF32)
	}
	p.lane(wasm.F64x2ReplaceLane, byte(h.lane))
	p.Set(s.local)
	p.keepRaw(s)
}

// keepRaw updates the copy of two f32 that goes to memory after an assignment.
func (p *packer) keepRaw(s *slot) {
	if s.typ == ecs.F32 && s.view >= 0 {
		p.Get(s.local)
		p.Vector(wasm.F32x4DemoteF64x2Zero)
		p.Set(s.raw)
		p.cost++
	}
}
