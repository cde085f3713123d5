package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Expressions in terms of the found entity and of what does not change, for nearacts.go: numbers, and when a condition holds.

// value returns a number in terms of the found entity and of what does not change; nil if that is not possible. A
// register that only becomes smaller, or larger, stands for itself.
func (n *nearLoop) value(x *ir.Expr) *ir.Expr {
	switch x.Op {
	case ir.Const, ir.Entity:
		return x
	case ir.Reg:
		switch {
		case x.Type != ir.Number:
			return nil
		case !n.set[register{x.Type, x.I}], n.kept[register{x.Type, x.I}] && !(n.noMinimum[x.I] && n.noMaximum[x.I]):
			return x
		}
		return n.numbers[x.I]
	case ir.Load:
		if n.readable(x) {
			return x
		}
		return nil
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Min, ir.Max, ir.Div, ir.Call:
		if x.Op == ir.Call && x.Func != "sqrt" && x.Func != "abs" && x.Func != "floor" {
			return nil
		}
		out := *x
		out.A = n.value(x.A)
		if x.B != nil {
			out.B = n.value(x.B)
		}
		if out.A == nil || x.B != nil && out.B == nil {
			return nil
		}
		cheap := x.Op == ir.Add || x.Op == ir.Sub || x.Op == ir.Mul
		for _, a := range [...]*ir.Expr{out.A, out.B} {
			if n.usesLoads(a) || !cheap && n.varies(a) || n.usesKept(a) {
				return nil
			}
		}
		if out.A == x.A && out.B == x.B {
			return x
		}
		return &out
	default:
		return nil
	}
}

// readable reports whether a field can be read before the loop begins: nothing stores it until the loop has ended,
// and reading it does not fail, except that the component is missing.
func (n *nearLoop) readable(x *ir.Expr) bool {
	f := x.Field
	switch f.Type {
	case ecs.I64, ecs.U64, ecs.String, ecs.TableField:
		return false
	}
	id := n.componentOf(x.I)
	if x.I < n.p.Views {
		return n.p.Optional&(1<<x.I) == 0 && !n.changes(n.loop.Body, id, f)
	}
	// Components of found entities are looked up once for all rows of a call.
	return n.looked[x.I] && !n.changes(n.p.Body, id, f) && !slices.ContainsFunc(n.p.Refs, func(r ir.Ref) bool { return r.Stored && r.Component == id })
}

// usesLoads reports whether a value is read from a component of the found entity.
func (n *nearLoop) usesLoads(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Load && x.I >= n.p.Views || n.usesLoads(x.A) || n.usesLoads(x.B) || n.usesLoads(x.C))
}

// varies reports whether a value depends on the found entity.
func (n *nearLoop) varies(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Reg && x.Type == ir.Number && (x.I == n.loop.I || x.I == n.loop.J) || n.usesLoads(x) || n.varies(x.A) || n.varies(x.B) || n.varies(x.C))
}

// usesKept reports whether a value depends on a register that the body sets for later.
func (n *nearLoop) usesKept(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Reg && n.set[register{x.Type, x.I}] && n.kept[register{x.Type, x.I}] || n.usesKept(x.A) || n.usesKept(x.B) || n.usesKept(x.C))
}

// truth returns what is known of a condition.
func (n *nearLoop) truth(x *ir.Expr) truth {
	known := truth{x, negated(x)}
	switch x.Op {
	case ir.Const:
		return truth{constant(x.N != 0), constant(x.N == 0)}
	case ir.Not:
		t := n.truth(x.A)
		return truth{t.no, t.yes}
	case ir.And:
		a, b := n.truth(x.A), n.truth(x.B)
		return truth{all(a.yes, b.yes), either(a.no, all(a.yes, b.no))}
	case ir.Or:
		a, b := n.truth(x.A), n.truth(x.B)
		return truth{either(a.yes, all(a.no, b.yes)), all(a.no, b.no)}
	case ir.Reg:
		if !n.set[register{ir.Bool, x.I}] {
			return known
		}
		if t, ok := n.bools[x.I]; ok {
			return t
		}
	case ir.Present:
		if x.I < n.p.Views || n.looked[x.I] {
			return known
		}
	case ir.Load:
		if n.readable(x) {
			return known
		}
	case ir.Alive:
		if x.A.Op == ir.Reg && x.A.I == n.loop.I { // nothing dies while the loop runs
			return truth{nil, never()}
		}
	case ir.Tagged:
		if x.A.Op == ir.Reg && x.A.I == n.loop.I && !n.flipsTag(x.ID) {
			return known
		}
	case ir.Equal, ir.Less, ir.LessEqual:
		return n.comparison(x)
	default:
		return truth{}
	}
	return truth{}
}

// comparison is truth for a comparison of numbers. A comparison with a register that only becomes smaller holds now
// if it holds later, when the register is on the larger side; likewise for one that only becomes larger. These are
// written as negations, which hold for a register that is NaN now and a number later.
func (n *nearLoop) comparison(x *ir.Expr) truth {
	if x.A.Type != ir.Number {
		return truth{}
	}
	out := x
	switch a, b := n.value(x.A), n.value(x.B); {
	case a == nil || b == nil:
		return truth{}
	case a != x.A || b != x.B:
		copied := *x
		copied.A, copied.B = a, b
		out = &copied
	}
	left, right := n.usesKept(out.A), n.usesKept(out.B)
	switch {
	case !left && !right:
		return truth{out, negated(out)}
	case left && right || x.Op == ir.Equal:
		return truth{}
	}
	turned := *out
	turned.A, turned.B = out.B, out.A
	if turned.Op = ir.Less; out.Op == ir.Less {
		turned.Op = ir.LessEqual
	}
	t := truth{not(&turned), not(out)}
	if left && n.noMaximum[out.A.I] || right && n.noMinimum[out.B.I] {
		t.yes = nil
	}
	distance := func(x *ir.Expr) bool { return x.Op == ir.Reg && x.I == n.loop.J } // it is not NaN
	if left && (n.noMinimum[out.A.I] || !distance(out.B)) || right && (n.noMaximum[out.B.I] || !distance(out.A)) {
		t.no = nil
	}
	return t
}

// fails returns a condition that holds whenever evaluating an expression fails or has an effect.
func (n *nearLoop) fails(x *ir.Expr) *ir.Expr {
	if x == nil {
		return never()
	}
	if x.A != nil && x.A.Type == ir.Any {
		return nil
	}
	switch x.Op {
	case ir.And:
		return either(n.fails(x.A), all(n.truth(x.A).yes, n.fails(x.B)))
	case ir.Or:
		return either(n.fails(x.A), all(n.truth(x.A).no, n.fails(x.B)))
	case ir.Load:
		switch {
		case x.Field.Type == ecs.I64 || x.Field.Type == ecs.U64:
			return nil
		case x.I < n.p.Views && n.p.Optional&(1<<x.I) == 0:
			return never()
		case x.I >= n.p.Views:
			if ref := n.p.Refs[x.I-n.p.Views]; ref.Query >= 0 && !ref.Optional {
				return never()
			}
		}
		return n.truth(&ir.Expr{Op: ir.Present, Type: ir.Bool, I: x.I}).no
	case ir.Element, ir.Lookup, ir.Item, ir.As, ir.Length, ir.Join, ir.Shown, ir.Random, ir.Tag, ir.Untag:
		return nil
	case ir.HasKey:
		if x.Member >= 0 {
			return nil
		}
	default:
		return either(n.fails(x.A), either(n.fails(x.B), n.fails(x.C)))
	}
	return n.fails(x.A)
}
