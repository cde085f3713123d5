package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// world:set(e, "Position", { x = 1 }) in a loop. The fields are stored as by assignments to a view of the component.
//
// An entity that lacks the component gets it, which is a change of structure. In a loop over events it is an effect (structure.go). In a query loop
// it is an error, so a row whose entity lacks the component, or is dead, is left to the interpreter.

// setFields lowers a call of world:set.
func (c *lowerer) setFields(e *ast.FuncCallExpr, wanted int) []*symbol {
	c.arity(e, 3)
	t, ok := e.Args[2].(*ast.TableExpr)
	if !ok {
		refuseWith(e, tableInCall, "takes a table that is not made for the call")
	}
	c.pay()
	id := c.component(e.Args[1], false)
	info, _ := c.context.World.ComponentInfo(id)
	entity := c.keep(c.handle(e.Args[0]))
	var targets []*target
	var values []*symbol
	for _, f := range t.Fields {
		key, ok := f.Key.(*ast.StringExpr)
		if !ok {
			refuseWith(t, keysAsNames, "makes a table with a key that is no name")
		}
		i := info.Schema.Index(key.Value)
		if i < 0 {
			refuse(t, "there is no field %q", key.Value)
		}
		field := &info.Schema.Fields()[i]
		if _, isNil := f.Value.(*ast.NilExpr); isNil {
			continue // the field is not given
		}
		if slices.ContainsFunc(targets, func(o *target) bool { return o.field == field }) {
			refuse(t, "gives the field %q twice", key.Value)
		}
		if tableField(field) {
			x := c.keep(c.tableFor(field, f.Value))
			targets, values = append(targets, &target{at: f.Value, field: field}), append(values, plain(x))
			continue
		}
		want, ok := ir.TypeOf(field)
		if !ok {
			refuse(t, "gives the field %q of type %s", key.Value, field.Type)
		}
		s := c.optional(c.operand(f.Value))
		if isOptional(s) && !drawn(f.Value) {
			c.departs(f.Value, "a value that is passed on is nil")
		}
		x := c.keep(c.as(c.value(s, f.Value), want))
		if x.Type != want {
			refuse(f.Value, "gives %s to the field %q", typeNames[x.Type], field.Name)
		}
		targets, values = append(targets, &target{at: f.Value, field: field}), append(values, plain(x))
	}
	if len(targets) == 0 { // it stamps the row all the same, or adds the component that is inherited
		refuse(e, "sets no field")
	}
	given := boolean(true)
	if !c.locked() && wanted > 0 {
		given = c.keep(&ir.Expr{Op: ir.Alive, Type: ir.Bool, A: entity})
	}
	view := c.look(id, entity)
	store := func() {
		var stored []*ecs.Field
		c.allocates(sandbox.ConstructorBytes(t), e)
		for i, target := range targets {
			target.view, target.together = view, true
			c.storeField(target, values[i])
			stored = append(stored, target.field)
		}
		c.follow(view, stored...)
	}
	if c.locked() {
		c.departs(e, "world:set would add %q, or its entity is dead", info.Name)
		c.guard(c.there(view))
		store()
	} else {
		before := c.position
		c.rare = true
		owned := c.collect(func() { c.branching(store) })
		added := c.collect(func() { c.branching(func() { c.addsBySet(e, id, entity, t, targets, values) }) })
		c.position = before
		c.emit(&ir.Stmt{Op: ir.If, A: c.there(view), Body: owned, Else: added})
	}
	if wanted == 0 {
		return nil
	}
	return []*symbol{plain(given)}
}

// locked reports whether the structure of the world may not be changed, or not by this body.
func (c *lowerer) locked() bool { return c.p.Events == nil || c.hints.locked }

// addsBySet emits the effect of a world:set of an entity that lacks the component.
func (c *lowerer) addsBySet(e *ast.FuncCallExpr, id ecs.ComponentID, entity *ir.Expr, t *ast.TableExpr, targets []*target, values []*symbol) {
	c.unobservedChange(e)
	c.asksIndex(e)
	p := c.payload(ir.QueueSet, e)
	p.e.Now, p.e.Components, p.entity = true, []ecs.ComponentID{id}, []*ir.Expr{entity}
	p.e.Bytes = c.constructorBytes(t, 1)
	info, _ := c.context.World.ComponentInfo(id)
	for i, target := range targets {
		p.e.Fields = append(p.e.Fields, ir.EffectField{Index: info.Schema.Index(target.field.Name), Field: target.field})
		p.values = append(p.values, c.value(values[i], target.at))
	}
	p.emit()
}
