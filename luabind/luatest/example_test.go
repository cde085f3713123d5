package luatest_test

import (
	"context"
	"os"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// A program with worlds of its own runs tests of its scripts: Worlds says what
// t.world makes. Here every world has a Health and the system that the test names.
func ExampleRun() {
	files := fstest.MapFS{
		"heal.lua": {Data: []byte(`
return function(world, dt)
  for e, health in world:each("Health") do health.current = health.current + dt end
end`)},
		"heal_test.lua": {Data: []byte(`
local t = require("ecs.test")
describe("heal", function()
  local world, rat
  before_each(function()
    world = t.world{ config = "heal" }
    rat = world:spawn{ Health = { current = 1 } }
  end)
  it("heals one a second", function()
    world:step(4, 0.25)
    assert.equal(2, world:get(rat, "Health").current)
  end)
  it("heals the dead", function()
    world:despawn(rat)
    world:step()
    assert.is_true(world:alive(rat))
  end)
end)`)},
	}
	worlds := func(spec luatest.WorldSpec) (*luatest.World, error) {
		world := ecs.NewWorld(ecs.Options{})
		health, err := ecs.NewSchema(ecs.Field{Name: "current", Type: ecs.F64})
		if err != nil {
			return nil, err
		}
		if _, err := world.DeclareComponent("Health", health); err != nil {
			return nil, err
		}
		if err := spec.Declare(world); err != nil { // what the test file declares itself
			return nil, err
		}
		rt, err := luabind.New(luabind.Options{
			World: world, Scripts: files, Stdout: spec.Stdout, Log: spec.Log, Watchdog: spec.Watchdog,
		})
		if err != nil {
			return nil, err
		}
		err = rt.Add(luabind.System{Name: spec.Config, Script: spec.Config + ".lua"})
		return &luatest.World{Runtime: rt, DT: 1.0 / 60}, err
	}
	tap := luatest.NewTAP(os.Stdout)
	report := luatest.Run(context.Background(),
		[]luatest.File{{Name: "heal_test.lua", FS: files, Path: "heal_test.lua"}},
		luatest.Options{Worlds: worlds, Done: tap.Result})
	tap.End(report)
	// Output:
	// TAP version 13
	// ok 1 - heal heals one a second
	// not ok 2 - heal heals the dead
	//   ---
	//   message: "heal_test.lua:16: expected true, got false"
	//   at: "heal_test.lua:16"
	//   diff: "expected true, got false"
	//   alone: "ecsrun test --run '^heal heals the dead$' heal_test.lua"
	//   ...
	// 1..2
}
