//go:build !race && (amd64 || arm64)

// It makes no goroutines, and the race detector would compile package luabind once more for it.

package ecs_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// What Lua systems write goes through machine code, closures and the interpreter. The journal of the world is told of all of it beforehand.
func TestAJournalIsToldOfWhatScriptsChange(t *testing.T) {
	const head = `local ecs = require("ecs")
ecs.component("Position", { x = "f64", y = "f64" }) ecs.component("Health", { current = "f64", name = "string" }) ecs.component("Target", { who = "entity" })
ecs.tag("red") ecs.event("Hit", { n = "f64" }) ecs.resource("score", { type = "f64", default = 0 })
ecs.grid("near", { component = "Position", cell = 2 })
local M = {}
function M.init(world)
  local last = ecs.none
  for i = 1, 200 do
    last = world:spawn{ Position = { x = i }, Health = i % 3 > 0 and { current = i } or nil, Target = { who = last } }
  end
  world:send("Hit", { n = 1 })
end
function M.update(world)
`
	for name, body := range map[string]string{
		"own fields":        `for e, p in world:each("Position") do p.x = p.x + 1 end`,
		"own fields, some":  `for e, p in world:each("Position") do if p.x > 100 then p.y = 3 end end`,
		"strings":           `for e, h in world:each("Health") do h.name = "new" end`,
		"others":            `for e, target in world:each("Target") do local p = world:get(target.who, "Position") if p then p.y = p.y + 1 end end`,
		"a loop within":     `for e, p in world:each("Position") do if p.x < 3 then for o, h in world:each("Health") do h.current = h.current + 1 end end end`,
		"tags and events":   `for e, p in world:each("Position") do if p.x % 2 < 1 then world:tag(e, "red") world:send("Hit", { n = p.x }) end end`,
		"commands":          `for e, p in world:each("Position") do if p.x > 150 then world.commands:despawn(e) else world.commands:add(e, "Health") end end`,
		"random and score":  `for e, p in world:each("Position") do p.x = ecs.random() world.resources.score = p.x end`,
		"near":              `for e, p in world:each("Position") do for o, d in world:near("near", p.x, p.y, 1) do p.y = p.y + d end end`,
		"events":            `for hit in world:read("Hit") do world.resources.score = hit.n end`,
		"drain":             `for hit in world:drain("Hit") do world.resources.score = hit.n end`,
		"without a loop":    `local e = world:first("Position") world:get(e, "Position").x = 9 world:set(e, "Health", { name = "first" }) world:despawn(world:spawn{ Position = { x = 1 } })`,
		"a loop that fails": `pcall(function() for e, p in world:each("Position") do p.x = 5 if p.y == 0 then error("no") end end end)`,
	} {
		for impl, memory := range map[luabind.Impl]ecs.Memory{luabind.Auto: luabind.NewMemory(), luabind.Closures: nil, luabind.Lua: nil} {
			t.Run(name+", "+impl.String(), func(t *testing.T) {
				w := ecs.NewWorld(ecs.Options{Seed: 2, Memory: memory})
				r, err := luabind.New(luabind.Options{World: w, Scripts: fstest.MapFS{"a.lua": {Data: []byte(head + body + "\nend\nreturn M")}}})
				frame := func() {
					if err == nil {
						err = r.Frame(context.Background(), 0.5)
					}
				}
				if err == nil {
					err = r.Add(luabind.System{Name: "a", Script: "a.lua", Impl: impl})
				}
				if err == nil {
					err = r.Load()
				}
				if err == nil {
					err = r.Start(context.Background())
				}
				for range 3 {
					frame() // the first makes the event reader of the system, which is no part of the world
					takeBack := func() {}
					r.Schedule().Before = func(*ecs.System) { takeBack = ecs.RecordChanges(t, w) }
					r.Schedule().After = func(*ecs.System) { takeBack() }
					frame()
					r.Schedule().Before, r.Schedule().After = nil, nil
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
