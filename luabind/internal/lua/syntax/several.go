package syntax

import "github.com/yuin/gopher-lua/ast"

// GivesSeveral reports whether an expression at the end of a list gives all its values: a call, or ..., without parentheses around it.
func GivesSeveral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}
