package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Arguments that the functions of world, world.commands and ecs do not take.

func (c *checker) arguments(f *file) {
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok {
			return
		}
		c.libraryArguments(f, call)
		c.colon(f, call)
		c.orderOfQuery(f, call)
		prefix, fn, text := c.callee(f, call)
		if fn == nil {
			return
		}
		name := prefix + fn.Name
		if fn.Name == "on" {
			c.observes(f, call)
			return
		}
		c.count(f, call, name, fn, text)
		c.placeOf(f, call, name)
		switch prefix {
		case "layer:":
			c.cells(f, call, name)
		case "world.commands:":
			if fn.Name == "cancel" {
				c.cancels(f, call)
			}
		}
		for i, arg := range call.Args {
			if !c.argument(f, call, name, fn, text, i, arg) {
				return
			}
		}
	}})
}

// colon reports a function of a module that is called with a colon.
func (c *checker) colon(f *file, call *ast.FuncCallExpr) {
	if call.Method == "" {
		return
	}
	v := c.value(f, call.Receiver)
	prefix := map[alias.Kind]string{alias.Module: "ecs", alias.Log: "ecs.log"}[v.meaning.Kind]
	if v.sort == object && prefix != "" && surface.Object(prefix).Has(nil, call.Method) == nil {
		c.add("E205", f, call.Line(), fmt.Sprintf("%s:%s is called with a colon", prefix, call.Method), fmt.Sprintf("write %s.%s(…)", prefix, call.Method))
	}
}

// count reports too few arguments, and too many.
func (c *checker) count(f *file, call *ast.FuncCallExpr, name string, fn *api.Function, text api.Text) {
	needs := 0
	for i, p := range text.List() {
		if p.Optional || p.Name == "…" || fn.Role(i) == api.Parts || fn.Role(i) == api.Fields || name == "world:set" && i == 2 {
			break
		}
		needs++
	}
	if fn.Rest == api.Component || fn.Rest == api.Tag {
		needs++
	}
	if len(call.Args) < needs && !several(call.Args) {
		c.add("E205", f, call.Line(), fmt.Sprintf("%s needs %d %s, and gets %d", name, needs, plural(needs, "argument"), len(call.Args)), form(name, text))
		return
	}
	if fn.Rest != api.Nothing {
		return
	}
	for _, arg := range call.Args[min(len(fn.Args), len(call.Args)):] {
		v := c.value(f, arg)
		if v.is(boolean, number, str, table, function, thread) || v.sort == object && v.meaning.Kind != alias.View {
			c.add("E205", f, call.Line(), fmt.Sprintf("%s takes at most %d %s", name, len(fn.Args), plural(len(fn.Args), "argument")), form(name, text))
			return
		}
	}
}

// form shows how a function is called.
func form(name string, text api.Text) string {
	params := strings.ReplaceAll(text.Params, "?", "")
	if strings.HasSuffix(params, "…") {
		params = strings.TrimSuffix(params, "…") + `"Name", …`
	}
	return fmt.Sprintf("write %s(%s)", name, params)
}

// refusesRelations are the functions that take components and no relations, by what takes relations instead.
var refusesRelations = map[string]string{
	"world:add": "world:relate", "world:set": "world:relate", "world:get": "world:related",
	"world.commands:add": "world.commands:relate", "world.commands:set": "world.commands:relate",
}

// argument reports an argument of a wrong sort, and then returns false.
func (c *checker) argument(f *file, call *ast.FuncCallExpr, name string, fn *api.Function, text api.Text, i int, arg ast.Expr) bool {
	v := c.value(f, arg)
	if v.sort == unknown {
		return true
	}
	wants, ok := "", true
	switch role := fn.Role(i); role {
	case api.Entity:
		wants, ok = "an entity", v.sort == number
	case api.Component, api.Tag, api.Event, api.Relation, api.Grid, api.Index, api.Prefab:
		kinds := map[api.Role]string{api.Component: "the name of a component", api.Tag: "the name of a tag", api.Event: "the name of an event", api.Relation: "the name of a relation", api.Grid: "the name of a grid", api.Index: "the name of an index", api.Prefab: "the name of a prefab"}
		wants, ok = kinds[role], v.sort == str
		if instead := refusesRelations[name]; ok && v.text != nil && instead != "" {
			if _, relation := c.World.LookupRelation(*v.text); relation {
				c.add("E205", f, arg.Line(), fmt.Sprintf("%q is a relation", *v.text), "use "+instead)
				return false
			}
		}
	case api.Filter:
		wants, ok = "the name of a tag, or a query", v.is(str, nothing) || v.meaning.Kind == alias.Query
	case api.Query:
		if v.sort == table && i > 0 && i == len(call.Args)-1 && (name == "world:each" || name == "world:first") {
			return c.orderOf(f, call, name)
		}
		wants, ok = "the name of a component, or a query", v.is(str, nothing) || v.meaning.Kind == alias.Query || i > 0 && v.sort == number || i > 0 && name == "world:count" && v.sort == nothing
		if v.sort == nothing {
			ok = i > 0
		}
	case api.Waiting:
		wants, ok = "the number of a waiting event, or the name of an event", v.is(number, str)
	case api.Fields:
		wants, ok = "a table of fields", v.is(table, nothing)
	case api.Parts:
		wants, ok = "a table", v.is(table, nothing)
	case api.Value:
		wants, ok = c.typed(name, text, i, v)
		if ok && name == "world.commands:send" {
			return c.whenOf(f, arg)
		}
	case api.Nothing:
		return true
	}
	if ok {
		return true
	}
	fix := v.advice
	if v.sort == table || v.sort == object && fix == "" || v.sort == str {
		fix = form(name, text)
	}
	if added, ok := strings.CutSuffix(name, "add"); ok && v.sort == table && i > 1 {
		if component := c.value(f, call.Args[i-1]); component.text != nil {
			fix = fmt.Sprintf("write %sset(e, %q, { … }), which adds the component with these fields", added, *component.text)
		}
	}
	c.unfit(f, arg, v, fmt.Sprintf("argument %d of %s", i+1, name), wants, fix)
	return false
}

// typed reports whether an argument that is no name may have the value, and what it should be otherwise.
func (c *checker) typed(name string, text api.Text, i int, v value) (wants string, ok bool) {
	list := text.List()
	if i >= len(list) {
		return "", true
	}
	optional := v.sort == nothing && list[i].Optional
	switch t := list[i].Type; {
	case t == "number" || t == "integer":
		return "a number", v.sort == number || optional
	case strings.HasPrefix(t, "fun("):
		return "a function", v.sort == function || optional
	case strings.HasPrefix(t, "{"):
		return "a table", v.sort == table || optional
	case t == "ecs.World":
		return "the world", v.meaning.Kind == alias.World
	case name == "ecs.fields":
		return "a view or an event", slices.Contains([]alias.Kind{alias.View, alias.Event}, v.meaning.Kind)
	case strings.HasPrefix(t, "table<") && strings.HasPrefix(name, "ecs.log."):
		return "a table", v.sort == table || optional
	}
	return "", true
}
