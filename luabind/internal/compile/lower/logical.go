package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The operators and, or, not, and what counts as true.

// condition lowers an expression to a boolean that says whether its value is neither nil nor false.
func (c *lowerer) condition(e ast.Expr) *ir.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.pay()
		op := ir.And
		if e.Operator == "or" {
			op = ir.Or
		}
		return c.both(op, c.condition(e.Lhs), func() *ir.Expr { return c.condition(e.Rhs) })
	case *ast.UnaryNotOpExpr:
		c.pay()
		return not(c.condition(e.Expr))
	case *ast.NilExpr:
		c.pay()
		return boolean(false)
	}
	v := c.operand(e)
	return c.truth(v, e)
}

// truth is condition for a symbol.
func (c *lowerer) truth(s *symbol, at ast.Expr) *ir.Expr {
	if isAny(s) {
		return truly(c.value(s, at))
	}
	switch s.kind {
	case nilSymbol:
		return boolean(false)
	case unsetSymbol:
		if !c.hints.bools[s.variable] {
			s.asked = true
			return c.present(s)
		}
		c.typed(s, ir.Bool)
	case viewSymbol:
		return c.there(s)
	case chosenViewSymbol:
		return s.views.found(c)
	case registerSymbol, valueSymbol:
	case lookupSymbol:
		return c.isTrue(s, at)
	case elementSymbol:
		return c.exists(s.i, s.x)
	case madeSymbol, constantSymbol, functionSymbol, tableSymbol:
		return boolean(true)
	case choiceSymbol:
		return chosenTrue(s.choice)
	default:
		refuse(at, "asks whether there is %s", kindTexts[s.kind])
	}
	if s.kind == registerSymbol && s.typ != ir.Bool {
		return c.present(s)
	}
	if s.kind == registerSymbol {
		x := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.i}
		if s.mark < 0 || c.hasValue[s] {
			return x
		}
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: c.present(s), B: x}
	}
	if s = c.optional(s); s.has != nil && s.x.Type == ir.Bool {
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: s.has, B: s.x}
	}
	if s.has != nil {
		return s.has
	}
	if s.x.Type != ir.Bool {
		c.discard(s.x)
		return boolean(true)
	}
	return s.x
}

// truthOfEither returns the condition that a value is not nil. The value is the one of two symbols that is not a
// nilSymbol.
func (c *lowerer) truthOfEither(a, b *symbol) *ir.Expr {
	if a.kind == nilSymbol {
		a = b
	}
	if a.has != nil {
		return a.has
	}
	c.discard(a.x)
	return boolean(true)
}

// startsWithAnd reports whether the first part of a chain of or is an and.
func startsWithAnd(or *ast.LogicalOpExpr) bool {
	first, ok := or.Lhs.(*ast.LogicalOpExpr)
	return ok && (first.Operator == "and" || first.Operator == "or" && startsWithAnd(first))
}

// logical lowers and, or, where their value is used. Numbers and strings count as true, so "c and 1 or 2" is always
// a number. The value of "t and t.x" is nil if t is. The right side is only evaluated where Lua evaluates it. Both
// sides must have one type.
func (c *lowerer) logical(e *ast.LogicalOpExpr) *symbol {
	if e.Operator == "or" && c.raisesError(e.Rhs) {
		return c.orError(e)
	}
	if c.givesView(e) {
		return c.logicalView(e)
	}
	if or, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && or.Operator == "or" && startsWithAnd(or) {
		// (a and x or b and y) or z is a and x or (b and y or z), in which every part has a value of one type.
		return c.logical(syntax.At(&ast.LogicalOpExpr{Operator: "or", Lhs: or.Lhs, Rhs: syntax.At(&ast.LogicalOpExpr{Operator: "or", Lhs: or.Rhs, Rhs: e.Rhs}, e)}, e))
	}
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		c.pay()
		// Only the truth of the left side of and matters: if it is false, the result is the right side of or.
		cond := c.condition(and.Lhs)
		if cond.Op == ir.Const && cond.N == 0 {
			c.unless(true, func() []*ir.Stmt { return c.branchOf(func() *symbol { return c.operand(and.Rhs) }).body })
			return c.scalar(e.Rhs)
		}
		if c.isFunction(and.Rhs) && c.isFunction(e.Rhs) {
			return c.chosenFunction(cond, and.Rhs, e.Rhs, e)
		}
		if first := c.branchOf(func() *symbol { return c.scalar(and.Rhs) }); isAny(first.s) {
			return c.chosenAny(cond, first, c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e)
		} else if isOptional(first.s) || first.s.kind == nilSymbol {
			return c.chosen(cond, first, e.Rhs, e)
		} else if rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) }); isAny(rest.s) {
			return c.chosenAny(cond, first, rest, e)
		} else if isOptional(rest.s) || rest.s.kind == nilSymbol {
			if first.s.x.Type == ir.Bool {
				return c.ofSeveral(c.chosenAny(cond, first, rest, e))
			}
			return c.joinOptional(cond, first, rest, e)
		} else {
			return c.either(cond, first, rest, e)
		}
	}
	s := c.operand(e.Lhs)
	if _, made := e.Rhs.(*ast.TableExpr); e.Operator == "or" && (s.kind == elementSymbol || s.kind == lookupSymbol) {
		if made {
			refuseWith(e, makeBefore, "makes a table where there is no %s", inSource(e.Lhs))
		}
		c.mustBeKeyed(s)
	}
	s = c.optional(s)
	if e.Operator == "or" && (s.kind == constantSymbol || s.kind == choiceSymbol) {
		return c.orElse(s, e)
	}
	if s.kind == madeSymbol {
		s = c.real(s, e.Lhs)
	}
	if isAny(s) {
		left := c.value(s, e.Lhs)
		return c.anyOr(left, e.Operator == "and", c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e)
	}
	if e.Operator == "and" && (s.kind == viewSymbol || s.kind == chosenViewSymbol || s.kind == elementSymbol || s.kind == lookupSymbol || s.kind == constantSymbol || s.kind == choiceSymbol) {
		if s.kind == viewSymbol && s.orFalse && s.falseIf != nil && c.mayMix() {
			return c.andFalse(s, e)
		}
		c.refuseFalse(s, e.Lhs)
		if s.kind == choiceSymbol {
			c.guard(not(chosenFalse(s.choice)))
		}
		cond := c.keep(c.truth(s, e.Lhs))
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		if rest.s.kind == nilSymbol {
			return c.givesNil(cond, rest)
		}
		return c.joinOptional(cond, rest, branchValue{s: &symbol{kind: nilSymbol}}, e)
	}
	if s.kind == lookupSymbol {
		first := *s // s may be that of a variable, whose key changes
		first.x = c.keep(s.x)
		return c.rowOrElse(&first, e)
	}
	if s.kind != nilSymbol && !isOptional(s) {
		s = plain(c.value(s, e.Lhs))
	}
	switch {
	case s.kind == nilSymbol && e.Operator == "or" && c.isFunction(e.Rhs):
		return c.operand(e.Rhs)
	case s.kind == nilSymbol && e.Operator == "or":
		return c.scalar(e.Rhs)
	case s.kind == nilSymbol:
		c.unless(true, func() []*ir.Stmt { return c.branchOf(func() *symbol { return c.operand(e.Rhs) }).body })
		return s
	case s.has != nil && s.x.Type == ir.Bool && e.Operator == "and":
		c.p.Exact = true
		return c.anyOr(c.anyOf(s, e.Lhs), true, c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e)
	case s.has != nil && e.Operator == "or":
		cond := s.has
		if s.x.Type == ir.Bool { // false or x is x, too
			cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: s.has, B: s.x}
		}
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		first := branchValue{s: surely(s)}
		if isAny(rest.s) {
			return c.chosenAny(cond, first, rest, e)
		}
		if isOptional(rest.s) || rest.s.kind == nilSymbol {
			return c.joinOptional(cond, first, rest, e)
		}
		return c.either(cond, first, rest, e)
	case s.has != nil:
		cond := c.keep(s.has)
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		if rest.s.kind == nilSymbol {
			return c.givesNil(cond, rest)
		}
		return c.joinOptional(cond, rest, branchValue{s: &symbol{kind: nilSymbol}}, e)
	}
	a := s.x
	op := ir.Or
	if e.Operator == "and" {
		op = ir.And
	}
	switch {
	case a.Type != ir.Bool && op == ir.And:
		c.discard(a)
		return c.scalar(e.Rhs)
	case a.Type != ir.Bool:
		c.branching(func() { c.collect(func() { c.operand(e.Rhs) }) })
		return s
	}
	rest := c.branchOf(func() *symbol {
		s := c.scalar(e.Rhs)
		if isOptional(s) && s.x.Type == ir.Bool {
			return plain(c.value(s, e.Rhs))
		}
		return s
	})
	if rest.s.kind != nilSymbol && rest.s.has == nil && rest.s.x.Type == ir.Bool {
		return plain(c.joined(op, a, rest.s.x, rest.body))
	}
	return c.ofSeveral(c.anyOr(wrapped(a), op == ir.And, rest, e))
}

// givesNil returns nil, the value of "x and rest" whichever of both it is. What rest does is done where cond holds.
func (c *lowerer) givesNil(cond *ir.Expr, rest branchValue) *symbol {
	if len(rest.body) > 0 {
		c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: rest.body})
	}
	return rest.s
}

// chosen returns the value of "cond and first or rest", where first may be nil.
func (c *lowerer) chosen(cond *ir.Expr, first branchValue, rest ast.Expr, at ast.PositionHolder) *symbol {
	if first.s.kind == valueSymbol && len(first.body) == 0 && first.s.x.Type != ir.Bool {
		cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: cond, B: first.s.has}
		if other := c.branchOf(func() *symbol { return c.scalar(rest) }); isOptional(other.s) || other.s.kind == nilSymbol {
			return c.joinOptional(cond, branchValue{s: surely(first.s)}, other, at)
		} else {
			return c.either(cond, branchValue{s: surely(first.s)}, other, at)
		}
	}
	there := c.temporary(ir.Bool)
	has, x := boolean(false), (*ir.Expr)(nil)
	if first.s.kind != nilSymbol {
		if has, x = first.s.has, first.s.x; x.Type == ir.Bool {
			return c.ofSeveral(c.chosenAny(cond, first, c.branchOf(func() *symbol { return c.scalar(rest) }), at))
		}
	}
	body := append(first.body, &ir.Stmt{Op: ir.Set, I: there.I, Mark: -1, A: has})
	value := branchValue{s: &symbol{kind: nilSymbol}}
	if x != nil {
		reg := c.temporary(x.Type)
		body = append(body, &ir.Stmt{Op: ir.Set, I: reg.I, Mark: -1, A: x})
		value.s = plain(reg)
	}
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: body, Else: []*ir.Stmt{{Op: ir.Set, I: there.I, Mark: -1, A: boolean(false)}}})
	other := c.branchOf(func() *symbol { return c.scalar(rest) })
	switch {
	case x == nil && other.s.kind == nilSymbol:
		return other.s
	case x == nil:
		return c.joinOptional(not(there), other, value, at)
	case isOptional(other.s) || other.s.kind == nilSymbol:
		return c.joinOptional(there, value, other, at)
	}
	return c.either(there, value, other, at)
}
