package lint

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Members of libraries that Lua 5.1 does not have: table.unpack, math.type. A file that tests for a member, as in
// table.unpack or unpack, or makes it, knows that it may be missing.

func (c *checker) library(f *file) {
	type use struct {
		name, hint string
		line       int
	}
	var uses []use
	known := map[string]bool{}
	member := func(e ast.Expr) string {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return ""
		}
		v, key := f.Chunk.Bindings.Variable(get.Object), ""
		if name, ok := get.Key.(*ast.StringExpr); ok {
			key = name.Value
		}
		if v == nil || v.Kind != syntax.Global || !slices.Contains(libraries, v.Name) || key == "" {
			return ""
		}
		return v.Name + "." + key
	}
	tested := func(list ...ast.Expr) {
		for _, e := range list {
			known[member(e)] = true
		}
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.IfStmt:
				tested(st.Condition)
			case *ast.AssignStmt:
				tested(st.Lhs...)
			case *ast.FuncDefStmt:
				tested(st.Name.Func)
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.LogicalOpExpr:
				tested(e.Lhs, e.Rhs)
			case *ast.UnaryNotOpExpr:
				tested(e.Expr)
			case *ast.RelationalOpExpr:
				tested(e.Lhs, e.Rhs)
			case *ast.AttrGetExpr:
				if name := member(e); name != "" {
					library := f.Chunk.Bindings.Variable(e.Object).Name
					if hint := c.Lacks(library, name[len(library)+1:]); hint != "" && !c.replaced(library, name[len(library)+1:]) {
						uses = append(uses, use{name, hint, e.Line()})
					}
				}
			}
		},
	})
	for _, u := range uses {
		if !known[u.name] {
			c.add("W105", f, u.line, u.hint, "")
		}
	}
}

// globals reports the undeclared globals of a library.
func (c *checker) globals(f *file) {
	if c.Globals == nil {
		return
	}
	for _, g := range c.Globals(f.Path) {
		c.add("W108", f, g.Line, g.Text, "")
	}
}
