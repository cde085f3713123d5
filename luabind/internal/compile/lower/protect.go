package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of pcall, xpcall and error. A kernel raises no errors: a row in which the called function fails is left to the
// interpreter as a whole. So in every row that a kernel finishes, pcall(f, x) returns true and the values of f(x), and
// error is not reached.

// isGlobalCall reports whether the source calls the global with this name, and not a local.
func (t *Template) isGlobalCall(e *ast.FuncCallExpr, name string) bool {
	id, ok := e.Func.(*ast.IdentExpr)
	return ok && id.Value == name && t.Names.Of(id) != nil && t.Names.Of(id).IsGlobal(name)
}

// protected returns f(x) for pcall(f, x) and xpcall(f, handler, x): a node of its own, the same one each time. It is nil
// for another call.
func (t *Template) protected(e *ast.FuncCallExpr) *ast.FuncCallExpr {
	first := 1
	switch {
	case t.isGlobalCall(e, "xpcall") && len(e.Args) > 1:
		first = 2
	case !t.isGlobalCall(e, "pcall") || len(e.Args) == 0:
		return nil
	}
	if t.spreads.inner[e] == nil {
		t.spreads.inner[e] = syntax.At(&ast.FuncCallExpr{Func: e.Args[0], Args: e.Args[first:]}, e)
	}
	return t.spreads.inner[e]
}

// protects walks a call of pcall, xpcall or error. It returns false for another call.
func (p *preparer) protects(e *ast.FuncCallExpr) bool {
	inner := p.t.protected(e)
	if inner == nil && !p.t.isGlobalCall(e, "error") {
		return false
	}
	in := p.input(p.free(e.Func.(*ast.IdentExpr)), "", e.Func)
	in.Read, in.Called = true, true
	if inner == nil {
		return true
	}
	if p.t.isGlobalCall(e, "xpcall") {
		p.operand(e.Args[1])
	}
	p.call(inner)
	return true
}

// protect lowers a call of pcall or xpcall.
func (c *lowerer) protect(e, inner *ast.FuncCallExpr, wanted int) []*symbol {
	if c.open(e) && len(c.t.calls[inner]) == 0 {
		refuseWith(e, oneValue, "passes on all values of %s", callee(e))
	}
	if c.open(e) && !c.adjusted(e) {
		c.opens[inner] = true
	} else {
		delete(c.opens, inner)
	}
	if len(e.Args) > len(inner.Args)+1 { // the handler of xpcall is only evaluated
		c.discardAll([]*symbol{c.settled(c.operand(e.Args[1]), e)})
	}
	c.pay()
	c.shielded[inner] = true
	return append([]*symbol{plain(boolean(true))}, c.call(inner, max(wanted-1, 0))...)
}

// raisesError reports whether an expression is a call of error.
func (c *lowerer) raisesError(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || !c.t.isGlobalCall(call, "error") {
		return false
	}
	fn := c.functionIn(call)
	return fn != nil && fn.kind == functionSymbol && fn.text == "error"
}

// orError lowers X or error(…): the value of X, where it is neither nil nor false.
func (c *lowerer) orError(e *ast.LogicalOpExpr) *symbol {
	s := c.settled(c.optional(c.operand(e.Lhs)), e.Lhs)
	if isAny(s) {
		s = plain(c.keep(s.x))
	}
	for _, x := range s.operands() {
		*x = c.keep(*x)
	}
	c.departs(e.Rhs, "an error is raised")
	c.guard(c.truth(s, e.Lhs))
	if isOptional(s) {
		return surely(s)
	}
	if s.kind == choiceSymbol {
		s.choice = slices.DeleteFunc(slices.Clone(s.choice), func(a alternative) bool { return a.value.Kind == BoolConstant && a.value.N == 0 })
		c.hasValue[s] = true
	}
	return s
}

// raises lowers a call of error.
func (c *lowerer) raises(e *ast.FuncCallExpr) {
	c.p.Exact = true
	c.departs(e, "an error is raised")
	c.emit(&ir.Stmt{Op: ir.Leave})
}
