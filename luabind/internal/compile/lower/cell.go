package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

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
