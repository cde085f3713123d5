package luabind

import (
	"strings"
	"testing"
)

// namedCuts says what explain names for a row that only closures can do.
var namedCuts = map[string]string{
	`for e, p in world:each("P") do local t = {} t[p.k + 2] = p.x sum = sum + #t end`:        "each row makes a table (line 15)",
	`for e, p in world:each("P") do local t = {} t[p.k + 2] = p.x print(t[1]) end`:           "each row makes a table (line 15)",
	`for e, s in world:each("S") do s.name = s.name:gsub("s", "t") end`:                      "each row calls string.gsub (line 15)",
	`for e, p in world:each("P") do if p.k == 3 then local t = { e } sum = sum + #t end end`: "one row in ten or more makes a table (line 15)",
}

// machineTexts are loops over strings that are machine code.
var machineTexts = []string{
	`for e, s in world:each("S") do sum = sum + #s.name end`,
	`for e, s in world:each("S") do if s.name < "s5" then sum = sum + 1 end end`,
	`for e, s in world:each("S") do s.name = s.name .. "x" end`,
	`for e, p in world:each("P") do print(e) end`,
	`for e, p in world:each("P") do sum = sum + #tostring(p.x) end`,
	`for e, s in world:each("S") do sum = sum + (s.name):byte(1) end`,
	`local line = "" for e, p in world:each("P") do line = line .. "x" if #line > 5 then line = "" end sum = sum + #line end`,
	`local line for e, p in world:each("P") do if line == nil then line = "ab" end sum = sum + #line if p.k == 2 then line = nil end end`,
}

// Calls on strings are no reason for closures.
func TestMachineTexts(t *testing.T) {
	t.Parallel()
	for _, body := range machineTexts {
		reports, _ := explained(t, strings.Replace(presenceSource, "BODY", body, 1), 4)
		if got := reports[0]; got.Reason != "" || got.Closures != "" {
			t.Errorf("%s: %q %q, want machine code", body, got.Reason, got.Closures)
		}
	}
}

// Explain names what the row does, in the words of its author, and the way out.
func TestCutTexts(t *testing.T) {
	t.Parallel()
	for body, want := range namedCuts {
		reports, _ := explained(t, strings.Replace(presenceSource, "BODY", body, 1), 4)
		if got := reports[0]; got.Reason != "" || got.Closures != want+wayOut {
			t.Errorf("%s: %q %q, want %q", body, got.Reason, got.Closures, want+wayOut)
		}
	}
}

// The length of a variable that the loop assigns is that of what the variable holds: of a string, of a table, or an error.
func TestLengthsOfOuterVariables(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`for e, p in world:each("P") do sum = sum + #v v = v .. "x" if #v > 7 then v = "" end end`,
		`for e, p in world:each("P") do sum = sum + #v if p.x == 50 then v = nil end end`,
		`for e, p in world:each("P") do sum = sum + #v if p.x == 50 then v = { 1, 2 } end end`,
		`for e, p in world:each("P") do sum = sum + #v if p.x == 50 then v = 7 end end`,
		`for e, p in world:each("P") do if p.x > 3 then v = "ab" sum = sum + #v end end`,
		`for e, p in world:each("P") do if v and #v > 2 then sum = sum + #v end v = p.k > 1 and "abc" or nil end`,
		`for e, p in world:each("P") do if #v < 4 then v[#v + 1] = p.x else v = {} end end`,
	}
	for _, body := range append(bodies, machineTexts...) {
		for _, first := range []string{`""`, `"word"`, "nil", "{ 5, 6 }", "12", "world"} {
			source := strings.Replace(presenceSource, "BODY", "local v = "+first+" print(pcall(function() "+body+" end)) print(type(v), v == \"\", type(v) == \"string\" and v)", 1)
			sameCompiled(t, source, first+" "+body, byAny)
		}
	}
}
