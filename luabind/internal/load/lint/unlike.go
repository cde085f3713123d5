package lint

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What Lua 5.1 does in another way, as far as the code shows it: the other lines of "Differences from Lua 5.1" in docs/lua-api.md have a code of their own, are errors,
// or depend on values.

func (c *checker) unlike(f *file) {
	global := func(e ast.Expr, name string) bool {
		v := f.Chunk.Bindings.Variable(e)
		return v != nil && v.Kind == syntax.Global && v.Name == name
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			if st, ok := st.(*ast.NumberForStmt); ok {
				for _, e := range []ast.Expr{st.Init, st.Limit, st.Step} {
					if s, ok := e.(*ast.StringExpr); ok {
						c.add("W107", f, st.Line(), fmt.Sprintf("a for loop takes no string %q", syntax.CutName(s.Value)), "write a number, or tonumber")
					}
				}
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				if e.Func == nil || len(e.Args) == 0 {
					return
				}
				if s, ok := e.Args[0].(*ast.StringExpr); ok && global(e.Func, "tonumber") && notFinite(s.Value) {
					c.add("W107", f, e.Line(), fmt.Sprintf("tonumber(%q) is nil", s.Value), "write math.huge, -math.huge or 0/0")
				}
				if get, ok := e.Func.(*ast.AttrGetExpr); ok && global(get.Object, "table") && isText(get.Key, "insert") && len(e.Args) == 3 && belowOne(e.Args[1]) {
					c.add("W107", f, e.Line(), "table.insert takes positions from 1", "write t[0] = x for a key that is no position")
				}
			case *ast.AttrGetExpr:
				if call, ok := e.Object.(*ast.FuncCallExpr); ok && call.Func != nil && global(call.Func, "getmetatable") && len(call.Args) == 1 {
					if _, ok := call.Args[0].(*ast.StringExpr); ok {
						c.add("W107", f, e.Line(), "the metatable of strings is locked", "functions that are put into string are methods of strings")
					}
				}
			}
		},
	})
}

// notFinite reports whether a text is one that C reads as an infinity or as no number.
func notFinite(s string) bool {
	switch strings.ToLower(strings.TrimLeft(strings.TrimSpace(s), "+-")) {
	case "inf", "infinity", "nan":
		return true
	}
	return false
}

func isText(e ast.Expr, s string) bool {
	x, ok := e.(*ast.StringExpr)
	return ok && x.Value == s
}

// belowOne reports whether an expression is written as a number below 1.
func belowOne(e ast.Expr) bool {
	if minus, ok := e.(*ast.UnaryMinusOpExpr); ok {
		_, ok := minus.Expr.(*ast.NumberExpr)
		return ok
	}
	n, ok := e.(*ast.NumberExpr)
	return ok && n.Value == "0"
}
