package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Boxing of views and events: they become values of type Any, because the body stores them in tables of the script, or
// in variables that hold values of any kind, as in list[#list + 1] = pos.
//
// In: the symbol of a view or an event. Out: an ir.Box. The value refers to the entity, not to a row, as every view of a
// script does; so it stays valid when the entity moves. A field of such a value is found by its name when a row runs
// (closures/viewvalue.go).

// boxable reports whether a view may be boxed. Only open templates store values of any kind in tables of the script.
func (c *lowerer) boxable(s *symbol) bool {
	return c.t.Open && !s.given && s.kept == nil && (s.event || s.schema != nil && s.entity != nil)
}

// box returns a view or an event as a value of type Any; it is nil where the view is nil. Within a row, a view gives the
// same value each time, so a table that has it as a key finds it again.
func (c *lowerer) box(s *symbol) *ir.Expr {
	if s.falseIf != nil {
		c.guard(not(s.falseIf))
	}
	c.p.Exact, c.p.Lua = true, true
	x := &ir.Expr{Op: ir.Box, Type: ir.Any, I: s.i}
	if s.i < c.p.Views {
		c.p.Uses |= 1 << s.i
	}
	if s.event {
		return x
	}
	x.A, x.ID = s.entity, uint32(s.component)
	c.p.Entity = c.p.Entity || s.entity.Op == ir.Entity
	if !s.nilable {
		return x
	}
	return &ir.Expr{Op: ir.Select, Type: ir.Any, A: c.there(s), B: x, C: null()}
}

// refuseFalse refuses a symbol for which the script has a view or false, at a place where false and nil differ. If a
// condition says in which rows the script has false, only those rows are left to the interpreter.
func (c *lowerer) refuseFalse(s *symbol, at ast.PositionHolder) {
	switch {
	case s.kind != viewSymbol || !s.orFalse:
	case s.falseIf != nil:
		c.guard(not(s.falseIf))
	default:
		refuseWith(at, chooseView, "and gives a view or false")
	}
}

// boxedLater is called for a view that is to be boxed. If its variable gets other views, too, Lower begins again, with
// a variable of type Any.
func (c *lowerer) boxedLater(s *symbol) {
	if c.t.Open && s.kind == viewSymbol && s.schema != nil && s.entity == nil && s.kept == nil && !s.event {
		c.becomesAny(s)
	}
}
