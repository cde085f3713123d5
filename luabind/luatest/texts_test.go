package luatest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// The words of tests are those that package api describes, and each stands in docs/testing.md.
func TestWordsAreDescribed(t *testing.T) {
	r := run(t, `
local t = require("ecs.test")
local function list(of)
  local names = {}
  for k in pairs(of) do names[#names + 1] = k end
  table.sort(names)
  return table.concat(names, " ")
end
it("lists", function()
  print(list(_G))
  print(list(t))
end)`, Options{})
	if len(r.Results) != 1 || strings.TrimSpace(outcome(r)) != "ok lists" {
		t.Fatalf("%v", outcome(r))
	}
	lines := strings.Split(strings.TrimSpace(r.Results[0].Output), "\n")
	var globals []string
	for name := range strings.FieldsSeq(lines[0]) {
		if !slices.Contains(luaGlobals, name) {
			globals = append(globals, name)
		}
	}
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	var tables []api.Word
	for _, table := range api.TestTables {
		tables = append(tables, api.Word{Name: table.Name})
	}
	for _, c := range []struct {
		what  string
		bound []string
		texts []api.Word
	}{
		{"global", globals, append(slices.Clone(api.TestWords), tables...)},
		{"function of ecs.test", strings.Fields(lines[1]), api.TestModule},
	} {
		var described []string
		for _, w := range c.texts {
			described = append(described, w.Name)
			if !strings.Contains(string(page), w.Name) {
				t.Errorf("docs/testing.md does not name the %s %s", c.what, w.Name)
			}
		}
		slices.Sort(described)
		if !slices.Equal(described, c.bound) {
			t.Errorf("each %s has a text in luabind/internal/host/api/testwords.go: described %v, bound %v", c.what, described, c.bound)
		}
	}
}

// Each word that package api lists for assert can be used, and each assertion and modifier is among them; those that
// are keywords of Lua with is_ before them.
func TestWordsOfAssertAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, w := range api.Asserts {
		described[w.Name] = true
		to, found, ok := chain{}.next(w.Name)
		if !ok || found == nil && to.taker == "" {
			t.Errorf("assert.%s is described, and is no assertion", w.Name)
		}
		if !strings.Contains(string(page), w.Name) {
			t.Errorf("docs/testing.md does not name assert.%s", w.Name)
		}
	}
	for name := range assertions {
		if keywords[name] {
			name = "is_" + name
		}
		if !described[name] {
			t.Errorf("assert.%s has no text in luabind/internal/host/api/testwords.go", name)
		}
	}
	for _, filler := range api.AssertFillers {
		if _, found, ok := (chain{}).next(filler); !ok || found != nil {
			t.Errorf("assert.%s is described as a modifier, and is none", filler)
		}
	}
	for word := range modifiers {
		if !keywords[word] && !slices.Contains(api.AssertFillers, word) {
			t.Errorf("the modifier %s is not in luabind/internal/host/api/testwords.go", word)
		}
	}
}

// luaGlobals are the globals of every script, which tests have, too.
var luaGlobals = []string{
	"_G", "_VERSION", "assert", "collectgarbage", "coroutine", "error", "getmetatable", "ipairs", "math", "next", "pairs", "pcall", "print", "rawequal", "rawget",
	"rawset", "require", "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "unpack", "xpcall",
}
