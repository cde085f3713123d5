package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
)

// Values of type Any that are used as a number, a string or a boolean. A row in which a value is of another type fails, and is left to
// the interpreter.

// asNumber compiles an ir.As of type Number.
func (c *compiler) asNumber(x *ir.Expr) numberFn {
	if named(x.A) {
		return c.numberNamed(x.A)
	}
	a := c.ref(x.A, false)
	return func(f *frame) float64 {
		n, ok := a(f).Number()
		if !ok {
			f.failed = true
		}
		return n
	}
}

// numberNamed compiles an ir.As of type Number of item.w: the most common use of an item, in one closure.
func (c *compiler) numberNamed(x *ir.Expr) numberFn {
	of, name := c.ref(x.A, false), draft.NewName(x.B.A.S)
	slow := func(f *frame, r draft.Ref) float64 {
		v, ok := r.Name(name, false)
		n, isNumber := v.Number()
		if !ok || !isNumber {
			f.failed = true
		}
		return n
	}
	if x.A.Op == ir.Reg {
		i := x.A.I
		return func(f *frame) float64 {
			if t := f.a[i].table; t != nil {
				if n, ok := t.Number(name); ok {
					return n
				}
			}
			r := f.a[i].ref()
			if v := r.Scalar(name); v != nil && v.Kind() == ecs.NumberValue {
				return v.Float()
			}
			return slow(f, r)
		}
	}
	return func(f *frame) float64 {
		r := of(f)
		if v := r.Scalar(name); v != nil && v.Kind() == ecs.NumberValue {
			return v.Float()
		}
		return slow(f, r)
	}
}

// asText compiles an ir.As of type Text.
func (c *compiler) asText(x *ir.Expr) textFn {
	if named(x.A) {
		return c.textNamed(x.A)
	}
	a := c.ref(x.A, false)
	return func(f *frame) string {
		s, ok := a(f).Text()
		if !ok {
			f.failed = true
		}
		return s
	}
}

// named reports whether an expression is an ir.Item with a constant name.
func named(x *ir.Expr) bool {
	return x.Op == ir.Item && x.B.Op == ir.Wrap && x.B.A.Op == ir.Const && x.B.A.Type == ir.Text
}

// textNamed compiles an ir.As of type Text of item.kind.
func (c *compiler) textNamed(x *ir.Expr) textFn {
	of, name := c.ref(x.A, false), draft.NewName(x.B.A.S)
	return func(f *frame) string {
		r := of(f)
		if v := r.Scalar(name); v != nil && v.Kind() == ecs.StringValue {
			return *ecs.Raw.Text(v)
		}
		v, ok := r.Name(name, false)
		s, isText := v.Text()
		if !ok || !isText {
			f.failed = true
		}
		return s
	}
}

// asFlag compiles an ir.As of type Bool.
func (c *compiler) asFlag(x *ir.Expr) boolFn {
	a := c.ref(x.A, false)
	return func(f *frame) bool {
		is, ok := a(f).Flag()
		if !ok {
			f.failed = true
		}
		return is
	}
}
