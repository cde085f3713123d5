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

---What ecs.grid takes.
---@class ecs.GridOptions
---@field component ecs.ComponentName
---@field x? string the field with the first coordinate, "x" if left out
---@field y? string the field with the second coordinate, "y" if left out
---@field cell number the width of a cell; the usual search radius is a good value
---@field carry? string a field, as in "Soldier.side", or a tag that native systems filter by

---What a script file may return instead of a function.
---@class ecs.System
---@field name? string in a list of several systems
---@field state? table plain data that survives a reload
---@field init? fun(world: ecs.World) once, before the first frame
---@field update? fun(world: ecs.World, dt: number) every frame
---@field on_reload? fun(old: table?) when the file has been replaced

`

// Definitions returns the LuaCATS definitions for scripts of a world: everything that scripts can call, and what the world declares. The world must have all
// declarations, so its scripts are loaded before. TestStub belongs beside the file.
func Definitions(w *ecs.World) string {
	d := newDeclared(w)
	var b strings.Builder
	b.WriteString(header)
	b.WriteString(fixed)
	d.write(&b)
	writeObject(&b, d, "ecs.Commands", "commands", "The command queue of a system.", nil, api.Commands, commandTexts())
	writeObject(&b, d, "ecs.World", "world", "The world of a script.", api.PropertyTexts, api.World, worldTexts())
	writeModule(&b, d)
	writeTests(&b, d)
	b.WriteString("return ecs\n")
	return b.String()
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
