package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Views that stay in a variable declared outside the loop: local best; for e, hp in world:each("Hp") do if not best or hp.now <
// best.now then best = hp end end. The variable is a register with the entity, and a mark that says whether it has a view.
// Each row looks the component up again first, because the addresses of rows are not kept from row to row. The register and
// the mark are an output, so the variable has the view when the loop is over.

// A keptView is such a register with its mark.
type keptView struct{ entity, mark int }

// keepsView reports whether an input keeps a view: it is nil when the loop begins, and an attempt before has found out that the
// body assigns a view to it, or it holds a view already.
func (c *lowerer) keepsView(i int) bool {
	in, k := c.t.Inputs[i], c.kinds[i]
	if !in.Assigned || in.Member != "" {
		return false
	}
	_, hinted := c.hints.views[in.Variable]
	return k.InputKind == NilInput && hinted || k.InputKind == ViewInput
}

// mayKeep reports whether a variable declared outside the loop can keep a view that is assigned to it.
func (c *lowerer) mayKeep(view *symbol, v *syntax.Variable) bool {
	i := c.base(v)
	return i >= 0 && c.kinds[i].InputKind == NilInput && view.schema != nil && !view.event
}

// keepView makes an input a view that is kept.
func (c *lowerer) keepView(s *symbol) {
	i := s.i
	in, k := c.t.Inputs[i], c.kinds[i]
	given, component := k.InputKind == ViewInput, k.Component
	if !given {
		component = c.hints.views[in.Variable]
	}
	kept := &keptView{c.register(ir.Number), c.register(ir.Bool)}
	place := ir.Place{Used: true, Type: ir.Number, Reg: kept.entity}
	if given {
		c.p.Inputs[i] = place
	}
	c.p.Outputs = append(c.p.Outputs, ir.Output{Place: place, Mark: kept.mark, Given: given, Nil: given, Input: i, View: true, Component: component})
	view := c.view(c.p.Views+len(c.p.Refs), component)
	c.p.Refs = append(c.p.Refs, ir.Ref{Component: component, Schema: view.schema, Query: -1})
	c.p.Foreign, c.p.Exact = true, true
	view.name, view.variable, view.nilable, view.owned, view.kept = s.name, s.variable, true, true, kept
	*s = *view
	c.entities[kept.entity] = true
	c.starts = append(c.starts, &ir.Stmt{Op: ir.Look, I: s.i, A: c.keptEntity(kept)})
	c.price++
}

// keptEntity returns the entity of a view that is kept; none while the variable is nil.
func (c *lowerer) keptEntity(kept *keptView) *ir.Expr {
	return &ir.Expr{
		Op: ir.Select, Type: ir.Number, A: &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: kept.mark}, B: &ir.Expr{Op: ir.Reg, I: kept.entity}, C: &ir.Expr{Op: ir.Const},
	}
}

// moveKept lowers the assignment of a view, or of nil, to a variable that keeps one. What a variable that is only assigned holds
// when the loop begins is not known, so a mark that is false cannot say whether it keeps that or becomes nil.
func (c *lowerer) moveKept(v, s *symbol, at ast.PositionHolder) {
	if !c.t.readInput(v.variable) && (s.kind == nilSymbol || s.kind == viewSymbol && (s.nilable || s.kept != nil)) {
		refuse(at, "%q is nil here, and had a value", v.name)
	}
	if s.kind == nilSymbol {
		c.set(v.kept.entity, -1, &ir.Expr{Op: ir.Const})
		c.set(v.kept.mark, -1, boolean(false))
		c.find(v.i, &ir.Expr{Op: ir.Const})
		return
	}
	entity := s.entity
	if s.kept != nil {
		entity = &ir.Expr{Op: ir.Reg, I: s.kept.entity}
	}
	if s.kind != viewSymbol || s.component != v.component || s.event || s.schema == nil || entity == nil {
		refuse(at, "%q is a view of one component, and something else here", v.name)
	}
	has := c.keep(c.there(s))
	c.p.Entity = c.p.Entity || entity.Op == ir.Entity
	c.set(v.kept.entity, -1, entity)
	c.set(v.kept.mark, -1, has)
	c.find(v.i, c.keptEntity(v.kept))
}

// mustGetView notes that a variable without a value gets a view later in the body, and lets Lower begin again: its fields are
// used before the assignment. Nothing happens for a variable that gets none.
func (c *lowerer) mustGetView(s *symbol, id *ast.IdentExpr) {
	v := c.t.Names.Of(id)
	from := c.t.viewAssigned(v)
	if from == nil {
		return
	}
	if _, hinted := c.hints.views[v]; hinted {
		return
	}
	if view := c.symbols[from]; view != nil && view.kind == viewSymbol && view.schema != nil {
		c.hints.views[v] = view.component
		panic(retry{})
	}
}

// getsView reports whether a body assigns a view of its row to a variable, judged by the source.
func (t *Template) getsView(v *syntax.Variable) bool { return t.viewAssigned(v) != nil }

// viewAssigned returns the variable of the loop, after the entity, that a body assigns to a variable: the name of a view. It
// returns nil if there is no such assignment.
func (t *Template) viewAssigned(v *syntax.Variable) (view *syntax.Variable) {
	if t.Events || len(t.Variables) < 2 || v == nil {
		return nil
	}
	syntax.Search(t.Body, func(n ast.PositionHolder) syntax.Step {
		st, ok := n.(*ast.AssignStmt)
		if !ok || len(st.Lhs) != len(st.Rhs) {
			return syntax.Deeper
		}
		for i, lhs := range st.Lhs {
			from := t.Names.Variable(st.Rhs[i])
			if to := t.Names.Variable(lhs); to == v && from != nil {
				for _, term := range t.Variables[1:] {
					if term == from {
						view = from
						return syntax.Found
					}
				}
			}
		}
		return syntax.Deeper
	})
	return view
}

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
