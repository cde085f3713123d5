package config

import (
	"os"
	"testing"
)

// FuzzParse holds that any bytes give a config that is valid, or problems with a
// position and a hint; never both, never neither, never a panic.
func FuzzParse(f *testing.F) {
	formats := []Format{YAML, TOML, JSON}
	for i, path := range []string{"testdata/full.yaml", "testdata/full.toml", "testdata/full.json"} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint8(i), "run.seed=7", "ECSRUN_LOG_LEVEL=warn")
	}
	f.Add([]byte(overridable), uint8(0), "systems.a.b-c.impl=lua", "ECSRUN_RUN_SEDE=3")
	f.Add([]byte("version: 1\ntags: [&a x, *a]\n<<: {}\n? [b]\n: !!str 1\n"), uint8(0), "resources.", "ECSRUN_=")
	f.Add([]byte("a: \"\\q\"\n\t- b"), uint8(0), "=", "=")
	f.Add([]byte("a.b.c = 1\n[[a]]\n[a.b]\nd = {e = [1979-05-27]}"), uint8(1), "systems..", "ECSRUN_LIMITS_MEMORY=1KiB")
	f.Fuzz(func(t *testing.T, data []byte, format uint8, set, env string) {
		c, err := ParseWith("c", data, formats[format%3], Overrides{Set: []string{set}, Env: []string{env}})
		if (c == nil) == (err == nil) {
			t.Fatalf("config %v and error %v", c, err)
		}
		if err != nil {
			checkProblems(t, err)
			return
		}
		before := plainly(c)
		if err := c.Validate(); err != nil {
			t.Errorf("loaded and not valid: %v", err)
		}
		if after := plainly(c); after != before {
			t.Errorf("Validate changed it from %s to %s", before, after)
		}
	})
}
