package luatest

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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
  print(list(t))
end)`, Options{})
	if len(r.Results) != 1 || strings.TrimSpace(outcome(r)) != "ok lists" {
		t.Fatalf("%v", outcome(r))
	}
	words := slices.DeleteFunc(sortedNamesOf(loaded(t, "").words), func(name string) bool { return name == "assert" })
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
		{"global", words, append(slices.Clone(api.TestWords), tables...)},
		{"function of ecs.test", strings.Fields(r.Results[0].Output), api.TestModule},
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
	s := loaded(t, "")
	var methods []string
	for _, w := range api.AssertMethods {
		methods = append(methods, w.Name)
	}
	if bound := sortedNamesOf(s.assertFunctions()); !slices.Equal(bound, methods) {
		t.Errorf("each function of assert has a text in luabind/internal/host/api/testwords.go: described %v, bound %v", methods, bound)
	}
	described := map[string]bool{}
	for _, w := range api.Asserts {
		described[w.Name] = true
		if r := s.read(strings.Split(w.Name, "_")); !r.whole || r.found == nil && r.taker == "" {
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
		if r := s.read(strings.Split(strings.ToLower(filler), "_")); !r.whole || r.found != nil || r.taker != "" {
			t.Errorf("assert.%s is described as a modifier, and is none", filler)
		}
	}
	for word := range modifiers {
		if !keywords[word] && !slices.Contains(api.AssertFillers, word) {
			t.Errorf("the modifier %s is not in luabind/internal/host/api/testwords.go", word)
		}
	}
}

// loaded returns the suite of a file that has been loaded.
func loaded(t *testing.T, source string) *suite {
	t.Helper()
	fsys := fstest.MapFS{"a_test.lua": {Data: []byte(source)}}
	s := newSuite(context.Background(), File{"a_test.lua", fsys, "a_test.lua"}, &Options{})
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	return s
}
