package worldfile

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

const before = `version: 1
run: { seed: 3 }
components: [{ name: Position, fields: [x f64] }]
tags: [player]
events: [{ name: Hit, fields: [who entity] }]
resources: [{ name: score, type: i32, default: 7 }]
relations: [{ name: Knows, targets: many }]
states: [{ name: game, values: [menu, over] }]
systems:
  - { name: a, script: a.lua }
  - { name: b, script: b.lua, stage: last }
  - { name: c, script: c.lua, enabled: false }
`

// Each change of a config: what it does in the next frame, and what needs a restart.
func TestReloadOfAConfig(t *testing.T) {
	say := func(word string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("return function(world) print('" + word + "', world.resources.score) end")}
	}
	for name, c := range map[string]struct{ from, to, prints, restart string }{
		"nothing":               {"", "", "a 7,b 7", ""},
		"other places":          {"version: 1\n", "version: 1\n\n\n", "a 7,b 7", ""},
		"every":                 {"a.lua }", "a.lua, every: 2 }", "b 7", ""},
		"when":                  {"a.lua }", "a.lua, when: resources.score < 7 }", "b 7", ""},
		"enabled":               {", enabled: false", "", "a 7,c 7,b 7", ""},
		"disabled":              {"a.lua }", "a.lua, enabled: false }", "b 7", ""},
		"after":                 {", enabled: false }", ", after: [d] }\n  - { name: d, script: c.lua }", "a 7,c 7,c 7,b 7", ""},
		"a system":              {"systems:", "systems:\n  - { name: d, script: c.lua }", "c 7,a 7,b 7", ""},
		"a component":           {"components: [", "components: [{ name: Mana, fields: [v i8] }, ", "a 7,b 7", ""},
		"a tag":                 {"[player]", "[enemy, player]", "a 7,b 7", ""},
		"an event":              {"events: [", "events: [{ name: Miss, fields: [] }, ", "a 7,b 7", ""},
		"a resource":            {"resources: [", "resources: [{ name: time_left, type: f64 }, ", "a 7,b 7", ""},
		"a state":               {"states: [", "states: [{ name: net, values: [off, on] }, ", "a 7,b 7", ""},
		"a value more":          {"[menu, over]", "[won, menu, over]", "a 7,b 7", ""},
		"a value less":          {"[menu, over]", "[menu]", "a 7,b 7", ""},
		"not its value":         {"[menu, over]", "[over, won]", "a 7,b 7", "states.game"},
		"no state any more":     {"states: [{ name: game, values: [menu, over] }]\n", "", "a 7,b 7", "states.game"},
		"in a state":            {"a.lua }", "a.lua, in: game.over }", "b 7", ""},
		"in a new value":        {"[menu, over] }]\nsystems:\n  - { name: a, script: a.lua }", "[won, menu, over] }]\nsystems:\n  - { name: a, script: a.lua, in: game.menu }", "a 7,b 7", ""},
		"a limit":               {"run:", "limits: { instructions: 10 }\nrun:", "a 7,b 7", ""},
		"seed":                  {"seed: 3", "seed: 4", "a 7,b 7", "run.seed"},
		"frames and dt":         {"seed: 3", "seed: 3, frames: 9, dt: 1", "a 7,b 7", "run.frames run.dt"},
		"settle":                {"seed: 3", "seed: 3, settle: true", "a 7,b 7", "run.settle"},
		"scripts":               {"run:", "scripts: elsewhere\nrun:", "a 7,b 7", "scripts"},
		"a component's field":   {"x f64", "x f64, y f64", "a 7,b 7", "components.Position"},
		"no component any more": {"components: [{ name: Position, fields: [x f64] }]", "", "a 7,b 7", "components.Position"},
		"one target":            {"{ name: Knows, targets: many }", "Knows", "a 7,b 7", "relations.Knows"},
		"no tag any more":       {"tags: [player]", "", "a 7,b 7", "tags.player"},
		"an event's field":      {"who entity", "whom entity", "a 7,b 7", "events.Hit"},
		"a resource's default":  {"default: 7", "default: 8", "a 7,b 7", "resources.score"},
		"another script":        {"a.lua }", "c.lua }", "a 7,b 7", "systems.a.script"},
		"another stage":         {"stage: last", "stage: first", "a 7,b 7", "systems.b.stage"},
		"no system any more":    {"  - { name: a, script: a.lua }\n", "", "a 7,b 7", "systems.a"},
		"a startup system":      {"systems:", "systems:\n  - { name: d, script: c.lua, stage: startup }", "a 7,b 7", "systems.d"},
	} {
		if c.from != "" && strings.Count(before, c.from) != 1 {
			t.Fatalf("%s: %q is not in the config once", name, c.from)
		}
		in, err := config.Parse("world.yaml", []byte(before), config.YAML)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		rt, problems := New(in, luabind.Options{Stdout: &out, Scripts: fstest.MapFS{"a.lua": say("a"), "b.lua": say("b"), "c.lua": say("c")}})
		if len(problems) > 0 || rt.Load() != nil || rt.Start(context.Background()) != nil {
			t.Fatal(problems)
		}
		next, err := config.Parse("world.yaml", []byte(strings.Replace(before, c.from, c.to, 1)), config.YAML)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		now, done, restart, err := Reload(context.Background(), rt, in, next)
		if err != nil || done.Files != nil {
			t.Errorf("%s: %+v, error %v", name, done, err)
			continue
		}
		if got := strings.Join(restart, " "); got != c.restart {
			t.Errorf("%s: restart needed: %q, want %q", name, got, c.restart)
		}
		if now.Run.Seed != 3 || !slices.ContainsFunc(now.Systems, func(s config.System) bool { return s.Name == "a" && s.Script == "a.lua" }) {
			t.Errorf("%s: the config in use is %+v", name, now)
		}
		if err := rt.Frame(context.Background(), 1); err != nil && c.from != "run:" {
			t.Error(err)
		}
		if got := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(out.String()), "\t", " "), "\n", ","); got != c.prints {
			t.Errorf("%s: printed %q, want %q", name, got, c.prints)
		}
		if _, _, _, err := Reload(context.Background(), rt, now, nil); err != nil {
			t.Errorf("%s: once more: %v", name, err)
		}
		_ = rt.Close()
	}
}

// The limits of the world and of calls are those of the new config.
func TestReloadedLimits(t *testing.T) {
	const text = "version: 1\nlimits: { entities: 5, world: 100MiB }\n"
	parse := func(text string) *config.Config {
		c, err := config.Parse("world.yaml", []byte(text), config.YAML)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	in := parse(text)
	rt, problems := New(in, luabind.Options{})
	if len(problems) > 0 || rt.Load() != nil || rt.Start(context.Background()) != nil {
		t.Fatal(problems)
	}
	if _, _, _, err := Reload(context.Background(), rt, in, parse(strings.NewReplacer("entities: 5", "entities: 7", "100MiB", "50MiB").Replace(text))); err != nil {
		t.Fatal(err)
	}
	if o := rt.World().Options(); o.MaxEntities != 7 || o.MaxBytes != 50<<20 {
		t.Errorf("the world has %+v", o)
	}
}
