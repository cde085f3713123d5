package luabind

import (
	"context"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Closures run a loop of which machine code would copy much and use little, explain says so, and nothing else changes. With the
// strings in a component of their own, the same loop is machine code.
func TestLoopsThatCopyMuch(t *testing.T) {
	const head = `local ecs = require("ecs")
ecs.component("Boss", { target = "entity", hits = "f64" })
NAMED
local M, struck = {}, {} -- machine code keeps struck until closures do a walk
function M.init(world)
  for i = 1, 20 do
    local boss = world:spawn{ Boss = {} }
    for j = 1, 200 do
      local e = world:spawn{ RAIDER }
      if j == 7 * i then world:get(boss, "Boss").target = e end
    end
  end
end
function M.update(world, dt)
  for e, boss in world:each("Boss") do
    local victim = world:get(boss.target, "Raider")
    if victim then
      victim.hp = victim.hp - 0.5
      struck[boss.target] = (struck[boss.target] or 0) + 1
      boss.hits = boss.hits + struck[boss.target]
    end
  end
end
return M`
	for _, c := range []struct{ name, named, raider, closures string }{
		{"strings beside", `ecs.component("Raider", { hp = "f64", role = "string" })`, `Raider = { hp = j, role = "tank" .. j }`, copiesText},
		{"strings apart", `ecs.component("Raider", { hp = "f64" }) ecs.component("Role", { name = "string" })`, `Raider = { hp = j }, Role = { name = "tank" .. j }`, ""},
	} {
		source := strings.NewReplacer("NAMED", c.named, "RAIDER", c.raider).Replace(head)
		digests := map[Impl]ecs.Digest{}
		for _, impl := range []Impl{Lua, Closures, Auto} {
			w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
			r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"a": source})})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
				t.Fatal(err)
			}
			if err := r.Load(); err != nil {
				t.Fatal(err)
			}
			if err := r.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			for range 50 {
				if err := r.Frame(context.Background(), 0.1); err != nil {
					t.Fatal(err)
				}
			}
			digests[impl] = w.Digest()
			if impl != Auto {
				continue
			}
			for _, l := range r.Explain() {
				if l.Closures != c.closures {
					t.Errorf("%s, line %d: %q", c.name, l.Line, l.Closures)
				}
			}
		}
		if digests[Closures] != digests[Lua] || digests[Auto] != digests[Lua] {
			t.Errorf("%s: %v", c.name, digests)
		}
	}
}
