package luabind

import (
	"strings"
	"testing"
)

// kindsSource is a file with a loop that uses values of all kinds. FIRST is the one that most rows use.
const kindsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", items = "table" })
local object = setmetatable({ 4, n = 2 }, { __index = { m = function(self, a) return self.n + (a or 0) end }, __call = function(self, a) return a end, __concat = function(a, b) return "joined" end })
local function twice(a) return a end
local values = { FIRST, nil, 2, "text", true, { 1, 2, n = 3, m = function(self) return self.n end }, object, twice, { "a", "b" }, "7", { { 1 }, 5 } }
local out = {}
return { init = function(world)
  for i = 1, 40 do world:spawn{ P = { x = i, k = i % 11 + 1, s = "s" .. i % 4, items = { i, n = i } } } end
end, update = function(world, dt)
  local sum, last, seen = 0, nil, {}
  local function use(v, p, e) USE end
  for e, p in world:each("P") do
    LOOP
  end
  print(sum, last, #out)
end }`

// kindLoops call use, with each kind in some rows, or with another one in one row of each frame.
var kindLoops = []string{
	`local v = values[p.k] if p.k == 2 then v = p elseif p.k == 3 then v = p.items end local ok, r = pcall(use, v, p, e) if ok then sum = sum + (type(r) == "number" and r or 0.5) else last = r end`,
	`local v = values[p.x == 30 and world.frame + 1 or 1] local r = use(v, p, e) if r then sum = sum + (type(r) == "number" and r or 0.5) end last = type(r)`,
	`local v = values[1] if p.x == 30 then v = values[world.frame + 5] end local r = use(v, p, e) last = type(r) out[#out + 1] = r`,
	`local v = values[1] if p.x == 30 then if world.frame == 1 then v = p elseif world.frame == 2 then v = p.items else v = values[world.frame + 7] end end last = type(use(v, p, e))`,
}

// kindUses are uses of a value, and a value for which they do not fail.
var kindUses = [][2]string{
	{`return table.concat(v)`, `{ "x", 1 }`},
	{`return table.concat(v, p.s)`, `{ "x", 1 }`},
	{`return table.concat({ "a", "b" }, v)`, `", "`},
	{`return table.concat({ "a", "b", "c" }, "-", v)`, `2`},
	{`return table.concat({ "a", "b", "c" }, "-", 1, v)`, `2`},
	{`local a, b = unpack(v) return b`, `{ 1, 2 }`},
	{`local a, b = unpack({ 1, 2, 3 }, v) return a`, `2`},
	{`return (next(v))`, `{ n = 1 }`},
	{`return next({ n = 1, m = 2 }, v)`, `"n"`},
	{`return (select(v, 1, 2, 3))`, `2`},
	{`return rawget(v, 1)`, `{ 5 }`},
	{`return rawget({ 5, n = 6 }, v)`, `"n"`},
	{`rawset(v, 1, p.x) return rawget(v, 1)`, `{ 5 }`},
	{`local t = { 1 } rawset(t, v, 2) return t[1]`, `"n"`},
	{`return rawequal(v, values[1])`, `{ 5 }`},
	{`return getmetatable(v) == nil`, `{ 5 }`},
	{`return setmetatable({ n = 1 }, v).n`, `{}`},
	{`return assert(v)`, `5`},
	{`return tonumber(v)`, `"5"`},
	{`return #tostring(v) > 0`, `5`},
	{`return ("ab"):rep(v)`, `2`},
	{`return string.upper(v)`, `"b"`},
	{`return math.floor(v)`, `2.5`},
	{`local n = 0 for i, w in ipairs(v) do n = n + i end return n`, `{ 1, 2 }`},
	{`local n = 0 for k in pairs(v) do n = n + 1 end return n`, `{ 1, n = 2 }`},
	{`return v.n`, `{ n = 2 }`},
	{`return v[1]`, `{ 2 }`},
	{`return v[p.s]`, `{ s1 = 2 }`},
	{`v.x = p.x + 1 return v.x`, `{ x = 2 }`},
	{`v[1] = p.x return v[1]`, `{ 2 }`},
	{`return v:m(1)`, `object`},
	{`return v(p.x)`, `twice`},
	{`return #v`, `"text"`},
	{`return v .. "a"`, `"text"`},
	{`return v + 1`, `2`},
	{`return -v`, `2`},
	{`return v < 3`, `2`},
	{`return v == values[1] and 1 or v ~= nil and 2`, `2`},
	{`return not v`, `false`},
	{`table.insert(v, p.x) return #v`, `{ 2 }`},
	{`return table.remove(v)`, `{ 2, 3, 4, 5, 6, 7 }`},
	{`seen[v] = true return seen[v]`, `"key"`},
	{`for i = 1, v do if i == 2 then return i end end`, `2`},
	{`return world:get(v, "P") and 1 or 2`, `5`},
	{`return world:alive(v)`, `5`},
	{`p.x = v return p.x`, `5`},
	{`p.items = v return #p.items`, `{ 2 }`},
	{`p.s = v return p.s`, `"text"`},
}

// A value of a kind that a function or an operator does not take raises the interpreter's error, or does what it does there.
func TestWrongKinds(t *testing.T) {
	t.Parallel()
	for i, use := range kindUses {
		tried := []string{kindLoops[0]}
		if i%2 == 0 {
			tried = append(tried, kindLoops[1+i%3])
		}
		for _, loop := range tried {
			source := strings.NewReplacer("FIRST", use[1], "USE", use[0], "LOOP", loop).Replace(kindsSource)
			sameCompiled(t, source, use[0]+"\n"+loop, byAny)
		}
	}
}
