package sandbox

import "github.com/yuin/gopher-lua/ast"

// A Visitor is told what a file has, outer things first and in the order of the source. Functions that are nil are not called.
type Visitor struct {
	Open, Close func() // a block, or what encloses one: a loop with its variables, a function with its parameters

	Local func(name string, value ast.Expr)                     // a local begins to be visible; value is nil when the source shows none
	Param func(fn *ast.FunctionExpr, position int, name string) // likewise a parameter; positions count from 0, and leave self out
	Loop  func(name string, position int)                       // likewise a variable of a for

	Expr func(ast.Expr) // an expression, before those in it
	Stmt func(ast.Stmt) // a statement, likewise
}

// Visit walks a file. It is for a [Pass], which sees the syntax before it is compiled.
func Visit(chunk []ast.Stmt, v Visitor) {
	nothing := func() {}
	if v.Open == nil {
		v.Open, v.Close = nothing, nothing
	}
	if v.Local == nil {
		v.Local = func(string, ast.Expr) {}
	}
	if v.Param == nil {
		v.Param = func(*ast.FunctionExpr, int, string) {}
	}
	if v.Loop == nil {
		v.Loop = func(string, int) {}
	}
	if v.Expr == nil {
		v.Expr = func(ast.Expr) {}
	}
	if v.Stmt == nil {
		v.Stmt = func(ast.Stmt) {}
	}
	v.block(chunk)
}

func (v *Visitor) block(stmts []ast.Stmt) {
	v.Open()
	defer v.Close()
	for _, st := range stmts {
		v.statement(st)
	}
}

func (v *Visitor) statement(st ast.Stmt) {
	v.Stmt(st)
	expr := func(e *ast.Expr) { v.expression(*e) }
	block := func(b *[]ast.Stmt) { v.block(*b) }
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		for _, e := range st.Exprs {
			v.expression(e)
		}
		for i, name := range st.Names {
			var value ast.Expr
			if i < len(st.Exprs) {
				value = st.Exprs[i]
			}
			v.Local(name, value)
		}
	case *ast.RepeatStmt: // its condition sees the locals of the body
		v.Open()
		defer v.Close()
		for _, inner := range st.Stmts {
			v.statement(inner)
		}
		v.expression(st.Condition)
	case *ast.NumberForStmt:
		for _, e := range []ast.Expr{st.Init, st.Limit, st.Step} {
			if e != nil {
				v.expression(e)
			}
		}
		v.loop([]string{st.Name}, st.Stmts)
	case *ast.GenericForStmt:
		for _, e := range st.Exprs {
			v.expression(e)
		}
		v.loop(st.Names, st.Stmts)
	case *ast.FuncDefStmt:
		if st.Name.Func != nil {
			v.expression(st.Name.Func)
		} else {
			v.expression(st.Name.Receiver)
		}
		v.function(st.Func)
	default:
		parts(st, expr, block)
	}
}

func (v *Visitor) loop(names []string, body []ast.Stmt) {
	v.Open()
	defer v.Close()
	for i, name := range names {
		v.Loop(name, i)
	}
	v.block(body)
}

func (v *Visitor) function(fn *ast.FunctionExpr) {
	v.Open()
	defer v.Close()
	for i, name := range fn.ParList.Names {
		v.Param(fn, i, name)
	}
	v.block(fn.Stmts)
}

func (v *Visitor) expression(e ast.Expr) {
	v.Expr(e)
	if fn, ok := e.(*ast.FunctionExpr); ok {
		v.function(fn)
		return
	}
	children(e, func(e *ast.Expr) { v.expression(*e) }, func(b *[]ast.Stmt) { v.block(*b) })
}
