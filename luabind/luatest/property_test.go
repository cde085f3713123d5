package luatest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPropertiesThatHold(t *testing.T) {
	r := run(t, head+`
local before = 0
before_each(function() before = before + 1 end)
local runs, seen, kinds = 0, {}, {}
t.property("adds", { t.int(-5, 5), t.int(1, 3) }, function(a, b)
  runs = runs + 1
  seen[a] = true
  assert(a >= -5 and a <= 5 and a % 1 == 0 and b >= 1 and b <= 3)
  assert.equal(a + b, b + a)
end)
it("ran a hundred times", function()
  assert.equal(100, runs)
  assert.equal(101, before)
  for a = -5, 5 do assert(seen[a], a) end
end)
t.property("generates", { t.number(-1, 1), t.bool(), t.string(5), t.one_of{ "a", 2, t.int(7, 8) }, t.list(t.bool(), 3), t.table{ x = t.int(), y = 5 },
    t.entity{ Health = { current = t.number(1, 10) }, "fast" } },
  function(n, b, s, o, l, tab, e)
    assert(n >= -1 and n <= 1)
    assert.is_boolean(b)
    assert(#s <= 5)
    assert(o == "a" or o == 2 or o == 7 or o == 8)
    assert(#l <= 3)
    for _, v in ipairs(l) do assert.is_boolean(v) end
    assert(tab.x % 1 == 0 and tab.y == 5)
    kinds["n" .. tostring(n % 1 == 0)], kinds["b" .. tostring(b)], kinds["o" .. o], kinds["l" .. #l], kinds["s" .. #s] = true, true, true, true, true
    local w = t.world{}
    local rat = w:spawn(e)
    assert(w:get(rat, "Health").current >= 1 and w:tagged(rat, "fast"))
  end, { runs = 300 })
it("has seen all", function()
  for _, k in ipairs{ "ntrue", "nfalse", "btrue", "bfalse", "oa", "o2", "o7", "o8", "l0", "l1", "l2", "l3", "s0", "s5" } do assert(kinds[k], k) end
end)
ecs.tag("fast")
t.property("waits", { t.int() }, function(n) pending("later") end)`, Options{})
	want(t, outcome(r), "ok adds\nok ran a hundred times\nok generates\nok has seen all\npending waits: later")
}

func TestPropertiesAreMadeSimple(t *testing.T) {
	for _, c := range []struct{ generators, body, code string }{
		{`t.int(0, 1000)`, `assert(a < 77)`, `local a = 77`},
		{`t.int(-1000, 1000)`, `assert(a > -77)`, `local a = -77`},
		{`t.int(5, 9), t.int(-9, -5)`, `assert(false)`, `local a = 5|local b = -5`},
		{`t.number(-100, 100)`, `assert(a < 1.3)`, `local a = 2`},
		{`t.number(0.1, 0.9)`, `assert(false)`, `local a = 0.1`},
		{`t.bool()`, `assert(not a)`, `local a = true`},
		{`t.string(30)`, `assert(not a:find("\n"))`, `local a = "\n"`},
		{`t.string(10)`, `assert(select(2, a:gsub('a', '')) < 3)`, `local a = "aaa"`},
		{`t.one_of{ "x", "y", "z" }`, `assert(a ~= "z")`, `local a = "z"`},
		{`t.list(t.int(0, 100), 20)`, `local sum = 0 for _, n in ipairs(a) do sum = sum + n end assert(sum < 150)`, `local a = { 50, 100 }`},
		{`t.list(t.int(0, 100), 20)`, `for _, n in ipairs(a) do assert(n < 13) end`, `local a = { 13 }`},
		{`t.list(t.table{ x = t.int(0, 9), y = t.list(t.bool(), 4) }, 9)`, `for _, v in ipairs(a) do assert(not v.y[1]) end`, `local a = { { x = 0, y = { true } } }`},
		{`t.int(0, 200), t.int(0, 200)`, `assert(a ~= b or a < 10)`, `local a = 10|local b = 10`},
		{`t.entity{ Health = { current = t.number(0, 9) }, "fast" }`, `assert(false)`, `local a = { "fast", Health = { current = 0 } }`},
		{`t.table{ ["end"] = t.bool(), [5] = "x" }`, `assert(false)`, `local a = { [5] = "x", ["end"] = false }`},
	} {
		r := run(t, head+fmt.Sprintf("t.property('p', { %s }, function(a, b) %s end, { runs = 2000 })", c.generators, c.body), Options{})
		if r.Count(Failed) != 1 {
			t.Errorf("%s: %s: %s", c.generators, c.body, outcome(r))
			continue
		}
		f := onlyFailure(t, r)
		code := strings.Join(f.Case[:len(f.Case)-1], "|")
		if code != c.code || f.Line != 1 {
			t.Errorf("%s: %s\n got %s\nwant %s", c.generators, c.body, code, c.code)
		}
	}
}

func TestAFailingProperty(t *testing.T) {
	source := head + `
local tries = 0
before_each(function() tries = tries + 1 end)
after_each(function() tries = tries - 1 end)
t.property("is small", { t.int(0, 1000), t.list(t.bool()) }, function(n, list)
  print("tries", n, tries)
  table.insert(list, 5)
  math.random()
  assert.equal(0, n < 500 and 0 or n)
end)`
	r := run(t, source, Options{})
	f := onlyFailure(t, r)
	want(t, f.Message, "expected 0, got 500")
	if len(f.Case) != 3 || f.Case[0] != "local n = 500" || f.Case[1] != "local list = {}" || !strings.HasPrefix(f.Case[2], "-- case ") || !strings.Contains(f.Case[2], " of 100, seed 42, made simpler in ") {
		t.Errorf("%q", f.Case)
	}
	want(t, r.Results[0].Output, "tries\t500\t1")
	again := run(t, source, Options{})
	if !slices.Equal(again.Results[0].Failures[0].Case, f.Case) {
		t.Errorf("another case: %q, %q", again.Results[0].Failures[0].Case, f.Case)
	}
	seed := uint64(7)
	other := run(t, source, Options{Seed: &seed})
	if f := onlyFailure(t, other); !strings.Contains(f.Case[2], "seed 7") || f.Case[0] != "local n = 500" {
		t.Errorf("%q", f.Case)
	}
	got := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	if !strings.Contains(got, "   the simplest case that fails:\n     local n = 500\n     local list = {}\n     -- case ") {
		t.Error(got)
	}
}

func TestRandomNumbersOfACase(t *testing.T) {
	r := run(t, head+`
t.property("draws", { t.int(0, 1000) }, function(n)
  if n > 300 then error(math.random(1000000), 0) end
end)`, Options{})
	f := onlyFailure(t, r)
	if f.Case[0] != "local n = 301" {
		t.Error(f.Case)
	}
}

func TestPropertiesThatDoNotEnd(t *testing.T) {
	r := run(t, head+`
t.property("loops", { t.int(0, 1000) }, function(n) while n > 2 do end end)
t.property("takes long", { t.int() }, function(n) for i = 1, 400 do end end)
it("goes on", function() end)`, Options{Instructions: 20_000})
	want(t, outcome(r), `
FAIL loops: a_test.lua:2: more than 20,000 instructions (limits.instructions); is there an endless loop?
FAIL takes long: a_test.lua:3: the first 50 cases use more instructions than a test may; write { runs = 25 }, or a smaller case
ok goes on`)
}

func TestPropertyMistakes(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`t.property("x", t.int(), function() end)`, `bad argument #2 to 'property' (list of generators expected, got userdata); write t.property("name", { t.int(1, 6) }, function(n) … end)`},
		{`t.property("x", {})`, `bad argument #3 to 'property' (function expected, got nil)`},
		{`t.property("x", {}, function() end, { run = 5 })`, `t.property: unknown key run; did you mean runs?`},
		{`t.property("x", {}, function() end, { runs = 0 })`, `t.property: runs is a whole number from 1 to 100000, not 0`},
		{`t.property("x", { n = t.int() }, function() end)`, `t.property: the generators are a list, without keys; n is a key`},
		{`t.int(5, 1)`, `t.int(min, max): there is no number from 5 to 1`},
		{`t.int(0.2, 0.8)`, `t.int(min, max): there is no whole number of at most 2^53 in the range`},
		{`t.int("a")`, `bad argument #1 to 'int' (number expected, got string)`},
		{`t.number(0/0, 1)`, `t.number(min, max): there is no number from nan to 1`},
		{`t.string(-1)`, `t.string: the maximal length is a whole number from 0 to 10000, not number`},
		{`t.one_of{}`, `t.one_of takes a list of values or generators, as in t.one_of{ 1, "two" }`},
		{`t.table(5)`, `bad argument #1 (table of generators expected, got number)`},
		{`local deep = t.int() for i = 1, 50 do deep = t.list(deep) end`, `generators nested more than 32 deep`},
		{`local loop = {} loop.self = loop t.table(loop)`, `generators nested more than 32 deep`},
	} {
		f := onlyFailure(t, run(t, head+c.code, Options{}))
		if f.Message != c.message {
			t.Errorf("%s\n got %s\nwant %s", c.code, f.Message, c.message)
		}
	}
	f := onlyFailure(t, run(t, head+`it("x", function() t.property("y", {}, function() end) end)`, Options{}))
	want(t, f.Message, "t.property inside a test; it belongs into a describe or the file itself")
}

func TestCodeOfValues(t *testing.T) {
	r := run(t, head+`t.property("p", { { 1/0, -1/0, 0/0, -0, 0.1, "a\"\\\n\0\255ä", { 1, nil, 3 }, {}, true } }, function(v) error("x") end, { runs = 1 })`, Options{})
	f := onlyFailure(t, r)
	want(t, f.Case[0], `local v = { 1/0, -1/0, 0/0, -0, 0.1, "a\"\\\n\000\255ä", { 1, [3] = 3 }, {}, true }`)
}
