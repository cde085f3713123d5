package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// openHead is the file around the loops of these tests: tables in tables, records with members that only some of them
// have, tables with metatables, two names for one table.
const openHead = `local ecs = require("ecs")
ecs.component("Cell", { x = "f64", y = "f64", k = "i32", s = "string", b = "bool", who = "entity" }) ecs.component("Bag", { items = "table", n = "f64" })
ecs.tag("red") ecs.event("Ping", { n = "f64", s = "string", e = "entity" }) ecs.event("Out", { n = "f64", s = "string", e = "entity" }) ecs.resource("board", { type = "table", default = {} })
local KINDS = { "apple", "bread", "sword" }
local recs = { { n = 1, s = "one", list = { 1, 2 } }, { n = 2, s = "two", extra = 5 }, { n = 3, s = "three", on = true, list = {} } }
local M = { state = { by = {}, log = {}, n = 0, deep = { a = { b = { c = 0 } } } } }
local t, map, log, same, const, dim = {}, {}, {}, nil, { a = 1, b = 2, sub = { 3, 4, 5 } }, { { 1 }, { 2 }, { 3 } }
same = t
local Base = { worth = 7, sub = { q = 1 } } Base.__index = Base
function Base.add(self, n) self.n = (self.n or 0) + n self.log[#self.log + 1] = n return self.n end
function Base:put(k, v) local b = self.log[k] if not b then b = {} self.log[k] = b end b[#b + 1] = v self.count = self.count + 1 end
local obj = setmetatable({ log = {}, count = 0 }, Base)
local magic = setmetatable({ x = 1 }, { __index = function(t, k) return 4 end, __newindex = function(t, k, v) rawset(t, k, 9) end })
local eq = { setmetatable({}, { __eq = function() return true end }), setmetatable({}, { __len = function() return 3 end }) }
eq[3] = setmetatable({}, getmetatable(eq[1]))
local function show(t, depth)
  if type(t) ~= "table" then return tostring(t) end
  local parts = {}
  for k, v in pairs(t) do if #parts < 60 then parts[#parts + 1] = tostring(k) .. "=" .. (depth < 4 and show(v, depth + 1) or type(v)) end end
  return #t .. "{" .. table.concat(parts, " ") .. "}"
end
local function pick(list, team) if team == "apple" then return list.apple end return list.other end
local function init(world)
  local last = ecs.none
  for i = 1, 60 do
    local e = world:spawn{ Cell = { x = i %% 7, y = i %% 3, k = i %% 4, s = KINDS[i %% 3 + 1], b = i %% 2 == 0, who = last }, Bag = { items = { n = i, { w = i } }, n = i } }
    if i %% 5 == 0 then world:tag(e, "red") end
    last = e
  end
end
local fastest, top, total, word = nil, nil, 0, ""
local function run(world, dt)
  local sum, mine, board = 0, {}, world.resources.board
  local grid = { {}, {}, {} }
  %s
  print(sum, show(mine, 0), show(board, 0), show(grid, 0))
  return sum
end
return { init = init, update = function(world, dt)
  for i = 1, 9 do world:send("Ping", { n = i, s = KINDS[i %% 3 + 1] }) end
  %s
  print(total, word, show(fastest, 0), show(top, 0), show(t, 0), show(map, 0), show(log, 0), show(M, 0), show(recs, 0), show(const, 0), show(dim, 0), show(obj, 0), show(Base.sub, 0), rawget(magic, "new"), ecs.random(1000))
  for out in world:drain("Out") do print("out", out.n, out.s, out.e) end
  for p in world:read("Ping") do print("unread", p.n) break end
end }`

// openLoops read and change tables in tables, as modders write them.
var openLoops = []string{
	// maps of maps, counters, records
	`map[c.s] = map[c.s] or {} map[c.s][c.k] = (map[c.s][c.k] or 0) + 1`,
	`local row = map[c.s] if not row then row = {} map[c.s] = row end row[e] = (row[e] or 0) + c.x`,
	`local r = map[c.k] if r == nil then r = { total = 0, kinds = {} } map[c.k] = r end r.total = r.total + 1 r.kinds[c.s] = (r.kinds[c.s] or 0) + c.y`,
	`local f = map[c.s] if not f then f = { n = 0, x = 0, near = 0 } map[c.s] = f end f.n = f.n + 1 f.x, f.near = f.x + c.x, math.max(f.near, c.y)`,
	`local s = M.state s.by[c.s] = (s.by[c.s] or 0) + 1 s.log[#s.log + 1] = c.s .. "@" .. world.frame if #s.log > 10 then table.remove(s.log, 1) end`,
	`M.state.n = M.state.n + c.k M.state.deep.a.b.c = M.state.deep.a.b.c + 1 sum = sum + M.state.n`,
	`local entry = board[c.s] or { n = 0, gold = 0, first = c.k } entry.n = entry.n + 1 entry.gold = entry.gold + c.x board[c.s] = entry`,
	`grid[c.y + 1] = grid[c.y + 1] or {} grid[c.y + 1][c.x + 1] = c.s`,
	`local r = recs[c.k % 3 + 1] sum = sum + r.n if r.extra then sum = sum + r.extra end if r.on then r.n = r.n + 1 end c.s = r.s`,
	`local r = recs[ecs.random(#recs)] if r.list and #r.list > 1 then sum = sum + r.list[2] end c.x = r.n`,
	`local p = pick(M.state.by, c.s) if p then sum = sum + p else M.state.by.other = 2 end`,
	`if not t[c.s] then t[c.s] = {} end table.insert(t[c.s], c.k) sum = sum + #t[c.s]`,
	`local r = t[c.k] or {} r[#r + 1] = e t[c.k] = r`,
	`obj:add(c.k) sum = sum + obj.worth + obj.sub.q`,
	`obj:put(c.s, { e = e, k = c.k }) sum = sum + obj.count`,
	`for k, v in pairs(M.state.by) do sum = sum + v end M.state.by[c.s] = c.k`,
	`for i, v in ipairs(recs) do v.n = v.n + c.k if v.n > 50 then v.n = 0 break end sum = sum + i end`,
	`for k, v in pairs(map) do if v == c.k then map[k] = nil end end map[c.s .. c.k] = c.k`,
	`mine[#mine + 1] = { e = e, at = { x = c.x, y = c.y }, list = { c.k, c.s } } local m = mine[#mine] m.at.x = m.at.x + 1 sum = sum + m.at.x + m.list[1]`,
	`table.insert(mine, 1, { n = c.k }) if #mine > 5 then local m = table.remove(mine) sum = sum + m.n end if #mine > 3 then table.remove(mine, 2) end`,
	`table.insert(log, { s = c.s }) local first = table.remove(log, 1) if first then c.s = first.s end`,
	`local q = M.state.log local i = 1 while q[i] and q[i] < c.k do i = i + 1 end table.insert(q, i, c.k) if #q > 20 then table.remove(q, 1) end`,
	// outputs
	`if not fastest or c.x < fastest.x then fastest = { x = c.x, s = c.s, e = e } end`,
	`top = map[c.s] or top map[c.s] = { c.k } if top then sum = sum + top[1] end`,
	`if c.k == 2 then top = nil elseif not top then top = {} end if top then top[#top + 1] = c.k end`,
	`top = recs[c.k] if top then top.n = top.n + 1 end`,
	`t = { t and #t or 0, c.k } sum = sum + #t`,
	`local best for i = 1, #recs do if not best or recs[i].n > best.n then best = recs[i] end end best.n = best.n - 1 top = best`,
	// two names
	`t[c.k] = { n = c.k } local s = same[c.k] s.n = s.n + 1 sum = sum + t[c.k].n`,
	`same.n = (t.n or 0) + 1 sum = sum + same.n t.m = same`,
	`recs[1].self = recs[1] recs[1].self.n = recs[1].n + 1 sum = sum + recs[1].self.self.n`,
	`map.t = t t.x = c.x map.t.x = map.t.x + 1 sum = sum + t.x`,
	// constants that change on the way
	`for i, v in ipairs(const.sub) do sum = sum + v end local k = M.state k.link = const k.link.sub[2] = c.k map[c.s] = map[c.s] or {} map[c.s].n = const.a`,
	`map.c = const map.c.a = c.k sum = sum + const.a * const.b map[c.s] = {}`,
	`map.b = Base map.b.worth = c.k sum = sum + obj.worth obj:add(1)`,
	// metatables
	`magic.new = c.k map[c.s] = { magic.x } sum = sum + magic.other`,
	`local m = map[c.s] or magic m.new = c.x sum = sum + m.new`,
	`map.eq = eq[1] if map.eq == eq[3] then sum = sum + 1 end if map.eq == eq[1] then sum = sum + 10 end if eq[1] ~= eq[2] then sum = sum + 100 end`,
	`map.l = eq[2] sum = sum + #map.l + #eq`,
	`map.o = obj sum = sum + map.o.worth if map.o.nothing then sum = sum + 1 end map.o.fresh = c.k`,
	// errors, and rows that are left, in the middle of a row
	`map[c.s] = map[c.s] or {} map[c.s][#map[c.s] + 1] = c.k if c.x == 3 and c.y == 2 then error("on purpose") end`,
	`t[c.k] = t[c.k] or {} t[c.k].n = c.k local none = t[c.x + 1] sum = sum + none.n`,
	`t[c.k] = t[c.k] or {} t[c.k][c.s] = true table.insert(t[c.k], c.x) c.k = t[c.k][1] / 2 + 1`,
	`mine.a = mine.a or {} mine.a[c.s] = (mine.a[c.s] or 0) + 1 mine.a.last = e if c.k == 3 then word = word .. tostring(c.y) end`,
	`t.list = t.list or {} table.insert(t.list, 1, c.k) table.remove(t.list, #t.list > 4 and 3 or 1) t.list[#t.list + 1] = c.s if c.k == 1 then t.new = { c.x } word = tostring(#t.list) end`,
	`map[c.s] = map[c.s] or {} map[c.s].f = c.k == 2 and print or nil if map[c.s].f then sum = sum + 1 end`,
	`map[c.s] = { v = c.k } if c.k == 1 then map[c.s].v = "3" end sum = sum + map[c.s].v`,
	`map[c.s] = { v = c.k } if c.k == 1 then map[c.s].v = "x" end sum = sum + map[c.s].v`,
	`map[c.x - 3] = map[c.x - 3] or {} map[c.x - 3][c.y / 2] = c.s map[0] = { 1 } map[-1] = nil`,
	`map[0 / 0] = {} map.x = { 1 }`,
	`map[nil] = {}`,
	`local n = map[nil] if n == nil then map[c.s] = { n } end`,
	`map[c.b] = map[c.b] or {} map[c.b][not c.b] = c.k`,
	`map[recs[1]] = map[recs[1]] or {} map[recs[1]][c.s] = c.k map[mine] = { 1 }`,
	`t[5] = { 1 } t[3] = { 2 } t[c.k + 1] = nil sum = sum + #t`,
	`t[5000000] = { c.k } t[3000] = { c.s } sum = sum + #t t[3000] = nil`,
	`t.x.y.z = 1`,
	`if c.k == 3 then map.bag = bag.items end map[c.s] = { bag.items.n } sum = sum + map[c.s][1]`,
	`bag.items.list = bag.items.list or {} table.insert(bag.items.list, recs[c.k % 3 + 1].s) map[c.s] = #bag.items.list`,
	`if c.k == 2 then bag.items = recs[1] end map[c.s] = { n = 1 }`,
	`local spell, found = recs[c.k % 3 + 1], nil for _, b in ipairs(bag.items) do if b.name == spell.s then found = true break end end if not found then table.insert(bag.items, { name = spell.s, left = spell.extra or 1 }) end`,
	// next, names of entities
	`if next(map) == nil then map[c.s] = c.k end local k, v = next(map) word = k sum = sum + v`,
	`if next(bag.items) == nil then bag.items = { 1 } elseif c.k == 2 then bag.items = {} end local k = next(bag.items) if k == 1 then sum = sum + 1 end`,
	`local k, v, none = next(recs[2]) if none == nil then map[k] = v end if c.k == 3 then word = word .. tostring((next(c.s))) end`,
	`local k, v = next(bag.items) if type(v) == "table" then sum = sum + v.w elseif v then sum = sum + v end`,
	`mine[#mine + 1] = ecs.name(e) .. c.s word = ecs.name(c.who)`,
	`word = ecs.name(c.k) if c.k == 3 and c.x > 5 then word = ecs.name(c.s) end`,
	// resources that are tables
	`sum = sum + (world.resources.board.n or 2) if c.k == 3 then world.resources.board = { n = c.x, list = { c.k, { c.x } } } end`,
	`local b = world.resources.board b.n = (b.n or 0) + 1 sum = sum + b.n if c.k == 3 then world.resources.board = b end`,
	`world.resources.board.n = c.k sum = sum + world.resources.board.n`,
	`world.resources.board[c.s] = (world.resources.board[c.s] or 0) + 1`,
	`local a, b = world.resources.board, world.resources.board a.x = 1 if a == b or b.x then sum = sum + 1 end if a == a then sum = sum + 10 end map[c.s] = a.x`,
	`local w, r = world, world.resources local b = r.board if c.k == 1 then w.resources.board = { [c.s] = c.k } end for k, v in pairs(r.board) do word = k sum = sum + v end if b[c.s] then sum = sum + 100 end`,
	`table.insert(world.resources.board, c.k) sum = sum + #world.resources.board`,
	`bag.items = world.resources.board if c.k == 2 then world.resources.board = bag.items end bag.items.w = c.k sum = sum + #bag.items`,
	// effects, tags, other rows, returns
	`map[c.s] = map[c.s] or {} map[c.s].n = (map[c.s].n or 0) + 1 world:send("Out", { n = map[c.s].n, s = c.s, e = e }) if c.k == 3 then world:tag(e, "red") end`,
	`local o = world:get(c.who, "Cell") if o then o.x = o.x + 1 map[c.s] = { o.x } end if world:tagged(e, "red") then map.red = map.red or {} map.red[e] = true end`,
	`map[c.s] = map[c.s] or {} map[c.s][c.k] = e if c.k == 2 and c.x == 5 then return map[c.s][2] end`,
	`map[c.s] = map[c.s] or {} map[c.s][1] = c.x if c.x == 6 then break end`,
	`if c.b then goto continue end map[c.s] = { c.k } ::continue::`,
	`for o, d in world:each("Cell") do if d.k == c.k then map[c.s] = map[c.s] or {} map[c.s][o] = d.x end end if c.x > 1 then break end`,
	`local keep = map[c.s] and map[c.s].n or c.k local both = map[c.s] and t map[c.s] = { n = keep } if both then both.n = keep end`,
	`local a, b = map[c.s], map[c.k] map[c.s], map[c.k] = b or {}, a if a == b then sum = sum + 1 end if a ~= nil and b then sum = sum + 10 end`,
	`local cb = M.state.by[c.s] M.state.by[c.s] = c.k > 1 if cb then sum = sum + 1 end if M.state.by.apple == true then sum = sum + 2 end`,
}

// openEvents are loops over events.
var openEvents = []string{
	`for p in world:read("Ping") do map[p.s] = map[p.s] or {} map[p.s][p.n] = (map[p.s][p.n] or 0) + 1 end`,
	`for p in world:drain("Ping") do local r = log[p.s] if not r then r = { n = 0 } log[p.s] = r end r.n = r.n + p.n if p.n == 5 then world:spawn{ Cell = { x = r.n } } end end`,
	`for p in world:peek("Ping") do t[#t + 1] = { p.n } if #t > 12 then table.remove(t, 1) end if p.n == 7 then fastest = t[1] end end`,
	`for p in world:read("Ping") do M.state.by[p.s] = M.state.by[p.s] or {} table.insert(M.state.by[p.s], p.n) if p.n == 4 then error("at four") end end`,
}

// openSource is a file with a loop in it.
func openSource(body, call string) string {
	if !strings.HasPrefix(body, "for p ") {
		head := `for e, c in world:each("Cell") do `
		if strings.Contains(body, "bag") {
			head = `for e, c, bag in world:each("Cell", "Bag") do `
		}
		body = head + body + ` end`
	}
	return fmt.Sprintf(openHead, body, call)
}

// Loops over tables of any content do the same with every implementation: values, identities, the order of pairs, errors
// in the middle of a row, and what other names of the tables see.
func TestOpenTablesAlike(t *testing.T) {
	t.Parallel()
	for i, body := range append(openEvents, openLoops...) {
		calls := []string{"print(run(world, dt))", "print(pcall(run, world, dt)) print(pcall(run, world, dt))", "print(pcall(run, world, dt)) if world.frame == 2 then recs[2] = nil const.a = 9 map = { apple = { 1 } } Base.worth = 8 end"}
		for j := range effort.Of(len(calls)) { // for each body others
			source := openSource(body, calls[(i+j)%len(calls)])
			exitsAlike(t, "", source)
		}
	}
}
