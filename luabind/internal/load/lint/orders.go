package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/yuin/gopher-lua/ast"
)

// Orders of loops: { order = "Foe.seq" } as the last argument of world:each and world:first, or in ecs.query.

// orderOf reports a mistake in the last table of a loop, and then returns false.
func (c *checker) orderOf(f *file, call *ast.FuncCallExpr, name string) bool {
	last := len(call.Args) - 1
	t := f.names.Constructor(call.Args[last])
	if t == nil {
		return true
	}
	for _, field := range t.Fields {
		if key, named := field.Key.(*ast.StringExpr); !named || key.Value != "order" {
			c.add("E205", f, call.Args[last].Line(), fmt.Sprintf("the last table of %s has order only; components are listed one by one in front of it", name), "write { order = \"Foe.seq\" }, with - in front of it for the other direction, or { order = \"random\" }")
			return false
		}
		asked := f.names.Asked(call.Args[:last])
		if v := c.value(f, call.Args[0]); v.meaning.Kind != alias.Query && asked != nil && !asked.Whole { // a name that is computed, or a relation
			asked = nil
		}
		if !c.ordered(f, field.Value, asked) {
			return false
		}
	}
	return true
}

// orderOfQuery reports a mistake in the order of a call of ecs.query.
func (c *checker) orderOfQuery(f *file, call *ast.FuncCallExpr) {
	t, ok := f.names.IsQuery(call)
	if !ok || t == nil {
		return
	}
	for _, field := range t.Fields {
		if key, named := field.Key.(*ast.StringExpr); named && key.Value == "order" {
			c.ordered(f, field.Value, f.names.Table(t))
		}
	}
}

// ordered reports an order that a loop cannot have, and then returns false. asked is what the loop asks for; nil if that is not known.
func (c *checker) ordered(f *file, e ast.Expr, asked *alias.Ask) bool {
	var required func(ecs.ComponentID) bool
	if asked != nil && asked.Listed && len(asked.All) > 0 {
		required = func(id ecs.ComponentID) bool {
			return slices.ContainsFunc(asked.All, func(name *ast.StringExpr) bool {
				one, ok := c.World.LookupComponent(name.Value)
				return ok && one == id
			})
		}
	}
	list := []ast.Expr{e}
	if t := c.list(f, e); t != nil {
		list = nil
		for _, field := range t.Fields {
			if field.Key == nil {
				list = append(list, field.Value)
			}
		}
		if len(t.Fields) == 0 && e == ast.Expr(t) {
			c.add("E205", f, e.Line(), "the list of order is empty", `write { "Foe.kind", "-Foe.seq" }`)
			return false
		}
	}
	for _, one := range list {
		v := c.value(f, one)
		if one == e && v.sort == table { // a list of which the source does not show what it has
			return true
		}
		if v.is(boolean, number, table, function, thread, object) {
			c.add("E205", f, one.Line(), fmt.Sprintf("order is a field, not %s", v.shown()), `write "Foe.seq" or "-Foe.seq", a list of such fields, or "random"`)
			return false
		}
		if v.text == nil || len(list) == 1 && *v.text == "random" {
			continue
		}
		if err := surface.CheckOrder(c.World, *v.text, required); err != nil {
			code := "E205"
			if errors.Is(err, ecs.ErrUnknown) {
				code = "E202"
			}
			c.add(code, f, one.Line(), err.Error(), "")
			return false
		}
	}
	return true
}
