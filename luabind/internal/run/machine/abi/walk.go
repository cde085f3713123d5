package abi

import "github.com/ecsrun/ecsrun/luabind/internal/compile/ir"

// Walks over the statements and expressions of a Program, for all stages of the compiler.

// Walk visits all statements and expressions in order: a statement first, then its own expressions, then the
// statements in it.
func Walk(body []*ir.Stmt, stmt func(*ir.Stmt), expr func(*ir.Expr)) {
	for _, s := range body {
		stmt(s)
		WalkOwn(s, expr)
		Walk(s.Body, stmt, expr)
		Walk(s.Else, stmt, expr)
	}
}

// WalkOwn visits the expressions of a statement, operands first, without those of the statements in it.
func WalkOwn(s *ir.Stmt, expr func(*ir.Expr)) {
	var visit func(x *ir.Expr)
	visit = func(x *ir.Expr) {
		if x != nil {
			visit(x.A)
			visit(x.B)
			visit(x.C)
			expr(x)
		}
	}
	visit(s.A)
	visit(s.B)
	visit(s.C)
	for _, x := range s.Args {
		visit(x)
	}
}

// FlipsTag reports whether an expression sets or removes a tag.
func FlipsTag(x *ir.Expr) bool { return x.Op == ir.Tag || x.Op == ir.Untag }
