package worldfile

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

const withPrefabs = `version: 1
components:
  - { name: Health, fields: [current f64 = 100, max i64] }
  - { name: Bag, fields: [items table, "slots u8[3]", note string] }
tags: [enemy]
prefabs:
  - { name: goblin, base: monster, components: { Bag: { items: [1, { k: x }], slots: [4, 5], note: hi } }, children: [{ name: sword }] }
  - { name: monster, components: { Health: { current: 7, max: 9007199254740991 } }, tags: [enemy] }
systems:
  - { name: a, script: a.lua }
`

const prefabScript = `local ecs = require("ecs")
ecs.prefab("orc", { base = "goblin", components = { Health = { current = 30 } } })
return function(world)
  local e = world:instance("orc")
  local bag = world:get(e, "Bag")
  print(world:get(e, "Health"), bag.items[2].k, bag.slots[2], bag.slots[3], bag.note, world:child(e, "sword") ~= nil, #world:tags(e), world:get(world:prefab("goblin"), "Health").current)
end
`

func TestPrefabsOfAConfig(t *testing.T) {
	parse := func(text string) *config.Config {
		t.Helper()
		c, err := config.Parse("world.yaml", []byte(text), config.YAML)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var out bytes.Buffer
	scripts := fstest.MapFS{"a.lua": {Data: []byte(prefabScript)}}
	in := parse(withPrefabs)
	rt, problems := New(in, luabind.Options{Stdout: &out, Scripts: scripts})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	defer rt.Close()
	ctx := context.Background()
	frame := func(want string) {
		t.Helper()
		out.Reset()
		if err := rt.Frame(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); !strings.HasSuffix(got, want) {
			t.Errorf("it prints %s\nwant %s", got, want)
		}
		if err := rt.World().Check(); err != nil {
			t.Fatal(err)
		}
	}
	if err := rt.Load(); err != nil {
		t.Fatal(err)
	}
	if err := rt.Start(ctx); err != nil {
		t.Fatal(err)
	}
	frame("{current = 30, max = 9007199254740991}\tx\t5\t0\thi\ttrue\t1\t7")
	health, _ := rt.World().LookupComponent("Health")
	if _, err := rt.World().Set(rt.World().LookupPrefab("monster"), health, ecs.FieldValue{Index: 0, Value: ecs.Number(6)}); err != nil {
		t.Fatal(err)
	}
	reload := func(next *config.Config, wantRestart string) {
		t.Helper()
		now, _, restart, err := Reload(ctx, rt, in, next)
		if err != nil {
			t.Fatal(err)
		}
		if next != nil && strings.Join(restart, " ") != wantRestart {
			t.Errorf("restart needed: %v", restart)
		}
		in = now
	}
	text := strings.NewReplacer("max: 9007199254740991", "max: 20", "note: hi", "note: there", "[{ name: sword }]", "[]").Replace(withPrefabs)
	reload(parse(text), "")
	frame("{current = 30, max = 20}\tx\t5\t0\tthere\tfalse\t1\t6") // what was written stays
	scripts["a.lua"] = &fstest.MapFile{Data: []byte(strings.Replace(prefabScript, "current = 30", "current = 31", 1))}
	reload(nil, "")
	frame("{current = 31, max = 20}\tx\t5\t0\tthere\tfalse\t1\t6")
	reload(parse(strings.Replace(text, "prefabs:", "prefabs:\n  - { name: rat }", 1)), "")
	if rt.World().LookupPrefab("rat") == ecs.None {
		t.Error("the new prefab is not there")
	}
	reload(parse(text), "prefabs.rat")
	scripts["a.lua"] = &fstest.MapFile{Data: []byte(strings.Replace(prefabScript, "\"orc\", {", "\"goblin\", {", 1))}
	if _, _, _, err := Reload(ctx, rt, in, nil); err == nil || !strings.Contains(err.Error(), "a.lua:2: prefab \"goblin\" is made of itself") {
		t.Errorf("a prefab of itself: %v", err)
	}
	frame("{current = 31, max = 20}\tx\t5\t0\tthere\tfalse\t1\t6")
}
