package luatest

import (
	"fmt"
	"strings"
	"testing"
)

func TestSpiesThatHold(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(`
local s = t.spy(function(a, b) return a + b end); assert.equal(3, s(1, 2)); assert.spy(s).was.called(); assert.spy(s).was.called(1); assert.equal(1, s.count)
local s = t.spy(); assert.returned_arguments(0, s()); assert.spy(s).was_called(1); assert.spy(s).was.returned_with()
local s = t.spy(); assert.spy(s).was_not.called(); assert.spy(s).was_not_called(); assert.spy(s).called(0); assert.spy(s).was_not.called(1)
local s = t.spy(); s(1, { x = 2 }); assert.spy(s).was.called_with(1, { x = 2 }); assert.spy(s).was_called_with(1, { x = 2 }); assert.spy(s).was_not.called_with(1)
local s = t.spy(); s(nil, nil); assert.spy(s).was_called_with(nil, nil); assert.spy(s).was_not_called_with(nil); assert.same({ { n = 2 } }, s.calls)
local s = t.spy(function(n) return n, "x" end); s(4); assert.spy(s).was.returned_with(4, "x"); assert.same({ { 4, "x", n = 2 } }, s.returns)
local s = t.spy(); for i = 1, 3 do s(i) end; assert.spy(s).was.called_at_least(3); assert.spy(s).was.called_at_most(3); assert.spy(s).was.called_more_than(2); assert.spy(s).was.called_less_than(4)
local s = t.spy(); local list = { 1 }; s(list); list[1] = 2; assert.spy(s).was_called_with({ 1 }); assert.same({ 1 }, s.calls[1][1])
local s = t.spy(); s(1); s:clear(); assert.spy(s).was_not.called(); assert.same({}, s.calls); assert.equal(s, s:clear())
local s = t.spy(function() error("no bread", 0) end); assert.error(s, "no bread"); assert.spy(s).was.called(1); assert.same({}, s.returns)
local inner = t.spy(); local s = t.spy(inner); s(1); assert.spy(inner).was_called_with(1); assert.stub(s).was.called(1)
local w = t.world{}; local e = w:spawn{ Health = {} }; local s = t.spy(); local h = w:get(e, "Health"); s(h); h.current = 5; assert.spy(s).was_called_with({ current = 100 })
local loop = {}; loop.self = loop; local s = t.spy(); s(loop); assert.spy(s).was_called_with(loop)
assert.message("own words").spy(t.spy()).was_not.called()
`)) {
		r := run(t, head+fmt.Sprintf("it('holds', function() %s end)", line), Options{})
		want(t, outcome(r), "ok holds")
		if t.Failed() {
			t.Fatal(line)
		}
	}
}

func TestSpiesThatFail(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`assert.spy(s).was.called()`, `expected a call, got none`},
		{`assert.spy(s).was.called(2, "twice")`, `twice: expected 2 calls, got 0 calls`},
		{`s() assert.spy(s).was_not.called()`, `expected no call, got 1 call`},
		{`s() assert.spy(s).was_not.called(1)`, `expected not 1 call, got 1 call`},
		{`s() assert.spy(s).was.called_at_least(2)`, `expected at least 2 calls, got 1 call`},
		{`s() assert.spy(s).was.called_less_than(1)`, `expected less than 1 call, got 1 call`},
		{`s(1, "x") s({}) assert.spy(s).was.called_with(2)`, `expected a call with (2), got (1, "x"), ({})`},
		{`assert.spy(s).was.called_with(2)`, `expected a call with (2), got no call`},
		{`for i = 1, 9 do s(i) end assert.spy(s).was.called_with(0)`, `expected a call with (0), got (1), (2), (3), (4), (5), … 4 more`},
		{`s(1) assert.spy(s).was_not.called_with(1)`, `expected no call with (1), got one`},
		{`s(1) assert.spy(s).was.returned_with(1)`, `expected a call that returns (1), got ()`},
		{`assert.spy(s).was.called("x")`, `assert.spy(…).was.called takes a number of calls, not string`},
		{`t.spy(5)`, `bad argument #1 to 'spy' (function expected, got number)`},
		{`s.clear()`, `call clear with a colon: spy:clear()`},
	} {
		r := run(t, head+fmt.Sprintf("it('fails', function() local s = t.spy() %s end)", c.code), Options{})
		if f := onlyFailure(t, r); f.Message != c.message || f.Line != 1 {
			t.Errorf("%s\n got line %d: %s\nwant line 1: %s", c.code, f.Line, f.Message, c.message)
		}
	}
}
