package main

import (
	"slices"
	"strings"
	"testing"
)

const benched = `{"warm_up": 1, "frames": 4, "repeat": 2, "systems": [
	{"system": "move", "turns": 4, "implementations": [{"impl": "lua", "ns_per_turn": 2e6}, {"impl": "auto", "ns_per_turn": 4000}]},
	{"system": "append", "turns": 2, "implementations": [{"impl": "lua", "ns_per_turn": 2e6}, {"impl": "auto", "ns_per_turn": 100000}]},
	{"system": "print_rare", "turns": 4, "implementations": [{"impl": "lua", "ns_per_turn": 2e6}, {"impl": "auto", "ns_per_turn": 4200}]}]}`

func TestConstructLines(t *testing.T) {
	report, err := readReport(benched)
	if err != nil {
		t.Fatal(err)
	}
	lua, err := plainTimes("move     20.0\nappend   25\n")
	if err != nil {
		t.Fatal(err)
	}
	lines, met, barred := constructLines(report, lua, nil)
	want := []string{
		"| move | 2 | 20 | – | 0.10 × | – | ≤ impl lua | met |",
		"| append | 50 | 25 | – | 2.00 × | – | ≤ 40 | **missed** |",
		"| print_rare | 2.1 | – | – | – | – | as move | met |",
	}
	if !slices.Equal(lines, want) || met != 2 || barred != 3 {
		t.Errorf("%d of %d:\n%s\nwant 2 of 3:\n%s", met, barred, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if got, want := report.frame("auto"), (4*4000+2*100000+4*4200)/4/1e6; got != want {
		t.Errorf("a frame takes %g ms, want %g", got, want)
	}
}

func TestModLine(t *testing.T) {
	for _, c := range []struct {
		m    modTimes
		want string
	}{
		{modTimes{"a", 2, 4, 1, "3 of 3", false}, "| a | 2 | 4 | 1 | 0.50 × | 2.00 × | ≤ 1 × lua5.4 | met | 3 of 3 |"},
		{modTimes{"a", 5, 4, 0, "–", false}, "| a | 5 | 4 | – | 1.25 × | – | ≤ 1 × lua5.4 | **missed** | – |"},
		{modTimes{"a", 5, 0, 0, "–", false}, "| a | 5 | – | – | – | – | ≤ 1 × lua5.4 |  | – |"},
		{modTimes{"a", 2, 4, 0, "**2 of 3; not** A.x", true}, "| a | 2 | 4 | – | 0.50 × | – | ≤ 1 × lua5.4 | **differs** | **2 of 3; not** A.x |"},
	} {
		if got := c.m.line(); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.m, got, c.want)
		}
	}
}

func TestReadTimesRefusesOtherText(t *testing.T) {
	if v, err := frameTime("1.25 ms per frame\n"); v != 1.25 || err != nil {
		t.Errorf("%g, %v", v, err)
	}
	for _, text := range []string{"", "1.25", "x ms per frame"} {
		if _, err := frameTime(text); err == nil {
			t.Errorf("frameTime takes %q", text)
		}
	}
	for _, text := range []string{"move\n", "move x\n"} {
		if _, err := plainTimes(text); err == nil {
			t.Errorf("plainTimes takes %q", text)
		}
	}
}

func TestSums(t *testing.T) {
	plain, err := readSums("frames 30\ntolerance 0.01\nsum A.x 100\nsum A.y 0\nsum resources.n 5\n")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := readSums("it is summer\nsum A.x 100.5\nsum A.y 0\nsum resources.n 6\n")
	if err != nil {
		t.Fatal(err)
	}
	if bad := plain.differing(mod); !slices.Equal(bad, []string{"resources.n"}) {
		t.Errorf("differing: %q", bad)
	}
	if bad := mod.differing(sums{}); len(bad) != 3 {
		t.Errorf("of a mod without sums differ %q, want all", bad)
	}
	if _, err := readSums("it is summer\n"); err == nil {
		t.Error("no sums are accepted")
	}
	want := `local weigh = require("twin_weigh")
return function(world)
  local sum
  sum = 0
  for e, c in world:each("A") do sum = sum + weigh(c.x) end
  print(string.format("sum A.x %.17g", sum))
  sum = weigh(world.resources.n)
  print(string.format("sum resources.n %.17g", sum))
end
`
	if got := (sums{keys: []string{"A.x", "resources.n"}}).script(); got != want {
		t.Errorf("script:\n%s", got)
	}
}
