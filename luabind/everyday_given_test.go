package luabind

import "strings"

// Statements of everyday systems that give tables away, that keep parts of constant tables, and that make tables with computed keys.

// everydayKept are the constant tables, and the functions that choose among their parts.
const everydayKept = `local ACTS = { fire = { cost = 1, run = function(n) return n end }, ice = { cost = 3, want = function(n) return n > 2 end, run = function(n) return 2, n end }, none = { cost = 2, run = function() end } }
local PLANS = { fire = { function(n) return n + 1 end, function(n) total = total + n end }, ice = { function() return 0.5 end } }
local POSTS = { { on = true, level = 3, state = "fight" }, { on = false, side = 1 } }
local function strongest(n) local found for _, r in pairs(RULES) do if r.dps < n then found = r end end return found end
local function chosen(kind) local act = ACTS[kind] if act then return kind, act end return "none", ACTS.none end
local heap = {} heap.__index = heap
function heap.new() return setmetatable({ n = 0, keys = {}, values = {} }, heap) end
function heap:push(k, v) self.n = self.n + 1 local i = self.n while i > 1 and self.keys[i - 1] < k do self.keys[i], self.values[i] = self.keys[i - 1], self.values[i - 1] i = i - 1 end self.keys[i], self.values[i] = k, v end
function heap:pop() local v = self.values[self.n] self.keys[self.n], self.values[self.n] = nil, nil self.n = self.n - 1 return v end
`

// given writes such a statement.
func (g *everyday) given() {
	text, n, e := g.text(0), g.num(0), g.ent()
	bag, unit := g.views["Bag"], g.views["Unit"]
	if bag == "" {
		bag = "b"
		g.line("local b = world:get(%s, \"Bag\") or { items = {}, n = 0 }", e)
	}
	if unit == "" {
		unit = "un"
		g.line("local un = world:get(%s, \"Unit\") or {}", e)
	}
	g.line("%s", strings.NewReplacer("§", bag, "¤", unit).Replace(g.pick(
		"world:send(\"Hit\", { to = "+e+", kind = "+text+", data = { n = "+n+", { "+text+" } } })",
		"do local t = {} for i = 1, 3 do t[i] = "+n+" * i end world:send(\"Hit\", { data = t }) t[1] = 9 total = total + t[1] end",
		"world:send(\"Hit\", { data = "+g.pick("§.items", "list", "RULES.fire", "kept", n, "{}")+" })",
		"if "+g.rarely()+" then world.commands:spawn{ Bag = { n = "+n+", items = { { kind = "+text+", n = 1 } } } } end",
		"world.commands:set("+e+", \"Bag\", { items = { gold = "+n+" } })",
		"if world:has("+e+", \"Bag\") then local t = { { kind = "+text+", n = "+n+" } } world:set("+e+", \"Bag\", { items = t, n = 2 }) t[1].n = 0 end",
		"local r = strongest("+n+") if r then total = total + r.dps last = r.next end",
		"do local k, a = chosen("+text+") if not a.want or a.want("+n+") then total = total + (a.run("+n+") or a.cost) text = k end end",
		"do local act for k, a in pairs(ACTS) do if not act or a.cost * "+n+" % 5 < act.cost then act = a end end total = total + act.cost end",
		"do local plan = PLANS["+text+"] if plan then total = total + #plan last = plan["+g.index()+" % #plan + 1]("+n+") end end",
		"total = total + #PLANS["+text+"]",
		"do local t = {} t[floor("+n+") % 40 + 20] = { "+n+", 2 } t[3] = { 1 } for k, v in pairs(t) do total = total + k + v[1] end if #§.items == 0 then §.items = { "+n+" } end end",
		"do local h = heap.new() for i = 1, 3 do h:push("+n+" * i % 7, { i }) end total = total + h:pop()[1] §.n = h.n end",
		"for k, v in pairs(POSTS["+g.pick("1", "2", "total % 2 + 1")+"]) do if ¤[k] ~= v then ¤[k] = v end end",
	)))
}
