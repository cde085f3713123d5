package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Conditions that are put together while the filter of a loop over near entities is found: see nearacts.go. nil is
// the condition that always holds. The functions simplify what is equal; they need not find every simplification.

func constant(holds bool) *ir.Expr {
	if holds {
		return nil
	}
	return never()
}

// never returns the condition that never holds.
func never() *ir.Expr { return boolean(false) }

func isNever(x *ir.Expr) bool { return x != nil && x.Op == ir.Const && x.N == 0 }

// negated returns the negation of a condition that is not nil.
func negated(x *ir.Expr) *ir.Expr {
	if x.Op == ir.Not {
		return x.A
	}
	return not(x)
}

// conjuncts returns the conditions whose conjunction x is; none for nil.
func conjuncts(x *ir.Expr) []*ir.Expr {
	switch {
	case x == nil:
		return nil
	case x.Op == ir.And:
		return append(conjuncts(x.A), conjuncts(x.B)...)
	}
	return []*ir.Expr{x}
}

// join returns the conjunction of some conditions.
func join(list []*ir.Expr) (out *ir.Expr) {
	for _, x := range list {
		out = all(out, x)
	}
	return out
}

// all returns a condition that holds if both hold.
func all(a, b *ir.Expr) *ir.Expr {
	switch {
	case a == nil:
		return b
	case b == nil, isNever(a):
		return a
	case isNever(b):
		return b
	}
	out := a
	known := conjuncts(a)
	for _, x := range conjuncts(b) {
		if x = given(x, known); isNever(x) {
			return x
		} else if x != nil {
			out = &ir.Expr{Op: ir.And, Type: ir.Bool, A: out, B: x}
			known = append(known, x)
		}
	}
	return out
}

// given returns what is left of a condition where some conditions are known to hold.
func given(x *ir.Expr, known []*ir.Expr) *ir.Expr {
	switch {
	case x == nil, contains(known, x):
		return nil
	case contains(known, negated(x)):
		return never()
	case x.Op == ir.Or:
		return either(given(x.A, known), given(x.B, known))
	case x.Op == ir.And:
		if a := given(x.A, known); !isNever(a) {
			return all(a, given(x.B, known))
		}
		return never()
	}
	return x
}

// either returns a condition that holds if one of the two holds. What both have in common comes first.
func either(a, b *ir.Expr) *ir.Expr {
	switch {
	case a == nil || b == nil:
		return nil
	case isNever(a):
		return b
	case isNever(b):
		return a
	}
	left, right := conjuncts(a), conjuncts(b)
	common := slices.DeleteFunc(slices.Clone(left), func(x *ir.Expr) bool { return !contains(right, x) })
	rest := func(list []*ir.Expr) *ir.Expr {
		return join(slices.DeleteFunc(slices.Clone(list), func(x *ir.Expr) bool { return contains(common, x) }))
	}
	l, r := rest(left), rest(right)
	if l == nil || r == nil || equal(l, negated(r)) {
		return join(common)
	}
	return all(join(common), &ir.Expr{Op: ir.Or, Type: ir.Bool, A: l, B: r})
}

func contains(list []*ir.Expr, x *ir.Expr) bool {
	return slices.ContainsFunc(list, func(y *ir.Expr) bool { return equal(x, y) })
}

// equal reports whether two expressions are the same operation of the same operands.
func equal(a, b *ir.Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.Type == b.Type && a.N == b.N && a.S == b.S && a.I == b.I && a.Member == b.Member && a.ID == b.ID && a.Func == b.Func &&
		(a.Field == b.Field || a.Field != nil && b.Field != nil && a.Field.Offset == b.Field.Offset) &&
		equal(a.A, b.A) && equal(a.B, b.B) && equal(a.C, b.C)
}
