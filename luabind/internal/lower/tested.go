package lower

import (
	"github.com/yuin/gopher-lua/ast"
)

// Variables of which the source asks whether they are nil. An element of a list that is kept in such a variable has a mark, which says whether there
// was one; elsewhere a row in which there is none is left to the interpreter at once.

// tests notes the variables that an expression asks for, when it is a condition, or an operand of not, and, or, or of a comparison with nil.
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

// testsIn is tests for an operator that asks for its operands, wherever its value is used.
func (p *preparer) testsIn(e ast.Expr) {
	switch e.(type) {
	case *ast.UnaryNotOpExpr, *ast.LogicalOpExpr, *ast.RelationalOpExpr:
		p.tests(e)
	}
}
