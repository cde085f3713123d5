package luabind

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// Looking through IsA is charged: a walk over entities with a base costs more of the budget than the same walk over entities without one, under every
// implementation, and so do count and first.
func TestLookingThroughIsAIsCharged(t *testing.T) {
	const script = `
local ecs = require("ecs")
ecs.component("A", { x = "f64" })
local M = {}
function M.init(world)
  local base = world:spawn{ A = {} }
  for i = 1, 2000 do world:spawn(BASED and { IsA = base } or { A = {} }) end
end
function M.update(world)
  WALK
end
return M`
	for name, walk := range map[string]string{
		"loop":  `local n = 0 for e, a in world:each("A") do n = n + a.x end`,
		"count": `world:count("A")`,
		"first": `world:first("A")`,
	} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			used := func(based string) int64 {
				source := strings.NewReplacer("BASED", based, "WALK", walk).Replace(script)
				r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Scripts: fstest.MapFS{"a.lua": {Data: []byte(source)}}})
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
					t.Fatal(err)
				}
				if err := r.Load(); err != nil {
					t.Fatal(err)
				}
				if err := r.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := r.Frame(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				return r.state.Budget().Used()
			}
			if with, without := used("true"), used("false"); with < without+4000 {
				t.Errorf("%s, impl %v: %d instructions with a base, %d without", name, impl, with, without)
			}
		}
	}
}
