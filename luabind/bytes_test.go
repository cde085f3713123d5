package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// What finds no room within the world's bytes is an error that a script may catch; the world goes on.
func TestAScriptMayCatchTheLimitOfBytes(t *testing.T) {
	for name, source := range map[string]string{
		"spawn":             `for i = 1, 1e5 do world:spawn{ Position = {} } end`,
		"spawn_many":        `world:spawn_many(1e5, { Position = {} })`,
		"spawn_many filler": `world:spawn_many(1e4, { "red" }, function(i) return { Position = { x = i } } end)`,
		"spawn tagged":      `for i = 1, 1e5 do world:spawn{ "red", "blue" } end`,
		"send":              `for i = 1, 1e5 do world:send("Bump", { n = i }) end`,
		"relate":            `local last = world:spawn{} for i = 1, 1e5 do last = world:spawn{ ChildOf = last } end`,
		"add":               `for i = 1, 1e5 do world:add(world:spawn{}, "Position") end`,
		"set":               `for i = 1, 1e5 do world:set(world:spawn{}, "Position", { x = 1 }) end`,
		"tag":               `for i = 1, 1e5 do world:tag(world:spawn{}, "red", "blue") end`,
	} {
		t.Run(name, func(t *testing.T) {
			w := bytesWorld(t, 1<<16)
			const want = "limit reached: 64KiB of tables, tags, grids, relations and events"
			r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": `return function(world)
  if world.frame > 1 then return end
  local ok, why = pcall(function() ` + source + ` end)
  if ok then error("nothing happened") end
  if not why:find("` + want + `", 1, true) then error(why) end
end`})}, 2, System{Name: "a"})
			if err != nil || r.Failures().Limits != 0 {
				t.Fatalf("got %v, failures %+v", err, r.Failures())
			}
			if err := w.Check(); err != nil {
				t.Error(err)
			}
			_, err = run(t, Options{World: bytesWorld(t, 1<<16), Scripts: files(map[string]string{"a": "return function(world)\n" + source + "\nend"})}, 1, System{Name: "a"})
			if !errors.Is(err, ErrLimit) || !errors.Is(err, ecs.ErrBytes) || !strings.HasPrefix(err.Error(), `a.lua:2: system "a", frame 1: `) || !strings.HasSuffix(err.Error(), want+" (limits.world)") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// In compiled loops the limit is met at the same call, with the same message.
func TestTheLimitOfBytesIsTheSameInEachTier(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"send": `
  for e, pos in world:each("Position") do
    for i = 1, 100 do
      world:send("Bump", { n = pos.x + i })
    end
  end`,
		"tag": `
  for e, pos in world:each("Position") do
    world:tag(e, "red")
    pos.x = pos.x + 1
    world:tag(e, "blue")
  end`,
		"near": `
  for e, pos in world:each("Position") do
    for other in world:near("field", pos.x, pos.y, 1) do
      pos.x = pos.x + 1
    end
  end`,
		"commands": `
  for e, pos in world:each("Position") do
    world.commands:send("Bump", { n = pos.x })
    world.commands:spawn{ Position = { x = 1 }, "red" }
    world.commands:tag(e, "blue")
  end`,
	} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			for extra := range effort.Of(36) { // 12 by default
				most := uint64(22_000*2 + 6_000*extra)
				var first string
				for _, impl := range []Impl{Lua, Closures, Auto} {
					w := bytesWorld(t, most)
					r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"a": "return function(world)" + source + "\nend"})})
					if err == nil {
						err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
					}
					if err == nil {
						err = r.Load()
					}
					if err == nil {
						err = r.Start(context.Background())
					}
					if err == nil {
						p, _ := w.LookupComponent("Position")
						var b *ecs.Bundle
						if b, err = w.Bundle(p); err == nil {
							_, err = b.SpawnMany(500, nil)
						}
					}
					if err != nil {
						t.Fatal(err)
					}
					err = r.Frame(context.Background(), 1)
					if err != nil && !errors.Is(err, ErrLimit) {
						t.Fatal(err)
					}
					if errors.Is(err, ErrLimit) {
						refused++
					}
					got := fmt.Sprint(err, " ", w.Digest())
					if first == "" {
						first = got
					}
					if got != first {
						t.Errorf("%d bytes: %s ends with %s\ninterpreted: %s", most, impl, got, first)
					}
					if err := w.Check(); err != nil {
						t.Errorf("%d bytes, %s: %v", most, impl, err)
					}
				}
			}
			if refused < 3 {
				t.Errorf("%d runs passed the limit", refused)
			}
		})
	}
}

func TestFieldsOfADeclarationAreCounted(t *testing.T) {
	for _, kind := range []string{"component", "event"} {
		_, err := run(t, Options{Scripts: files(map[string]string{"a": `local ecs = require("ecs")
local fields = {}
for i = 1, 257 do fields["f" .. i] = "f64" end
ecs.` + kind + `("Wide", fields)
return function() end`})}, 1, System{Name: "a"})
		if err == nil || !strings.HasPrefix(err.Error(), "a.lua:4: ") || !strings.HasSuffix(err.Error(), "Wide: 257 fields are too many: at most 256") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// bytesWorld is a world with little room.
func bytesWorld(t *testing.T, most uint64) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, MaxBytes: most, Memory: restlessMemory()})
	declareForTests(t, w)
	for _, name := range []string{"red", "blue"} {
		if _, err := w.DeclareTag(name); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ecs.NewSchema(ecs.Field{Name: "n", Type: ecs.F64})
	if err == nil {
		_, err = w.DeclareEvent("Bump", s)
	}
	p, _ := w.LookupComponent("Position")
	if err == nil {
		_, err = w.DeclareGrid(ecs.GridSpec{Name: "field", Component: p, X: "x", Y: "y", Cell: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}
