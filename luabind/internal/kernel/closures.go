package kernel

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// What an expression or statement is compiled to. A statement says how it ended.
type (
	numeric func(*frame) float64
	logical func(*frame) bool
	step    func(*frame) int
)

// How a statement ends; firstJump+I is a Jump to Label I.
const (
	next = iota
	broken
	stopped // the row is to be put back
	firstJump
)

// frame is what code works on.
type frame struct {
	ptr    [mostViews]unsafe.Pointer // the row, by view
	n      [mostRegisters]float64
	b      [mostRegisters]bool
	t      []string
	tables []Elements
	entity float64
	dirty  uint64 // views stored in this row, one bit each
	fuel   int64  // granted and not used up
	refuel func() bool

	results []Result
}

// burn pays for a construct; false when the budget is spent.
func (f *frame) burn(price int64) bool {
	f.fuel -= price
	return f.fuel >= 0 || f.refuel()
}

// sequence runs statements one after the other.
func sequence(body []*Stmt) step {
	var list []step
	for i := 0; i < len(body); i++ {
		if i+1 < len(body) {
			if both := pair(body[i], body[i+1]); both != nil {
				list = append(list, both)
				i++
				continue
			}
		}
		list = append(list, statement(body[i]))
	}
	switch len(list) {
	case 0:
		return func(*frame) int { return next }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(f *frame) int {
			if how := a(f); how != next {
				return how
			}
			return b(f)
		}
	}
	return func(f *frame) int {
		for _, s := range list {
			if how := s(f); how != next {
				return how
			}
		}
		return next
	}
}

func statement(s *Stmt) step {
	switch s.Op {
	case Set:
		return set(s)
	case Store:
		return store(s)
	case If:
		return branch(s)
	case While, Repeat, Count:
		return loop(s)
	case Break:
		return func(*frame) int { return broken }
	case Jump:
		how := firstJump + s.I
		return func(*frame) int { return how }
	case Block:
		body, here := sequence(s.Body), firstJump+s.I
		return func(f *frame) int {
			if how := body(f); how != here {
				return how
			}
			return next
		}
	}
	panic("kernel: a statement of unknown operation")
}

func set(s *Stmt) step {
	i, mark := s.I&(mostRegisters-1), s.Mark&(mostRegisters-1)
	var plain step
	if s.A.Type == Bool {
		v := condition(s.A)
		plain = func(f *frame) int { f.b[i] = v(f); return next }
	} else {
		v := number(s.A)
		plain = func(f *frame) int { f.n[i] = v(f); return next }
	}
	if s.Mark < 0 {
		return plain
	}
	return func(f *frame) int {
		f.b[mark] = true
		return plain(f)
	}
}

func branch(s *Stmt) step {
	c, then := condition(s.A), sequence(s.Body)
	if len(s.Else) == 0 {
		return func(f *frame) int {
			if c(f) {
				return then(f)
			}
			return next
		}
	}
	other := sequence(s.Else)
	return func(f *frame) int {
		if c(f) {
			return then(f)
		}
		return other(f)
	}
}

func loop(s *Stmt) step {
	body, price := sequence(s.Body), s.Price
	switch s.Op {
	case While:
		c := condition(s.A)
		return func(f *frame) int {
			for c(f) {
				if !f.burn(price) {
					return stopped
				}
				if how := body(f); how == broken {
					break
				} else if how != next {
					return how
				}
			}
			return next
		}
	case Repeat:
		c := condition(s.A)
		return func(f *frame) int {
			for {
				if !f.burn(price) {
					return stopped
				}
				if how := body(f); how == broken {
					return next
				} else if how != next {
					return how
				}
				if c(f) {
					return next
				}
			}
		}
	}
	from, to, by, i := number(s.A), number(s.B), number(s.C), s.I&(mostRegisters-1)
	return func(f *frame) int {
		x, limit, width := from(f), to(f), by(f)
		for x = x - width + 0; ; {
			x = x + width + 0
			if !(width > 0 && x <= limit || width <= 0 && x >= limit) {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			f.n[i] = x
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}

// store writes a field. What does not fit stops the row.
func store(s *Stmt) step {
	view, at, bit := s.I&(mostViews-1), s.Field.Offset, uint64(1)<<s.I
	if s.Field.Type == ecs.Bool {
		v := condition(s.A)
		return func(f *frame) int {
			x := uint8(0)
			if v(f) {
				x = 1
			}
			*(*uint8)(unsafe.Add(f.ptr[view], at)) = x
			f.dirty |= bit
			return next
		}
	}
	v := number(s.A)
	switch s.Field.Type {
	case ecs.F64:
		if fast := fused(s); fast != nil {
			return fast
		}
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
		return whole[int32](v, view, at, math.MinInt32, math.MaxInt32)
	case ecs.U32:
		return whole[uint32](v, view, at, 0, math.MaxUint32)
	case ecs.I16:
		return whole[int16](v, view, at, math.MinInt16, math.MaxInt16)
	case ecs.U16:
		return whole[uint16](v, view, at, 0, math.MaxUint16)
	case ecs.I8:
		return whole[int8](v, view, at, math.MinInt8, math.MaxInt8)
	case ecs.U8:
		return whole[uint8](v, view, at, 0, math.MaxUint8)
	}
	panic("kernel: a store into a field of unknown type")
}

func whole[T int32 | uint32 | int16 | uint16 | int8 | uint8](v numeric, view int, at uintptr, lo, hi float64) step {
	bit := uint64(1) << view
	return func(f *frame) int {
		x := v(f)
		if !(x >= lo && x <= hi && x == math.Trunc(x)) {
			return stopped
		}
		*(*T)(unsafe.Add(f.ptr[view&(mostViews-1)], at)) = T(x)
		f.dirty |= bit
		return next
	}
}

// product is field = field + field*register, the commonest of all statements: to
// at, from a, plus b times the register.
type product struct {
	to, from, by int // views
	at, a, b     uintptr
	reg          int
	bit          uint64
}

// productOf returns the parts of such a statement; false for any other.
func productOf(s *Stmt) (p product, ok bool) {
	if s.Op != Store || s.Field.Type != ecs.F64 {
		return p, false
	}
	sum := s.A
	if sum.Op != Add || !isF64(sum.A) || sum.B.Op != Mul || !isF64(sum.B.A) || sum.B.B.Op != Reg {
		return p, false
	}
	return product{
		to: s.I, from: sum.A.I, by: sum.B.A.I,
		at: s.Field.Offset, a: sum.A.Field.Offset, b: sum.B.A.Field.Offset,
		reg: sum.B.B.I & (mostRegisters - 1), bit: 1 << s.I,
	}, true
}

// fused is a product in one piece; nil for any other statement.
func fused(s *Stmt) step {
	p, ok := productOf(s)
	if !ok {
		return nil
	}
	return func(f *frame) int {
		*f.f64(p.to, p.at) = *f.f64(p.from, p.a) + (float64(*f.f64(p.by, p.b)*f.n[p.reg]) + 0) + 0
		f.dirty |= p.bit
		return next
	}
}

// pair is two products, one after the other, in one piece; nil for anything else.
func pair(s, t *Stmt) step {
	p, ok := productOf(s)
	q, also := productOf(t)
	if !ok || !also {
		return nil
	}
	bits := p.bit | q.bit
	return func(f *frame) int {
		*f.f64(p.to, p.at) = *f.f64(p.from, p.a) + (float64(*f.f64(p.by, p.b)*f.n[p.reg]) + 0) + 0
		*f.f64(q.to, q.at) = *f.f64(q.from, q.a) + (float64(*f.f64(q.by, q.b)*f.n[q.reg]) + 0) + 0
		f.dirty |= bits
		return next
	}
}
