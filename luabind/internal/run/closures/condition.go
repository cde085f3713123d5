package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Conditions: expressions of type Bool, and the probe that observes them for the self-check of package machine.

// condition compiles an expression of type Bool, and observes it if there is a probe.
func (c *compiler) condition(x *ir.Expr) boolFn {
	if c.probe != nil && x.Op != ir.Const {
		return c.probed(x)
	}
	return c.test(x)
}

// test compiles an expression of type Bool without a probe around it. Its operands are compiled by condition.
func (c *compiler) test(x *ir.Expr) boolFn {
	switch x.Op {
	case ir.Const:
		k := x.N != 0
		return func(*frame) bool { return k }
	case ir.Reg:
		i := x.I & (ir.MaxRegisters - 1)
		return func(f *frame) bool { return f.b[i] }
	case ir.Load:
		return c.flag(x)
	case ir.Not:
		a := c.condition(x.A)
		return func(f *frame) bool { return !a(f) }
	case ir.And:
		a, b := c.condition(x.A), c.condition(x.B)
		return func(f *frame) bool { return a(f) && b(f) }
	case ir.Or:
		a, b := c.condition(x.A), c.condition(x.B)
		return func(f *frame) bool { return a(f) || b(f) }
	case ir.Equal:
		switch x.A.Type {
		case ir.Bool:
			a, b := c.condition(x.A), c.condition(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		case ir.Text:
			a, b := c.text(x.A), c.text(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		case ir.Number:
			a, b := c.number(x.A), c.number(x.B)
			return func(f *frame) bool { return a(f) == b(f) }
		case ir.Any:
			return c.equal(x)
		}
	case ir.Less:
		return c.less(x)
	case ir.LessEqual:
		if x.A.Type == ir.Any {
			a, b := c.ref(x.A, false), c.ref(x.B, false)
			return func(f *frame) bool { return f.lessOrEqualOf(a(f), b(f)) }
		}
		a, b := c.number(x.A), c.number(x.B)
		return func(f *frame) bool { return a(f) <= b(f) }
	case ir.Select:
		test, a, b := c.condition(x.A), c.condition(x.B), c.condition(x.C)
		return func(f *frame) bool {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	case ir.Present:
		view := c.view(x.I)
		return func(f *frame) bool { return f.ptr[view] != nil }
	case ir.Lookup:
		return c.lookupFlag(x)
	case ir.As:
		return c.asFlag(x)
	case ir.Truth:
		if x.A.Op == ir.Item {
			return c.itemTruth(x.A)
		}
		a := c.ref(x.A, false)
		return func(f *frame) bool { return a(f).True() }
	case ir.Exists:
		return c.exists(x)
	case ir.HasKey:
		return c.hasKey(x)
	case ir.Alive, ir.Has, ir.Tagged, ir.Tag, ir.Untag:
		return c.entityTest(x)
	}
	panic("closures: a condition of unknown operation")
}

// less compiles ir.Less. Comparisons of a field with a constant need no calls for their operands.
func (c *compiler) less(x *ir.Expr) boolFn {
	switch {
	case c.isF64(x.A) && x.B.Op == ir.Const:
		view, at, k := x.A.I, x.A.Field.Offset, x.B.N
		return func(f *frame) bool { return *f.f64(view, at) < k }
	case x.A.Op == ir.Const && c.isF64(x.B):
		view, at, k := x.B.I, x.B.Field.Offset, x.A.N
		return func(f *frame) bool { return k < *f.f64(view, at) }
	}
	if x.A.Type == ir.Any {
		a, b := c.ref(x.A, false), c.ref(x.B, false)
		return func(f *frame) bool { return f.lessOf(a(f), b(f)) }
	}
	a, b := c.number(x.A), c.number(x.B)
	return func(f *frame) bool { return a(f) < b(f) }
}

// lessOf returns a < b. It fails for values that are neither two numbers nor two strings.
func (f *frame) lessOf(a, b draft.Ref) bool {
	if x, ok := a.Number(); ok {
		y, ok := b.Number()
		f.failed = f.failed || !ok
		return x < y
	}
	x, ok := a.Text()
	y, also := b.Text()
	f.failed = f.failed || !ok || !also
	return x < y
}

// lessOrEqualOf returns a <= b, as lessOf.
func (f *frame) lessOrEqualOf(a, b draft.Ref) bool {
	if x, ok := a.Number(); ok {
		y, ok := b.Number()
		f.failed = f.failed || !ok
		return x <= y
	}
	x, ok := a.Text()
	y, also := b.Text()
	f.failed = f.failed || !ok || !also
	return x <= y
}

// flag compiles the read of a boolean field. It fails where the view is nil.
func (c *compiler) flag(x *ir.Expr) boolFn {
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

// A Probe is called each time a condition of a Program is evaluated: the condition of If, While and so on, and the
// parts of and, or, not. is is the value. distance is the difference of the two numbers in a comparison of numbers,
// otherwise 0. rows are the addresses of the views of the query loop, valid until the Probe returns. The self-check
// of package machine uses it to find rows that take each side of a condition.
type Probe func(x *ir.Expr, is bool, distance float64, rows []unsafe.Pointer)

// CompileProbed is [Compile] with a probe. The closures have the same results, and are slower.
func CompileProbed(p *ir.Program, b *sandbox.Budget, probe Probe) *Kernel {
	c := newCompiler(p)
	c.probe = probe
	return c.kernel(p, b)
}

// probed compiles a condition that calls the probe with its value.
func (c *compiler) probed(x *ir.Expr) boolFn {
	probe, views := c.probe, c.p.Views
	compared := (x.Op == ir.Less || x.Op == ir.LessEqual || x.Op == ir.Equal) && x.A.Type == ir.Number
	if !compared {
		test := c.test(x)
		return func(f *frame) bool {
			is := test(f)
			probe(x, is, 0, f.ptr[:views])
			return is
		}
	}
	op, a, b := x.Op, c.number(x.A), c.number(x.B)
	return func(f *frame) bool {
		v, w := a(f), b(f)
		var is bool
		switch op {
		case ir.Less:
			is = v < w
		case ir.LessEqual:
			is = v <= w
		default: // Equal: see compared
			is = v == w
		}
		probe(x, is, v-w, f.ptr[:views])
		return is
	}
}

// lacksMember compiles the condition that table.name is nil.
func (c *compiler) lacksMember(x *ir.Expr) boolFn {
	of, name := c.ref(x.A, false), draft.NewName(x.B.A.S)
	return func(f *frame) bool {
		v, ok := of(f).Name(name, false)
		f.failed = f.failed || !ok
		return v.IsNil()
	}
}
