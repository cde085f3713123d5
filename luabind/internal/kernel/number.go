package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// Numbers: each case beside the general one saves a call per operand where an
// operand is a field, a register or a constant.

func (f *frame) f64(view int, offset uintptr) *float64 {
	return (*float64)(unsafe.Add(f.ptr[view&(mostViews-1)], offset))
}

func isF64(x *Expr) bool { return x.Op == Load && x.Field.Type == ecs.F64 }

// load reads a field that is no boolean.
func load(x *Expr) numeric {
	view, at := x.I&(mostViews-1), x.Field.Offset
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
	}
	return func(f *frame) float64 { return float64(*(*uint64)(unsafe.Add(f.ptr[view], at))) } // an entity
}

// number compiles an expression of type Number.
func number(x *Expr) numeric {
	i, k := x.I&(mostRegisters-1), x.N
	switch x.Op {
	case Const:
		return func(*frame) float64 { return k }
	case Reg:
		return func(f *frame) float64 { return f.n[i] }
	case Load:
		return load(x)
	case Entity:
		return func(f *frame) float64 { return f.entity }
	case Select:
		c, a, b := condition(x.A), number(x.B), number(x.C)
		return func(f *frame) float64 {
			if c(f) {
				return a(f)
			}
			return b(f)
		}
	}
	a := number(x.A)
	switch {
	case x.Op == Neg:
		return func(f *frame) float64 { return -a(f) }
	case x.One != nil:
		fn := x.One
		return func(f *frame) float64 { return fn(a(f)) }
	}
	b := number(x.B)
	switch x.Op {
	case Add:
		return add(x, a, b)
	case Sub:
		return sub(x, a, b)
	case Mul:
		return mul(x, a, b)
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

func add(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + f.n[j] + 0 }
	case isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) + k + 0 }
	case isF64(x.A):
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

func sub(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - f.n[j] + 0 }
	case isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return *f.f64(view, at) - k + 0 }
	case isF64(x.A):
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

func mul(x *Expr, a, b numeric) numeric {
	i, j, k := x.A.I&(mostRegisters-1), x.B.I&(mostRegisters-1), x.B.N
	switch {
	case isF64(x.A) && x.B.Op == Reg:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*f.n[j]) + 0 }
	case isF64(x.A) && x.B.Op == Const:
		view, at := x.A.I, x.A.Field.Offset
		return func(f *frame) float64 { return float64(*f.f64(view, at)*k) + 0 }
	case isF64(x.A):
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
