package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// Values at keys of the tables at the keys of a table declared outside the loop, as in
//
//	prices[town][good] = (prices[town][good] or 0) + 1
//	local of = prices[town]
//	of[good] = of[good] * 2
//
// The inner table is looked up as any table at a key (keyed.go). All values of the inner tables are one keyed table, whose keys are pairs
// (ir.Keyed.Pairs). Lists of equally long lists are copied instead (cell, below).

// pairs returns the index in Program.Keyed of the values in the tables in another one, at keys of a type. The first use adds it.
func (c *lowerer) pairs(of *symbol, second ir.Type) int {
	i := slices.IndexFunc(c.p.Keyed, func(k ir.Keyed) bool { return k.Pairs && k.Of == of.i && k.Second == second })
	if i < 0 {
		i = len(c.p.Keyed)
		c.p.Keyed = append(c.p.Keyed, ir.Keyed{Input: of.input, Key: ir.Number, Type: c.typeOfPairs(of.input), Pairs: true, Of: of.i, Second: second})
	}
	c.p.Exact = true
	return i
}

// typeOfPairs returns the type of the values in the tables that an input's table holds: as they are, or as the body stores them if there are none.
func (c *lowerer) typeOfPairs(input int) ir.Type {
	if c.context.Tables != nil {
		if t, known := c.context.Tables.Inner(input); known {
			return t
		}
	}
	return c.hints.pairs[input]
}

// pairOf lowers TABLE[KEY], where the table was looked up by a key in a register, and is there.
func (c *lowerer) pairOf(row *symbol, second *ir.Expr, e *ast.AttrGetExpr) *symbol {
	name := c.t.Inputs[row.input].Text()
	switch {
	case row.class != nil, c.typeOfPairs(row.input) == ir.Any:
		refuseWith(e, oneKey, "reads %s, an element of a table in a table", inSource(e))
	}
	if second.Type != ir.Number && second.Type != ir.Text {
		refuseWith(e, chooseWithIf, "looks up a table of %q by %s", name, typeNames[second.Type])
	}
	key := &ir.Expr{Op: ir.Pair, A: row.x, B: second}
	return &symbol{kind: lookupSymbol, i: c.pairs(row, second.Type), x: key, member: -1, input: row.input}
}

// pairTarget is pairOf on the left side of an assignment.
func (c *lowerer) pairTarget(row *symbol, e *ast.AttrGetExpr) *symbol {
	if c.typeOfPairs(row.input) == ir.Any {
		refuseTarget(e)
	}
	row, key := c.rowAndKey(row, e)
	return c.pairOf(row, key, e)
}

// rowAndKey evaluates a key of a table that was looked up, and returns both with their keys in registers. A row in which there is no table is
// left to the interpreter before the key is evaluated.
func (c *lowerer) rowAndKey(object *symbol, e *ast.AttrGetExpr) (row *symbol, key *ir.Expr) {
	row = c.keyKept(object)
	if !c.hasValue[row] {
		c.guard(c.found(row))
	}
	c.unchanged(object.x, func() { key = c.keep(c.expr(e.Key)) })
	return row, key
}

// unchanged calls lower for something that is evaluated after the object of an index, which is a table at the key x. If x is the register of a
// variable that is assigned there, the body is refused: Lua reads a local when it needs it.
func (c *lowerer) unchanged(x *ir.Expr, lower func()) {
	n := len(c.out)
	lower()
	if x != nil && !c.stable(x) && alters(c.out[n:], x) {
		panic(&Reason{whole: true, Line: c.t.Line, Text: "a variable is used and changed by a function in one expression"})
	}
}

// expectsPairs makes Lower begin again with another type for the values in the tables of an input, if nothing has shown their type.
func (c *lowerer) expectsPairs(input int, t ir.Type) {
	if c.context.Tables != nil {
		if _, known := c.context.Tables.Inner(input); known {
			return
		}
	}
	if _, tried := c.hints.pairs[input]; !tried && t != ir.Any {
		c.hints.pairs[input] = t
		panic(retry{})
	}
}

// pairsFit refuses a body that reaches values in two ways, as pairs and as members of the tables, and stores some: kernels keep the
// ways apart.
func (c *lowerer) pairsFit() {
	for n, k := range c.p.Keyed {
		if !k.Pairs {
			continue
		}
		of := c.t.Inputs[k.Input]
		refuse := func(advice Advice, format string, args ...any) {
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: fmt.Sprintf(format, append([]any{of.Text()}, args...)...), Advice: advice})
		}
		for i, m := range c.p.Keyed[k.Of].Members {
			alike := m.Named() == (k.Second == ir.Text)
			if alike && (k.Stored || m.Stored) || k.Stored && m.Named() && putsMember(c.p.Body, k.Of, i) { // pairs gives new keys in the order of all
				refuse(useOneWay, "the tables in %q are used by names and by computed keys, and assigned")
			}
		}
		for _, other := range c.p.Keyed[:n] {
			if other.Pairs && other.Of == k.Of && other.Stored && k.Stored {
				refuse(useOneWay, "the tables in %q get values at strings and at numbers")
			}
		}
	}
}

// putsMember reports whether statements assign a member of the tables in a keyed table that the table may not have, other than in a
// constructor.
func putsMember(body []*ir.Stmt, table, member int) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		puts := s.Op == ir.PutKey && s.I == table && s.Member == member && !needsMember(s.B, s)
		return puts || putsMember(s.Body, table, member) || putsMember(s.Else, table, member)
	})
}

// needsMember reports whether a value needs the member that a statement assigns, so that the table has it.
func needsMember(x *ir.Expr, s *ir.Stmt) bool {
	switch {
	case x == nil:
		return false
	case x.Op == ir.Lookup && x.I == s.I && x.Member == s.Member && x.A.Op == ir.Reg && s.A.Op == ir.Reg && x.A.I == s.A.I && x.A.Type == s.A.Type:
		return true
	case x.Op == ir.Select || x.Op == ir.And || x.Op == ir.Or: // one operand is always evaluated
		return needsMember(x.A, s)
	}
	return needsMember(x.A, s) || needsMember(x.B, s) || needsMember(x.C, s)
}

// Lists of lists: TABLE[ROW][COLUMN]. All inner lists have the same number of elements, so package loops copies
// them into one list, one after the other. That number, the width, is an input. Lists of different lengths,
// and other tables, are looked up: see pair.go.

// flat returns the index in Program.Tables of the flat copy of the list of lists that an input holds. The first use
// adds it.
func (c *lowerer) flat(input int) int {
	i := slices.IndexFunc(c.p.Tables, func(t ir.Table) bool { return t.Input == input && t.Flat })
	if i < 0 {
		i = len(c.p.Tables)
		c.p.Tables = append(c.p.Tables, ir.Table{Input: input, Flat: true})
	}
	return i
}

// cell lowers ROW[COLUMN], where row is an element of a list of lists, to an element of the flat copy. If that
// element does not exist, the key is 0, where there is none, and the row is left to the interpreter.
func (c *lowerer) cell(row *symbol, e *ast.AttrGetExpr) *ir.Expr {
	c.p.Exact = true
	input := c.p.Tables[row.i].Input
	if c.context.Tables != nil && !c.context.Tables.Even(input) {
		c.mustBeKeyed(row)
	}
	y := c.keep(row.x)
	var column *ir.Expr
	c.unchanged(row.x, func() { column = c.expr(e.Key) })
	if column.Type == ir.Text || c.isEntity(column) || c.context.Tables != nil && c.typeOfPairs(input) != ir.Number {
		c.mustBeKeyed(row)
	}
	if column = c.as(column, ir.Number); column.Type != ir.Number || c.isEntity(column) {
		refuseWith(e, KeepBefore, "indexes an element of a table by something else than a number")
	}
	x := c.keep(column)
	width := c.given(ir.Origin{From: ir.FromWidth, Input: input}, ir.Number)
	c.p.Tables[row.i].Asked = true
	there := &ir.Expr{Op: ir.Exists, Type: ir.Bool, I: row.i, A: y}
	c.emit(&ir.Stmt{Op: ir.If, A: not(there), Body: []*ir.Stmt{{Op: ir.Leave}}})
	one, both := &ir.Expr{Op: ir.Const, N: 1}, func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.And, Type: ir.Bool, A: a, B: b} }
	upTo := func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: a, B: b} }
	within := upTo(x, width)
	if x.Op != ir.Const || x.N < 1 || x.N != float64(int(x.N)) {
		whole := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: x, B: &ir.Expr{Op: ir.Call, Func: "floor", A: x, One: sandbox.MathOne["floor"]}}
		within = both(both(upTo(one, x), within), whole)
	}
	key := &ir.Expr{Op: ir.Add, A: &ir.Expr{Op: ir.Mul, A: &ir.Expr{Op: ir.Sub, A: y, B: one}, B: width}, B: x}
	key = &ir.Expr{Op: ir.Select, A: within, B: key, C: &ir.Expr{Op: ir.Const}} // no element is at 0
	return &ir.Expr{Op: ir.Element, I: c.flat(input), A: key, Member: -1}
}
