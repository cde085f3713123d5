package kernel

import "github.com/yuin/gopher-lua/ast"

// values is how many values a list of expressions gives: a call of a function of
// the file at its end gives all of its own.
func (t *Template) values(list []ast.Expr) int {
	n := len(list)
	if n == 0 {
		return 0
	}
	if call, ok := list[n-1].(*ast.FuncCallExpr); ok && !call.AdjustRet {
		if id, ok := call.Func.(*ast.IdentExpr); ok && t.functions[id.Value] != nil {
			return n - 1 + t.results(id.Value)
		}
	}
	return n
}

// results is how many values a function of the file returns at most.
func (t *Template) results(name string) int {
	if n, ok := t.counts[name]; ok {
		return n
	}
	most := 0
	f := t.functions[name]
	eachReturn(f.Body, func(st *ast.ReturnStmt) {
		most = max(most, t.values(st.Exprs))
	})
	t.counts[name] = most
	return most
}

// eachReturn visits the return statements of a function.
func eachReturn(body []ast.Stmt, visit func(*ast.ReturnStmt)) {
	for _, st := range body {
		switch st := st.(type) {
		case *ast.ReturnStmt:
			visit(st)
		case *ast.DoBlockStmt:
			eachReturn(st.Stmts, visit)
		case *ast.WhileStmt:
			eachReturn(st.Stmts, visit)
		case *ast.RepeatStmt:
			eachReturn(st.Stmts, visit)
		case *ast.IfStmt:
			eachReturn(st.Then, visit)
			eachReturn(st.Else, visit)
		case *ast.NumberForStmt:
			eachReturn(st.Stmts, visit)
		case *ast.GenericForStmt:
			eachReturn(st.Stmts, visit)
		}
	}
}
