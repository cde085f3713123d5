package luatest

import (
	"strings"
	"testing"
)

// What a script does with failed assertions never ends the process, nor the texts of the next test.
func TestTextsWithinLimits(t *testing.T) {
	r := run(t, `
it("spends all", function() while true do pcall(assert.equal, 1, 2) end end)
it("is too deep", function()
  local function deeper() local ok, text = pcall(deeper) assert.equal(1, 2) end
  deeper()
end)
it("shows what leads to itself", function()
  local t = {}
  for i = 1, 9 do t[i] = t end
  assert:set_parameter("TableFormatLevel", -1)
  local ok, text = pcall(assert.equal, t, 5)
  assert:set_parameter("TableFormatLevel", 3)
  assert(#text < 2e6)
end)
it("has a formatter that fails", function()
  local snapshot = assert:snapshot()
  finally(function() snapshot:revert() end)
  assert:add_formatter(function() error("no form") end)
  assert.equal(1, 2)
end)
it("has texts", function() assert.matches("Expected objects to be equal.\nPassed in:\n%(number%) 2", select(2, pcall(assert.equal, 1, 2))) end)
`, Options{Instructions: 3_000_000})
	got := outcome(r)
	for _, line := range []string{
		"FAIL spends all: a_test.lua:2: more than 3,000,000 instructions (limits.instructions); is there an endless loop?",
		"FAIL is too deep: a_test.lua:4: ", "ok shows what leads to itself", "FAIL has a formatter that fails: a_test.lua:18: no form", "ok has texts",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}
