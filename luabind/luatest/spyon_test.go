package luatest

import (
	"fmt"
	"strings"
	"testing"
)

// Each line is a test that passes. m is a table that every test finds as the first one did.
func TestWordsOfSpies(t *testing.T) {
	const before = head + `
local m = { add = function(a, b) return a + b end, sub = { neg = function(n) return -n end }, n = 5 }
local add, neg = m.add, m.sub.neg
before_each(function() assert.equal(add, m.add) assert.equal(neg, m.sub.neg) assert.equal(5, m.n) assert.is_nil(m.new) end)
`
	for line := range strings.Lines(strings.TrimSpace(`
local s = spy.on(m, "add"); assert.equal(3, m.add(1, 2)); assert.spy(m.add).was.called_with(1, 2); assert.spy(s).was.called(1); assert.is_true(spy.is_spy(m.add)); assert.is_false(spy.is_spy(add))
local s = spy.on(m, "add"); assert.equal(add, s:revert()); assert.equal(add, m.add); s(1, 2); assert.spy(s).was_called(1); s:revert()
local s = spy.new(function() return 7 end); assert.equal(7, s()); assert.spy(s).was.returned_with(7); assert.equal(8, spy(function() return 8 end)())
local s = spy.on(m, "new"); m.new(4); assert.spy(s).was_called_with(4)
local s = spy.on(m, "add"); local again = spy.on(m, "add"); m.add(1, 1); assert.spy(s).was_called(1); assert.spy(again).was_called(1)
local object = setmetatable({}, { __index = m }); spy.on(object, "add"); assert.equal(2, object.add(1, 1)); object.add:revert(); assert.is_nil(rawget(object, "add")); assert.equal(add, object.add)
stub(m, "add"); assert.is_nil((m.add(1, 2))); assert.stub(m.add).was.called_with(1, 2)
stub(m, "add", 5, 6); assert.same({ 5, 6 }, { m.add(1, 2) }); assert.spy(m.add).was.returned_with(5, 6)
stub(m, "add", function(a) return a * 10 end); assert.equal(10, m.add(1))
local s = stub(m, "add").returns(3); assert.equal(3, m.add()); s.invokes(function(a) return a end); assert.equal(9, m.add(9)); s.by_default.returns(4); assert.equal(4, m.add(9))
local s = stub.new(m, "new"); s.on_call_with(1).returns("one"); s.on_call_with(match.is_string()).invokes(function(x) return x .. "!" end); s.returns("other"); assert.equal("one", m.new(1)); assert.equal("a!", m.new("a")); assert.equal("other", m.new(2))
local s = stub(m, "add", 1); m.add(); m.add(); assert.same({ { 1, n = 1 }, { 1, n = 1 } }, s.returns); assert.spy(s).was.called(2); s:clear(); assert.equal(1, m.add()); assert.spy(s).was.called(1)
local s = stub(); s(1); assert.stub(s).was_called_with(1)
local s = stub(m, "add"); s:revert(); assert.equal(add, m.add)
assert.equal(m, mock(m)); assert.equal(-1, m.sub.neg(1)); assert.spy(m.sub.neg).was_called_with(1); assert.equal(5, m.n)
mock(m, true); assert.is_nil((m.sub.neg(1))); assert.stub(m.sub.neg).was_called(1); mock.clear(m); assert.stub(m.sub.neg).was_not_called(); mock.revert(m); assert.equal(neg, m.sub.neg)
mock(m, true, function() return "x" end); assert.equal("x", m.add()); assert.equal("x", m.sub.neg())
m.self = m; mock(m); mock.clear(m); mock.revert(m); m.self = nil
local s = mock(function() return 2 end); assert.equal(2, s()); assert.is_true(spy.is_spy(s))
local before = assert:snapshot(); spy.on(m, "add"); before:revert(); assert.equal(add, m.add)
local s = spy.new(); s(1); s(2); local ok, n = s:called(2); assert.is_true(ok); assert.equal(2, n); assert.is_false((s:called(1))); assert.is_true((s:called()))
local s = spy.new(function(x) return x end); s({ 1 }, 2); assert.equal(2, s.calls[1].vals[2]); assert.same({ 1 }, s.returnvals[1].vals[1])
local s = spy.new(); local list = {}; s(list); list[1] = 1; assert.spy(s).was_called_with(match.is_ref(list)); assert.spy(s).was_not.called_with(match.is_ref({})); assert.spy(s).was_called_with({})
local s = spy.new(); s(1, "two", nil, { 3 }); assert.spy(s).was_called_with(match._, match.matches("^tw"), match.is_nil(), match.is_table()); assert.spy(s).was_not_called_with(match._)
local s = spy.new(); s(10.5); assert.spy(s).was_called_with(match.near(10, 1)); assert.spy(s).was_called_with(match.is_not_string()); assert.spy(s).was_called_with(match.is_not.string()); assert.spy(s).was_called_with(match.is.number())
assert.is_true(match.any_of(match.is_nil(), match.equals(2))(2)); assert.is_false(match.all_of(match.truthy(), match.is_string())(2)); assert.is_true(match.none_of(match.falsy())(2))
assert.is_true(match.unique()({ 1, 2 })); assert.is_false(match.unique()({ 1, 1 })); assert.is_true(match.unique()({ {}, {} })); assert.is_false(match.unique(true)({ {}, {} }))
assert.is_true(match.same({ 1 })({ 1 })); assert.is_false(match.equal({ 1 })({ 1 })); assert.is_true(match.is_matcher(match._)); assert.is_false(match.is_matcher({})); assert.is_true(match.is_ref_matcher(match.ref({})))
local s = require("luassert.spy").on(m, "add"); require("luassert").spy(s).was_not_called(); assert.equal(stub, require("luassert.stub")); assert.equal(mock, require("luassert.mock")); assert.equal(match, require("luassert.match")); require("busted.runner")()
stub(math, "floor", 3); assert.equal(3, math.floor(9)); stub(_G, "tostring", "text"); assert.equal("text", tostring(1))
`)) {
		r := run(t, before+fmt.Sprintf("it('holds', function() %s end)\nit('finds all as before', function() assert.equal(1, math.floor(1.5)) assert.equal('1', tostring(1)) end)", line), Options{})
		want(t, outcome(r), "ok holds\nok finds all as before")
		if t.Failed() {
			t.Fatal(line)
		}
	}
}

// Spies come back after the test, the group or the case in which they were made, also if it fails.
func TestSpiesAreRestored(t *testing.T) {
	r := run(t, `
local m = { f = function() return 1 end }
local function what() return spy.is_spy(m.f) and "spy" or m.f() end
describe("setup", function()
  setup(function() stub(m, "f", 2) end)
  it("a", function() print(m.f()) stub(m, "f", 3) print(m.f()) error("x") end)
  it("b", function() print(m.f()) finally(function() print("finally", m.f()) end) stub(m, "f", 4) end)
end)
describe("before_each", function()
  before_each(function() spy.on(m, "f") end)
  after_each(function() assert.spy(m.f).was.called(1) end)
  it("c", function() m.f() end)
  it("d", function() m.f() end)
end)
insulate("alone", function()
  setup(function() stub(_G, "type", "stubbed") end)
  it("e", function() print(type(1)) end)
end)
it("f", function() print(what(), type(1)) end)
`, Options{})
	want(t, outcome(r), "FAIL setup a: a_test.lua:6: x\nok setup b\nok before_each c\nok before_each d\nok alone e\nok f")
	var out []string
	for _, one := range r.Results {
		out = append(out, strings.TrimSpace(one.Output))
	}
	want(t, strings.Join(out, "\n"), "2\n3\n2\nfinally\t4\n\n\nstubbed\n1\tnumber")
}

func TestWordsOfSpiesThatFail(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`spy.on(5, "x")`, `spy.on takes a table and a key, as in spy.on(table, "key"), not number`},
		{`spy.on({})`, `spy.on takes a table and a key, as in spy.on(table, "key")`},
		{`spy.on({ n = 1 }, "n")`, `the value at "n" is a number; only functions, and what can be called like one, are replaced`},
		{`spy.on(t.world{}, "spawn")`, `spy.on takes a table and a key; the functions of a world cannot be replaced: check what is in the world, or t.events(world, name)`},
		{`stub({}, "x"):returns(1)`, `call returns with a dot: stub.returns(…)`},
		{`stub({}, "x").invokes(1)`, `invokes takes a function, not number`},
		{`stub(1)`, `stub takes a table and a key, as in stub(table, "key"), not number`},
		{`mock(1)`, `mock takes a table of functions, not number`},
		{`mock.clear(1)`, `mock.clear takes the table that mock was given, not number`},
		{`spy.onn({}, "x")`, `spy has no function "onn"; did you mean "on"?`},
		{`match.is_tabel()`, `match.is_tabel is no matcher; did you mean match.table?`},
		{`match.near(1)`, `match.near takes two numbers: (expected, tolerance)`},
		{`match.any_of(1)`, `match.any_of takes matchers, such as match.is_number(), not number`},
		{`match.same()`, `match.same takes a value to compare with`},
		{`assert.spy(function() end).was_called()`, `assert.spy takes a spy, as t.spy(fn) and spy.on(table, key) make one, not function`},
		{`assert:register("assertion", "x")`, `assert:register takes a function, not nil`},
		{`assert.register("assertion", "x", print)`, `assert:register takes a name, not function`},
		{`local s = spy.new() s(1) assert.spy(s).was_called_with(match.is_string(), match._, match.is_not_nil())`, `expected a call with (match.string(), match._, match.is_not_nil()), got (1)`},
	} {
		r := run(t, head+fmt.Sprintf("it('fails', function() %s end)", c.code), Options{})
		if f := onlyFailure(t, r); f.Message != c.message || f.Line != 1 {
			t.Errorf("%s\n got line %d: %s\nwant line 1: %s", c.code, f.Line, f.Message, c.message)
		}
	}
}
