package luatest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind"
)

// passing are assertions that hold.
const passing = `
assert.equal(1, 1)
assert.equal("a", "a", "own words")
assert.equal(nil, nil)
assert.not_equal(1, "1")
assert.not_equal(0/0, 0/0)
local t = {}; assert.equal(t, t)
assert.not_equal({}, {})
assert.same({}, {})
assert.same(1, 1)
assert.same({ 1, { x = "y" } }, { 1, { x = "y" } })
assert.same({ 0/0 }, { 0/0 })
assert.same(setmetatable({ 1 }, { __index = { a = 1 } }), { 1 })
assert.not_same({ 1 }, { 2 })
assert.not_same({ 1 }, { "1" })
assert.not_same({ 1 }, { 1, 2 })
assert.not_same({ 1, 2 }, { 1 })
local loop = {}; loop.self = loop; local other = {}; other.self = other; assert.same(loop, other)
assert.near(1, 1.05, 0.1)
assert.near(1, 1, 0)
assert.near(1/0, 1/0, 0)
assert.is_true(true)
assert.is_false(false)
assert.is_nil(nil)
assert.is_not_nil(false)
assert.truthy(0)
assert.falsy(nil)
assert.error(function() error("no bread") end)
assert.error(function() error("no (bread)") end, "no (bread)")
assert.error(function() error({ code = 3 }) end, { code = 3 })
assert.matches("bread", assert.error(function() error("no bread") end))
assert.no_error(function() end)
assert.matches("^(%a+) (%a+)$", "no bread")
local a, b = assert.matches("^(%a+) (%a+)$", "no bread"); assert.equal("nobread", a .. b)
assert.are.equal(1, 1); assert.is.truthy(1); assert.has.error(error); assert.are.same({}, {})
assert(1)
local a, b = assert(1, 2); assert.equal(2, b)
local ok = pcall(assert.equal, 1, 2); assert.is_false(ok)
local ok, text = pcall(assert, false, "own words"); assert.equal("own words", text)
`

func TestAssertionsThatHold(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(passing)) {
		r := run(t, fmt.Sprintf("it('holds', function() %s end)", line), Options{})
		want(t, outcome(r), "ok holds")
		if t.Failed() {
			t.Fatal(line)
		}
	}
}

func TestAssertionsThatFail(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`assert.equal(1, 1.5)`, `expected 1, got 1.5`},
		{`assert.equal(1, "1")`, `expected 1, got "1"`},
		{`assert.equal(1, nil, "after the fall")`, `after the fall: expected 1, got nil`},
		{`assert.equal(0.3, 0.1 + 0.2)`, `expected 0.3, got 0.30000000000000004`},
		{`assert.equal(0/0, 0/0)`, `expected nan, got nan, which is not equal to itself; use assert.same`},
		{`assert.equal({ 1 }, { 1 })`, `two tables with the same content { 1 }, but not the same table; use assert.same`},
		{`assert.equal({ 1 }, { 2 })`, `[1]: expected 1, got 2 (assert.same compares the content of tables)`},
		{`assert.equal(print, error)`, `expected a function, got another one`},
		{`assert.equal(1)`, `assert.equal takes (expected, actual)`},
		{`assert.not_equal(1, 1)`, `expected something other than 1`},
		{`assert.same(1, 2)`, `expected 1, got 2`},
		{`assert.same({ { cause = "poison" } }, { { cause = "hunger" } })`, `[1].cause: expected "poison", got "hunger"`},
		{`assert.same({ a = 1 }, { b = 2 })`, `a: missing, expected 1, and 1 more`},
		{`assert.same({ 1, 2 }, { 1 })`, `[2]: missing, expected 2`},
		{`assert.same({ 1 }, { 1, { x = 1 } })`, `[2]: not expected, got { x = 1 }`},
		{`assert.same({ ["odd key"] = { [true] = 1 } }, { ["odd key"] = { [true] = 2 } })`, `["odd key"][true]: expected 1, got 2`},
		{`assert.same({}, 5)`, `expected {}, got 5`},
		{`assert.same({}, nil)`, `expected {}, got nil`},
		{`assert.not_same({ 1 }, { 1 })`, `expected something other than { 1 }`},
		{`assert.same("a\nb", "a\nc")`, `line 2: expected "b", got "c"`},
		{`assert.same({ text = "a" }, { text = "a\nb" })`, `text line 2: not expected, got "b"`},
		{`assert.equal(("x"):rep(200) .. "a", ("x"):rep(200) .. "b")`, `differs from byte 201 on: expected …"xxxxxxxxxxxxxxxxxxxxa", got …"xxxxxxxxxxxxxxxxxxxxb"`},
		{`assert.near(1, 1.5, 0.1)`, `expected 1 ± 0.1, got 1.5 (off by 0.5)`},
		{`assert.near(1, 0/0, 0.1)`, `expected 1 ± 0.1, got nan (off by nan)`},
		{`assert.near(1, nil, 0.1)`, `expected a number near 1, got nil`},
		{`assert.near(1, 2)`, `assert.near takes (expected, actual, tolerance)`},
		{`assert.near(1, 2, "x")`, `assert.near: tolerance must be a number, got string`},
		{`assert.is_true(1)`, `expected true, got 1`},
		{`assert.is_false(nil)`, `expected false, got nil`},
		{`assert.is_nil(false)`, `expected nil, got false`},
		{`assert.is_not_nil(nil)`, `expected a value, got nil`},
		{`assert.truthy(false)`, `expected anything but nil and false, got false`},
		{`assert.falsy({ a = 1, 2 })`, `expected nil or false, got { 2, a = 1 }`},
		{`assert.is_true()`, `assert.is_true takes (value)`},
		{`assert.error(function() end)`, `expected an error, got none`},
		{`assert.error(function() end, "x")`, `expected an error with "x", got none`},
		{`assert.error(function() error("no bread", 0) end, "wine")`, `expected an error with "wine", got "no bread"`},
		{`assert.error(function() error({ code = 3 }) end, { code = 4 })`, `another error than expected: code: expected 4, got 3`},
		{`assert.error(error("x", 0))`, `x`},
		{`assert.error(5)`, `assert.error takes a function that it calls, not number: write assert.error(function() … end)`},
		{`assert.no_error(function() error("no bread", 0) end)`, `expected no error, got "a_test.lua:1: no bread"`},
		{`assert.matches("^b", "abc")`, `expected a text that matches "^b", got "abc"`},
		{`assert.matches("^b", 5)`, `expected a text that matches "^b", got 5`},
		{`assert.matches("[", "abc")`, `malformed pattern: missing "]"`},
		{`assert.eqal(1, 1)`, `assert has no function "eqal"; did you mean "equal"?`},
		{`assert.xyzzy(1, 1)`, `assert has no function "xyzzy"`},
		{`assert(false)`, `assertion failed!`},
		{`assert(nil, "own words")`, `own words`},
		{`error({ code = 5 })`, `error object {code = 5}`},
		{`error()`, `error(nil): no message was given`},
		{`local x; x.y = 1`, `attempt to index a nil value (local "x")`},
	} {
		r := run(t, fmt.Sprintf("it('fails', function() %s end)", c.code), Options{})
		if len(r.Results) != 1 || len(r.Results[0].Failures) != 1 {
			t.Errorf("%s: %s", c.code, outcome(r))
			continue
		}
		f := r.Results[0].Failures[0]
		if f.Message != c.message || f.File != "a_test.lua" || f.Line != 1 {
			t.Errorf("%s\n got %s:%d: %s\nwant a_test.lua:1: %s", c.code, f.File, f.Line, f.Message, c.message)
		}
	}
}

func TestDifferencesInFull(t *testing.T) {
	r := run(t, `
it("differs", function()
  assert.same(
    { { who = 1, cause = "poison" }, { who = 2 }, list = { "a", "b" } },
    { { who = 1, cause = "hunger", where = { x = 1 } }, list = { "a", "c", "d" } })
end)
it("differs much", function()
  local a, b = {}, {}
  for i = 1, 30 do a[i], b[i] = i, -i end
  assert.same(a, b)
end)`, Options{})
	got := r.Results[0].Failures[0].Diff
	expected := []string{
		`[1].cause: expected "poison", got "hunger"`,
		`[1].where: not expected, got { x = 1 }`,
		`[2]: missing, expected { who = 2 }`,
		`list[2]: expected "b", got "c"`,
		`list[3]: not expected, got "d"`,
	}
	if !slices.Equal(got, expected) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(expected, "\n"))
	}
	much := r.Results[1].Failures[0].Diff
	if len(much) != maxDifferences+1 || much[maxDifferences] != "… and 10 more" {
		t.Errorf("%d lines, the last %q", len(much), much[len(much)-1])
	}
}

func TestPlacesOfFailures(t *testing.T) {
	r := run(t, `
local function healthy(x)
  assert.equal(1, x)
end
it("fails in what it calls", function()
  healthy(2)
end)
it("fails in a library", function()
  require("lib").fail()
end)`, Options{}, "lib.lua", "local function fail()\n  error('oh')\nend\nreturn { fail = fail }")
	f := r.Results[0].Failures[0]
	if f.Line != 3 || f.Excerpt != `    3 |   assert.equal(1, x)` {
		t.Errorf("%d %q", f.Line, f.Excerpt)
	}
	if expected := []string{"healthy (a_test.lua:3)", "it (a_test.lua:6)"}; !slices.Equal(luabind.Traceback(f.Stack), expected) {
		t.Errorf("stack %q, want %q", f.Stack, expected)
	}
	if f := r.Results[1].Failures[0]; f.Error() != "lib.lua:2: oh" || f.Excerpt != `    2 |   error('oh')` {
		t.Errorf("%s %q", f.Error(), f.Excerpt)
	}
}
