package lower

import (
	"github.com/yuin/gopher-lua/ast"
)

// Variables for which the source asks whether they are nil. For these, an element of a list is kept together with a
// mark that says whether the element exists. For other variables, a row in which the element is missing is left to
// the interpreter at once.

// tests notes the variables that an expression asks about, where the expression is a condition, or an operand of
// not, and, or, or of a comparison with nil.
func (p *preparer) tests(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		p.t.tested[p.t.Names.Of(e)] = true
	case *ast.UnaryNotOpExpr:
		p.tests(e.Expr)
	case *ast.LogicalOpExpr:
		p.tests(e.Lhs)
		p.tests(e.Rhs)
	case *ast.RelationalOpExpr:
		if _, ok := e.Rhs.(*ast.NilExpr); ok {
			p.tests(e.Lhs)
		} else if _, ok := e.Lhs.(*ast.NilExpr); ok {
			p.tests(e.Rhs)
		}
	}
}

// testsIn is tests for an operator that asks about its operands wherever its value is used.
func (p *preparer) testsIn(e ast.Expr) {
	switch e.(type) {
	case *ast.UnaryNotOpExpr, *ast.LogicalOpExpr, *ast.RelationalOpExpr:
		p.tests(e)
	}
}
