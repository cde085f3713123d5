package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/yuin/gopher-lua/ast"
)

// The objects world, world.resources and world.commands as values, as in local ctx = { world = world, e = e }, and calls of their functions that
// rows find in tables of the script: ctx.world:send(…), self.commands:despawn(e). Only open templates have such values.

// worldObject returns one of these objects as a value of type Any.
func (c *lowerer) worldObject(from ir.Provenance) *ir.Expr {
	c.p.Lua, c.p.Exact = true, true
	return c.given(ir.Origin{From: from}, ir.Any)
}

// commandsNames are the names that scripts usually give world.commands.
var commandsNames = []string{"commands", "cmds", "cmd"}

// receiver lowers the object of a call with a colon. If its kind is only known when a row runs, and the function is one of the world or of its commands, it is
// taken for that object; a row that finds something else is left to the interpreter.
func (c *lowerer) receiver(e *ast.FuncCallExpr) *symbol {
	s := c.object(e.Receiver)
	if !isAny(s) || !c.t.Open {
		return s
	}
	list, from, kind := api.World, ir.FromWorld, worldSymbol
	name := ""
	switch of := e.Receiver.(type) {
	case *ast.IdentExpr:
		name = of.Value
	case *ast.AttrGetExpr:
		name = keyOf(of)
	}
	if slices.Contains(commandsNames, name) {
		list, from, kind = api.Commands, ir.FromCommands, commandsSymbol
	}
	if api.Find(list, e.Method) == nil {
		return s
	}
	is := &ir.Expr{Op: ir.Equal, Type: ir.Bool, Func: ir.Raw, A: c.value(s, e), B: c.worldObject(from)}
	c.guard(is)
	return &symbol{kind: kind}
}
