package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Members that every row sets before it reads them: ctx.pos, ctx.needs = pos, needs, where ctx is a table from around
// the loop that carries arguments from function to function. What such a member holds when the loop begins does not
// matter. Behind the assignment it is another name for the view, or a register. The last value is an output, so the
// table has it when the loop is over.

// isScratch reports whether the body may set an input before it reads it: a member that the body assigns, and that
// holds no value of which a register could begin.
func (c *lowerer) isScratch(i int) bool {
	in, k := c.t.Inputs[i], c.kinds[i]
	return in.Member != "" && in.Assigned && (k.InputKind == NilInput || k.InputKind == ViewInput)
}

// setScratch lowers the first assignment to such a member. Every row must reach it, so that all reads see its value.
func (c *lowerer) setScratch(t *target, s *symbol) {
	v := t.variable
	st, ok := c.at.(ast.Stmt)
	if !ok || c.rare || c.fn != nil || !slices.Contains(c.t.Body, st) {
		c.refuseScratch(v, t.at)
	}
	mark := c.register(ir.Bool)
	out := ir.Output{Mark: mark, Input: v.i}
	if s.kind == viewSymbol {
		if s.entity == nil || s.event || s.nilable || s.schema == nil || s.owned {
			refuseWith(t.at, useFields, "assigns the view %q to %s", s.name, c.t.Inputs[v.i].Text())
		}
		c.p.Entity = c.p.Entity || s.entity.Op == ir.Entity
		out.Place = ir.Place{Used: true, Type: ir.Number, Reg: c.register(ir.Number)}
		out.View, out.Component = true, s.component
		c.set(out.Reg, mark, s.entity)
		variable, name := v.variable, v.name
		*v = *s
		v.variable, v.name, v.owned = variable, name, false
	} else {
		x := c.value(s, t.at)
		if x.Type == ir.Any {
			c.refuseScratch(v, t.at)
		}
		out.Place = ir.Place{Used: true, Type: x.Type, Reg: c.register(x.Type)}
		c.set(out.Reg, mark, x)
		v.kind, v.typ, v.i, v.mark = registerSymbol, x.Type, out.Reg, -1
	}
	c.p.Outputs = append(c.p.Outputs, out)
}

// refuseScratch refuses a member that is read, or set for some rows only, and that no register can begin with.
func (c *lowerer) refuseScratch(s *symbol, at ast.PositionHolder) {
	refuse(at, "assigns %s, which is no number, boolean or string when the loop begins", c.t.Inputs[s.i].Text())
}
