package luatypes

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// LuacheckConfig returns a .luacheckrc: the globals of scripts, as their environment has them, and for files named *_test.lua also those of tests. It is a Lua
// file that luacheck runs.
func LuacheckConfig() string {
	var b strings.Builder
	b.WriteString(`-- For luacheck, written by ecsrun init: the globals of scripts and of tests.
std = "ecsrun"
max_line_length = 160
ignore = {
  "212", -- an unused argument: world, dt
  "213", -- an unused loop variable: every query loop begins with the entity
}
exclude_files = { "types" }

stds.ecsrun = {
  read_globals = {
`)
	globals(&b)
	b.WriteString("  },\n}\n\nstds.ecsrun_test = {\n  read_globals = {\n")
	for _, w := range api.TestWords {
		fmt.Fprintf(&b, "    %q,\n", w.Name)
	}
	for _, t := range api.TestTables {
		fmt.Fprintf(&b, "    %s = { fields = { %s }, other_fields = %t },\n", t.Name, fieldList(wordNames(t.Words)), t.Open != "")
	}
	words := fieldList(append(wordNames(api.Asserts), wordNames(api.AssertMethods)...))
	fmt.Fprintf(&b, "    assert = {\n      fields = {\n        %s,\n", words)
	for _, filler := range api.AssertFillers {
		fmt.Fprintf(&b, "        %s = { fields = { %s, no = { fields = { %s } }, Not = { fields = { %s } } } },\n", filler, words, words, words)
	}
	b.WriteString("      },\n    },\n  },\n}\n\nfiles[\"**/*_test.lua\"] = { std = \"ecsrun+ecsrun_test\" }\n")
	return b.String()
}

// globals writes the globals of a script's environment; a library is written with its fields.
func globals(b *strings.Builder) {
	env := sandbox.New(sandbox.Options{}).NewEnv(sandbox.EnvOptions{})
	known := append(env.Names(), "package", "require") // package script adds these
	slices.Sort(known)
	for _, name := range known {
		if name == "assert" { // without fields here, so that a test knows exactly those that are listed for it
			b.WriteString("    assert = { fields = {} },\n")
			continue
		}
		library, ok := env.Table.RawGetString(name).(*lua.LTable)
		if !ok || name == "_G" {
			fmt.Fprintf(b, "    %q,\n", name)
			continue
		}
		var fields []string
		for k, _ := library.Next(lua.LNil); k != lua.LNil; k, _ = library.Next(k) {
			fields = append(fields, k.String())
		}
		slices.Sort(fields)
		fmt.Fprintf(b, "    %s = { fields = { %s } },\n", name, fieldList(fields))
	}
}

func wordNames(list []api.Word) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.Name
	}
	return out
}

// fieldList writes names as a list of Lua strings.
func fieldList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
}
