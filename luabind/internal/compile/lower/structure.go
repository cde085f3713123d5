package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls that change the structure of the world at once, in loops over events, where it is not locked: world:spawn, despawn, add, remove, relate
// and unrelate; setfields.go has world:set. In a kernel, such a call becomes an effect (Effect.Now) that takes place at the end of the row
// (kernel/structure.go). Nobody may notice the difference: so before a row looks at the world after such a call, an ir.Untouched asks whether it
// would see the change. later.go puts these into the finished body.

// structural lowers such a call.
func (c *lowerer) structural(e *ast.FuncCallExpr, wanted int) []*symbol {
	c.unobservedChange(e)
	made := e.Method != "spawn" || len(e.Args) == 1 && isConstructor(e.Args[0])
	switch {
	case c.locked():
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	case !made:
		refuseWith(e, tableInCall, "spawns from a table that is not made for the call")
	}
	if e.Method == "spawn" {
		p := c.payload(ir.QueueSpawn, e)
		p.e.Now = true
		s := c.described(p, e)
		if wanted == 0 {
			return nil
		}
		x := c.temporary(ir.Number)
		s.I = x.I
		return []*symbol{plain(x)}
	}
	kind := commandKinds()[e.Method]
	if n := len(e.Args) - 1; n < 0 || n < kind.least || n > kind.most {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	p := c.payload(kind.op, e)
	p.e.Now = true
	p.handle(e.Args[0])
	kind.parts(p, e.Args[1:])
	for _, id := range slices.Concat(p.e.Components, p.e.Relations) {
		if info, _ := c.context.World.ComponentInfo(id); info.Name == ecs.IsA {
			refuseWith(e, adviceOnCall(e), "calls %s with %q", callee(e), ecs.IsA) // it changes what many entities have
		}
	}
	p.entity[0] = c.keep(p.entity[0])
	if wanted == 0 {
		p.emit()
		return nil
	}
	given := &ir.Expr{Op: ir.Alive, Type: ir.Bool, A: p.entity[0]}
	if e.Method == "unrelate" {
		given = related(p.e.Relations[0], p.entity[0], true).has
	}
	given = c.keep(given)
	p.emit()
	return []*symbol{plain(given)}
}

// isConstructor reports whether an expression is a table constructor.
func isConstructor(e ast.Expr) bool {
	_, ok := e.(*ast.TableExpr)
	return ok
}
