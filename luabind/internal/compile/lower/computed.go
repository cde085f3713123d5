package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Computed names: VIEW[NAME] and world.resources[NAME], where NAME is a string that the row computes. A read becomes
// a Select for each name that the string may be, a write an If for each. A row with another name is left to the
// interpreter, which raises the error.

// mostNamed is the largest number of fields or resources among which a computed name chooses.
const mostNamed = 32

// A named is a field or a resource that a computed name may choose.
type named struct {
	name  string
	typ   ir.Type
	field *ecs.Field // nil for a resource
}

// strings returns the strings that a value of type Text may be; false if they are not known.
func (c *lowerer) strings(x *ir.Expr) (list []string, ok bool) {
	switch x.Op {
	case ir.Const:
		return []string{x.S}, true
	case ir.Reg:
		list, ok = c.texts[x.I]
		return list, ok
	case ir.Select:
		first, ok1 := c.strings(x.B)
		second, ok2 := c.strings(x.C)
		return append(slices.Clone(first), second...), ok1 && ok2
	default:
		return nil, false
	}
}

// keepStrings notes the strings that a text register may hold, when it is set once, to x.
func (c *lowerer) keepStrings(reg int, x *ir.Expr) {
	if x.Type != ir.Text {
		return
	}
	if list, ok := c.strings(x); ok {
		c.texts[reg] = list
	}
}

// name lowers the key of VIEW[KEY], which has to be a string, and keeps it.
func (c *lowerer) name(e *ast.AttrGetExpr) *ir.Expr {
	key := c.as(c.expr(e.Key), ir.Text)
	if key.Type != ir.Text {
		refuseWith(e, KeepBefore, "indexes a view by something else than a name")
	}
	return c.keep(key)
}

// fieldsOf returns the fields of a view that a name may choose. sure says that it always chooses one of them.
func (c *lowerer) fieldsOf(v *symbol, key *ir.Expr, at ast.PositionHolder) (list []named, sure bool) {
	if v.schema == nil {
		refuse(at, "the target of a relation, %q, is used", v.name)
	}
	names, known := c.strings(key)
	sure = known
	if !known {
		for _, f := range v.schema.Fields() {
			names = append(names, f.Name)
		}
	}
	for _, name := range names {
		i := v.schema.Index(name)
		if i < 0 {
			sure = false
			continue
		}
		f := &v.schema.Fields()[i]
		t, ok := ir.TypeOf(f)
		if !ok {
			sure = false
			c.departs(at, "the field %q of type %s is chosen", name, f.Type)
			continue
		}
		if !slices.ContainsFunc(list, func(n named) bool { return n.name == name }) {
			list = append(list, named{name, t, f})
		}
	}
	return c.atMost(list, at), sure
}

// resourcesOf returns the resources that a name may choose. sure says that it always chooses one of them.
func (c *lowerer) resourcesOf(key *ir.Expr, at ast.PositionHolder) (list []named, sure bool) {
	names, known := c.strings(key)
	sure = known
	if !known {
		names = c.context.World.ResourceNames()
	}
	for _, name := range names {
		id, ok := c.context.World.LookupResource(name)
		if !ok {
			sure = false
			continue
		}
		fields := c.context.World.Resource(id).Schema().Fields()
		var t ir.Type
		if ok = len(fields) == 1 && fields[0].Name == "value"; ok {
			t, ok = ir.TypeOf(&fields[0])
		}
		if !ok {
			sure = false
			c.departs(at, "the resource %q, which is a table or has fields, is chosen", name)
			continue
		}
		if !slices.ContainsFunc(list, func(n named) bool { return n.name == name }) {
			list = append(list, named{name: name, typ: t})
		}
	}
	return c.atMost(list, at), sure
}

// atMost refuses a choice between too many fields or resources.
func (c *lowerer) atMost(list []named, at ast.PositionHolder) []named {
	if len(list) > mostNamed {
		refuseWith(at, chooseWithIf, "chooses one of more than %d names by a value", mostNamed)
	}
	return list
}

// ofType returns those of a list that have a type. If there are others, rows that choose these are left to the
// interpreter, and sure becomes false.
func (c *lowerer) ofType(list []named, t ir.Type, sure bool, at ast.PositionHolder) ([]named, bool) {
	kept := slices.DeleteFunc(slices.Clone(list), func(n named) bool { return n.typ != t })
	if len(kept) < len(list) {
		sure = false
		c.departs(at, "a name is chosen that does not hold %s", typeNames[t])
	}
	if len(kept) == 0 {
		refuse(at, "chooses by a name, and nothing that holds %s has one of these names", typeNames[t])
	}
	return kept, sure
}

// is returns the condition that a string has a value.
func is(key *ir.Expr, s string) *ir.Expr {
	return &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: key, B: &ir.Expr{Op: ir.Const, Type: ir.Text, S: s}}
}

// chosenOf returns the value of the one among a list that has the name key. value makes the value of one of them.
func (c *lowerer) chosenOf(list []named, key *ir.Expr, sure bool, value func(named) *ir.Expr) *symbol {
	last := len(list) - 1
	var any *ir.Expr
	x := value(list[last])
	for i := last; i >= 0; i-- {
		this := is(key, list[i].name)
		if any == nil {
			any = this
		} else {
			any = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: this, B: any}
		}
		if i < last {
			x = &ir.Expr{Op: ir.Select, Type: x.Type, A: this, B: value(list[i]), C: x}
		}
	}
	if key.Op == ir.Const && sure {
		return plain(x)
	}
	if !sure {
		c.guard(any)
	}
	return plain(x)
}

// preferred returns the type of the values that a read expects: numbers if there are any.
func preferred(list []named) ir.Type {
	if len(list) == 0 || slices.ContainsFunc(list, func(n named) bool { return n.typ == ir.Number }) {
		return ir.Number
	}
	return list[0].typ
}

// fieldNamed lowers a read of VIEW[NAME].
func (c *lowerer) fieldNamed(v *symbol, e *ast.AttrGetExpr) *symbol {
	key := c.name(e)
	list, sure := c.fieldsOf(v, key, e)
	list, sure = c.ofType(list, preferred(list), sure, e)
	return c.chosenOf(list, key, sure, func(n named) *ir.Expr {
		f, t := c.field(v, n.name, e)
		return &ir.Expr{Op: ir.Load, Type: t, I: v.i, Field: f}
	})
}

// resourceNamed lowers a read of world.resources[NAME].
func (c *lowerer) resourceNamed(e *ast.AttrGetExpr) *symbol {
	key := c.name(e)
	list, sure := c.resourcesOf(key, e)
	list, sure = c.ofType(list, preferred(list), sure, e)
	return c.chosenOf(list, key, sure, func(n named) *ir.Expr { return c.resource(n.name, e).x })
}

// storeNamed emits the assignment to the field or the resource that a computed name chooses. t.named lists the
// candidates.
func (c *lowerer) storeNamed(t *target, s *symbol) {
	x, list, sure := c.value(s, t.at), t.named, t.sure
	x = c.keep(c.as(x, preferred(list)))
	list, sure = c.ofType(list, x.Type, sure, t.at)
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	if sure {
		otherwise = nil
	}
	for i := len(list) - 1; i >= 0; i-- {
		n := list[i]
		store := c.collect(func() {
			if n.field == nil {
				c.storeResource(&target{at: t.at, resource: n.name}, plain(x))
			} else {
				c.storeField(&target{at: t.at, view: t.view, field: n.field}, plain(x))
			}
		})
		if sure && i == len(list)-1 {
			otherwise = store
			continue
		}
		otherwise = []*ir.Stmt{{Op: ir.If, A: is(t.key, n.name), Body: store, Else: otherwise}}
	}
	c.p.Exact = c.p.Exact || !sure
	for _, s := range otherwise {
		c.emit(s)
	}
}
