package luabind

import "strings"

// Everyday systems with objects in tables, of several classes, and with tables that carry the arguments of functions.

// everydayClasses are the classes of these objects, and the functions that get their arguments in a table.
const everydayClasses = `local Sub, Lone = setmetatable({}, { __index = Obj }), { worth = 2 }
Sub.__index, Lone.__index = Sub, Lone
Obj.worth = 1
function Sub.new(world, e) return setmetatable({ e = e, n = 2, h = world:get(e, "Hp"), u = world:get(e, "Unit") }, Sub) end
function Sub:step(x) Obj.step(self, x / 2) if self.h then self.h.now = self.h.now + self:get() end return self.n end
function Sub:aim(other) if self.n > 3 then self.n = self.n - self.worth return other end end
function Obj:aim(other) self.hits = (self.hits or 0) + 1 return other, self.n end
function Lone.new(e) return setmetatable({ n = 1, on = true, name = "lone" }, { __index = Lone }) end
function Lone:step(x) self.on = not self.on if self.on then self.n = x end return self.n end
function Lone:get() return self.n * self.worth end
function Lone:aim() self.name = "aimed" end
local Vec = {} Vec.__index = Vec
local function vec(x, y) return setmetatable({ x = x, y = y }, Vec) end
function Vec.__add(a, b) return vec(a.x + b.x, a.y + b.y) end
function Vec.__mul(a, k) return vec(a.x * k, a.y * k) end
function Vec.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vec.__lt(a, b) return a:size() < b:size() end
function Vec.__unm(a) return vec(-a.x, -a.y) end
function Vec.__tostring(a) return a.x .. "/" .. a.y end
function Vec.__concat(a, b) return "vec" end
local auto = setmetatable({}, { __index = function(t, k) if k == nil then return nil end local v = { n = 1 } rawset(t, k, v) return v end })
function Vec:size() return self.x * self.x + self.y * self.y end
local pals, at = {}, vec(1, 2)
local gate = setmetatable({}, { __index = at, __newindex = function(t, k, v) if v == 3 then error("three") end at[k] = v end })
local ctx = { dt = 0.25, left = 3 }
local function above(name, level) return function(c) return c.h[name] > level end end
local function heal(by) return function(c) c.h.now = c.h.now + by * c.dt return c.h.now < c.h.max end end
local function each(...) local parts = { ... } return function(c) for _, part in ipairs(parts) do if not part(c) then return false end end return true end end
local tree = each(above("max", 2), heal(1), above("now", 1))
`

// objects writes a statement about an object in a table.
func (g *everyday) objects() {
	g.line("%s", strings.ReplaceAll(g.pick("local o = objs[§] if not o then o = Sub.new(world, §) objs[§] = o end", "objs[§] = Lone.new(§)", "if objs[§] then total = total + objs[§]:step("+g.num(1)+") end", "local o = objs[§] if o then o:step("+g.num(1)+") total = total + o:get() end",
		"local o = objs[§] if o then local t = o:aim("+g.ent()+") if t then count[t] = o.n end end", "local o = objs[§] if o then o.n = o.n + o.worth end", "local o = objs[§] if o and o.h then o.h.max = o.h.max + 1 end", "local o = objs[§] if o then local a, b = o:aim("+g.ent()+") if b then total = total + b end end",
		"if "+g.rarely()+" then objs[§] = nil end", "if "+g.rarely()+" and objs[§] then objs[§].get = function(self) return 1 end end", "if "+g.rarely()+" then Obj.worth = "+g.num(0)+" end", "if "+g.rarely()+" and objs[§] then setmetatable(objs[§], Lone) end",
		"if "+g.rarely()+" then function Sub:get() return 4 end end", "if objs[§] then Obj.step(objs[§], 1) end", "objs[§] = Obj.new(§, "+g.num(0)+")",
		"local v = vec("+g.num(1)+", "+g.num(1)+") + at * "+g.num(0)+" total = total + v:size()", "at = at * 0.5 + vec("+g.num(1)+", 1)", "if vec("+g.num(0)+", 2) == at or at < vec(1, "+g.num(1)+") then total = total + 1 end",
		"at = -at text = tostring(at)", "text = "+g.pick("at .. text", "\"at \" .. at", "at .. at"), "local o = { p = at, v = vec(1, 2) } total = total + (o.p + o.v).x", "auto["+g.text(0)+"].n = auto["+g.text(0)+"].n + 1 total = total + auto["+g.num(0)+"].n", "gate.x = "+g.num(0)+" total = total + gate.y",
		"pals[#pals + 1] = #pals < 9 and Sub.new(world, §) or nil", "for _, o in ipairs(pals) do total = total + o:step("+g.num(1)+") end", "local o = pals["+g.num(0)+" % 4] if o then total = total + o:get() end", "local o = Obj.new(§, "+g.num(1)+") total = total + o:step(1)"), "§", g.ent()))
}

// carries writes the first statement of a loop that hands on its views in a table.
func (g *everyday) carries() {
	h := g.views["Hp"]
	if h == "" || g.IntN(3) > 0 {
		return
	}
	g.line("  %s", strings.ReplaceAll(g.pick("ctx.h = § if tree(ctx) then total = total + 1 end", "ctx.h, ctx.left = §, §.now total = total + ctx.left", "local c = { h = §, dt = dt } if tree(c) then text = c.h.kind end", "ctx.h = § if §.now > 3 then tree(ctx) end ctx.left = ctx.h.now"), "§", h))
}
