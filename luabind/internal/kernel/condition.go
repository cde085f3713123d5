package kernel

import "unsafe"

// condition compiles an expression of type Bool.
func (c *compiler) condition(x *Expr) logical {
	if c.probe != nil && x.Op != Const {
		return c.probed(x)
	}
	return c.test(x)
}

// test is condition without a probe.
func (c *compiler) test(x *Expr) logical {
	switch x.Op {
	case Const:
		k := x.N != 0
		return func(*frame) bool { return k }
	case Reg:
		i := x.I & (mostRegisters - 1)
		return func(f *frame) bool { return f.b[i] }
	case Load:
		return c.flag(x)
	case Not:
		a := c.condition(x.A)
		return func(f *frame) bool { return !a(f) }
	case And:
		a, b := c.condition(x.A), c.condition(x.B)
		return func(f *frame) bool { return a(f) && b(f) }
	case Or:
		a, b := c.condition(x.A), c.condition(x.B)
		return func(f *frame) bool { return a(f) || b(f) }
	case Equal:
		switch x.A.Type {
		case Bool:
			a, b := c.condition(x.A), c.condition(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		case Text:
			a, b := c.text(x.A), c.text(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		case Number:
			a, b := c.number(x.A), c.number(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		}
	case Less:
		return c.less(x)
	case LessEqual:
		a, b := c.number(x.A), c.number(x.B)
		return func(f *frame) bool { return a(f) <= b(f) }
	case Select:
		test, a, b := c.condition(x.A), c.condition(x.B), c.condition(x.C)
		return func(f *frame) bool {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	case Present:
		view := c.view(x.I)
		return func(f *frame) bool { return f.ptr[view] != nil }
	case Alive, Has, Tagged, Tag, Untag:
		return c.about(x)
	}
	panic("kernel: a condition of unknown operation")
}

func (c *compiler) less(x *Expr) logical {
	switch {
	case c.isF64(x.A) && x.B.Op == Const:
		view, at, k := x.A.I, x.A.Field.Offset, x.B.N
		return func(f *frame) bool { return *f.f64(view, at) < k }
	case x.A.Op == Const && c.isF64(x.B):
		view, at, k := x.B.I, x.B.Field.Offset, x.A.N
		return func(f *frame) bool { return k < *f.f64(view, at) }
	}
	a, b := c.number(x.A), c.number(x.B)
	return func(f *frame) bool { return a(f) < b(f) }
}

// flag reads a boolean field.
func (c *compiler) flag(x *Expr) logical {
	view, at := c.view(x.I), x.Field.Offset
	if !c.maybe(x.I) {
		return func(f *frame) bool { return *(*uint8)(unsafe.Add(f.ptr[view], at)) != 0 }
	}
	return func(f *frame) bool {
		if f.ptr[view] == nil {
			f.failed = true
			return false
		}
		return *(*uint8)(unsafe.Add(f.ptr[view], at)) != 0
	}
}
