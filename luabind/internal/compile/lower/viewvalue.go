package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Views that and, or choose: last and world:get(last, "Person"), own or inherited. The result is a new view, which
// is looked up for the chosen entity.

// givesView reports whether the value of an expression is a view or nil, judged by its syntax.
func (c *lowerer) givesView(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		s := c.symbols[c.t.Names.Of(e)]
		return s != nil && s.kind == viewSymbol
	case *ast.LogicalOpExpr:
		return c.givesView(e.Rhs)
	case *ast.FuncCallExpr:
		if e.Func == nil {
			return e.Method == "get" && len(e.Args) == 2
		}
		return slices.ContainsFunc(c.t.calls[e], c.t.returnsView)
	}
	return false
}

// returnsView reports whether one of the returns of a function gives what world:get gives.
func (t *Template) returnsView(f *Function) bool {
	for _, st := range t.returnsOf(f) {
		if len(st.Exprs) > 0 {
			if call, ok := st.Exprs[0].(*ast.FuncCallExpr); ok && call.Func == nil && call.Method == "get" {
				return true
			}
		}
	}
	return false
}

// logicalView lowers and, or whose value is a view or nil.
func (c *lowerer) logicalView(e *ast.LogicalOpExpr) *symbol {
	if e.Operator == "and" {
		s := c.operand(e.Lhs)
		if isAny(s) {
			s = plain(c.keep(c.value(s, e.Lhs)))
		}
		cond := c.keep(c.truth(s, e.Lhs))
		isFalse := c.falseOf(s, cond)
		rest := c.branchOf(func() *symbol { return c.operand(e.Rhs) })
		out := c.oneOf(e, cond, rest, branchValue{s: &symbol{kind: nilSymbol}})
		if out.kind == viewSymbol && c.mayBeFalse(s) { // it may be asked about and used, but is not the same as nil
			out.orFalse, out.falseIf = true, s.falseIf
			if isAny(s) {
				out.falseIf = &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: s.x, B: wrapped(boolean(false))}
			}
			if out.given = out.given || out.falseIf == nil; out.falseIf == nil {
				out.falseIf = isFalse
			}
		}
		if r := rest.s; out.kind == viewSymbol && r.kind == viewSymbol && r.orFalse {
			out.given = true
			switch both := r.falseIf != nil && (!out.orFalse || out.falseIf != nil); {
			case !both:
				out.falseIf = nil
			case out.orFalse:
				out.falseIf = &ir.Expr{Op: ir.Select, Type: ir.Bool, A: cond, B: r.falseIf, C: out.falseIf}
			default:
				out.falseIf = &ir.Expr{Op: ir.And, Type: ir.Bool, A: cond, B: r.falseIf}
			}
			out.orFalse = true
		}
		return out
	}
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && and.Operator == "and" { // a view is never false
		c.pay()
		cond := c.keep(c.condition(and.Lhs))
		first := c.branchOf(func() *symbol { return c.operand(and.Rhs) })
		if first.s.kind == viewSymbol && !first.s.nilable {
			return c.oneOf(e, cond, first, c.branchOf(func() *symbol { return c.operand(e.Rhs) }))
		}
		s := c.oneOf(e, cond, first, branchValue{s: &symbol{kind: nilSymbol}})
		if s.kind == nilSymbol { // cond and nil or VIEW
			if len(first.body) > 0 {
				c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: first.body})
			}
			return c.operand(e.Rhs)
		}
		return c.oneOf(e, c.there(s), branchValue{s: s}, c.branchOf(func() *symbol { return c.operand(e.Rhs) }))
	}
	s := c.operand(e.Lhs)
	if s.kind == nilSymbol {
		return c.operand(e.Rhs)
	}
	there, rest := c.keep(c.there(s)), c.branchOf(func() *symbol { return c.operand(e.Rhs) })
	out := c.oneOf(e, there, branchValue{s: s}, rest)
	if rest.s.orFalse && rest.s.falseIf != nil && out.kind == viewSymbol {
		out.falseIf = &ir.Expr{Op: ir.And, Type: ir.Bool, A: not(there), B: rest.s.falseIf}
	}
	return out
}

// falseOf returns the condition that a boolean is false, where is is the condition that it is true. It may be nil. The result is nil for
// anything else.
func (c *lowerer) falseOf(s *symbol, is *ir.Expr) *ir.Expr {
	if s.kind == registerSymbol {
		s = c.settled(s, c.where)
	}
	switch {
	case s.kind == choiceSymbol:
		return chosenFalse(s.choice)
	case s.kind != valueSymbol || s.x.Type != ir.Bool:
		return nil
	case s.has == nil:
		return not(is)
	}
	return &ir.Expr{Op: ir.And, Type: ir.Bool, A: c.keep(s.has), B: not(is)}
}

// andFalse lowers VIEW and X, where the script has false instead of some views. Then the value is false, too.
func (c *lowerer) andFalse(s *symbol, e *ast.LogicalOpExpr) *symbol {
	without := &ir.Expr{Op: ir.Select, Type: ir.Any, A: s.falseIf, B: wrapped(boolean(false)), C: null()}
	left := &ir.Expr{Op: ir.Select, Type: ir.Any, A: c.truth(s, e.Lhs), B: wrapped(boolean(true)), C: without}
	return c.ofSeveral(c.anyOr(left, true, c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e))
}

// mayBeFalse reports whether the left side of an and, which has been asked about, may be false instead of nil.
func (c *lowerer) mayBeFalse(s *symbol) bool {
	switch s.kind {
	case registerSymbol:
		return s.typ == ir.Bool || s.typ == ir.Any
	case valueSymbol:
		return s.x.Type == ir.Bool || s.x.Type == ir.Any
	case lookupSymbol:
		return !c.isRow(s) && c.p.Keyed[s.i].ValueType(s.member) == ir.Bool
	case viewSymbol:
		return s.orFalse
	case choiceSymbol:
		x := chosenFalse(s.choice)
		return x.Op != ir.Const || x.N != 0
	}
	return false
}

// oneOf returns the view a if cond holds, otherwise the view b. Both are of one component, and each may be nil.
func (c *lowerer) oneOf(e *ast.LogicalOpExpr, cond *ir.Expr, a, b branchValue) *symbol {
	component := a.s
	if a.s.kind == nilSymbol {
		component = b.s
	}
	entity := c.temporary(ir.Number)
	choose := func(v branchValue) []*ir.Stmt {
		of := &ir.Expr{Op: ir.Const}
		switch {
		case v.s.kind == nilSymbol:
		case v.s.kind != viewSymbol || v.s.component != component.component || v.s.event || v.s.schema == nil:
			refuseWith(e, oneType, "and, or give now one type, now another")
		case v.s.entity == nil:
			refuseWith(e, useFields, "the view %q is chosen with and, or", v.s.name)
		default:
			of = v.s.entity
		}
		body := v.body
		if v.s.name == "" && v.s.owned && len(body) > 0 { // what it found is looked up again
			if last := body[len(body)-1]; last.Op == ir.Look && last.I == v.s.i {
				body = body[:len(body)-1]
			}
		}
		return append(body, &ir.Stmt{Op: ir.Set, I: entity.I, Mark: -1, A: of})
	}
	first, second := choose(a), choose(b)
	if component.kind != viewSymbol {
		return component
	}
	c.entities[entity.I] = true
	c.p.Entity = c.p.Entity || a.s.kind == viewSymbol && a.s.entity.Op == ir.Entity || b.s.kind == viewSymbol && b.s.entity.Op == ir.Entity
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: first, Else: second})
	out := c.look(component.component, entity)
	out.orFalse = b.s.orFalse
	out.given = out.orFalse || a.s.kind == viewSymbol && a.s.name != "" || b.s.kind == viewSymbol && b.s.name != ""
	return out
}

// refuseFalse refuses a symbol for which the script has a view or false, at a place where false and nil differ. If a
// condition says in which rows the script has false, only those rows are left to the interpreter.
func (c *lowerer) refuseFalse(s *symbol, at ast.PositionHolder) {
	switch {
	case s.kind != viewSymbol || !s.orFalse:
	case s.falseIf != nil:
		c.guard(not(s.falseIf))
	default:
		refuseWith(at, chooseView, "and gives a view or false")
	}
}
