package luabind

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// interpBodies are systems whose loops do not compile, as far as each makes a table or passes
// a view on. Under implementation lua they run on gopher-lua's own interpreter, else on
// package interp; nothing else may differ. They share the head below.
var interpBodies = map[string]string{
	"fields":          `for e, p, v in world:each("Position", "Velocity") do local t = {p.x, v.dx} p.x = p.x + v.dx * 2 p.y = #t + p.x v.dy = v.dx - 1 show(t[1], t[2], p.x, p.y, v.dy) end`,
	"all types":       `for e, k in world:each("Kinds") do local t = {} k.f32 = 0.1 k.i32 = -7.9 k.u8 = 200 k.flag = not k.flag k.who = e k.name = k.name .. "x" k.items = {1, {2}} show(k.f64, k.f32, k.i32, k.u8, k.flag, k.who == e, k.name, k.items[2][1], #t) end`,
	"wrong values":    `for e, k in world:each("Kinds") do for _, bad in ipairs{"x", true, {}, 1e10, -1, 0/0, 1.5, world} do for _, f in ipairs{"f64", "i32", "u8", "flag", "who", "name", "items", "none"} do show(f, pcall(function() k[f] = bad end)) show(f, pcall(function() return type(k[f]) end)) end end break end`,
	"kept":            `local kept = {} for e, p in world:each("Position") do kept[#kept + 1] = p end for i, p in ipairs(kept) do show(i, p.x, p == kept[1], p == kept[i]) p.x = i end`,
	"kept local":      `local last, first for e, p, v in world:each("Position", "Velocity") do local t = {} first = first or p if last then show(last.x, p.x, last == p, first.x, v.dx, #t) last.y = p.x end last = p end show(first.x, last.x)`,
	"kept captured":   `local fs = {} for e, p, v in world:each("Position", "Velocity") do fs[#fs + 1] = function(d) p.x = p.x + d return p.x end v.dx = 3 end for i, f in ipairs(fs) do show(f(i), f(1)) end`,
	"kept passed":     `local kept = {} local function keep(p) kept[#kept + 1] = p end for e, p, v in world:each("Position", "Velocity") do keep(p) v.dx = v.dx + 1 local t = {v.dx} end for i, p in ipairs(kept) do show(i, p.x) end`,
	"kept by return":  `local function find(n) for e, p, v in world:each("Position", "Velocity") do local t = {} if v.dx >= n then return p, e end end end local a, b = find(1), find(2) show(a and a.x, b and b.x, a == b) for e, p in world:each("Position") do local t = {} p.x = p.x + 1 end show(a and a.x, b and b.x)`,
	"kept and or":     `local last for e, p, v in world:each("Position", "Velocity") do local t = {} local q = v.dx > 1 and p or last show(q and q.x) last = q end show(last and last.x)`,
	"kept as self":    `local kept = {} local mt = {__index = function(t, k) kept[#kept + 1] = k return 1 end, __newindex = function(t, k, v) kept[#kept + 1] = v end} local o = setmetatable({}, mt) for e, p, v in world:each("Position", "Velocity") do local x = o[p] o.y = v end for i, q in ipairs(kept) do show(i, q.x or nil) if i > 0 then break end end show(#kept)`,
	"kept compared":   `local seen for e, p in world:each("Position") do local t = {} if seen == nil then seen = p end show(seen == p, p == seen, p ~= seen, p == nil, not p, #t) end`,
	"kept arithmetic": `for e, p, v in world:each("Position", "Velocity") do local t = {} show(pcall(function() return 1 + v end)) show(pcall(function() return p .. "x" end), pcall(function() return #p end), pcall(function() return p() end), pcall(function() return p < v end)) break end`,
	"reassigned":      `for e, p, v in world:each("Position", "Velocity") do local t = {} if p.x > 2 then p = {x = 5} v = t end show(p.x, v.dx) p.x = 1 v.dx = 2 e = nil end`,
	"stale register":  `local kept do local a1, a2, a3, a4, a5, a6, a7, a8, a9 = P(1), P(2), P(3), P(4), P(5), P(6), P(7), P(8), P(9) kept = {a1, a2, a3, a4, a5, a6, a7, a8, a9} end for e, p in world:each("Position"), nil, 1 do p.x = p.x + 10 local t = 1 end for i, p in ipairs(kept) do show(i, p.x) end`,
	"stale other":     `local kept do local a1, a2, a3, a4, a5, a6, a7, a8, a9 = V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9) kept = {a1, a2, a3, a4, a5, a6, a7, a8, a9} end for e, p in world:each("Position"), nil, 1 do p.x = p.x + 10 local t = #kept end for i, p in ipairs(kept) do show(i, p.dx) end for e, p in world:each("Position") do show(p.x) end`,
	"same generator":  `local g = world:each("Position", "Velocity") local kept = {} for e, p, v in g do local t = {} for e2, p2, v2 in g do kept[#kept + 1] = p2 v2.dx = p.x show(e2 == e) if #kept % 3 == 0 then break end end show(p.x, v.dx) end for i, p in ipairs(kept) do show(p.x) end`,
	"by hand":         `local g = world:each("Position") local kept = {} for e, p in g do local e2, p2 = g() kept[#kept + 1] = p2 show(p.x, p2 and p2.x, p == p2) p.x = p.x + 100 end for i, p in ipairs(kept) do show(p.x) end`,
	"nested":          `for e, p in world:each("Position") do local t = {} for e2, q in world:each("Position") do if e ~= e2 then p.y = p.y + q.x end t[#t + 1] = q.y end show(p.x, p.y, #t) end`,
	"two loops":       `local function loop(n) for e, p in world:each("Position") do local t = {} p.x = p.x + n if p.x > 4 then return p end end end local a = loop(1) local b = loop(2) local c = loop(3) show(a and a.x, b and b.x, c and c.x, a == b)`,
	"left by return":  `local function first() for e, p in world:each("Position") do local t = {} return e end end local function other() for k, v in pairs{1, 2} do show(pcall(world.despawn, world, (first()))) show(world:alive(first())) end end local e = first() show(pcall(function() world:spawn{Position = {x = 50, y = 1}} end)) other() other()`,
	"left, pairs":     `local function first() for e, p in world:each("Position") do return e end end local function go(f) for k, v in f{1, 2} do show(k, pcall(function() world:spawn{Position = {x = 60 + k}} end)) world:spawn{Position = {x = k}} end end local e = first() go(pairs) e = first() go(ipairs) local function own(s, i) if i < 2 then return i + 1 end end e = first() for i in own, nil, 0 do world:spawn{Position = {x = i}} end local function h() for i in own, nil, 0 do world:spawn{Position = {x = i}} end end e = first() h()`,
	"left by error":   `for i = 1, 3 do show(pcall(function() for e, p in world:each("Position") do local t = {} if p.x > i then error("at " .. p.x) end end end)) show(pcall(function() world:spawn{Position = {x = i, y = i}} end)) end`,
	"left by break":   `for i = 1, 3 do for e, p in world:each("Position") do local t = {} if p.x > i then break end end world:spawn{Position = {x = i, y = i}} end for e, p in world:each("Position") do show(p.x, p.y) end`,
	"structure":       `for e, p in world:each("Position") do local t = {} show(pcall(function() world:despawn(e) end)) show(pcall(function() world:spawn{Position = {x = 1}} end)) show(pcall(function() world:add(e, "Marker") end)) show(pcall(function() world:remove(e, "Position") end)) world.commands:despawn(e) show(p.x) end`,
	"moved generator": `local g = world:each("Position") for e, p in g do local t = {} show(pcall(function() world:despawn(e) end)) show(pcall(function() world:spawn{Position = {x = 1}} end)) end`,
	"moved and left":  `local g = world:each("Position") local function first() local a, b, c = 1, 2, g for e, p in c do return e end end local function other() local a, b, c = 1, 2, pairs({1}) for k, v in c, {1, 2} do show(k, pcall(function() world:spawn{Position = {x = 60 + k}} end)) end end local e = first() other()`,
	"structure ends":  `for e, p in world:each("Position") do local t = {} if p.x > 2 then world:despawn(e) end end`,
	"field missing":   `for e, p in world:each("Position") do local t = {} p.x = p.x + 1 if p.x > 3 then p.z = 1 end end`,
	"get":             `for e, p in world:each("Position") do local t = {} local v = world:get(e, "Velocity") if v then v.dx = v.dx + p.x show(v.dx, v == world:get(e, "Velocity")) end show(world:has(e, "Velocity"), world:alive(e), pcall(world.get, world, e, "Nope"), pcall(world.get, world, nil, "Position")) end`,
	"resources":       `local r = world.resources for e, p in world:each("Position") do local t = {} r.score = r.score + p.x world.resources.score = world.resources.score + 1 r.title = r.title .. "a" show(r.score, r.title, world.dt, world.time, world.frame, pcall(function() return r.nope end), pcall(function() r.score = "x" end), pcall(function() r.score = 1e10 end), pcall(function() world.x = 1 end), pcall(function() return world.nope end)) end`,
	"events":          `for e, p in world:each("Position") do world:emit("Hit", {target = e, amount = p.x, note = "n" .. p.x, extra = {p.x}}) end for h in world:events("Hit") do local t = {h} show(h.amount, h.note, h.extra[1], world:alive(h.target), pcall(function() h.amount = 1 end), pcall(function() return h.nope end)) end`,
	"coroutines":      `local co = coroutine.wrap(function() for e, p in world:each("Position") do coroutine.yield(e, p) end end) for e, p in co do local t = {} show(p.x) p.x = p.x + 1 end local kept = {} for e, p in world:each("Position") do local c = coroutine.wrap(function() kept[#kept + 1] = p coroutine.yield(p.x) end) show(c()) end show(#kept, kept[1].x, kept[2].x)`,
	"later turn":      `OLD = OLD or {} for i, p in ipairs(OLD) do show(pcall(function() return p.x end)) end for e, p in world:each("Position") do OLD[#OLD + 1] = p end if GEN then show(pcall(GEN)) show(pcall(function() for e in GEN do show("x") end end)) end GEN = world:each("Position") GEN()`,
	"recursion":       `local function f(d, s) for e, p in world:each("Position") do local t = {} s = s + p.x p.y = s if d > 0 and p.x > 2 then s = f(d - 1, s) end show(d, p.x, p.y) end return s end show(f(2, 0))`,
	"metamethods":     `local o = setmetatable({}, {__index = function(t, k) local s = 0 for e, p in world:each("Position") do local u = {} s = s + p.x end return s end, __add = function(a, b) for e, v in world:each("Velocity") do v.dx = v.dx + 1 end return b end}) for e, p in world:each("Position") do local t = {} p.y = o.sum + (o + 1) show(p.y) end table.sort({3, 1, 2}, function(a, b) for e, p in world:each("Position") do p.x = p.x + 1 return a < b end end)`,
	"goto":            `for e, p, v in world:each("Position", "Velocity") do local t = {} if p.x > 2 then goto continue end p.x = p.x + 0.5 do local q = v if q.dx > 0 then q.dx = 0 goto continue end end v.dx = -1 ::continue:: end for e, p, v in world:each("Position", "Velocity") do show(p.x, v.dx) end`,
	"constructors": `local function f(x) return x and x * 2 or 7 end
	local n, name, flag = 3, "a", true
	local a = world:spawn{ Position = { x = 1, y = n }, Velocity = {}, "player" }
	local b = world:spawn{ "enemy", "selected", Position = { x = f(n), y = n > 2 and 5 or 6 }, Kinds = { f64 = 0.5, f32 = 0.1, i32 = -7, u8 = 200, flag = flag, who = a, name = name .. "b" } }
	local c = world:spawn{ "Marker", "Velocity", Position = { x = f() } }
	local d = world:spawn{ Position = n > 2 and { x = 8 } or { x = 9 }, Kinds = { items = { 1, { 2 } } } }
	local e = world:spawn{ Position = { x = nil, y = 2 }, [name == "a" and "Velocity" or "Marker"] = {} }
	local t = { x = 4 }
	local g = world:spawn{ Position = t, Velocity = nil }
	for _, x in ipairs{a, b, c, d, e, g} do local p = world:get(x, "Position") show(p.x, p.y, world:has(x, "Velocity"), world:has(x, "Marker"), world:tagged(x, "player"), world:tagged(x, "enemy")) end
	local k = world:get(b, "Kinds") show(k.f64, k.f32, k.i32, k.u8, k.flag, k.who == a, k.name) show(world:get(d, "Kinds").items[2][1])
	show(world:set(a, "Position", { x = n, y = f(n) }), world:set(a, "Velocity", { dx = 0/0 }), world:set(a, "Health", { current = 5 }), world:get(a, "Health").max, world:get(a, "Position").y)
	world:despawn(c) show(world:set(c, "Position", { x = 1 }), world:set(a, "Marker", {}), (world:set(a, "Position", {})))
	world:send("Hit", { target = a, amount = n, note = name }) world:send("Hit", { amount = 2, extra = { 1, x = 2 } }) world:send("Hit", {}) show(world:send("Hit", { amount = 4 }))
	for h in world:read("Hit") do show(h.amount, h.note, h.target == a, pcall(function() return h.extra.x end)) end
	local q = world.commands local z = q:spawn{ Position = { x = 77 }, "player" } q:set(z, "Velocity", { dx = 3 }) q:send("Hit", { amount = 99 }) q:set(a, "Position", { x = -1 }) show(world:alive(z), q:despawn(b))
	local function rec(i) if i == 0 then return 0 end return world:get(world:spawn{ Position = { x = i, y = rec(i - 1) } }, "Position").y + 1 end show(rec(5))
	local w = world:spawn{ Position = { x = world:get(world:spawn{ Position = { x = 5 } }, "Position").x + 1 } } show(world:get(w, "Position").x)
	local function tail(i) return world:spawn{ Position = { x = i } } end show(world:get(tail(6), "Position").x, select("#", world:spawn{ Position = {} }), select("#", world:send("Hit", { amount = 1 })))
	local s = { spawn = function(self, t) local n = 0 for k, v in pairs(t) do n = n + 1 show(k, type(v)) end return n end } show(s:spawn{ Position = { x = 1 }, "player", Velocity = {} }, s:spawn{ a = nil, b = 1, c = false })`,
	"spawn_many": `local function f(i) if i % 3 == 0 then return { Position = { x = i } } elseif i % 3 == 1 then return { "player", Position = { x = i, y = 2 }, Velocity = {} } end end
	local list = world:spawn_many(7, { Position = { y = 5 }, "enemy" }, f) for i, e in ipairs(list) do local p = world:get(e, "Position") show(i, p.x, p.y, world:has(e, "Velocity"), world:tagged(e, "player"), world:tagged(e, "enemy")) end
	list = world:spawn_many(3, nil, function(i) return { Position = i > 1 and { x = i } or nil, Kinds = { name = "n" .. i, items = i == 3 and { i } or nil } } end) for i, e in ipairs(list) do show(i, world:has(e, "Position"), world:get(e, "Kinds").name, type(world:get(e, "Kinds").items)) end
	list = world:spawn_many(2, { Velocity = {} }, function(i) return i == 1 and { Position = { x = 1 } } end) list = world:spawn_many(2, nil, function(i) local t = { Position = { x = i } } return t end) show(#list)
	list = world:spawn_many(4, nil, function(i) local e = world:spawn{ Position = { x = i * 10 } } world:spawn_many(2, nil, function(j) return { Position = { x = j } } end) return { Kinds = { who = e }, Velocity = { dx = world:get(e, "Position").x } } end) for i, e in ipairs(list) do show(world:get(world:get(e, "Kinds").who, "Position").x, world:get(e, "Velocity").dx) end
	for _, bad in ipairs{ function(i) return 5 end, function(i) return { Nope = {} } end, function(i) return { Position = { x = i > 1 and "a" or 1 } } end, function(i) return { Position = { z = 1 } } end, function(i) error("no") end, function(i) return { "player", i > 1 and "nope" or "enemy" } end, function() return "x" end, print, function(i) return { Position = { x = i }, "Position" } end } do show(pcall(world.spawn_many, world, 3, nil, bad)) show(pcall(function() return #world:spawn_many(2, { Velocity = {} }, bad) end)) end
	local t = { 5, 2, 8, 1 } table.sort(t, function(a, b) return a > b end) show(t[1], t[4], pcall(table.sort, t, function(a, b) return a.x end), pcall(table.sort, { 3, 1, 2 }, function(a, b) if b == 1 then error({}) end return a < b end), pcall(table.sort, { 1, 2, 3 }, math.max), pcall(table.sort, { 3, 2, 1 }, function() return { x = 1 } end))
	show(world:count("Position"))`,
	"constructor errors": `local e = world:spawn{ Position = { x = 1 } }
	local list = { function() world:spawn{ Nope = {} } end, function() world:spawn{ Position = { z = 1 } } end, function() world:spawn{ Position = { x = "a" } } end, function() world:spawn{ Position = 1 } end, function() world:spawn{ "nope" } end,
	function() world:spawn{ Position = {}, "Position" } end, function() world:spawn{ Position = { x = {} } } end, function() world:spawn{ Kinds = { u8 = 300 } } end, function() world:spawn{ Kinds = { who = -1 } } end, function() world:spawn{ Kinds = { f64 = true } } end,
	function() world:spawn{ Position = { x = 1, 2 } } end, function() world.spawn{ Position = { x = 1 } } end, function() world.spawn({ Position = {} }, { Position = {} }) end, function() world:spawn(1, { Position = {} }) end, function() world:set(e, "Nope", { x = 1 }) end,
	function() world:set(e, "Position", { x = "b" }) end, function() world:set("e", "Position", { x = 1 }) end, function() world:set(e, { x = 1 }) end, function() world:send("Nope", { amount = 1 }) end, function() world:send("Hit", { amount = "x" }) end, function() world:send("Hit", { nope = 1 }) end,
	function() world.commands:spawn{ Position = { x = "c" } } end, function() world.commands:set(e, "Position", { z = 1 }) end, function() world.commands:send("Hit", { target = 1.5 }) end, function() world:spawn{ Position = { x = nope.y } } end, function() world:spawn{ Position = { x = error("in the middle") } } end,
	function() for _ in world:each("Position") do world:spawn{ Position = {} } end end, function() for _ in world:each("Position") do world:set(e, "Marker", {}) end end, function() local nothing nothing:spawn{ Position = {} } end, function() local n = 1 n{ x = 1 } end }
	for i, f in ipairs(list) do show(i, pcall(f)) end for i, f in ipairs(list) do show(i, pcall(f)) end show(world:count("Position"))`,
	"constructors until the limit": `for i = 1, 1e9 do local e = world:spawn{ Position = { x = i, y = i * 2 }, Velocity = {} } world:set(e, "Position", { x = i + 1 }) world:send("Hit", { amount = i }) if i % 3 == 0 then world:despawn(e) end end`,
	"more variables":               `for e, p, v, x, y in world:each("Position", "Velocity") do local t = {} show(p.x, v.dx, x, y) x = p end for e in world:each("Position") do local t = {} show(world:get(e, "Position").x) end for _ in world:each() do end`,
}

const interpHead = `
local OLD, GEN
local function show(...) local out = {} for i = 1, select("#", ...) do local v = select(i, ...) out[i] = (type(v) == "userdata" or type(v) == "table" or type(v) == "function") and type(v) or tostring(v) end print(table.concat(out, " ")) end
local entities = {}
local world
local function P(i) return world:get(entities[i], "Position") end
local function V(i) return world:get(entities[i], "Velocity") end
local function body() %s end
return { init = function(w) for i = 1, 9 do entities[i] = w:spawn{ Position = { x = i * 0.75, y = -i }, Velocity = { dx = i %% 4, dy = i }, Kinds = { f64 = i, name = "k" .. i } } end for i = 1, 3 do w:spawn{ Position = { x = -i } } end end,
update = function(w) world = w body() end }`

func TestInterpWorlds(t *testing.T) {
	for name, body := range interpBodies {
		t.Run(name, func(t *testing.T) {
			var want string
			for _, impl := range []Impl{Lua, Closures, Auto} {
				var out bytes.Buffer
				w := ecs.NewWorld(ecs.Options{Seed: 1})
				declareForTests(t, w)
				o := Options{World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": fmt.Sprintf(interpHead, body)})}
				if strings.HasSuffix(name, "until the limit") {
					o.Limits.Instructions = 5000
				}
				o.Report = func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, e.Stack) }
				_, err := run(t, o, 3, System{Name: "a", Impl: impl})
				got := fmt.Sprintf("%s%v %v %v", out.String(), err, w.Digest(), w.Locked())
				if impl == Lua {
					want = got
					if out.Len() == 0 && name != "fields" {
						t.Log("no output")
					}
				} else if got != want {
					t.Errorf("%v differs.\nlua:\n%.3000s\n%v:\n%.3000s", impl, want, impl, got)
				}
			}
		})
	}
}
