package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Statements that contain blocks: if, while, repeat, for, and inner loops over queries or near entities.

// iteration lowers the body of an inner loop, whose statement is s. It gives s the price of one iteration.
func (c *lowerer) iteration(s *ir.Stmt, body func()) {
	saved := c.price
	c.price = 1
	c.breaks = append(c.breaks, 0)
	c.branching(body)
	c.breaks = c.breaks[:len(c.breaks)-1]
	s.Price, c.price = c.price, saved
	c.p.Exact = true
}

// branch lowers an if. A variable that has a value at the end of both branches has one afterwards.
func (c *lowerer) branch(st *ast.IfStmt) {
	s := c.placed(&ir.Stmt{Op: ir.If, A: c.condition(st.Condition)})
	never := s.A.Op == ir.Const && s.A.N == 0
	before := c.position
	c.rare = true
	then := c.branching(func() {
		c.assume(st.Condition, true)
		s.Body = c.unless(never, func() []*ir.Stmt { return c.block(st.Then, nil) })
	})
	other := c.branching(func() {
		c.assume(st.Condition, false)
		s.Else = c.unless(s.A.Op == ir.Const && s.A.N != 0, func() []*ir.Stmt { return c.block(st.Else, nil) })
	})
	c.position = before
	for v := range then {
		if other[v] {
			c.hasValue[v] = true
		}
	}
	if leaves(st.Then) {
		c.assume(st.Condition, false)
	}
	c.emit(s)
}

// assume notes which variables are known to have a value where a condition holds, or, if holds is false, where it
// does not.
func (c *lowerer) assume(cond ast.Expr, holds bool) {
	switch cond := cond.(type) {
	case *ast.IdentExpr:
		if v := c.symbols[c.t.Names.Of(cond)]; holds && v != nil && v.kind == registerSymbol && v.mark >= 0 && !c.cleared(v.variable) {
			c.hasValue[v] = true
		}
	case *ast.UnaryNotOpExpr:
		c.assume(cond.Expr, !holds)
	case *ast.LogicalOpExpr:
		if holds == (cond.Operator == "and") {
			c.assume(cond.Lhs, holds)
			c.assume(cond.Rhs, holds)
		}
	case *ast.RelationalOpExpr:
		if _, ok := cond.Rhs.(*ast.NilExpr); ok && (cond.Operator == "==" || cond.Operator == "~=") {
			c.assume(cond.Lhs, holds == (cond.Operator == "~="))
		}
	}
}

// leaves reports whether the last statement of a block leaves it.
func leaves(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch body[len(body)-1].(type) {
	case *ast.ReturnStmt, *ast.BreakStmt, *ast.GotoStmt:
		return true
	}
	return false
}

// unless lowers statements, unless they are never executed: then nothing is emitted for them, and what cannot be
// lowered in them is no reason to refuse the loop.
func (c *lowerer) unless(never bool, lower func() []*ir.Stmt) (out []*ir.Stmt) {
	if !never {
		return lower()
	}
	labels, breaks, fn, known, file, where, before, place := c.labels, c.breaks, c.fn, c.hasValue, c.file, c.where, c.out, c.position
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*Reason); !ok {
				panic(r)
			}
			out, c.labels, c.breaks, c.fn, c.hasValue, c.file, c.where, c.out, c.position = nil, labels, breaks, fn, known, file, where, before, place
		}
	}()
	return lower()
}

// while lowers a while. If its condition needs statements of its own, they become the beginning of the body,
// followed by a break.
func (c *lowerer) while(st *ast.WhileStmt) {
	s := &ir.Stmt{Op: ir.While}
	c.iteration(s, func() {
		first := c.collect(func() { s.A = c.condition(st.Condition) })
		s.Body = c.block(st.Stmts, nil)
		if len(first) > 0 {
			first = append(first, &ir.Stmt{Op: ir.If, A: not(s.A), Body: []*ir.Stmt{{Op: ir.Break}}})
			s.A, s.Body = boolean(true), append(first, s.Body...)
		}
	})
	c.emit(s)
}

// repeat lowers a repeat. Its condition sees the locals of the body.
func (c *lowerer) repeat(st *ast.RepeatStmt) {
	s := &ir.Stmt{Op: ir.Repeat}
	c.iteration(s, func() {
		s.Body = c.collect(func() {
			c.within(func() {
				c.stmts(st.Stmts)
				if s.A = boolean(true); !c.exits.exited(st.Stmts) {
					s.A = c.condition(st.Condition)
				}
			})
		})
	})
	c.emit(s)
}

// count lowers a numeric for.
func (c *lowerer) count(st *ast.NumberForStmt) {
	bounds := []ast.Expr{st.Init, st.Limit}
	if st.Step != nil {
		bounds = append(bounds, st.Step)
	}
	values := append(c.list(bounds, c.number), &ir.Expr{Op: ir.Const, N: 1})
	s := &ir.Stmt{Op: ir.Count, A: values[0], B: values[1], C: values[2], I: c.register(ir.Number)}
	from, to, by := values[0], values[1], values[2]
	never := from.Op == ir.Const && to.Op == ir.Const && by.Op == ir.Const && (by.N > 0 && from.N > to.N || by.N < 0 && from.N < to.N)
	c.iteration(s, func() {
		s.Body = c.unless(never, func() []*ir.Stmt {
			return c.block(st.Stmts, func() { c.declare(c.t.Names.Declared(st)[0], &symbol{typ: ir.Number, i: s.I, mark: -1}) })
		})
	})
	c.emit(s)
}

// walkers are the methods of world and of layers whose loops are compiled.
var walkers = []string{"all", "around", "each", "near", "sources", "targets"}

// generic lowers an inner loop over a list, over near entities, or over a query. The query must be known: its
// components become further views.
func (c *lowerer) generic(st *ast.GenericForStmt) {
	if list, ok := walked(st); ok {
		c.walk(st, list)
		return
	}
	if list, ok := c.t.walks[st]; ok {
		c.walk(st, list)
		return
	}
	if call := c.t.iterators[st]; call != nil {
		c.iterate(st, call)
		return
	}
	if call, ok := isGmatch(st); ok {
		c.matches(st, call)
		return
	}
	call := st.Exprs[0].(*ast.FuncCallExpr)
	if call.Func != nil || !slices.Contains(walkers, call.Method) {
		refuseWith(st, numericFor, "has a for … in over something else than world:each, world:near, world:sources or a list")
	}
	c.pay()
	object := c.object(call.Receiver)
	if object.kind == layerSymbol {
		c.layerWalk(st, call, object.text)
		return
	}
	if object.kind != worldSymbol {
		refuseWith(call, adviceOnCall(call), "calls %s", callee(call))
	}
	switch call.Method {
	case "all", "around":
		c.indexWalk(st, call)
		return
	case "near":
		c.near(st, call)
		return
	case "sources", "targets":
		c.sources(st, call)
		return
	}
	q, at := c.walkOf(call)
	sub := ir.Subquery{Query: q, Entity: c.register(ir.Number), First: c.p.Views + len(c.p.Refs), Views: len(st.Names) - 1}
	s, index := c.innerEach(sub, at)
	terms := q.Terms()
	entity := &ir.Expr{Op: ir.Reg, I: sub.Entity}
	c.fixed[register{ir.Number, sub.Entity}], c.entities[sub.Entity] = true, true
	symbols := []*symbol{plain(entity)}
	for i := range st.Names[1:] {
		if i >= len(terms) {
			symbols = append(symbols, &symbol{kind: nilSymbol})
			c.p.Queries[index].Views = len(terms)
			continue
		}
		v := c.view(sub.First+i, terms[i])
		v.nilable, v.entity = i >= q.Required(), entity
		if v.schema == nil { // a relation: the variable is the target
			v = related(ecs.RelationID(terms[i]), entity, v.nilable)
		}
		symbols = append(symbols, v)
		c.p.Refs = append(c.p.Refs, ir.Ref{Component: terms[i], Schema: v.schema, Query: index, Optional: v.nilable})
	}
	c.p.Foreign = true
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			for i, v := range c.t.Names.Declared(st) {
				c.loopVariable(v, symbols[i], st)
			}
		})
	})
	if !reads(s.Body, entity) && !storesIn(s.Body, sub) { // machine code finds the rows that are stamped by their entities
		c.p.Queries[index].Entity = -1
	}
	c.emit(s)
}

// storesIn reports whether statements store components of the rows of a query within.
func storesIn(body []*ir.Stmt, sub ir.Subquery) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return s.Op == ir.Store && s.I >= sub.First && s.I < sub.First+sub.Views || storesIn(s.Body, sub) || storesIn(s.Else, sub)
	})
}

// loopVariable declares a variable of an inner loop. It may not be assigned if it is a number.
func (c *lowerer) loopVariable(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	if c.t.assigned[v] && s.kind == valueSymbol {
		refuseWith(at, ownLocal, "assigns the variable %q of a loop", v.Name)
	}
	c.declare(v, s)
}

// near lowers an inner world:near: a loop over the entities near a point.
func (c *lowerer) near(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	if len(call.Args) != 4 || len(st.Names) > 2 {
		refuseWith(call, adviceOnCall(call), "calls %s with other arguments than a grid, a point and a radius", callee(call))
	}
	s := &ir.Stmt{Op: ir.Near, I: -1, J: -1}
	if name := c.constant(call.Args[0]); name != "" {
		s.Grid = c.context.World.LookupGrid(name)
	}
	if s.Grid == nil && !c.context.Loose {
		refuse(call, "the grid is not known")
	}
	args := c.list(call.Args[1:], c.number)
	s.A, s.B, s.C = args[0], args[1], args[2]
	found := make([]*ir.Expr, len(st.Names))
	for i := range found {
		found[i] = c.temporary(ir.Number)
		c.entities[found[i].I] = i == 0
	}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			for i, v := range c.t.Names.Declared(st) {
				c.loopVariable(v, plain(found[i]), st)
			}
		})
	})
	for i, into := range []*int{&s.I, &s.J} {
		if i < len(found) && reads(s.Body, found[i]) {
			*into = found[i].I
		}
	}
	c.emit(s)
}

// sources lowers an inner world:sources or world:targets: a loop over the entities whose target in a relation is an entity, or over
// the targets of one.
func (c *lowerer) sources(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	if len(call.Args) != 2 || len(st.Names) > 1 {
		refuseWith(call, adviceOnCall(call), "calls %s with other arguments than a relation and an entity", callee(call))
	}
	name, entity := call.Args[0], call.Args[1]
	if call.Method == "targets" {
		name, entity = entity, name
	}
	id, ok := c.context.World.LookupRelation(c.declared(name))
	if !ok {
		refuseWith(call, DeclareIt, "there is no relation %q", c.declared(name))
	}
	s := &ir.Stmt{Op: ir.Sources, A: c.handle(entity), I: -1, J: int(id)}
	if call.Method == "targets" {
		s.J = -1 - s.J
	}
	found := c.temporary(ir.Number)
	c.entities[found.I] = true
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() { c.loopVariable(c.t.Names.Declared(st)[0], plain(found), st) })
	})
	if reads(s.Body, found) {
		s.I = found.I
	}
	c.emit(s)
}

// reads reports whether statements read a register.
func reads(body []*ir.Stmt, x *ir.Expr) bool {
	var in func(*ir.Expr) bool
	in = func(e *ir.Expr) bool {
		return e != nil && (e.Op == ir.Reg && e.Type == x.Type && e.I == x.I || in(e.A) || in(e.B) || in(e.C))
	}
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return in(s.A) || in(s.B) || in(s.C) || slices.ContainsFunc(s.Args, in) || reads(s.Body, x) || reads(s.Else, x)
	})
}
