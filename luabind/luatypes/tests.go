package luatypes

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// This file writes the module ecs.test, and the globals of test files.

const worldSpec = `---What t.world takes: a config beside the test, or the parts of one.
---@class ecs.test.WorldSpec
---@field config? string the path of a config file, relative to the test file
---@field systems? string[]|table[] with a config: the names of the systems to keep; without one: entries as in a config
---@field seed? integer the seed of the world's random streams
---@field set? string[] settings as for --set: "resources.units=100"
---@field input? string a file beside the test, with lines of JSON that are done to the world before the frames that they name
---@field components? table[]
---@field tags? string[]
---@field relations? (string|{ name: string, targets: "one"|"many" })[]
---@field events? table[]
---@field resources? table[]
---@field layers? table[]
---@field data? table[] data files, relative to the test file
---@field states? table[]
---@field prefabs? table[]
---@field indexes? table[]
---@field scripts? string the script folder, relative to the test file

---A generator of t.property.
---@class ecs.test.Generator

---The state of a world, as t.snapshot returns it.
---@class ecs.test.Snapshot

---A table that can be called, as t.spy makes it.
---@class ecs.test.Spy
---@overload fun(...: any): ...: any
---@field count integer the number of calls
---@field calls table[] the arguments of each call, with their number as n
---@field returns table[] what each call has returned, with the number of values as n
local spied = {}

---Forgets the calls. Returns the spy.
---@return ecs.test.Spy spy
function spied:clear() end

---Puts back what the spy stands in place of.
---@return any replaced
function spied:revert() end

---Reports whether the spy was called so often; without a number, whether it was called.
---@param number? integer
---@return boolean yes
---@return integer count
function spied:called(number) end

---A spy that stub makes.
---@class ecs.test.Stub: ecs.test.Spy
---@field returns fun(...: any): ecs.test.Stub from now on, the stub returns these values
---@field invokes fun(fn: function): ecs.test.Stub from now on, the stub calls the function
---@field by_default { returns: (fun(...: any): ecs.test.Stub), invokes: (fun(fn: function): ecs.test.Stub) }
---@field on_call_with fun(...: any): { returns: (fun(...: any): ecs.test.Stub), invokes: (fun(fn: function): ecs.test.Stub) }

`

func writeTests(b *strings.Builder, d *declared) {
	b.WriteString(worldSpec)
	b.WriteString("---A world of a test: the world of scripts, and what runs it.\n---@class ecs.test.World: ecs.World\nlocal tested = {}\n\n")
	d.words(b, "tested:", api.TestWorld)
	b.WriteString("---The module of tests.\n---@class ecs.test\nlocal tests = {}\n\n")
	d.words(b, "tests.", api.TestModule)
	b.WriteString("---Assertions. assert itself works as in Lua.\n---@class ecs.test.Assert\n---@overload fun(value: any, message?: any, ...: any): any\n")
	for _, filler := range api.AssertFillers {
		fmt.Fprintf(b, "---@field %s ecs.test.Assert\n", filler)
	}
	b.WriteString("assert = {}\n\n")
	d.words(b, "assert.", api.Asserts)
	d.words(b, "assert:", api.AssertMethods)
	d.words(b, "", api.TestWords)
	for _, t := range api.TestTables {
		fmt.Fprintf(b, "---%s\n---@class ecs.test.words.%s\n", t.Doc, t.Name)
		for _, call := range t.Call {
			fmt.Fprintf(b, "---@overload %s\n", call)
		}
		if t.Open != "" {
			fmt.Fprintf(b, "---@field [string] %s\n", t.Open)
		}
		fmt.Fprintf(b, "%s = {}\n\n", t.Name)
		d.words(b, t.Name+".", t.Words)
	}
}

// words writes functions that package api lists for tests. The names of arguments and their types are all in the text.
func (d *declared) words(b *strings.Builder, prefix string, list []api.Word) {
	for _, w := range list {
		d.function(b, prefix, "", w.Name, &api.Function{Name: w.Name}, w.Text)
	}
}
