package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

const allocationHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64" }) ecs.component("Bag", { name = "string", n = "i32" })
ecs.tag("red") ecs.event("Hit", { who = "entity", n = "f64" }) ecs.resource("score", { type = "f64", default = 0 })
local list, map, n, text, class = {}, {}, 0, "", {}
class.__index = class
function class.new(x) return setmetatable({ x = x }, class) end
local function pair(a, b) return { a = a, b = b } end
local function many(...) return { n = select("#", ...), ... } end
local function row(a, ...) return { a, 1, ... } end
local function two(x) return x, 2 end
`

// allocationLines are statements that allocate: in a loop over P, in one over events, or outside.
var allocationLines = []string{
	`world:send("Hit", { who = e, n = p.x })`,
	`world.commands:spawn{ P = { x = p.x }, "red" }`,
	`world.commands:set(e, "P", { x = 1, y = 2 })`,
	`local v = { x = p.x, y = p.y } p.y = v.x + v.y`,
	`list[#list + 1] = p.x`,
	`list[#list + 1] = { x = p.x, y = { p.y } }`,
	`map[e] = p.x`,
	`map["k" .. p.x] = true`,
	`b.name = "at " .. p.x .. ":" .. p.y`,
	`b.name = (b.name .. "x"):sub(1, 20)`,
	`text = text .. "abc"`,
	`local f = function() return p.x end p.y = f()`,
	`table.insert(list, e)`,
	`if p.x % 3 == 0 then world:send("Hit", { n = 1 }) end`,
	`for i = 1, 3 do list[#list + 1] = i end`,
	`local s = string.format("%d %s", n, "x"):rep(5):upper()`,
	`local t = pair(p.x, { 1, 2, 3 }) p.y = t.b[2]`,
	`local t = many(1, 2, p.x) p.y = t[3]`,
	`list[#list + 1] = row(p.x, n, 3)`,
	`list[#list + 1] = { n, two(p.x) } list[#list + 1] = row(two(n))`,
	`local o = class.new(p.x) o.extra = 1 p.y = o.x`,
	`local t = {} t.x = 1 t.y = p.x p.y = t.x + t.y`,
	`local t = { p.x, [p.x + 10] = 1, k = 2, }`,
	`local t = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, a = 1, b = 2 }`,
	`local c = coroutine.wrap(function() coroutine.yield({ 1 }) end) c()`,
	`local function deep(n) if n > 0 then return 1 + deep(n - 1) end coroutine.yield() return 0 end
		local c = coroutine.wrap(function() for i = 0, 2 do deep(60 + 30 * (p.x + i) % 90) end end) c() c() c()`,
	`local s = tostring(p.x) .. tostring({})`,
	`local s = table.concat({ "a", p.x, "b" }, ",")`,
	`for w in ("a b c"):gmatch("%a") do n = n + #w end`,
	`local s = ("hello"):gsub("l", "LL")`,
	`list[p.x + 5] = 1`,
	`map[p.x * 1000 + n] = true n = n + 1`, `local t = {} for i = 1, 5 do t[i * 1000] = i end t[3], t[2], t[1] = 1, 2, 3 p.y = #t`,
	`local t = {} t[p.x * 3 + 2] = 1 t[5] = p.y p.y = #t`,
	`local t = { 1, 2, nil } t[7] = nil t[p.x + 3] = 4 t[#t] = nil t[#t + 1] = 5 p.y = #t`,
	`local t = { p.x, 2, 3 } t[3] = nil table.insert(t, 1, 9) table.insert(t, p.y) t[p.x + 4] = 1 p.y = #t`,
	`local t = { 1, p.x, 3 } t[3] = nil p.y = table.remove(t) table.remove(t, 1) t[4] = p.x t[1.5] = 2 t[-1] = 3 t[2^40] = 4`,
	`local t = {} for i = 1, p.x + 1 do t[i * i] = i end t[p.x * p.x] = nil t[30] = 1 p.y = #t`,
	`rawset(map, p.x, n)`,
	`p.y = #tostring(list) b.name = tostring({ p.x })`,
	`b.name = ("%s %5s"):format({ p.x }, map)`,
	`if p.x == 3 then print(list, { e }, nil, p.y) end`,
	`map[n] = nil map[n] = n n = n + 1`,
	`pcall(function() list[#list + 1] = {} error({}) end)`,
	`n = n + 1 world:send("Hit", { who = e,
		n = pair(1, 2).a })`,
}

// allocationScript writes a system of some of these lines.
func allocationScript(g *rand.Rand) string {
	var s strings.Builder
	s.WriteString(allocationHead + "return function(world, dt)\n")
	line := func() { fmt.Fprintf(&s, "    %s\n", allocationLines[g.IntN(len(allocationLines))]) }
	for range 1 + g.IntN(3) {
		switch g.IntN(4) {
		case 0:
			s.WriteString("  for i = 1, 5 do local e, p, b = world:first(\"P\"), { x = i, y = i }, { name = \"\" }\n")
		case 1:
			s.WriteString("  for h in world:read(\"Hit\") do local e, p, b = h.who or world:first(\"P\"), { x = h.n, y = 2 }, { name = \"\" }\n")
		default:
			s.WriteString("  for e, p, b in world:each(\"P\", \"Bag\") do\n")
		}
		for range 1 + g.IntN(2) {
			line()
		}
		s.WriteString("  end\n")
	}
	s.WriteString("end\n")
	return s.String()
}

// allocationRun runs a script for three frames, and returns how that ended: the errors and the digest of the world, and
// how many bytes of the limit were left at the end of each turn.
func allocationRun(t *testing.T, impl Impl, script string, limit uint64) string {
	t.Helper()
	var out bytes.Buffer
	r, err := New(Options{
		World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Stdout: &out,
		Limits: Limits{OnError: Skip, Instructions: 10_000_000, Allocations: limit},
		Report: func(err *ScriptError) {
			fmt.Fprintln(&out, err)
		},
		Scripts: files(map[string]string{
			"start": allocationHead + "return function(world) for i = 1, 40 do world:spawn{ P = { x = i % 7, y = i }, Bag = {} } end end",
			"a":     script,
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{{Name: "start", Script: "start.lua", Stage: ecs.Startup}, {Name: "a", Script: "a.lua", Impl: impl}} {
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		t.Fatalf("%v\n%s", err, script)
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := r.Frame(context.Background(), 1); err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
		fmt.Fprintf(&out, "%x, %d bytes left\n", r.World().Digest(), r.state.Budget().AllocationsLeft())
	}
	return out.String()
}

// A turn makes the same number of bytes under every implementation, and passes the limit at the same line.
func TestAllocationsAreTheSame(t *testing.T) {
	passed := 0
	for seed := range uint64(effort.Of(1200)) {
		g := rand.New(rand.NewPCG(seed, 13))
		script, limit := allocationScript(g), uint64(1)<<40
		for range 3 {
			want := allocationRun(t, Lua, script, limit)
			if strings.Contains(want, "limits.allocations") {
				passed++
			}
			for _, impl := range []Impl{Auto, Closures} {
				if got := allocationRun(t, impl, script, limit); got != want {
					t.Fatalf("seed %d, limit %d, %v:\n%s\nunder lua:\n%s\n%s", seed, limit, impl, got, want, script)
				}
			}
			limit = uint64(4000 + g.IntN(30000))
		}
	}
	if passed < 20 {
		t.Errorf("only %d runs have passed the limit", passed)
	}
}

// allocationBodies are rows whose price was another one when they were compiled, with what is around the loop.
var allocationBodies = [][2]string{
	{`local t = setmetatable({}, { __newindex = function(t, k, v) end })`, `t[e] = p.x`},
	{`local t = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v + 1) end })`, `t[e] = p.x t[p.x] = 1`},
	{`local u = {} local t = setmetatable({}, { __newindex = u })`, `t[e] = p.x t[p.x] = 1 t.name = p.x`},
	{`local v = setmetatable({}, { __newindex = function() end }) local t = setmetatable({}, { __newindex = v })`, `t[e] = p.x t.name = 1`},
	{`local s`, `s = p.x .. tostring(p.y)`},
	{`local s local function f(k) return "k" .. k end`, `s = p.x .. f(p.y)`},
	{`local s`, `s = p.x .. ("a"):upper() .. p.y`},
	{`local s local L = { 5 }`, `s = (p.x + 1) .. world:get(e, "P").y .. L[1] .. tostring(L[1])`},
	{`local s`, `s = "a" .. tostring(p.x) .. p.y`},
	{`local s`, `s = ("a" .. p.x) .. p.y`},
	{`local s`, `s = "a" .. ("b" .. (p.x .. p.y))`},
	{`local s local function f(k) return tostring(k) end`, `s = f(p.x) .. f(p.y)`},
	{`local s local function f(k) return k .. ":" .. k end`, `s = f(p.x) .. f(p.y) .. f(1)`},
	{`local s local function f(k) local l = k .. ":" return l end`, `s = f(p.x) .. f(p.y) s = s .. s`},
	{`local s local function f(k) return k end`, `s = f(p.x) .. f(p.y)`},
	{`local s local function f(k) return k, k .. "b" end`, `local a, b = f(p.x) s = a .. b .. a`},
	{`local s, n = "", {}`, `n[p.x .. ":" .. p.y] = true s = #(p.x .. "a")`},
	{`local s local function f(k) return k .. "b" end`, `s = f(p.x) if f(p.x) == f(p.y) then s = "" end local t = { f(p.x), f(p.y) } s = t[1] .. t[2]`},
	{``, `local t = {} t[e] = 1 t[ecs.none] = 2 if p.x == 3 then coroutine.wrap(print)() end`},
}

// Each turn makes the same number of bytes.
func TestAllocationsOfBodies(t *testing.T) {
	for _, b := range allocationBodies {
		script := allocationHead + b[0] + "\nreturn function(world, dt) for e, p in world:each(\"P\") do " + b[1] + " end end"
		want := allocationRun(t, Lua, script, 1<<40)
		for _, impl := range []Impl{Auto, Closures} {
			if got := allocationRun(t, impl, script, 1<<40); got != want {
				t.Errorf("%v:\n%s\nunder lua:\n%s\n%s", impl, got, want, script)
			}
		}
	}
}

// The function in which the limit is passed is the same, too: each price is that of one instruction.
func TestTheLimitOfAllocationsIsPassedInOneFunction(t *testing.T) {
	for _, body := range []string{
		`local function list(a, ...) return { a, 1, ... } end local held = {} for i = 1, 900 do held[#held + 1] = list(i, 2, 3) end`,
		`local function list(a, ...) return { a, 1, ... } end local held = {} for i = 1, 6 do for e, p in world:each("P") do held[#held + 1] = list(p.x, p.k, 3) end end`,
		`local function two(x) return x, 2 end local held = {} for i = 1, 6 do for e, p in world:each("P") do held[#held + 1] = { p.k, two(p.x) } end end`,
		`local held = {} for i = 1, 2 do for e, p in world:each("P") do held[#held + 1] = { x = 1, [p.k * 300 + 2000] = p.k } end end`,
		`local held = {} for i = 1, 6 do for e, p in world:each("P") do local t = {} t[p.k * 3 + 1500] = 1 held[#held + 1] = t end end`,
	} {
		source := exitSource(body, exitPatterns["none"], exitCalls[0])
		step := uint64(500 / effort.Of(93))
		for bytes := uint64(80_000); bytes < 80_500; bytes += step {
			want, _ := exitTrace(t, source, Lua, Limits{Allocations: bytes})
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := exitTrace(t, source, impl, Limits{Allocations: bytes}); got != want {
					t.Fatalf("%d bytes, %v: got\n%.1000s\ninterpreted\n%.1000s\n%s", bytes, impl, got, want, body)
				}
			}
		}
	}
}

// A script cannot catch the limit of allocations, and the error says which it was.
func TestLimitOfAllocations(t *testing.T) {
	for name, body := range map[string]string{
		"strings":        `local s = "" while true do s = s .. "x" end`,
		"tables":         `while true do local t = {} end`,
		"entries":        `local t = {} for i = 1, 1e9 do t[i % 1000] = nil t[i % 1000] = i end`,
		"functions":      `while true do local f = function() end end`,
		"coroutines":     `while true do coroutine.create(function() end) end`,
		"far keys":       `while true do local t = {} t[1000000] = nil end`,
		"caught":         `while true do pcall(function() while true do local t = {} end end) end`,
		"caught last":    `return pcall(function() while true do local t = {} end end)`,
		"in a coroutine": `coroutine.wrap(function() while true do local t = {} end end)()`,
		"in a sort":      `local l = {} for i = 1, 100 do l[i] = i end while true do table.sort(l, function(a, b) local t = {} return a < b end) end`,
		"patterns":       `while true do ("abc"):gsub("%a", function(c) return c .. c end) end`,
	} {
		for _, impl := range []Impl{Lua, Auto} {
			err := allocationError(t, impl, body)
			if !errors.Is(err, ErrLimit) || !strings.HasPrefix(fmt.Sprint(err), `a.lua:1: system "a", frame 1: more than 100,000 bytes of strings, tables, functions and coroutines were made (limits.allocations)`) {
				t.Errorf("%s, %v: %v", name, impl, err)
			}
		}
	}
}

func allocationError(t *testing.T, impl Impl, body string) error {
	t.Helper()
	r, err := New(Options{
		World: ecs.NewWorld(ecs.Options{}), Limits: Limits{Instructions: 50_000_000, Allocations: 100_000},
		Scripts: files(map[string]string{"a": "return function(world) " + body + " end"}),
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Frame(context.Background(), 1)
}

// A compiled loop pays for new keys of a table that it also reads when it ends; beyond the limit the turn ends there, at the line of the loop.
func TestKeysBeyondTheLimitEndTheTurnAtTheLoop(t *testing.T) {
	const source = "local ecs = require('ecs') ecs.component('P', { x = 'f64' })\nreturn { init = function(world) local T, n = { P = {} }, 0 for i = 1, 300 do world:spawn(T) end for e, p in world:each('P') do n = n + 1 p.x = n end end,\n" +
		"update = function(world)\n  local t = {}\n  for e, p in world:each('P') do t[p.x * 1000 + 7] = (t[p.x - 5] or 0) + 1 end\n  world:stop('after')\nend }"
	for _, impl := range []Impl{Lua, Closures, Auto} {
		w := ecs.NewWorld(ecs.Options{})
		_, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": source}), Limits: Limits{Allocations: 4_000}}, 1, System{Name: "a", Impl: impl})
		if _, stopped := w.Stopped(); err == nil || !strings.Contains(err.Error(), "a.lua:5: ") || !errors.Is(err, ErrLimit) || stopped {
			t.Errorf("%v: %v, stopped %v", impl, err, stopped)
		}
	}
}
