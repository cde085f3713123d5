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
