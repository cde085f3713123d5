package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Views of components whose names the row computes: local v = world:get(e, NAME). The name chooses one of several views, of which
// each row looks up one. A field of it is that of the chosen one; a row in which that has no such field is left to the
// interpreter.

// mostChosenViews is the largest number of components among which a name chooses.
const mostChosenViews = 10

// A chosenView is what world:get(e, NAME) gives.
type chosenView struct {
	key   *ir.Expr  // the name
	names []string  // for each view: the name of its component
	views []*symbol // each is only looked up where the key is its name
}

// chooseView lowers world:get(e, NAME).
func (c *lowerer) chooseView(e *ast.FuncCallExpr, key *ir.Expr, names []string, sure bool) *symbol {
	if len(names) > mostChosenViews {
		refuseWith(e, chooseWithIf, "chooses one of more than %d components by a value", mostChosenViews)
	}
	v := &chosenView{key: key}
	entity := c.keep(c.handle(e.Args[0]))
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	var last *symbol
	look := func() { last = c.look(c.component(e.Args[1], false), entity) }
	for j, branch := range c.forNames(e.Args[1], names, &sure, look) {
		if branch == nil {
			continue
		}
		v.names = append(v.names, names[j])
		otherwise = []*ir.Stmt{{Op: ir.If, A: is(key, names[j]), Body: branch, Else: otherwise}}
		view := *last
		view.i = branch[len(branch)-1].I
		view.component = c.p.Refs[view.i-c.p.Views].Component
		view.schema = c.p.Refs[view.i-c.p.Views].Schema
		v.views = append(v.views, &view)
	}
	if !sure {
		c.departs(e, "%s gets another name than those the loop was compiled for", callee(e))
	}
	c.p.Exact = true
	c.out = append(c.out, otherwise...)
	return &symbol{kind: chosenViewSymbol, views: v}
}

// found returns the condition that there is the view that the name chooses.
func (v *chosenView) found(c *lowerer) (out *ir.Expr) {
	out = boolean(false)
	for i, view := range v.views {
		x := &ir.Expr{Op: ir.And, Type: ir.Bool, A: is(v.key, v.names[i]), B: c.there(view)}
		if i > 0 {
			x = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: out, B: x}
		}
		out = x
	}
	return out
}

// fields lists the views that have a field, and its types.
func (v *chosenView) fields(name string) (list []named, views map[string]*symbol) {
	views = map[string]*symbol{}
	for i, view := range v.views {
		j := view.schema.Index(name)
		if j < 0 {
			continue
		}
		f := &view.schema.Fields()[j]
		if t, ok := ir.TypeOf(f); ok {
			list = append(list, named{v.names[i], t, f})
			views[v.names[i]] = view
		}
	}
	return list, views
}

// fieldOfChosen lowers a read of a field of a view that a name chooses.
func (c *lowerer) fieldOfChosen(v *chosenView, field string, at ast.PositionHolder) *symbol {
	list, views := v.fields(field)
	if len(list) == 0 {
		refuse(at, "there is no field %q", field)
	}
	list, _ = c.ofType(list, preferred(list), false, at)
	return c.chosenOf(list, v.key, false, func(n named) *ir.Expr {
		f, t := c.field(views[n.name], field, at)
		return &ir.Expr{Op: ir.Load, Type: t, I: views[n.name].i, Field: f}
	})
}

// storeInChosen emits the assignment to a field of a view that a name chooses.
func (c *lowerer) storeInChosen(t *target, s *symbol) {
	list, views := t.chosen.fields(t.member)
	if len(list) == 0 {
		refuse(t.at, "there is no field %q", t.member)
	}
	x := c.keep(c.as(c.value(s, t.at), preferred(list)))
	list, _ = c.ofType(list, x.Type, false, t.at)
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	for _, n := range list {
		store := c.collect(func() { c.storeField(&target{at: t.at, view: views[n.name], field: n.field}, plain(x)) })
		otherwise = []*ir.Stmt{{Op: ir.If, A: is(t.chosen.key, n.name), Body: store, Else: otherwise}}
	}
	c.p.Exact = true
	c.out = append(c.out, otherwise...)
}
