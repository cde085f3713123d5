package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	yaml := write("config/arena.yaml", "\ufeffversion: 1\nscripts: ../scripts\n")
	toml := write("config/arena.TOML", "version = 1\nscripts = '../scripts'\n")
	json := write("config/arena.json", `{"version": 1, "scripts": "../scripts/"}`)
	bare := write("config/bare", "version: 1\n")
	for path, want := range map[string]string{
		yaml: filepath.Join(dir, "scripts"),
		toml: filepath.Join(dir, "scripts"),
		json: filepath.Join(dir, "scripts"),
		bare: filepath.Join(dir, "config"),
	} {
		c, err := Load(path, Overrides{})
		if err != nil || c.Scripts.Dir != want {
			t.Errorf("%s: %v, %v, want the scripts in %s", path, c, err, want)
		}
	}
	large := write("other/large.yaml", strings.Repeat("# much\n", 200_000))
	empty := write("other/empty.yaml", "")
	folder := filepath.Join(dir, "config")
	for _, c := range []struct{ path, want string }{
		{"", ": no config file named; name one, as in config/arena.yaml"},
		{filepath.Join(dir, "config/aerna.yaml"), fmt.Sprintf(": no such file; did you mean %q?", yaml)},
		{filepath.Join(dir, "config/zzzzzzzzz"), ": no such file; check the path"},
		{filepath.Join(dir, "nowhere/a.yaml"), fmt.Sprintf(": no such file; there is no folder %q either", filepath.Join(dir, "nowhere"))},
		{folder, fmt.Sprintf(": this is a folder; name the config file in it, as in %q", toml)},
		{large, ": the file is larger than 1 MiB; is it a config?"},
		{empty, ":1:1: the config is empty; begin with version: 1"},
	} {
		c1, err := Load(c.path, Overrides{})
		if want := strings.TrimPrefix(c.path+c.want, ": "); c1 != nil || fmt.Sprint(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestScriptsFolder(t *testing.T) {
	absolute, err := filepath.Abs("elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, scripts, want string }{
		{"config/arena.yaml", "../scripts", "scripts"},
		{"arena.yaml", "scripts//lua/", filepath.Join("scripts", "lua")},
		{"arena.yaml", ".", "."},
		{"arena.yaml", absolute, absolute},
	} {
		got, err := Parse(c.name, fmt.Appendf(nil, "version: 1\nscripts: %s\n", c.scripts), YAML)
		if err != nil || got.Scripts.Dir != c.want || got.Scripts.Written != c.scripts {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

func TestInspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	const source = `version: 1
run: { seed: x, frames: 9 }
systems:
  - { name: move, script: move.lua, stage: lats }
  - { name: draw, script: draw.lua }
`
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Inspect(path, Overrides{Set: []string{"systems.darw.every=2"}})
	want := path + `:2:14: run.seed: whole number expected, got string "x"; write it in digits
` + path + `:4:44: systems[0].stage: unknown value "lats"; did you mean "last"?
--set systems.darw.every=2: no system "darw"; did you mean "draw"?`
	if fmt.Sprint(err) != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if c == nil || c.Run.Seed != 42 || c.Run.Frames != 9 || len(c.Systems) != 2 || c.Systems[0].Stage != StageUpdate || c.Systems[1].Script != "draw.lua" {
		t.Errorf("understood %+v", c)
	}
	if c, err := Inspect(path+"x", Overrides{}); c != nil || err == nil {
		t.Errorf("of no file: %v, %v", c, err)
	}
	if err := os.WriteFile(path, []byte("version: [1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := Inspect(path, Overrides{}); c != nil || err == nil {
		t.Errorf("of no YAML: %v, %v", c, err)
	}
}

// The worlds that ship beside this package load.
func TestShippedConfigs(t *testing.T) {
	paths, err := filepath.Glob("*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	for _, path := range paths {
		if _, err := Load(path, Overrides{}); err != nil {
			t.Error(err)
		}
	}
}
