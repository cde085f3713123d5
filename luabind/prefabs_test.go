package luabind

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

const prefabLoops = `
local ecs = require("ecs")
ecs.prefab("guard", { base = "man", components = { Health = { current = 5 } }, children = { { name = "hat", components = { Marker = {} } } } })
ecs.prefab("man", { components = { Health = { max = 9 } }, tags = { "player" } })
local every = ecs.query{ "Health", prefabs = true }
local M = { state = { last = ecs.none } }
function M.update(world, dt)
  if world.frame == 1 then
    for i = 1, 70 do world:spawn{ Position = { x = i } } end
  end
  for e, pos in world:each("Position") do
    if pos.x % 7 == world.frame then
      local g = world.commands:instance("guard", { Position = { x = pos.x + 0.5, y = pos.y }, Health = { current = pos.x }, "enemy", ChildOf = e })
      world.commands:set(g, "Velocity", { dx = pos.x })
      world.commands:instance("man")
    end
  end
  for e, health in world:each(every) do health.max = health.max + 1 end
  if world.frame == 3 then
    for e, pos in world:each("Position") do
      if pos.x > 60 then world.commands:despawn(world:prefab("guard")) end
    end
  end
end
return M
`

// Loops make instances alike in every tier, and loops over prefabs write them; a snapshot goes on the same way.
func TestPrefabsInLoops(t *testing.T) {
	var want ecs.Digest
	for _, impl := range []Impl{Lua, Closures, Auto} {
		w := ecs.NewWorld(ecs.Options{Seed: 3, Memory: NewMemory()})
		declareForTests(t, w)
		var log bytes.Buffer
		make := func(w *ecs.World) *Runtime {
			r, err := New(Options{World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": prefabLoops}), Stdout: &log})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
			}
			if err == nil {
				err = r.Load()
			}
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := make(w)
		if err := r.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		for frame := 1; frame <= 6; frame++ {
			if err := r.Frame(context.Background(), 0.1); err != nil {
				t.Fatal(err)
			}
			if err := w.Check(); err != nil {
				t.Fatalf("%v, frame %d: %v", impl, frame, err)
			}
			if frame == 4 {
				if err := r.Save(&file); err != nil {
					t.Fatal(err)
				}
			}
		}
		if impl == Lua {
			want = w.Digest()
		} else if w.Digest() != want {
			t.Errorf("%v: the world is another one", impl)
		}
		for _, l := range r.Explain() {
			if impl != Lua && l.Line == 11 && l.Reason != "" {
				t.Errorf("%v: the loop of line %d is not compiled: %s", impl, l.Line, l.Reason)
			}
		}
		if n := w.Len(); n < 90 {
			t.Errorf("%v: %d entities", impl, n)
		}
		other := ecs.NewWorld(ecs.Options{Seed: 3, Memory: NewMemory()})
		declareForTests(t, other)
		again := make(other)
		if err := again.Restore(strings.NewReader(file.String())); err != nil {
			t.Fatalf("%v: %v", impl, err)
		}
		for range 2 {
			if err := again.Frame(context.Background(), 0.1); err != nil {
				t.Fatal(err)
			}
		}
		if other.Digest() != want {
			t.Errorf("%v: a run that was resumed is another one: %v", impl, w.Differences(other, 3))
		}
		_ = r.Close()
		_ = again.Close()
	}
}
