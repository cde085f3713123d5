package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Parameters and locals: a variable is bound to its first value, or gets a register.

// settled returns an operand that is used later: it has the value that the variable has now, even if the variable
// is assigned before the use.
func (c *lowerer) settled(s *symbol, at ast.PositionHolder) *symbol {
	switch s.kind {
	case registerSymbol, unsetSymbol:
		if s.mark >= 0 && !c.hasValue[s] {
			return c.optional(s)
		}
		return plain(c.value(s, at))
	case valueSymbol, elementSymbol:
		copied := *s
		return &copied
	case lookupSymbol:
		return c.valueNow(s)
	}
	return s
}

// bind declares a variable with its first value. The variable gets a register if it is assigned later, or if the
// value can change. Otherwise it is an alias of the value.
func (c *lowerer) bind(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	if s.short { // the variable has a value in any case
		whole := *s
		whole.short, s = false, &whole
	}
	if c.t.assigned[v] && s.kind == registerSymbol {
		s = c.settled(s, at) // the register belongs to another variable
	}
	if c.hints.anys[v] || s.kind == madeSymbol && c.t.assigned[v] {
		c.bindAny(v, s, at)
		return
	}
	if c.t.assigned[v] && s.kind != valueSymbol && s.kind != viewSymbol && s.kind != nilSymbol && s.kind != registerSymbol {
		advice := Advice("")
		if s.kind == elementSymbol || c.isRow(s) {
			advice = keepKey
		}
		refuseWith(at, advice, "%q is %s, and assigned", v.Name, kindTexts[s.kind])
	}
	switch s.kind {
	case madeSymbol:
		if !s.made.kept {
			c.keepMade(s.made)
		}
		alias := *s
		c.declare(v, &alias)
	case nilSymbol:
		if id, ok := c.hints.views[v]; ok {
			c.declare(v, c.look(id, &ir.Expr{Op: ir.Const})).entity = nil
			return
		}
		if !c.t.assigned[v] {
			c.declare(v, &symbol{kind: nilSymbol})
			return
		}
		unset := &symbol{}
		c.unset(unset, -1)
		c.set(unset.mark, -1, boolean(false))
		c.declare(v, unset)
	case viewSymbol:
		c.bindView(v, s, at)
	case valueSymbol:
		if c.t.tested[v] {
			s = c.optional(s)
		}
		if s.has == nil && c.hints.nilable[v] {
			s = &symbol{kind: valueSymbol, x: s.x, has: boolean(true)}
		}
		if s.has != nil {
			c.bindOptional(v, s)
			return
		}
		x := s.x
		if c.t.assigned[v] || !c.stable(x) {
			reg := c.register(x.Type)
			if x.Type == ir.Number && !c.t.assigned[v] {
				c.entities[reg] = c.isEntity(x)
			}
			c.set(reg, -1, x)
			c.fixed[register{x.Type, reg}] = !c.t.assigned[v]
			if !c.t.assigned[v] {
				c.keepStrings(reg, x)
			}
			x = &ir.Expr{Op: ir.Reg, Type: x.Type, I: reg}
		}
		if c.t.assigned[v] {
			c.declare(v, &symbol{kind: registerSymbol, typ: x.Type, i: x.I, mark: -1})
		} else {
			c.declare(v, &symbol{kind: valueSymbol, x: x})
		}
	case elementSymbol:
		c.declare(v, &symbol{kind: elementSymbol, i: s.i, x: c.keep(s.x)})
	default:
		alias := *s
		c.declare(v, &alias)
	}
}

// bindView declares a variable that holds a view. If this variable, or the one that the view comes from, is
// assigned, the component is looked up again, so that the two have different views.
func (c *lowerer) bindView(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	moved := s.owned && c.t.assigned[s.variable]
	if !moved && !c.t.assigned[v] {
		alias := *s
		c.declare(v, &alias)
		return
	}
	if s.name == "" && s.owned { // no other variable holds the view
		alias := *s
		if c.t.assigned[v] {
			alias.entity = nil // it may become the view of another entity
		}
		c.declare(v, &alias)
		return
	}
	if s.entity == nil {
		refuseWith(at, useFields, "the view %q is passed on, and assigned", s.name)
	}
	c.refuseFalse(s, at)
	found := c.look(s.component, s.entity)
	if c.t.assigned[v] {
		found.entity = nil
	}
	c.declare(v, found)
}

// look emits an ir.Look for a component of an entity, and returns the new view.
func (c *lowerer) look(id ecs.ComponentID, entity *ir.Expr) *symbol {
	i := c.p.Views + len(c.p.Refs)
	s := c.view(i, id)
	s.nilable, s.owned, s.entity = true, true, c.keep(entity)
	c.p.Refs = append(c.p.Refs, ir.Ref{Component: id, Schema: s.schema, Query: -1})
	c.p.Foreign = true
	c.find(i, s.entity)
	return s
}

// find emits an ir.Look that sets view i to the component of an entity.
func (c *lowerer) find(i int, entity *ir.Expr) {
	c.p.Entity = c.p.Entity || entity.Op == ir.Entity
	c.emit(&ir.Stmt{Op: ir.Look, I: i, A: entity})
}
