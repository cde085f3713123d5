package luabind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// restoreSystems keep nothing in variables of their own, and use all that a schedule and its world remember.
var restoreSystems = map[string]string{
	"populate": `return function(world)
  for i = 1, 300 do
    world:spawn{ Position = { x = i % 17, y = i % 5 }, Velocity = i % 3 > 0 and { dx = 1, dy = 0.5 } or nil }
  end
end`,
	"move": `return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    if ecs.random() < 0.5 then pos.x = pos.x + vel.dx * dt end
    if pos.x > 30 then pos.x = -pos.x end
  end
end`,
	"births": `return function(world)
  for e, pos in world:each("Position") do
    if ecs.random(40) == 1 then
      world.commands:spawn{ Position = { x = pos.y }, Health = { current = ecs.random(90) }, "selected" }
    elseif ecs.random(40) == 1 then
      world.commands:add(e, "Marker")
      world:send("Hit", { target = e, amount = pos.x })
    elseif ecs.random(60) == 1 then
      world.commands:relate(e, "Likes", e)
    elseif world.frame > 6 and ecs.random(40) == 1 then
      world.commands:set(e, "Kinds", { name = "late", i8 = ecs.random(9) })
    elseif ecs.random(40) == 1 then
      world.commands:despawn(e)
    elseif ecs.random(9) == 1 then
      if world:tagged(e, "enemy") then world:untag(e, "enemy") else world:tag(e, "enemy") end
    end
  end
  for e in world:each("Marker") do
    if ecs.random(3) == 1 then world.commands:remove(e, "Marker") end
  end
end`,
	"seen": `local moved = ecs.query{ "Position", changed = { "Position" } }
local new = ecs.query{ "Position", added = { "Marker", "Health" } }
return function(world)
  local sum = 0
  for e, pos in world:each(moved) do sum = sum + pos.x end
  for e, pos in world:each(new) do sum = sum + pos.y + 0.5 end
  for e in world:removed("Marker") do sum = sum + e % 97 end
  world.resources.sum = world.resources.sum / 2 + sum
end`,
	"read": `return function(world)
  for ev in world:read("Hit") do world.resources.sum = world.resources.sum + ev.amount end
end`,
	"drain": `return function(world)
  local n = 0
  for ev in world:drain("Hit") do n = n + ev.amount end
  world.resources.sum = world.resources.sum - n
end`,
	"near": `return function(world)
  for e, pos in world:each("Position") do
    local n = 0
    for other, d2 in world:near("near", pos.x, pos.y, 2) do n = n + d2 end
    pos.y = (pos.y + n) % 7
  end
end`,
	"conditional": `return function(world) world.resources.turns = world.resources.turns + 1 end`,
}

// A run in Lua is copied, goes on and is restored, and then goes the same way again, whatever runs its loops.
func TestRestoredScriptsGoTheSameWay(t *testing.T) {
	var first string
	for _, impl := range []Impl{Auto, Closures, Lua} {
		for _, memory := range []ecs.Memory{nil, NewMemory()} {
			w := ecs.NewWorld(ecs.Options{Seed: 4, Memory: memory, MaxBytes: 1 << 30})
			declareForTests(t, w)
			if _, err := w.DeclareResource("sum", ecs.F64, ecs.Number(0)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.DeclareResource("turns", ecs.F64, ecs.Number(0)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.DeclareRelation("Likes"); err != nil {
				t.Fatal(err)
			}
			position, _ := w.LookupComponent("Position")
			if _, err := w.DeclareGrid(ecs.GridSpec{Name: "near", Component: position, X: "x", Y: "y", Cell: 2}); err != nil {
				t.Fatal(err)
			}
			sources := map[string]string{}
			for name, source := range restoreSystems {
				sources[name] = "local ecs = require(\"ecs\")\n" + source
			}
			r, err := run(t, Options{World: w, Scripts: files(sources)}, 5,
				System{Name: "populate", Stage: ecs.Startup, Impl: impl}, System{Name: "move", Impl: impl}, System{Name: "births", Impl: impl},
				System{Name: "seen", Impl: impl, Every: 3}, System{Name: "read", Impl: impl, Every: 2}, System{Name: "drain", Impl: impl, Every: 7},
				System{Name: "near", Impl: impl, Every: 2}, System{Name: "conditional", Impl: impl, When: "resources.sum > 100"})
			if err != nil {
				t.Fatal(err)
			}
			frames := func(n int) string {
				var b strings.Builder
				for range n {
					if err := r.Frame(context.Background(), 0.5); err != nil {
						t.Fatal(err)
					}
					fmt.Fprintln(&b, w.Frame(), w.Len(), w.Digest())
				}
				return b.String()
			}
			saved, err := r.Schedule().Copy(nil)
			if err != nil {
				t.Fatal(err)
			}
			want := frames(20)
			if first == "" {
				first = want
			}
			if want != first {
				t.Errorf("%s: the run differs from that of another implementation", impl)
			}
			for range 2 {
				if err := r.Schedule().Restore(saved); err != nil {
					t.Fatal(err)
				}
				if got := frames(20); got != want {
					t.Errorf("%s, memory of its own %v: restored it goes\n%s\nnot\n%s", impl, memory != nil, got, want)
				}
			}
			if err := w.Check(); err != nil {
				t.Error(err)
			}
			if impl == Auto && memory != nil && r.runner("move.lua").MachineKernels() == 0 {
				t.Error("no loop is machine code")
			}
		}
	}
	if strings.Count(first, " ") < 40 {
		t.Fatal(first)
	}
}
