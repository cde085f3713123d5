package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Tables in a table that only one loop uses, such as the state of each entity: local s = state[e], and s.n = s.n + 1 behind it. If none of
// them gets anywhere else, what rows store in them need not be in them before other code could read it.

// recordsStay reports whether the body, which uses elements of v only, uses the tables in it by their members only. It may ask whether one
// is there, make a new one at a key, and keep one in a local of the body, which is used in the same way.
func (l *Loop) recordsStay(v *syntax.Variable) bool {
	u := recordUses{l: l, of: v, locals: map[*syntax.Variable]int{}}
	u.each(func(n ast.PositionHolder) {
		if st, ok := n.(*ast.LocalAssignStmt); ok && len(st.Exprs) == len(st.Names) {
			for i, x := range l.names.Declared(st) {
				if u.begins(st.Exprs[i]) {
					u.locals[x] = 0
				}
			}
		}
	})
	u.each(u.count)
	for x, n := range u.locals {
		if n != len(x.Uses) {
			return false
		}
	}
	return u.elements == len(v.Uses)
}

// recordUses counts the uses that recordsStay allows.
type recordUses struct {
	l        *Loop
	of       *syntax.Variable
	elements int                      // of elements of the variable
	locals   map[*syntax.Variable]int // of the locals that hold such elements
}

// each calls visit for the nodes of the body, but for those of functions: they may be called later.
func (u *recordUses) each(visit func(ast.PositionHolder)) {
	syntax.Search(u.l.stmt.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		}
		visit(n)
		return syntax.Deeper
	})
}

// isElement reports whether an expression is an element of the variable at a computed key.
func (u *recordUses) isElement(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok || u.l.names.Variable(get.Object) != u.of {
		return false
	}
	_, named := get.Key.(*ast.StringExpr)
	return !named
}

// begins reports whether a local that is declared with the value of an expression holds an element: t[k], or t[k] or { … }.
func (u *recordUses) begins(e ast.Expr) bool {
	if or, ok := e.(*ast.LogicalOpExpr); ok && or.Operator == "or" {
		return u.begins(or.Lhs) && u.mayBe(or.Rhs)
	}
	return u.isElement(e)
}

// mayBe reports whether what may hold an element may get the value of an expression: an element, a local with one, or a new table.
func (u *recordUses) mayBe(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.TableExpr:
		return true
	case *ast.LogicalOpExpr:
		return e.Operator == "or" && u.mayBe(e.Lhs) && u.mayBe(e.Rhs)
	}
	return u.isElement(e) || u.isLocal(e)
}

func (u *recordUses) isLocal(e ast.Expr) bool {
	_, ok := u.locals[u.l.names.Variable(e)]
	return ok
}

// allow counts an expression that is an element, or a local with one, where it may stand. In t[k] or u[k] both may.
func (u *recordUses) allow(e ast.Expr) {
	switch {
	case u.isElement(e):
		u.elements++
	case u.isLocal(e):
		u.locals[u.l.names.Variable(e)]++
	default:
		if or, ok := e.(*ast.LogicalOpExpr); ok && or.Operator == "or" && u.mayBe(or) {
			u.allow(or.Lhs)
			u.allow(or.Rhs)
		}
	}
}

// count counts the uses in one node, not those in its parts.
func (u *recordUses) count(n ast.PositionHolder) {
	switch n := n.(type) {
	case *ast.AttrGetExpr:
		if _, named := n.Key.(*ast.StringExpr); named {
			if u.isElement(n.Object) || u.isLocal(n.Object) {
				u.allow(n.Object)
			}
		}
	case *ast.UnaryNotOpExpr:
		u.asked(n.Expr)
	case *ast.RelationalOpExpr:
		if _, ok := n.Rhs.(*ast.NilExpr); ok {
			u.asked(n.Lhs)
		}
	case *ast.LogicalOpExpr:
		if n.Operator == "and" {
			u.asked(n.Lhs)
		}
	case *ast.IfStmt:
		u.asked(n.Condition)
	case *ast.LocalAssignStmt:
		for i, x := range u.l.names.Declared(n) {
			if _, ok := u.locals[x]; ok {
				u.allow(n.Exprs[i])
			}
		}
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && (u.isElement(lhs) || u.isLocal(lhs)) && u.mayBe(n.Rhs[i]) {
				u.allow(lhs)
				u.allow(n.Rhs[i])
			}
		}
	}
}

// asked counts an expression of which only the truth matters.
func (u *recordUses) asked(e ast.Expr) {
	if u.isElement(e) || u.isLocal(e) {
		u.allow(e)
	}
}
