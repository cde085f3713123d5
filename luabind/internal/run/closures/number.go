package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Numbers: expressions of type Number. Fields, registers and constants are the most common operands, so Add, Sub
// and Mul have cases for them, each of which saves a call. "+ 0" turns -0 into 0: see package kernel.

// f64 returns the address of a field of type F64 in a view that is not nil.
func (f *frame) f64(view int, offset uintptr) *float64 {
	return (*float64)(unsafe.Add(f.ptr[view&(ir.MaxViews-1)], offset))
}

// isF64 reports whether x reads a field of type F64 of a view that is never nil.
func (c *compiler) isF64(x *ir.Expr) bool {
	if x.Op != ir.Load || x.Field.Type != ecs.F64 || c.maybe(x.I) {
		return false
	}
	c.view(x.I)
	return true
}

// load compiles the read of a field as a number. It fails if the view is nil, and if a number cannot hold the
// integer exactly.
func (c *compiler) load(x *ir.Expr) numberFn {
	plain, view := c.read(x), x.I&(ir.MaxViews-1)
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

// read is load for a view that is never nil.
func (c *compiler) read(x *ir.Expr) numberFn {
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
	panic("closures: a number is read from a field of type " + x.Field.Type.String())
}

// exactly converts an integer to a number, and fails if a number cannot hold it.
func (f *frame) exactly(v ecs.Value) float64 {
	x, ok := v.Exact()
	if !ok {
		f.failed = true
	}
	return x
}

// number compiles an expression of type Number.
func (c *compiler) number(x *ir.Expr) numberFn {
	i, k := x.I&(ir.MaxRegisters-1), x.N
	switch x.Op {
	case ir.Const:
		return func(*frame) float64 { return k }
	case ir.Reg:
		return func(f *frame) float64 { return f.n[i] }
	case ir.Load:
		return c.load(x)
	case ir.Entity:
		c.entity = true
		return func(f *frame) float64 { return f.entity }
	case ir.Select:
		test, a, b := c.condition(x.A), c.number(x.B), c.number(x.C)
		return func(f *frame) float64 {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	case ir.Lookup:
		return c.lookupNumber(x)
	case ir.As:
		return c.asNumber(x)
	case ir.Length:
		return c.length(x)
	case ir.Element:
		return c.element(x)
	case ir.Random:
		return c.draw(x)
	case ir.Related:
		e, relation := c.number(x.A), ecs.RelationID(x.ID)
		return func(f *frame) float64 { return numberOf(f.world.Related(handle(e(f)), relation)) }
	}
	a := c.number(x.A)
	switch {
	case x.Op == ir.Neg:
		return func(f *frame) float64 { return -a(f) }
	case x.One != nil:
		return one(x, a)
	}
	b := c.number(x.B)
	switch x.Op {
	case ir.Add:
		return c.add(x, a, b)
	case ir.Sub:
		return c.sub(x, a, b)
	case ir.Mul:
		return c.mul(x, a, b)
	case ir.Div:
		return func(f *frame) float64 { return a(f)/b(f) + 0 }
	case ir.Mod:
		return func(f *frame) float64 { return sandbox.Modulo(a(f), b(f)) + 0 }
	case ir.Pow:
		return func(f *frame) float64 { return sandbox.Power(a(f), b(f)) + 0 }
	case ir.Call:
		fn := x.Two
		return func(f *frame) float64 { return fn(a(f), b(f)) }
	case ir.Min:
		return func(f *frame) float64 {
			m, v := a(f), b(f)
			if v < m {
				return v
			}
			return m
		}
	case ir.Max:
		return func(f *frame) float64 {
			m, v := a(f), b(f)
			if v > m {
				return v
			}
			return m
		}
	}
	panic("closures: a number of unknown operation")
}

// one compiles a call of a function with one argument. Go compiles some functions of package math to an instruction
// if they are called by name.
func one(x *ir.Expr, a numberFn) numberFn {
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

// add compiles ir.Add. a and b are its compiled operands.
func (c *compiler) add(x *ir.Expr, a, b numberFn) numberFn {
	i, j, k := x.A.I&(ir.MaxRegisters-1), x.B.I&(ir.MaxRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == ir.Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + f.n[j] + 0 }
	case c.isF64(x.A) && x.B.Op == ir.Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + k + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + b(f) + 0 }
	case x.A.Op == ir.Reg && x.B.Op == ir.Reg:
		return func(f *frame) float64 { return f.n[i] + f.n[j] + 0 }
	case x.A.Op == ir.Reg:
		return func(f *frame) float64 { return f.n[i] + b(f) + 0 }
	case x.B.Op == ir.Const:
		return func(f *frame) float64 { return a(f) + k + 0 }
	case x.B.Op == ir.Reg:
		return func(f *frame) float64 { return a(f) + f.n[j] + 0 }
	}
	return func(f *frame) float64 { return a(f) + b(f) + 0 }
}

// sub compiles ir.Sub. a and b are its compiled operands.
func (c *compiler) sub(x *ir.Expr, a, b numberFn) numberFn {
	i, j, k := x.A.I&(ir.MaxRegisters-1), x.B.I&(ir.MaxRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == ir.Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - f.n[j] + 0 }
	case c.isF64(x.A) && x.B.Op == ir.Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - k + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - b(f) + 0 }
	case x.A.Op == ir.Reg && x.B.Op == ir.Reg:
		return func(f *frame) float64 { return f.n[i] - f.n[j] + 0 }
	case x.A.Op == ir.Reg:
		return func(f *frame) float64 { return f.n[i] - b(f) + 0 }
	case x.B.Op == ir.Const:
		return func(f *frame) float64 { return a(f) - k + 0 }
	case x.B.Op == ir.Reg:
		return func(f *frame) float64 { return a(f) - f.n[j] + 0 }
	}
	return func(f *frame) float64 { return a(f) - b(f) + 0 }
}

// mul compiles ir.Mul. a and b are its compiled operands. The conversion to float64 makes Go round the product, so
// that it cannot be fused with an addition.
func (c *compiler) mul(x *ir.Expr, a, b numberFn) numberFn {
	i, j, k := x.A.I&(ir.MaxRegisters-1), x.B.I&(ir.MaxRegisters-1), x.B.N
	switch {
	case c.isF64(x.A) && x.B.Op == ir.Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*f.n[j]) + 0 }
	case c.isF64(x.A) && x.B.Op == ir.Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*k) + 0 }
	case c.isF64(x.A):
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*b(f)) + 0 }
	case x.A.Op == ir.Reg && x.B.Op == ir.Reg:
		return func(f *frame) float64 { return float64(f.n[i]*f.n[j]) + 0 }
	case x.A.Op == ir.Reg:
		return func(f *frame) float64 { return float64(f.n[i]*b(f)) + 0 }
	case x.B.Op == ir.Const:
		return func(f *frame) float64 { return float64(a(f)*k) + 0 }
	case x.B.Op == ir.Reg:
		return func(f *frame) float64 { return float64(a(f)*f.n[j]) + 0 }
	}
	return func(f *frame) float64 { return float64(a(f)*b(f)) + 0 }
}

// draw compiles ir.Random. A row that draws can be restored, because Kernel.save keeps the state of the stream.
func (c *compiler) draw(x *ir.Expr) numberFn {
	c.exact = true
	if x.A == nil {
		return func(f *frame) float64 { return f.random.Float64() }
	}
	lo, hi := c.number(&ir.Expr{Op: ir.Const, N: 1}), c.number(x.A)
	if x.B != nil {
		lo, hi = hi, c.number(x.B)
	}
	return func(f *frame) float64 {
		from, to := whole64(lo(f)), whole64(hi(f))
		if from > to {
			f.failed = true
			return 0
		}
		return f.random.Between(float64(from), float64(to))
	}
}

// whole64 converts a bound as the interpreter's math.random does: it drops the fraction.
func whole64(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}
