package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Returns of functions that are inlined (inline.go), and of the loop itself: the values become assignments to the results.

// resultsOf returns the values of a function whose returns have been lowered.
func (c *lowerer) resultsOf(in *inlined) []*symbol {
	out := slices.Clone(in.results)
	for i, s := range out {
		if s == nil { // no return is reached: each row is left before
			out[i] = &symbol{kind: nilSymbol}
			continue
		}
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
		c.discardAll(values)
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
	case s.kind == constantSymbol && c.t.giving[in.last] && at == ast.PositionHolder(in.last):
		return s // the function that it makes
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
	c.refuseFalse(s, at)
	r.given = r.given || s.kind == viewSymbol && s.name != ""
	switch {
	case r.kind == constantSymbol && r == s:
		return
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
	if (r.kind != registerSymbol || s.kind != valueSymbol || s.x.Type != r.typ) && c.mayMix() && !c.hints.results[slot{in.f, i}].any {
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
			refuse(st, "returns a value that may be a table")
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
