package loops

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

func (n *nest) block(stmts []ast.Stmt) {
	n.within(func() {
		for _, st := range stmts {
			n.stmt(st)
		}
	})
}

func (n *nest) stmt(st ast.Stmt) {
	if !n.count(st) {
		return
	}
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		n.exprs(st.Exprs)
		for _, name := range st.Names {
			n.declare(name)
		}
	case *ast.AssignStmt:
		for _, lhs := range st.Lhs {
			n.target(lhs)
		}
		n.exprs(st.Rhs)
	case *ast.FuncCallStmt:
		n.expr(st.Expr, Any)
	case *ast.DoBlockStmt:
		n.block(st.Stmts)
	case *ast.WhileStmt:
		n.truth(st.Condition)
		n.block(st.Stmts)
	case *ast.RepeatStmt:
		n.within(func() {
			for _, inner := range st.Stmts {
				n.stmt(inner)
			}
			n.truth(st.Condition)
		})
	case *ast.IfStmt:
		n.truth(st.Condition)
		n.block(st.Then)
		n.block(st.Else)
	case *ast.NumberForStmt:
		n.expr(st.Init, Any)
		n.expr(st.Limit, Any)
		if st.Step != nil {
			n.expr(st.Step, Any)
		}
		n.within(func() {
			n.declare(st.Name)
			n.block(st.Stmts)
		})
	case *ast.GenericForStmt:
		call := eachCall(st)
		if call == nil {
			n.refuse(st, "has a for … in over something else than world:each")
			return
		}
		n.loop(st, call, n.inside)
	case *ast.ReturnStmt:
		n.exprs(st.Exprs)
	case *ast.FuncDefStmt:
		n.refuse(st, "makes a function")
	case *ast.BreakStmt, *ast.LabelStmt, *ast.GotoStmt:
	default:
		n.refuse(st, "has a statement of an unknown kind")
	}
}

// target looks at what is assigned to.
func (n *nest) target(lhs ast.Expr) {
	if !n.count(lhs) {
		return
	}
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		v, i := n.lookup(lhs.Value)
		switch {
		case v == nil:
			n.refuse(lhs, "assigns the global %q", lhs.Value)
		case v.view != nil:
			n.refuse(lhs, "assigns the view %q", lhs.Value)
		case v.maker:
			n.refuse(lhs, "assigns the function %q inside itself", lhs.Value)
		case i < n.base:
			n.use(v)
			if n.assigned[v] == 0 {
				n.assigned[v] = lhs.Line()
			}
		}
	case *ast.AttrGetExpr:
		key := keyOf(lhs)
		if view := n.viewOf(lhs.Object); view != nil {
			if key == "" {
				n.refuse(lhs, "the view %q is indexed by something else than a name", view.Name)
				return
			}
			f := view.field(key)
			f.Written = true
			n.fields[lhs] = f
			return
		}
		id, ok := lhs.Object.(*ast.IdentExpr)
		switch {
		case key != "" && n.isPart(lhs.Object, "resources"):
		case key != "" && ok && !n.isWorld(id):
			if v := n.freeVariable(id); v != nil {
				n.fix(v, id)
				n.guard(guard{name: id.Value, kind: isResources})
			}
		default:
			n.refuse(lhs, "assigns something else than a local, a field or a resource")
		}
	}
}

func (n *nest) exprs(list []ast.Expr) {
	for _, e := range list {
		n.expr(e, Any)
	}
}

// expr looks at an expression, whose values are used in that way.
func (n *nest) expr(e ast.Expr, use Use) {
	if !n.count(e) {
		return
	}
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
	case *ast.IdentExpr:
		if v, i := n.lookup(e.Value); v != nil && v.view == nil && i >= n.base {
			return
		}
		if n.isWorld(e) {
			n.refuse(e, "%q is used as a value", e.Value)
		} else if v := n.freeVariable(e); v != nil {
			n.guard(guard{name: e.Value, kind: isPlain})
		}
	case *ast.AttrGetExpr:
		n.get(e, use)
	case *ast.FuncCallExpr:
		n.call(e)
	case *ast.LogicalOpExpr:
		if e.Operator == "and" && n.tests(e.Lhs) { // it is nil, or the value is the right one
			n.count(e.Lhs)
		} else {
			n.expr(e.Lhs, use)
		}
		n.expr(e.Rhs, use)
	case *ast.RelationalOpExpr:
		n.expr(e.Lhs, Any)
		n.expr(e.Rhs, Any)
	case *ast.StringConcatOpExpr:
		n.expr(e.Lhs, Text)
		n.expr(e.Rhs, Text)
	case *ast.ArithmeticOpExpr:
		n.expr(e.Lhs, Number)
		n.expr(e.Rhs, Number)
	case *ast.UnaryMinusOpExpr:
		n.expr(e.Expr, Number)
	case *ast.UnaryNotOpExpr:
		n.truth(e.Expr)
	case *ast.UnaryLenOpExpr:
		if _, ok := e.Expr.(*ast.IdentExpr); !ok {
			n.refuse(e, "takes the length of something else than a local")
		}
		n.expr(e.Expr, Any)
	case *ast.FunctionExpr:
		n.refuse(e, "makes a function")
	case *ast.TableExpr:
		n.refuse(e, "makes a table")
	case *ast.Comma3Expr:
		n.refuse(e, "uses ...")
	default:
		n.refuse(e, "has an expression of an unknown kind")
	}
}

// truth looks at an expression that is only asked whether it is true: a view may
// stand there, which is how a script finds out whether an optional one is nil.
func (n *nest) truth(e ast.Expr) {
	if l, ok := e.(*ast.LogicalOpExpr); ok {
		n.count(e)
		n.truth(l.Lhs)
		n.truth(l.Rhs)
		return
	}
	if n.tests(e) {
		n.count(e)
		return
	}
	n.expr(e, Any)
}

// tests reports whether an expression is a view by itself, and notes that.
func (n *nest) tests(e ast.Expr) bool {
	view := n.viewOf(e)
	if view == nil {
		return false
	}
	view.Tested = true
	return true
}

// get looks at object.name.
func (n *nest) get(e *ast.AttrGetExpr, use Use) {
	key := keyOf(e)
	if view := n.viewOf(e.Object); view != nil {
		if key == "" {
			n.refuse(e, "the view %q is indexed by something else than a name", view.Name)
			return
		}
		f := view.field(key)
		f.Read, f.Use = true, max(f.Use, use)
		n.fields[e] = f
		return
	}
	id, ok := e.Object.(*ast.IdentExpr)
	switch {
	case key == "":
		n.refuse(e, "indexes something by a value")
	case n.isWorld(e.Object):
		if key != "dt" && key != "time" && key != "frame" {
			n.refuse(e, "world.%s is used as a value", key)
		}
	case n.isPart(e.Object, "resources"):
	case ok:
		n.member(id, guard{name: id.Value, kind: hasPlain, member: key})
	default:
		n.refuse(e, "indexes the result of an expression")
	}
}

// member looks at NAME.member, where NAME is a free local or the global math.
func (n *nest) member(id *ast.IdentExpr, g guard) {
	if v, _ := n.lookup(id.Value); v == nil {
		if id.Value != "math" {
			n.refuse(id, "uses the global %q", id.Value)
			return
		}
		g.global = true
		n.guard(g)
		return
	}
	if v, i := n.lookup(id.Value); v.view == nil && i >= n.base {
		n.refuse(id, "indexes %q, which may be anything", id.Value)
		return
	}
	if v := n.freeVariable(id); v != nil {
		n.fix(v, id)
		n.guard(g)
	}
}

// quiet are the functions of world that write no component and run no script.
// Observers of tags or events that run at once would end that.
var quiet = []string{"alive", "count", "has", "send", "tag", "tagged", "untag"}

// queued are the functions of world.commands.
var queued = []string{"add", "despawn", "relate", "remove", "send", "set", "spawn", "tag", "unrelate", "untag"}

func (n *nest) call(e *ast.FuncCallExpr) {
	name := callee(e)
	n.inside.Calls = append(n.inside.Calls, Call{Name: name, Line: e.Line()})
	switch fn := e.Func.(type) {
	case nil:
		switch {
		case n.isWorld(e.Receiver) && slices.Contains(quiet, e.Method):
		case n.isPart(e.Receiver, "commands") && slices.Contains(queued, e.Method):
		default:
			n.refuse(e, "calls %s", name)
		}
		for _, arg := range e.Args {
			n.argument(arg)
		}
		return
	case *ast.AttrGetExpr:
		id, ok := fn.Object.(*ast.IdentExpr)
		if !ok || keyOf(fn) == "" || n.isWorld(id) || n.viewOf(id) != nil {
			n.refuse(e, "calls %s", name)
			return
		}
		n.member(id, guard{name: id.Value, kind: hasPure, member: keyOf(fn)})
	case *ast.IdentExpr:
		if v, i := n.lookup(fn.Value); v != nil && i >= n.base {
			n.refuse(e, "calls %s", name)
		} else if v := n.freeVariable(fn); v != nil {
			n.fix(v, fn)
			n.guard(guard{name: fn.Value, kind: isPure})
		}
	default:
		n.refuse(e, "calls %s", name)
	}
	n.exprs(e.Args)
}

// argument looks at an argument of a function of world or commands, which may be
// a table that is made for it.
func (n *nest) argument(e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		n.expr(e, Any)
		return
	}
	n.count(t)
	for _, f := range t.Fields {
		switch f.Key.(type) {
		case nil, *ast.StringExpr, *ast.NumberExpr:
		default:
			n.refuse(f.Key, "makes a table with a key that is no constant")
		}
		n.argument(f.Value)
	}
}

// callee is what a call calls, as the source has it.
func callee(e *ast.FuncCallExpr) string {
	var path func(ast.Expr) string
	path = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.IdentExpr:
			return e.Value
		case *ast.AttrGetExpr:
			if key := keyOf(e); key != "" {
				return path(e.Object) + "." + key
			}
		}
		return "(…)"
	}
	if e.Func == nil {
		return path(e.Receiver) + ":" + e.Method
	}
	return path(e.Func)
}
