package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of the functions of Lua's library that set and ask for metatables, or work without them. Only open templates have these.

// setMetatable lowers a call of setmetatable.
func (c *lowerer) setMetatable(e *ast.FuncCallExpr) []*symbol {
	if !c.t.Open || len(e.Args) != 2 || c.t.values(e.Args) != 2 {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	var meta *ir.Expr
	t := c.real(c.settled(c.operand(e.Args[0]), e.Args[0]), e.Args[0])
	if !isAny(t) {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	t = plain(c.keep(c.value(t, e.Args[0])))
	c.after(func() { meta = c.anyOf(c.settled(c.operand(e.Args[1]), e.Args[1]), e.Args[1]) })
	c.p.Exact, c.p.Lua, c.p.Drafts = true, true, true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: "setmetatable", Args: []*ir.Expr{t.x, meta}})
	return []*symbol{t}
}

// raw lowers a call of getmetatable, or of a function that reads, assigns or compares without metatables.
func (c *lowerer) raw(name string, e *ast.FuncCallExpr) []*symbol {
	n := map[string]int{"getmetatable": 1, "rawget": 2, "rawequal": 2, "rawset": 3}[name]
	if !c.t.Open || len(e.Args) != n || c.t.values(e.Args) != n {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	args := c.list(e.Args, func(x ast.Expr) *ir.Expr { return c.anyOf(c.settled(c.operand(x), x), x) })
	if name == "rawequal" {
		return []*symbol{plain(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: args[0], B: args[1], Func: ir.Raw})}
	}
	c.p.Exact, c.p.Lua, c.p.Drafts = true, true, true
	if name == "rawset" {
		args[0] = c.keep(args[0])
		c.emit(&ir.Stmt{Op: ir.Invoke, Func: name, Args: args})
		return []*symbol{plain(args[0])}
	}
	x := c.temporary(ir.Any)
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: name, Args: args, I: x.I, J: 1})
	return []*symbol{plain(x)}
}
