package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Strings that a body makes: a .. b. They become ir.Join and ir.Shown.

// onlyClosures refuses what only closures can do where not every row comes.
func (p *preparer) onlyClosures(at ast.PositionHolder, what string) {
	if p.position.exit != nil {
		refuse(at, "%s", what)
	}
}

// concat lowers a .. b.
func (c *lowerer) concat(e *ast.StringConcatOpExpr) *ir.Expr {
	a, b := c.pair(func() *ir.Expr { return c.expr(e.Lhs) }, func() *ir.Expr { return c.expr(e.Rhs) })
	c.p.Exact = true
	if _, chain := e.Rhs.(*ast.StringConcatOpExpr); !chain && b.Op == ir.Join { // the value of a function: a string of its own
		b = c.keep(b)
	}
	return &ir.Expr{Op: ir.Join, Type: ir.Text, A: c.shownOf(a, e.Lhs), B: c.shownOf(b, e.Rhs)}
}

// shownOf returns an operand of a .. b as a string. A number that is kept in a register is kept as it is: a string would count as allocated.
func (c *lowerer) shownOf(x *ir.Expr, e ast.Expr) *ir.Expr {
	switch x.Type {
	case ir.Text:
		return x
	case ir.Number, ir.Any:
		return &ir.Expr{Op: ir.Shown, Type: ir.Text, A: x}
	case ir.Bool:
	}
	refuse(e, "joins %s with a string", typeNames[x.Type])
	return nil
}
