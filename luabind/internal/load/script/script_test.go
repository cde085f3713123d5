package script

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/config/suggest"
)

func folder(files ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		out[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return out
}

// Two units of one text are equal in what they know, and share nothing that changes.
func TestUnitTwice(t *testing.T) {
	const text = `return function(world) for e, p in world:each("Position") do p.x = 1 end for e in world:removed("Health") do end end`
	a, err := Compile("a.lua", "a.lua", text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Compile("a.lua", "a.lua", text)
	if err != nil {
		t.Fatal(err)
	}
	if a == b || a.Code == b.Code || a.Loops == b.Loops {
		t.Error("they are one")
	}
	if fmt.Sprint(a.Mentions) != fmt.Sprint(b.Mentions) || fmt.Sprint(a.Removals) != fmt.Sprint(b.Removals) || len(a.Mentions) != 3 {
		t.Errorf("mentions %v, %v; removals %v, %v", a.Mentions, b.Mentions, a.Removals, b.Removals)
	}
	if len(a.Loops.Loops) != 1 || len(b.Loops.Loops) != 1 {
		t.Errorf("%d and %d loops", len(a.Loops.Loops), len(b.Loops.Loops))
	}
	first, second := a.Tree(), a.Tree()
	if len(first.Stmts) != 1 || len(second.Stmts) != 1 || first.Stmts[0] == second.Stmts[0] {
		t.Error("a tree is not one statement of its own")
	}
}

// A file in the place of a folder means that there is no module, as a folder that is not there does.
func TestFileForFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lib"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	sources := Folders{{Files: os.DirFS(dir)}}
	if _, err := sources.Module("lib.util", ""); err == nil || !errors.As(err, new(*MissingError)) {
		t.Errorf("require: %v", err)
	}
	if _, err := sources.Read("lib/util.lua"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading: %v", err)
	}
}

// What a module name means in a file of the script folder, and in files of mods.
func TestModules(t *testing.T) {
	sources := Folders{
		{Files: folder("lib/util.lua", "", "top.lua", "")},
		{Name: "combat", Files: folder("lib/damage.lua", "", "tick.lua", "", "lib/own.lua", ""), Exports: []string{"lib.damage"}},
		{Name: "poison", Files: folder("tick.lua", "", "lib/toxins.lua", ""), Depends: []string{"combat"}, Exports: []string{"lib.toxins", "lib.gone"}},
		{Name: "rain", Off: true},
	}
	if err := sources.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, want string }{
		{"lib.util", "main.lua", "lib/util.lua"},
		{"lib.util", "sub/main.lua", "lib/util.lua"},
		{"poison.lib.toxins", "main.lua", "poison/lib/toxins.lua"},
		{"combat.lib.damage", "poison/tick.lua", "combat/lib/damage.lua"},
		{"lib.toxins", "poison/tick.lua", "poison/lib/toxins.lua"},
		{"poison.lib.toxins", "poison/tick.lua", "poison/lib/toxins.lua"},
		{"lib.util", "poison/tick.lua", `require "lib.util": there is no file poison/lib/util.lua in the script folder`},
		{"lib.toxin", "poison/tick.lua", `require "lib.toxin": there is no file poison/lib/toxin.lua in the script folder; did you mean "lib.toxins"?`},
		{"combat.lib.own", "poison/tick.lua", `require "combat.lib.own": the mod "combat" does not export "lib.own"`},
		{"combat.lib.damge", "main.lua", `require "combat.lib.damge": the mod "combat" does not export "lib.damge"; did you mean "combat.lib.damage"?`},
		{"poison.lib.toxins", "combat/tick.lua", `require "poison.lib.toxins": the mod "combat" does not depend on "poison"; add it to its dependencies`},
		{"poison.lib.gone", "main.lua", `require "poison.lib.gone": there is no file poison/lib/gone.lua in the script folder; did you mean "poison.lib.toxins"?`},
		{"rain.lib.drops", "main.lua", `require "rain.lib.drops": the mod "rain" is switched off; switch it on, or do not require it`},
		{"rain.lib.drops", "poison/tick.lua", `require "rain.lib.drops": the mod "rain" is switched off; switch it on, or do not require it`},
		{"lib/util", "main.lua", "lib/util.lua"},
		{"..util", "main.lua", `require "..util": no module name: letters, digits, _ and -, folders separated by single dots`},
	} {
		got, err := sources.Module(Dotted(c.name), sources.Mod(c.from))
		if err != nil {
			got = err.Error()
		}
		if missing := (*MissingError)(nil); errors.As(err, &missing) {
			if near, ok := suggest.Closest(c.name, missing.Known); ok {
				got += fmt.Sprintf("; did you mean %q?", near)
			}
		}
		if got != c.want {
			t.Errorf("require(%q) in %s: got  %s\nwant %s", c.name, c.from, got, c.want)
		}
	}
	if text, err := sources.Read("combat/tick.lua"); err != nil || text != "" {
		t.Errorf("a file of a mod: %q, %v", text, err)
	}
	if _, err := sources.Read("combat/tick"); err == nil || !strings.Contains(err.Error(), `did you mean "combat/tick.lua"?`) {
		t.Errorf("a file without .lua: %v", err)
	}
	if _, err := sources.Read("combat/tock.lua"); err == nil || !strings.Contains(err.Error(), `did you mean "combat/tick.lua"?`) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// What is wrong with folders is said at once.
func TestFoldersThatAreWrong(t *testing.T) {
	for want, f := range map[string]Folders{
		`two mods have the name "a"`: {{}, {Name: "a"}, {Name: "a"}},
		`"a.b" is no name of a mod`:  {{}, {Name: "a.b"}},
		`"a b" is no name of a mod`:  {{}, {Name: "a b"}},
		`which is not there`:         {{}, {Name: "a", Depends: []string{"b"}}},
		`has a folder "a", which is`: {{Files: folder("a/x.lua", "")}, {Name: "a"}},
	} {
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for _, name := range []string{"a_b", "a-b", "_", "a1", "Z"} {
		if err := (Folders{{}, {Name: name}}).Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
