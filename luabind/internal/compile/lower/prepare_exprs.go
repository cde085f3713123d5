package lower

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The expressions of a body, and the targets of assignments, as prepare.go finds them: each free variable becomes an input.

// mayBeNil reports whether an expression may be nil, judged by its syntax.
func mayBeNil(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NilExpr, *ast.LogicalOpExpr:
		return true
	case *ast.FuncCallExpr:
		return e.Func != nil || e.Method == "first" || e.Method == "related" || e.Method == "at"
	case *ast.AttrGetExpr:
		return keyOf(e) == ""
	}
	return false
}

// maybeNilName reports whether an expression is the name of a local of the loop that may be nil, judged by its first value.
func (p *preparer) maybeNilName(e ast.Expr) bool {
	id, ok := e.(*ast.IdentExpr)
	if !ok {
		return false
	}
	v := p.t.Names.Of(id)
	_, ok = v.Node.(*ast.LocalAssignStmt)
	return ok && p.t.own[v] && v.Kind == syntax.Local && (v.Value == nil || mayBeNil(v.Value))
}

// target walks the left side of an assignment, and marks inputs as assigned.
func (p *preparer) target(lhs ast.Expr) {
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		if v := p.t.Names.Of(lhs); p.t.own[v] && p.values[v].object.Variable != nil {
			refuseWith(lhs, makeBefore, "gives %q an object that a function returns", v.Name)
		}
		p.t.assigned[p.t.Names.Of(lhs)] = true
		if v := p.t.Names.Of(lhs); !p.t.own[v] {
			p.reassigned(Place{Variable: v})
			p.moves(v)
			p.input(v, "", lhs).Assigned = true
			p.assignedAt(v, lhs)
		}
	case *ast.AttrGetExpr:
		object := p.value(lhs.Object)
		p.assigned(object)
		if keyOf(lhs) == "" {
			p.reaches(object.place)
		}
		if key := keyOf(lhs); key != "" && object.place.Variable != nil {
			p.reassigned(object.place.within(key))
		}
		if id, ok := lhs.Object.(*ast.IdentExpr); ok && keyOf(lhs) != "" {
			if v := p.free(id); v != nil {
				p.input(v, "", id).object = true
				p.input(v, keyOf(lhs), lhs).Assigned = true
				return
			}
		}
		if id, ok := lhs.Object.(*ast.IdentExpr); ok && p.free(id) != nil {
			p.expr(lhs.Key)
			in := p.input(p.free(id), "", id)
			in.object, in.Filled = true, true
			return
		}
		p.get(lhs)
	}
}

// reaches notes that the body reads or assigns elements of the table at a place, at computed keys. A table that is two names away from its
// variable, as M.state.count, can only be reached through a variable for M.state, which package loops makes when the loop begins.
func (p *preparer) reaches(pl Place) {
	i := strings.LastIndex(pl.Path, PathSeparator)
	if i < 0 || p.t.Member != nil {
		return
	}
	if ask := (Ask{Place{pl.Variable, pl.Path[:i]}, ToReach}); !slices.Contains(p.t.Asks, ask) {
		p.t.Asks = append(p.t.Asks, ask)
	}
}

// assignedAt notes where a variable is assigned, for a reason.
func (p *preparer) assignedAt(v *syntax.Variable, at ast.PositionHolder) {
	if in := p.input(v, "", at); in.At == 0 {
		in.In, in.At = p.file(), at.Line()
	}
}

// puts notes the type of a value that is assigned at a computed key of a table.
func (p *preparer) puts(lhs, value ast.Expr) {
	get, ok := lhs.(*ast.AttrGetExpr)
	if !ok || keyOf(get) != "" {
		return
	}
	object, name := get.Object, ""
	if of, ok := object.(*ast.AttrGetExpr); ok {
		object, name = of.Object, keyOf(of)
	}
	id, ok := object.(*ast.IdentExpr)
	if !ok || name == "" && object != get.Object {
		return
	}
	if v := p.free(id); v != nil {
		switch value.(type) {
		case *ast.TrueExpr, *ast.FalseExpr, *ast.UnaryNotOpExpr, *ast.RelationalOpExpr:
			p.input(v, name, id).Puts = ir.Bool
		case *ast.StringExpr, *ast.StringConcatOpExpr:
			p.input(v, name, id).Puts = ir.Text
		}
	}
}

// exprs walks a list of expressions.
func (p *preparer) exprs(list []ast.Expr) {
	for _, e := range list {
		p.expr(e)
	}
}

// expr walks one expression, adds the inputs that it reads, and refuses what no kernel can evaluate.
func (p *preparer) expr(e ast.Expr) {
	p.testsIn(e)
	switch e := e.(type) {
	case *ast.IdentExpr:
		switch v := p.free(e); {
		case v == nil:
		case p.function(v) != nil && !p.t.tested[v]:
			refuseWith(e, CallByName, "uses the function %q as a value", v.Name)
		case p.function(v) != nil, p.t.constants[Place{Variable: v}] != nil:
		default:
			p.input(v, "", e).Read = true
		}
	case *ast.AttrGetExpr:
		p.get(e)
	case *ast.FuncCallExpr:
		p.call(e)
	case *ast.StringConcatOpExpr:
		p.expr(e.Lhs)
		p.expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		p.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		p.reaches(p.value(e.Expr).place)
		if id, ok := e.Expr.(*ast.IdentExpr); ok {
			if v := p.free(id); v != nil {
				p.input(v, "", id).Read = true // it may be a string as well as a table
			}
			return
		}
		p.expr(e.Expr)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if isComputed(f) {
				p.expr(f.Key)
			}
			p.expr(f.Value)
		}
	case *ast.ArithmeticOpExpr:
		p.expr(e.Lhs)
		p.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		p.expr(e.Lhs)
		p.expr(e.Rhs)
	case *ast.FunctionExpr:
		refuseWith(e, makeBefore, "makes a function, and does something else with it than call it")
	case *ast.Comma3Expr:
		refuseWith(e, makeBefore, "uses ...")
	default:
		syntax.Children(e, func(e *ast.Expr) { p.expr(*e) }, nil)
	}
}

// get walks OBJECT.NAME or OBJECT[KEY].
func (p *preparer) get(e *ast.AttrGetExpr) {
	key := keyOf(e)
	if key == "" {
		p.expr(e.Key)
		p.reaches(p.value(e.Object).place)
	}
	if k := p.value(e); k.compound() {
		p.parts(e.Object)
		return
	}
	if k := p.value(e.Object); k.compound() {
		p.parts(e.Object)
		return
	}
	switch object := e.Object.(type) {
	case *ast.IdentExpr:
		v := p.free(object)
		if v == nil {
			return
		}
		p.input(v, "", object).object = true
		if key != "" {
			p.input(v, key, e).Read = true
		} else {
			p.input(v, "", object).Looked = true
		}
	case *ast.AttrGetExpr:
		p.get(object)
	case *ast.FuncCallExpr:
		p.call(object)
	case *ast.TableExpr: // ({ 5, 7, 9 })[n]
		p.expr(object)
	default:
		refuseWith(e, KeepBefore, "indexes something else than a variable or what a call gives")
	}
}

// Variables for which the source asks whether they are nil. For these, an element of a list is kept together with a
// mark that says whether the element exists. For other variables, a row in which the element is missing is left to
// the interpreter at once.

// tests notes the variables that an expression asks about, where the expression is a condition, or an operand of
// not, and, or, or of a comparison with nil.
func (p *preparer) tests(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		p.t.tested[p.t.Names.Of(e)] = true
	case *ast.UnaryNotOpExpr:
		p.tests(e.Expr)
	case *ast.LogicalOpExpr:
		p.tests(e.Lhs)
		p.tests(e.Rhs)
	case *ast.RelationalOpExpr:
		if _, ok := e.Rhs.(*ast.NilExpr); ok {
			p.tests(e.Lhs)
		} else if _, ok := e.Lhs.(*ast.NilExpr); ok {
			p.tests(e.Rhs)
		}
	}
}

// testsIn is tests for an operator that asks about its operands wherever its value is used.
func (p *preparer) testsIn(e ast.Expr) {
	switch e.(type) {
	case *ast.UnaryNotOpExpr, *ast.LogicalOpExpr, *ast.RelationalOpExpr:
		p.tests(e)
	}
}
