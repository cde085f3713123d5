package lint

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Locals and parameters: unused ones, those that are only assigned, and those that hide a library.

// libraries are the names that a local should not take.
var libraries = []string{"bit", "coroutine", "math", "string", "table"}

func (c *checker) locals(f *file) {
	for _, v := range f.Chunk.Bindings.Locals {
		c.hides(f, v)
		if v.Name[0] == '_' {
			continue
		}
		fn, _ := v.Value.(*ast.FunctionExpr)
		reads, writes := 0, 0
		for _, use := range v.Uses {
			switch {
			case use.Assigned:
				writes++
			case fn == nil || !f.inside(use.In.Node, fn): // a function that only calls itself is not used
				reads++
			}
		}
		switch {
		case reads > 0:
		case v.Kind == syntax.Local || v.Kind == syntax.LocalFunction:
			c.unread(f, v, fn, writes)
		case v.Kind == syntax.Parameter && !c.decided(f, v):
			if writes > 0 {
				c.add("W103", f, v.Line(), fmt.Sprintf("parameter %q is assigned and never read", v.Name), "use its value, or remove it")
			} else {
				c.add("W102", f, v.Line(), fmt.Sprintf("unused parameter %q", v.Name), fmt.Sprintf("remove it, or call it _%s", v.Name))
			}
		}
	}
}

// unread reports a local that is never read.
func (c *checker) unread(f *file, v *syntax.Variable, fn *ast.FunctionExpr, writes int) {
	switch {
	case fn != nil && writes == 0:
		c.add("W101", f, v.Line(), fmt.Sprintf("unused local function %q", v.Name), fmt.Sprintf("call it, remove it, or call it _%s", v.Name))
	case writes == 0:
		c.add("W101", f, v.Line(), fmt.Sprintf("unused local %q", v.Name), fmt.Sprintf("remove it, or call it _%s", v.Name))
	default:
		c.add("W103", f, v.Line(), fmt.Sprintf("local %q is assigned and never read", v.Name), "use its value, or remove it")
	}
}

// decided reports whether somebody else decides what arguments the function of a parameter gets: it is a function of
// a system, a callback, a method, one of several functions in a table, or used as a value.
func (c *checker) decided(f *file, v *syntax.Variable) bool {
	fn := v.Node.(*ast.FunctionExpr)
	if f.given[fn] || f.names.Entry(fn) != "" {
		return true
	}
	for _, holder := range f.Chunk.Bindings.Locals {
		if holder.Value == ast.Expr(fn) {
			return slices.ContainsFunc(holder.Uses, func(u syntax.Use) bool { return !f.called[u.Ident] })
		}
	}
	return false
}

// hides reports a variable with the name of a library, unless it may get the library.
func (c *checker) hides(f *file, v *syntax.Variable) {
	if !slices.Contains(libraries, v.Name) {
		return
	}
	if st, ok := v.Node.(*ast.LocalAssignStmt); ok && v.Value == nil && slices.ContainsFunc(st.Exprs, func(e ast.Expr) bool { return f.mayBeLibrary(e, v.Name) }) {
		return // local ok, bit = pcall(require, "bit")
	}
	if f.mayBeLibrary(v.Value, v.Name) || slices.ContainsFunc(v.Uses, func(u syntax.Use) bool { return u.Assigned && f.mayBeLibrary(u.Value, v.Name) }) {
		return
	}
	c.add("W104", f, v.Line(), fmt.Sprintf("%s %q hides the library %s", v.Kind, v.Name, v.Name), "choose another name")
}

// mayBeLibrary reports whether an expression may be the library of that name, or something made of it: bit, require("bit"), compat and compat.bit or bit,
// pcall(require, "bit"), extend(bit).
func (f *file) mayBeLibrary(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return f.Chunk.Bindings.Of(e).IsGlobal(name)
	case *ast.LogicalOpExpr:
		return e.Operator == "or" && f.mayBeLibrary(e.Lhs, name) || f.mayBeLibrary(e.Rhs, name)
	case *ast.TableExpr:
		return slices.ContainsFunc(e.Fields, func(field *ast.Field) bool { return f.mayBeLibrary(field.Value, name) })
	case *ast.FuncCallExpr:
		requires := func(e ast.Expr) bool {
			v := f.Chunk.Bindings.Variable(e)
			return v != nil && v.IsGlobal("require")
		}
		given := requires(e.Func) || len(e.Args) > 0 && requires(e.Args[0])
		return slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return given && isText(arg, name) || f.mayBeLibrary(arg, name) })
	}
	return false
}

// isLibrary reports whether an expression is the library of that name: bit, require("bit"), bit or require("bit").
func (f *file) isLibrary(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		return f.isLibrary(e.Lhs, name) && f.isLibrary(e.Rhs, name)
	case *ast.FuncCallExpr:
		of := f.Chunk.Bindings.Variable(e.Func)
		if of == nil || !of.IsGlobal("require") || len(e.Args) != 1 {
			return false
		}
		required, ok := e.Args[0].(*ast.StringExpr)
		return ok && required.Value == name
	}
	of := f.Chunk.Bindings.Variable(e)
	return of != nil && of.IsGlobal(name)
}
