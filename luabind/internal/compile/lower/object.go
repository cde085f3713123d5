package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Objects: Lua tables with methods, in variables from around the loop. OBJECT:METHOD(…) is inlined with the object as
// self; the members of self are inputs, as those of any table in a variable are. A member, or a variable, may also
// hold a view, which is looked up where it is used.

// methodOf returns the function that OBJECT:METHOD(…) calls, where OBJECT is a table from around the loop; nil if it
// is not known.
func (c *lowerer) methodOf(e *ast.FuncCallExpr) *symbol {
	pl := c.placeNamed(e.Receiver)
	if pl.Variable == nil {
		return nil
	}
	pl = pl.within(e.Method)
	f := c.t.functions[member{pl.Variable, pl.Path}]
	if f == nil {
		return nil
	}
	return &symbol{kind: constantSymbol, constant: &Constant{Kind: FunctionConstant, Function: f}, place: pl}
}

// heldView returns the symbol of a view that an input holds: a new lookup of its component, because the entity may
// have died. The view itself is never nil, so only its use fails.
func (c *lowerer) heldView(s *symbol) *symbol {
	x := &ir.Expr{Op: ir.Reg, I: s.i}
	c.p.Exact = true
	view := c.viewAt(s.component, x)
	view.nilable, view.given = false, true
	return view
}

// A held is a component of an entity that is known by an expression whose value never changes in a row.
type held struct {
	component ecs.ComponentID
	reg       int
}

// viewAt is look for an entity in a register that is set once. Lookups of the same component share a view.
func (c *lowerer) viewAt(id ecs.ComponentID, entity *ir.Expr) *symbol {
	at := held{id, entity.I}
	if i, ok := c.held[at]; ok {
		c.find(i, entity)
		s := c.view(i, id)
		s.nilable, s.owned, s.entity = true, true, entity
		return s
	}
	s := c.look(id, entity)
	c.held[at] = s.i
	return s
}
