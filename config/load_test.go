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
