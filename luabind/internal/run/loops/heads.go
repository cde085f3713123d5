package loops

import (
	"slices"
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The arguments of world:each in the head of a loop. RUN and the loop as written both need them. So arguments other than
// names in quotes and locals, such as a query that is made there, are evaluated once, into locals in front of the call of
// RUN: see template.go.

// single reports whether an argument of each has exactly one value. A call that is not the last argument has one; so has
// one in parentheses, and a call of ecs.query. Other calls may have any number.
func (l *Loop) single(arg ast.Expr) bool {
	call, ok := arg.(*ast.FuncCallExpr)
	return !ok || arg != l.Args[len(l.Args)-1] || l.givesOne(call)
}

// givesOne reports whether a call has at most one value.
func (l *Loop) givesOne(call *ast.FuncCallExpr) bool {
	if call.AdjustRet || l.makesQuery(call) {
		return true
	}
	v := l.names.Variable(call.Func)
	if v == nil || l.origin(v).Assigned {
		return false
	}
	fn, ok := l.origin(v).Value.(*ast.FunctionExpr)
	return ok && !syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.ReturnStmt:
			if len(n.Exprs) == 0 {
				break
			}
			call, isCall := n.Exprs[0].(*ast.FuncCallExpr)
			_, dots := n.Exprs[0].(*ast.Comma3Expr)
			if len(n.Exprs) > 1 || dots || isCall && !call.AdjustRet && !l.makesQuery(call) {
				return syntax.Found
			}
		}
		return syntax.Deeper
	})
}

// makesQuery reports whether a call is one of the function query of the module ecs, in a local that is never assigned.
func (l *Loop) makesQuery(call *ast.FuncCallExpr) bool {
	if queried(call) == nil {
		return false
	}
	v := l.names.Variable(call.Func.(*ast.AttrGetExpr).Object)
	if v == nil || v.Kind != syntax.Local || v.Assigned {
		return false
	}
	from, ok := v.Value.(*ast.FuncCallExpr)
	if !ok || len(from.Args) != 1 {
		return false
	}
	name, ok := from.Args[0].(*ast.StringExpr)
	require := l.names.Variable(from.Func)
	return ok && name.Value == "ecs" && require != nil && require.IsGlobal("require")
}

// heads replaces the arguments of world:each that are neither names in quotes nor locals by locals, and so the layer of a loop over cells. It returns the
// declarations of these locals.
func (l *Loop) heads() (out []ast.Stmt) {
	call := l.stmt.Exprs[0].(*ast.FuncCallExpr)
	local := func(name string, value ast.Expr) ast.Expr {
		out = append(out, syntax.At(&ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{value}}, l.stmt))
		return l.ident(name)
	}
	if l.names.Variable(call.Receiver) == nil {
		call.Receiver = local("\x00layer", call.Receiver)
	}
	call.Args = slices.Clone(call.Args)
	for i, arg := range call.Args {
		switch arg.(type) {
		case *ast.StringExpr, *ast.IdentExpr:
			continue
		}
		call.Args[i] = local("\x00head"+strconv.Itoa(i), arg)
	}
	return out
}
