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
assert.equals(1, 1); assert.are.equals(1, 1); assert.is_equal(1, 1); assert.is.equal(1, 1)
assert.is_not.equal(1, 2); assert.is_not_equal(1, 2); assert.are_not.equal(1, 2); assert.are_not_equal(1, 2); assert.are.Not.equal(1, 2)
assert.are_not.same({}, { 1 }); assert.is_not.same({}, { 1 }); assert.is_same({}, {}); assert.are_same({}, {}); assert.does.Not.equal(1, 2)
assert.is_not.Not.equal(1, 1)
assert.is.True(true); assert.True(true); assert.is_not_true(1); assert.is_not_false(nil); assert.is.Nil(nil); assert.is_not.Nil(1)
assert.is_truthy(1); assert.is.truthy(1); assert.is_falsy(nil); assert.is_not_truthy(nil); assert.is_not_falsy(0); assert.no_truthy(false)
assert.is_table({}); assert.is_number(1); assert.is_string(""); assert.is_boolean(false); assert.is_function(print); assert.is.Function(print)
assert.is_not_table(1); assert.is_not_number("1"); assert.is_not_string(1); assert.is_not_boolean(nil); assert.is_not_function({}); assert.table({})
assert.is_thread(coroutine.create(print)); assert.is_not_userdata({}); assert.is_userdata(require("ecs.test").bool())
assert.is_not.near(1, 2, 0.5); assert.is_near(1, 1.1, 0.2)
assert.has_error(function() error("x") end); assert.has.error(function() error("x") end); assert.errors(function() error("x") end); assert.has.errors(function() error("x") end)
assert.has_no_error(function() end); assert.has_no.errors(function() end); assert.has.no.errors(function() end); assert.has.no_error(function() end)
assert.no.errors(function() end); assert.is_not.error(function() end); assert.has_no.errors(function() end, "own words")
assert.has_no.error(function() error("x") end, "y", "own words")
assert.error(setmetatable({}, { __call = function() error("x") end }), "x")
assert.error_matches(function() error("no bread") end, "n%a bread"); assert.equal("br", (assert.error.matches(function() error("no bread") end, "(br)ead")))
assert.has.error.matches(function() error("no bread") end, "^no"); assert.is_not.error_matches(function() error("x") end, "y")
assert.matches_error(function() error("a.b") end, "a.b", 1, true); assert.no.error_match(function() end, "x")
assert.match("b", "abc"); assert.no_match("x", "abc"); assert.no.matches("x", "abc"); assert.is_not.match("^b", "abc"); assert.does.Not.match("x", nil)
assert.matches("b", "abc", 2); assert.no.matches("b", "abc", 3); assert.matches("b.", "ab.c", 1, true); assert.no.matches("b.", "abc", 1, true, "own words")
assert.equal("bc", (assert.matches("b.", "abc"))); assert.matches("5", 15)
assert.unique({ 1, 2, "1", {}, {} }); assert.unique({ {}, { 1 } }, true); assert.is_not.unique({ 1, 1 }); assert.is_not.unique({ {}, {} }, true); assert.unique({}, "words")
assert.returned_arguments(2, 1, nil); assert.returned_arguments(0); assert.is_not.returned_arguments(2, 1)
local v = assert.is_not_nil("x"); assert.equal("x", v); local a, b = assert.equal(1, 1); assert.equal(2, a + b)
assert.message("own words").is_true(true); assert.is.message("own words").Not.equal(1, 2)
assert.ARE.Equal(1, 1)
local eq = assert.are.equal; eq(1, 1); assert.is_function(eq)
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
		{`assert.is_true()`, `expected true, got nil`},
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
		{`assert.is_not.equal(1, 1)`, `expected something other than 1`},
		{`assert.are_not.same({ 1 }, { 1 }, "twins")`, `twins: expected something other than { 1 }`},
		{`assert.is_not.near(1, 1.05, 0.1)`, `expected a number that is not within 0.1 of 1, got 1.05`},
		{`assert.is_not_true(true)`, `expected something other than true, got true`},
		{`assert.is_not_truthy(1)`, `expected nil or false, got 1`},
		{`assert.is_not_falsy(nil)`, `expected anything but nil and false, got nil`},
		{`assert.is_table(5)`, `expected a table, got 5`},
		{`assert.is_number("5", "count")`, `count: expected a number, got "5"`},
		{`assert.is_not_string("5")`, `expected anything but a string, got "5"`},
		{`assert.is_function({})`, `expected a function, got {}`},
		{`assert.is_boolean(nil)`, `expected a boolean, got nil`},
		{`assert.is_table()`, `expected a table, got nil`},
		{`assert.are.equal(1)`, `assert.are.equal takes (expected, actual)`},
		{`assert.equal(1, 2, "x %s", 4)`, `x %s: expected 1, got 2`},
		{`assert.has_no.errors(function() error("no bread", 0) end)`, `expected no error, got "a_test.lua:1: no bread"`},
		{`assert.has.no.errors(function() error("no bread", 0) end, "lunch")`, `lunch: expected no error, got "a_test.lua:1: no bread"`},
		{`assert.has_no.error(function() error("no bread", 0) end, "bread", "lunch")`, `lunch: expected an error without "bread", got "no bread"`},
		{`assert.has_no.error(function() error({ 1 }) end, { 1 }, "lunch")`, `lunch: expected another error than { 1 }`},
		{`assert.has_error(function() end, nil, "lunch")`, `lunch: expected an error, got none`},
		{`assert.error_matches(function() end, "x")`, `expected an error that matches "x", got none`},
		{`assert.error_matches(function() error("no bread", 0) end, "^b", "lunch")`, `lunch: expected an error that matches "^b", got "no bread"`},
		{`assert.is_not.error_matches(function() error("no bread", 0) end, "b")`, `expected an error that does not match "b", got "no bread"`},
		{`assert.error_matches(function() end)`, `assert.error_matches takes (function, pattern)`},
		{`assert.no_match("b", "abc")`, `expected a text that does not match "b", got "abc"`},
		{`assert.matches("x", "abc", 1, true, "letters")`, `letters: expected a text that matches "x", got "abc"`},
		{`assert.matches("x", "abc", "letters")`, `letters: expected a text that matches "x", got "abc"`},
		{`assert.unique({ 1, 2, 1 })`, `[1] and [3] are the same: 1`},
		{`assert.unique({ a = {}, b = {} }, true, "twins")`, `twins: a and b are the same: {}`},
		{`assert.unique({ 1, 1 }, "twins")`, `twins: [1] and [2] are the same: 1`},
		{`assert.is_not.unique({ 1, 2 })`, `expected two equal values, got { 1, 2 }`},
		{`assert.unique(5)`, `assert.unique takes a list, not number`},
		{`assert.returned_arguments(2, 1)`, `expected 2 values, got 1`},
		{`assert.is_not.returned_arguments(1, 1)`, `expected another number of values than 1`},
		{`assert.returned_arguments("2")`, `assert.returned_arguments: the first argument is a number, as in assert.returned_arguments(2, f()), not string`},
		{`assert.message("after the fall").is_true(false)`, `after the fall: expected true, got false`},
		{`assert.message({ 1 }).are.equal(1, 2, "mine")`, `mine: expected 1, got 2`},
		{`assert.message.is_true(true)`, `assert.message is called first: write assert.message(…).is_true`},
		{`assert.is_not(1)`, `assert.is_not is no assertion; it goes on, as in assert.is_not.equal(1, x)`},
		{`assert.returned(1)`, `assert.returned is no assertion; it goes on, as in assert.returned.arguments(…)`},
		{`assert.message("x")(1)`, `assert.message(…) is no assertion; it goes on, as in assert.message(…).equal(1, x)`},
		{`assert.are.eqal(1, 1)`, `assert.are has no function "eqal"; did you mean "equal"?`},
		{`assert.is_tabel({})`, `assert has no function "is_tabel"; did you mean "is_table"?`},
		{`assert.equal.to(1, 1)`, `attempt to index a function value (field "equal")`},
		{`assert[1](1)`, `assert has no function "1"`},
		{`assert.new = 5`, `assert cannot be changed`},
		{`assert.was.called(1)`, `assert.was.called needs a spy: write assert.spy(s).was.called(…)`},
		{`assert.spy(print).was.called()`, `assert.spy takes a spy, as t.spy(fn) and spy.on(table, key) make one, not function`},
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
