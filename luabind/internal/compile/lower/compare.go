package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Comparisons of numbers, booleans, strings, entities, and of values that may be nil.

// compare lowers a comparison. Values of different types are never equal. An order is only supported for numbers.
func (c *lowerer) compare(e *ast.RelationalOpExpr) *ir.Expr {
	equality := e.Operator == "==" || e.Operator == "~="
	sense := func(equal *ir.Expr) *ir.Expr {
		if e.Operator == "~=" {
			return not(equal)
		}
		return equal
	}
	if _, ok := e.Rhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Lhs))
	}
	if _, ok := e.Lhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Rhs))
	}
	if equality {
		l := c.comparand(e.Lhs)
		var r *symbol
		c.after(func() { r = c.comparand(e.Rhs) }, l.operands()...)
		l, r = c.comparedViews(l, r, e)
		switch {
		case isFixed(l) && isFixed(r), isFixed(l) && isAny(r), isFixed(r) && isAny(l):
			refuse(e, "compares functions or tables")
		case isFixed(l) || isFixed(r): // they are never equal to a number, a boolean, a string or nil
			c.discardAll([]*symbol{l, r})
			return boolean(e.Operator == "~=")
		case l.kind == nilSymbol && r.kind == nilSymbol:
			return boolean(e.Operator == "==")
		case isAny(l) || isAny(r):
			c.p.Exact = true
			return sense(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: c.anyOf(l, e.Lhs), B: c.anyOf(r, e.Rhs)})
		case l.kind == nilSymbol || r.kind == nilSymbol:
			return sense(not(c.truthOfEither(l, r)))
		case l.x.Type != r.x.Type:
			c.discard(l.x)
			c.discard(r.x)
			if l.has != nil && r.has != nil {
				return sense(&ir.Expr{Op: ir.And, Type: ir.Bool, A: not(l.has), B: not(r.has)})
			}
			return boolean(e.Operator == "~=")
		}
		if equal, ok := comparedNow(e.Operator, l.x, r.x); ok && l.has == nil && r.has == nil {
			return equal
		}
		return sense(c.compared(l, r))
	}
	a, b := c.pair(func() *ir.Expr { return c.expr(e.Lhs) }, func() *ir.Expr { return c.expr(e.Rhs) })
	a, b = c.as(a, b.Type), c.as(b, a.Type)
	if less, ok := comparedNow(e.Operator, a, b); ok {
		return less
	}
	if a.Type != b.Type {
		c.settleBy(a, b.Type)
		c.settleBy(b, a.Type)
	}
	switch {
	case a.Type != b.Type:
		refuse(e, "compares %s with %s", typeNames[a.Type], typeNames[b.Type])
	case a.Type == ir.Text:
		return c.ordered(e, a, b)
	case a.Type == ir.Any:
		c.p.Exact = true
	case a.Type != ir.Number:
		refuse(e, "asks which of two values is less, and they are no numbers")
	}
	if (e.Operator == ">" || e.Operator == ">=") && (hasEffect(a) || hasEffect(b)) {
		a = c.keep(a)
	}
	switch e.Operator {
	case "<":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: a, B: b}
	case ">":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: b, B: a}
	case "<=":
		return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: a, B: b}
	}
	return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: b, B: a}
}

// comparedNow compares two numbers that are constants, such as a number of arguments.
func comparedNow(operator string, a, b *ir.Expr) (x *ir.Expr, ok bool) {
	if a.Op != ir.Const || b.Op != ir.Const || a.Type != ir.Number || b.Type != ir.Number {
		return nil, false
	}
	switch operator {
	case "<":
		return boolean(a.N < b.N), true
	case ">":
		return boolean(a.N > b.N), true
	case "<=":
		return boolean(a.N <= b.N), true
	case ">=":
		return boolean(a.N >= b.N), true
	case "==":
		return boolean(a.N == b.N), true
	case "~=":
		return boolean(a.N != b.N), true
	}
	return nil, false
}

// ordered lowers a comparison of strings.
func (c *lowerer) ordered(e *ast.RelationalOpExpr, a, b *ir.Expr) *ir.Expr {
	switch e.Operator {
	case "<":
		return c.lessText(a, b)
	case ">":
		return c.lessText(b, a)
	case "<=":
		return not(c.lessText(b, a))
	}
	return not(c.lessText(a, b))
}

// comparand lowers an operand of == or ~=: a number, boolean or string, nil, or a constant table or function.
func (c *lowerer) comparand(e ast.Expr) *symbol {
	s := c.operand(e)
	if c.isConstant(e) && isFixed(s) {
		return s
	}
	if s.kind == viewSymbol && s.schema != nil && c.entityIn(s) != nil {
		return s
	}
	return c.scalarOf(s, e)
}

// comparedViews returns the operands of == for two of which one at least may be a view. Two views are equal if they are the
// same component of the same entity: they become their entities, or nil, or a number for false. A view that is compared with a value of any kind
// becomes one.
func (c *lowerer) comparedViews(l, r *symbol, e *ast.RelationalOpExpr) (a, b *symbol) {
	if l.kind != viewSymbol && r.kind != viewSymbol {
		return l, r
	}
	of := func(s, other *symbol, at ast.Expr) *symbol {
		switch {
		case s.kind != viewSymbol:
			return s
		case isAny(other):
			return plain(c.anyOf(s, at))
		case s.event, s.orFalse && s.falseIf == nil, other.kind == viewSymbol && other.component != s.component, other.kind != viewSymbol && other.kind != nilSymbol:
			c.value(s, at) // refuses it
		}
		entity, there := c.entityIn(s), c.there(s)
		c.p.Entity = c.p.Entity || entity.Op == ir.Entity
		if s.orFalse { // false is an entity that does not exist
			there = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: there, B: s.falseIf}
			entity = &ir.Expr{Op: ir.Select, Type: ir.Number, A: s.falseIf, B: &ir.Expr{Op: ir.Const, N: -1}, C: entity}
		}
		return &symbol{kind: valueSymbol, x: entity, has: c.keep(there)}
	}
	return of(l, r, e.Lhs), of(r, l, e.Rhs)
}

// entityIn returns the entity of a view; nil if it is not known.
func (c *lowerer) entityIn(s *symbol) *ir.Expr {
	if s.kept != nil {
		return &ir.Expr{Op: ir.Reg, I: s.kept.entity}
	}
	return s.entity
}

// isFixed reports whether a symbol is a function or a constant table.
func isFixed(s *symbol) bool { return s.kind == constantSymbol || s.kind == functionSymbol }

// missing lowers a comparison with nil: the condition that an expression is nil.
func (c *lowerer) missing(e ast.Expr) *ir.Expr { return c.lacking(c.operand(e), e) }

// lacking returns the condition that a symbol is nil.
func (c *lowerer) lacking(s *symbol, e ast.PositionHolder) *ir.Expr {
	if isAny(s) {
		c.p.Exact = true
		return isNull(c.value(s, e))
	}
	switch s.kind {
	case nilSymbol:
		return boolean(true)
	case viewSymbol:
		if s.orFalse && s.falseIf != nil {
			return &ir.Expr{Op: ir.And, Type: ir.Bool, A: not(c.there(s)), B: not(s.falseIf)}
		}
		c.refuseFalse(s, e)
		return not(c.there(s))
	case chosenViewSymbol:
		return not(s.views.found(c))
	case unsetSymbol, registerSymbol:
		return not(c.present(s))
	case lookupSymbol:
		return not(c.found(s))
	case elementSymbol:
		return not(c.exists(s.i, s.x))
	case choiceSymbol:
		return not(anyOf(s.choice))
	case valueSymbol:
		if s = c.optional(s); s.has != nil {
			return not(s.has)
		}
		c.discard(s.x)
		return boolean(false)
	case madeSymbol, constantSymbol, functionSymbol, tableSymbol, worldSymbol, resourcesSymbol, commandsSymbol, layersSymbol, statesSymbol, layerSymbol, querySymbol:
		return boolean(false)
	}
	refuse(e, "compares %s with nil", kindTexts[s.kind])
	return nil
}
