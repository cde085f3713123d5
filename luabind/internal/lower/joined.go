package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// Elements of lists at the keys of a table from around the loop, as in
//
//	for _, other in ipairs(cells[k] or {}) do … end
//	local first = cells[k][1]
//
// The body changes none of these lists. Package loops copies the numbers of all lists into one (ir.Table.Joined) when the loop begins; where
// those of a list begin is a member without a name (ir.ListStart).

// joinedTable returns the index in Program.Tables of the copy of the lists in the table that an input holds. The first use adds it.
func (c *lowerer) joinedTable(input int) int {
	i := slices.IndexFunc(c.p.Tables, func(t ir.Table) bool { return t.Input == input && t.Joined })
	if i < 0 {
		i = len(c.p.Tables)
		c.p.Tables = append(c.p.Tables, ir.Table{Input: input, Joined: true})
	}
	return i
}

// isList reports whether a symbol is a table that was looked up, and seems to be a list of numbers that the body does not change.
func (c *lowerer) isList(s *symbol) bool {
	return c.isRow(s) && !c.makesRecords(s.input) && (c.context.Tables == nil || c.context.Tables.Lists(s.input))
}

// listBounds returns in registers how many elements of the copy stand before those of a list, and the length of the list.
func (c *lowerer) listBounds(list *symbol, at ast.Expr) (start, length *ir.Expr) {
	c.joinedTable(list.input)
	c.p.Exact = true
	length = c.keep(c.listLength(list, at))
	t := &c.p.Keyed[list.i]
	i := t.StartMember()
	if i < 0 {
		i = len(t.Members)
		t.Members = append(t.Members, ir.Member{Kind: ir.ListStart})
	}
	return c.keep(c.ofList(list, i)), length
}

// ofList returns a number that a list has, and 0 where there is none and the script has an empty table.
func (c *lowerer) ofList(list *symbol, member int) *ir.Expr {
	x := &ir.Expr{Op: ir.Lookup, I: list.i, Member: member, A: list.x}
	if !list.orEmpty {
		return x
	}
	return &ir.Expr{Op: ir.Select, A: list.there, B: x, C: &ir.Expr{Op: ir.Const}}
}

// elementOfRow lowers TABLE[KEY], for a table that was looked up: an element of a list, or another value (pair.go).
func (c *lowerer) elementOfRow(object *symbol, e *ast.AttrGetExpr) *symbol {
	row, key := c.rowAndKey(object, e)
	if !c.isList(row) || c.hints.paired[row.input] || key.Type != ir.Number || c.isEntity(key) {
		return c.pairOf(row, key, e)
	}
	start, length := c.listBounds(row, e)
	return plain(c.elementOfList(row.input, start, length, key))
}

// elementOfList returns the element at a key of a list; where the list has none, the expression fails.
func (c *lowerer) elementOfList(input int, start, length, key *ir.Expr) *ir.Expr {
	both := func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.And, Type: ir.Bool, A: a, B: b} }
	upTo := func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: a, B: b} }
	within := both(upTo(&ir.Expr{Op: ir.Const, N: 1}, key), upTo(key, length))
	if key.Op != ir.Const || key.N != float64(int(key.N)) {
		within = both(within, &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: key, B: &ir.Expr{Op: ir.Call, Func: "floor", A: key, One: sandbox.MathOne["floor"]}})
	}
	at := &ir.Expr{Op: ir.Select, A: within, B: &ir.Expr{Op: ir.Add, A: start, B: key}, C: &ir.Expr{Op: ir.Const}} // no element is at 0
	return &ir.Expr{Op: ir.Element, I: c.joinedTable(input), A: at, Member: -1}
}

// countThroughList lowers ipairs over a list that was looked up.
func (c *lowerer) countThroughList(st *ast.GenericForStmt, object *symbol, at ast.Expr) {
	list := c.keyKept(object)
	start, length := c.listBounds(list, at)
	names := c.t.Names.Declared(st)
	one := &ir.Expr{Op: ir.Const, N: 1}
	s := &ir.Stmt{Op: ir.Count, A: one, B: length, C: one, I: c.register(ir.Number)}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			i := c.keep(&ir.Expr{Op: ir.Reg, I: s.I})
			c.bind(names[0], plain(i), st)
			if len(names) > 1 {
				c.bind(names[1], plain(&ir.Expr{Op: ir.Element, I: c.joinedTable(list.input), A: &ir.Expr{Op: ir.Add, A: start, B: i}, Member: -1}), st)
			}
		})
	})
	c.emit(s)
}

// orEmptyList returns the symbol of LIST or {}. The body cannot use the new table but as a list.
func (c *lowerer) orEmptyList(s *symbol, e *ast.TableExpr) *symbol {
	out := *s
	out.x = c.keep(s.x)
	out.there, out.orEmpty = c.keep(c.found(&out)), true
	c.emit(&ir.Stmt{Op: ir.If, A: not(out.there), Body: c.collect(func() { c.branching(func() { c.operand(e) }) })})
	return &out
}

// listsStay refuses a body that reads elements of lists to which it adds.
func (c *lowerer) listsStay() {
	for _, k := range c.p.Keyed {
		if k.StartMember() < 0 {
			continue
		}
		of := c.t.Inputs[k.Input]
		if k.Makes || k.Members[k.LengthMember()].Stored {
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: "the lists in \"" + of.Text() + "\" are read, and get elements", Advice: SplitLoop})
		}
	}
}
