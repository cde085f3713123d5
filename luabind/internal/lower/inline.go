package lower

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Inlining. The functions that a loop calls become a part of its body, so that a kernel contains no calls of Lua
// functions. Parameters and locals are bound to the values of the arguments; only what changes gets a register.
// This file also has lists of values, and returns.

// An inlined is a call of a Lua function that is being lowered. The body of the function becomes an ir.Block; a
// return becomes assignments to the results and a jump to the end of the block.
type inlined struct {
	name    string
	f       *Function
	label   int             // label of the block
	wanted  int             // number of values that the caller uses
	n       int             // number of values that the function gives at most
	results []*symbol       // a register, a view or nil for each value; the slice is nil before the first return
	short   bool            // some returns give fewer values than others
	last    *ast.ReturnStmt // the return at the end of the function, which needs no jump
}

// inline lowers the body of a function in place of a call, for arguments that are lowered already. Recursion cannot
// occur: Prepare has refused functions that call themselves.
func (c *lowerer) inline(name string, f *Function, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	args = c.first(args, len(f.Params))
	labels, fn, known, file, before := c.labels, c.fn, c.hasValue, c.file, c.position
	c.labels, c.hasValue, c.rare = nil, maps.Clone(known), c.rare && len(c.t.calls[e]) > 1
	for i, param := range f.Params {
		arg := &symbol{kind: nilSymbol}
		if i < len(args) {
			arg = args[i]
		}
		c.bind(param, arg, e)
	}
	c.file = f.File
	out := c.body(name, f, wanted)
	c.labels, c.fn, c.hasValue, c.file, c.position = labels, fn, known, file, before
	return out
}

// body lowers the body of a function whose parameters are bound, and returns its values.
func (c *lowerer) body(name string, f *Function, wanted int) []*symbol {
	defer within(f)
	if len(f.Body) == 1 {
		if st, ok := f.Body[0].(*ast.ReturnStmt); ok && wanted > 0 { // the function is only an expression, and needs no block
			c.pay()
			c.fn = &inlined{name: name, f: f, wanted: wanted}
			return c.first(c.values(st.Exprs, wanted), wanted)
		}
	}
	c.jumps++
	in := &inlined{name: name, f: f, label: c.jumps, wanted: wanted, n: c.t.results(f)}
	c.fn = in
	if n := len(f.Body); n > 0 {
		in.last, _ = f.Body[n-1].(*ast.ReturnStmt)
	}
	body := c.collect(func() {
		c.within(func() { c.stmts(f.Body) })
		if wanted > 0 && !ends(f.Body) { // where it ends without a return, its values are nil
			c.results(in, nil, c.at)
		}
	})
	c.emit(&ir.Stmt{Op: ir.Block, I: in.label, Body: body})
	return c.resultsOf(in)
}

// resultsOf returns the values of a function whose returns have been lowered.
func (c *lowerer) resultsOf(in *inlined) []*symbol {
	out := slices.Clone(in.results)
	for i, s := range out {
		switch s.kind {
		case unsetSymbol: // the value is nil at each return
			out[i] = &symbol{kind: nilSymbol}
		case registerSymbol:
			out[i] = plain(&ir.Expr{Op: ir.Reg, Type: s.typ, I: s.i})
			if s.typ == ir.Any {
				out[i] = plain(c.read(s))
			} else if s.mark >= 0 {
				out[i].has = &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}
			}
		default:
			continue
		}
		out[i].short = in.short
	}
	return out
}

// ends reports whether every way through a block ends with a return.
func ends(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch st := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.DoBlockStmt:
		return ends(st.Stmts)
	case *ast.IfStmt:
		return ends(st.Then) && ends(st.Else)
	}
	return false
}

// first returns the first n of some values. The others are evaluated after them.
func (c *lowerer) first(values []*symbol, n int) []*symbol {
	n = min(n, len(values))
	var earlier []**ir.Expr
	for _, s := range values[:n] {
		earlier = append(earlier, s.operands()...)
	}
	c.after(func() { c.discardAll(values[n:]) }, earlier...)
	return values[:n]
}

// values lowers a list of expressions, of which the caller uses the first wanted values. There may be fewer or
// more. A call at the end gives all its values, unless it stands in parentheses.
func (c *lowerer) values(exprs []ast.Expr, wanted int) []*symbol {
	var out []*symbol
	for i, e := range exprs {
		earlier := make([]**ir.Expr, 0, i)
		for _, s := range out {
			earlier = append(earlier, s.operands()...)
		}
		c.after(func() {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || i < len(exprs)-1 || wanted <= len(exprs) || call.AdjustRet {
				out = append(out, c.settled(c.operand(e), e))
				return
			}
			c.pay()
			for _, s := range c.call(call, wanted-i) {
				out = append(out, c.settled(s, e))
			}
			if len(out) == i {
				out = append(out, &symbol{kind: nilSymbol})
			}
		}, earlier...)
	}
	return out
}

// settled returns an operand that is used later: it has the value that the variable has now, even if the variable
// is assigned before the use.
func (c *lowerer) settled(s *symbol, at ast.PositionHolder) *symbol {
	switch s.kind {
	case registerSymbol, unsetSymbol:
		if s.mark >= 0 && !c.hasValue[s] {
			return c.optional(s)
		}
		return plain(c.value(s, at))
	case valueSymbol, elementSymbol:
		copied := *s
		return &copied
	case lookupSymbol:
		return c.valueNow(s)
	}
	return s
}

// bind declares a variable with its first value. The variable gets a register if it is assigned later, or if the
// value can change. Otherwise it is an alias of the value.
func (c *lowerer) bind(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	if s.short { // the variable has a value in any case
		whole := *s
		whole.short, s = false, &whole
	}
	if c.t.assigned[v] && s.kind == registerSymbol {
		s = c.settled(s, at) // the register belongs to another variable
	}
	if c.hints.anys[v] || s.kind == madeSymbol && c.t.assigned[v] {
		c.bindAny(v, s, at)
		return
	}
	if c.t.assigned[v] && s.kind != valueSymbol && s.kind != viewSymbol && s.kind != nilSymbol && s.kind != registerSymbol {
		refuse(at, "%q is %s, and assigned", v.Name, kindTexts[s.kind])
	}
	switch s.kind {
	case madeSymbol:
		if !s.made.kept {
			c.keepMade(s.made)
		}
		alias := *s
		c.declare(v, &alias)
	case nilSymbol:
		if id, ok := c.hints.views[v]; ok {
			c.declare(v, c.look(id, &ir.Expr{Op: ir.Const})).entity = nil
			return
		}
		if !c.t.assigned[v] {
			c.declare(v, &symbol{kind: nilSymbol})
			return
		}
		unset := &symbol{}
		c.unset(unset, -1)
		c.set(unset.mark, -1, boolean(false))
		c.declare(v, unset)
	case viewSymbol:
		c.bindView(v, s, at)
	case valueSymbol:
		if c.t.tested[v] {
			s = c.optional(s)
		}
		if s.has == nil && c.hints.nilable[v] {
			s = &symbol{kind: valueSymbol, x: s.x, has: boolean(true)}
		}
		if s.has != nil {
			c.bindOptional(v, s)
			return
		}
		x := s.x
		if c.t.assigned[v] || !c.stable(x) {
			reg := c.register(x.Type)
			if x.Type == ir.Number && !c.t.assigned[v] {
				c.entities[reg] = c.isEntity(x)
			}
			c.set(reg, -1, x)
			c.fixed[register{x.Type, reg}] = !c.t.assigned[v]
			if !c.t.assigned[v] {
				c.keepStrings(reg, x)
			}
			x = &ir.Expr{Op: ir.Reg, Type: x.Type, I: reg}
		}
		if c.t.assigned[v] {
			c.declare(v, &symbol{kind: registerSymbol, typ: x.Type, i: x.I, mark: -1})
		} else {
			c.declare(v, &symbol{kind: valueSymbol, x: x})
		}
	case elementSymbol:
		c.declare(v, &symbol{kind: elementSymbol, i: s.i, x: c.keep(s.x)})
	default:
		alias := *s
		c.declare(v, &alias)
	}
}

// bindView declares a variable that holds a view. If this variable, or the one that the view comes from, is
// assigned, the component is looked up again, so that the two have different views.
func (c *lowerer) bindView(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	moved := s.owned && c.t.assigned[s.variable]
	if !moved && !c.t.assigned[v] {
		alias := *s
		c.declare(v, &alias)
		return
	}
	if s.name == "" && s.owned { // no other variable holds the view
		alias := *s
		if c.t.assigned[v] {
			alias.entity = nil // it may become the view of another entity
		}
		c.declare(v, &alias)
		return
	}
	if s.entity == nil {
		refuseWith(at, useFields, "the view %q is passed on, and assigned", s.name)
	}
	found := c.look(s.component, s.entity)
	if c.t.assigned[v] {
		found.entity = nil
	}
	c.declare(v, found)
}

// look emits an ir.Look for a component of an entity, and returns the new view.
func (c *lowerer) look(id ecs.ComponentID, entity *ir.Expr) *symbol {
	i := c.p.Views + len(c.p.Refs)
	s := c.view(i, id)
	s.nilable, s.owned, s.entity = true, true, c.keep(entity)
	c.p.Refs = append(c.p.Refs, ir.Ref{Component: id, Schema: s.schema, Query: -1})
	c.p.Foreign = true
	c.find(i, s.entity)
	return s
}

// find emits an ir.Look that sets view i to the component of an entity.
func (c *lowerer) find(i int, entity *ir.Expr) {
	c.p.Entity = c.p.Entity || entity.Op == ir.Entity
	c.emit(&ir.Stmt{Op: ir.Look, I: i, A: entity})
}

// returns lowers a return statement, of the loop or of a function that is being inlined.
func (c *lowerer) returns(st *ast.ReturnStmt) {
	if c.fn == nil {
		c.leave(st)
		return
	}
	in := c.fn
	values := c.values(st.Exprs, max(in.wanted, len(st.Exprs)))
	if in.wanted > 0 {
		c.results(in, values, st)
	} else {
		for _, s := range values {
			if s.kind == valueSymbol {
				c.discard(s.x)
			}
		}
	}
	if st != in.last {
		c.emit(&ir.Stmt{Op: ir.Jump, I: in.label})
	}
}

// results emits the assignment of an inlined function's values at one of its returns. A missing value is nil. A
// value must have the same type at all returns, but may be nil at some.
func (c *lowerer) results(in *inlined, values []*symbol, at ast.PositionHolder) {
	n := in.n
	in.short = in.short || len(values) < n || n > 0 && values[len(values)-1].short
	if in.results == nil {
		in.results = make([]*symbol, n)
	}
	for i := range n {
		s := &symbol{kind: nilSymbol}
		if i < len(values) {
			s = c.real(c.optional(values[i]), at)
		}
		if in.results[i] == nil {
			in.results[i] = c.result(in, i, s, at)
		}
		c.give(in, i, s, at)
	}
}

// result returns the symbol for the i-th value of a function, decided by the first return, or by a hint of an
// earlier attempt.
func (c *lowerer) result(in *inlined, i int, s *symbol, at ast.PositionHolder) *symbol {
	hint, nilable := c.hints.results[slot{in.f, i}]
	component, view := hint.component, hint.view
	if s.kind == viewSymbol {
		component, view = s.component, true
	}
	switch {
	case hint.any:
		r := &symbol{kind: registerSymbol, typ: ir.Any, i: c.register(ir.Any), mark: -1}
		c.fixed[register{r.typ, r.i}] = true
		return r
	case view:
		r := c.look(component, &ir.Expr{Op: ir.Const})
		c.out = c.out[:len(c.out)-1]
		r.entity = c.temporary(ir.Number)
		c.entities[r.entity.I] = true
		return r
	case s.kind == nilSymbol:
		r := &symbol{}
		c.unset(r, -1)
		return r
	case s.kind != valueSymbol:
		refuse(at, "the function %q returns %s", in.name, kindTexts[s.kind])
	}
	r := &symbol{kind: registerSymbol, typ: s.x.Type, i: c.register(s.x.Type), mark: -1}
	c.fixed[register{r.typ, r.i}] = true
	if nilable || s.has != nil {
		r.mark = c.register(ir.Bool)
		c.fixed[register{ir.Bool, r.mark}] = true
	}
	c.entities[r.i] = r.typ == ir.Number && c.isEntity(s.x)
	return r
}

// give emits the assignment of the i-th value of a function at one of its returns. If the symbol cannot hold the
// value, but another one could, Lower begins again with a hint.
func (c *lowerer) give(in *inlined, i int, s *symbol, at ast.PositionHolder) {
	r := in.results[i]
	again := func(h resultHint) {
		c.hints.results[slot{in.f, i}] = h
		panic(retry{})
	}
	if r.kind == registerSymbol && r.typ == ir.Any {
		c.set(r.i, r.mark, c.anyOf(s, at))
		return
	}
	if r.kind == registerSymbol && isAny(s) {
		s = plain(c.as(c.value(s, at), r.typ))
	}
	switch {
	case r.kind == viewSymbol && s.kind == nilSymbol:
		c.set(r.entity.I, -1, &ir.Expr{Op: ir.Const})
		c.find(r.i, r.entity)
		return
	case r.kind == viewSymbol && s.kind == viewSymbol && s.component == r.component && s.entity != nil:
		c.p.Entity = c.p.Entity || s.entity.Op == ir.Entity
		c.set(r.entity.I, -1, s.entity)
		c.find(r.i, r.entity)
		return
	case r.kind == viewSymbol && s.kind == viewSymbol && s.component == r.component:
		refuse(at, "the function %q returns a view", in.name)
	case r.kind == unsetSymbol && s.kind == viewSymbol:
		again(resultHint{view: true, component: s.component})
	case r.kind != viewSymbol && s.kind == nilSymbol:
		if r.mark < 0 {
			again(resultHint{})
		}
		c.set(r.mark, -1, boolean(false))
		return
	case r.kind == unsetSymbol && s.kind == valueSymbol:
		c.typed(r, s.x.Type)
		c.entities[r.i] = r.typ == ir.Number && c.isEntity(s.x)
	}
	if (r.kind != registerSymbol || s.kind != valueSymbol || s.x.Type != r.typ) && c.t.Open && !c.hints.results[slot{in.f, i}].any {
		again(resultHint{any: true})
	}
	if r.kind != registerSymbol || s.kind != valueSymbol || s.x.Type != r.typ {
		refuse(at, "the function %q returns now one type, now another", in.name)
	}
	if s.has != nil && r.mark < 0 {
		again(resultHint{})
	}
	if r.typ == ir.Number && !c.isEntity(s.x) {
		c.entities[r.i] = false
	}
	if r.mark < 0 {
		c.set(r.i, -1, s.x)
		return
	}
	given := *s
	if given.has == nil {
		given.has = boolean(true)
	}
	c.out = append(c.out, assigned(r.i, r.mark, &given)...)
}

// leave lowers a return from the loop itself: an ir.Return with the values that are not nil.
func (c *lowerer) leave(st *ast.ReturnStmt) {
	site := c.t.sites[st]
	s := &ir.Stmt{Op: ir.Return, Args: []*ir.Expr{{Op: ir.Const, N: float64(site)}}}
	var places []int
	for _, v := range c.values(st.Exprs, c.t.Returns[site]) {
		if isOptional(v) {
			c.departs(st, "a value that is returned is nil")
		}
		if v.short {
			refuse(st, "returns a number of values that is not known")
		}
		if v.kind == nilSymbol {
			places = append(places, -1)
			continue
		}
		places = append(places, len(s.Args))
		x := c.value(v, st)
		if x.Type == ir.Any {
			refuse(st, "returns a value of a table field")
		}
		s.Args = append(s.Args, x)
	}
	if len(places) != c.t.Returns[site] {
		refuse(st, "returns a number of values that is not known")
	}
	if c.p.Sites == nil {
		c.p.Sites = make([][]int, len(c.t.Returns))
	}
	c.p.Sites[site] = places
	c.p.Returns = max(c.p.Returns, len(s.Args))
	c.emit(s)
}
