package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// modFolder writes files into a folder and changes to it, so that messages have short paths. A name without a slash is a mod's manifest: "poison".
func modFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if !strings.Contains(name, ".") {
			name = "mods/" + name + "/mod.yaml"
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// manifestOf returns a small manifest: its name, a version, and more lines.
func manifestOf(name, version string, more ...string) string {
	return fmt.Sprintf("name: %s\nversion: %s\n%s\n", name, version, strings.Join(more, "\n"))
}

// modNames returns the names of the mods in use.
func modNames(c *Config) string {
	var out []string
	for _, m := range c.Mods {
		out = append(out, m.Name)
	}
	return strings.Join(out, " ")
}

func systemNames(c *Config) string {
	var out []string
	for _, s := range c.Systems {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

// Dependencies come first, then the order of the config. A dependency that is not listed is in use, too.
func TestLoadOrderOfMods(t *testing.T) {
	modFolder(t, map[string]string{
		"c.yaml":  "version: 1\nmods: [poison, fire, { mod: weather, enabled: true }]\n",
		"poison":  manifestOf("poison", "1.2.0", "depends: [{ mod: combat, version: ^2.0 }]", "optional: [{ mod: weather }, { mod: gone }]"),
		"combat":  manifestOf("combat", "2.1.0", "depends: [base]"),
		"base":    manifestOf("base", "0.1.0"),
		"fire":    manifestOf("fire", "1.0.0", "depends: [base]"),
		"weather": manifestOf("weather", "3.0.0-beta.1"),
	})
	c, err := Load("c.yaml", Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if got := modNames(c); got != "base combat weather poison fire" {
		t.Errorf("load order %s", got)
	}
	if m := c.Mods[3]; m.Version != "1.2.0" || strings.Join(m.Depends, " ") != "combat weather" || !m.Listed || m.Dir != filepath.Join("mods", "poison") {
		t.Errorf("poison is %+v", m)
	}
	if m := c.Mods[0]; m.Listed || strings.Join(m.Needed, " ") != "combat fire" {
		t.Errorf("base is %+v", m)
	}
	// --set and enabled switch a mod off.
	c, err = Load("c.yaml", Overrides{Set: []string{"mods.poison.enabled=false"}})
	if err != nil || modNames(c) != "base fire weather" || strings.Join(c.ModsOff(), " ") != "poison" {
		t.Errorf("without poison: %v, error %v", c, err)
	}
}

// Systems of mods have the name of their mod, and stand where after puts them; a system of a mod that is not in use is not waited for.
func TestSystemsOfMods(t *testing.T) {
	modFolder(t, map[string]string{
		"c.yaml": "version: 1\nscripts: s\nmods: [combat, poison]\nsystems:\n  - { name: begin, script: begin.lua, stage: startup }\n  - { name: move, script: move.lua }\n" +
			"  - { name: death, script: death.lua, after: [poison.tick, combat.damage] }\n",
		"combat": manifestOf("combat", "2.0.0", "systems: [{ name: damage, script: damage.lua, after: [move] }]"),
		"poison": manifestOf("poison", "1.2.0", "optional: [{ mod: combat }, { mod: rain }]", "scripts: lua",
			"systems:", "  - { name: after, script: a/after.lua, after: [tick], random: tick }", "  - { name: tick, script: tick.lua, after: [combat.damage, rain.fall], native: tick }"),
	})
	c, err := Load("c.yaml", Overrides{Set: []string{"systems.poison.tick.every=5", "systems.tick.every=7", "systems.after.impl=lua"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := systemNames(c); got != "begin move combat.damage poison.tick poison.after death" {
		t.Errorf("systems %s", got)
	}
	tick, after := c.Systems[3], c.Systems[4]
	if tick.Script != "poison/tick.lua" || tick.Every != 7 || tick.Native != "tick" || tick.Mod != "poison" || strings.Join(tick.After, " ") != "combat.damage" {
		t.Errorf("tick is %+v", tick)
	}
	if after.Script != "poison/a/after.lua" || after.Random != "tick" || strings.Join(after.After, " ") != "poison.tick" {
		t.Errorf("after is %+v", after)
	}
	for name, want := range map[string]int{"begin": 0, "damage": 2, "poison.tick": 3, "tick": 3, "rain": -1, "combat.tick": -1} {
		if i := c.FindSystem(name); i != want {
			t.Errorf("system %s has index %d, want %d", name, i, want)
		}
	}
	c.Systems[2].Name = "combat.tick" // now two mods have one
	if i := c.FindSystem("tick"); i != -1 {
		t.Errorf("tick of two mods has index %d", i)
	}
	if got, want := c.ScriptFile(after.Script), filepath.Join("mods", "poison", "lua", "a", "after.lua"); got != want {
		t.Errorf("its file is %s, want %s", got, want)
	}
	if got := c.Problem(c.SystemPath(3)+".script", "no file", "").Error(); got != filepath.Join("mods", "poison", "mod.yaml")+":7:27: mods.poison.systems[1].script: no file" {
		t.Errorf("a problem with its script: %s", got)
	}
	if got := c.Problem(c.SystemPath(5)+".script", "no file", "").Error(); got != "c.yaml:7:28: systems[2].script: no file" {
		t.Errorf("a problem with a script of the config: %s", got)
	}
	if c, err = Load("c.yaml", Overrides{Set: []string{"mods.combat.enabled=false"}}); err != nil || systemNames(c) != "begin poison.tick poison.after move death" {
		t.Errorf("without combat: %v, error %v", systemNames(c), err)
	}
}

// What two declare alike is one. The config comes first, then the mods.
func TestDeclarationsOfMods(t *testing.T) {
	modFolder(t, map[string]string{
		"c.yaml": "version: 1\nmods: [a, b]\ncomponents: [{ name: Health, fields: [current f64 = 100, max f64] }]\ntags: [ill]\n",
		"a": manifestOf("a", "1.0.0", "tags: [burning, ill]", "events: [{ name: Hit, fields: [amount f64] }]", "relations: [Owns]",
			"components: [{ name: Ember }, { name: Health, fields: [max f64 = 0, current f64 = 100] }]", "resources: [{ name: wind, type: f64 }]"),
		"b": manifestOf("b", "1.0.0", "tags: [burning, wet]", "events: [{ name: Hit, fields: [{ name: amount, type: f64 }] }]", "relations: [Owns]",
			"resources: [{ name: wind, type: f64, default: 0 }]"),
	})
	c, err := Load("c.yaml", Overrides{Set: []string{"resources.wind=3"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(len(c.Components), len(c.Tags), len(c.Relations), len(c.Events), len(c.Resources)); got != "2 3 1 1 1" {
		t.Errorf("%s declarations: %+v", got, c)
	}
	if c.Tags[0].Name != "ill" || c.Tags[1].Name != "burning" || c.Tags[2].Name != "wet" || c.Resources[0].Default != 3.0 {
		t.Errorf("tags %v, resources %v", c.Tags, c.Resources)
	}
	if a, b := c.Mods[0].Adds, c.Mods[1].Adds; a != (Adds{1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}) || b != (Adds{Tags: 1}) {
		t.Errorf("a adds %+v, b adds %+v", a, b)
	}
}

// Each thing that cannot be is one message, with the chain that leads to it.
func TestProblemsOfMods(t *testing.T) {
	mod := func(name string) string { return filepath.Join("mods", name, "mod.yaml") }
	for _, c := range []struct {
		name  string
		mods  string
		files map[string]string
		set   string
		want  []string
	}{
		{
			"missing", "[poisn]",
			map[string]string{"poison": manifestOf("poison", "1.0.0")},
			"",
			[]string{`c.yaml:2:8: mods[0]: no mod "poisn": there is no file "` + mod("poisn") + `" (config → poisn); did you mean "poison"?`},
		},
		{
			"missing dependency", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "depends: [b]"), "b": manifestOf("b", "1.0.0", "depends: [cc]")},
			"",
			[]string{mod("b") + `:3:11: mods.b.depends[0]: no mod "cc": there is no file "` + mod("cc") + `" (config → a → b → cc); put it there, or take away what needs it`},
		},
		{
			"switched off", "[a, { mod: b, enabled: false }]",
			map[string]string{"a": manifestOf("a", "1.0.0", "depends: [b]"), "b": manifestOf("b", "1.0.0")},
			"",
			[]string{mod("a") + `:3:11: mods.a.depends[0]: the mod "b" is switched off, but needed (config → a → b); switch it on, or "a" off`},
		},
		{
			"cycle", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "depends: [b]"), "b": manifestOf("b", "1.0.0", "depends: [c]"), "c": manifestOf("c", "1.0.0", "depends: [b]")},
			"",
			[]string{mod("c") + `:3:11: mods.c.depends[0]: these mods depend on each other: b → c → b; take one of the dependencies away`},
		},
		{
			"version", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "depends: [{ mod: b, version: ^2.0 }]"), "b": manifestOf("b", "1.9.0")},
			"",
			[]string{mod("a") + `:3:11: mods.a.depends[0]: the mod "b" has version 1.9.0, but ^2.0 is needed (config → a → b); use another version of one of them`},
		},
		{
			"version in the config", `[{ mod: a, version: "^2" }]`,
			map[string]string{"a": manifestOf("a", "1.0.0")},
			"",
			[]string{`c.yaml:2:8: mods[0]: the mod "a" has version 1.0.0, but ^2 is needed (config → a); use another version of one of them`},
		},
		{
			"conflict", "[a, b]",
			map[string]string{"a": manifestOf("a", "1.0.0", "conflicts: [c]"), "b": manifestOf("b", "1.0.0", "depends: [c]"), "c": manifestOf("c", "1.0.0")},
			"",
			[]string{mod("a") + `:3:13: mods.a.conflicts[0]: the mods "a" (config → a) and "c" (config → b → c) cannot be used together; switch one of them off`},
		},
		{"no conflict with that version", "[a, c]", map[string]string{"a": manifestOf("a", "1.0.0", `conflicts: [{ mod: c, version: "<1" }]`), "c": manifestOf("c", "1.0.0")}, "", nil},
		{
			"optional of a wrong version", "[a, c]",
			map[string]string{"a": manifestOf("a", "1.0.0", `optional: [{ mod: c, version: "^2" }]`), "c": manifestOf("c", "1.0.0")},
			"",
			[]string{mod("a") + `:3:12: mods.a.optional[0]: the mod "c" has version 1.0.0, but ^2 is needed (config → a → c); use another version of one of them`},
		},
		{
			"unlike declarations", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "components: [{ name: Health, fields: [current f32] }]")},
			"",
			[]string{mod("a") + `:3:14: mods.a.components[0]: the component "Health" is {current f32} here, and {current f64 = 100} at c.yaml:3:14; declare it alike, or rename one of them`},
		},
		{
			"a name of another kind", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "tags: [Health]")},
			"",
			[]string{mod("a") + `:3:8: mods.a.tags[0]: the name "Health" is taken by the component at c.yaml:3:22; rename or remove one of them`},
		},
		{
			"another name", "[a]",
			map[string]string{"a": manifestOf("b", "1.0.0")},
			"",
			[]string{mod("a") + `:1:7: mods.a.name: the mod in the folder "a" calls itself "b"; write name: a, or rename the folder`},
		},
		{"no manifest", "[a]", map[string]string{"a": ""}, "", []string{mod("a") + `:1:1: the mod.yaml is empty; begin with name: NAME`}},
		{
			"keys", "[a]",
			map[string]string{"a": "name: a\nversion: 1.2\nsytems: []\n"},
			"",
			[]string{mod("a") + ":2:10: mods.a.version: version expected, got number 1.2; write three numbers, as in 1.2.0", mod("a") + `:3:1: mods.a.sytems: unknown key; did you mean "systems"?`},
		},
		{"twice", "[a, a]", map[string]string{"a": manifestOf("a", "1.0.0")}, "", []string{`c.yaml:2:11: mods[1]: the mod "a" is listed twice; keep this one or that of line 2`}},
		{"not a name", "[a/b]", nil, "", []string{`c.yaml:2:8: mods[0]: "a/b" is not a name for a mod; a mod has letters, digits, _ and - in its name, and no digit first`}},
		{
			"not a range", `[{ mod: a, version: new }]`,
			map[string]string{"a": manifestOf("a", "1.0.0")},
			"",
			[]string{`c.yaml:2:27: mods[0].version: "new" is not a range of versions; write a range in quotes, as in "^1.2" or ">=1.2, <3"`},
		},
		{
			"after", "[a]",
			map[string]string{"a": manifestOf("a", "1.0.0", "systems: [{ name: tick, script: tick.lua, after: [b.tick] }]")},
			"",
			[]string{mod("a") + `:3:51: mods.a.systems[0].after[0]: no system "b.tick"; there are no other systems`},
		},
		{"set", "[a]", map[string]string{"a": manifestOf("a", "1.0.0")}, "mods.b.enabled=false", []string{`--set mods.b.enabled=false: no mod "b" in the config; mods are a`}},
		{"set another key", "[a]", map[string]string{"a": manifestOf("a", "1.0.0")}, "mods.a.version=2", []string{`--set mods.a.version=2: unknown key "version"; of a mod, --set reaches mods.NAME.enabled`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"c.yaml": "version: 1\nmods: " + c.mods + "\ncomponents: [{ name: Health, fields: [current f64 = 100] }]\n"}
			for name, text := range c.files {
				files[name] = text
			}
			modFolder(t, files)
			o := Overrides{}
			if c.set != "" {
				o.Set = []string{c.set}
			}
			_, err := Load("c.yaml", o)
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			checkProblems(t, err)
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("got\n%s\nwant\n%s", err, strings.Join(c.want, "\n"))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("got\n%s\nwant\n%s", lines[i], want)
				}
			}
		})
	}
}

// A config from memory lists its mods and does not have them. Their systems may stand in after.
func TestParseReadsNoMods(t *testing.T) {
	c, err := Parse("c.yaml", []byte("version: 1\nmods: [poison]\nsystems: [{ name: a, script: a.lua, after: [poison.tick] }]\n"), YAML)
	if err != nil || c.ModsRead() == nil {
		t.Errorf("error %v, problem %v", err, c.ModsRead())
	}
	if _, err = Parse("c.yaml", []byte("version: 1\nsystems: [{ name: a, script: a.lua, after: [poison.tick] }]\n"), YAML); err == nil {
		t.Error("a system of a mod that is not listed is waited for")
	}
}

// A version before a release is in a range only if the range names one of the same release.
func TestVersionsBeforeARelease(t *testing.T) {
	for _, c := range []struct {
		needed, version string
		accepted        bool
	}{
		{"^1.2.3-beta.2", "1.2.3-beta.2", true},
		{"^1.2.3-beta.2", "1.2.3-beta.4", true},
		{"^1.2.3-beta.2", "1.2.3-beta.1", false},
		{"^1.2.3-beta.2", "1.2.4-beta.2", false},
		{"^1.2.3-beta.2", "1.3.0-alpha", false},
		{"^1.2.3-beta.2", "1.2.3", true},
		{"^1.2.3-beta.2", "1.9.0", true},
		{"^1.2.3-beta.2 || 1.2.4-beta.2", "1.2.4-beta.2", true},
		{">=1.2.3-0, <2", "1.2.3-alpha", true},
		{">=1.2.3-0, <2", "1.5.0-alpha", false},
		{"^1.2", "1.3.0-alpha", false},
	} {
		modFolder(t, map[string]string{"c.yaml": fmt.Sprintf("version: 1\nmods: [{ mod: a, version: %q }]\n", c.needed), "a": manifestOf("a", c.version)})
		if _, err := Load("c.yaml", Overrides{}); (err == nil) != c.accepted {
			t.Errorf("%s of %s: %v", c.version, c.needed, err)
		}
	}
}

// The version of a mod is another one than that of the config, and the hint says so; what the hint says is accepted.
func TestMissingVersionOfAMod(t *testing.T) {
	modFolder(t, map[string]string{"c.yaml": "version: 1\nmods: [a]\n", "a": "name: a\n"})
	_, err := Load("c.yaml", Overrides{})
	if err == nil || !strings.Contains(err.Error(), `mod has no "version"; add version: 1.0.0, the version of the mod`) {
		t.Error(err)
	}
	modFolder(t, map[string]string{"c.yaml": "version: 1\nmods: [a]\n", "a": "name: a\nversion: 1.0.0\n"})
	if _, err := Load("c.yaml", Overrides{}); err != nil {
		t.Error(err)
	}
}
