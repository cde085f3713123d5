package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Reads of things with parts: fields of views, resources, properties of the world, elements and members of Lua
// tables. What stands before a dot or bracket becomes a symbol (object), and what is found there another one (get).
// assign.go has the writes.

// get lowers OBJECT.NAME or OBJECT[KEY] to a symbol: a value, or something that has parts itself.
func (c *lowerer) get(e *ast.AttrGetExpr) *symbol {
	if s := c.constantOf(e); s != nil {
		return s
	}
	key := keyOf(e)
	object := c.object(e.Object)
	switch object.kind {
	case constantSymbol, choiceSymbol:
		return c.entryOf(object, e)
	case viewSymbol:
		if key == "" {
			return c.notesField(e, c.fieldNamed(object, e))
		}
		if c.choices > 0 && object.schema != nil && object.schema.Index(key) < 0 { // one of several functions, for other events than this one
			c.departs(e, "%s has no field %q", object.name, key)
			c.emit(&ir.Stmt{Op: ir.Leave})
			return plain(&ir.Expr{Op: ir.Const})
		}
		f, t := c.field(object, key, e)
		return c.notesField(e, plain(&ir.Expr{Op: ir.Load, Type: t, I: object.i, Field: f}))
	case chosenViewSymbol:
		if key == "" {
			refuseWith(e, KeepBefore, "indexes a view by something else than a name")
		}
		return c.notesField(e, c.fieldOfChosen(object.views, key, e))
	case worldSymbol:
		return c.property(e, key)
	case resourcesSymbol:
		if key == "" {
			return c.resourceNamed(e)
		}
		s := c.resource(key, e)
		if isAny(s) {
			if c.resourceReads == nil {
				c.resourceReads = map[*ast.AttrGetExpr]bool{}
			}
			c.resourceReads[e] = true
		}
		return s
	case statesSymbol:
		if key == "" {
			refuseWith(e, KeepBefore, "indexes world.states by something else than a name")
		}
		id, ok := c.context.World.LookupState(key)
		if !ok {
			refuseWith(e, DeclareIt, "there is no state %q", key)
		}
		return plain(c.given(ir.Origin{From: ir.FromState, State: id}, ir.Text))
	case layersSymbol:
		if key == "" {
			refuseWith(e, KeepBefore, "indexes world.layers by something else than a name")
		}
		return &symbol{kind: layerSymbol, text: key}
	case tableSymbol:
		switch in := c.t.Inputs[object.input]; {
		case key == "" && c.kinds[object.input].InputKind == ObjectInput:
			refuseWith(e, c.adviceOnRead(e), "indexes %q, which has a metatable, by something else than a name", in.Text())
		case key == "" && c.kinds[object.input].InputKind == OtherInput && !c.context.Loose: // such as a table with a function in its __index
			refuseWith(e, c.adviceOnRead(e), "indexes %q, which is no table of constants when the loop begins, by something else than a name", in.Text())
		case key == "":
			return c.element(object, e)
		case in.Member != "" && c.hasRows(in.Variable): // TABLE.NAME.MEMBER
			c.use(object.input, tableUse{named: true})
			return c.memberOf(c.rowNamed(object), key, e)
		}
		if s := c.namedKey(object, key); s != nil {
			c.use(object.input, tableUse{read: true})
			return s
		}
		return c.member(object, key, e)
	case elementSymbol:
		if key == "" {
			return plain(c.cell(object, e))
		}
		c.mustLookUp(c.p.Tables[object.i].Input, key)
		return plain(&ir.Expr{Op: ir.Element, I: object.i, A: object.x, Member: c.place(object.i, key)})
	case lookupSymbol:
		if key == "" {
			c.refusePassed(object.input)
			if !c.isRow(object) {
				refuseWith(e, oneKey, "reads %s, an element of a table in a table", inSource(e))
			}
			row, key := c.rowAndKey(object, e)
			return c.pairOf(row, key, e)
		}
		return c.memberOf(object, key, e)
	case madeSymbol:
		if s := c.entry(object.made, e); s != nil {
			return s
		}
		return c.itemOf(c.real(object, e), e)
	case registerSymbol, valueSymbol, unsetSymbol:
		if object.kind == unsetSymbol {
			c.becomesAny(object)
		}
		if isAny(object) {
			return c.itemOf(object, e)
		}
	case nilSymbol:
		refuseWith(e, c.adviceOnRead(e), "indexes %s, which is nil", objectText(e.Object))
	}
	return c.member(object, key, e)
}

// plain returns the symbol of a value that is never nil.
func plain(x *ir.Expr) *symbol { return &symbol{kind: valueSymbol, x: x} }

// object lowers what stands before a dot, bracket or colon to the symbol of something that has parts.
func (c *lowerer) object(e ast.Expr) *symbol {
	if s := c.constantOf(e); s != nil {
		return s
	}
	switch e := e.(type) {
	case *ast.IdentExpr:
		s := c.lookup(e)
		if s.kind == inputSymbol {
			switch c.kinds[s.i].InputKind {
			case WorldInput, ResourcesInput, CommandsInput, LayersInput, LayerInput, QueryInput, TableInput, ObjectInput, ViewInput:
				return c.resolve(s, e)
			}
			if c.kinds[s.i].InputKind == NilInput && c.t.Inputs[s.i].Assigned && c.t.Inputs[s.i].Member == "" {
				c.mustGetView(s, e)
				return c.resolve(s, e)
			}
			return &symbol{kind: tableSymbol, input: s.i} // a library, whose members are inputs
		}
		if s = c.resolve(s, e); s.kind == unsetSymbol {
			c.mustGetView(s, e)
		}
		return s
	case *ast.AttrGetExpr:
		c.pay()
		return c.get(e)
	case *ast.FuncCallExpr:
		c.pay()
		if out := c.call(e, 1); len(out) > 0 {
			return out[0]
		}
	case *ast.TableExpr:
		c.pay()
		return c.real(c.constructor(e), e)
	}
	refuseWith(e, KeepBefore, "indexes something that is no view")
	return nil
}

// member lowers NAME.MEMBER, where NAME is a variable declared outside the loop that holds a Lua table. Such members are
// inputs of their own.
func (c *lowerer) member(object *symbol, key string, at *ast.AttrGetExpr) *symbol {
	if object.kind == tableSymbol && c.t.Inputs[object.input].Member == "" {
		if s := c.members[member{c.t.Inputs[object.input].Variable, key}]; s != nil && key != "" {
			return c.resolve(s, at)
		}
	}
	refuseWith(at, c.adviceOnRead(at), "indexes %s, which is no view or table of constants", objectText(at.Object))
	return nil
}

// field returns a field of a view and the type of its values. It notes that the body uses the view, and that rows
// may have to be restored if the read can fail.
func (c *lowerer) field(v *symbol, name string, at ast.PositionHolder) (*ecs.Field, ir.Type) {
	if v.schema == nil {
		refuse(at, "the target of a relation, %q, is used", v.name)
	}
	i := v.schema.Index(name)
	if i < 0 {
		refuse(at, "there is no field %q", name)
	}
	f := &v.schema.Fields()[i]
	t, ok := ir.TypeOf(f)
	if !ok {
		if t = ir.Any; !tableField(f) {
			refuse(at, "the field %q is of type %s", name, f.Type)
		}
		c.p.Exact, c.p.TableFields = true, true
	}
	if v.i < c.p.Views {
		c.p.Uses |= 1 << v.i
	}
	if v.nilable || f.Type == ecs.I64 || f.Type == ecs.U64 { // the view may be nil, or a number may not hold the integer
		c.p.Exact = true
	}
	return f, t
}

// there returns the condition that a view is not nil.
func (c *lowerer) there(v *symbol) *ir.Expr {
	switch v.kind {
	case viewSymbol:
	case unsetSymbol, registerSymbol:
		return c.present(v)
	default:
		panic(&Reason{Line: c.t.Line, Text: "asks whether there is a view of " + kindTexts[v.kind]})
	}
	if v.kept != nil {
		return &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: v.kept.mark}
	}
	if !v.nilable {
		return boolean(true)
	}
	if v.i < c.p.Views {
		c.p.Uses |= 1 << v.i
	}
	return &ir.Expr{Op: ir.Present, Type: ir.Bool, I: v.i}
}

// property lowers world.NAME. dt, time and frame are inputs with an origin of their own.
func (c *lowerer) property(e *ast.AttrGetExpr, key string) *symbol {
	switch key {
	case "dt":
		return plain(c.given(ir.Origin{From: ir.FromDT}, ir.Number))
	case "time":
		return plain(c.given(ir.Origin{From: ir.FromTime}, ir.Number))
	case "frame":
		return plain(c.given(ir.Origin{From: ir.FromFrame}, ir.Number))
	case "resources":
		return &symbol{kind: resourcesSymbol}
	case "commands":
		return &symbol{kind: commandsSymbol}
	case "states":
		return &symbol{kind: statesSymbol}
	case "layers":
		return &symbol{kind: layersSymbol}
	}
	refuse(e, "uses %s", callee(e))
	return nil
}

// given returns the register of an input that is not a variable: a resource, a property of the world, or the length
// or width of a table. The first use adds the input to the Program.
func (c *lowerer) given(o ir.Origin, t ir.Type) *ir.Expr {
	i := slices.Index(c.p.Origins, o)
	if i < 0 || o.From == ir.FromVariable {
		i = len(c.p.Origins)
		reg := c.register(t)
		c.p.Origins = append(c.p.Origins, o)
		c.p.Inputs = append(c.p.Inputs, ir.Place{Used: true, Type: t, Reg: reg})
		c.fixed[register{t, reg}] = o.From != ir.FromResource
	}
	return &ir.Expr{Op: ir.Reg, Type: t, I: c.p.Inputs[i].Reg}
}

// resourceOf returns the origin of a resource that has one value, with the field of the value and its type.
// Resources with several fields are refused.
func (c *lowerer) resourceOf(name string, at ast.PositionHolder) (ir.Origin, *ecs.Field, ir.Type) {
	id, ok := c.context.World.LookupResource(name)
	if !ok {
		refuseWith(at, DeclareIt, "there is no resource %q", name)
	}
	fields := c.context.World.Resource(id).Schema().Fields()
	if len(fields) != 1 || fields[0].Name != "value" {
		refuse(at, "the resource %q has fields", name)
	}
	t, ok := ir.TypeOf(&fields[0])
	switch {
	case !ok && fields[0].Type.Len() > 0:
		refuse(at, "the resource %q is an array", name)
	case !ok:
		refuse(at, "the resource %q is a table", name)
	}
	return ir.Origin{From: ir.FromResource, Resource: id}, &fields[0], t
}

// isResources reports whether an expression is world.resources.
func (c *lowerer) isResources(e ast.Expr) bool {
	kind := func(e ast.Expr) (InputKind, symbolKind) {
		id, ok := e.(*ast.IdentExpr)
		if !ok {
			return OtherInput, inputSymbol
		}
		s := c.symbols[c.t.Names.Of(id)]
		switch {
		case s == nil:
			return OtherInput, inputSymbol
		case s.kind == inputSymbol:
			return c.kinds[s.i].InputKind, inputSymbol
		}
		return OtherInput, s.kind
	}
	if input, s := kind(e); input == ResourcesInput || s == resourcesSymbol {
		return true
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok || keyOf(get) != "resources" {
		return false
	}
	input, s := kind(get.Object)
	return input == WorldInput || s == worldSymbol
}

// resource lowers world.resources.NAME.
func (c *lowerer) resource(name string, at ast.PositionHolder) *symbol {
	if id, ok := c.tableResource(name); ok {
		return plain(c.resourceTable(id))
	}
	o, _, t := c.resourceOf(name, at)
	return plain(c.given(o, t))
}

// element lowers TABLE[KEY]: a number in a list, a table in a list, or a lookup by key. Which of these it is
// depends on how the whole body uses the table: see tableUse. If all keys are numbers in a list of some thousand
// elements at most, the list is copied when the loop begins; otherwise keys are looked up one by one: see mapped.
func (c *lowerer) element(t *symbol, e *ast.AttrGetExpr) *symbol {
	return c.elementAt(t, c.expr(e.Key), e)
}

// elementAt is element for a key that is lowered already.
func (c *lowerer) elementAt(t *symbol, key *ir.Expr, at ast.PositionHolder) *symbol {
	key = c.as(key, c.keyType(t.input))
	c.listKey(t, key, at)
	c.p.Exact = true
	c.use(t.input, tableUse{read: true})
	if key.Type == ir.Text || c.mapped(t.input) {
		return c.lookedUp(t.input, key)
	}
	i := c.table(t.input)
	if c.kinds[t.input].Rows {
		return &symbol{kind: elementSymbol, i: i, x: key}
	}
	return plain(&ir.Expr{Op: ir.Element, I: i, A: key, Member: -1})
}

// listKey notes a key that cannot be an index of a list, such as an entity, and refuses booleans.
func (c *lowerer) listKey(t *symbol, x *ir.Expr, e ast.PositionHolder) {
	name := c.t.Inputs[t.input].Text()
	switch {
	case x.Type == ir.Bool:
		refuseWith(e, chooseWithIf, "looks up %q by a boolean", name)
	case c.isEntity(x):
		c.use(t.input, tableUse{others: true})
	}
}

// exists returns the condition that a list has an element at a key.
func (c *lowerer) exists(table int, key *ir.Expr) *ir.Expr {
	t := &c.p.Tables[table]
	t.Asked = true
	c.use(t.Input, tableUse{asked: true})
	return &ir.Expr{Op: ir.Exists, Type: ir.Bool, I: table, A: key}
}

// isEntity reports whether a value is known to be an entity, so that it cannot be an index of a list.
func (c *lowerer) isEntity(x *ir.Expr) bool {
	switch x.Op {
	case ir.Entity, ir.Related:
		return true
	case ir.Load:
		return x.Field.Type == ecs.EntityField
	case ir.Element:
		return x.Field != nil && x.Field.Type == ecs.EntityField
	case ir.Reg:
		return x.Type == ir.Number && c.entities[x.I]
	default: // a computed number may or may not be an entity
		return false
	}
}

// table returns the index in Program.Tables of the list that an input holds. The first use adds it.
func (c *lowerer) table(input int) int {
	i := slices.IndexFunc(c.p.Tables, func(t ir.Table) bool { return t.Input == input && !t.Flat })
	if i < 0 {
		i = len(c.p.Tables)
		c.p.Tables = append(c.p.Tables, ir.Table{Input: input, Rows: c.kinds[input].Rows})
	}
	return i
}

// place returns the index of a name in Table.Members. The first use adds it.
func (c *lowerer) place(table int, member string) int {
	t := &c.p.Tables[table]
	i := slices.Index(t.Members, member)
	if i < 0 {
		i = len(t.Members)
		t.Members = append(t.Members, member)
	}
	return i
}
