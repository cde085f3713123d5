package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Stores of fields: ir.Store. A store writes to the column at once, and sets the bit of the view in frame.dirty.
// The row is stamped when it is done.

// store compiles ir.Store. A value that does not fit stops the row. Stores in other rows are logged; those in the
// row itself are not, because Kernel.save has copied its fields.
func (c *compiler) store(s *ir.Stmt) step {
	plain := c.assign(s)
	view, t, at, bit := s.I&(ir.MaxViews-1), s.Field.Type, s.Field.Offset, uint64(1)<<s.I
	switch {
	case !c.within(s.I): // a view of another entity, which may be that of the row itself
		inner := plain
		plain = func(f *frame) int {
			if f.own&bit == 0 || !f.undo.keep(unsafe.Add(f.ptr[view], at), t) {
				return stopped
			}
			return inner(f)
		}
	case c.maybe(s.I):
		inner := plain
		plain = func(f *frame) int {
			if f.ptr[view] == nil {
				return stopped
			}
			return inner(f)
		}
	}
	return plain
}

// assign compiles a store into a view that is not nil, without the undo log.
func (c *compiler) assign(s *ir.Stmt) step {
	if fast := c.fused(s); fast != nil {
		return fast
	}
	view, at, bit := c.view(s.I), s.Field.Offset, uint64(1)<<s.I
	switch s.Field.Type {
	case ecs.Bool:
		v := c.condition(s.A)
		return func(f *frame) int {
			x := uint8(0)
			if v(f) {
				x = 1
			}
			*(*uint8)(unsafe.Add(f.ptr[view], at)) = x
			f.dirty |= bit
			return next
		}
	case ecs.String:
		v := c.text(s.A)
		return func(f *frame) int {
			*(*string)(unsafe.Add(f.ptr[view], at)) = v(f)
			f.dirty |= bit
			return next
		}
	}
	if s.Field.Type == ecs.TableField {
		return c.storeTable(s)
	}
	v := c.number(s.A)
	switch s.Field.Type {
	case ecs.F64:
		return func(f *frame) int {
			*f.f64(view, at) = v(f)
			f.dirty |= bit
			return next
		}
	case ecs.F32:
		return func(f *frame) int {
			*(*float32)(unsafe.Add(f.ptr[view], at)) = float32(v(f))
			f.dirty |= bit
			return next
		}
	}
	c.exact = true
	lo, hi, _ := s.Field.Type.Range()
	switch s.Field.Type {
	case ecs.EntityField:
		return func(f *frame) int {
			e, ok := ecs.EntityFromNumber(v(f))
			if !ok {
				return stopped
			}
			*(*ecs.Entity)(unsafe.Add(f.ptr[view], at)) = e
			f.dirty |= bit
			return next
		}
	case ecs.I32:
		return whole[int32](v, view, at, lo, hi)
	case ecs.U32:
		return whole[uint32](v, view, at, lo, hi)
	case ecs.I16:
		return whole[int16](v, view, at, lo, hi)
	case ecs.U16:
		return whole[uint16](v, view, at, lo, hi)
	case ecs.I8:
		return whole[int8](v, view, at, lo, hi)
	case ecs.U8:
		return whole[uint8](v, view, at, lo, hi)
	case ecs.I64:
		return whole[int64](v, view, at, lo, hi)
	case ecs.U64:
		return whole[uint64](v, view, at, lo, hi)
	}
	panic("closures: a store into a field of unknown type")
}

// whole returns the step that stores an integer. A number that is not whole, or not from lo to hi, stops the row.
func whole[T int64 | uint64 | int32 | uint32 | int16 | uint16 | int8 | uint8](v numberFn, view int, at uintptr, lo, hi float64) step {
	bit := uint64(1) << view
	return func(f *frame) int {
		x := v(f)
		if !within(x, lo, hi) {
			return stopped
		}
		*(*T)(unsafe.Add(f.ptr[view&(ir.MaxViews-1)], at)) = T(x)
		f.dirty |= bit
		return next
	}
}
