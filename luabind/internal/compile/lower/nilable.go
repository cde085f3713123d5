package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Values that may be nil. Such a value has a condition beside it (symbol.has), which says whether it is not nil;
// the value itself can be evaluated in both cases. A variable that holds one has a second register, its mark. Code
// that needs a value uses lowerer.value, which leaves a row to the interpreter if the value is nil there; the
// interpreter raises the error.

// cleared reports whether a variable may become nil after it had a value.
func (c *lowerer) cleared(v *syntax.Variable) bool { return c.t.cleared[v] || c.hints.nilable[v] }

// mayBecomeNil notes that a local may become nil. If that was not known, Lower begins again.
func (c *lowerer) mayBecomeNil(v *syntax.Variable) {
	if !c.hints.nilable[v] {
		c.hints.nilable[v] = true
		panic(retry{})
	}
}

// optional returns a value that may be nil as a valueSymbol with its condition; other symbols as they are.
func (c *lowerer) optional(s *symbol) *symbol {
	switch s.kind {
	case registerSymbol, unsetSymbol:
		if s.mark < 0 || c.hasValue[s] {
			return s
		}
		if s.kind == unsetSymbol {
			c.guessed(s)
		}
		if s.typ == ir.Any {
			return plain(c.read(s))
		}
		return &symbol{name: s.name, kind: valueSymbol, x: &ir.Expr{Op: ir.Reg, Type: s.typ, I: s.i}, has: &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}}
	case lookupSymbol:
		if c.isRow(s) {
			return s
		}
		found := *s
		found.x = c.keep(s.x)
		has := c.found(&found)
		x := &ir.Expr{Op: ir.Lookup, Type: c.p.Keyed[s.i].ValueType(s.member), I: s.i, Member: s.member, A: found.x}
		return &symbol{name: c.t.Inputs[s.input].Text(), kind: valueSymbol, has: has, sure: x, x: &ir.Expr{Op: ir.Select, Type: x.Type, A: has, B: x, C: constantOf(x.Type)}}
	case valueSymbol:
		if s.x.Op == ir.Element && s.x.Field == nil && s.x.Member < 0 && s.has == nil {
			key := c.keep(s.x.A)
			x := *s.x
			x.A = key
			has := c.exists(x.I, key)
			return &symbol{name: s.name, kind: valueSymbol, has: has, sure: &x, x: &ir.Expr{Op: ir.Select, Type: x.Type, A: has, B: &x, C: constantOf(x.Type)}}
		}
	}
	return s
}

// constantOf returns the value that stands for a missing value of a type.
func constantOf(t ir.Type) *ir.Expr { return &ir.Expr{Op: ir.Const, Type: t} }

// surely returns the value of a symbol where it is known not to be nil.
func surely(s *symbol) *symbol {
	if x := s.unchecked(); x != nil {
		return plain(x)
	}
	return plain(s.x)
}

// unchecked returns the value of a symbol without the condition that it is not nil; nil if there is no such expression, or if the value
// has been evaluated since: then x is a register, and what unchecked would find now may be another value.
func (s *symbol) unchecked() *ir.Expr {
	if s.sure != nil && s.x.Op == ir.Select && s.x.B == s.sure {
		return s.sure
	}
	return nil
}

// isOptional reports whether a symbol is a value that may be nil.
func isOptional(s *symbol) bool { return s.kind == valueSymbol && s.has != nil }

// operands returns the expressions of a symbol that are evaluated when it is used. The caller may replace them.
func (s *symbol) operands() []**ir.Expr {
	switch {
	case s.kind == valueSymbol && s.has != nil:
		return []**ir.Expr{&s.x, &s.has}
	case s.kind == valueSymbol, s.kind == elementSymbol, s.kind == lookupSymbol:
		return []**ir.Expr{&s.x}
	}
	return nil
}

// guard leaves a row to the interpreter if a value is nil there. has is the condition that it is not.
func (c *lowerer) guard(has *ir.Expr) {
	if has.Op == ir.Const && has.N != 0 {
		return
	}
	c.p.Exact = true
	c.emit(&ir.Stmt{Op: ir.If, A: not(has), Body: []*ir.Stmt{{Op: ir.Leave}}})
}

// entityOrNone returns a value for a field of type entity, where nil means no entity.
func (c *lowerer) entityOrNone(s *symbol, at ast.PositionHolder) *ir.Expr {
	if s.kind == nilSymbol {
		return &ir.Expr{Op: ir.Const}
	}
	if isAny(s) {
		return c.entityOf(c.value(s, at))
	}
	if s = c.optional(s); isOptional(s) && s.x.Type == ir.Number {
		return &ir.Expr{Op: ir.Select, A: s.has, B: s.x, C: &ir.Expr{Op: ir.Const}}
	}
	return c.value(s, at)
}

// bindOptional declares a variable whose first value may be nil.
func (c *lowerer) bindOptional(v *syntax.Variable, s *symbol) {
	held := &symbol{kind: registerSymbol, typ: s.x.Type, i: c.register(s.x.Type), mark: c.register(ir.Bool), input: -1}
	c.entities[held.i] = s.x.Type == ir.Number && c.isEntity(s.x)
	c.out = append(c.out, assigned(held.i, held.mark, s)...)
	if !c.t.assigned[v] {
		c.fixed[register{ir.Bool, held.mark}], c.fixed[register{held.typ, held.i}] = true, true
		c.keepStrings(held.i, s.x)
	}
	c.declare(v, held)
}

// assigned returns the statements that set a register and its mark to a value that may be nil.
func assigned(reg, mark int, s *symbol) []*ir.Stmt {
	out := []*ir.Stmt{{Op: ir.Set, I: mark, Mark: -1, A: s.has}}
	set := &ir.Stmt{Op: ir.Set, I: reg, Mark: -1, A: surely(s).x}
	if s.unchecked() == nil {
		return append(out, set)
	}
	return append(out, &ir.Stmt{Op: ir.If, A: &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: mark}, Body: []*ir.Stmt{set}})
}

// compared is equal for the operands of a comparison: both are evaluated, even if the other one is nil.
func (c *lowerer) compared(a, b *symbol) *ir.Expr {
	raises := func(one, other *symbol) bool { return one.has == nil && other.has != nil && c.fails(one.x) }
	if (a.has != nil || b.has != nil) && (hasEffect(a.x) || hasEffect(b.x) || raises(a, b) || raises(b, a)) {
		first, second := *a, *b
		first.x, second.x = c.keep(a.x), c.keep(b.x)
		a, b = &first, &second
	}
	return c.equal(a, b)
}

// equal returns the condition that two values of one type are equal. Each of them may be nil.
func (c *lowerer) equal(a, b *symbol) *ir.Expr {
	both := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: a.x, B: b.x}
	and := func(x, y *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.And, Type: ir.Bool, A: x, B: y} }
	switch {
	case a.has == nil && b.has == nil:
		return both
	case b.has == nil:
		return and(a.has, both)
	case a.has == nil:
		return and(b.has, both)
	}
	neither := and(not(a.has), not(b.has))
	return &ir.Expr{Op: ir.Or, Type: ir.Bool, A: and(and(a.has, b.has), both), B: neither}
}

// A branchValue is one of two values between which a condition chooses, with the statements that it needs.
type branchValue struct {
	s    *symbol
	body []*ir.Stmt
}

// branchOf lowers a value that is only evaluated in some cases.
func (c *lowerer) branchOf(lower func() *symbol) branchValue {
	var b branchValue
	b.body = c.collect(func() { c.branching(func() { b.s = lower() }) })
	return b
}

// joinOptional returns a if cond holds, otherwise b. b may be nil, and each of them may be optional. The statements
// that they need become the branches of an if.
func (c *lowerer) joinOptional(cond *ir.Expr, a, b branchValue, at ast.PositionHolder) *symbol {
	if isAny(a.s) || isAny(b.s) {
		return c.joinAny(cond, a, b, at)
	}
	t := a.s.x.Type
	if b.s.kind == valueSymbol && b.s.x.Type != t {
		return c.ofSeveral(c.joinAny(cond, a, b, at))
	}
	reg, mark := c.temporary(t), c.temporary(ir.Bool)
	give := func(v branchValue) []*ir.Stmt {
		if v.s.kind == nilSymbol {
			return append(v.body, &ir.Stmt{Op: ir.Set, I: mark.I, Mark: -1, A: boolean(false)})
		}
		s := *v.s
		if s.has == nil {
			s.has = boolean(true)
		}
		return append(v.body, assigned(reg.I, mark.I, &s)...)
	}
	if t == ir.Number && c.isEntity(a.s.x) && (b.s.kind == nilSymbol || c.isEntity(b.s.x)) {
		c.entities[reg.I] = true
	}
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: give(a), Else: give(b)})
	if b.s.kind == valueSymbol && b.s.has == nil && a.s.has == nil {
		return plain(reg)
	}
	return &symbol{kind: valueSymbol, x: reg, has: mark}
}

// scalar lowers an operand that has to be a number, boolean or string, or nil.
func (c *lowerer) scalar(e ast.Expr) *symbol {
	return c.scalarOf(c.operand(e), e)
}

// scalarOf is scalar for an operand that has been lowered.
func (c *lowerer) scalarOf(s *symbol, e ast.Expr) *symbol {
	s = c.real(c.optional(s), e)
	if s.kind == nilSymbol || isOptional(s) {
		return s
	}
	return plain(c.value(s, e))
}
