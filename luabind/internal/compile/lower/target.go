package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// The left sides of assignments. assign.go emits what is stored there.

// A target is the left side of an assignment: a variable, a field of a view, a resource, or an element of a Lua
// table. A member of a table that is an input counts as a variable. Only the fields for its kind are set.
type target struct {
	at       ast.Expr
	variable *symbol
	part     *symbol // the local with a table made by the body that variable is a part of; nil otherwise
	view     *symbol
	field    *ecs.Field
	together bool // field is one of several that are stored in one step
	resource string
	table    *symbol // the tableSymbol or elementSymbol whose element is assigned
	member   string
	key      *ir.Expr
	cells    bool        // table is a list of lists, and key the position in its flat copy
	place    *written    // the table of type Any whose element is assigned
	looked   *symbol     // a lookupSymbol: the value at a key, or a member of the table there
	named    []named     // a field of view, or a resource, which key chooses: the candidates
	never    bool        // no row comes after it
	sure     bool        // key always chooses one of named
	held     *ir.Expr    // the key of the table whose element is assigned, where a variable holds it; nil if none does
	chosen   *chosenView // the view whose field member is assigned, if a name chooses it
}

// target lowers the left side of an assignment: it evaluates what stands before the last dot or bracket, and the
// key. Nothing is assigned yet.
func (c *lowerer) target(lhs ast.Expr) *target {
	t := &target{at: lhs}
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		t.variable = c.resolve(c.lookup(lhs), lhs)
	case *ast.AttrGetExpr:
		key := keyOf(lhs)
		before := c.path
		c.path = lhs.Object
		object := c.object(lhs.Object)
		c.path = before
		if object.kind == elementSymbol || object.kind == lookupSymbol {
			t.held = object.x
		}
		switch {
		case object.event:
			refuse(lhs, "assigns a field of an event")
		case object.kind == viewSymbol && key == "":
			t.view, t.key = object, c.name(lhs)
			if t.named, t.sure = c.fieldsOf(object, t.key, lhs); len(t.named) == 0 {
				c.leavesTarget(t, "a field is chosen that the component does not have")
			}
			for _, n := range t.named {
				c.field(object, n.name, lhs)
			}
		case object.kind == chosenViewSymbol && key != "":
			t.chosen, t.member = object.views, key
		case object.kind == resourcesSymbol && key == "":
			t.key = c.name(lhs)
			if t.named, t.sure = c.resourcesOf(t.key, lhs); len(t.named) == 0 {
				c.leavesTarget(t, "a resource is chosen that there is not")
			}
		case object.kind == viewSymbol && key != "":
			t.view = object
			t.field, _ = c.field(object, key, lhs)
		case object.kind == resourcesSymbol && key != "":
			t.resource = key
		case object.kind == tableSymbol && key == "" && c.kinds[object.input].InputKind == TableInput:
			t.table, t.key = object, c.as(c.expr(lhs.Key), c.keyType(object.input))
			u := c.use(object.input, tableUse{stored: true, read: t.key.Type == ir.Text && c.hasMembers(object.input)})
			switch {
			case !u.read:
			case !c.kinds[object.input].Rows && (t.key.Type == ir.Text || t.key.Type == ir.Number && c.mapped(object.input)):
				c.listKey(object, t.key, lhs)
				t.table, t.looked = nil, c.lookedUp(object.input, t.key)
			default:
				c.listKey(object, t.key, lhs)
			}
		case key == "" && c.isRow(object):
			t.looked = c.pairTarget(object, lhs)
			t.key = t.looked.x
		case object.kind == lookupSymbol && key != "":
			if t.looked, t.key = c.memberOf(object, key, lhs), object.x; t.looked.kind == viewSymbol {
				refuseWith(lhs, AssignAfter, "assigns a view to a member of an object")
			}
		case object.kind == tableSymbol && key != "" && c.t.Inputs[object.input].Member != "" && c.hasRows(c.t.Inputs[object.input].Variable):
			c.use(object.input, tableUse{renamed: true})
			row := c.rowNamed(object)
			if t.looked, t.key = c.memberOf(row, key, lhs), row.x; t.looked.kind == viewSymbol {
				refuseWith(lhs, AssignAfter, "assigns a view to a member of an object")
			}
		case object.kind == tableSymbol && c.namedKey(object, key) != nil:
			c.use(object.input, tableUse{stored: true, read: true})
			t.looked = c.namedKey(object, key)
			t.key = t.looked.x
		case object.kind == tableSymbol && key != "" && (c.kinds[object.input].InputKind == TableInput || c.kinds[object.input].InputKind == ObjectInput):
			c.member(object, key, lhs)
			t.variable = c.members[member{c.t.Inputs[object.input].Variable, key}]
		case object.kind == madeSymbol && c.entry(object.made, lhs) != nil:
			t.variable, t.part = c.entry(object.made, lhs), c.tableOf(lhs)
		case object.kind == madeSymbol || isAny(object) || object.kind == unsetSymbol:
			if object.kind == unsetSymbol {
				c.becomesAny(object)
			}
			if object = c.real(object, lhs); !isAny(object) {
				refuseTarget(lhs)
			}
			t.place = c.writtenIn(object, lhs.Object)
			c.afterTable(t.place, func() { t.key = c.anyKey(lhs.Key) })
		case object.kind == elementSymbol && key == "":
			x := c.cell(object, lhs)
			t.cells, t.key = true, x.A
			t.table = &symbol{kind: elementSymbol, i: x.I}
		case object.kind == elementSymbol && key != "":
			t.table, t.member, t.key = object, key, object.x
		default:
			refuseTarget(lhs)
		}
	}
	return t
}

// leavesTarget leaves the rows that come to a target which is never there: the interpreter raises the error.
func (c *lowerer) leavesTarget(t *target, why string) {
	t.never, c.p.Exact = true, true
	c.departs(t.at, "%s", why)
	c.emit(&ir.Stmt{Op: ir.Leave})
}

// tableOf returns the local from which an expression such as a.b[1] gets a part; nil if it begins with something else.
func (c *lowerer) tableOf(e *ast.AttrGetExpr) *symbol {
	switch object := e.Object.(type) {
	case *ast.IdentExpr:
		return c.lookup(object)
	case *ast.AttrGetExpr:
		return c.tableOf(object)
	}
	return nil
}
