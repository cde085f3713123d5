package ir

// Expressions calls visit for each expression of some statements and of those in them, operands included. A shared
// expression is visited once for each place.
func Expressions(body []*Stmt, visit func(x *Expr)) {
	var expr func(x *Expr)
	expr = func(x *Expr) {
		if x != nil {
			visit(x)
			expr(x.A)
			expr(x.B)
			expr(x.C)
		}
	}
	for _, s := range body {
		expr(s.A)
		expr(s.B)
		expr(s.C)
		for _, a := range s.Args {
			expr(a)
		}
		Expressions(s.Body, visit)
		Expressions(s.Else, visit)
	}
}
