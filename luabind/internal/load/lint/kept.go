package lint

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What a file keeps from one frame to the next besides `state`: a reload starts it anew.

// kept reports variables of the file that a function changes, or whose table it changes.
func (c *checker) kept(f *file) {
	changes := f.changes()
	for _, v := range f.Chunk.Bindings.Locals {
		lines := changes[v]
		if v.Function.Node != nil || len(lines) == 0 || f.fresh(v) || !f.readInFunction(v) {
			continue
		}
		fix := "keep it in state, as in M.state." + v.Name
		if !f.Own {
			fix = "keep it in the state of the system that uses it"
		}
		c.add("W301", f, lines[0], fmt.Sprintf("%q is kept from frame to frame outside of state: a reload starts it anew", v.Name), fix)
	}
}

// changes returns, by variable of the file, the lines where functions assign to it or to what is in it. on_reload may
// do so, and what begins with state is state.
func (f *file) changes() map[*syntax.Variable][]int {
	out := map[*syntax.Variable][]int{}
	all := map[*ast.FunctionExpr]bool{}
	for _, fn := range f.functions {
		all[fn] = !slices.ContainsFunc(f.handlers(), func(outer *ast.FunctionExpr) bool { return f.inside(fn, outer) })
	}
	for _, fn := range f.loading() {
		all[fn] = false
	}
	note := func(to ast.Expr, line int) {
		if v := f.root(to); v != nil && v.Function != nil && v.Function.Node == nil && !f.isState(v) {
			out[v] = append(out[v], line)
		}
	}
	f.each(all, func(st ast.Stmt) {
		if st, ok := st.(*ast.AssignStmt); ok {
			for _, to := range st.Lhs {
				note(to, st.Line())
			}
		}
	}, func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok && len(call.Args) > 0 {
			switch text(call.Func) {
			case "table.insert", "table.remove", "table.sort":
				note(call.Args[0], call.Line())
			}
		}
	})
	return out
}

// loading returns the local functions that are only called while the file is loaded, as those that fill a table of states.
func (f *file) loading() (out []*ast.FunctionExpr) {
	called := map[*ast.IdentExpr]bool{}
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok {
			if id, ok := call.Func.(*ast.IdentExpr); ok {
				called[id] = true
			}
		}
	}})
	for _, v := range f.Chunk.Bindings.Locals {
		fn, ok := v.Value.(*ast.FunctionExpr)
		later := func(use syntax.Use) bool { return use.In.Node != nil || !called[use.Ident] }
		if ok && !v.Assigned && len(v.Uses) > 0 && !slices.ContainsFunc(v.Uses, later) {
			out = append(out, fn)
		}
	}
	return out
}

// root returns the variable with which a path begins: t in t[1].x; nil if it begins with something else, or leads
// through a member state.
func (f *file) root(e ast.Expr) *syntax.Variable {
	for {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return f.Chunk.Bindings.Variable(e)
		}
		if member(get) == "state" {
			return nil
		}
		e = get.Object
	}
}

// member returns the name of the member that an expression reads, "" if it is computed.
func member(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}

// handlers returns the functions on_reload of the file.
func (f *file) handlers() []*ast.FunctionExpr {
	var out []*ast.FunctionExpr
	for _, members := range f.members {
		if fn := f.names.Function(members["on_reload"]); fn != nil {
			out = append(out, fn)
		}
	}
	for _, e := range f.returned {
		if t, ok := e.(*ast.TableExpr); ok {
			for _, field := range t.Fields {
				if key, ok := field.Key.(*ast.StringExpr); ok && key.Value == "on_reload" {
					out = append(out, f.names.Function(field.Value))
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(fn *ast.FunctionExpr) bool { return fn == nil })
}

// isState reports whether a variable holds the state of the system: it is put into a table under the name state, or
// was taken from there.
func (f *file) isState(v *syntax.Variable) bool {
	if get, ok := v.Value.(*ast.AttrGetExpr); ok && member(get) == "state" {
		return true
	}
	is := func(e ast.Expr) bool { return e != nil && f.Chunk.Bindings.Variable(e) == v }
	for _, members := range f.members {
		if is(members["state"]) {
			return true
		}
	}
	return slices.ContainsFunc(f.returned, func(e ast.Expr) bool {
		t, ok := e.(*ast.TableExpr)
		return ok && slices.ContainsFunc(t.Fields, func(field *ast.Field) bool {
			key, ok := field.Key.(*ast.StringExpr)
			return ok && key.Value == "state" && is(field.Value)
		})
	})
}

// readInFunction reports whether a function reads a variable, for more than changing it.
func (f *file) readInFunction(v *syntax.Variable) bool {
	return slices.ContainsFunc(v.Uses, func(u syntax.Use) bool { return u.In.Node != nil && !u.Assigned })
}

// fresh reports whether each function that uses a variable gives it, or all its elements, new values first: then
// nothing of an earlier frame is left.
func (f *file) fresh(v *syntax.Variable) bool {
	for _, fn := range v.Functions() {
		if fn.Node == nil {
			continue
		}
		if !f.begins(fn.Node, v) {
			return false
		}
	}
	return true
}

// begins reports whether the first statement of a function that has a variable in it gives it new values.
func (f *file) begins(fn *ast.FunctionExpr, v *syntax.Variable) bool {
	has := func(n ast.PositionHolder) syntax.Step {
		if id, ok := n.(*ast.IdentExpr); ok && f.Chunk.Bindings.Of(id) == v {
			return syntax.Found
		}
		return syntax.Deeper
	}
	for _, st := range fn.Stmts {
		if !syntax.Search([]ast.Stmt{st}, has) {
			continue
		}
		switch st := st.(type) {
		case *ast.AssignStmt:
			value := &ast.ReturnStmt{Exprs: st.Rhs}
			return slices.ContainsFunc(st.Lhs, func(e ast.Expr) bool { return f.Chunk.Bindings.Variable(e) == v }) && !syntax.Search([]ast.Stmt{value}, has)
		case *ast.NumberForStmt:
			return f.clears(st.Stmts, v)
		case *ast.GenericForStmt:
			return f.clears(st.Stmts, v)
		}
		return false
	}
	return false
}

// clears reports whether a loop does nothing but give the elements of a table new values.
func (f *file) clears(body []ast.Stmt, v *syntax.Variable) bool {
	for _, st := range body {
		assign, ok := st.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 {
			return false
		}
		get, ok := assign.Lhs[0].(*ast.AttrGetExpr)
		if !ok || f.Chunk.Bindings.Variable(get.Object) != v {
			return false
		}
	}
	return len(body) > 0
}
