package kernel

import "unsafe"

// condition compiles an expression of type Bool.
func condition(x *Expr) logical {
	switch x.Op {
	case Const:
		k := x.N != 0
		return func(*frame) bool { return k }
	case Reg:
		i := x.I & (mostRegisters - 1)
		return func(f *frame) bool { return f.b[i] }
	case Load:
		view, at := x.I&(mostViews-1), x.Field.Offset
		return func(f *frame) bool { return *(*uint8)(unsafe.Add(f.ptr[view], at)) != 0 }
	case Not:
		a := condition(x.A)
		return func(f *frame) bool { return !a(f) }
	case And:
		a, b := condition(x.A), condition(x.B)
		return func(f *frame) bool { return a(f) && b(f) }
	case Or:
		a, b := condition(x.A), condition(x.B)
		return func(f *frame) bool { return a(f) || b(f) }
	case Equal:
		if x.A.Type == Bool {
			a, b := condition(x.A), condition(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		}
		a, b := number(x.A), number(x.B)
		return func(f *frame) bool { return a(f) == b(f) }
	case Less:
		return less(x)
	case LessEqual:
		a, b := number(x.A), number(x.B)
		return func(f *frame) bool { return a(f) <= b(f) }
	}
	panic("kernel: a condition of unknown operation")
}

func less(x *Expr) logical {
	switch {
	case isF64(x.A) && x.B.Op == Const:
		view, at, k := x.A.I, x.A.Field.Offset, x.B.N
		return func(f *frame) bool { return *f.f64(view, at) < k }
	case x.A.Op == Const && isF64(x.B):
		view, at, k := x.B.I, x.B.Field.Offset, x.A.N
		return func(f *frame) bool { return k < *f.f64(view, at) }
	}
	a, b := number(x.A), number(x.B)
	return func(f *frame) bool { return a(f) < b(f) }
}
