package luatest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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

func TestAGroupThatDoesNotLoad(t *testing.T) {
	r := run(t, `
it("comes first", function() end)
describe("half", function()
  describe("a group", function()
    it("is not run", function() end)
    error("lost")
  end)
  it("is run", function() end)
end)`, Options{})
	want(t, outcome(r), "ok comes first\nFAIL half a group: a_test.lua:6: lost\nok half is run")
	one := r.Results[1]
	if !one.Unloaded || one.Line != 4 || one.Alone != "ecsrun test a_test.lua" {
		t.Errorf("%+v", one)
	}
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	tap := report(func(b *strings.Builder) Reporter { return NewTAP(b) }, r)
	for _, c := range [][2]string{
		{text, "  FAIL  half a group does not load: a_test.lua:6: lost\n"},
		{text, "1) half a group does not load\n"},
		{tap, "not ok 2 - half a group does not load"},
		{report(func(b *strings.Builder) Reporter { return NewGitHub(b) }, r), "title=half a group does not load::"},
		{report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r), `"within":["half","a group"],"full_name":"half a group","status":"failed"`},
	} {
		if !strings.Contains(c[0], c[1]) {
			t.Errorf("no %q in\n%s", c[1], c[0])
		}
	}
}

func TestSetupOfAGroupWithoutTests(t *testing.T) {
	r := run(t, `
describe("outer", function()
  local name
  setup(function() name = "set" end)
  teardown(function() error("no end") end)
  describe("inner", function()
    local mine = name
    it("knows", function() assert.equal("set", mine) end)
  end)
end)
describe("left", function()
  setup(function() error("not run") end)
  it("out", function() end)
end)
describe("ends badly", function()
  teardown(function() error("no end here") end)
  describe("inner", function() end)
end)`, Options{Match: func(name string) bool { return name != "left out" }})
	want(t, outcome(r), `
FAIL outer inner knows: a_test.lua:5: teardown: no end
FAIL ends badly: a_test.lua:16: teardown: no end here`)
}

func TestRandomize(t *testing.T) {
	const source = `
describe("a", function()
  randomize(7)
  for i = 1, 9 do it("a" .. i, function() end) end
end)
describe("b", function()
  randomize(false)
  for i = 1, 9 do it("b" .. i, function() end) end
end)`
	one, two := names(run(t, source, Options{})), names(run(t, source, Options{Shuffle: true}))
	inOrder := func(prefix string, list []string) bool {
		return slices.IsSorted(slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !strings.HasPrefix(name, prefix) }))
	}
	if inOrder("a", one) || !inOrder("b", one) || !inOrder("b", two) {
		t.Errorf("%q %q", one, two)
	}
}

// Modules of a spec have _G and what stands in it, and no words. What the spec's own code assigns, they do not see.
func TestGlobalsOfModules(t *testing.T) {
	fsys := fstest.MapFS{
		"mod.lua": {Data: []byte(`made = 5 _G.inG = 6 rawset(_G, "raw", 7)
local M = {}
function M.read(name) return _G[name] end
function M.plain() return given end
function M.write(v) made = v end
function M.words() return describe, it, type(assert) end
return M`)},
		"a_spec.lua": {Data: []byte(`local M = require("mod")
top = 1
it("reads", function() assert.same({ 5, 6, 7 }, { made, inG, raw }) end)
it("gives by _G", function() _G.given = 9 assert.same({ 9, 9 }, { M.plain(), M.read("given") }) end)
it("keeps its own", function() own = 9 assert.is_nil(M.read("own")) assert.is_nil(M.read("top")) assert.equal(1, top) end)
it("writes", function() M.write(11) assert.equal(11, made) end)
it("stays", function() assert.same({ 11, 9 }, { made, given }) end)
it("has no words", function() local a, b, c = M.words() assert.same({ nil, nil, "function" }, { a, b, c }) end)
it("takes away", function() _G.inG = nil assert.is_nil(inG) assert.is_nil(M.read("inG")) end)
it("replaces", function() local old = _G.print _G.print = function() return "p" end assert.equal("p", M.read("print")()) _G.print = old end)
`)},
	}
	r := Run(context.Background(), []File{{"a_spec.lua", fsys, "a_spec.lua"}}, Options{})
	want(t, outcome(r), "\nok reads\nok gives by _G\nok keeps its own\nok writes\nok stays\nok has no words\nok takes away\nok replaces")
}

func TestFilesOfSpecs(t *testing.T) {
	fsys := fstest.MapFS{
		"src/one.lua":          {Data: []byte(`return "one"`)},
		"src/two/init.lua":     {Data: []byte(`return "two"`)},
		"three/init.lua":       {Data: []byte(`return "three"`)},
		"spec/helper.lua":      {Data: []byte("love = { x = nothing }\nreturn love")},
		"spec/a_spec.lua":      {Data: []byte(`it("has them", function() assert.equal("one two three", require("one") .. " " .. require("two") .. " " .. require("three")) assert.equal(require("helper"), love) end)`)},
		"spec/strict_test.lua": {Data: []byte(`it("is strict", function() require("helper") end)`)},
	}
	r := Run(context.Background(), []File{{"spec/a_spec.lua", fsys, "spec/a_spec.lua"}, {"spec/strict_test.lua", fsys, "spec/strict_test.lua"}}, Options{})
	want(t, outcome(r), `
ok has them
FAIL is strict: spec/helper.lua:1: undeclared global "nothing"; no local of this name is visible here`)
	dir := t.TempDir()
	for name, text := range map[string]string{"game": "a program", "a_spec.lua": `it("asks", function() package.preload["game.util"] = function() return 5 end assert.equal(5, require("game.util")) assert.matches("no game/other.lua", select(2, pcall(require, "game.other"))) end)`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want(t, outcome(Run(context.Background(), []File{{"a_spec.lua", os.DirFS(dir), "a_spec.lua"}}, Options{})), "\nok asks")
}
