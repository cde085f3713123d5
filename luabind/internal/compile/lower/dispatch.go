package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Dynamic dispatch: methods and operators of tables that the body has as values of type Any, such as objects that the row
// makes, finds in lists or keeps in members. Which function a method name means is known only when the row runs.
//
// When the loop begins, Source.Methods lists the functions that the name may mean. Prepare walks each of them, and Lower
// inlines each in a branch of its own. The row looks the method up as Lua does, and the result selects the branch. A row
// that finds a function outside the list is left to the interpreter. Only open templates have this.

// mostDispatched is the largest number of functions that one call chooses from.
const mostDispatched = 8

// events are the names of the functions that operators call for tables.
var events = map[string]string{
	"+": "__add", "-": "__sub", "*": "__mul", "/": "__div", "%": "__mod", "^": "__pow",
	"<": "__lt", ">": "__lt", "<=": "__le", ">=": "__le", "==": "__eq", "~=": "__eq",
}

// named lists the functions that a method name may mean. Functions that are being walked are left out for good, if they cannot
// call themselves, because they would be inlined in themselves. Operators in functions of metatables are most often those of numbers.
func (p *preparer) named(name string, at *ast.FuncCallExpr) (list []*Function) {
	if !p.asksMethods() {
		return nil
	}
	if _, ok := p.t.named[name]; !ok {
		found := p.t.Source.Methods(name)
		p.t.named[name] = found[:min(len(found), mostDispatched)]
	}
	return p.mayEnter(p.t.named[name], at)
}

// mayEnter leaves out functions that are being walked, if they cannot call themselves.
func (p *preparer) mayEnter(all []*Function, at *ast.FuncCallExpr) (list []*Function) {
	for _, f := range all {
		switch {
		case p.walking(f) && (isMetamethod(at) || !p.recurs(f)):
			p.t.recursive[dispatched{at, f}] = true
		case !p.t.recursive[dispatched{at, f}]:
			list = append(list, f)
		}
	}
	return list
}

// A dispatched is a function that a call may mean.
type dispatched struct {
	call *ast.FuncCallExpr
	f    *Function
}

// dispatches walks the call of a method that one of some functions may be. self is what is known of the object.
func (p *preparer) dispatches(e *ast.FuncCallExpr, list []*Function, self known) {
	p.t.dispatch[e] = list
	p.enters(e, list, []known{self})
}

// unknownMethod walks OBJECT:METHOD(…) where nothing is known of the object. It returns false if no function is known for
// the name.
func (p *preparer) unknownMethod(e *ast.FuncCallExpr) bool {
	k := p.value(e.Receiver)
	if id, ok := e.Receiver.(*ast.IdentExpr); k.place.Variable != nil && !(ok && p.t.Names.Of(id).Assigned) && !p.handled(k.place, "__index") {
		return false
	}
	list := p.named(e.Method, e)
	if len(list) == 0 {
		if !p.t.Open || p.t.Source.Methods != nil || called(e.Method) != nil || isStringMethod(e.Method) {
			return false
		}
		p.callsLater(e, e.Receiver)
		return true
	}
	p.operand(e.Receiver)
	if !p.handled(k.place, "__index") {
		p.dispatches(e, list, known{})
		return true
	}
	p.dispatches(e, list, known{place: k.place})
	call := p.t.operators[e] // the method may be what a function in __index returns
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Receiver: e.Receiver, Method: "__index"}, e)
		p.t.operators[e] = call
	}
	p.called(call, p.named("__index", call), 2)
	return true
}

// asksMethods reports whether Source.Methods is known in an open template. If it is not, it is asked for.
func (p *preparer) asksMethods() bool {
	if !p.t.Open {
		return false
	}
	if p.t.Source.Methods == nil {
		if ask := (Ask{Purpose: ToCallMethod}); !slices.Contains(p.t.Asks, ask) {
			p.t.Asks = append(p.t.Asks, ask)
		}
		return false
	}
	return true
}

// memberCall walks TABLE.NAME(…) where nothing is known of the table: the function may be one that is found under the name
// when the loop begins. It returns false for another call.
func (p *preparer) memberCall(e *ast.FuncCallExpr) bool {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || !p.t.Open || keyOf(get) == "" {
		return false
	}
	if k := p.value(get.Object); k.place.Variable != nil || len(k.constants) > 0 {
		return false
	}
	list := p.named(keyOf(get), e)
	if len(list) == 0 && p.t.Source.Methods != nil {
		return false
	}
	if len(list) == 0 {
		p.callsLater(e, get.Object)
		return true
	}
	p.operand(get.Object)
	p.t.dispatch[e] = list
	p.enters(e, list, nil)
	return true
}

// callMember lowers TABLE.NAME(…) where the member may be one of some functions.
func (c *lowerer) callMember(e *ast.FuncCallExpr, list []*Function, wanted int) []*symbol {
	get := e.Func.(*ast.AttrGetExpr)
	table := c.real(c.optional(c.settled(c.operand(get.Object), get)), get)
	if !isAny(table) {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	fn := c.foundIn(keyOf(get), c.keep(c.value(table, get)), list)
	return c.callConstant(fn, e, c.arguments(fn, e), wanted)
}

// foundIn returns the symbol of the function that a table has under a name, which is one of some functions.
func (c *lowerer) foundIn(name string, table *ir.Expr, list []*Function) *symbol {
	return c.chosenFrom(c.which("method", name, []*ir.Expr{table}, list), list)
}

// chosenFrom returns the symbol of the function that which has found.
func (c *lowerer) chosenFrom(which *ir.Expr, list []*Function) *symbol {
	fn := &symbol{kind: choiceSymbol}
	for i, f := range list {
		cond := isNth(which, i)
		if len(list) == 1 {
			cond = boolean(true)
		}
		fn.choice = append(fn.choice, alternative{cond: cond, value: &Constant{Kind: FunctionConstant, Function: f}})
	}
	return fn
}

// operator walks an operator that may be one of tables. Its operands were walked.
func (p *preparer) operator(e ast.Expr, name string, lhs, rhs ast.Expr) {
	if !mayBeObject(lhs) && !mayBeObject(rhs) || !p.asksMethods() {
		return
	}
	call := p.t.operators[e]
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Receiver: lhs, Method: name, Args: []ast.Expr{rhs}}, e)
		p.t.operators[e] = call
	}
	p.called(call, p.named(name, call), 2)
}

// mayBeObject reports whether an operand of an operator is likely enough a table, judged by its syntax: the functions of
// operators are inlined wherever they may be called. A row in which another operand is a table is left to the interpreter.
func mayBeObject(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr, *ast.FuncCallExpr:
		return true
	case *ast.AttrGetExpr:
		name, ok := e.Key.(*ast.StringExpr)
		return !ok || !coordinates[name.Value]
	case *ast.ArithmeticOpExpr:
		return mayBeObject(e.Lhs) || mayBeObject(e.Rhs)
	case *ast.StringConcatOpExpr:
		return mayBeObject(e.Lhs) || mayBeObject(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		return mayBeObject(e.Expr)
	}
	return false
}

// coordinates are names of members that are mostly numbers.
var coordinates = map[string]bool{"x": true, "y": true, "z": true, "w": true, "h": true, "dx": true, "dy": true, "dz": true, "vx": true, "vy": true, "vz": true, "hp": true, "n": true, "i": true, "j": true, "k": true, "id": true, "dt": true, "t": true}

// isLiteral reports whether an expression is written as nil, a number, a boolean or a string.
func isLiteral(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr, *ast.TrueExpr, *ast.FalseExpr:
		return true
	}
	return false
}

// functionsOf lists the functions that a call of a method, or an operator, dispatches to.
func (t *Template) functionsOf(e *ast.FuncCallExpr) []*Function {
	return slices.DeleteFunc(slices.Clone(t.dispatch[e]), func(f *Function) bool { return t.recursive[dispatched{e, f}] })
}

// which emits the lookup of a method or an operator: an ir.Invoke of "method", "operator" or "comparison". The result is
// the place of the function in the list, from 1 on; see isNth.
func (c *lowerer) which(fn, name string, objects []*ir.Expr, list []*Function) *ir.Expr {
	args := append(slices.Clone(objects), wrapped(&ir.Expr{Op: ir.Const, Type: ir.Text, S: name}))
	for _, f := range list {
		args = append(args, wrapped(&ir.Expr{Op: ir.Const, N: float64(f.Number)}))
	}
	x := c.temporary(ir.Any)
	c.p.Exact, c.p.Lua, c.p.Drafts = true, true, true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: fn, Args: args, I: x.I, J: 1})
	c.departs(c.where, "another function is called than those the loop was compiled for")
	return c.keep(c.as(x, ir.Number))
}

// isNth returns the condition that which has found the i-th function, from 0 on.
func isNth(which *ir.Expr, i int) *ir.Expr {
	return &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: which, B: &ir.Expr{Op: ir.Const, N: float64(i + 1)}}
}

// callDispatched lowers OBJECT:METHOD(…) where the method may be one of some functions.
func (c *lowerer) callDispatched(e *ast.FuncCallExpr, list []*Function, wanted int) []*symbol {
	self := c.real(c.optional(c.settled(c.operand(e.Receiver), e)), e)
	if !isAny(self) {
		if isStringMethod(e.Method) && c.value(self, e).Type == ir.Text {
			return c.invoke("string."+e.Method, e, plain(c.value(self, e)), wanted)
		}
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	self = plain(c.keep(c.value(self, e)))
	fn := c.methodIn(e, self.x, list)
	return c.callConstant(fn, e, append([]*symbol{self}, c.arguments(fn, e)...), wanted)
}

// methodIn returns the symbol of the method of a table, which a function in __index may return.
func (c *lowerer) methodIn(e *ast.FuncCallExpr, table *ir.Expr, list []*Function) *symbol {
	call, handlers := c.metamethods(e)
	if len(handlers) == 0 {
		return c.foundIn(e.Method, table, list)
	}
	name := wrapped(&ir.Expr{Op: ir.Const, Type: ir.Text, S: e.Method})
	which, of := c.handler("__index", table, name, handlers)
	method := c.among(e, call, handlers, which, []*symbol{plain(of), plain(name.A)}, func() *ir.Expr {
		return &ir.Expr{Op: ir.Item, Type: ir.Any, A: table, B: name}
	})
	return c.chosenFrom(c.which("value", "", []*ir.Expr{method}, list), list)
}

// calculated lowers an arithmetic operator whose operands may be tables with a function for it.
func (c *lowerer) calculated(e ast.Expr, call *ast.FuncCallExpr, list []*Function, lhs, rhs ast.Expr, op ir.Op) *symbol {
	var r *symbol
	l := c.real(c.settled(c.operand(lhs), lhs), lhs)
	c.after(func() { r = c.real(c.settled(c.operand(rhs), rhs), rhs) }, l.operands()...)
	numbers := func() *ir.Expr {
		a, b := c.as(c.value(l, lhs), ir.Number), c.as(c.value(r, rhs), ir.Number)
		if a.Type != ir.Number || b.Type != ir.Number {
			refuse(e, "does arithmetic with a value that is no number")
		}
		if _, ok := lhs.(*ast.UnaryLenOpExpr); ok && op == ir.Add {
			a = c.roomIn(a)
		}
		return fold(&ir.Expr{Op: op, A: a, B: b})
	}
	if !isAny(l) && !isAny(r) {
		return plain(numbers())
	}
	l, r = plain(c.keep(c.anyOf(l, lhs))), plain(c.keep(c.anyOf(r, rhs)))
	which := c.which("operator", call.Method, []*ir.Expr{l.x, r.x}, list)
	out := c.temporary(ir.Any)
	before := c.position
	branch := func(value func() *ir.Expr) []*ir.Stmt {
		c.rare = true
		return c.collect(func() { c.branching(func() { c.set(out.I, -1, value()) }) })
	}
	branches := make([][]*ir.Stmt, len(list))
	for i, f := range list {
		branches[i] = branch(func() *ir.Expr {
			values := c.inline(callee(call), f, call, []*symbol{l, r}, 1)
			if len(values) == 0 {
				return null()
			}
			return c.anyOf(values[0], e)
		})
	}
	otherwise := branch(func() *ir.Expr { return wrapped(numbers()) })
	c.position = before
	for i := len(list) - 1; i >= 0; i-- {
		otherwise = []*ir.Stmt{{Op: ir.If, A: isNth(which, i), Body: branches[i], Else: otherwise}}
	}
	c.out = append(c.out, otherwise...)
	return plain(out)
}

// isTable reports whether the value of an expression is of type Any, or a table that the body makes. What it emits is
// dropped.
func (c *lowerer) isTable(e ast.Expr) bool {
	price, size, made, effects := c.price, c.size, c.made, len(c.p.Effects)
	var s *symbol
	c.collect(func() { c.branching(func() { s = c.settled(c.operand(e), e) }) })
	c.price, c.size, c.made, c.p.Effects = price, size, made, c.p.Effects[:effects]
	return isAny(s) || s.kind == madeSymbol
}

// comparison returns the call of a metamethod that stands for a comparison, and the functions that it may call. There are
// none if an operand is no table.
func (c *lowerer) comparison(e *ast.RelationalOpExpr) (call *ast.FuncCallExpr, list []*Function) {
	if call = c.t.operators[e]; call == nil {
		return nil, nil
	}
	if list = c.t.functionsOf(call); len(list) == 0 || !c.isTable(e.Lhs) || !c.isTable(e.Rhs) {
		return nil, nil
	}
	return call, list
}

// comparedBy lowers a comparison of two values that may be tables with a function for it.
func (c *lowerer) comparedBy(e *ast.RelationalOpExpr, call *ast.FuncCallExpr, list []*Function) *ir.Expr {
	var r *symbol
	l := c.real(c.settled(c.operand(e.Lhs), e.Lhs), e.Lhs)
	c.after(func() { r = c.real(c.settled(c.operand(e.Rhs), e.Rhs), e.Rhs) }, l.operands()...)
	l, r = plain(c.keep(c.anyOf(l, e.Lhs))), plain(c.keep(c.anyOf(r, e.Rhs)))
	if e.Operator == ">" || e.Operator == ">=" {
		l, r = r, l
	}
	which := c.which("comparison", call.Method, []*ir.Expr{l.x, r.x}, list)
	out := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: c.register(ir.Bool)}
	before := c.position
	branch := func(value func() *ir.Expr) []*ir.Stmt {
		c.rare = true
		return c.collect(func() { c.branching(func() { c.set(out.I, -1, value()) }) })
	}
	branches := make([][]*ir.Stmt, len(list))
	for i, f := range list {
		branches[i] = branch(func() *ir.Expr {
			values := c.inline(callee(call), f, call, []*symbol{l, r}, 1)
			if len(values) == 0 {
				return boolean(false)
			}
			return c.truth(values[0], e)
		})
	}
	otherwise := branch(func() *ir.Expr {
		switch call.Method {
		case "__eq":
			return &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: l.x, B: r.x}
		case "__lt":
			return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: l.x, B: r.x}
		}
		return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: l.x, B: r.x}
	})
	c.position = before
	for i := len(list) - 1; i >= 0; i-- {
		otherwise = []*ir.Stmt{{Op: ir.If, A: isNth(which, i), Body: branches[i], Else: otherwise}}
	}
	c.out = append(c.out, otherwise...)
	c.fixed[register{ir.Bool, out.I}] = true
	if e.Operator == "~=" {
		return not(out)
	}
	return out
}
