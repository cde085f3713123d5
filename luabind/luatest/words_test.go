package luatest

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOrderOfBeforeAndAfter(t *testing.T) {
	r := run(t, `
before_each(function() print("before file") end)
after_each(function() print("after file") end)
describe("outer", function()
  before_each(function() print("before outer 1") end)
  before_each(function() print("before outer 2") end)
  after_each(function() print("after outer") end)
  describe("inner", function()
    before_each(function() print("before inner") end)
    after_each(function() print("after inner") end)
    it("runs", function() print("it") end)
  end)
  it("stands outside of inner", function() print("it") end)
end)`, Options{})
	want(t, outcome(r), "ok outer inner runs\nok outer stands outside of inner")
	want(t, r.Results[0].Output, `
before file
before outer 1
before outer 2
before inner
it
after inner
after outer
after file`)
	want(t, r.Results[1].Output, "before file\nbefore outer 1\nbefore outer 2\nit\nafter outer\nafter file")
}

func TestFailuresAroundATest(t *testing.T) {
	r := run(t, `
after_each(function() print("after file") end)
describe("before", function()
  before_each(function() error("no world") end)
  after_each(function() print("after before") end)
  describe("inside", function()
    before_each(function() print("not reached") end)
    after_each(function() print("nor this") end)
    it("is not run", function() print("nor the test") end)
  end)
end)
describe("after", function()
  after_each(function() error("cannot clean up") end)
  it("passes", function() end)
  it("fails", function() assert.is_true(false) end)
end)
it("goes on", function() end)`, Options{})
	want(t, outcome(r), `
FAIL before inside is not run: a_test.lua:4: before_each: no world
FAIL after passes: a_test.lua:13: after_each: cannot clean up
FAIL after fails: a_test.lua:15: expected true, got false | a_test.lua:13: after_each: cannot clean up
ok goes on`)
	want(t, r.Results[0].Output, "after before\nafter file")
}

func TestPending(t *testing.T) {
	r := run(t, `
pending("for ever")
pending("written", function() error("not run") end)
it("unwritten")
it("not now", function() pending("no wings yet") error("not reached") end)
it("nor now", function() pending() end)
describe("cleans up", function()
  after_each(function() print("cleaned up") end)
  it("waits", function() pending("soon") end)
end)`, Options{})
	want(t, outcome(r), `
pending for ever: 
pending written: 
pending unwritten: 
pending not now: no wings yet
pending nor now: 
pending cleans up waits: soon`)
	want(t, r.Results[5].Output, "cleaned up")
}

func TestFilesThatDoNotLoad(t *testing.T) {
	for _, c := range []struct{ name, source, message string }{
		{"syntax", "it('a', function() end)\nit('b', function( end)", `a_test.lua:2: unexpected "end"`},
		{"undeclared global", "\ndescrbe('a', function() end)", `a_test.lua:2: undeclared global "descrbe"; did you mean "describe"?`},
		{"error in a describe", "describe('a', function()\n error('oh')\nend)", "a_test.lua:2: oh"},
		{"error in what it requires", "require('lib.wrong')", "lib/wrong.lua:2: oh"},
		{"syntax of what it requires", "require('lib.syntax')", `lib/syntax.lua:1: unexpected "end": no block is open here; is there an "end" too many above?`},
		{"world while loading", "require('ecs.test').world{}", "a_test.lua:1: t.world outside a test; call it in it or before_each"},
		{"no function", "it('a', 5)", "a_test.lua:1: bad argument #2 to 'it' (function expected, got number)"},
		{"no name", "describe(function() end)", "a_test.lua:1: bad argument #1 to 'describe' (name expected, got function)"},
		{"endless", "\nwhile true do end", "a_test.lua:2: more than 10,000 instructions (limits.instructions); is there an endless loop?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, c.source, Options{Instructions: 10_000}, "lib/wrong.lua", "\nerror('oh')", "lib/syntax.lua", "end")
			if got := onlyFailure(t, r); got.Error() != c.message {
				t.Errorf("got  %s\nwant %s", got.Error(), c.message)
			}
		})
	}
}

func TestOneFileDoesNotStopOthers(t *testing.T) {
	fsys := fstest.MapFS{
		"b_test.lua": {Data: []byte("it('b', function() end)")},
		"c_test.lua": {Data: []byte("it('c', function() x() end)")},
		"d_test.lua": {Data: []byte("it('d', function() end)")},
	}
	var files []File
	for _, n := range []string{"a_test.lua", "b_test.lua", "c_test.lua", "d_test.lua"} {
		files = append(files, File{n, fsys, n})
	}
	r := Run(context.Background(), files, Options{})
	want(t, outcome(r), `
FAIL a_test.lua: a_test.lua: cannot be read: file does not exist
ok b
FAIL c: c_test.lua:1: undeclared global "x"; no local of this name is visible here
ok d`)
}

func TestWordsInsideATest(t *testing.T) {
	r := run(t, `
it("makes another", function() it("x", function() end) end)
it("groups", function() describe("x", function() end) end)
it("prepares", function() before_each(function() end) end)`, Options{})
	for _, one := range r.Results {
		if !strings.Contains(one.Failures[0].Message, "inside a test; it belongs into a describe or the file itself") {
			t.Errorf("%s: %s", one.Name, one.Failures[0].Message)
		}
	}
}

func TestMatch(t *testing.T) {
	source := `
describe("poison", function()
  it("kills", function() end)
  it("heals", function() end)
end)
it("kills", function() end)`
	r := run(t, source, Options{Match: func(name string) bool { return name == "poison kills" }})
	want(t, outcome(r), "ok poison kills")
	if r.Left != 2 {
		t.Errorf("left out %d, want 2", r.Left)
	}
}

func TestRequire(t *testing.T) {
	fsys := fstest.MapFS{
		"game/poison/a_test.lua": {Data: []byte(`
local near, far, same = require("near"), require("lib.far"), require("lib.far")
it("finds", function()
  assert.equal("near", near.name)
  assert.equal("far of lib", far.name)
  assert.equal(far, same)
  far.count = far.count + 1
  assert.equal(1, far.count)
end)
it("suggests", function() require("lib.fra") end)
it("names the form", function() require("lib/far") end)
it("sees circles", function() require("lib.one") end)
it("has no others' words", function() require("lib.wordy") end)`)},
		"game/poison/near.lua": {Data: []byte(`return { name = "near" }`)},
		"game/lib/far.lua":     {Data: []byte(`return { name = "far of " .. require("near_far"), count = 0 }`)},
		"game/near_far.lua":    {Data: []byte(`return "lib"`)},
		"game/lib/one.lua":     {Data: []byte(`require("lib.two")`)},
		"game/lib/two.lua":     {Data: []byte(`require("lib.one")`)},
		"game/lib/wordy.lua":   {Data: []byte(`describe("x", function() end)`)},
	}
	file := File{"../game/poison/a_test.lua", fsys, "game/poison/a_test.lua"}
	r := Run(context.Background(), []File{file, file}, Options{}) // twice: no file sees another's instances
	once := `
ok finds
FAIL suggests: ../game/poison/a_test.lua:10: require "lib.fra": no lib/fra.lua in the folder of the test file or above it; did you mean "lib.far"?
ok names the form
FAIL sees circles: ../game/lib/two.lua:1: require "lib.one": the files require each other in a circle
FAIL has no others' words: ../game/lib/wordy.lua:1: undeclared global "describe"; tests have it, which stand in files *_test.lua: ecsrun test runs them
`
	want(t, outcome(r), strings.TrimSpace(once)+once)
}
