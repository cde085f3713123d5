package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// groupsSource is a file with tables of lists: a new one in each turn, one that stays, a list of lists, one with lists by name, and one in
// which some keys have something else.
const groupsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", other = "entity" })
local kept, lanes, places = {}, { {}, { 5, 6 }, {}, { 1, 2, 3 }, {} }, { s0 = {}, s1 = { "a" }, s2 = {}, s3 = { n = 4 } }
local odd = { [0] = {}, [1] = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) end }), [2] = {}, [3] = 7 }
local shared = {}
local named, pair = { s0 = shared, s2 = {} }, { { 1 }, shared }
local cfg = { list = shared, n = 3 }
local twice = { [0] = shared, {}, shared, {} }
local function show(name, t)
  local text = {}
  for key, l in pairs(t) do
    text[#text + 1] = tostring(key)
    if type(l) == "table" then
      for i = 1, #l do text[#text + 1] = type(l[i]) == "table" and "{" .. tostring(l[i].x) .. " " .. #l[i] .. "}" or tostring(l[i]) end
      for k, v in pairs(l) do if type(k) == "string" then text[#text + 1] = k .. "=" .. tostring(v) end end
    end
  end
  print(name, table.concat(text, " "))
end
local function add(t, k, v)
  local l = t[k]
  if not l then l = {} t[k] = l end
  l[#l + 1] = v
end
local function grow(l) l[#l + 1] = "grown" return 5 end
local function half(x) if x > 50 then return x / 2 end return x end
return { init = function(world)
  local last = ecs.none
  for i = 1, 120 do last = world:spawn{ P = { x = i, k = i % 4, s = "s" .. (i * 7) % 4, other = last } } end
end, update = function(world, dt)
  local groups, sum, empty = {}, 0, {}
  for e, p in world:each("P") do BODY end
  show("groups", groups) show("kept", kept) show("lanes", lanes) show("places", places) show("empty", empty)
  for k = 0, 2 do print(#odd[k], odd[k][1]) end
  show("twice", twice) show("named", named)
  print(sum)
end }`

// groupBodies add to lists at the keys of tables. All but those with "exit" in front are machine code for all rows.
var groupBodies = []string{
	`local g = groups[p.k] if not g then g = {} groups[p.k] = g end g[#g + 1] = p.x`,
	`local g = groups[p.k] if not g then g = {} groups[p.k] = g end g[#g + 1] = e`,
	`local g = groups[p.k] if g == nil then g = {} groups[p.k] = g end table.insert(g, p.s)`,
	`local g = groups[p.s] if not g then g = {} groups[p.s] = g end g[#g + 1] = p.x > 5`,
	`local g = groups[p.s] or {} groups[p.s] = g g[#g + 1] = p.x`,
	`groups[p.k] = groups[p.k] or {} table.insert(groups[p.k], p.x)`,
	`groups[p.k] = groups[p.k] or {} groups[p.k][#groups[p.k] + 1] = p.x`,
	`if not groups[p.k] then groups[p.k] = {} end local g = groups[p.k] g[#g + 1] = p.x g[#g + 1] = p.x + 0.5`,
	`if not groups[p.k] then groups[p.k] = { p.x } else table.insert(groups[p.k], p.x) end`,
	`if groups[p.k] then table.insert(groups[p.k], p.x) else groups[p.k] = { p.x, p.x * 2 } end`,
	`local g = groups[p.k] if g then g[#g + 1] = e else groups[p.k] = { e } end`,
	`local g = groups[p.k] if not g then g = { n = 0, first = p.x } groups[p.k] = g end g[#g + 1] = p.x g.n = g.n + 1`,
	`local g = groups[p.k] if not g then g = { n = 0, p.x } groups[p.k] = g end if #g < 3 then g[#g + 1] = p.x end g.n = #g`,
	`local g = groups[p.k] if not g then g = {} groups[p.k] = g end if #g < 7 and p.x % 2 == 0 then g[#g + 1] = { x = p.x, e } end sum = sum + #g`,
	`local g = groups[p.k] if not g then g = {} groups[p.k] = g end g[#g + 1] = { x = p.s }`,
	`add(groups, p.k, p.x) add(groups, p.k + 10, e)`,
	`add(groups, e, p.x) if p.x > 1 then add(groups, p.other, -p.x) end`,
	`add(kept, p.k, p.x)`,
	`add(kept, e, sum) sum = sum + 1`,
	`local g = kept[e] if not g then g = {} kept[e] = g end if #g < 2 then g[#g + 1] = p.x end sum = sum + #g`,
	`local l = lanes[p.k + 1] l[#l + 1] = p.x`,
	`table.insert(lanes[p.k + 1], p.s)`,
	`lanes[p.k + 1][#lanes[p.k + 1] + 1] = e sum = sum + #lanes[p.k + 1]`,
	`local l = lanes[p.k + 1] if #l < 5 then l[#l + 1] = half(p.x) end`,
	`sum = sum + #lanes[p.k + 1]`,
	`local l = places[p.s] l[#l + 1] = p.x`,
	`table.insert(places[p.s], half(p.x)) sum = sum + #places[p.s]`,
	`local l = places[p.s] if l.n then l.n = l.n + 1 end table.insert(l, e)`,
	`exit local l = p.x > 40 and lanes[p.k + 1] if l then l[#l + 1] = p.x end`,
	`if p.k > 0 then local g = groups[p.k] if not g then g = {} groups[p.k] = g end if p.x > 20 then g[#g + 1] = p.x end end`,
	`for i = 1, 3 do local g = groups[i] if not g then g = {} groups[i] = g end g[#g + 1] = p.x * i end`,
	`for i = 1, p.k do add(groups, i, p.x) end sum = sum + (groups[2] and #groups[2] or 0)`,
	`local g, h = groups[p.k], kept[p.k] if not g then g = {} groups[p.k] = g end if not h then h = {} kept[p.k] = h end if #g > #h then h[#h + 1] = p.x else g[#g + 1] = p.x end`,
	`local g = groups[p.k] if not g then g = {} groups[p.k] = g end local n = #g g[n + 1] = p.x`,
	`local l = lanes[p.k + 1] local n = #l + 1 l[n] = p.x`,
	`exit local l = lanes[p.k + 1] local n = #l l[#l + 1] = p.x if p.x > 100 then l[n + 1] = p.x end`,
	`exit local l = lanes[p.k + 1] local n = #l n = n - p.k l[n + 1] = p.x`,
	`exit local g = groups[p.k] if not g then g = {} groups[p.k] = g end g[#g + 1] = p.x if p.x == 50 then coroutine.wrap(print)() end`,
	`exit add(groups, p.k, p.x) if p.x == 50 then local g = groups[p.k] sum = sum + g[1] + #g end`,
	`exit add(groups, p.k, p.x) if p.x == 50 then error("stop") end`,
	`exit local l = lanes[p.k + 2] l[#l + 1] = p.x if p.x == 100 then l = nil end sum = sum + #l`,
	`exit local l = lanes[p.k * 2 + 1] if l then l[#l + 1] = p.x else sum = sum + 1 end`,
	`exit local l = odd[p.k] if p.k ~= 3 then l[#l + 1] = p.x end`,
	`exit local l = odd[p.k] if p.k ~= 1 then l[#l + 1] = p.x end`,
	`exit local l = odd[p.k] if p.k == 0 then l[#l + 1] = p.x end`,
	`exit local l = twice[p.k] l[#l + 1] = p.x sum = sum + #l`,
	`exit add(groups, p.k, nil) add(groups, p.k, p.x > 9 and p.x or nil)`,
	`exit add(groups, p.k > 2 and -0.0 * p.k or p.k * -0.0, p.x)`,
	`exit add(groups, 0 / (p.k - 3), p.x)`,
	`exit local g = empty[p.k] g[#g + 1] = p.x`,
	`exit add(groups, p.k, groups[p.k])`,
	`exit add(groups, p.k, lanes[1])`,
	`exit add(groups, p.k, p) local q = groups[p.k][1] sum = sum + q.x`,
	`exit add(groups, p.k, p.x) sum = sum + groups[p.k][1]`,
	`exit add(groups, p.k, p.x) local l = groups[p.k] l[2] = 5`,
	`exit add(groups, p.k, p.x) for k, l in pairs(groups) do sum = sum + #l end`,
	`exit add(groups, p.k, p.x) groups[p.k] = nil`,
	`exit add(groups, p.k, p.x) if p.x == 30 then groups[p.k] = { 1 } end`,
	`exit add(groups, p.k, p.x) table.remove(groups[p.k])`,
	`exit local l = p.k == 1 and lanes[1] or lanes[2] l[#l + 1] = p.x`,
	`exit local a, b = lanes[1], lanes[2] a[#b + 1] = p.x`,
	`exit local l = lanes[p.k + 1] l[#l + 1], l[#l + 2] = p.x, 5`,
	`exit local l = lanes[p.k + 1] l[#l + 1] = half(#l)`,
	`exit local l = twice[p.k] if p.k % 2 > 0 then l[#l + 1] = p.x end sum = sum + #shared`,
	`exit local l = twice[p.k] if p.k % 2 > 0 then l[#l + 1] = p.x end sum = sum + (shared[3] or 0) for _, v in ipairs(shared) do sum = sum + v end`,
	`exit local l = twice[p.k] if p.k % 2 > 0 then l[#l + 1] = p.x end sum = sum + #cfg.list + (cfg.list[2] or 0)`,
	`exit local l = twice[p.k] if p.k % 2 > 0 then l[#l + 1] = p.x end sum = sum + (pair[2][3] or 0) + #pair[p.k % 2 + 1]`,
	`exit local l = named[p.s] if not l then l = {} named[p.s] = l end l[#l + 1] = p.x sum = sum + #named.s2`,
	`exit table.insert(named[p.k > 1 and "s0" or "s2"], e) sum = sum + #named.s0 * 100 + #named.s2`,
	`local l = lanes[ecs.random(5)] l[#l + 1] = e`,
	`exit lanes[ecs.random(5)][#lanes[ecs.random(5)] + 1] = p.x`,
	`exit table.insert(lanes[ecs.random(5)], ecs.random(5))`,
	`exit local l = groups[p.k] add(groups, p.k, p.x) sum = sum + #l`,
	`exit local l = groups[p.k] add(groups, p.k, p.x) if p.x > 4 then l[#l + 1] = 1 end if p.x == 9 then l = nil end sum = sum + #l`,
	`exit local l = twice[p.k] l.n = (l.n or 0) + 1 sum = sum + (shared.n or 0)`,
	`exit local l = twice[p.k] l.m = p.x if shared.m then sum = sum + shared.m end`,
	`exit local l = lanes[p.k + 1] l[#l + 1] = grow(l)`,
	`exit local l = lanes[p.k + 1] l[#l + 1] = { n = grow(l), #l }`,
	`exit local l = lanes[p.k + 1] l[#l + 1] = p.x > 50 and grow(lanes[p.k + 1]) or 0`,
	`exit local g = groups[p.k] if not g then g = {} groups[p.k] = g end groups[p.k][#groups[p.k] + 1] = grow(g)`,
	`exit local l = lanes[p.k + 1] table.insert(l, grow(l))`,
}

// What rows add to lists in a table is in the lists, and the lists are in the table, in the order of the interpreter.
func TestGroups(t *testing.T) {
	t.Parallel()
	for _, body := range groupBodies {
		text, exits := strings.CutPrefix(body, "exit ")
		sameCompiled(t, strings.Replace(groupsSource, "BODY", text, 1), body, func(impl Impl, did loops.Tally) bool {
			return exits || impl != Auto || did.Machine > 300 && did.Closures == 0
		})
	}
}

// A list that is full gets no more elements: the interpreter raises the error.
func TestGroupsOfFullLists(t *testing.T) {
	t.Parallel()
	source := strings.Replace(groupsSource, "local shared = {}", fmt.Sprintf("local full = { { [%d] = 1 }, {} } local shared = {}", sandbox.MaxList-1), 1)
	for _, body := range []string{
		`local l = full[p.x == 9 and 1 or 2] l[#l + 1] = e`,
		`table.insert(full[p.x % 60 == 9 and 1 or 2], e)`,
		`if p.x % 60 == 9 then local l = full[1] l[#l + 1] = p.x sum = sum + #l end`,
	} {
		sameCompiled(t, strings.Replace(source, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
	}
}
