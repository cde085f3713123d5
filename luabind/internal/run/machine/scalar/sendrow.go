package scalar

import (
	"encoding/binary"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Events without strings and tables. Their record is the row of the event as it will be in the log of events: the host
// copies it.

// sendRow records the row of an event. A value that would raise an error in the interpreter stops the row.
func (e *Emitter) sendRow(s *ir.Stmt) {
	x := s.Effect
	cells := make([]*Cell, len(s.Args))
	for i, a := range s.Args {
		c := &Cell{Field: x.Fields[i].Field}
		cells[i] = c
		switch t := c.Field.Type; {
		case t == ecs.EntityField && e.isPlain(a):
			c.local = e.Local(wasm.I64)
			e.plainHandle(a)
			e.Set(c.local)
		case t == ecs.Bool:
			c.local = e.Local(wasm.I32)
			e.Condition(a)
			e.Set(c.local)
		default:
			c.local = e.Local(wasm.F64)
			e.Number(a, true)
			e.Set(c.local)
		}
	}
	given := make([]bool, x.Schema.Size())
	for i, c := range cells {
		switch t := c.Field.Type; {
		case t == ecs.F64, t == ecs.F32, t == ecs.Bool:
		case e.TypeOf(c.local) == wasm.I64: // a handle as it is
		case t == ecs.EntityField && isHandle(s.Args[i]):
		default:
			e.fits(c)
		}
		for j := range c.Field.Type.Size() {
			given[c.Field.Offset+j] = true
		}
	}
	e.Get(e.out.ring)
	e.I32(number(&e.out.emits, s))
	e.Memory(wasm.I32Store, 0)
	e.defaults(x.Schema, given)
	for _, c := range cells {
		e.Get(e.out.ring)
		e.writeRow(c, 8+uint32(c.Field.Offset))
	}
	e.Get(e.out.ring)
	e.I32(int32(8 + abi.RowRecord(x.Schema)))
	e.Op(wasm.I32Add)
	e.Set(e.out.ring)
}

// defaults writes the defaults of the fields that the call does not give, in words of 8 bytes. given says which bytes it
// gives.
func (e *Emitter) defaults(s *ecs.Schema, given []bool) {
	row := make([]byte, abi.RowRecord(s))
	copy(row, ecs.Raw.Defaults(s))
	for at := 0; at < len(row); at += 8 {
		all := true
		for j := at; j < at+8; j++ {
			all = all && j < len(given) && given[j]
		}
		if !all {
			e.Get(e.out.ring)
			e.I64(int64(binary.LittleEndian.Uint64(row[at:])))
			e.Memory(wasm.I64Store, 8+uint32(at))
		}
	}
}

// writeRow stores a field of an event at an offset from the address on the stack.
func (e *Emitter) writeRow(c *Cell, at uint32) {
	switch t := c.Field.Type; {
	case e.TypeOf(c.local) == wasm.I64:
		e.Get(c.local)
		e.Memory(wasm.I64Store, at)
	case t == ecs.I64, t == ecs.U64:
		e.Get(c.local)
		e.Saturating(wasm.I64TruncSatF64S)
		e.Memory(wasm.I64Store, at)
	default:
		e.writeAt(c, at)
	}
}
