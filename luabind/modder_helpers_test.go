package luabind

import (
	"regexp"
	"slices"
	"strings"
)

// modderLibrary is a file that the systems require.
const modderLibrary = `local lib, hits = {}, 0
lib.RULES = { { name = "burn", when = function(h) return h.kind == "fire" end, act = function(h, n) h.now = h.now - n return n end }, { name = "rest", act = function(h, n) h.max = h.max + n end }, { name = "none" } }
function lib.clamp(x, low, high) if x < (low or 0) then return low or 0 elseif high and x > high then return high end return x end
function lib.hurt(h, n) hits = hits + 1 if n and n > 0 then h.now = h.now - n end return h.now > 0 end
function lib.hits() return hits end
function lib.parent(world, e) return world:related(e, "ChildOf") end
function lib.each(list, f) for i, v in ipairs(list) do if f(v, i) == false then return i end end end
function lib.map(list, f) local out = {} for i, v in ipairs(list) do out[i] = f(v) end return out end
function lib.split(s) local out = {} for w in s:gmatch("[^,]+") do out[#out + 1] = w end return out end
return lib`

// modderHelpers are the variables and functions around the loops of a system, by name. A system has those that it uses.
var modderHelpers = []struct{ name, text string }{
	{"Q", `local Q = { hurt = ecs.query{ "Hp", "Unit", untagged = { "red" } }, blue = ecs.query{ "Hp", tagged = { "blue" } }, moved = ecs.query{ "Pos", changed = { "Pos" } }, fresh = ecs.query{ "Hp", added = { "Hp" } }, bare = ecs.query{ "Hp", without = { "Unit" } }, maybe = ecs.query{ "Hp", optional = { "Aura", "Unit" } } }`},
	{"KINDS", `local KINDS = { "fire", "ice", "stone", "none" }`},
	{"NAMES", `local NAMES = { "Hp", "Pos", "Unit", "Aura" }`},
	{"NEXT", `local NEXT = { fire = "ice", ice = "stone", stone = "fire" }`},
	{"SPEED", `local SPEED = { fire = 2, ice = 0.5, none = 0 }`},
	{"conf", `local conf = { field = "now", tag = "red", comp = "Hp", on = true, limit = 5, resource = "gold" }`},
	{"list", `local list = {}`},
	{"nums", `local nums = { 5, 3, 8 }`},
	{"seen", `local seen = {}`},
	{"count", `local count = {}`},
	{"by", `local by = {}`},
	{"cells", `local cells = {}`},
	{"prey", `local prey = {}`},
	{"queue", `local queue = {}`},
	{"sides", `local sides = {}`},
	{"state", `local state = { vars = { n = 0, fire = 1 }, log = {}, phase = "a" }`},
	{"best", `local best`},
	{"worst", `local worst`},
	{"objs", `local objs = {}`},
	{"names", `local names = {}`},
	{"kept", `local kept = 4294967297`},
	{"clamp", `local clamp = lib.clamp`},
	{"mixed", `local function mixed(x) if x > 5 then return "high" elseif x < 1 then return false end return x end`},
	{"addup", `local function addup(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...) or 0) end return s end`},
	{"second", `local function second(a, b, ...) return b, a, ... end`},
	{"boxed", `local function boxed(...) return { n = select("#", ...), ... } end`},
	{"apply", `local function apply(f, ...) total = total + 1 return f(...) end`},
	{"depth", `local function depth(world, e, n) local up = world:related(e, "ChildOf") if not up or (n or 0) > 6 then return 0 end return 1 + depth(world, up, (n or 0) + 1) end`},
	{"weight", `local function weight(world, e, n) local h = world:get(e, "Hp") local s = h and h.now or 0 if n > 0 then for c in world:sources("ChildOf", e) do s = s + weight(world, c, n - 1) end end return s end`},
	{"spread", `local function spread(world, e, n) local h = world:get(e, "Hp") if not h then return 0 end h.now = h.now + n if n <= 0 then return 1 end local k = 1 for c in world:sources("Likes", e) do k = k + spread(world, c, n - 1) if k > 9 then break end end return k end`},
	{"fact", `local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end`},
	{"flat", `local function flat(t, out) for _, v in ipairs(t) do if type(v) == "table" then flat(v, out) else out[#out + 1] = v end end return out end`},
	{"iter", `local function iter(l) local i = 0 return function() i = i + 1 if l[i] ~= nil then return i, l[i] end end end`},
	{"range", `local function range(n, by) local i = 0 return function() i = i + (by or 1) total = total + 1 if i <= n and i < 6 then return i end end end`},
	{"alive", `local function alive(world, l) local i = 0 return function() repeat i = i + 1 until not l[i] or world:alive(l[i].e) return l[i] end end`},
	{"nearest", `local function nearest(world, p, e) local found, far = nil, 1e9 for o, d in world:near("g", p.x, p.y, 4) do if o ~= e and d < far then found, far = o, d end end return found, far end`},
	{"strongest", `local function strongest(world) local top for e, h in world:each("Hp") do if not top or h.now > top.now then top = h end end return top end`},
	{"adjust", `local function adjust(t, changes) for k, v in pairs(changes) do t[k] = (t[k] or 0) + v end return t end`},
	{"merge", `local function merge(a, b) local out = {} for k, v in pairs(a) do out[k] = v end for k, v in pairs(b or {}) do out[k] = v end return out end`},
	{"Vec", `local Vec = {} Vec.__index = Vec
local function vec(x, y) return setmetatable({ x = x, y = y }, Vec) end
function Vec.__add(a, b) return vec(a.x + b.x, a.y + b.y) end
function Vec.__mul(a, k) return vec(a.x * k, a.y * k) end
function Vec.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vec.__unm(a) return vec(-a.x, -a.y) end
function Vec.__tostring(a) return "(" .. a.x .. "," .. a.y .. ")" end
function Vec.__concat(a, b) return tostring(a) .. "|" .. tostring(b) end
function Vec.__len(a) return 2 end
function Vec.__lt(a, b) return a:len2() < b:len2() end
function Vec.__call(a, d) a.x = a.x + d return a.x end
function Vec:len2() return self.x * self.x + self.y * self.y end
local at = vec(1, 2)`},
	{"Node", `local Node = {} Node.__index = Node
function Node.new(v) return setmetatable({ v = v, kids = {}, n = 1 }, Node) end
function Node:insert(v) self.n = self.n + 1 local i = v < self.v and 1 or 2 if self.kids[i] then self.kids[i]:insert(v) else self.kids[i] = Node.new(v) end end
function Node:sum() local s = self.v for _, k in pairs(self.kids) do s = s + k:sum() end return s end
function Node:find(v) if self.v == v then return self end local k = self.kids[v < self.v and 1 or 2] return k and k:find(v) end
local tree = Node.new(4)`},
	{"Timer", `local Timer = {} Timer.__index = Timer
function Timer.new(t, f, ...) return setmetatable({ t = t, on_end = f, args = { ... } }, Timer) end
function Timer:tick(dt) self.t = self.t - dt if self.t <= 0 and self.on_end then self.on_end(unpack(self.args)) self.on_end = nil return true end return false end
local timers = {}`},
	{"Base", `local Base = {} Base.__index = Base
function Base.new(e, n) return setmetatable({ e = e, n = n }, Base) end
function Base:step(x) self.n = self.n + x return self.n end
function Base:name() return "base" .. self.n end
local Derived = setmetatable({}, { __index = Base }) Derived.__index = Derived
function Derived.new(e, h) return setmetatable({ e = e, n = 0, h = h }, Derived) end
function Derived:step(x) if self.h then self.h.now = self.h.now + x end return Base.step(self, x / 2) end`},
	{"auto", `local auto = setmetatable({}, { __index = function(t, k) local v = { n = 0 } rawset(t, k, v) return v end })`},
	{"strict", `local strict = setmetatable({ n = 1 }, { __index = function(t, k) error("no " .. tostring(k), 2) end, __newindex = function(t, k, v) if v == nil then error("nil") end rawset(t, k, v) end })`},
	{"rules", `local rules = { { when = function(h) return h.now > 5 end, act = function(h, n) h.now = h.now - n return true end }, { act = function(h, n) h.kind = "ice" end }, { when = function(h) return h.kind == "ice" end }, { n = 3 } }`},
	{"ACT", `local ACT = { idle = function(world, e, u, n) u.level = u.level + 1 return n end, fight = function(world, e, u, n) local h = world:get(u.target, "Hp") if h then h.now = h.now - 1 end return n, h end, flee = function(world, e, u) u.state = "idle" end }`},
	{"risky", `local function risky(x, t) total = total + 1 if x > 8 then error("risk " .. x) elseif x < 0 then error({ code = x }) end return x * 2, t end`},
	{"visit", `local function visit(world, f) for e, h in world:each("Hp") do if f(e, h) then return e end end end`},
}

var modderNames = regexp.MustCompile(`[A-Za-z_]\w*`)

// modderHead is the helpers that a text uses, and those that these use, in their order.
func modderHead(text string) string {
	uses := map[string]bool{}
	var add func(string)
	add = func(text string) {
		for _, name := range modderNames.FindAllString(text, -1) {
			switch name {
			case "vec", "at":
				name = "Vec"
			case "tree":
				name = "Node"
			case "timers":
				name = "Timer"
			case "Derived":
				name = "Base"
			}
			if uses[name] {
				continue
			}
			uses[name] = true
			if i := slices.IndexFunc(modderHelpers, func(h struct{ name, text string }) bool { return h.name == name }); i >= 0 {
				add(modderHelpers[i].text)
			}
		}
	}
	add(text)
	var b strings.Builder
	for _, h := range modderHelpers {
		if uses[h.name] {
			b.WriteString(h.text + "\n")
		}
	}
	return b.String()
}
