package luabind

import (
	"strings"
	"testing"
)

// rules is a required file with functions and lists, for loops that choose among them or walk them.
const rules = `local ecs = require("ecs")
local count = 0
local R = { DIRS = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }, STEPS = { { dx = 1, dy = 0 }, { dx = 0, dy = 2 } }, names = { "x", "y" }, limits = { 1, 2, 3, 5 } }
R.on = {}
function R.on.fire(world, e, p) p.x = p.x - 1 count = count + 1 end
function R.on.ice(world, e, p) p.y = p.y * 0.5 if p.y < 0.1 then world:tag(e, "red") end end
R.on.acid = function(world, e, p) for i, d in ipairs(R.DIRS) do p.x = p.x + d[1] * i end end
R.deep = { list = { { at = { x = 1, y = 2 } }, { at = { x = 3, y = 4 } } }, by = { fire = { 1, 2 }, ice = { 3 } } }
R.mixed = { 1, "two", true, { 4 }, math.floor }
function R.count() return count end
function R.neighbours(x, y) local n = 0 for _, d in ipairs(R.DIRS) do n = n + (x + d[1]) * (y + d[2]) end return n end
return R
`

const constantHead = `local ecs = require("ecs")
ecs.tag("red") ecs.tag("blue")
local R = require("rules")
local on, deep = R.on, R.deep
local k, turns, seen = 2, 0, {}
local F = { function(v) return v + 1 end, function(v) return v * 0.5 end, function(v) if v > 1 then return v end return v - 1, 2 end }
local KINDS = { "fire", "ice", "acid", "dust" }
local T = {}
function T.fire(hp, dt) hp.x = hp.x - 4 * dt end
function T.ice(hp, dt) hp.y = hp.y - dt k = k + 1 end
T.acid = function(hp) hp.x, hp.y = hp.y, hp.x end
local WEAPONS = { { name = "fire", hit = function(p, n) p.x = p.x + n return n end }, { name = "ice", hit = function(p, n) p.y = p.y + n return -n end } }
local FLOOR = { math.floor, math.ceil, function(v) return v end }
local LIST, BAG, EMPTY, NESTED = { 3, 1, 4, 1, 5, 9, 2, 6 }, { x = 1, y = 2 }, {}, { { { 1, 2 }, { 3 } }, { { 4 } } }
local STATE = { idle = { enter = function(p) p.x = 0 end, step = function(p, dt) p.x = p.x + dt return p.x > 1 and "run" or "idle" end }, run = { enter = function(p) p.y = 0 end, step = function(p, dt) p.y = p.y + dt return "idle" end } }
local function default(v) return -v end
local function apply(f, v) return f(v) end
local function twice(f, v) return f(f(v)) end
local function each(list, p) for i, v in ipairs(list) do p.x = p.x + v * i end end
local function a(v) if v > 3 then return 3, "big" end return v, "small" end
local function b(v) local x, s = a(v) if s == "big" then return x end return x + 1 end
local all = ecs.query{ "A", "B", optional = { "C" } }
local function id(p) return (p.i8 % 3) + 1 end
local made = { speed = 2 }
function made.go(p) p.x = p.x + made.speed end
--
--
return function(world, dt) local n, s = 0, "" turns = turns + 1
for e, p, q, c in world:each(all) do
`

const constantTail = "\nend print(n, s, k, R.count(), LIST[1]) end"

var constantCases = []functionCase{
	// tables of functions
	{"p.x = F[id(p)](p.x)", ""},
	{"local f = F[id(p)] p.x = f(p.x)", ""},
	{"local f = F[p.i8] if f then p.x = f(p.x) end", ""},
	{"local f = F[p.i8] or default p.x = f(p.x)", ""},
	{"local f = F[p.i8] p.x = f and f(p.x) or 7", ""},
	{"if F[p.i8] then p.x = F[p.i8](p.x) else p.x = 0 end", ""},
	{"local x, y = F[id(p)](p.x) p.x = x if y then p.y = y end", ""},
	{"T[KINDS[id(p)]](p, dt)", ""},
	{"local h = T[KINDS[id(p)]] if h then h(p, dt) end", ""},
	{"R.on[KINDS[id(p)]](world, e, p)", ""},
	{"on[KINDS[id(p)]](world, e, p)", ""},
	{"local h = on[KINDS[id(p) + 1]] if h then h(world, e, p) end", ""},
	{"local w = WEAPONS[p.x > 1 and 1 or 2] n = n + w.hit(p, 2)", ""},
	{"local w = WEAPONS[p.x > 1 and 1 or 2] local hit = w.hit n = n + hit(p, 2) s = w.name", ""},
	{"WEAPONS[1].hit(p, 3)", ""},
	{"p.x = FLOOR[id(p)](p.x)", ""},
	{"local st = p.x > 1 and \"run\" or \"idle\" s = STATE[st].step(p, dt)", ""},
	{"local st = STATE[p.x > 1 and \"run\" or \"idle\"] local next = st.step(p, dt) STATE[next].enter(p)", ""},
	{"for _, f in ipairs(F) do p.x = f(p.x) end", ""},
	{"for name, f in pairs(T) do f(p, dt) s = name end", ""},
	{"made.go(p)", ""},
	// lists
	{"for i, v in ipairs(LIST) do n = n + i * v end", ""},
	{"for i, v in ipairs(LIST) do if p.x < v then n = i break end end", ""},
	{"for _, v in ipairs(LIST) do if v == 1 then goto continue end n = n + v ::continue:: end", ""},
	{"for i = 1, #LIST do n = n + LIST[i] end", ""},
	{"for i, v in pairs(LIST) do n = n * 2 + v end", ""},
	{"for _, name in ipairs(KINDS) do if name == \"ice\" then n = n + 1 end s = name end", ""},
	{"for i in ipairs(KINDS) do n = n + i end", ""},
	{"for name, v in pairs(BAG) do p[name] = p[name] + v end", ""},
	{"for name, v in next, BAG do p[name] = v end", ""},
	{"for _, name in ipairs(R.names) do p[name] = p[name] + 1 end", ""},
	{"for _, d in ipairs(R.DIRS) do n = n + (p.x + d[1]) * (p.y + d[2]) end", ""},
	{"for _, d in ipairs(R.STEPS) do n = n + d.dx * p.x + d.dy end", ""},
	{"for _, d in ipairs{ { 1, 0 }, { 0, 1 } } do n = n + d[1] * p.x + d[2] end", ""},
	{"for _, v in ipairs({ p.x, p.y, 3 }) do n = n + v end", ""},
	{"for _, row in ipairs(NESTED) do for _, list in ipairs(row) do for i, v in ipairs(list) do n = n + v * i end end end", ""},
	{"for _, m in ipairs(deep.list) do n = n + m.at.x * m.at.y end", ""},
	{"for _, v in ipairs(deep.by[KINDS[id(p) % 2 + 1]]) do n = n + v end", ""},
	{"local l = deep.by.fire for i, v in ipairs(l) do n = n + v end n = n + #l", ""},
	{"for _, v in ipairs(EMPTY) do n = n + v end", ""},
	{"each(LIST, p) each(R.limits, p)", ""},
	{"n = n + R.neighbours(p.x, p.y)", ""},
	{"local best = 99 for _, v in ipairs(LIST) do local d = math.abs(p.x - v) if d < best then best = d end end p.y = best", ""},
	{"for i, v in ipairs(LIST) do LIST[i] = v + 1 end", ""},
	{"for i, v in ipairs(LIST) do if v > 3 then return v end end", ""},
	{"for _, g in ipairs(KINDS) do local f = T[g] if f then f(p, 1) end end", ""},
	{"local g = KINDS[id(p)] if g == \"fire\" then n = n + 1 elseif g then n = n + 2 end", ""},
	{"for _, v in ipairs(R.mixed) do if v == 1 then n = n + 1 elseif v == \"two\" then n = n + 2 elseif v == true then n = n + 3 end end", ""},
	// functions made in the loop, and passed on
	{"local function near(o) return o.x < 2 end if near(p) then n = n + 1 end", ""},
	{"local near = function(v) return v < p.x end if near(1) then n = n + 1 end", ""},
	{"local function add(v) n = n + v end add(1) add(p.x)", ""},
	{"local t = 0 local function add(v) t = t + v return t end add(1) add(2) p.x = add(p.y)", ""},
	{"p.x = apply(function(v) return v * 2 end, p.x)", ""},
	{"p.x = apply(default, p.x) + apply(F[1], p.y)", ""},
	{"p.x = twice(function(v) return v + k end, p.x)", ""},
	{"p.x = apply(math.floor, p.x)", ""},
	{"p.x = apply(F[id(p)], p.x)", ""},
	{"p.x = b(p.x) + b(p.y)", ""},
	{"local x, s2 = a(p.x) p.y = x s = s2", ""},
	{"for i = 1, 3 do local function f(v) return v * i end n = n + f(p.x) end", ""},
	{"local function outer(v) local function inner(w) return w + v end return inner(1) + inner(2) end p.x = outer(p.y)", ""},
	{"local f = default if p.x > 1 then f = F[1] end p.x = f(p.x)", "\"f\" is a function or a table of constants, and assigned (line 30)"},
	{"seen[e] = default", "uses the function \"default\" as a value (line 30)"},
}

// Constant tables of functions, lists that are walked, and functions made in a loop do what they do interpreted.
func TestConstantTables(t *testing.T) {
	t.Parallel()
	sameWithLibrary(t, constantHead, constantTail, map[string]string{"rules": rules}, constantCases)
}

// A table that changes between two turns, or in a row that is left to the interpreter, is not taken for what it was.
func TestConstantTablesThatChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, body string }{
		{"if turns == 2 then F[1] = default end", "p.x = F[id(p)](p.x)"},
		{"if turns == 2 then F[1] = nil end", "local f = F[id(p)] if f then p.x = f(p.x) end"},
		{"if turns == 2 then T.dust = function(hp) hp.x = 99 end end", "local f = T[KINDS[id(p) + 1]] if f then f(p, dt) end"},
		{"if turns == 2 then KINDS[1] = \"y\" end", "for i, g in ipairs(KINDS) do if g == \"y\" then n = n + i end end"},
		{"LIST[1] = LIST[1] + 1", "for _, v in ipairs(LIST) do n = n + v end"},
		{"LIST[#LIST + 1] = turns", "for _, v in ipairs(LIST) do n = n + v end"},
		{"if turns > 1 then R.on.fire = R.on.ice end", "R.on[KINDS[id(p)]](world, e, p)"},
		{"if turns > 1 then WEAPONS[2].hit = WEAPONS[1].hit end", "n = n + WEAPONS[id(p) % 2 + 1].hit(p, 1)"},
		{"if turns == 2 then WEAPONS = { WEAPONS[2], WEAPONS[1] } end", "n = n + WEAPONS[id(p) % 2 + 1].hit(p, 1)"},
		{"if turns == 2 then WEAPONS = nil end", "n = n + WEAPONS[id(p) % 2 + 1].hit(p, 1)"},
		{"if turns == 2 then F = setmetatable({}, { __index = F }) end", "p.x = F[id(p)](p.x)"},
		{"EMPTY[turns] = default", "for _, f in ipairs(EMPTY) do p.x = f(p.x) end"},
		{"", "if p.x > 2 then F[1] = default print(p.x) end p.x = F[id(p)](p.x)"},
		{"", "if p.x > 2 then print(table.remove(KINDS)) end for i, g in ipairs(KINDS) do n = n + i end"},
		{"local L = LIST", "L[2] = p.x for _, v in ipairs(LIST) do n = n + v end"},
		{"local fresh = { 1, 2, turns }", "for _, v in ipairs(fresh) do n = n + v end"},
		{"local fresh = { turns, 2 } fresh[5] = 1", "for _, v in ipairs(fresh) do n = n + v end for i, v in pairs(fresh) do n = n + i end"},
		{"local h = { function(v) return v + turns end }", "p.x = h[1](p.x) p.y = h[id(p)] and 1 or 0"},
		{"", "p.x = F[p.i8](p.x)"},
		{"", "p.x = F[\"no\"](p.x)"},
		{"", "T[KINDS[id(p) + 1]](p, dt)"},
		{"", "for _, v in ipairs(p.x) do end"},
		{"", "for _, v in ipairs(R.mixed) do n = n + v end"},
		{"", "local function f(v) if v > 1 and v < 9 then return 1 + f(v - 1) end return v end p.x = f(p.x)"},
		{"", "local function f(...) return select('#', ...) end if p.x > 2 then p.x = f(1, 2) end"},
		{"", "table.sort(LIST, function(a, b) return a > b end)"},
		{"", "if p.x > 2 then table.sort(LIST, function(a, b) return a > b end) end for _, v in ipairs(LIST) do n = n * 2 + v end"},
		{"local ipairs = function(t) return next, t end", "for i, v in ipairs(LIST) do n = n + v end"},
	} {
		sources := map[string]string{"rules": rules, "a": strings.Replace(constantHead, "turns = turns + 1", "turns = turns + 1 "+c.before, 1) + c.body + constantTail}
		for seed := range uint64(2) {
			want, _ := runLibrary(t, 3+2*seed, Lua, sources)
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := runLibrary(t, 3+2*seed, impl, sources); got != want {
					t.Errorf("%v: %s %s\ngot\n%s\ninterpreted\n%s", impl, c.before, c.body, got, want)
				}
			}
		}
	}
}
