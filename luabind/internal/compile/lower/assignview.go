package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Assignments to variables that hold views.

// viewsAmong prepares an assignment to several targets of which some are variables that hold views. Such a variable becomes the view of another
// entity while the others are still to be stored, so the entities are found first, and no other target or value may use its view.
func (c *lowerer) viewsAmong(targets []*target, values []*symbol, at ast.PositionHolder) {
	for i, t := range targets {
		if t.variable == nil || t.variable.kind != viewSymbol {
			continue
		}
		if i < len(values) && values[i].kind == viewSymbol && values[i].entity != nil {
			s := *values[i]
			s.entity = c.keep(s.entity)
			values[i] = &s
		}
		for j, other := range targets {
			uses := func(s *symbol) bool {
				return s != nil && s.kind == viewSymbol && s.i == t.variable.i && s.event == t.variable.event
			}
			if j != i && (uses(other.variable) || uses(other.view) || other.chosen != nil || j < len(values) && (uses(values[j]) || values[j].kind == chosenViewSymbol)) {
				refuse(at, "assigns %q among others that use it", t.variable.name)
			}
		}
	}
}

// move lowers the assignment of a view to a variable that holds one: the component of the other entity is looked up
// for the view of the variable.
func (c *lowerer) move(v, s *symbol, at ast.PositionHolder) {
	c.refuseFalse(s, at)
	switch {
	case v.kept != nil:
		c.moveKept(v, s, at)
	case !v.owned:
		refuse(at, "assigns the view %q", v.name)
	case s.kind == nilSymbol:
		c.find(v.i, &ir.Expr{Op: ir.Const})
	case s.kind != viewSymbol || s.component != v.component || s.entity == nil:
		refuse(at, "%q is a view of one component, and something else here", v.name)
	default:
		if last := len(c.out) - 1; last >= 0 && s.name == "" && s.owned && c.out[last].Op == ir.Look && c.out[last].I == s.i &&
			s.i == c.p.Views+len(c.p.Refs)-1 { // it was looked up only for this assignment
			c.out, c.p.Refs = c.out[:last], c.p.Refs[:len(c.p.Refs)-1]
		}
		c.find(v.i, s.entity)
	}
	v.entity = nil
}
