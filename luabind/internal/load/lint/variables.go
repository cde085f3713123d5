package lint

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What variables, parameters and results of calls are, as far as the source shows it.

// variable returns what is known of a variable.
func (c *checker) variable(f *file, v *syntax.Variable) (out value) {
	switch {
	case v == nil:
		return value{}
	case v.Assigned:
		if f.names.Variable(v).Kind == alias.World {
			return c.known(f, v.Uses[0].Ident)
		}
		return value{}
	}
	if known, ok := c.values[v]; ok {
		return known
	}
	c.values[v] = value{} // while it is looked up
	out = c.settled(f, v, c.unsettled(f, v))
	c.values[v] = out
	return out
}

// unsettled returns what a variable gets where it is declared.
func (c *checker) unsettled(f *file, v *syntax.Variable) value {
	if len(v.Uses) > 0 {
		if x := c.known(f, v.Uses[0].Ident); x.sort != unknown {
			return x
		}
	}
	switch v.Kind {
	case syntax.LoopVariable:
		if _, numeric := v.Node.(*ast.NumberForStmt); numeric {
			return plain(number)
		}
	case syntax.Parameter:
		return c.parameter(f, v)
	case syntax.Local, syntax.LocalFunction:
		if st, ok := v.Node.(*ast.LocalAssignStmt); ok && len(st.Exprs) > 0 && v.Index >= len(st.Exprs) {
			if call, ok := st.Exprs[len(st.Exprs)-1].(*ast.FuncCallExpr); ok { // the call gives several variables their values
				return c.result(f, call, v.Index-len(st.Exprs)+1)
			}
		} else if v.Value != nil {
			return c.value(f, v.Value)
		}
	case syntax.Global, syntax.Self, syntax.Arg:
	}
	return value{}
}

// settled returns the value of a variable if nothing in the file makes it doubtful where the variable is used: a test of it, or what may give a
// table a metatable.
func (c *checker) settled(f *file, v *syntax.Variable, x value) value {
	if (x.sort == nothing || x.no) && f.tested[v] || f.typed[v] || x.sort == table && f.escapes[v] {
		return value{}
	}
	return x
}

// parameter returns what is known of a parameter: dt, or what all calls of a local function give.
func (c *checker) parameter(f *file, v *syntax.Variable) value {
	fn := v.Node.(*ast.FunctionExpr)
	if f.names.Entry(fn) == "update" && v.Index == 1 && f.Own && f.methods[fn] == "" {
		return plain(number) // dt
	}
	calls, ok := f.names.Calls(v)
	if !ok {
		return value{}
	}
	var all value
	for i, call := range calls {
		x := plain(nothing)
		if v.Index < len(call.Args) {
			x = c.value(f, call.Args[v.Index])
		} else if several(call.Args) {
			return value{}
		}
		if x.sort == unknown || x.sort == table || i > 0 && (x.sort != all.sort || x.what != all.what) { // a table may have any metatable
			return value{}
		}
		if i > 0 {
			x.text, x.number, x.no = nil, nil, x.no && all.no
		}
		all = x
	}
	return all
}

// several reports whether a list of expressions may have more values than it has expressions, or fewer.
func several(list []ast.Expr) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.FuncCallExpr, *ast.Comma3Expr:
		return true
	}
	return false
}

// result returns what is known of result i of a call.
func (c *checker) result(f *file, call *ast.FuncCallExpr, i int) value {
	if name, _ := c.libraryCall(f, call); name != "" {
		if i == 0 {
			return plain(signatures[name].gives)
		}
		return value{}
	}
	if fn := f.names.Function(call.Func); fn != nil && i == 0 {
		return c.returns(f, fn)
	}
	if i == 0 {
		if v := c.known(f, call); v.sort != unknown {
			return v
		}
	}
	if x, ok := c.cell(f, call); ok && i == 0 {
		return ofField(x.kind)
	}
	_, fn, of := c.callee(f, call)
	if fn == nil {
		return value{}
	}
	if i >= len(of.Returns) {
		if fn.Name == "first" || fn.Name == "pick" {
			return value{}
		}
		return plain(nothing)
	}
	word, _, _ := strings.Cut(of.Returns[i], " ")
	switch {
	case word == "boolean":
		return plain(boolean)
	case word == "integer" || word == "number":
		return plain(number)
	case word == "string":
		return plain(str)
	case i > 0 && (fn.Name == "first" || fn.Name == "pick"): // views
		return value{}
	case word == "ecs.Entity" || word == "ecs.Entity?":
		return entity
	case strings.HasSuffix(word, "[]") || word == "table":
		return plain(table)
	case strings.HasPrefix(word, "fun("):
		v := plain(function)
		v.advice = fmt.Sprintf("walk it: for … in %s(…) do", called(call))
		return v
	}
	return value{}
}

// text2 writes the name of the method that a call calls.
func called(call *ast.FuncCallExpr) string {
	if call.Method != "" {
		return text(call.Receiver) + ":" + call.Method
	}
	return text(call.Func)
}

// callee returns the object, the function and its text if a call calls one of the functions of this program in the way that it is meant.
func (c *checker) callee(f *file, call *ast.FuncCallExpr) (prefix string, fn *api.Function, of api.Text) {
	on, name := call.Receiver, call.Method
	if get, ok := call.Func.(*ast.AttrGetExpr); ok {
		on, name = get.Object, member(get)
	}
	if on == nil || name == "" {
		return "", nil, api.Text{}
	}
	v := c.value(f, on)
	if v.sort != object {
		return "", nil, api.Text{}
	}
	for _, o := range api.Objects {
		kind := map[string]alias.Kind{"ecs.": alias.Module, "ecs.log.": alias.Log, "world:": alias.World, "world.commands:": alias.Commands, "layer:": alias.Layer}[o.Prefix]
		if v.meaning.Kind == kind && strings.HasSuffix(o.Prefix, ":") == (call.Method != "") {
			return o.Prefix, api.Find(o.Functions, name), o.Texts[name]
		}
	}
	return "", nil, api.Text{}
}

// returns returns what is known of what a function of the file gives: it has no return with a value, or one at its end.
func (c *checker) returns(f *file, fn *ast.FunctionExpr) value {
	if known, ok := c.given[fn]; ok {
		return known
	}
	c.given[fn] = value{} // of a function that calls itself
	c.given[fn] = c.returned(f, fn)
	return c.given[fn]
}

func (c *checker) returned(f *file, fn *ast.FunctionExpr) value {
	var found []*ast.ReturnStmt
	syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.ReturnStmt:
			found = append(found, n)
		}
		return syntax.Deeper
	})
	values := 0
	for _, st := range found {
		values += len(st.Exprs)
	}
	switch {
	case values == 0:
		return plain(nothing)
	case len(found) != 1 || values != 1 || ast.Stmt(found[0]) != fn.Stmts[len(fn.Stmts)-1]:
		return value{}
	}
	switch e := found[0].Exprs[0].(type) {
	case *ast.IdentExpr, *ast.FuncCallExpr, *ast.Comma3Expr: // a parameter, or several values
		return value{}
	default:
		v := c.value(f, e)
		v.text, v.number = nil, nil
		return v
	}
}
