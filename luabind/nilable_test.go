package luabind

import "testing"

const nilHead = `local ecs = require("ecs")
ecs.tag("red") ecs.tag("blue")
ecs.event("Hit", { who = "entity", n = "f64" })
ecs.resource("who", { type = "entity" }) ecs.resource("n", { type = "f64" })
ecs.grid("g", { component = "A", x = "x", y = "y", cell = 3 })
local list, rows = { 1, 2, 3 }, { { x = 1, y = 2 }, { x = 3, y = 4 } }
local last, turns, flag, none = nil, 0, true, nil
local function find(world, x, y) local best, found = 9, nil for o, d in world:near("g", x, y, 3) do if d < best and o % 3 > 0 then best, found = d, o end end return found, best end
local function some(x) if x > 1 then return x end end
local function nothing(x) if x > 99 then return nil end return nil end
local function sign(x) if x > 0 then return true elseif x < 0 then return false end end
local function at(world, e) if world:alive(e) then return world:get(e, "A") end end
local function other(world, e, w) local v = world:get(e, "A") if v then return v end return w end
local function first(k) return list[k] end
local function row(k) return rows[k] and rows[k].x end
local function move(v, w, k) v.x = v.x + (w and w.v or 1) * k end
local function bump(v) if not v then return false end v.y = v.y + 1 return true end
local all = ecs.query{ "A", "B", optional = { "C" } }
return function(world, dt) local found, n, best, text, res = nil, 0, nil, nil, world.resources turns = turns + 1
for e, p, q, c in world:each(all) do
`

const nilTail = "\nend print(found, n, best, text, last, res.who, list[1]) for h in world:peek('Hit') do print(h.who, h.n) end end"

var nilCases = []functionCase{
	// functions that give nothing on some paths
	{"local t, d = find(world, p.x, p.y) if t then q.e = t n = n + d end", ""},
	{"q.e = find(world, p.x, p.y)", ""},
	{"local t = find(world, p.x, p.y) q.e = t", ""},
	{"local t = find(world, p.x, p.y) if t and world:alive(t) then p.x = 1 end", ""},
	{"local t = find(world, p.x, p.y) if not t then goto next end q.e = t p.x = 2 ::next::", ""},
	{"local t = find(world, p.x, p.y) if t == e then n = n + 1 end", ""},
	{"local t = find(world, p.x, p.y) if t ~= e then n = n + 1 end", ""},
	{"local t = find(world, p.x, p.y) res.who = t", ""},
	{"best = find(world, p.x, p.y)", ""},
	{"best = find(world, p.x, p.y) or best", ""},
	{"local x = some(p.x) if x then p.y = x end", ""},
	{"p.y = some(p.x) or 3", ""},
	{"p.y = some(p.x) and 1 or 2", ""},
	{"local x = some(p.x) and some(p.y) if x then p.y = x end", ""},
	{"local x = some(p.x) or some(p.y) if x == nil then p.y = 1 else p.y = x end", ""},
	{"local x = some(p.x) or p.y p.y = x", ""},
	{"if some(p.x) == some(p.y) then p.x = 1 end", ""},
	{"if some(p.x) == 2 then p.x = 1 end", ""},
	{"p.b = some(p.x) == nil", ""},
	{"p.b = some(p.x) ~= nil and some(p.y) ~= nil", ""},
	{"p.b = nothing(p.x) == nil", ""},
	{"if sign(p.x) then p.y = 1 elseif sign(p.x) == nil then p.y = 0 else p.y = -1 end", ""},
	{"p.b = sign(p.x) or false", ""},
	{"p.b = sign(p.x) == true", ""},
	{"p.x = p.b and some(p.y) or 7", ""},
	{"local x = p.b and some(p.y) or some(p.x) if x then n = n + x end", ""},
	{"local x = flag and some(p.x) or nil if x then n = n + x end", ""},
	// variables
	{"local m = nil for i = 1, 3 do if p.x > i then m = i end end if m then p.y = m end", ""},
	{"local m = p.x if m > 2 then m = nil end if m then p.y = m else p.y = 0 end", ""},
	{"local m = p.x for i = 1, 3 do if m then m = some(m - 1) end end p.y = m or -1", ""},
	{"local m if p.b then m = some(p.x) end p.y = m or -1", ""},
	{"local a, b = some(p.x), some(p.y) a, b = b, a p.x = a or 0 p.y = b or 0", ""},
	{"local m = p.b while m do p.x = p.x - 1 if p.x < 0 then m = nil end end", ""},
	{"if none then p.x = none end p.y = none or 2", ""},
	{"if best == nil or p.x < best then best, found = p.x, e end", ""},
	// elements that may not be there
	{"local t = list[p.i8] if t then p.x = t end", ""},
	{"p.x = list[p.i8] or -1", ""},
	{"if list[p.i8] then p.x = list[p.i8] end", ""},
	{"if not list[p.i8] then p.x = 9 end", ""},
	{"if list[p.i8] == 2 then p.x = 9 end", ""},
	{"if list[p.i8] == nil then p.x = 9 end", ""},
	{"local r = rows[p.i8] if r then p.x = r.x + r.y end", ""},
	{"if rows[p.i8] then p.x = 1 end", ""},
	{"local r = rows[p.i8] if not r then goto next end r.x = r.x + 1 p.x = r.x ::next::", ""},
	{"local x = first(p.i8) if x then p.x = x end", ""},
	{"p.x = first(p.i8) or first(1)", ""},
	{"p.x = row(p.i8) or 5", ""},
	{"local k = some(p.x) local t = k and list[k] if t then p.y = t end", ""},
	// views
	{"local o = last and world:get(last, \"A\") if o then p.y = o.x end last = e", ""},
	{"local o = found and world:get(found, \"A\") if o then o.x = o.x + 1 p.x = o.y end found = e", ""},
	{"local o = p.x > 1 and world:get(q.e, \"A\") or p o.y = o.y + 1", ""},
	{"local o = world:get(q.e, \"A\") or p o.y = o.y + 1", ""},
	{"local o = at(world, q.e) if o then p.x = o.x end", ""},
	{"local o = at(world, q.e) or p p.x = o.y", ""},
	{"local o = other(world, q.e, p) o.x = o.x + 1", ""},
	{"move(p, q, dt) move(p, nil, 2)", ""},
	{"local w = world:get(q.e, \"B\") move(p, w, dt)", ""},
	{"if bump(c and p) then n = n + 1 end", ""},
	{"if bump(world:get(q.e, \"A\")) then n = n + 1 end", ""},
	{"local o = nil if p.x > 2 then o = world:get(q.e, \"A\") end if o then p.y = o.x end", ""},
	{"local x = c and c.x if x then p.x = x end", ""},
	{"local x = c and c.x or p.y p.x = x", ""},
	{"local o = p.b and world:get(q.e, \"A\") if o then p.x = o.x end", ""},
	{"local o = p.b and world:get(q.e, \"A\") if o ~= nil then p.x = p.x + 1 end", ""},
	// what is refused
	{"local x = p.b and some(p.x) if x then p.y = 1 end", ""},
	{"return some(p.x)", "returns a number of values that is not known (line 21)"},
}

// Values that may be nil, and views as values, do what they do interpreted, and no row of these loops is left to the interpreter.
func TestNilAlike(t *testing.T) {
	t.Parallel()
	sameWithLibrary(t, nilHead, nilTail, nil, nilCases)
}
