package luatest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/api"
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
  print(list(assert))
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
	for _, c := range []struct {
		what  string
		bound []string
		texts []api.Word
		other []string
	}{
		{"global", globals, api.TestWords, nil},
		{"function of ecs.test", strings.Fields(lines[1]), api.TestModule, nil},
		{"word of assert", strings.Fields(lines[2]), api.Asserts, api.AssertFillers},
	} {
		described := slices.Clone(c.other)
		for _, w := range c.texts {
			described = append(described, w.Name)
			if !strings.Contains(string(page), w.Name) {
				t.Errorf("docs/testing.md does not name the %s %s", c.what, w.Name)
			}
		}
		slices.Sort(described)
		if !slices.Equal(described, c.bound) {
			t.Errorf("each %s has a text in luabind/internal/api/testwords.go: described %v, bound %v", c.what, described, c.bound)
		}
	}
}

// luaGlobals are the globals of every script, which tests have, too.
var luaGlobals = []string{
	"_G", "_VERSION", "assert", "collectgarbage", "coroutine", "error", "getmetatable", "ipairs", "math", "next", "pairs", "pcall", "print", "rawequal", "rawget",
	"rawset", "require", "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "unpack", "xpcall",
}
