package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Values whose type differs from row to row: "cond and 'x' or 1", or a local that is a number in one branch and a string in
// another. They become values of type ir.Any, so only closures run the loop.
//
// A statement that not every row reaches becomes an exit instead, so that the other rows can be machine code. An open
// template has no such exits, because only closures run it.

// mixes is called where a value of several types becomes one of type Any. It refuses that in a statement that should
// become an exit instead.
func (c *lowerer) mixes(at ast.PositionHolder) {
	if !c.mayMix() {
		refuseWith(at, oneType, "and, or give now one type, now another")
	}
	c.p.Exact = true
}

// ofSeveral marks a symbol as a value of several types, and returns it.
func (c *lowerer) ofSeveral(s *symbol) *symbol {
	c.mixed[s.x.I] = true
	return s
}

// isMixed reports whether a value is known to be of several types.
func (c *lowerer) isMixed(x *ir.Expr) bool { return x.Op == ir.Reg && x.Type == ir.Any && c.mixed[x.I] }

// mayMix reports whether a value here may become one of type Any because it is of several types.
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
