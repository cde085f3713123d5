package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of the elements of a table that a run fills, as in brains[npc.year](npc). As for methods (dispatch.go), the functions that may be meant are
// found in the table when the loop begins, and the one that a row finds selects the branch.

// elementCall walks VALUE(…) where the value is an element of a table from around the loop that a computed key selects, as in
//
//	local think = brains[year]
//	think(npc)
//
// The function may be one that is found in the table when the loop begins. It returns false for another call.
func (p *preparer) elementCall(e *ast.FuncCallExpr) bool {
	k := p.value(e.Func)
	if !p.t.Open || k.object.Variable == nil || len(k.constants) > 0 {
		return false
	}
	if !p.asksMethods() {
		p.callsLater(e, e.Func)
		return true
	}
	found, callable := p.t.Source.Elements(k.object.Variable, k.object.Path)
	list := p.mayEnter(found[:min(len(found), mostDispatched)], e)
	if len(list) == 0 {
		return false
	}
	p.operand(e.Func)
	p.t.dispatch[e], p.t.elements[e] = list, ""
	var self []known
	if callable {
		p.t.elements[e], self = "__call", []known{{}}
	}
	p.enters(e, list, self)
	return true
}

// valueCall walks the call of a local of the body of whose value nothing is known: a table that is called, as in
//
//	local p = vec.of(pos) + step
//	pos.x, pos.y = p()
//
// or a member of a table, local cb = timer.on_end if cb then cb(e) end. It returns false for another call.
func (p *preparer) valueCall(e *ast.FuncCallExpr) bool {
	id, ok := e.Func.(*ast.IdentExpr)
	if !ok || !p.t.Open || p.free(id) != nil {
		return false
	}
	if k := p.value(id); k.place.Variable != nil || k.object.Variable != nil || len(k.constants) > 0 {
		return false
	}
	name, event, self := "__call", "__call", []known{{}}
	if v := p.t.Names.Of(id); v != nil {
		if get, ok := v.Value.(*ast.AttrGetExpr); ok && keyOf(get) != "" {
			name, event, self = keyOf(get), "", nil
		}
	}
	list := p.named(name, e)
	if len(list) == 0 && p.t.Source.Methods != nil {
		return false
	}
	if len(list) == 0 {
		p.callsLater(e, e.Func)
		return true
	}
	p.operand(e.Func)
	p.t.dispatch[e], p.t.elements[e] = list, event
	p.enters(e, list, self)
	return true
}

// callsLater walks a call of which shows only when the loop begins what function it means. of is what the function is found in.
func (p *preparer) callsLater(e *ast.FuncCallExpr, of ast.Expr) {
	p.operand(of)
	for _, arg := range e.Args {
		p.operand(arg)
	}
}

// callElement lowers the call of a value that may be one of some functions, or a table that one of them is called for.
func (c *lowerer) callElement(e *ast.FuncCallExpr, event string, wanted int) []*symbol {
	value := c.real(c.optional(c.settled(c.operand(e.Func), e.Func)), e.Func)
	if !isAny(value) {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	x := c.keep(value.x)
	fn := c.chosenFrom(c.which("value", event, []*ir.Expr{x}, c.t.functionsOf(e)), c.t.functionsOf(e))
	args := c.arguments(fn, e)
	if event != "" {
		args = append([]*symbol{plain(x)}, args...)
	}
	return c.callConstant(fn, e, args, wanted)
}
