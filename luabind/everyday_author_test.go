package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random systems as modders write them: with tables, strings, methods, dispatch, functions of a required file, values that may be nil, `table`
// fields, and lists that grow. everyday_test.go runs them in a fixed world (everydayWorld), everyday_body_test.go has their statements. The author of
// sameness_author_test.go covers what is typed: all types of fields, queries, effects, arithmetic.

// An everyday is the author of one such system.
type everyday struct {
	*rand.Rand
	strings.Builder
	nums, texts, bools, ents, maybes []string          // variables in scope, by what they hold; maybes may be nil
	views                            map[string]string // by component: the variable that holds the view
	depth, names, labels, loops      int
	library                          bool      // the text is a function of the required file: no locals of the system are known
	rare                             int       // one in how many rows does what is rare
	inside                           int       // expressions around the place
	masks                            [4]uint64 // by construct of a statement, a number, a text and a condition: whether the system has it
}

// The kinds of constructs of everyday.masks.
const (
	ofStatement = iota
	ofNumber
	ofText
	ofBool
)

// palette chooses which constructs a system has. One with all of them is interpreted too often.
func (g *everyday) palette() {
	share := []int{2, 4, 7, 10}[g.IntN(4)]
	for i := range g.masks {
		for bit := range 64 {
			if g.IntN(10) < share {
				g.masks[i] |= 1 << bit
			}
		}
	}
}

// draw returns a random construct below n that the system has, and 99 if it finds none.
func (g *everyday) draw(kind, n int) int {
	for range 6 - min(6, g.inside) {
		if i := g.IntN(n); g.masks[kind]>>i&1 != 0 {
			return i
		}
	}
	return 99
}

func (g *everyday) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *everyday) line(format string, args ...any) {
	fmt.Fprintf(g, strings.Repeat("  ", g.depth)+format+"\n", args...)
}

func (g *everyday) fresh() string {
	g.names++
	return fmt.Sprint("v", g.names)
}

// within writes a block whose locals end with it.
func (g *everyday) within(n, levels int) {
	nums, texts, bools, ents, maybes := g.nums, g.texts, g.bools, g.ents, g.maybes
	g.depth++
	for range n {
		g.statement(levels)
	}
	g.depth--
	g.nums, g.texts, g.bools, g.ents, g.maybes = nums[:len(nums):len(nums)], texts[:len(texts):len(texts)], bools[:len(bools):len(bools)], ents[:len(ents):len(ents)], maybes[:len(maybes):len(maybes)]
}

// everydayTables are the tables and functions around the loops of a system.
const everydayTables = `local ecs = require("ecs")
local lib = require("lib")
local clamp, rules, random, floor = lib.clamp, lib.rules, ecs.random, math.floor
local KINDS, LIMITS = { "fire", "ice", "stone", "none" }, { 2, 6, 20 }
local SPEED = { fire = 2, ice = 0.5, none = 0 }
local NEXT = { fire = "ice", ice = "stone", stone = "fire" }
local RULES = { fire = { dps = 3, next = "ice", on = true }, ice = { dps = 0.5, next = "none", on = false }, stone = { dps = 1, next = "fire" } }
local conf = { speed = 1.5, field = "now", resource = "gold", on = true, name = "conf" }
local QUERIES = { ecs.query{ "Hp", "Unit" }, hurt = ecs.query{ "Hp", "Unit", untagged = { "red" } } }
local function addup(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...) or 0) end return s end
local function weighed(...) local s = 0 for i, v in ipairs({ ... }) do s = s + i * v end return s, ... end
local function boxed(...) return { n = select("#", ...), ... } end
local function called(f, ...) if select("#", ...) > 2 then return f(select(2, ...)) end return f(...) end
local hooks = { { cb = addup }, { cb = weighed, n = 1 }, { n = 2 }, { cb = function(x) return x, "three" end } }
local function pick(n) print("pick", n) if n > 20 then return QUERIES.hurt end return QUERIES[1] end
local list, seen, count, by, grid, objs, names, nums = {}, {}, {}, {}, { { 1, 2 }, { 3, 4 } }, {}, {}, { 5, 3, 8 }
local deep, recs, box = {}, { { n = 1, s = "one", list = {} }, { n = 2, s = "two", extra = 3 } }, { log = {}, n = 0, by = { fire = { n = 0 } } }
local stats = { fire = { n = 0 }, ice = { n = 0 } }
local total, last, text, kept = 0, nil, "", nil
local Obj = {}
Obj.__index = Obj
function Obj.new(e, n) return setmetatable({ e = e, n = n, log = {} }, Obj) end
function Obj:step(x) self.n = self.n + x if self.n > 50 then self.n = 0 self.log[#self.log + 1] = x end return self.n end
function Obj:get() return self.n end
` + everydayClasses + everydayKept + `local function show(t, depth)
  if type(t) ~= "table" then return tostring(t) end
  local parts, n = {}, 0
  for k, v in pairs(t) do
    n = n + 1
    if n <= 30 then parts[#parts + 1] = tostring(k) .. "=" .. (type(v) == "table" and depth < 2 and show(v, depth + 1) or type(v) == "table" and "table" or tostring(v)) end
  end
  return #t .. "/" .. n .. "{" .. table.concat(parts, " ") .. "}"
end
`

// everydaySystem writes a system with one or two loops.
func everydaySystem(seed uint64) string {
	g := &everyday{Rand: rand.New(rand.NewPCG(seed, 31)), rare: []int{3, 20, 200}[seed%3]}
	g.palette()
	g.WriteString(everydayTables)
	for _, name := range []string{"idle", "fight", "flee"} {
		g.views, g.nums, g.ents = map[string]string{"Unit": "u", "Hp": "h"}, []string{"dt", "total"}, []string{"e"}
		g.line("local function %s(world, e, u, h, dt)", name)
		g.within(1+g.IntN(3), 1)
		g.line("  return %s", g.pick("", g.num(1), g.text(1), g.num(1)+", "+g.bool(1)))
		g.line("end")
	}
	g.line("local ACTIONS = { idle = idle, fight = fight, flee = flee }")
	loops := 1 + g.IntN(2)
	for i := range loops {
		g.line("local function walk%d(world, dt)", i)
		g.loop()
		g.line("  return total")
		g.line("end")
	}
	g.line("return function(world, dt)")
	if g.IntN(3) == 0 {
		g.line("  if world.frame == %d then %s end", 2+g.IntN(2), g.pick(
			`list = { "x" }`, `SPEED.fire = "fast"`, `SPEED.new = 3`, `RULES.ice = nil`, `lib.clamp = function(x) return x end`, `ACTIONS.idle = fight`, `nums[2] = nil`, `nums[1] = "one"`,
			`setmetatable(SPEED, { __index = function() return 1 end })`, `for i = 1, 5000 do list[#list + 1] = i end`, `for i = 1, 4200 do by["k" .. i] = i end`, `grid[1] = { 1 }`, `grid[3] = nums`,
			`Obj.step = Obj.get`, `rules.fire = { dps = "much" }`, `conf.field = "max"`, `conf.speed = nil`, `total = "none"`, `for i = 1, 5000 do nums[i] = i end`, `stats.ice = stats.fire`,
			`lib.find = function(kind) return kind end`, `NEXT = { fire = 3 }`, `KINDS[2] = nil`, `LIMITS[4] = 1e9`, `list = nums`, `count = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v + 1) end })`,
		))
	}
	for i := range loops {
		g.line("  %s", strings.ReplaceAll(g.pick("print(WALK(world, dt))", "print(pcall(WALK, world, dt))", "print(pcall(WALK, world, dt)) print(pcall(WALK, world, dt))", "print(coroutine.wrap(WALK)(world, dt))"), "WALK", fmt.Sprint("walk", i)))
	}
	g.line("  print(total, last, text, show(kept, 0), show(list, 0), show(seen, 0), show(count, 0), show(by, 0), show(grid, 0), show(names, 0), show(stats, 0), show(deep, 0), show(recs, 0), show(box, 0), show(objs, 1), show(nums, 0), conf.speed, lib.calls(), random())")
	g.line("end")
	return g.String()
}

// everydayLibrary writes the required file.
func everydayLibrary(seed uint64) string {
	g := &everyday{Rand: rand.New(rand.NewPCG(seed, 32)), library: true, rare: 20, masks: [4]uint64{1<<63 - 1, 1<<63 - 1, 1<<63 - 1, 1<<63 - 1}}
	g.WriteString(`local ecs = require("ecs")
local lib, calls, best = {}, 0, { fire = 3, ice = 1 }
lib.rules = { fire = { dps = 2 }, ice = { dps = 1 }, stone = { dps = 0, slow = true } }
function lib.clamp(x, low, high) if x < (low or 0) then return low or 0 elseif high and x > high then return high end return x end
function lib.find(kind) return best[kind] end
function lib.two(x) return x + 1, x > 2 and x or nil end
function lib.calls() return calls end
function lib.hurt(h, n) if n and n > 0 then h.now = h.now - n end return h.now > 0 end
function lib.friend(world, e, u) if u.target ~= ecs.none and world:alive(u.target) then return u.target end end
function lib.name(kind, n) return kind .. "#" .. n end
`)
	for _, name := range []string{"scale", "count"} {
		g.nums = []string{"x"}
		g.line("function lib.%s(x)", name)
		g.line("  calls = calls + 1")
		g.within(g.IntN(2), 1)
		g.line("  return %s", g.num(2))
		g.line("end")
	}
	g.line("return lib")
	return g.String()
}

// everydayWorld is the system that makes the world: few entities, whose values repeat.
const everydayWorld = `local ecs = require("ecs")
local KINDS, STATES = { "fire", "ice", "stone", "none", "" }, { "idle", "fight", "flee", "lost" }
return function(world)
  local made = {}
  for i = 1, ecs.random(%d) do
    local parts = {}
    if ecs.random() < 0.8 then parts.Pos = { x = ecs.random(0, 12), y = ecs.random(0, 12) / 2 } end
    if ecs.random() < 0.8 then parts.Hp = { now = ecs.random(0, 40) / 4, max = 10, kind = KINDS[ecs.random(#KINDS)] } end
    if ecs.random() < 0.7 then parts.Unit = { side = ecs.random(0, 2), level = ecs.random(0, 9), state = STATES[ecs.random(#STATES)], target = made[ecs.random(1, #made + 1)] or ecs.none, on = ecs.random() < 0.5 } end
    if ecs.random() < 0.5 then
      local items = {}
      for j = 1, ecs.random(0, 3) do items[j] = { kind = KINDS[ecs.random(#KINDS)], n = ecs.random(0, 5) } end
      if ecs.random() < 0.3 then items.gold = ecs.random(9) end
      parts.Bag = { items = items, count = #items, n = 1 }
    end
    made[i] = world:spawn(parts)
    if ecs.random() < 0.3 then world:tag(made[i], "red") end
  end
  for i = 1, ecs.random(0, 6) do world:send("Hit", { from = made[1], to = made[ecs.random(#made)], amount = i, kind = KINDS[ecs.random(#KINDS)], data = { n = i } }) end
end`
