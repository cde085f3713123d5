package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Changes of tables of type Any. A path in the source that begins with a field of a view or with a resource, as in bag.items[k].n = 1 or
// table.insert(bag.items, v), names the stored table itself: the statement reads it, changes it, and stores it.

// A written is a table that a statement changes: a value of type Any. If the statement names it by a field or a resource,
// as in bag.items.sword = 1, that is read, changed and stored by the statement.
type written struct {
	table    *ir.Expr // with all keys evaluated
	root     *ir.Expr // the ir.Load of the field, or the register of the resource, at the root of table; nil if that is a variable
	resource ecs.ResourceID
	field    bool // the root is a field, and no resource
}

// writtenIn returns a table that is about to be changed.
func (c *lowerer) writtenIn(s *symbol, at ast.Expr) *written {
	x := c.value(s, at)
	p := &written{table: c.keysKept(x)}
	root := p.table
	for root.Op == ir.Item {
		root = root.A
	}
	if c.namesResource(at) {
		id, ok := c.resourceTables[root.I]
		if !ok || root.Op != ir.Reg || root.Type != ir.Any {
			refuseWith(at, AssignAfter, "changes a table in a resource")
		}
		p.root, p.resource = root, id
		return p
	}
	if field := c.fieldOf(at); field != nil {
		if root != field || root.Op != ir.Load {
			refuseWith(at, AssignAfter, "changes a table in a field")
		}
		p.root, p.field = root, true
	}
	return p
}

// writtenBy is writtenIn for the first argument of a call that changes its table. pcall(table.insert, bag.items, v) gives the function a copy.
func (c *lowerer) writtenBy(e *ast.FuncCallExpr, s *symbol) *written {
	if c.shielded[e] {
		return &written{table: c.keysKept(c.value(s, e))}
	}
	return c.writtenIn(s, e.Args[0])
}

// fieldOf returns the field at the root of a path in the source, such as bag.items of bag.items[k].n, as it was lowered last; nil if the path
// has none. What a function returns is a copy, even if that function reads a field.
func (c *lowerer) fieldOf(path ast.Expr) *ir.Expr {
	for get, ok := path.(*ast.AttrGetExpr); ok; get, ok = get.Object.(*ast.AttrGetExpr) {
		if x := c.fieldReads[get]; x != nil {
			return x
		}
	}
	return nil
}

// changed lowers an expression whose table a statement is about to change.
func (c *lowerer) changed(e ast.Expr) *symbol {
	before := c.path
	c.path = e
	s := c.operand(e)
	c.path = before
	return s
}

// notesField notes that the symbol is the value of a field that an expression reads.
func (c *lowerer) notesField(e *ast.AttrGetExpr, s *symbol) *symbol {
	if isAny(s) {
		c.fieldReads[e] = s.x
	}
	return s
}

// onPath reports whether an expression is an element on the path that is about to be changed, after a field or a resource.
func (c *lowerer) onPath(e *ast.AttrGetExpr) bool {
	get, ok := c.path.(*ast.AttrGetExpr)
	for ; ok && get != e; get, ok = get.Object.(*ast.AttrGetExpr) {
	}
	return ok && (c.fieldOf(e.Object) != nil || c.namesResource(e.Object))
}

// pathKey lowers a key on a path. Code for it may stand between the read of the field and the change, which reads the field again: that
// must be the same table.
func (c *lowerer) pathKey(e *ast.AttrGetExpr) *ir.Expr {
	n, view := len(c.out), -1
	if field := c.fieldOf(e.Object); field != nil && field.Op == ir.Load {
		view = field.I
	}
	key := c.keep(c.anyKey(e.Key))
	if mayStoreTables(c.out[n:], view) {
		refuseWith(e, AssignAfter, "changes a table at a key that a function finds which may change it, too")
	}
	return key
}

// mayStoreTables reports whether some statements may store a table in a field or a resource, or make a view that of another entity.
func mayStoreTables(body []*ir.Stmt, view int) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Store:
			return s.Field.Type == ecs.TableField
		case ir.Invoke:
			return s.Func == "set resource"
		case ir.Set, ir.Count, ir.If, ir.While, ir.Repeat, ir.Break, ir.Jump, ir.Block, ir.Do, ir.Put, ir.PutKey, ir.Leave, ir.Fit,
			ir.PutItem, ir.Insert, ir.Make, ir.Remove, ir.Sort, ir.Items, ir.Entries:
			return mayStoreTables(s.Body, view) || mayStoreTables(s.Else, view)
		case ir.Look:
			return s.I == view
		case ir.Emit:
			return s.Effect.Op != ir.Made
		default:
			return true
		}
	})
}

// afterTable calls lower for a key or a value that is evaluated after a table that is about to be changed. A table in a
// field or a resource stays a chain from its root, because change reads that again, puts a register in its place and stores
// it. Another table is put into a register if lower emits statements.
func (c *lowerer) afterTable(p *written, lower func()) {
	n := len(c.out)
	lower()
	if p.root == nil && len(c.out) > n {
		c.keepBefore(n, &p.table)
	}
}

// keysKept returns a chain of ir.Item with its keys in registers.
func (c *lowerer) keysKept(x *ir.Expr) *ir.Expr {
	if x.Op != ir.Item {
		return x
	}
	out := *x
	out.A, out.B = c.keysKept(x.A), c.keep(x.B)
	return &out
}

// change emits a statement that changes a table. It gets the table as an operand.
func (c *lowerer) change(p *written, at ast.PositionHolder, emit func(table *ir.Expr)) {
	c.p.Drafts, c.p.Exact = true, true
	switch {
	case p.root == nil:
		emit(p.table)
	case p.field:
		view := c.viewOf(p.root.I)
		if view == nil || view.event {
			refuse(at, "changes a table of an event")
		}
		whole := c.temporary(ir.Any)
		c.set(whole.I, -1, p.root)
		emit(rooted(p.table, p.root, whole))
		c.storeField(&target{at: nil, view: view, field: p.root.Field}, plain(whole))
	default:
		whole := c.resourceTable(p.resource)
		emit(rooted(p.table, p.root, whole))
		c.storeTable(p.resource, whole, at)
	}
}

// rooted returns a chain of ir.Item with another root.
func rooted(x, root, other *ir.Expr) *ir.Expr {
	if x == root {
		return other
	}
	out := *x
	out.A = rooted(x.A, root, other)
	return &out
}

// Resources of type table. A read is a call that closures make, and gives a value of type Any. A change of a part, as in
// world.resources.stats.total = 1, reads the resource, changes the table and stores it, all at the time of the change.

// tableResource returns a resource of type table. It is not ok for a resource that holds something else.
func (c *lowerer) tableResource(name string) (id ecs.ResourceID, ok bool) {
	id, ok = c.context.World.LookupResource(name)
	if !ok {
		return 0, false
	}
	fields := c.context.World.Resource(id).Schema().Fields()
	return id, len(fields) == 1 && fields[0].Name == "value" && tableField(&fields[0])
}

// resourceTable emits the read of a resource of type table.
func (c *lowerer) resourceTable(id ecs.ResourceID) *ir.Expr {
	x := c.temporary(ir.Any)
	c.p.Exact, c.p.TableFields = true, true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: "resource", Args: []*ir.Expr{numbered(id)}, I: x.I, J: 1})
	if c.resourceTables == nil {
		c.resourceTables = map[int]ecs.ResourceID{}
	}
	c.resourceTables[x.I] = id
	return x
}

// storeTable emits the store of a table in a resource. A row that stores something else is left to the interpreter.
func (c *lowerer) storeTable(id ecs.ResourceID, x *ir.Expr, at ast.PositionHolder) {
	if x.Op == ir.Wrap || x.Op == ir.Const {
		refuse(at, "assigns something else than a table to a resource of type table")
	}
	c.p.Exact, c.p.TableFields = true, true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: "set resource", Args: []*ir.Expr{numbered(id), x}})
}

// numbered returns the number of a resource as an argument of an ir.Invoke.
func numbered(id ecs.ResourceID) *ir.Expr { return wrapped(&ir.Expr{Op: ir.Const, N: float64(id)}) }

// namesResource reports whether an expression is written as a path from world.resources.
func (c *lowerer) namesResource(e ast.Expr) bool {
	for get, ok := e.(*ast.AttrGetExpr); ok; get, ok = get.Object.(*ast.AttrGetExpr) {
		if c.isResources(get.Object) || c.resourceReads[get] {
			return true
		}
	}
	return false
}
