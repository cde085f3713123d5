package kernel

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// values is how many values a list of expressions gives: a call of a function of
// the file at its end gives all of its own.
func (t *Template) values(list []ast.Expr) int {
	n := len(list)
	if n == 0 {
		return 0
	}
	if call, ok := list[n-1].(*ast.FuncCallExpr); ok && !call.AdjustRet {
		if v := t.Names.Variable(call.Func); t.functions[v] != nil {
			return n - 1 + t.results(v)
		}
	}
	return n
}

// results is how many values the function of the file that a variable holds returns at most.
func (t *Template) results(v *syntax.Variable) int {
	if n, ok := t.counts[v]; ok {
		return n
	}
	most := 0
	syntax.Search(t.functions[v].Body, func(n ast.PositionHolder) syntax.Step {
		if st, ok := n.(*ast.ReturnStmt); ok {
			most = max(most, t.values(st.Exprs))
		}
		return syntax.Deeper
	})
	t.counts[v] = most
	return most
}
