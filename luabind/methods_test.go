package luabind

import (
	"strings"
	"testing"
)

// classes is a required file with classes, for loops that call methods.
const classes = `local Class = {}
function Class.new(base)
  local c = setmetatable({}, { __index = base })
  c.__index = c
  return c
end
local Counter = Class.new()
Counter.step = 2
function Counter:add(v) self.n = self.n + v * self.step return self.n end
function Counter:reset() self.n = 0 end
function Counter:clamp(low, high) if self.n < low then self.n = low elseif self.n > high then self.n = high end end
function Counter:speed() return 1 end
function Counter:move(p, dt) p.x = p.x + self:speed() * dt end
local Fast = Class.new(Counter)
function Fast:speed() return 5 end
function Fast:move(p, dt) Counter.move(self, p, dt) p.y = p.y - dt end
return { Counter = Counter, Fast = Fast, make = function(class, n) return setmetatable({ n = n, hits = 0, on = true, name = "c" }, class) end }
`

const methodHead = `local ecs = require("ecs")
ecs.tag("red")
local C = require("classes")
local Counter = C.Counter
local o, f = C.make(C.Counter, 1), C.make(C.Fast, 2)
local k, turns = 2, 0
local plain = { n = 3 }
function plain:twice(v) self.n = self.n + 1 return v * 2 end
function plain.free(v) return v + k end
local M = { total = 0 }
M.__index = M
function M:hit(p, amount) p.x = p.x - amount self.total = self.total + amount if p.x < 0 then return true end return false end
function M:near(q) return q.v < self.total end
local boss, hero
local all = ecs.query{ "A", "B", optional = { "C" } }
return function(world, dt) local n, s = 0, "" turns = turns + 1
boss = world:first("A") local bp = world:get(boss, "A") o.pos = bp
for e, p, q, c in world:each(all) do
`

const methodTail = "\nend print(n, s, o.n, f.n, M.total, plain.n, o.step, rawget(o, 'step'), o.on, o.name) end"

var methodCases = []functionCase{
	{"n = n + o:add(p.x)", ""},
	{"o:add(1) p.x = o.n", ""},
	{"o:clamp(0, 9) o:add(p.y) p.x = o.n", ""},
	{"if p.x > 2 then o:reset() else o:add(1) end", ""},
	{"o:move(p, dt)", ""},
	{"f:move(p, dt)", ""},
	{"f:add(p.x) p.y = f.n * f.step", ""},
	{"Counter.add(o, p.x)", ""},
	{"Counter.add(f, 1) C.Counter.add(o, 2)", ""},
	{"C.Fast.move(f, p, dt)", ""},
	{"p.x = plain:twice(p.x) + plain.free(1)", ""},
	{"if M:hit(p, 0.25) then n = n + 1 end", ""},
	{"if M:near(q) then M:hit(p, 1) end", ""},
	{"local me = o me:add(1) p.x = me.n", ""},
	{"local c2 = C.Counter p.x = c2.add(o, 1)", ""},
	{"o.hits = o.hits + 1 p.y = o.hits", ""},
	{"if o.on then o.on = false o.name = \"d\" end s = o.name", ""},
	{"p.x = p.x + bp.y", ""},
	{"bp.y = bp.y + 1", ""},
	{"o.pos.x = o.pos.x + 1 p.y = o.pos.x", ""},
	{"if bp then n = n + bp.x end", ""},
	{"local function help(self, v) self.n = self.n + v end help(o, p.x) help(plain, 1)", ""},
	{"local function far(a, b) return a.x - b.x end n = n + far(p, bp)", ""},
	{"world:tag(e, \"red\") o:add(world:tagged(e, \"red\") and 1 or 0)", ""},
	{"o:missing(p)", "calls o:missing (line 19)"},
	{"p:add(1)", "calls p:add (line 19)"},
}

// Methods of objects around the loop, and views that they hold, do what they do interpreted.
func TestMethods(t *testing.T) {
	t.Parallel()
	sameWithLibrary(t, methodHead, methodTail, map[string]string{"classes": classes}, methodCases)
}

// What a method does is decided by what the object holds when the loop begins. Errors are the interpreter's.
func TestMethodsThatChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, body string }{
		{"if turns == 2 then Counter.add = function(self, v) self.n = self.n - v return 1 end end", "n = n + o:add(p.x)"},
		{"if turns == 2 then o.add = function(self, v) return -v end end", "n = n + o:add(p.x)"},
		{"if turns == 2 then setmetatable(o, C.Fast) end", "o:move(p, dt)"},
		{"if turns == 2 then setmetatable(o, { __index = Counter, __newindex = function(t, key, v) rawset(t, key, v * 2) end }) o.n = nil end", "Counter.add(o, 1)"},
		{"if turns == 2 then setmetatable(o, { __index = function(t, key) return Counter[key] end }) end", "o:add(1) p.x = o.step"},
		{"if turns == 2 then o.n = \"3\" end", "o:add(1)"},
		{"if turns == 2 then o.n = nil end", "o:add(1)"},
		{"if turns == 2 then o = f end", "o:add(1) f:add(2) p.x = o.n"},
		{"local o2 = o", "o2:add(1) o:add(2) p.x = o.n"},
		{"if turns == 2 then o = nil end", "o:add(1)"},
		{"", "o.step = o.step + 1 p.x = o.step"},
		{"", "if p.x > 2 then o.step = 9 end p.x = o:add(1)"},
		{"", "if p.x > 2 then print(p.x) o.add = Counter.speed end p.x = o:add(1)"},
		{"if turns == 2 then world:despawn(boss) end", "bp.x = 3"},
		{"if turns == 2 then world:despawn(boss) end", "if bp then n = n + 1 end"},
		{"if turns == 2 then world:despawn(boss) end", "p.x = o.pos.x"},
		{"if turns == 2 then o.pos = world:get(boss, \"B\") end", "p.x = o.pos.x"},
		{"if turns == 2 then o.pos = { x = 1 } end", "p.x = o.pos.x"},
		{"if turns == 2 then world:remove(boss, \"A\") end", "p.x = bp.x"},
	} {
		sources := map[string]string{"classes": classes, "a": strings.Replace(methodHead, "o.pos = bp", "o.pos = bp "+c.before, 1) + c.body + strings.ReplaceAll(methodTail, "o.n, f.n", "o and o.n, f.n")}
		sources["a"] = strings.NewReplacer("o.step, rawget(o, 'step'), o.on, o.name", "o and o.step, o and rawget(o, 'step')").Replace(sources["a"])
		want, _ := runLibrary(t, 3, Lua, sources)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := runLibrary(t, 3, impl, sources); got != want {
				t.Errorf("%v: %s %s\ngot\n%s\ninterpreted\n%s", impl, c.before, c.body, got, want)
			}
		}
	}
}
