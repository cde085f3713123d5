package sandbox

import "github.com/yuin/gopher-lua/ast"

// Visit calls fn for every expression of a file, outer ones first. It is for a
// [Pass], which sees the syntax before it is compiled.
func Visit(chunk []ast.Stmt, fn func(ast.Expr)) {
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) {
		fn(*e)
		children(*e, expr, block)
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			parts(st, expr, block)
		}
	}
	block(&chunk)
}
