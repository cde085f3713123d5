package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/yuin/gopher-lua/ast"
)

// Computed names in calls: world:has(e, NAME), world.commands:add(e, NAME), world:send(NAME, { … }), where the row computes
// NAME. For each name that the string may be, an ir.If contains the call with that name. A row with another name, or with
// one for which the call cannot be compiled, is left to the interpreter. namedview.go has world:get(e, NAME).

// computedName returns which argument of a call is a name that is known only when the row runs: the first one, -1 if there
// is none.
func (c *lowerer) computedName(object *symbol, e *ast.FuncCallExpr) (i int, role api.Role) {
	list := api.World
	if object.kind == commandsSymbol {
		list = api.Commands
	}
	f := api.Find(list, e.Method)
	if f == nil {
		return -1, api.Nothing
	}
	for i, arg := range e.Args {
		switch role := f.Role(i); role {
		case api.Component, api.Tag, api.Event, api.Relation:
			if _, ok := c.staticName(arg); !ok && !c.guessedName(arg) {
				return i, role
			}
		case api.Nothing, api.Value, api.Entity, api.Grid, api.Index, api.Filter, api.Query, api.Fields, api.Parts, api.Prefab:
		}
	}
	return -1, api.Nothing
}

// namesOf lists the names that an argument may be.
func (c *lowerer) namesOf(role api.Role) []string {
	w := c.context.World
	switch role {
	case api.Component:
		return w.ComponentNames()
	case api.Tag:
		return w.TagNames()
	case api.Event:
		return w.EventNames()
	case api.Relation:
		return w.RelationNames()
	default:
		panic("lower: the role of an argument that is no name")
	}
}

// nameKey lowers an argument that is a computed name, and lists the names that it may be. sure says that it is always one of
// them. The arguments before the name are evaluated after it. So evaluating the name must not change them, and evaluating
// them must not change the name.
func (c *lowerer) nameKey(e *ast.FuncCallExpr, i int, role api.Role) (key *ir.Expr, names []string, sure bool) {
	var earlier []ast.Expr
	for _, before := range e.Args[:i] {
		if _, ok := c.staticName(before); ok {
			continue
		}
		earlier = append(earlier, before)
		switch before := before.(type) {
		case *ast.IdentExpr, *ast.NumberExpr:
			continue
		case *ast.AttrGetExpr:
			if _, ok := before.Object.(*ast.IdentExpr); ok && keyOf(before) != "" {
				continue
			}
		}
		refuseWith(e.Args[i], KeepBefore, "takes a computed name after a value that is computed")
	}
	n := len(c.out)
	if key = c.as(c.expr(e.Args[i]), ir.Text); key.Type != ir.Text {
		refuseWith(e.Args[i], quoteName, "takes a name that is not known before the loop begins")
	}
	if len(c.out) > n { // an inlined function may change what stands before the name
		for _, before := range earlier {
			var x *ir.Expr
			c.collect(func() { x = c.anyOf(c.settled(c.operand(before), before), before) })
			if _, get := before.(*ast.AttrGetExpr); get || alters(c.out[n:], x) {
				refuseWith(e.Args[i], KeepBefore, "takes a computed name after a value that is computed")
			}
		}
	}
	key = c.keep(key)
	names, sure = c.strings(key)
	if names = slices.Clone(names); !sure {
		names = c.namesOf(role)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > mostNamed {
		refuseWith(e, chooseWithIf, "chooses one of more than %d names by a value", mostNamed)
	}
	return key, names, sure
}

// chooseName lowers a call whose argument i is a computed name.
func (c *lowerer) chooseName(e *ast.FuncCallExpr, i int, role api.Role, wanted int) []*symbol {
	key, names, sure := c.nameKey(e, i, role)
	if e.Method == "get" {
		return []*symbol{c.chooseView(e, key, names, sure)}
	}
	var out *ir.Expr
	switch e.Method {
	case "has", "tagged", "tag", "untag", "set", "add", "remove", "relate", "unrelate":
		if wanted > 0 {
			out = c.temporary(ir.Bool)
		}
	case "send":
	default:
		refuseWith(e, quoteName, "takes a name that is not known before the loop begins")
	}
	call := func() {
		values := c.method(e, wanted)
		if out != nil {
			c.set(out.I, -1, c.value(values[0], e))
			return
		}
		c.discardAll(values)
	}
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	for j, branch := range c.forNames(e.Args[i], names, &sure, call) {
		if branch != nil {
			otherwise = []*ir.Stmt{{Op: ir.If, A: is(key, names[j]), Body: branch, Else: otherwise}}
		}
	}
	if !sure {
		c.departs(e, "%s gets another name than those the loop was compiled for", callee(e))
	}
	c.p.Exact = true
	c.out = append(c.out, otherwise...)
	if out == nil {
		return nil
	}
	return []*symbol{plain(out)}
}

// forNames lowers a call once for each name, with the name in the place of an argument, and returns the statements for each.
// They are nil for a name that is refused, and sure becomes false then. If all names are refused, so is the call.
func (c *lowerer) forNames(arg ast.Expr, names []string, sure *bool, lower func()) [][]*ir.Stmt {
	out := make([][]*ir.Stmt, len(names))
	var first *Reason
	some := false
	for j, name := range names {
		body, why := c.forName(arg, name, lower)
		if why != nil {
			*sure = false
			if first == nil {
				first = why
			}
			continue
		}
		out[j], some = body, true
	}
	switch {
	case some:
	case first != nil:
		panic(first)
	default:
		refuseWith(arg, DeclareIt, "takes a name, and nothing with a name is declared")
	}
	return out
}

func (c *lowerer) forName(arg ast.Expr, name string, lower func()) (body []*ir.Stmt, why *Reason) {
	saved, effects, before := c.out, len(c.p.Effects), c.position
	labels, fn, file, at, where, known := c.labels, c.fn, c.file, c.at, c.where, c.hasValue
	if c.names == nil {
		c.names = map[ast.Expr]string{}
	}
	c.names[arg] = name
	defer func() {
		delete(c.names, arg)
		c.position = before
		switch r := recover().(type) {
		case nil:
		case *Reason:
			if r.whole || r.Text == tooLarge {
				panic(r)
			}
			c.out, c.p.Effects = saved, c.p.Effects[:effects]
			c.labels, c.fn, c.file, c.at, c.where, c.hasValue = labels, fn, file, at, where, known
			body, why = nil, r
		default:
			panic(r)
		}
	}()
	c.rare = true
	body = c.collect(func() { c.branching(lower) })
	if body == nil {
		body = []*ir.Stmt{}
	}
	return body, nil
}
