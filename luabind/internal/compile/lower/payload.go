package lower

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls that become an [ir.Effect]: world:send and the functions of world.commands. Tables in their arguments are
// not made: each of their fields becomes an argument of the effect.

// A payload is an effect whose arguments are being lowered. They are evaluated in the order of the source, and
// passed in the order that ir.Effect prescribes.
type payload struct {
	c       *lowerer
	e       *ir.Effect
	entity  []*ir.Expr // the entity that the effect is applied to, if it takes one
	values  []*ir.Expr // for each of e.Fields
	targets []*ir.Expr // for each of e.Relations
}

// addAs lowers one more argument, and appends it to one of the lists. A value of type Any becomes one of type t.
func (p *payload) addAs(list *[]*ir.Expr, at ast.Expr, t ir.Type) *ir.Expr {
	return p.addBy(list, func() *ir.Expr {
		s := p.c.optional(p.c.operand(at))
		if isOptional(s) && list == &p.values && !drawn(at) {
			p.c.departs(at, "a value that is passed on is nil")
		}
		return p.c.as(p.c.value(s, at), t)
	})
}

// drawn reports whether an expression is NAME[…random(#NAME)]: an element of a list that is not nil, because random(0) raises
// an error.
func drawn(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return false
	}
	of, ok := get.Object.(*ast.IdentExpr)
	call, isCall := get.Key.(*ast.FuncCallExpr)
	if !ok || !isCall || call.Func == nil || len(call.Args) != 1 {
		return false
	}
	random, isMember := call.Func.(*ast.AttrGetExpr)
	length, isLength := call.Args[0].(*ast.UnaryLenOpExpr)
	if !isMember || !isLength || keyOf(random) != "random" {
		return false
	}
	list, ok := length.Expr.(*ast.IdentExpr)
	return ok && list.Value == of.Value
}

// addBy is add for a value that the function lower makes.
func (p *payload) addBy(list *[]*ir.Expr, lower func() *ir.Expr) *ir.Expr {
	var earlier []**ir.Expr
	for _, l := range []*[]*ir.Expr{&p.entity, &p.values, &p.targets} {
		for i := range *l {
			earlier = append(earlier, &(*l)[i])
		}
	}
	var x *ir.Expr
	p.c.after(func() { x = lower() }, earlier...)
	if hasEffect(x) && (list != &p.targets || len(p.targets) > 0) { // targets are passed last, wherever they stand in the source
		for i := range p.targets {
			p.targets[i] = p.c.keep(p.targets[i])
		}
	}
	*list = append(*list, x)
	return x
}

// handle lowers the entity that the effect is applied to.
func (p *payload) handle(at ast.Expr) {
	if x := p.addAs(&p.entity, at, ir.Number); x.Type != ir.Number {
		refuse(at, "takes %s for an entity", typeNames[x.Type])
	}
}

// target lowers the target of a relation.
func (p *payload) target(id ecs.RelationID, at ast.Expr) {
	if x := p.addAs(&p.targets, at, ir.Number); x.Type != ir.Number {
		refuse(at, "takes %s for an entity", typeNames[x.Type])
	}
	p.e.Relations = append(p.e.Relations, id)
}

// fields lowers a table of fields. It has to be a constructor in the call.
func (p *payload) fields(component int, s *ecs.Schema, e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		refuseWith(e, tableInCall, "takes a table that is not made for the call")
	}
	p.c.pay()
	p.e.Bytes += p.c.constructorBytes(t, 1)
	for _, f := range t.Fields {
		key, ok := f.Key.(*ast.StringExpr)
		if !ok {
			refuseWith(t, keysAsNames, "makes a table with a key that is no name")
		}
		i := s.Index(key.Value)
		if i < 0 {
			refuse(t, "there is no field %q", key.Value)
		}
		field := &s.Fields()[i]
		if _, isNil := f.Value.(*ast.NilExpr); isNil {
			continue // nil means that the field is not given
		}
		if slices.ContainsFunc(p.e.Fields, func(o ir.EffectField) bool { return o.Component == component && o.Index == i }) {
			refuse(t, "gives the field %q twice", key.Value)
		}
		if tableField(field) {
			p.addBy(&p.values, func() *ir.Expr { return p.c.tableFor(field, f.Value) })
		} else if want, ok := ir.TypeOf(field); !ok || p.addAs(&p.values, f.Value, want).Type != want {
			refuse(f.Value, "gives %s to the field %q", typeNames[p.values[len(p.values)-1].Type], field.Name)
		}
		p.e.Fields = append(p.e.Fields, ir.EffectField{Component: component, Index: i, Field: field})
	}
}

// tableFor lowers the value of a field of type table. A row in which it is no table is left to the interpreter.
func (c *lowerer) tableFor(field *ecs.Field, at ast.Expr) *ir.Expr {
	s := c.operand(at)
	if s.kind == viewSymbol {
		refuse(at, "gives a view to the field %q", field.Name)
	}
	x := c.anyOf(s, at)
	switch x.Op {
	case ir.Wrap:
		refuse(at, "gives %s to the field %q", typeNames[x.A.Type], field.Name)
	case ir.Const:
		refuse(at, "gives nil to the field %q", field.Name)
	default: // a table, or a value that may be one
		c.p.Exact, c.p.TableFields = true, true
	}
	return x
}

// emit adds the effect to the Program, and emits its statement.
func (p *payload) emit() *ir.Stmt {
	c := p.c
	p.e.Index = len(c.p.Effects)
	c.p.Effects = append(c.p.Effects, p.e)
	c.p.Exact = true
	s := &ir.Stmt{Op: ir.Emit, I: -1, Effect: p.e, Args: slices.Concat(p.entity, p.values, p.targets)}
	c.emit(s)
	return s
}

// payload begins an effect.
func (c *lowerer) payload(op ir.EffectOp, e *ast.FuncCallExpr) *payload {
	return &payload{c: c, e: &ir.Effect{Op: op, File: c.file, Line: e.Line()}}
}

// send lowers world:send or world.commands:send.
func (c *lowerer) send(e *ast.FuncCallExpr, op ir.EffectOp) {
	if op == ir.QueueSend && len(e.Args) == 3 {
		refuse(e, "sends an event that waits")
	}
	if len(e.Args) < 1 || len(e.Args) > 2 {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	name := c.constant(e.Args[0])
	id, ok := c.context.World.LookupEvent(name)
	if !ok {
		refuseWith(e, DeclareIt, "there is no event %q", name)
	}
	p := c.payload(op, e)
	p.e.Event, p.e.Schema = id, c.context.World.EventSchema(id)
	if len(e.Args) == 2 {
		p.fields(0, c.context.World.EventSchema(id), e.Args[1])
	}
	p.emit()
}

// command lowers a call of a function of world.commands.
func (c *lowerer) command(e *ast.FuncCallExpr, wanted int) []*symbol {
	if e.Method == "spawn" || e.Method == "instance" {
		s := c.spawn(e)
		if wanted == 0 {
			return nil
		}
		x := c.temporary(ir.Number)
		s.I = x.I
		return []*symbol{plain(x)}
	}
	if wanted > 0 {
		if e.Method == "send" && len(e.Args) > 2 {
			c.send(e, ir.QueueSend) // refuses it
		}
		refuse(e, "uses what %s gives, which is nothing", callee(e))
	}
	if e.Method == "send" {
		c.send(e, ir.QueueSend)
		return nil
	}
	kind, ok := commandKinds()[e.Method]
	if !ok {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	if len(e.Args) == 0 {
		refuseWith(e, adviceOnCall(e), "calls %s without arguments", callee(e))
	}
	if n := len(e.Args) - 1; n < kind.least || n > kind.most {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	p := c.payload(kind.op, e)
	p.handle(e.Args[0])
	kind.parts(p, e.Args[1:])
	p.emit()
	return nil
}

// A commandKind describes a function of world.commands whose first argument is an entity.
type commandKind struct {
	op          ir.EffectOp
	least, most int                               // the number of arguments after the entity
	parts       func(p *payload, args []ast.Expr) // lowers these arguments
}

// commandKinds returns these functions by name.
func commandKinds() map[string]commandKind {
	return map[string]commandKind{
		"despawn":  {ir.QueueDespawn, 0, 0, func(*payload, []ast.Expr) {}},
		"add":      {ir.QueueAdd, 1, math.MaxInt, (*payload).components},
		"remove":   {ir.QueueRemove, 1, math.MaxInt, (*payload).components},
		"set":      {ir.QueueSet, 1, 2, (*payload).set},
		"tag":      {ir.QueueTag, 1, math.MaxInt, (*payload).tags},
		"untag":    {ir.QueueUntag, 1, math.MaxInt, (*payload).tags},
		"relate":   {ir.QueueRelate, 2, 2, (*payload).relate},
		"unrelate": {ir.QueueUnrelate, 1, 1, (*payload).relate},
	}
}

// components lowers names of components to add or to remove. Relations can be removed, too.
func (p *payload) components(args []ast.Expr) {
	for _, arg := range args {
		p.addComponent(p.c.component(arg, p.e.Op == ir.QueueRemove), arg)
	}
}

// tags lowers names of tags.
func (p *payload) tags(args []ast.Expr) {
	for _, arg := range args {
		p.e.Tags = append(p.e.Tags, ecs.TagID(p.c.tag(arg)))
	}
}

// set lowers the name of a component and a table of its fields.
func (p *payload) set(args []ast.Expr) {
	id := p.c.component(args[0], false)
	p.e.Components = append(p.e.Components, id)
	if len(args) > 1 {
		info, _ := p.c.context.World.ComponentInfo(id)
		p.fields(0, info.Schema, args[1])
	}
}

// relate lowers the name of a relation and its target.
func (p *payload) relate(args []ast.Expr) {
	name := p.c.constant(args[0])
	id, ok := p.c.context.World.LookupRelation(name)
	if !ok {
		refuseWith(args[0], DeclareIt, "there is no relation %q", name)
	}
	if len(args) > 1 {
		p.target(id, args[1])
		return
	}
	p.e.Relations = append(p.e.Relations, id)
}

// spawn lowers world.commands:spawn{…}. The items of the list part are names of tags, and of components with their defaults; a
// key is the name of a component with its fields, or of a relation with its target. world.commands:instance has the name of a prefab before that.
func (c *lowerer) spawn(e *ast.FuncCallExpr) *ir.Stmt {
	p, args := c.payload(ir.QueueSpawn, e), e.Args
	if e.Method == "instance" {
		if len(args) == 0 {
			refuseWith(e, adviceOnCall(e), "calls %s without arguments", callee(e))
		}
		p.e.Prefab, args = c.constant(args[0]), args[1:]
		if c.context.World.LookupPrefab(p.e.Prefab) == ecs.None {
			refuseWith(e, DeclareIt, "there is no prefab %q", p.e.Prefab)
		}
	}
	return c.described(p, e, args)
}

// described lowers the description of an entity, and emits the effect.
func (c *lowerer) described(p *payload, e *ast.FuncCallExpr, args []ast.Expr) *ir.Stmt {
	if len(args) == 0 {
		return p.emit()
	}
	t, ok := args[0].(*ast.TableExpr)
	if !ok || len(args) > 1 {
		refuseWith(e, tableInCall, "spawns from a table that is not made for the call")
	}
	c.pay()
	p.e.Bytes += p.c.constructorBytes(t, 1)
	for _, f := range t.Fields { // the list part first, as in the interpreter
		if f.Key == nil {
			c.listItem(p, f.Value)
		}
	}
	for _, f := range t.Fields {
		if f.Key != nil {
			c.keyedItem(p, f)
		}
	}
	return p.emit()
}

// listItem lowers an item of the list part of a spawn.
func (c *lowerer) listItem(p *payload, e ast.Expr) {
	name := c.constant(e)
	if id, ok := c.context.World.LookupTag(name); ok {
		p.e.Tags = append(p.e.Tags, id)
		return
	}
	id := c.component(e, false)
	p.addComponent(id, e)
}

// addComponent adds a component that the effect does not name yet.
func (p *payload) addComponent(id ecs.ComponentID, at ast.Expr) {
	if slices.Contains(p.e.Components, id) {
		refuse(at, "names a component twice")
	}
	p.e.Components = append(p.e.Components, id)
}

// keyedItem lowers NAME = … in a spawn: a component with its fields, or a relation. Prepare has refused other keys.
func (c *lowerer) keyedItem(p *payload, f *ast.Field) {
	key := f.Key.(*ast.StringExpr)
	if _, isNil := f.Value.(*ast.NilExpr); isNil {
		return
	}
	if id, ok := c.context.World.LookupRelation(key.Value); ok {
		if slices.Contains(p.e.Relations, id) {
			refuse(f.Value, "names a relation twice")
		}
		if key.Value == ecs.IsA && p.e.Prefab != "" {
			refuse(f.Value, "gives an instance a base")
		}
		p.target(id, f.Value)
		return
	}
	id, ok := c.context.World.LookupComponent(key.Value)
	if !ok {
		refuseWith(f.Value, DeclareIt, "there is no component %q", key.Value)
	}
	p.addComponent(id, f.Value)
	info, _ := c.context.World.ComponentInfo(id)
	p.fields(len(p.e.Components)-1, info.Schema, f.Value)
}
