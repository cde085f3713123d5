package luabind

import (
	"context"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// constructs are loops of 10,000 turns around one construct of Lua, outside query loops.
// before is what stands around the function that runs.
var constructBenchmarks = []struct{ name, before, body string }{
	{"for", "", `for i = 1, 10000 do end`},
	{"for with an addition", "", `local s = 0 for i = 1, 10000 do s = s + i * 0.5 end`},
	{"while", "", `local i = 0 while i < 10000 do i = i + 1 end`},
	{"if", "", `local n = 0 for i = 1, 10000 do if i % 2 == 0 then n = n + 1 end end`},
	{"call", "local function f(a) return a end", `for i = 1, 10000 do f(i) end`},
	{"call of two", "local function f(a, b) return a + b end", `local s = 0 for i = 1, 10000 do s = f(s, i) end`},
	{"field", "local t = { x = 1, y = 2 }", `local s = 0 for i = 1, 10000 do s = t.x end`},
	{"field of a local", "", `local t, s = { x = 1, y = 2 }, 0 for i = 1, 10000 do s = t.x end`},
	{"field written", "", `local t = { x = 1, y = 2 } for i = 1, 10000 do t.x = i end`},
	{"item", "", `local t, s = { 1, 2, 3 }, 0 for i = 1, 10000 do s = t[2] end`},
	{"item by variable", "local t = {} for i = 1, 10000 do t[i] = i end", `local t, s = t, 0 for i = 1, 10000 do s = s + t[i] end`},
	{"item written", "local t = {} for i = 1, 10000 do t[i] = i end", `local t = t for i = 1, 10000 do t[i] = i end`},
	{"method", "local O = {} O.__index = O function O:step(d) self.v = self.v + d end local o = setmetatable({ v = 0 }, O)", `local o = o for i = 1, 10000 do o:step(1) end`},
	{"dispatch", "local F = { function(v) return v + 1 end, function(v) return v - 1 end }", `local v = 0 for i = 1, 10000 do v = F[i % 2 + 1](v) end`},
	{"closure", "", `for i = 1, 10000 do local f = function() return i end end`},
	{"upvalue", "local n = 0", `for i = 1, 10000 do n = n + 1 end`},
	{"table of fields", "", `for i = 1, 10000 do local t = { x = i, y = 2 } end`},
	{"table of items", "", `for i = 1, 10000 do local t = { i, 2, 3 } end`},
	{"table grown", "", `for i = 1, 10000 do local t = {} t.x = i t.y = 2 end`},
	{"append", "", `local t = {} for i = 1, 10000 do t[#t + 1] = i end`},
	{"insert", "", `local t = {} for i = 1, 10000 do table.insert(t, i) end`},
	{"insert and remove", "", `local t = {} for i = 1, 10000 do table.insert(t, i) table.remove(t) end`},
	{"concat", "", `local s for i = 1, 10000 do s = "hp " .. i end`},
	{"format", "", `local s for i = 1, 10000 do s = string.format("hp %d", i) end`},
	{"format of three", "", `local s for i = 1, 10000 do s = string.format("%s %.2f %d", "hp", i, i) end`},
	{"ipairs", "local t = {} for i = 1, 10000 do t[i] = i end", `local s = 0 for i, v in ipairs(t) do s = s + v end`},
	{"pairs", "local t = {} for i = 1, 10000 do t['k' .. i] = i end", `local s = 0 for k, v in pairs(t) do s = s + v end`},
	{"sort", "local t = {} ", `for i = 1, 10000 do t[i] = (i * 7919) % 10007 end table.sort(t)`},
	{"sort by a function", "local t = {} ", `for i = 1, 10000 do t[i] = (i * 7919) % 10007 end table.sort(t, function(a, b) return a > b end)`},
	{"gsub by a function", "", `local s = ("ab "):rep(10000):gsub("%a+", function(w) return "x" end)`},
	{"pcall", "local function f(a) return a end", `for i = 1, 10000 do pcall(f, i) end`},
	{"math", "", `local s = 0 for i = 1, 10000 do s = math.max(s, math.floor(i / 3)) end`},
	{"string equal", "local a, b = 'fire', 'ice'", `local n = 0 for i = 1, 10000 do if a == "fire" then n = n + 1 end end`},
	{"string key", "local t = { fire = 1, ice = 2 } local k = 'fire'", `local s = 0 local t, k = t, k for i = 1, 10000 do s = s + t[k] end`},
	{"entity key", "local t = {} for i = 1, 10000 do t[i + 2^33] = i end", `local s, t = 0, t for i = 1, 10000 do s = s + t[i + 8589934592] end`},
	{"resource", "", `for i = 1, 10000 do world.resources.score = world.resources.score + 1 end`},
	{"get", "local e", `e = e or world:spawn{ Position = { x = 1 } } local s = 0 for i = 1, 10000 do s = s + world:get(e, "Position").x end`},
	{"set", "local e", `e = e or world:spawn{ Position = { x = 1 } } for i = 1, 10000 do world:set(e, "Position", { x = i }) end`},
	{"send", "", `for i = 1, 10000 do world:send("Hit", { amount = i }) end`},
	{"spawn", "", `for i = 1, 10000 do world:despawn(world:spawn{ Position = { x = i }, Velocity = {} }) end`},
	{"spawn with a tag", "", `for i = 1, 10000 do world:despawn(world:spawn{ Position = { x = 1, y = 2 }, Velocity = {}, "selected" }) end`},
	{"despawn only", "local list", `list = world:spawn_many(10000, { Position = {}, Velocity = {} }) for i = 1, 10000 do world:despawn(list[i]) end`},
	{"spawn_many by a function", "", `for _, e in ipairs(world:spawn_many(10000, { Position = {}, Velocity = {} }, function(i) return { Position = { x = i } } end)) do world:despawn(e) end`},
	{"commands spawn", "", `for i = 1, 10000 do world.commands:despawn(world.commands:spawn{ Position = { x = 1 }, Velocity = {} }) end`},
	{"commands set", "local e", `e = e or world:spawn{ Position = { x = 1 } } for i = 1, 10000 do world.commands:set(e, "Position", { x = i }) end`},
}

// BenchmarkInterp runs constructs on package interp, and as plain on gopher-lua's interpreter.
func BenchmarkInterp(b *testing.B) {
	for _, c := range constructBenchmarks {
		for _, mode := range []struct {
			name string
			impl Impl
		}{{"interp", Auto}, {"plain", Lua}} {
			b.Run(c.name+"/"+mode.name, func(b *testing.B) {
				w := ecs.NewWorld(ecs.Options{Seed: 1})
				declareForTests(b, w)
				framesOf(b, w, mode.impl, 10_000, "ns/turn", c.before+"\nreturn function(world)\n"+c.body+"\nend")
			})
		}
	}
}

// BenchmarkTurn is what a system costs in a frame, whatever it does.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct{ name, script string }{
		{"empty", `return function() end`},
		{"resource read", `return function(world) local s = world.resources.score end`},
		{"loop over ten", `return function(world, dt)` + moveLoop + `end`},
		{"loop over none", `return function(world, dt) for e, h in world:each("Health") do h.current = h.current + 1 end end`},
		{"events, none there", `return function(world) for ev in world:read("Hit") do world.resources.score = world.resources.score + ev.amount end end`},
		{"events interpreted, none there", `local t = {} return function(world) for ev in world:read("Hit") do t[#t + 1] = function() return ev end end end`},
		{"three loops", `return function(world, dt)` + moveLoop + moveLoop + moveLoop + `end`},
	} {
		b.Run(c.name, func(b *testing.B) {
			framesOf(b, movingWorld(b, 10), Auto, 1, "ns/turn", c.script)
		})
	}
	b.Run("no system", func(b *testing.B) {
		r, err := New(Options{Log: strictLog(b), World: movingWorld(b, 10), Scripts: files(nil)})
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Load(); err != nil {
			b.Fatal(err)
		}
		ctx := context.Background()
		for b.Loop() {
			if err := r.Frame(ctx, 1.0/60); err != nil {
				b.Fatal(err)
			}
		}
	})
}
