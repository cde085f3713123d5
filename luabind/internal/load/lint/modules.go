package lint

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Modules that there are not, in calls of require that the loading of the file has not reached.

func (c *checker) modules(f *file) {
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || len(call.Args) != 1 {
			return
		}
		name, constant := call.Args[0].(*ast.StringExpr)
		if v := f.Chunk.Bindings.Variable(call.Func); v == nil || !v.IsGlobal("require") || !constant {
			return
		}
		if err := c.Module(f.Path, name.Value); err != nil {
			c.add("E202", f, call.Line(), err.Error(), "")
		}
	}})
}
