package luatest

import (
	"strings"
	"testing"
)

func TestOrderOfSetupAndTeardown(t *testing.T) {
	r := run(t, `
setup(function() print("setup file") end)
teardown(function() print("teardown file") end)
describe("outer", function()
  setup(function() print("setup outer") end)
  lazy_setup(function() print("lazy setup outer") end)
  before_each(function() print("before outer") end)
  teardown(function() print("teardown outer") end)
  lazy_teardown(function() print("lazy teardown outer") end)
  it("first", function() print("first") end)
  describe("inner", function()
    strict_setup(function() print("setup inner") end)
    strict_teardown(function() print("teardown inner") end)
    it("second", function() print("second") end)
  end)
  it("third", function() finally(function() print("finally") end) print("third") end)
end)
describe("idle", function()
  setup(function() print("setup idle") end)
  lazy_setup(function() print("never") end)
  lazy_teardown(function() print("never") end)
  teardown(function() print("teardown idle") end)
  pending("waits")
end)`, Options{})
	want(t, outcome(r), "ok outer first\nok outer inner second\nok outer third\npending idle waits:")
	for i, expected := range []string{
		"setup file|setup outer|lazy setup outer|before outer|first",
		"setup inner|before outer|second|teardown inner",
		"before outer|third|finally|lazy teardown outer|teardown outer",
		"setup idle|teardown idle|teardown file",
	} {
		want(t, strings.ReplaceAll(strings.TrimSpace(r.Results[i].Output), "\n", "|"), expected)
	}
}

func TestFailuresAroundGroups(t *testing.T) {
	r := run(t, `
describe("setup", function()
  setup(function() error("no world") end)
  teardown(function() print("teardown") end)
  it("first", function() print("not run") end)
  describe("within", function() it("second", function() print("nor this") end) end)
end)
describe("lazy", function()
  lazy_setup(function() error("not yet") end)
  pending("waits")
  it("fails", function() end)
end)
describe("teardown", function()
  teardown(function() error("cannot clean up") end)
  it("passes", function() end)
  it("is the last", function() finally(function() error("nor I") end) end)
end)
describe("setup that waits", function()
  setup(function() pending("no ice") end)
  it("skates", function() end)
end)
it("goes on", function() end)`, Options{})
	want(t, outcome(r), `
FAIL setup first: a_test.lua:3: setup: no world
FAIL setup within second: a_test.lua:3: setup: no world
pending lazy waits: 
FAIL lazy fails: a_test.lua:9: lazy_setup: not yet
ok teardown passes
FAIL teardown is the last: a_test.lua:16: finally: nor I | a_test.lua:14: teardown: cannot clean up
pending setup that waits skates: no ice
ok goes on`)
	want(t, r.Results[1].Output, "teardown")
}

func TestWorldsOfASetupLiveAsLongAsTheGroup(t *testing.T) {
	r := run(t, head+`
local world, kept
describe("shared", function()
  setup(function() world = t.world{ config = "drain" } world:spawn{ Health = { current = 3 } } end)
  it("steps", function() world:step(1, 0.5) assert.equal(1, world:count()) for _ in world:each("Health") do error("left in a loop", 0) end end)
  it("steps again", function() world:step(1, 0.5) assert.equal(0, world:count()) kept = t.world{} end)
  it("has lost the other", function() kept:step() end)
end)
it("has lost it", function() world:step() end)`, Options{})
	want(t, outcome(r), `
FAIL shared steps: a_test.lua:5: left in a loop
ok shared steps again
FAIL shared has lost the other: a_test.lua:7: this world ended with its test
FAIL has lost it: a_test.lua:9: this world ended with its test`)
}

func TestBustedsOtherNames(t *testing.T) {
	r := run(t, `
context("context", function() test("test", function() end) end)
expose("expose", function() spec("spec", function() end) end)
insulate("insulate", function() it("it", function() end) end)`, Options{})
	want(t, outcome(r), "ok context test\nok expose spec\nok insulate it")
}

func TestInsulate(t *testing.T) {
	r := run(t, `
local outer = require("lib")
outer.count = outer.count + 1
insulate("its own", function()
  assert(require("lib") == outer)
  local inner = require("other")
  inner.count = 10
  print = function() error("silenced") end
  string.shout = string.upper
  it("module", function()
    assert.equal(inner, require("other"))
    assert.equal(2, require("user")())
    assert.equal("A", string.shout("a"))
    assert.error(print, "silenced")
    rawset(_G, "mine", 1)
  end)
  it("globals", function() assert.equal(1, rawget(_G, "mine")) end)
end)
it("is not seen outside", function()
  print("heard")
  assert.is_nil(mine)
  assert.error(function() return string.shout("a") end)
  assert.equal(outer, require("lib"))
  assert.equal(0, require("other").count)
  assert.equal(3, require("user")())
end)`, Options{}, "lib.lua", "return { count = 0 }", "other.lua", "return { count = 0 }", "user.lua", "local lib = require('lib')\nreturn function() lib.count = lib.count + 1 return lib.count end")
	want(t, outcome(r), "ok its own module\nok its own globals\nok is not seen outside")
	want(t, r.Results[2].Output, "heard")
}

func TestNamesMayBeEmpty(t *testing.T) {
	r := run(t, `
it("", function() end)
describe(" ", function() pending("") end)
describe("", function() it("", function() error("x") end) end)
it(5, function() end)`, Options{})
	want(t, outcome(r), "ok \npending   : \nFAIL  : a_test.lua:4: x\nok 5")
	want(t, r.Results[2].Alone, "ecsrun test --run '^ $' a_test.lua")
}

func TestFinallyBelongsIntoATest(t *testing.T) {
	f := onlyFailure(t, run(t, `finally(function() end)`, Options{}))
	want(t, f.Error(), "a_test.lua:1: finally outside a test; in a describe write after_each or teardown")
}

func TestFinallyRunsInReverse(t *testing.T) {
	r := run(t, `
after_each(function() print("after") end)
it("fails", function()
  finally(function() print("last") end)
  finally(function() print("first") end)
  error("oh")
end)`, Options{})
	want(t, r.Results[0].Output, "first\nlast\nafter")
}
