package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Values of type ir.Any: what a body reads from fields of type `table`. Their kinds are only known when a row runs.
// Where a number, a boolean or a string is needed, ir.As is put in between, and a row that has something else there
// is left to the interpreter. A value that is Any is never an optional symbol: it may be nil itself.

// isAny reports whether a symbol is a value of type Any.
func isAny(s *symbol) bool {
	return s.kind == valueSymbol && s.x.Type == ir.Any || s.kind == registerSymbol && s.typ == ir.Any
}

// null is nil as a value of type Any.
func null() *ir.Expr { return &ir.Expr{Op: ir.Const, Type: ir.Any} }

// as returns a value as one of type t, if it is Any; other values as they are.
func (c *lowerer) as(x *ir.Expr, t ir.Type) *ir.Expr {
	if x.Type != ir.Any || t == ir.Any {
		return x
	}
	c.p.Exact = true
	return &ir.Expr{Op: ir.As, Type: t, A: x}
}

// wrapped returns a value as one of type Any.
func wrapped(x *ir.Expr) *ir.Expr {
	if x.Type == ir.Any {
		return x
	}
	return &ir.Expr{Op: ir.Wrap, Type: ir.Any, A: x}
}

// truly returns the condition that a value of type Any is neither nil nor false.
func truly(x *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Truth, Type: ir.Bool, A: x} }

// isNull returns the condition that a value of type Any is nil.
func isNull(x *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: x, B: null()} }

// anyOf returns a symbol as a value of type Any. A table that the body makes becomes a real one.
func (c *lowerer) anyOf(s *symbol, at ast.PositionHolder) *ir.Expr {
	s = c.real(c.optional(s), at)
	switch {
	case s.kind == nilSymbol && !c.isGlobalNil(s):
		return null()
	case isOptional(s):
		return &ir.Expr{Op: ir.Select, Type: ir.Any, A: s.has, B: wrapped(surely(s).x), C: null()}
	}
	return wrapped(c.value(s, at))
}

// isGlobalNil reports whether a symbol is a variable declared outside the loop that is nil when the loop begins.
func (c *lowerer) isGlobalNil(s *symbol) bool { return s.variable != nil && c.t.isInput(s.variable) }

// becomesAny makes Lower begin again with a local that holds values of any kind.
func (c *lowerer) becomesAny(s *symbol) {
	if s.variable == nil || c.t.isInput(s.variable) || c.hints.anys[s.variable] {
		return
	}
	c.hints.anys[s.variable] = true
	panic(retry{})
}

// real returns a table that the body makes as a value of type Any; other symbols as they are. If a local holds the
// table in registers, Lower begins again.
func (c *lowerer) real(s *symbol, at ast.PositionHolder) *symbol {
	if s.kind != madeSymbol {
		return s
	}
	if s.made.kept {
		c.becomesAny(s)
		refuseWith(at, nameFirst, "uses a part of a table made here as a table")
	}
	return plain(c.make(s.made, at))
}

// make emits the making of a table, and returns it.
func (c *lowerer) make(m *made, at ast.PositionHolder) *ir.Expr {
	item, values := c.anyItem(&symbol{kind: madeSymbol, made: m}, at)
	x := c.temporary(ir.Any)
	c.p.Drafts, c.p.Exact = true, true
	c.emit(&ir.Stmt{Op: ir.Make, I: x.I, Item: item, Args: values})
	return x
}

// anyItem is item for tables that are values of type Any: their parts may be of that type, too.
func (c *lowerer) anyItem(s *symbol, at ast.PositionHolder) (*ir.TableItem, []*ir.Expr) {
	if s.kind != madeSymbol {
		x := c.anyOf(s, at)
		return &ir.TableItem{Type: x.Type}, []*ir.Expr{x}
	}
	if s.made.kept {
		x := c.anyOf(s, at)
		return &ir.TableItem{Type: x.Type}, []*ir.Expr{x}
	}
	out, values := &ir.TableItem{Kind: ir.ItemTable}, []*ir.Expr(nil)
	for _, part := range s.made.items {
		x, more := c.anyItem(part, at)
		out.Items, values = append(out.Items, x), append(values, more...)
	}
	for _, part := range s.made.named {
		x, more := c.anyItem(part.value, at)
		out.Named, values = append(out.Named, ir.NamedItem{Name: part.name, Value: x}), append(values, more...)
	}
	return out, values
}

// bindAny declares a variable that holds values of any kind.
func (c *lowerer) bindAny(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	x := c.anyOf(s, at)
	if !c.t.assigned[v] && c.stable(x) {
		c.declare(v, &symbol{kind: valueSymbol, x: x})
		return
	}
	reg := c.register(ir.Any)
	c.set(reg, -1, x)
	c.fixed[register{ir.Any, reg}] = !c.t.assigned[v]
	c.declare(v, &symbol{kind: registerSymbol, typ: ir.Any, i: reg, mark: -1, input: -1})
}

// itemOf returns the symbol of the value at a key of a table of type Any.
func (c *lowerer) itemOf(table *symbol, e *ast.AttrGetExpr) *symbol {
	of := c.value(table, e)
	c.p.Exact = true
	if name, ok := e.Key.(*ast.StringExpr); ok {
		key := &ir.Expr{Op: ir.Const, Type: ir.Text, S: name.Value}
		return plain(&ir.Expr{Op: ir.Item, Type: ir.Any, A: of, B: wrapped(key)})
	}
	if c.onPath(e) {
		return plain(&ir.Expr{Op: ir.Item, Type: ir.Any, A: of, B: c.pathKey(e)})
	}
	var key *ir.Expr
	c.after(func() { key = c.anyKey(e.Key) }, &of)
	return plain(&ir.Expr{Op: ir.Item, Type: ir.Any, A: of, B: key})
}

// anyKey lowers a key of a table of type Any: a view may be one, too.
func (c *lowerer) anyKey(e ast.Expr) *ir.Expr {
	s := c.operand(e)
	if s.kind == viewSymbol {
		return c.anyOf(s, e)
	}
	return wrapped(c.value(s, e))
}

// viewOf returns a symbol of a view by its number.
func (c *lowerer) viewOf(i int) *symbol {
	if c.p.Events != nil && i == 0 {
		return &symbol{kind: viewSymbol, event: true}
	}
	return &symbol{kind: viewSymbol, i: i}
}

// putAny emits the assignment TABLE[KEY] = VALUE.
func (c *lowerer) putAny(t *target, s *symbol) {
	x := c.anyOf(s, t.at)
	c.change(t.place, t.at, func(table *ir.Expr) {
		c.emit(&ir.Stmt{Op: ir.PutItem, A: table, B: t.key, C: x, Pays: t.place.root == nil})
	})
}

// insertAny lowers table.insert(TABLE, …) for a table of type Any.
func (c *lowerer) insertAny(list *symbol, e *ast.FuncCallExpr) {
	p := c.writtenBy(e, list)
	var at *ir.Expr
	var value *symbol
	if len(e.Args) == 3 {
		at = c.keep(c.number(e.Args[1]))
	}
	c.afterTable(p, func() { value = c.settled(c.operand(e.Args[len(e.Args)-1]), e) })
	x := c.anyOf(value, e)
	c.change(p, e, func(table *ir.Expr) {
		c.emit(&ir.Stmt{Op: ir.Insert, A: table, B: at, C: x, Pays: p.root == nil})
	})
}

// remove lowers table.remove(TABLE), table.remove(TABLE, PLACE).
func (c *lowerer) remove(e *ast.FuncCallExpr, wanted int) []*symbol {
	if len(e.Args) < 1 || len(e.Args) > 2 || c.t.values(e.Args) != len(e.Args) {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	list := c.real(c.changed(e.Args[0]), e.Args[0])
	if !isAny(list) {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	p := c.writtenBy(e, list)
	var at *ir.Expr
	if len(e.Args) == 2 {
		c.afterTable(p, func() { at = c.number(e.Args[1]) })
	}
	s := &ir.Stmt{Op: ir.Remove, I: -1, B: at}
	var out []*symbol
	if wanted > 0 {
		x := c.temporary(ir.Any)
		s.I = x.I
		out = []*symbol{plain(x)}
		out[0].short = true // of an empty list it returns no value
	}
	if p.root == nil || at != nil {
		c.change(p, e, func(table *ir.Expr) {
			s.A = table
			c.emit(s)
		})
		return out
	}
	// From an empty list in a field or a resource nothing is removed, and nothing is stored: the component has not changed. With a place, such a row is left to the interpreter.
	n := c.keep(&ir.Expr{Op: ir.Length, A: p.table})
	body := c.collect(func() {
		c.change(p, e, func(table *ir.Expr) {
			s.A = table
			c.emit(s)
		})
	})
	last := len(body) - 1
	for _, s := range body[:last] {
		c.emit(s)
	}
	c.emit(&ir.Stmt{Op: ir.If, A: &ir.Expr{Op: ir.Less, Type: ir.Bool, A: &ir.Expr{Op: ir.Const}, B: n}, Body: body[last:]})
	return out
}

// walkAny lowers a loop over a table of type Any.
func (c *lowerer) walkAny(st *ast.GenericForStmt, w walkedList, list *symbol) {
	s := &ir.Stmt{Op: ir.Items, A: c.value(list, w.list), I: -1, J: -1}
	types := []ir.Type{ir.Number, ir.Any}
	if w.all {
		s.Op, types[0] = ir.Entries, ir.Any
	}
	names := c.t.Names.Declared(st)
	registers := []*int{&s.I, &s.J}
	for i := range names {
		*registers[i] = c.register(types[i])
	}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			for i, v := range names {
				reg := *registers[i]
				c.fixed[register{types[i], reg}] = !c.t.assigned[v]
				c.declare(v, &symbol{kind: registerSymbol, typ: types[i], i: reg, mark: -1, input: -1})
			}
		})
	})
	c.p.Exact = true
	c.emit(s)
}

// anyOr returns "a or b", or "a and b" if and is set, for a value of type Any on the left.
func (c *lowerer) anyOr(a *ir.Expr, and bool, rest branchValue, at ast.PositionHolder) *symbol {
	out := c.temporary(ir.Any)
	c.set(out.I, -1, a)
	body := c.inBranch(&rest, at)
	body = append(body, &ir.Stmt{Op: ir.Set, I: out.I, Mark: -1, A: rest.s.x})
	s := &ir.Stmt{Op: ir.If, A: truly(out), Body: body}
	if !and {
		s.Body, s.Else = nil, body
	}
	c.emit(s)
	return plain(out)
}

// inBranch makes the value of a branch one of type Any, and returns the statements that it needs.
func (c *lowerer) inBranch(b *branchValue, at ast.PositionHolder) []*ir.Stmt {
	more := c.collect(func() { b.s = plain(c.anyOf(b.s, at)) })
	return append(b.body, more...)
}

// chosenAny returns "cond and first or rest" where one of the values is of type Any.
func (c *lowerer) chosenAny(cond *ir.Expr, first, rest branchValue, at ast.PositionHolder) *symbol {
	out := c.temporary(ir.Any)
	body := c.inBranch(&first, at)
	body = append(body, &ir.Stmt{Op: ir.Set, I: out.I, Mark: -1, A: first.s.x})
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: body, Else: []*ir.Stmt{{Op: ir.Set, I: out.I, Mark: -1, A: null()}}})
	other := c.inBranch(&rest, at)
	other = append(other, &ir.Stmt{Op: ir.Set, I: out.I, Mark: -1, A: rest.s.x})
	c.emit(&ir.Stmt{Op: ir.If, A: truly(out), Else: other})
	return plain(out)
}

// joinAny returns a if cond holds, otherwise b, as a value of type Any.
func (c *lowerer) joinAny(cond *ir.Expr, a, b branchValue, at ast.PositionHolder) *symbol {
	out := c.temporary(ir.Any)
	give := func(v branchValue) []*ir.Stmt {
		body := c.inBranch(&v, at)
		return append(body, &ir.Stmt{Op: ir.Set, I: out.I, Mark: -1, A: v.s.x})
	}
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: give(a), Else: give(b)})
	return plain(out)
}

// entityOf returns a value of type Any for a field of type entity, where nil means no entity.
func (c *lowerer) entityOf(x *ir.Expr) *ir.Expr {
	x = c.keep(x)
	return &ir.Expr{Op: ir.Select, A: isNull(x), B: &ir.Expr{Op: ir.Const}, C: c.as(x, ir.Number)}
}

// tableField reports whether a field holds tables.
func tableField(f *ecs.Field) bool { return f.Type == ecs.TableField }

// keyType returns the type of the keys of an input's table, for a key of which the type is not known.
func (c *lowerer) keyType(input int) ir.Type {
	if c.context.Tables == nil || c.context.Tables.Named(input) {
		return ir.Text
	}
	return ir.Number
}

// Values whose type differs from row to row: "cond and 'x' or 1", or a local that is a number in one branch and a string in
// another. They become values of type ir.Any, so only closures run the loop.
//
// A local of such a type makes each row that reads it one for closures. So where not every row comes, no local becomes one: the statement
// becomes an exit, and the other rows can be machine code.

// ofSeveral marks a symbol as a value of several types, and returns it.
func (c *lowerer) ofSeveral(s *symbol) *symbol {
	c.p.Exact = true
	c.mixed[s.x.I] = true
	return s
}

// isMixed reports whether a value is known to be of several types.
func (c *lowerer) isMixed(x *ir.Expr) bool { return x.Op == ir.Reg && x.Type == ir.Any && c.mixed[x.I] }

// mayMix reports whether a local may become one of type Any because it gets a value of another type here.
func (c *lowerer) mayMix() bool { return c.position.exit == nil }

// mixesIn is called for an expression whose value has the wrong type here. If the expression is the name of a local that
// the body assigns, Lower begins again, with a local of type Any.
func (c *lowerer) mixesIn(e ast.Expr) {
	id, ok := e.(*ast.IdentExpr)
	if !ok || !c.mayMix() {
		return
	}
	if s := c.lookup(id); s.kind == registerSymbol && s.typ != ir.Any && s.variable != nil && c.t.assigned[s.variable] {
		c.becomesAny(s)
	}
}
