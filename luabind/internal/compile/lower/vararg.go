package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Functions with `...`. The source shows how many values each call of such a function gives it. So the first step makes a
// copy of the function for each call, in which hidden parameters stand for these values:
//
//	function(a, ...) return select("#", ...), { ... } end     called as f(x, y, z)
//	function(a, h1, h2) return select("#", h1, h2), { h1, h2 } end
//
// From then on the copy is a function like others. A call that gives a number of values which depends on the row is refused.

// spreads are the copies of functions with `...`. They stay the same in all attempts of Prepare, because exits are
// statements of them. They are the Names of a Template, too: those of its Source, and the identifiers of the copies.
type spreads struct {
	Names
	copies   map[spread]*Function
	idents   map[*ast.IdentExpr]*syntax.Variable
	declared map[ast.PositionHolder][]*syntax.Variable
	prices   map[*ast.TableExpr]int64                // of constructors in the copies that had `...` at their end
	inner    map[*ast.FuncCallExpr]*ast.FuncCallExpr // by the call of pcall or xpcall: the call that it makes

	replacings map[*ast.FuncCallExpr]*replacing // by the call of string.gsub
}

// A callTo is a function that a call may enter.
type callTo struct {
	call *ast.FuncCallExpr
	f    *Function
}

// A spread identifies a copy: of which function, for which call, and with how many hidden parameters.
type spread struct {
	callTo
	extra int
}

func newSpreads(names Names) *spreads {
	return &spreads{
		Names: names, copies: map[spread]*Function{}, idents: map[*ast.IdentExpr]*syntax.Variable{}, declared: map[ast.PositionHolder][]*syntax.Variable{},
		prices: map[*ast.TableExpr]int64{}, inner: map[*ast.FuncCallExpr]*ast.FuncCallExpr{}, replacings: map[*ast.FuncCallExpr]*replacing{},
	}
}

// Of implements [Names].
func (s *spreads) Of(id *ast.IdentExpr) *syntax.Variable {
	if v := s.idents[id]; v != nil {
		return v
	}
	return s.Names.Of(id)
}

// Variable implements [Names].
func (s *spreads) Variable(e ast.Expr) *syntax.Variable {
	if id, ok := e.(*ast.IdentExpr); ok {
		return s.Of(id)
	}
	return nil
}

// Declared implements [Names].
func (s *spreads) Declared(n ast.PositionHolder) []*syntax.Variable {
	if list := s.declared[n]; list != nil {
		return list
	}
	return s.Names.Declared(n)
}

// copyOf returns the copy of a function for a call that gives it so many values after its parameters.
func (s *spreads) copyOf(f *Function, call *ast.FuncCallExpr, extra int) *Function {
	at := spread{callTo{call, f}, extra}
	if s.copies[at] != nil {
		return s.copies[at]
	}
	x := &spreader{names: s}
	out := &Function{File: f.File, Line: f.Line, of: f, Params: f.Params[:len(f.Params):len(f.Params)]}
	for range extra {
		x.hidden = append(x.hidden, &syntax.Variable{Declaration: syntax.Declaration{Name: "...", Kind: syntax.Parameter}, ID: -1})
	}
	out.Params = append(out.Params, x.hidden...)
	out.Body = (&syntax.Cloner{Copied: s.copied}).Block(f.Body)
	x.block(&out.Body)
	s.copies[at] = out
	return out
}

// copied binds a copy of a node as the original is bound.
func (s *spreads) copied(n, original ast.PositionHolder) {
	if id, ok := n.(*ast.IdentExpr); ok {
		s.idents[id] = s.Of(original.(*ast.IdentExpr))
	} else if list := s.Declared(original); list != nil {
		s.declared[n] = list
	}
}

// A spreader puts hidden parameters in the place of `...` in the copy of a function.
type spreader struct {
	names  *spreads
	hidden []*syntax.Variable
}

// block changes a block.
func (x *spreader) block(b *[]ast.Stmt) {
	for _, st := range *b {
		switch st := st.(type) {
		case *ast.ReturnStmt:
			st.Exprs = x.list(st.Exprs)
		case *ast.LocalAssignStmt:
			st.Exprs = x.list(st.Exprs)
		case *ast.AssignStmt:
			if st.Rhs = x.list(st.Rhs); len(st.Rhs) == 0 {
				st.Rhs = []ast.Expr{syntax.At(&ast.NilExpr{}, st)}
			}
		}
		syntax.Parts(st, x.expr, x.block)
	}
}

// expr changes an expression of which one value is used.
func (x *spreader) expr(e *ast.Expr) {
	switch n := (*e).(type) {
	case *ast.Comma3Expr:
		*e = syntax.At(&ast.NilExpr{}, n)
		if len(x.hidden) > 0 {
			*e = x.ident(0, n)
		}
		return
	case *ast.FunctionExpr:
		return
	case *ast.FuncCallExpr:
		n.Args = x.list(n.Args)
	case *ast.TableExpr:
		x.constructor(n)
	}
	syntax.Children(*e, x.expr, x.block)
}

// ident makes an identifier of a hidden parameter.
func (x *spreader) ident(i int, at ast.PositionHolder) ast.Expr {
	id := syntax.At(&ast.IdentExpr{Value: "..."}, at)
	x.names.idents[id] = x.hidden[i]
	return id
}

// all makes identifiers of all hidden parameters.
func (x *spreader) all(at ast.PositionHolder) (list []ast.Expr) {
	for i := range x.hidden {
		list = append(list, x.ident(i, at))
	}
	return list
}

// list changes a list of expressions of which the last one gives all its values.
func (x *spreader) list(exprs []ast.Expr) []ast.Expr {
	if n := len(exprs); n > 0 && isSpread(exprs[n-1]) {
		return append(exprs[:n-1:n-1], x.all(exprs[n-1])...)
	}
	return exprs
}

// constructor changes a table constructor, and keeps its price.
func (x *spreader) constructor(t *ast.TableExpr) {
	n := len(t.Fields)
	if n == 0 || t.Fields[n-1].Key != nil || !isSpread(t.Fields[n-1].Value) {
		return
	}
	x.names.prices[t] = sandbox.OpenConstructorBytes(t, len(x.hidden))
	last := t.Fields[n-1].Value
	t.Fields = t.Fields[: n-1 : n-1]
	for _, e := range x.all(last) {
		t.Fields = append(t.Fields, &ast.Field{Value: e})
	}
}

// isSpread reports whether an expression is `...`, and no parentheses around it leave one value.
func isSpread(e ast.Expr) bool {
	dots, ok := e.(*ast.Comma3Expr)
	return ok && !dots.AdjustRet
}

// spread returns the function that a call with these arguments enters: a copy for this call if the function takes `...`.
func (p *preparer) spread(name string, f *Function, e *ast.FuncCallExpr, args []known) *Function {
	if !f.Vararg {
		return f
	}
	usesArg := syntax.Search(f.Body, func(n ast.PositionHolder) syntax.Step {
		if id, ok := n.(*ast.IdentExpr); ok && p.t.Names.Of(id).Kind == syntax.Arg {
			return syntax.Found
		}
		return syntax.Deeper
	})
	if usesArg {
		refuse(e, "the function %q uses the table arg", name)
	}
	out := p.t.spreads.copyOf(f, e, max(len(args)-len(f.Params), 0))
	p.t.spread[callTo{e, f}] = out
	return out
}

// walking reports whether the body of a function is being walked, or that of a copy.
func (p *preparer) walking(f *Function) bool {
	for _, o := range p.stack {
		if o == f || f.of != nil && o.of == f.of || o.of == f {
			return true
		}
	}
	return false
}

// entering returns the function that a call enters when it calls f.
func (t *Template) entering(e *ast.FuncCallExpr, f *Function) *Function {
	if f.Vararg {
		return t.spread[callTo{e, f}]
	}
	return f
}

// allArguments returns what is known of the arguments of a call whose function may take `...`: those in front of the
// parentheses, and all values of a call at the end, which is walked for that.
func (p *preparer) allArguments(e *ast.FuncCallExpr, args []known) []known {
	n := len(e.Args)
	if n == 0 {
		return args
	}
	call, ok := e.Args[n-1].(*ast.FuncCallExpr)
	if !ok || call.AdjustRet {
		return args
	}
	p.operand(call)
	all, ok := p.t.exactly(e.Args)
	if !ok || slices.ContainsFunc(p.t.calls[call], p.walking) { // not all returns of a function that is being walked are known
		refuseWith(e, oneValue, "passes on a number of values that is not known")
	}
	return append(args[:len(args)-1:len(args)-1], make([]known, all-n+1)...)
}

// takesAll reports whether one of some functions takes `...`.
func takesAll(list []*Function) bool {
	return slices.ContainsFunc(list, func(f *Function) bool { return f.Vararg })
}

// exactly returns how many values a list of expressions has, if that is the same in every row. Of library functions it
// assumes one value; the second step refuses others.
func (t *Template) exactly(list []ast.Expr) (n int, ok bool) { return t.exactlyIn(list, nil) }

// exactlyIn is exactly for expressions in functions of which some call one another.
func (t *Template) exactlyIn(list []ast.Expr, in []*Function) (n int, ok bool) {
	if n = len(list); n == 0 {
		return 0, true
	}
	call, isCall := list[n-1].(*ast.FuncCallExpr)
	if !isCall || call.AdjustRet {
		return n, true
	}
	if call.Func == nil && call.Method == "first" && len(t.calls[call]) == 0 {
		return 0, false
	}
	if t.isSelect(call) {
		all, ok := t.exactlyIn(call.Args, in)
		return n - 1 + selectedValues(call, all-1), ok
	}
	if inner := t.protected(call); inner != nil {
		all, ok := t.exactlyIn([]ast.Expr{inner}, in)
		return n + all, ok
	}
	if t.isPrint(call) {
		return n - 1, true
	}
	for i, f := range t.calls[call] {
		m, ok := t.exactResults(f, in)
		if !ok || i > 0 && n != len(list)-1+m {
			return 0, false
		}
		n = len(list) - 1 + m
	}
	return n, true
}

// exactResults returns how many values a function returns, if that is always the same number.
func (t *Template) exactResults(f *Function, in []*Function) (n int, ok bool) {
	if slices.Contains(in, f) {
		return 0, false
	}
	n = -1
	for _, st := range t.returnsOf(f) {
		k, ok := t.exactlyIn(st.Exprs, append(in, f))
		if !ok || n >= 0 && k != n {
			return 0, false
		}
		n = k
	}
	if ends(f.Body) {
		return n, n >= 0
	}
	return 0, n <= 0
}
