// Package luatest runs tests written in Lua: files named *_test.lua with busted's
// words, which make worlds, step them and look at what came out.
//
//	local t = require("ecs.test")
//	describe("poison", function()
//	  it("kills at zero", function()
//	    local world = t.world{ config = "../config/arena.yaml", systems = { "poison" } }
//	    local rat = world:spawn{ Health = { current = 1 }, Poison = { dps = 10 } }
//	    world:step(1, 0.1)
//	    assert.is_false(world:alive(rat))
//	  end)
//	end)
//
// [Run] runs [File]s and returns a [Report]. How a world is made of a config is
// the program's affair ([Options].Worlds): this package knows no config format.
// A [Reporter] ([NewText], [NewTAP], [NewJSON]) and [WriteJUnit] turn results into what
// people and machines read; they need nothing but [Result]s.
//
// # Outline
//
//   - A file is loaded by suite.go into a Lua state of its own; words.go are
//     describe, it and so on, assert.go what assert can do, same.go compares
//     tables, show.go puts values into words, require.go finds modules.
//   - runner.go runs the tests of a file, failure.go turns what they ended with
//     into a [Failure].
//   - world.go is t.world, spec.go reads what it is given. The world's scripts run
//     in a [luabind.Runtime] of their own, as in a run of the program; the test
//     holds the same world from outside.
//   - watch.go joins the watchdogs of both.
//
// # Isolation
//
// Each file has its own Lua state, environment and instances of what it requires.
// Each test has its own random stream, derived from the seed and its name, so that
// neither order nor choice of tests changes what it draws. Worlds end with their
// test. A test is bounded by instructions and, with a watchdog, by time and memory.
package luatest
