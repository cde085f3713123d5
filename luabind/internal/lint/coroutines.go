package lint

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Coroutines that outlive a frame: no state can hold them, so a reload and a snapshot lose where they are.

func (c *checker) coroutines(f *file) {
	var made func(e ast.Expr) bool
	made = func(e ast.Expr) bool {
		if either, ok := e.(*ast.LogicalOpExpr); ok {
			return made(either.Lhs) || made(either.Rhs)
		}
		if v := f.Chunk.Bindings.Variable(e); v != nil && v.Value != nil {
			e = v.Value
		}
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || call.Func == nil {
			return false
		}
		name := text(call.Func)
		return name == "coroutine.create" || name == "coroutine.wrap"
	}
	// outlives reports whether what is assigned to an expression, or to an element of it, is there after the function
	// has returned.
	outlives := func(to ast.Expr, element bool, in *ast.FunctionExpr) bool {
		for {
			if v := f.Chunk.Bindings.Variable(to); v != nil {
				return v.Function == nil || v.Function.Node != in || element && (v.Kind == syntax.Self || v.Kind == syntax.Parameter)
			}
			get, ok := to.(*ast.AttrGetExpr)
			if !ok {
				return element
			}
			to, element = get.Object, true
		}
	}
	report := func(line int) {
		c.add("W302", f, line, "a coroutine is kept from frame to frame: a reload and a snapshot lose where it is", "keep in state which step comes next, and go on from there")
	}
	var around []*ast.FunctionExpr
	f.Chunk.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			if fn, ok := s.Node.(*ast.FunctionExpr); ok {
				around = append(around, fn)
			}
		},
		Leave: func(s syntax.Scope) {
			if _, ok := s.Node.(*ast.FunctionExpr); ok {
				around = around[:len(around)-1]
			}
		},
		Stmt: func(st ast.Stmt) {
			var in *ast.FunctionExpr
			if len(around) > 0 {
				in = around[len(around)-1]
			}
			switch st := st.(type) {
			case *ast.AssignStmt:
				for i, to := range st.Lhs {
					if i < len(st.Rhs) && made(st.Rhs[i]) && (in == nil || outlives(to, false, in)) {
						report(st.Line())
					}
				}
			case *ast.LocalAssignStmt:
				if in != nil {
					return
				}
				for i, e := range st.Exprs {
					if declared := f.Chunk.Bindings.Declared(st); made(e) && i < len(declared) && f.readInFunction(declared[i]) {
						report(st.Line())
					}
				}
			}
		},
		Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || call.Func == nil || text(call.Func) != "table.insert" || len(call.Args) < 2 || len(around) == 0 {
				return
			}
			if made(call.Args[len(call.Args)-1]) && outlives(call.Args[0], true, around[len(around)-1]) {
				report(call.Line())
			}
		},
	})
}
