package config

import "testing"

func TestPath(t *testing.T) {
	for _, c := range []struct{ path, around, fromOne string }{
		{"", "", ""},
		{"run", "", "run"},
		{"run.seed", "run", "run.seed"},
		{"systems[0]", "systems", "systems[1]"},
		{"systems[9].after[0]", "systems[9].after", "systems[10].after[1]"},
		{index(join("spawn[2].components", step("a[3].b")), 4), `spawn[2].components."a[3].b"`, `spawn[3].components."a[3].b"[5]`},
		{join("log", step(`say "[0]"`)), "log", `log."say \"[0]\""`},
		{step("a b"), "", `"a b"`},
	} {
		if got := enclosing(c.path); got != c.around {
			t.Errorf("around %s is %q, want %q", c.path, got, c.around)
		}
		if got := (&Problem{Path: c.path}).PathFromOne(); got != c.fromOne {
			t.Errorf("%s from one is %q, want %q", c.path, got, c.fromOne)
		}
	}
}
