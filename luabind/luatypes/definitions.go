package luatypes

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// This file puts the definitions together: first what the world declares, then the functions of scripts, then those of tests.

const header = `---@meta ecs
-- Written by ecsrun types. Do not change this file: ecsrun types writes it anew.
-- It tells lua-language-server what scripts can call, and what this config and its scripts declare.

`

// fixed are the types that do not depend on a world.
const fixed = `---An opaque number that names an entity. Compare it with ==, use it as a key, store it in entity fields.
---@class ecs.Entity: integer

---Live access to one component of one entity. ecs.fields(view) makes a plain table of it.
---@class ecs.View

---A reusable query, from ecs.query.
---@class ecs.Query

---What ecs.query takes: the list part names required components, in the order in which a loop yields them.
---@class ecs.QueryTerms
---@field [integer] ecs.PartName
---@field optional? ecs.PartName[] yielded after the list part; nil if the entity lacks one
---@field without? ecs.PartName[] none of these
---@field any? ecs.PartName[] at least one of these
---@field tagged? ecs.TagName[] all of these tags
---@field untagged? ecs.TagName[] none of these tags
---@field changed? ecs.ComponentName[] at least one was written since this system last ran
---@field added? ecs.ComponentName[] at least one was added since this system last ran
---@field prefabs? boolean the entities of prefabs, too
---@field order? string|string[] the order of loops: "Foe.seq", "-Foe.seq", a list of such fields, or "random"

---What ecs.grid takes.
---@class ecs.GridOptions
---@field component ecs.ComponentName
---@field x? string the field with the first coordinate, "x" if left out
---@field y? string the field with the second coordinate, "y" if left out
---@field cell? number the width of a cell; the usual search radius is a good value; left out, about one entity in each cell
---@field query? ecs.Query only entities that match it; judged when the grid is built
---@field carry? string a field, as in "Soldier.side", or a tag that native systems filter by

---What ecs.layer takes.
---@class ecs.LayerOptions
---@field type ecs.FieldType a number type, "bool" or "entity"
---@field width integer
---@field height integer
---@field wrap? boolean beyond an edge the other side follows
---@field default? number|boolean the first value of each cell

---What ecs.index takes.
---@class ecs.IndexOptions
---@field component ecs.ComponentName
---@field fields string[] one to four fields of integers, strings or entities
---@field width? integer with height: the area of two integer fields
---@field height? integer
---@field wrap? boolean beyond an edge the other side follows

---What ecs.prefab takes.
---@class ecs.PrefabOptions
---@field base? ecs.PrefabName what it has besides
---@field components? ecs.Parts components with values of their fields
---@field tags? ecs.TagName[]
---@field children? ecs.PrefabChild[]

---A child of a prefab.
---@class ecs.PrefabChild: ecs.PrefabOptions
---@field name string unlike those of its siblings

---What a script file may return instead of a function.
---@class ecs.System
---@field name? string in a list of several systems
---@field state? table plain data that survives a reload
---@field init? fun(world: ecs.World) once, before the first frame
---@field update? fun(world: ecs.World, dt: number) every frame
---@field on_reload? fun(old: table?) when the file has been replaced

`

// Definitions returns the LuaCATS definitions for scripts of a world: everything that scripts can call, what the world declares, and what loops over the
// scripts' queries yield. The world must have all declarations, so its scripts are loaded before. TestStub belongs beside the file.
func Definitions(w *ecs.World, queries ...api.Terms) string {
	d := newDeclared(w)
	d.queries = queries
	var b strings.Builder
	b.WriteString(header)
	b.WriteString(fixed)
	writeBit(&b)
	d.write(&b)
	writeObject(&b, d, "ecs.Commands", "commands", "The command queue of a system.", nil, api.Commands, commandTexts())
	writeObject(&b, d, "ecs.Layer", "layer", "A layer: a grid of numbers, booleans or entities.", nil, api.Layer, textsOf("layer:"))
	writeObject(&b, d, "ecs.World", "world", "The world of a script.", api.PropertyTexts, api.World, worldTexts())
	writeModule(&b, d)
	writeTests(&b, d)
	b.WriteString("return ecs\n")
	return b.String()
}

// writeBit writes the library bit, which Lua 5.1 of lua-language-server does not have.
func writeBit(b *strings.Builder) {
	b.WriteString("---Operations on the bits of whole numbers, which are taken modulo 2^32; results are signed.\n---@class ecs.bit\nbit = {}\n\n")
	for _, f := range []struct{ name, params, result string }{
		{"arshift", "x n", "integer"},
		{"band", "x ...", "integer"},
		{"bnot", "x", "integer"},
		{"bor", "x ...", "integer"},
		{"bswap", "x", "integer"},
		{"bxor", "x ...", "integer"},
		{"lshift", "x n", "integer"},
		{"rol", "x n", "integer"},
		{"ror", "x n", "integer"},
		{"rshift", "x n", "integer"},
		{"tobit", "x", "integer"},
		{"tohex", "x n?", "string"},
	} {
		names := strings.Fields(f.params)
		for i, name := range names {
			fmt.Fprintf(b, "---@param %s integer\n", name)
			names[i] = strings.TrimSuffix(name, "?")
		}
		fmt.Fprintf(b, "---@return %s\nfunction bit.%s(%s) end\n\n", f.result, f.name, strings.Join(names, ", "))
	}
}

// TestStub returns the file that makes require("ecs.test") known. Its types are in Definitions.
func TestStub() string {
	return `---@meta ecs.test
-- Written by ecsrun types. It makes require("ecs.test") known; its types stand in the other file.

---@type ecs.test
local t
return t
`
}

func worldTexts() map[string]api.Text   { return textsOf("world:") }
func commandTexts() map[string]api.Text { return textsOf("world.commands:") }

// textsOf returns the texts of the object with a prefix.
func textsOf(prefix string) map[string]api.Text {
	for _, o := range api.Objects {
		if o.Prefix == prefix {
			return o.Texts
		}
	}
	panic("luatypes: no object " + prefix)
}

// writeModule writes the module ecs and ecs.log.
func writeModule(b *strings.Builder, d *declared) {
	writeObject(b, d, "ecs.log", "log", "The log of the run, on stderr.", nil, api.Log, textsOf("ecs.log."))
	constants := []api.Constant{api.NoneValue, {Name: "log", Type: "ecs.log", Doc: "The log of the run, on stderr."}}
	writeObject(b, d, "ecs", "ecs", "The module of scripts.", constants, api.Module, textsOf("ecs."))
	d.function(b, "ecs", ".", "random", &api.Function{Name: "random"}, api.RandomText)
}

// writeObject writes a class with its values and functions. local is the name of the variable that holds the functions.
func writeObject(b *strings.Builder, d *declared, class, local, doc string, values []api.Constant, list []api.Function, texts map[string]api.Text) {
	fmt.Fprintf(b, "---%s\n---@class %s\n", doc, class)
	for _, v := range values {
		fmt.Fprintf(b, "---@field %s %s %s\n", v.Name, v.Type, v.Doc)
	}
	fmt.Fprintf(b, "local %s = {}\n\n", local)
	for i := range list {
		d.function(b, local, separator(class), list[i].Name, &list[i], texts[list[i].Name])
	}
}

// separator returns what stands between an object and its functions: world has methods, a module has functions.
func separator(class string) string {
	if class == "ecs" || class == "ecs.log" {
		return "."
	}
	return ":"
}
