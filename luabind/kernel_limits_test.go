package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// An endless loop in a kernel is handed to the interpreter with the row as it was,
// and ends there, with the line of the script; what earlier rows did stays.
func TestKernelSpent(t *testing.T) {
	w := kernelTestWorld(t)
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{Instructions: 10_000}, Scripts: files(map[string]string{"a": `return function(world, dt)
  local n = 0
  for e, pos in world:each("Position") do
    n = n + 1
    pos.x = n
    while n > 3 do pos.y = pos.y + 1 end
  end
end`})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
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
	err = r.Frame(context.Background(), 1)
	se := (*ScriptError)(nil)
	if !errors.Is(err, ErrLimit) || !errors.As(err, &se) || se.File != "a.lua" || se.Line != 6 {
		t.Errorf("got %v", err)
	}
	if r.runner("a.lua").Kernels() != 1 || w.Locked() {
		t.Errorf("%d kernels, locked %v", r.runner("a.lua").Kernels(), w.Locked())
	}
	id, _ := w.LookupComponent("Position")
	var seen []string
	q, _ := w.Query(ecs.Filter{Required: []ecs.ComponentID{id}})
	for c := ecs.Raw.Begin(q); c.Next(); {
		seen = append(seen, fmt.Sprint(c.Row(0).Number(0), c.Row(0).Number(1)))
	}
	if got := strings.Join(seen[:3], ", "); got != "1 0, 2 0, 3 0" || !strings.HasPrefix(seen[3], "4 ") || seen[3] == "4 0" || seen[4] != "0 0" {
		t.Errorf("rows are %s, then %s and %s", got, seen[3], seen[4])
	}
}

// With any number of instructions the run ends the same way each time.
func TestKernelTripsAlike(t *testing.T) {
	interrupt := func(instructions uint64) string {
		w := kernelTestWorld(t)
		r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Stop, Instructions: instructions}, Report: func(*ScriptError) {}, Scripts: files(map[string]string{
			"a": "return function(world, dt) for i = 1, 100 do for e in world:each(\"Position\") do break end end -- no further loop adds to the budget\n" + bounceLoop + "end",
		})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
		}
		if err == nil {
			err = r.Load()
		}
		for range 2 {
			if err == nil {
				err = r.Frame(context.Background(), 1)
			}
		}
		if err != nil && !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		return fmt.Sprint(w.Digest(), w.Locked(), r.Failures().Limits)
	}
	seen := map[string]bool{}
	for n := uint64(1050); n < 3000; n += 37 {
		a, b := interrupt(n), interrupt(n)
		if a != b {
			t.Errorf("%d instructions: %s, then %s", n, a, b)
		}
		seen[a] = true
	}
	if len(seen) < 10 {
		t.Errorf("only %d different ends", len(seen))
	}
}

// What a kernel cannot do by itself it leaves to the interpreter.
func TestKernelLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		source  string
		kernels int
	}{
		"shared component": {`local ecs = require("ecs")
local made
return function(world, dt)
  if not made then
    made = world:spawn{ A = { x = 5 } }
    for i = 1, 3 do world:spawn{ B = { v = i }, IsA = made } end
  end
  local n = 0
  for e, p, q in world:each("A", "B") do n = n + 1 q.v = q.v + p.x end
  print(n)
  for e, p in world:each("A", "B") do p.x = p.x + 1 end
end`, 2},
		"optional":        {`local ecs = require("ecs") local all = ecs.query{ "A", optional = { "C" } } return function(world) local n = 0 for e, p, c in world:each(all) do p.x = 1 if c then n = n + 1 c.x = n end end print(n) end`, 1},
		"optional unused": {`local ecs = require("ecs") local all = ecs.query{ "A", optional = { "C" } } return function(world) local n = 0 for e, p, c in world:each(all) do p.x = 1 n = n + 1 end print(n) end`, 1},
		"replaced sqrt":   {`math.sqrt = function(x) print(x) return 1 end return function(world) for e, p in world:each("A") do p.y = math.sqrt(p.x) end end`, 1},
		"swapped":         {`return function(world) local floor = math.sqrt math.floor, math.sqrt = math.sqrt, math.abs for e, p in world:each("A") do p.y = math.floor(9) + math.sqrt(-2) + floor(4) end end`, 2},
		"types change":    {`local n = 0 return function(world) for e, p in world:each("A") do if n == 2 then p.x = 7 end end n = n + 1 if n == 1 then n = true elseif n == 2 then n = "x" end end`, 2},
		"in a coroutine":  {`return function(world) local co = coroutine.wrap(function() for e, p in world:each("A") do p.i8 = p.x coroutine.yield() end end) co() end`, 0},
		"in a pcall":      {`return function(world) print(pcall(function() for e, p in world:each("A") do p.y = 2 p.i8 = 300 end end)) world:spawn{} end`, 1},
		"upvalue":         {`local sum = 0 local function add(world) for e, p in world:each("A") do sum = sum + p.u16 end end return function(world) add(world) print(sum) end`, 1},
		"nil":             {`local best return function(world) for e, p in world:each("A") do if best == nil or p.y < best then best = p.y end end print(best) end`, 2},
		"within another":  {`return function(world) for e, p in world:each("A") do for f, q in world:each("B") do q.v = q.v + 1 end end end`, 1},
		"wrong field":     {`return function(world) for e, p in world:each("A") do p.y = 1 p.nope = 1 end end`, 0},
		"wrong argument":  {`return function(world) for e, p in world:each("A", "A") do p.y = 1 end end`, 0},
		"table":           {`local conf = { speed = 2 } return function(world) for e, p in world:each("A") do p.y = conf.speed end conf.speed = conf.speed + 1 conf.other = 2 end`, 1},
		"break":           {`return function(world) local found for e, p in world:each("A") do p.y = 3 if p.i8 > 0 then found = e break end p.x = 4 end print(found) world:spawn{} end`, 1},
		"found before and after shared components": {`local ecs = require("ecs")
local made
return function(world, dt)
  if not made then
    made = world:spawn{ A = {}, B = { v = 5 } }
    for i = 1, 3 do world:spawn{ A = {}, IsA = made } end
  end
  local best
  for e, p, q in world:each("A", "B") do if best == nil or q.v < best then best = q.v + 1 end end
  print(best)
end`, 1},
		"constant strings":           {`return function(world) local n = 0 for e, p in world:each("A") do if "b" == "a" then n = n + 1 end if "a" == "a" then p.x = 1 end end print(n) end`, 1},
		"constant strings in locals": {`return function(world) for e, p, q in world:each("A", "B") do local v = "a" == "a" end end`, 1},
		"swap":                       {`return function(world) for e, p in world:each("A") do p.x, p.y = p.y, p.x p.f, p.f = 1, 2 end end`, 1},
		"handed over nest": {`local ecs = require("ecs")
ecs.event("Note", { n = "f64" })
local made
local all, count = ecs.query{ "B", optional = { "A" } }, 0
return function(world)
  if not made then
    made = world:spawn{ A = { x = 5 } }
    for i = 1, 3 do world:spawn{ B = { v = i }, IsA = made } end
  end
  print(pcall(function()
    for e, p, q in world:each("A", "B") do
      for f, r, s in world:each(all) do
        if s and r.v == q.v then count = count + s.y end
      end
      world:send("Note", { n = q.v })
      p.x = 1
    end
  end))
  for ev in world:drain("Note") do print(ev.n, count) end
end`, 2},
		"returns": {`local ecs = require("ecs")
local function find(world, least)
  for e, p, q in world:each("A", "B") do
    if p.i8 > least then return e, p.x, nil, p.b and "yes" or "no", p.b, "x" end
    if p.u16 > 7 then return end
    for f in world:each("C") do if f == q.e then return f end end
  end
  return "none"
end
return function(world) for i = -130, 130, 20 do print(find(world, i)) end world:spawn{} print(find(world, 126)) end`, 1},
		"functions": {`local calls, limit = 0, 3
local function clamp(x) calls = calls + 1 if x > limit then return limit end local y = x * 2 if y < -limit then return -limit end return y end
local both = function(v, w) return clamp(v.x), clamp(w.v) end
return function(world) for e, p, q in world:each("A", "B") do p.y, q.v = both(p, q) p.x = clamp(p.x) + clamp(1) clamp(2) end print(calls) limit = limit + 1 end`, 1},
		"order of effects": {`local ecs = require("ecs") ecs.event("Drawn", { a = "f64", b = "f64", c = "f64" }) ecs.tag("seen")
local drawn = 0
local function draw(k) local r = ecs.random() drawn = drawn * 3 + r + k return r end
local function poke(v) v.y = v.y + 1 return v.y end
return function(world)
  for e, p in world:each("A") do
    p.x = ecs.random() * 10 + draw(1)
    p.y = p.y - poke(p) * 2 + p.y
    if ecs.random(9) > ecs.random(9) then drawn = drawn + 100 end
    if draw(2) >= ecs.random() and draw(3) < 0.5 or draw(4) < 0.1 then p.f = 2 end
    p.b = world:tag(e, "seen") == world:untag(e, "seen")
    p.b = p.b and draw(5) > 0.5
    p.f = p.b and draw(6) or draw(7)
    world:send("Drawn", { c = draw(8), a = ecs.random(), b = draw(9) })
    p.x, p.y = draw(10), draw(11) + p.x
    while draw(12) > 0.6 do drawn = drawn - 1 end
  end
  for ev in world:drain("Drawn") do print(ev.a, ev.b, ev.c) end
  print(drawn)
end`, 2},
		"values nobody wants": {`local ecs = require("ecs") ecs.tag("red")
local function both(world, e) return world:tagged(e, "red"), world:untag(e, "red") end
local function first(x) return x end
return function(world)
  for e, p in world:each("A") do
    world:tag(e, "red")
    p.x = first(world:tagged(e, "red"), world:untag(e, "red")) and 1 or 2
    world:tag(e, "red")
    p.y = both(world, e) and 1 or 2
    p.b = world:tagged(e, "red")
    world:tag(e, "red")
    if first((both(world, e))) then p.i8 = 3 end
  end
  for e, p in world:each("A") do print(p.x, p.y, p.b, p.i8) end
end`, 2},
		"all that a call gives": {`local ecs = require("ecs")
local function two(x) return x, x + 1 end
local function words(x) return x, "s" end
local function sum(a, b) return a + (b or 100) end
return function(world)
  local n = 0
  for e, p in world:each("A") do
    p.x = sum(two(5))
    p.y = sum((two(5)))
    p.f = math.max(two(3)) + math.fmod(two(6)) + ecs.random(two(1))
    n = n + sum(3, two(p.x))
  end
  for e, p in world:each("A") do n = n + p.x * 2 + p.y end
  print(n, pcall(function() for e, p in world:each("A") do p.x = math.max(p.y, words(5)) end end))
end`, 2},
		"first value from itself": {`return function(world) local best, n = nil, 0 for e, p in world:each("A") do
  local d
  d = (d or 3) + p.u16
  if d ~= nil then n = n + d end
  best = best or p.u16 + 5
end print(best, n) end`, 1},
		"a value nobody wants fails": {`local ecs, n = require("ecs"), { 0 } return function(world) print(pcall(function() for e, p in world:each("A") do n[1] = 50, ecs.random(n[1]) p.x = 2 end end)) print(n[1]) world:spawn{} end`, 1},
		"has what is shared": {`local base, one
return function(world)
  if not base then base = world:spawn{ C = { x = 5 } } one = world:spawn{ IsA = base } end
  local found, other
  for e, p in world:each("A") do found = world:has(one, "C") other = world:has(base, "C") end
  print(found, other)
end`, 1},
		"value and none":             {`return function(world) for e, p in world:each("A") do local d for i = 1, 3 do if p.i8 > i then d = i end p.x = d or 7 if d == 2 then d = nil end if d == nil then p.y = p.y + 1 end if d then p.f = d end end end end`, 1},
		"function replaced":          {`local f = function(x) return x end f = function(x) return x + 1 end return function(world) for e, p in world:each("A") do p.x = f(p.x) end end`, 1},
		"function inside":            {`local function f(x) if x > 1 then return f(x - 1) end return x end return function(world) for e, p in world:each("A") do p.x = f(p.i8) end end`, 1},
		"hidden upvalue":             {`local f do local k = 2 f = function(x) return x * k end end local function g(x) return x + 1 end local k = 5 return function(world) local g2 = g for e, p in world:each("A") do p.x = f(p.y) end end`, 1},
		"other upvalue":              {`local k = 2 local function f(x) return x * k end local k = 7 return function(world) for e, p in world:each("A") do p.x = f(p.y) + k end end`, 1},
		"world passed":               {`local function near(w, e) return w:alive(e) and w.dt or 2 end return function(world) for e, p, q in world:each("A", "B") do p.x = near(world, q.e) end end`, 1},
		"dead handle":                {`return function(world) print(pcall(function() for e, p, q in world:each("A", "B") do p.x = p.x + 1 p.y = world:get(q.e, "A").x end end)) world:spawn{} end`, 1},
		"view moved":                 {`return function(world) for e, p, q in world:each("A", "B") do local at = world:get(q.e, "A") local first = at if not at then at = world:get(e, "A") end p.y = at.x at = nil if at then p.x = 1 end if at == nil then p.f = 3 end end end`, 0},
		"view moved alone":           {`return function(world) for e, p, q in world:each("A", "B") do local at = world:get(q.e, "A") if not at then at = world:get(e, "A") end p.y = at.x at = nil if at then p.x = 1 end if at == nil then p.f = 3 end end end`, 1},
		"value later":                {`return function(world) for e, p in world:each("A") do local best, who for f, o in world:each("A") do if f ~= e and (best == nil or o.y < best) then best, who = o.y, f end end if who then p.x = best end end end`, 1},
		"value never":                {`return function(world) print(pcall(function() for e, p in world:each("A") do local d if p.i8 > 0 then d = 1 end p.x = d + 1 end end)) world:spawn{} end`, 1},
		"same table twice":           {`local t = { 1, 2, 3 } local same = t return function(world) for e, p in world:each("A") do t[1] = t[1] + 1 same[1] = same[1] * 2 p.x = t[1] end print(t[1]) end`, 1},
		"no element":                 {`local t = { 1, 2, 3 } return function(world) print(pcall(function() for e, p in world:each("A") do t[2] = t[2] + 1 p.x = t[p.i8] + 1 end end)) print(t[2]) world:spawn{} end`, 1},
		"counters":                   {`local n, goals = { [0] = 0, 0, 0 }, { { x = 1, y = 2 }, { x = 3, y = 4 } } return function(world) for e, p in world:each("A") do local k = p.u16 % 3 n[k] = n[k] + 1 local goal = goals[k % 2 + 1] goal.x = goal.x + 1 p.x = goals[1].x - goal.y end print(n[0], n[1], n[2], goals[1].x, goals[2].x) end`, 1},
		"member":                     {`local state = { count = 0, name = "a", on = false } return function(world) for e, p in world:each("A") do state.count = state.count + 1 state.name = state.on and "b" or "c" state.on = not state.on end print(state.count, state.name, state.on) end`, 1},
		"guarded member":             {`local state = setmetatable({ count = 0 }, { __newindex = function() error("no") end }) return function(world) for e, p in world:each("A") do state.count = state.count + 1 end print(state.count) end`, 0},
		"undeclared global":          {`return function(world) print(pcall(function() for e, p in world:each("A") do if nothing then p.x = 1 end end end)) world:spawn{} end`, 0},
		"resource that does not fit": {`local ecs = require("ecs") ecs.resource("n", { type = "i8" }) ecs.resource("f", { type = "f32" }) return function(world) local res = world.resources print(pcall(function() for e, p in world:each("A") do res.n = res.n + 20 res.f = res.n / 3 p.x = res.f end end)) print(res.n, res.f) world:spawn{} end`, 1},
		"replaced random":            {`local ecs = require("ecs") math.random = function() print("mine") return 1 end return function(world) for e, p in world:each("A") do p.x = math.random() + ecs.random() end end`, 1},
		"minus zero":                 {`return function(world) local a for e, p in world:each("A") do p.x = -p.f * 0 p.y = -(p.f * 0) a = -(p.f - p.f) end print(1 / a) end`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			want, _ := kernelTrace(t, 3, Lua, c.source)
			got, kernels := kernelTrace(t, 3, Closures, c.source)
			if got != want {
				t.Errorf("compiled\n%s\ninterpreted\n%s", got, want)
			}
			if got, _ := kernelTrace(t, 3, Auto, c.source); got != want {
				t.Errorf("machine code\n%s\ninterpreted\n%s", got, want)
			}
			if kernels != c.kernels {
				t.Errorf("%d kernels, want %d", kernels, c.kernels)
			}
			if !bytes.Contains([]byte(got), []byte("digest")) {
				t.Error("nothing ran")
			}
		})
	}
}
