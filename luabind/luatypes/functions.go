package luatypes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// This file writes one function. A function whose result or fields depend on the name that a call gives is written once for any name, and as an overload for
// each name that the world declares. world:each and world:first take any number of names: they are generic, and lua-language-server finds the class of each
// view by the name of its component.

// roleTypes are the types of arguments by role.
var roleTypes = map[api.Role]string{
	api.Entity: "ecs.Entity", api.Component: "ecs.PartName", api.Tag: "ecs.TagName", api.Event: "ecs.EventName", api.State: "ecs.StateName", api.Waiting: "integer|ecs.EventName", api.Relation: "ecs.RelationName",
	api.Grid: "ecs.GridName", api.Index: "ecs.IndexName", api.Prefab: "ecs.PrefabName", api.Filter: "ecs.TagName|ecs.Query", api.Query: "ecs.PartName|ecs.Query", api.Fields: "table", api.Parts: "ecs.Parts",
}

// A param is an argument with its final type.
type param struct {
	api.Param
	role api.Role
}

// params returns the arguments of a function with their types.
func params(f *api.Function, text api.Text) []param {
	var out []param
	for i, p := range text.List() {
		role := f.Role(i)
		if p.Name == "…" {
			p.Name, role = "...", f.Rest
		}
		if p.Type == "" {
			p.Type = roleTypes[role]
		}
		out = append(out, param{p, role})
	}
	return out
}

// function writes the definition of one function of object.
func (d *declared) function(b *strings.Builder, object, separator, name string, f *api.Function, text api.Text) {
	fmt.Fprintf(b, "---%s\n", text.Doc)
	if slices.ContainsFunc(text.Returns, func(r string) bool { return strings.Contains(r, api.Views) }) {
		d.writeGeneric(b, object, separator, name, text)
		return
	}
	list := params(f, text)
	if at := slices.IndexFunc(list, func(p param) bool { return p.role == api.Filter }); at >= 0 && strings.HasPrefix(text.Returns[0], "fun(") {
		before := ""
		for _, p := range list[:at] {
			before += p.Name + ": " + p.Type + ", "
		}
		result, _ := splitReturn(text.Returns[0])
		d.writeLoops(b, before, list[at].Name, "", result)
	}
	for _, line := range d.overloads(object, list, text) {
		fmt.Fprintf(b, "---@overload %s\n", line)
	}
	var names []string
	made := object == "ecs" && name == "query" && d.writeMade(b) // a signature of its own would fit, too, and say nothing
	for _, p := range list {
		names = append(names, p.Name)
		if made {
			continue
		}
		fmt.Fprintf(b, "---@param %s%s %s\n", p.Name, mark(p.Optional), p.Type)
	}
	for _, r := range text.Returns {
		if made {
			break
		}
		// Without a name that is known when the code is written, nothing is known of the view or event either.
		fmt.Fprintf(b, "---@return %s\n", resolved(r, "any", "any"))
	}
	fmt.Fprintf(b, "function %s%s%s(%s) end\n\n", object, separator, name, strings.Join(names, ", "))
}

func mark(optional bool) string {
	if optional {
		return "?"
	}
	return ""
}

// resolved replaces the types that depend on a name.
func resolved(text, view, message string) string {
	return strings.NewReplacer(api.View, view, api.Message, message).Replace(text)
}

// overloads returns a signature for each component or event, if the fields or the results depend on it.
func (d *declared) overloads(object string, list []param, text api.Text) []string {
	at := slices.IndexFunc(list, func(p param) bool { return p.role == api.Component || p.role == api.Event })
	takesFields := slices.ContainsFunc(list, func(p param) bool { return p.role == api.Fields })
	dependent := slices.ContainsFunc(text.Returns, func(r string) bool { return resolved(r, "", "") != r })
	if at < 0 || !takesFields && !dependent {
		return nil
	}
	var out []string
	add := func(name, class string) {
		parts := []string{"self: ecs." + strings.ToUpper(object[:1]) + object[1:]}
		for i, p := range list {
			switch {
			case i == at:
				p.Type = fmt.Sprintf("%q", name)
			case p.role == api.Fields:
				p.Type = class + ".Fields"
			}
			parts = append(parts, p.Name+mark(p.Optional)+": "+p.Type)
		}
		var results []string
		for _, r := range text.Returns {
			typ, _ := splitReturn(resolved(r, class, class))
			results = append(results, typ)
		}
		line := "fun(" + strings.Join(parts, ", ") + ")"
		if results != nil {
			line += ": " + strings.Join(results, ", ")
		}
		out = append(out, line)
	}
	if list[at].role == api.Component {
		for _, c := range d.components {
			add(c.name, d.class(c.name))
		}
	} else {
		for _, e := range d.events {
			add(e.name, eventClass(e.name))
		}
	}
	return out
}

// splitReturn separates the type of a result from its name, the last word.
func splitReturn(r string) (typ, name string) {
	i := strings.LastIndexByte(r, ' ')
	return r[:i], r[i+1:]
}

// mostViews is the number of components for which world:each and world:first give typed views.
const mostViews = 8

// writeGeneric writes world:each or world:first.
func (d *declared) writeGeneric(b *strings.Builder, object, separator, name string, text api.Text) {
	var generics, names, anys []string
	for i := range mostViews {
		generics = append(generics, string(rune('A'+i)))
		names = append(names, string(rune('a'+i)))
		anys = append(anys, "unknown")
	}
	result := func(entity string, views []string) string {
		all := entity + ", " + strings.Join(views, ", ")
		return strings.ReplaceAll(text.Returns[0], api.Views, all)
	}
	entity := "ecs.Entity"
	if text.Returns[0] == api.Views { // returned at once, and not by an iterator
		entity = "ecs.Entity?"
	}
	beginning, _, _ := strings.Cut(result(entity, anys), ",")
	d.writeLoops(b, "", "query", ", relation?: ecs.RelationName, target?: ecs.Entity", beginning)
	overload := strings.TrimSuffix(result(entity, anys), " next")
	fmt.Fprintf(b, "---@overload fun(self: ecs.World, query: ecs.Query, relation?: ecs.RelationName, target?: ecs.Entity): %s\n", overload)
	fmt.Fprintf(b, "---@generic %s\n", strings.Join(generics, ", "))
	for i, n := range names {
		fmt.Fprintf(b, "---@param %s%s `%s`|ecs.PartName\n", n, mark(i > 0), generics[i])
	}
	fmt.Fprintf(b, "---@param ... ecs.PartName|ecs.Entity\n")
	if text.Returns[0] == api.Views {
		fmt.Fprintf(b, "---@return %s e\n", entity)
		for _, g := range generics {
			fmt.Fprintf(b, "---@return %s\n", g)
		}
	} else {
		fmt.Fprintf(b, "---@return %s\n", result(entity, generics))
	}
	fmt.Fprintf(b, "function %s%s%s(%s, ...) end\n\n", object, separator, name, strings.Join(names, ", "))
}
