package kernel

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// Numbers: each case beside the general one saves a call per operand where an
// operand is a field, a register or a constant.

func (f *frame) f64(view int, offset uintptr) *float64 {
	return (*float64)(unsafe.Add(f.ptr[view&(mostViews-1)], offset))
}

// isF64 reports whether x reads a field that is stored as it is.
func (c *compiler) isF64(x *Expr) bool {
	if x.Op != Load || x.Field.Type != ecs.F64 || c.maybe(x.I) {
		return false
	}
	c.view(x.I)
	return true
}

// load reads a field of a number or an entity. It fails where the view is nil, and where a number cannot hold the integer exactly.
func (c *compiler) load(x *Expr) numeric {
	plain, view := c.read(x), x.I&(mostViews-1)
	if !c.maybe(x.I) {
		return plain
	}
	return func(f *frame) float64 {
		if f.ptr[view] == nil {
			f.failed = true
			return 0
		}
		return plain(f)
	}
}

func (c *compiler) read(x *Expr) numeric {
	view, at := c.view(x.I), x.Field.Offset
	switch x.Field.Type {
	case ecs.F64:
		return func(f *frame) float64 { return *f.f64(view, at) }
	case ecs.F32:
		return func(f *frame) float64 { return float64(*(*float32)(unsafe.Add(f.ptr[view], at))) }
	case ecs.I32:
		return func(f *frame) float64 { return float64(*(*int32)(unsafe.Add(f.ptr[view], at))) }
	case ecs.U32:
		return func(f *frame) float64 { return float64(*(*uint32)(unsafe.Add(f.ptr[view], at))) }
	case ecs.I16:
		return func(f *frame) float64 { return float64(*(*int16)(unsafe.Add(f.ptr[view], at))) }
	case ecs.U16:
		return func(f *frame) float64 { return float64(*(*uint16)(unsafe.Add(f.ptr[view], at))) }
	case ecs.I8:
		return func(f *frame) float64 { return float64(*(*int8)(unsafe.Add(f.ptr[view], at))) }
	case ecs.U8:
		return func(f *frame) float64 { return float64(*(*uint8)(unsafe.Add(f.ptr[view], at))) }
	case ecs.EntityField:
		return func(f *frame) float64 { return numberOf(*(*ecs.Entity)(unsafe.Add(f.ptr[view], at))) }
	case ecs.I64:
		return func(f *frame) float64 { return f.exactly(ecs.Int(*(*int64)(unsafe.Add(f.ptr[view], at)))) }
	case ecs.U64:
		return func(f *frame) float64 { return f.exactly(ecs.Uint(*(*uint64)(unsafe.Add(f.ptr[view], at)))) }
	}
	panic("kernel: a number is read from a field of type " + x.Field.Type.String())
}

// exactly is an integer as a number; the row fails when a number cannot hold it.
func (f *frame) exactly(v ecs.Value) float64 {
	x, ok := v.Exact()
	if !ok {
		f.failed = true
	}
	return x
}

// number compiles an expression of type Number.
func (c *compiler) number(x *Expr) numeric {
	i, k := x.I&(mostRegisters-1), x.N
	switch x.Op {
	case Const:
		return func(*frame) float64 { return k }
	case Reg:
		return func(f *frame) float64 { return f.n[i] }
	case Load:
		return c.load(x)
	case Entity:
		c.entity = true
		return func(f *frame) float64 { return f.entity }
	case Select:
		test, a, b := c.condition(x.A), c.number(x.B), c.number(x.C)
		return func(f *frame) float64 {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	case Element:
		return c.element(x)
	case Random:
		return c.draw(x)
	}
	a := c.number(x.A)
	switch {
	case x.Op == Neg:
		return func(f *frame) float64 { return -a(f) }
	case x.One != nil:
		return one(x, a)
	}
	b := c.number(x.B)
	switch x.Op {
	case Add:
		return c.add(x, a, b)
	case Sub:
		return c.sub(x, a, b)
	case Mul:
		return c.mul(x, a, b)
	case Div:
		return func(f *frame) float64 { return a(f)/b(f) + 0 }
	case Mod:
		return func(f *frame) float64 { return sandbox.Modulo(a(f), b(f)) + 0 }
	case Pow:
		return func(f *frame) float64 { return sandbox.Power(a(f), b(f)) + 0 }
	case Call:
		fn := x.Two
		return func(f *frame) float64 { return fn(a(f), b(f)) }
	case Min:
		return func(f *frame) float64 {
			m, v := a(f), b(f)
			if v < m {
				return v
			}
			return m
		}
	case Max:
		return func(f *frame) float64 {
			m, v := a(f), b(f)
			if v > m {
				return v
			}
			return m
		}
	}
	panic("kernel: a number of unknown operation")
}

// one is a function of one number. Some are an instruction when Go calls them by
// name.
func one(x *Expr, a numeric) numeric {
	switch x.Func {
	case "sqrt":
		return func(f *frame) float64 { return math.Sqrt(a(f)) }
	case "abs":
		return func(f *frame) float64 { return math.Abs(a(f)) }
	case "floor":
		return func(f *frame) float64 { return math.Floor(a(f)) }
	case "ceil":
		return func(f *frame) float64 { return math.Ceil(a(f)) }
	}
	fn := x.One
	return func(f *frame) float64 { return fn(a(f)) }
}

func (c *compiler) add(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + f.n[j] + 0 }
	case c.isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + k + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + b(f) + 0 }
	case x.A.Op == Reg && x.B.Op == Reg:
		return func(f *frame) float64 { return f.n[i] + f.n[j] + 0 }
	case x.A.Op == Reg:
		return func(f *frame) float64 { return f.n[i] + b(f) + 0 }
	case x.B.Op == Const:
		return func(f *frame) float64 { return a(f) + k + 0 }
	case x.B.Op == Reg:
		return func(f *frame) float64 { return a(f) + f.n[j] + 0 }
	}
	return func(f *frame) float64 { return a(f) + b(f) + 0 }
}

func (c *compiler) sub(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - f.n[j] + 0 }
	case c.isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - k + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - b(f) + 0 }
	case x.A.Op == Reg && x.B.Op == Reg:
		return func(f *frame) float64 { return f.n[i] - f.n[j] + 0 }
	case x.A.Op == Reg:
		return func(f *frame) float64 { return f.n[i] - b(f) + 0 }
	case x.B.Op == Const:
		return func(f *frame) float64 { return a(f) - k + 0 }
	case x.B.Op == Reg:
		return func(f *frame) float64 { return a(f) - f.n[j] + 0 }
	}
	return func(f *frame) float64 { return a(f) - b(f) + 0 }
}

func (c *compiler) mul(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*f.n[j]) + 0 }
	case c.isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*k) + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*b(f)) + 0 }
	case x.A.Op == Reg && x.B.Op == Reg:
		return func(f *frame) float64 { return float64(f.n[i]*f.n[j]) + 0 }
	case x.A.Op == Reg:
		return func(f *frame) float64 { return float64(f.n[i]*b(f)) + 0 }
	case x.B.Op == Const:
		return func(f *frame) float64 { return float64(a(f)*k) + 0 }
	case x.B.Op == Reg:
		return func(f *frame) float64 { return float64(a(f)*f.n[j]) + 0 }
	}
	return func(f *frame) float64 { return float64(a(f)*b(f)) + 0 }
}
