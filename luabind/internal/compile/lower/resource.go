package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Resources of type table. A read is a call that closures make, and gives a value of type Any. A change of a part, as in
// world.resources.stats.total = 1, reads the resource, changes the table and stores it, all at the time of the change.

// tableResource returns a resource of type table. It is not ok for a resource that holds something else, or if only few
// rows get here: then the others may be machine code.
func (c *lowerer) tableResource(name string) (id ecs.ResourceID, ok bool) {
	id, ok = c.context.World.LookupResource(name)
	if !ok || c.position.exit != nil {
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
