package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// constructHead is what stands around each body of constructs. Line 21 begins the loop, line 22 is the body.
const constructHead = `local ecs = require("ecs")
ecs.tag("red") ecs.tag("blue") ecs.relation("Likes")
ecs.event("Hit", { who = "entity", n = "i8", f = "f64", g = "f32", s = "string", b = "bool" }) ecs.event("Note", {}) ecs.event("Bag", { t = "table" })
ecs.resource("score", { type = "f64" }) ecs.resource("small", { type = "i8" }) ecs.resource("name", { type = "string" }) ecs.resource("on", { type = "bool" }) ecs.resource("who", { type = "entity" }) ecs.resource("bag", { type = "table" }) ecs.resource("short", { type = "f32" })
ecs.grid("g", { component = "A", x = "x", y = "y", cell = 3 })
local all, reds, plain = ecs.query{ "A", "B", optional = { "C" } }, ecs.query{ "A", tagged = { "red" } }, ecs.query{ "A", without = { "C" } } local news = ecs.query{ "A", changed = { "A" } } local shorts = ecs.query{ "A", optional = { "D" } }
local k, word, flag, list, rows, conf = 2, "calm", true, { 1, 2 }, { { x = 1, y = 2 } }, { speed = 2.5, on = true, title = "t" } local speed, after, calms, rules, stats, by, seen, empty = { calm = 2, s = 3, [""] = 1 }, { calm = "s", s = "none" }, { calm = true, s = false }, { calm = { dps = 4, name = "c", on = true }, s = { dps = 0.5 } }, { calm = { n = 0 }, s = { n = 2 } }, {}, {}, { x = { 1 } }
local random, floor = ecs.random, math.floor
local function twice(x) return x * 2 end
local function both(x, y) if x > y then return x, y end return y, x end
local function clamp(x, low) low = low or 0 if x < low then x = low end return x end
local function quiet(v) v.x = v.x + 1 end
local function some(x) if x > 1 then return x end end
local function endless(x) if x > 1 then return endless(x - 1) end return x end
local function many(...) return ... end local function judge(x) local is = x > 1 if x > 2 then is = true end if is then return 1 end return 2 end local function pick(v, w) if v.x > 1 then return v end return w end
local function maybe(v) if v.x > 1 then return v end return nil end local function one(x) if x > 1 then return 1 end return "s" end local function now(x) if x > 1 then return 1, 2 end return 1 end local function none(x) if x > 1 then return nil end return x end
local function early(x) for i = 1, 3 do if i > x then return i end end return 0 end local function soon(x) while x > 3 do x = x - 1 if x == 5 then return 9 end end return x end local function late(x) repeat x = x - 1 if x == 5 then return 9 end until x < 3 return x end
local function near(w, x) for o, d in w:near("g", x, x, 3) do if d < 1 then return d end end return 0 end local function inner(x) do if x > 1 then return 1 end end return 2 end
local function d1(x) return x + 1 end local function d2(x) x = x + 1 return d1(x) end local function d3(x) x = x + 1 return d2(x) end local function d4(x) x = x + 1 return d3(x) end local function d5(x) x = x + 1 return d4(x) end
local function d6(x) x = x + 1 return d5(x) end local function d7(x) x = x + 1 return d6(x) end local function d8(x) x = x + 1 return d7(x) end local function d9(x) x = x + 1 return d8(x) end local function shown(t) local s = "" for k, v in pairs(t) do s = s .. k .. "=" .. tostring(v) .. " " end return s end
return function(world, dt) local found, n, best, text = nil, 0, nil, "" local res, cmd = world.resources, world.commands for e, p, q, c in world:each(all) do
`

// constructs are loop bodies, one for each thing that a body may hold or that keeps it interpreted.
var constructs = []string{
	// numbers
	"p.x = 1", "p.x = p.y", "p.x, p.y = p.y, p.x", "p.x = p.x + p.y * dt", "p.x = p.x - p.y / 3", "p.x = p.x % 7", "p.x = p.x ^ 2", "p.x = -p.y", "p.x = 2 + 3 * 4",
	"p.x = -0", "p.x = 0 * -1", "p.x = 1 / 0", "p.x = p.x + 0", "p.x = p.x * 1", "p.f = p.x", "p.f = p.f + 1", "p.x = p.f * p.i8 + p.i32 - p.u16", "q.v = q.u8 + q.u32 + q.i16 + q.g + q.e",
	"p.x = math.floor(p.y)", "p.x = floor(p.y) + math.ceil(p.y) + math.abs(p.y) + math.sqrt(p.y)", "p.x = math.sin(p.y) + math.exp(p.y) + math.log(p.y)", "p.x = math.min(p.x, p.y, 3)",
	"p.x = math.max(p.x, p.y)", "p.x = math.fmod(p.x, 3) + math.pow(p.x, 2) + math.atan2(p.x, p.y)", "p.x = math.pi + math.huge", "p.x = math.deg(p.y) + math.rad(p.y)", "p.x = math.modf(p.y)",
	"p.x = random()", "p.x = random(6)", "p.x = ecs.random(2, p.y)", "p.x = math.random(3)", "p.x = world.dt + world.time + world.frame",
	// whole numbers and what may not fit
	"p.i8 = 3", "p.i8 = 128", "p.i8 = p.i8 + 1", "p.i8 = floor(p.x) % 8", "q.u8 = q.u8 - 1", "q.i16 = p.i8", "p.u16 = q.u8", "p.i32 = q.u32", "q.u32 = p.u16 * 2", "q.e = e", "q.e = nil", "q.e = ecs.none", "q.e = p.x",
	// truth
	"p.b = true", "p.b = not p.b", "p.b = p.x < p.y", "p.b = p.x <= 3 and p.y > 1", "p.b = p.x >= 3 or p.y == 1", "p.b = p.x ~= p.y", "p.b = p.b == flag", "p.x = p.b and 1 or 2", "p.x = flag and p.x or p.y",
	"p.x = n and 1 or 2", "p.b = p.x == nil", "p.b = not p.x", "p.x = 1 and 2", "p.x = p.b and p.x", "p.x = best or 3", "p.x = p.x or 1", "p.b = p.x < word",
	// statements
	"if p.x > 1 then p.x = 1 elseif p.y > 1 then p.y = 1 else p.x = 2 end", "if p.b then p.x = 1 end", "if true then p.x = 1 else p.y = 1 end", "if false then p.x = 1 else p.y = 1 end", "if nil then p.x = 1 end", "if n then p.x = 1 end",
	"local t = p.x local u = t * t p.y = u + t", "local t p.x = t or 1", "local t if p.b then t = p.x end if t then p.y = t end", "local t, u = p.x p.y = t", "local t = p.x t = t + 1 p.x = t", "do local t = 1 p.x = t end p.y = 2",
	"while p.x > 1 do p.x = p.x / 2 end", "while true do if p.x > 1 then break end p.x = p.x + 1 end", "repeat local t = p.x p.x = t / 2 until t < 1", "for i = 1, 3 do p.x = p.x + i end", "for i = 3, 1, -1 do p.x = i end",
	"for i = 1, p.x, k do p.y = p.y + i if p.y > 9 then break end end", "for i = 1, 0.5, 0 do p.x = i end", "if p.x > 1 then break end p.x = 1", "if p.x > 1 then goto continue end p.x = 1 ::continue::", "for i = 1, 3 do if i == 2 then goto next end p.x = i ::next:: end",
	"for i = 1, 3 do for j = 1, i do p.x = p.x + j end end", "while p.x do p.x = 1 end", "for i = 1, word do end",
	// variables from around
	"n = n + p.x", "n = n + 1", "n = n - p.x n = n * 2", "if best == nil or p.x < best then best = p.x found = e end", "found = e", "found = nil", "text = \"a\"", "flag = p.b", "n = p.b", "k = k * 2", "if p.x > n then n = p.x end", "n = math.max(n, p.x)",
	"conf.speed = p.x", "p.x = conf.speed", "p.b = conf.on", "p.x = list[1] + list[p.i8]", "list[2] = p.x", "p.x = rows[1].x + rows[p.i8].y", "rows[1].x = p.x", "local row = rows[1] row.y = row.x", "p.x = rows[1].z", "p.x = #list", "p.x = list", "list.x = 1",
	// views
	"if c then p.x = c.x end", "if c then c.x = p.x end", "p.x = c.x", "if not c then p.x = 1 end", "p.x = c and c.x or 2", "p.b = c ~= nil", "p.b = c == nil", "if c and c.x > 1 then p.x = c.x end", "local v = p v.x = 1", "found = p", "p = nil", "p.z = 1", "p.x = p.z", "p.x = true", "p.b = 1",
	"local at = world:get(q.e, \"A\") if at then p.x = at.x end", "local at = world:get(q.e, \"A\") at.x = 1", "local at = world:get(e, \"C\") if at then at.x = p.x end", "world:get(q.e, \"A\").x = 3", "p.x = world:get(e, \"A\").y", "local at = world:get(e, \"A\") at = world:get(q.e, \"A\") p.x = at.x",
	"local at if p.b then at = world:get(q.e, \"A\") end if at then at.y = at.x end", "local at = world:get(e, \"Z\")", "local at = world:get(e, word)", "local at = world:get(p, \"A\")",
	// questions
	"p.b = world:alive(e)", "p.b = world:alive(q.e)", "p.b = world:has(e, \"A\")", "p.b = world:has(q.e, \"A\", \"C\")", "p.b = world:tagged(e, \"red\")", "p.b = world:tagged(q.e, \"red\", \"blue\")", "if world:tag(e, \"red\") then p.x = 1 end", "world:tag(e, \"red\", \"blue\")", "world:untag(q.e, \"red\")",
	"world:tag(e, \"rd\")", "world:has(e)", "p.b = world:has(e, \"Z\")", "p.x = world:count(\"A\")", "world:despawn(e)", "world:set(e, \"A\", { x = 1 })", "p.b = world:tagged(e, word)",
	// loops within
	"for o, r in world:each(\"A\") do if o ~= e then p.x = p.x + r.x end end", "for o, r in world:each(plain) do r.y = r.y + 1 end", "for o, r in world:each(reds) do n = n + r.x end", "for o, r, s, u in world:each(all) do if u then n = n + u.x end if s.v > 3 then break end end",
	"for o, r in world:each(reds) do world:untag(e, \"red\") end", "for o in world:each(\"A\") do n = n + o end", "for o, r in world:each(\"Z\") do end", "for o, r in world:each() do end", "for o, r in world:each(\"A\") do for i, s in world:each(\"B\") do n = n + s.v end end",
	"for o, d in world:near(\"g\", p.x, p.y, 3) do n = n + d end", "for o in world:near(\"g\", p.x, p.y, q.v) do local at = world:get(o, \"A\") if at then at.x = at.x + 1 end end", "for o, d in world:near(word, 1, 2, 3) do end", "for o, d in world:near(\"h\", 1, 2, 3) do end", "for o, d in world:near(\"g\", 1, 2) do end",
	"for o, d in world:near(\"g\", p.x, p.y, 3) do if d < 1 then break end p.x = p.x + d end", "for i, v in ipairs(list) do n = n + v end", "for i, v in pairs(list) do n = n + v end", "for ev in world:read(\"Hit\") do n = n + 1 end",
	// effects
	"world:send(\"Note\")", "world:send(\"Hit\", { who = e, n = 3, f = p.x, g = p.f, s = word, b = p.b })", "world:send(\"Hit\", { n = p.x })", "world:send(\"Hit\", {})", "world:send(\"Hat\", {})", "world:send(\"Hit\", { m = 3 })", "world:send(\"Hit\", { n = \"3\" })", "world:send(\"Bag\", { t = 3 })", "world:send(\"Bag\")",
	"world:send(word, {})", "world:send(\"Hit\", list)", "world:send(\"Hit\", { n = 300 })", "cmd:send(\"Hit\", { n = 1 })",
	"world.commands:despawn(e)", "cmd:despawn(q.e)", "cmd:add(e, \"C\")", "cmd:add(e, \"C\", \"D\")", "cmd:remove(e, \"C\")", "cmd:set(e, \"A\", { x = p.y, i8 = 3 })", "cmd:set(e, \"A\", { i8 = p.x })", "cmd:set(e, \"A\", { z = 1 })", "cmd:set(e, \"Z\", {})", "cmd:tag(e, \"red\")", "cmd:untag(e, \"blue\")",
	"cmd:relate(e, \"Likes\", q.e)", "cmd:unrelate(e, \"Likes\")", "cmd:relate(e, \"Hates\", q.e)", "cmd:spawn{ A = { x = p.x } }", "local s = cmd:spawn{ \"red\", \"C\", A = { x = p.x, b = p.b }, Likes = e } cmd:tag(s, \"blue\") found = s", "cmd:spawn{ \"Z\" }", "cmd:spawn{ A = list }", "cmd:spawn(conf)", "cmd:explode(e)", "if cmd:despawn(e) then end",
	// resources
	"res.score = res.score + p.x", "world.resources.small = p.x", "res.small = 3", "res.name = word", "p.b = res.name == \"calm\"", "res.on = p.b", "p.b = res.on", "res.who = e", "res.score = true", "res.scores = 1", "p.x = res.who",
	// strings
	"p.b = word == \"calm\"", "local s = p.b and \"x\" or word text = s", "text = word", "n = n .. p.x", "p.b = word < \"x\"", "p.x = #word", "n = word", "text = text:upper()",
	// functions
	"p.x = twice(p.y) + k", "p.x, p.y = both(p.x, p.y)", "local a = both(p.x, 1) p.x = a", "p.x = clamp(p.x)", "p.x = clamp(p.x, 3)", "quiet(p)", "p.x = some(p.y)", "p.x = endless(p.y)", "p.x = many(1)", "p.x = twice", "p.x = twice(twice(p.x))", "p.x = twice()", "print(p.x)", "p.x = quiet(p)", "p.x = p.twice(1)", "p.x = math.foo(1)", "p.x = word(1)", "local f = function() end", "local t = {}",
	"n = n + judge(p.x)", "n = judge(p.x) + n", "local v = pick(p, world:get(q.e, \"A\")) v.x = 1", "local v = maybe(p) if v then v.y = 1 end", "p.x = one(p.y)", "p.x = now(p.y)", "p.x, p.y = now(p.y)", "p.x = none(p.y)", "p.x = early(p.y)", "p.x = soon(p.y)", "p.x = late(p.y)", "p.x = near(world, p.y)", "p.x = inner(p.y)",
	"p.x = d8(p.x)", "p.x = d9(p.x)", "return many(1)", "return quiet(p)", "local t, u = 1, quiet(p)", "while judge(p.x) > 1 do p.x = p.x - 1 end", "repeat p.x = p.x - 1 until judge(p.x) > 1", "if judge(p.x) > 1 then p.y = 1 elseif judge(p.y) > 1 then p.y = 2 end", "p.x = judge(p.x) * judge(p.y) + p.x",
	"for i = judge(p.x), judge(p.y), judge(n) do n = n + i end", "p.b = judge(p.x) > 1 and judge(p.y) > 1", "p.x = p.b and judge(p.x) or judge(p.y)", "list[judge(p.x)] = judge(p.y)", "p.x, p.y = judge(p.y), judge(p.x)", "n = n + both(p.x, p.y)", "p.x = math.max(both(p.x, p.y))", "p.x = math.max(twice(p.x), judge(p.x), p.y)",
	"local t if p.b then t = 1 else t = 2 end p.x = t", "local t if p.b then t = 1 elseif flag then t = 2 else t = 3 end p.x = t", "local t if p.b then t = 1 else p.y = 2 end p.x = t", "local t, u if p.b then t, u = 1, 2 else t = 2 end p.x = t p.y = u", "local t for i = 1, 2 do t = i end p.x = t",
	"local t if not p.b then t = 1 end p.x = t and 3 or 4", "local t = p.x if t then t = nil end p.x = t or 2", "local on if p.b then on = flag end p.b = on", "local on if p.b then on = true else on = false end p.b = on and flag", "local s if p.b then s = word else s = \"x\" end text = s", "if p.b then found = e else found = q.e end",
	"p.b = p.b and flag or p.x > 1", "p.b = p.b and flag or 1", "p.x = p.b and 1 or flag", "local w = world p.x = w(1)", "local l = list p.x = l(1)", "p.x = k(1)", "cmd:unrelate(e, \"Likes\", e)", "local t = math.max(3, -p.x) p.y = t + -p.y", "local t = math.min(-p.x, 3) p.y = t + -p.y",
	"local t = math.min(2, p.i8) p.y = t + -p.y", "local t = p.b and 2 or -p.x p.y = t + -p.y", "local t = p.b and -p.x or 2 p.y = t + -p.y", "local t = math.abs(-p.x) p.y = t + -p.y", "local t = math.sqrt(-p.x) p.y = t + -p.y", "local t = p.x * p.x p.y = t + -p.y", "local t = p.x * p.y p.y = -t",
	strings.Repeat("if world:get(q.e, \"A\") then n = n + 1 end ", 13), strings.Repeat("if world:get(q.e, \"A\") then n = n + 1 end ", 14),
	"local function count(x) local s = x for i = 1, x do s = s + count(i - 1) end return s end n = n + count(p.i8 % 5)", "local function given(...) local t t = ... return t end n = given() or n", "local function given(...) local t, u t, u = ... return t end n = given(p.x) n = given(p.x, 2, 3)",
	"local i = 0 local function it() i = i + 1 if i > 3 then return end local r = by[i] or { n = 0 } by[i] = r return r end for r in it do r.n = r.n + 1 n = n + r.n end",
	// what is refused
	"p.x = p[word]", "p.x = res[word]", "p.x = rows[1][word]", "p.x = (\"s\").x", "p.x = world.foo", "p.x = res.bag", "res.bag = 1", "res.short = p.x", "res.who = nil", "res.who = q.e", "list[p.i8], p.x = 1, 2", "list[1], list[2] = list[2], list[1]", "list[1] = true", "rows[1] = 1", "rows[p.i8].x, n = n, 3",
	"floor = 1", "local f = floor f = 1", "local f = floor p.x = f(p.y)", "local w = world w = 1", "local at = world:get(e, \"A\") at = world:get(e, \"C\")", "local at = world:get(e, \"A\") at = 3", "local at, t = world:get(e, \"A\"), 1 at, t = world:get(q.e, \"A\"), 2", "local at = world:get(q.e, \"A\") at = nil if at then at.x = 1 end",
	"local at = world:get(q.e, \"A\") local other = at at = world:get(e, \"A\") other.x = at.x", "local other = p other = world:get(e, \"A\") other.x = 1", "local at = world:get(e, \"A\") local other = at other.x = 1", "p.b = world:get(q.e, \"A\").b", "local at = world:get(q.e, \"A\") if at then p.b = at.b end", "local at = world:get(q.e, \"A\") if at and at.b then p.x = 1 end",
	"if list then p.x = 1 end", "if world then p.x = 1 end", "if conf then p.x = 1 end", "if floor then p.x = 1 end", "if rows[1] then p.x = 1 end", "if list[1] then p.x = 1 end", "if p then p.x = 1 end", "if p.x then p.x = 1 end", "if word then p.x = 1 end", "if not list[1] then p.x = 1 end", "p.b = list[1] == nil", "if random() then p.x = 1 end", "p.b = not random()", "p.b = random() == nil", "if world:tag(e, \"red\") == nil then p.x = 1 end", "p.b = world == nil", "n = list[1] or 3",
	"function f() end", "p.x = function() end", "(p.x)()", "p:foo()", "res:x()", "p.x = world:send(\"Note\")", "p.x = cmd:despawn(e)", "p.b = world:alive(\"x\")", "p.b = world:alive()", "world:get(e, \"Likes\")", "world:tag(e)", "world:get(e)", "repeat ::x:: p.x = p.x - 1 until p.x < 1", "do ::x:: end p.x = 1",
	"for o in p:each(\"A\") do end", "for o, r in world:each(news) do n = n + r.x end", "for o, r in world:each(\"A\", \"A\") do end", "for o, r in world:each(\"A\") do o = 1 end", "for o, r in world:each(\"A\") do r = 1 end", "for o, r, s in world:each(\"A\") do if s then n = 1 end p.x = r.x end", "for o, r, s in world:each(\"A\") do p.x = s.x end", "for o, r in world:each(\"Likes\") do n = n + r.x end",
	"for o, r in world:each(\"A\", \"Likes\", e) do n = n + r.x end", "for o, r in world:each(\"A\") do if flag then p.x = r.x end end", "for o, r in world:each(shorts) do n = n + r.x end", "for o, r in world:each(\"A\") do if r.b then n = n + 1 end end", "for o, d in world:near(\"g\", p.x, p.y, 3) do d = d + 1 n = d end", "for o, d in world:near(\"g\", p.x, p.y, 3) do if flag then n = n + 1 end end",
	"for o, d in world:near(\"g\", p.x, p.y, 3) do for i, s in world:each(\"B\") do if i == o then n = n + s.v end end end", "for o, d in world:near(\"g\", p.x, p.y, \"r\") do end", "for o in world:near(\"g\", judge(p.x), judge(p.y), judge(n)) do n = n + o end", "for o, d, x in world:near(\"g\", 1, 2, 3) do end",
	"cmd:despawn()", "cmd:despawn(\"x\")", "cmd:despawn(e, e)", "cmd:add(e)", "cmd:add(e, \"C\", \"C\")", "cmd:set(e, \"A\", { x = 1 }, 2)", "cmd:set(e, \"A\")", "cmd:set(e, \"A\", { x = 1, x = 2 })", "cmd:relate(e, \"Likes\")", "cmd:relate(e, \"Likes\", \"x\")", "cmd:unrelate(e)", "cmd:tag(e, \"red\", \"blue\")", "cmd:remove(e, \"C\", \"Likes\")",
	"cmd:spawn{ \"C\", C = { x = 1 } }", "cmd:spawn{ [1 + 1] = 3 }", "cmd:spawn{ Likes = e, Likes = q.e }", "cmd:spawn{ Z = {} }", "cmd:spawn{ C = nil }", "cmd:spawn()", "cmd:spawn({}, 1)", "cmd:spawn{ Likes = e, ChildOf = random(3) }", "cmd:spawn{ Likes = random(3), ChildOf = random(4), A = { x = random() } }", "cmd:set(e, \"A\", { x = random(), y = judge(p.x), f = random() })",
	"world:send(\"Hit\", { [1] = 3 })", "world:send(\"Hit\", { n = 1, n = 2 })", "world:send(\"Hit\", { n = nil })", "world:send(\"Hit\", { who = 0 })", "world:send(\"Hit\", { who = q.e })", "cmd:send(\"Hit\", { who = 0, s = word })", "world:send()", "world:send(\"Note\", {}, 1)", "p.x, found = 1", "local t t, p.x = 1 if t then p.y = t end",
	"return 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, p.x, p.y, q.v, n", "return 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, p.x, p.y, q.v",
	// tests in front of what is long
	"n = n + p.x if n > 3 then p.x = math.sqrt(p.x * p.x + p.y * p.y) + p.f * p.i8 end", "local d = p.x - p.y if d > 1 then n = n + d p.x = math.sqrt(d * d + p.y) + p.f * p.i8 end", "if p.x > 1 then if p.y > 1 then n = n + math.sqrt(p.x * p.x + p.y * p.y) / 3 end end", "if p.x > 1 and p.y > 2 then p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 else p.y = 1 end",
	"if p.b then goto next end p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 ::next::", "local t = p.x * 2 local u = t - p.y if u < 0 then goto next end if t > 9 then goto next end p.x = math.sqrt(u) / 3 + 2 - p.f ::next::", "if math.sin(p.x) > 0 then p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 end", "local s = p.b and \"x\" or word if s == \"x\" then p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 end",
	"if p.x > 1 then p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 end p.y = 1", "local t if p.b then t = 1 end if t then p.x = math.sqrt(p.x * p.x + p.y * p.y) / 3 + 2 end",
	// tables that are only written
	"list[#list + 1] = e", "table.insert(list, p.x)", "local insert = table.insert insert(list, p.x)", "table.insert(list, 1, p.x)", "n = n + 1 list[n] = e", "list[e] = true", "list[p.x] = nil", "list[#list + 1] = { e = e, x = p.x, on = p.b }", "list[n] = { e, p.x, at = { x = 1 } }", "rows[#rows + 1] = { x = p.x, y = 2 }",
	"list[#list + 1] = word list[#list + 1] = p.b n = #list", "list[p.x] = 1 n = n + #list", "list[p.x] = nil n = #list", "list[#list + 1] = p.x n = list[1]", "list[#list + 1] = judge(p.x)", "for i = 1, #list do n = n + list[i] end", "n = list[random(#list)]", "n = #rows", "n = #word", "n = #conf", "list[e] = {}", "list[word] = p.x", "list[1] = { p.x, judge(p.y) }", "list[1] = { both(p.x, 1) }", "list[1] = { nil, 1 }", "list[1] = { [1] = 2 }", "list[1] = { x = 1, x = 2 }", "list[1] = p", "list[1] = list", "table.insert(list)", "table.insert(p, 1)", "n = table.insert(list, 1)", "table.remove(list)", "table.sort(list)",
	// lists of lists, sets and maps
	"p.x = rows[1][2]", "p.x = rows[p.i8][p.x]", "rows[p.i8][1] = rows[p.i8][1] + 1", "if rows[1][p.x] then p.x = 1 end", "local r = rows[p.i8] if r then p.x = r[1] end", "p.x = list[p.x] or 3", "local v = list[p.x] if v then p.x = v end", "list[e] = (list[e] or 0) + 1", "if not list[e] then list[e] = 1 end", "list[#list + 1] = p.x p.x = list[#list]",
	// ends of the loop
	"if p.x > 1 then return end", "if p.x > 1 then return e, p.x, nil, word, p.b end", "return p.x", "if p.x > 1 then return twice(p.x) end", "return both(p.x, 1)", "return p", "return {}",
	"::here:: p.x = 1 goto here", "p.x = p.y == 0 and 0 or 1 / p.y", "x = 1", "p.x = y", "p[word] = 1", "p.x = p[\"y\"]",
}

// Each construct becomes the recorded program, with the recorded prices, or is refused for the recorded reason; so does its machine code.
func TestRecordedConstructs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, body := range constructs {
		r := loaded(t, 1, constructHead+body+"\nend print(found, n, best, text) end")
		for _, l := range r.runner("a.lua").Loops {
			if l.Line != 21 {
				continue
			}
			program, code := becomes(r, l)
			fmt.Fprintf(&out, "%s\n  %s\n", body, strings.TrimSuffix(program, "\n"))
			if code != "" {
				fmt.Fprintf(&out, "  code: %s\n", code)
			}
		}
	}
	recorded(t, "constructs.txt", out.String())
}
