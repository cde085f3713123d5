// Package luatest runs tests written in Lua. The test files are named *_test.lua and
// use the functions of busted (describe, it, assert). Tests make worlds, run frames
// and check the results.
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
// [Run] runs [File]s and returns a [Report]. The program makes worlds from configs
// ([Options].Worlds); this package knows no config format. A [Reporter] ([NewText],
// [NewTAP], [NewJSON], [NewGitHub]) and [WriteJUnit] format the [Result]s for people and programs.
//
// # Outline
//
//   - suite.go loads each file into its own Lua state. words.go has describe, it and
//     similar functions, which build the tree of group.go; insulation.go is insulate.
//     globals.go has what a file sees as its globals; sources.go, packages.go and
//     modules.go are require, with the modules of busted and luassert.
//   - assert.go has the values behind assert, chain.go reads their words. The assertions
//     are in equality.go, kinds.go, raising.go, spy.go and array.go, check.go is a call of
//     one, register.go those of a test; spyon.go, stub.go and matcher.go are the words
//     spy, stub, mock and match. same.go compares tables, show.go formats values for
//     reports, format.go for luassert's texts.
//   - runner.go runs the files, groups.go what is in them (filter.go chooses), and
//     runtest.go one test; failure.go turns an error into a [Failure].
//   - world.go is t.world; spec.go reads its argument. The scripts of the world run
//     in their own [luabind.Runtime], as in a run of the program. The test accesses
//     the same world from outside. rewind.go has events and snapshots, golden.go
//     golden files.
//   - property.go runs a property: generator.go makes values from choices.go, and
//     shrink.go makes the choices of a failing case smaller. bench.go is t.bench.
//   - coverage.go, lcov.go and coveragehtml.go write which lines ran.
//   - watch.go combines the watchdogs of the test and of the Runtime.
//
// # Isolation
//
// Each file has its own Lua state, environment and instances of required modules. The
// random stream of each test is derived from the seed and the name of the test, so the
// order and selection of tests do not change it. Worlds are closed at the end of their
// test. A test has a limit of instructions and, with a watchdog, of time and memory.
package luatest
