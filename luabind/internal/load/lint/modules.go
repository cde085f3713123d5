package lint

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Modules that there are not, in calls of require that the loading of the file has not reached.

func (c *checker) modules(f *file) {
	if c.open["package"] {
		return
	}
	unsure := map[*ast.FuncCallExpr]bool{} // a test decides about them that may be one for what there is
	perhaps := func(stmts []ast.Stmt) {
		syntax.Search(stmts, func(n ast.PositionHolder) syntax.Step {
			if call, ok := n.(*ast.FuncCallExpr); ok {
				unsure[call] = true
			}
			return syntax.Deeper
		})
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			if test, ok := st.(*ast.IfStmt); ok && f.asksGlobal(test.Condition) {
				perhaps(test.Then)
				perhaps(test.Else)
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.LogicalOpExpr:
				perhaps([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{e.Rhs}}})
			case *ast.FuncCallExpr:
				if !unsure[e] {
					c.module(f, e)
				}
			}
		},
	})
}

// module reports a call of require with a name of no module.
func (c *checker) module(f *file, call *ast.FuncCallExpr) {
	if len(call.Args) != 1 {
		return
	}
	name, constant := call.Args[0].(*ast.StringExpr)
	if v := f.Chunk.Bindings.Variable(call.Func); v == nil || !v.IsGlobal("require") || !constant {
		return
	}
	if c.changed["package "+name.Value] || c.changed["package "+strings.ReplaceAll(name.Value, "/", ".")] {
		return
	}
	if err := c.Module(f.Path, name.Value); err != nil {
		c.add("E202", f, call.Line(), err.Error(), "")
	}
}

// asksGlobal reports whether a condition reads a global, as in if jit then.
func (f *file) asksGlobal(condition ast.Expr) bool {
	called := map[ast.Expr]bool{}
	return syntax.Search([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{condition}}}, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			called[n.Func] = true
		case *ast.IdentExpr:
			if v := f.Chunk.Bindings.Of(n); !called[n] && v != nil && v.Kind == syntax.Global {
				return syntax.Found
			}
		}
		return syntax.Deeper
	})
}
