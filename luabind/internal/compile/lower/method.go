package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls with a colon: functions of the world that ask about entities or change tags. payload.go has the ones that
// take tables of fields, and those of world.commands. package api lists which functions a compiled loop may call.

// method lowers OBJECT:METHOD(…), where OBJECT is the world or its commands.
func (c *lowerer) method(e *ast.FuncCallExpr, wanted int) []*symbol {
	if fn := c.methodOf(e); fn != nil {
		self := c.operand(e.Receiver)
		return c.callConstant(fn, e, append([]*symbol{self}, c.arguments(fn, e)...), wanted)
	}
	if self := c.calledObject(e); self != nil {
		return c.callObject(self, e, wanted)
	}
	if self := c.text(e); self != nil {
		return c.invoke("string."+e.Method, e, self, wanted)
	}
	object := c.object(e.Receiver)
	switch {
	case object.kind == layerSymbol:
		return c.onLayer(object.text, e, wanted)
	case object.kind == commandsSymbol:
		if i, role := c.computedName(object, e); i >= 0 {
			return c.chooseName(e, i, role, wanted)
		}
		return c.command(e, wanted)
	case object.kind != worldSymbol:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	if i, role := c.computedName(object, e); i >= 0 {
		return c.chooseName(e, i, role, wanted)
	}
	switch e.Method {
	case "alive":
		c.arity(e, 1)
		return []*symbol{plain(&ir.Expr{Op: ir.Alive, Type: ir.Bool, A: c.handle(e.Args[0])})}
	case "has":
		return []*symbol{plain(c.each(e, ir.Has, func(arg ast.Expr) uint32 { return uint32(c.component(arg, true)) }))}
	case "tagged":
		return []*symbol{plain(c.each(e, ir.Tagged, c.tag))}
	case "tag", "untag":
		if wanted > 0 {
			return []*symbol{plain(c.flipAsked(e))}
		}
		return []*symbol{plain(c.flip(e))}
	case "at":
		return []*symbol{c.firstAt(e)}
	case "count":
		if x := c.indexOf(e); x != nil {
			return []*symbol{plain(c.placeCell(x, e, ir.CountAt))}
		}
		return []*symbol{plain(c.counted(e))}
	case "first":
		return c.firstRow(e, wanted)
	case "get":
		c.arity(e, 2)
		entity := c.handle(e.Args[0])
		return []*symbol{c.look(c.component(e.Args[1], false), entity)}
	case "set":
		return c.setFields(e, wanted)
	case "spawn", "despawn", "add", "remove", "relate", "unrelate":
		return c.structural(e, wanted)
	case "related":
		c.arity(e, 2)
		entity := c.handle(e.Args[0])
		id, ok := c.context.World.LookupRelation(c.declared(e.Args[1]))
		if !ok {
			refuseWith(e, DeclareIt, "there is no relation %q", c.declared(e.Args[1]))
		}
		return []*symbol{related(id, c.keep(entity), true)}
	case "send":
		if wanted > 0 {
			refuse(e, "uses what world:send gives, which is nothing")
		}
		c.send(e, ir.Send)
		return nil
	}
	refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	return nil
}

// related returns the target that an entity has in a relation, as a value that may be nil. The entity is one that is free
// to evaluate.
func related(id ecs.RelationID, entity *ir.Expr, maybe bool) *symbol {
	s := plain(&ir.Expr{Op: ir.Related, ID: uint32(id), A: entity})
	if maybe {
		s.has = not(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: s.x, B: &ir.Expr{Op: ir.Const}})
	}
	return s
}

// arity refuses a call that does not have n arguments.
func (c *lowerer) arity(e *ast.FuncCallExpr, n int) {
	if len(e.Args) != n {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
}

// handle lowers an argument that has to be an entity.
func (c *lowerer) handle(e ast.Expr) *ir.Expr {
	x := c.as(c.expr(e), ir.Number)
	if x.Type != ir.Number {
		refuse(e, "takes %s for an entity", typeNames[x.Type])
	}
	if x.Op != ir.Entity {
		c.p.Exact = true
	}
	return x
}

// constant returns the string of an argument that is a name. It is "" if the name is not known yet, because the
// context is a guess.
func (c *lowerer) constant(e ast.Expr) string {
	name, ok := c.staticName(e)
	if _, options := e.(*ast.TableExpr); options {
		refuseWith(e, doAfter, "takes an order, or other options, within the loop")
	}
	if !ok && !c.guessedName(e) {
		refuseWith(e, quoteName, "takes a name that is not known before the loop begins")
	}
	return name
}

// staticName returns the string of an argument that is a name; false if it is not known.
func (c *lowerer) staticName(e ast.Expr) (string, bool) {
	if name, ok := c.names[e]; ok {
		return name, true
	}
	switch e := e.(type) {
	case *ast.StringExpr:
		return e.Value, true
	case *ast.IdentExpr:
		s := c.lookup(e)
		switch {
		case s.kind == valueSymbol && s.x.Op == ir.Const && s.x.Type == ir.Text:
			return s.x.S, true
		case s.kind == inputSymbol && c.kinds[s.i].InputKind == TextInput && !c.t.Inputs[s.i].Assigned:
			return c.kinds[s.i].Name, c.t.Inputs[s.i].Named
		case s.kind == registerSymbol && s.text != "" && !c.t.assigned[s.variable]:
			return s.text, true
		}
	}
	return "", false
}

// guessedName reports whether an argument is a name that shows when the loop begins, because the context is a guess.
func (c *lowerer) guessedName(e ast.Expr) bool {
	id, ok := e.(*ast.IdentExpr)
	return ok && c.context.Loose && c.lookup(id).kind == inputSymbol
}

// declared returns the string of an argument that names a component or a tag. The Program depends on that name, so
// it has to be known even if the context is a guess.
func (c *lowerer) declared(e ast.Expr) string {
	name := c.constant(e)
	if name == "" && c.context.Loose {
		if _, ok := e.(*ast.StringExpr); !ok {
			refuseWith(e, quoteName, "takes a name that is not known before the loop begins")
		}
	}
	return name
}

// component returns the component that an argument names. relations says whether it may be a relation.
func (c *lowerer) component(e ast.Expr, relations bool) ecs.ComponentID {
	name := c.declared(e)
	id, ok := c.context.World.LookupComponent(name)
	if !ok {
		refuseWith(e, DeclareIt, "there is no component %q", name)
	}
	if info, _ := c.context.World.ComponentInfo(id); info.Relation && !relations {
		refuse(e, "%q is a relation", name)
	}
	return id
}

// tag returns the ID of the tag that an argument names.
func (c *lowerer) tag(e ast.Expr) uint32 {
	name := c.declared(e)
	id, ok := c.context.World.LookupTag(name)
	if !ok {
		refuseWith(e, DeclareIt, "there is no tag %q", name)
	}
	return uint32(id)
}

// each lowers world:has or world:tagged: the condition that an entity has everything that is named.
func (c *lowerer) each(e *ast.FuncCallExpr, op ir.Op, id func(ast.Expr) uint32) *ir.Expr {
	if len(e.Args) < 2 {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	entity := c.handle(e.Args[0])
	if len(e.Args) > 2 {
		entity = c.keep(entity)
	}
	var all *ir.Expr
	for _, arg := range e.Args[1:] {
		x := &ir.Expr{Op: op, Type: ir.Bool, ID: id(arg), A: entity}
		if all != nil {
			x = &ir.Expr{Op: ir.And, Type: ir.Bool, A: all, B: x}
		}
		all = x
	}
	return all
}

// flipAsked lowers world:tag or world:untag whose value is used: what is asked for each tag before it is set or removed. With several tags, the
// value of tag is that of the last one, and the value of untag says whether the entity had one of them.
func (c *lowerer) flipAsked(e *ast.FuncCallExpr) *ir.Expr {
	if len(e.Args) < 2 {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	entity := c.keep(c.handle(e.Args[0]))
	var value *ir.Expr
	for _, arg := range e.Args[1:] {
		flip, asked := &ir.Expr{Op: ir.Tag, Type: ir.Bool, ID: c.tag(arg), A: entity}, &ir.Expr{Op: ir.Alive, Type: ir.Bool, A: entity}
		if e.Method == "untag" {
			flip.Op = ir.Untag
			asked = &ir.Expr{Op: ir.Tagged, Type: ir.Bool, ID: flip.ID, A: entity}
		}
		c.unobservedFlip(e, ecs.TagID(flip.ID))
		c.p.Exact = true
		c.flips = append(c.flips, ecs.TagID(flip.ID))
		asked = c.keep(asked)
		c.emit(&ir.Stmt{Op: ir.Do, A: flip})
		if value != nil && flip.Op == ir.Untag {
			asked = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: value, B: asked}
		}
		value = asked
	}
	return value
}

// flip lowers world:tag or world:untag whose value is not used.
func (c *lowerer) flip(e *ast.FuncCallExpr) *ir.Expr {
	if len(e.Args) < 2 {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	op := ir.Tag
	if e.Method == "untag" {
		op = ir.Untag
	}
	entity := c.handle(e.Args[0])
	if len(e.Args) > 2 {
		entity = c.keep(entity)
	}
	var last *ir.Expr
	for _, arg := range e.Args[1:] {
		if last != nil {
			c.emit(&ir.Stmt{Op: ir.Do, A: last})
		}
		last = &ir.Expr{Op: op, Type: ir.Bool, ID: c.tag(arg), A: entity}
		c.unobservedFlip(e, ecs.TagID(last.ID))
		c.p.Exact = true
		c.flips = append(c.flips, ecs.TagID(last.ID))
	}
	return last
}
