package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Loops that look at components with strings or tables of other entities, at targets of relations and at sources are
// machine code, and do what they do interpreted.

// mirrorHead declares a world in which every kind of answer occurs: entities that are dead, that lack the component, that aim at themselves or
// at one behind them in the same table, long strings and empty ones.
const mirrorHead = `local ecs = require("ecs")
ecs.component("Pos", { x = "f64", y = "f64" })
ecs.component("Unit", { side = "string", hp = "f64", name = "string", n = "i8", at = "entity", notes = "table", b = "bool", f = "f32" })
ecs.component("Bag", { label = "string", weight = "f64" })
ecs.component("Aim", { at = "entity", seen = "string", count = "f64" })
ecs.component("Note", { text = "string" })
ecs.relation("Follows")
ecs.event("Hit", { who = "entity", amount = "f64", why = "string" })
ecs.tag("red")
ecs.grid("map", { component = "Pos", x = "x", y = "y", cell = 4 })
ecs.resource("score", { type = "f64" }) ecs.resource("word", { type = "string", default = "red" })
local units = ecs.query{ "Unit", optional = { "Bag" } }
local RATE = { red = 2, blue = 3, [""] = 5 }
local COUNT = %d
local M = {}
function M.init(world)
  local list = {}
  for i = 1, COUNT do
    local c = { Pos = { x = i %% 37, y = i %% 23 }, Aim = {} }
    if i %% 3 ~= 0 then c.Unit = { side = ({ "red", "blue", "", string.rep("long", 80) })[i %% 4 + 1], hp = i %% 50, name = "u" .. i, n = i %% 100, notes = { i } } end
    if i %% 5 == 0 then c.Bag = { label = "bag" .. i %% 7, weight = i } end
    if i %% 17 == 0 then c.Note = { text = "note" .. i } end
    list[i] = world:spawn(c)
    if i > 10 and i %% 2 == 0 then world:relate(list[i], "Follows", list[i %% 10 + 1]) end
    if i %% 6 == 0 then world:tag(list[i], "red") end
  end
  for i = 1, COUNT do
    world:set(list[i], "Aim", { at = i %% 11 == 0 and ecs.none or i %% 12 == 0 and list[i] or list[i * 7 %% COUNT + 1] })
    if i %% 3 ~= 0 then world:set(list[i], "Unit", { at = list[i * 5 %% COUNT + 1] }) end
  end
  for i = 11, COUNT, 13 do world:despawn(list[i]) end
end
`

var mirrorLoops = map[string]string{
	"a string is compared": `for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u and u.side == "red" then aim.count = aim.count + 1 elseif u and u.side ~= world.resources.word then aim.count = aim.count + 10 end
end`,
	"a string is stored in the row": `for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u then aim.seen = u.name else aim.seen = "" end
end`,
	"a string is a key": `local RULES = { red = { dps = 2 }, blue = { dps = 3 }, [""] = { dps = 0 } }
for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u then
    local rule = RULES[u.side]
    aim.count = aim.count + (rule and rule.dps or -1)
  end
end`,
	"counters by strings of others": `local by = { red = 1 }
for e, aim, pos in world:each("Aim", "Pos") do
  local u = world:get(aim.at, "Unit")
  if u then
    by[aim.seen] = (by[aim.seen] or 0) + 1
    local o = world:get(u.at, "Unit")
    if o then by[o.name] = (by[o.name] or 0) + 1 aim.seen = o.name end
    by[u.name] = (by[u.name] or 0) + 1
    if pos.x == 7 then world.resources.score = world.resources.score + by[u.side] end
    aim.count = by[u.name]
  end
end
local n = 0
for k, v in pairs(by) do n = n * 3 % 1001 + v + #k end
world.resources.score = n`,
	"a field beside strings": `for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u then aim.count = aim.count + u.hp + u.n + u.f if u.b then aim.count = 0 end end
end`,
	"a string is assigned": `for e, aim, pos in world:each("Aim", "Pos") do
  local u = world:get(aim.at, "Unit")
  if u then
    if pos.x > 20 then u.side = "blue" elseif pos.x > 10 then u.side = aim.seen else u.name = u.side end
    if u.side == "blue" then aim.seen = u.name end
  end
end`,
	"numbers beside strings are assigned": `for e, aim, pos in world:each("Aim", "Pos") do
  local u = world:get(aim.at, "Unit")
  if u then u.hp = u.hp - pos.x / 7 u.f = u.hp u.b = u.hp < 0 u.at = e end
end`,
	"a row is left after it has assigned": `for e, aim, pos in world:each("Aim", "Pos") do
  local u = world:get(aim.at, "Unit")
  if u then
    u.side, u.hp = "taken", u.hp + 1
    u.n = u.n + (pos.x > 30 and 0.5 or 1)
  end
end`,
	"rows read what rows before have written": `for e, unit in world:each("Unit") do
  local o = world:get(unit.at, "Unit")
  if o then
    if o.side == unit.side then unit.hp = unit.hp + o.hp unit.name = o.name else o.hp = o.hp - unit.hp / 3 o.side = unit.side end
  end
end`,
	"rows write a component that is there in some": `for e, aim, unit in world:each(maybe) do
  local o = world:get(aim.at, "Unit")
  if o and unit then unit.name = o.side o.hp = unit.hp + 1 elseif o then o.name = "alone" end
end`,
	"only whether it is there": `for e, aim in world:each("Aim") do
  if world:get(aim.at, "Unit") then aim.count = aim.count + 1 end
  if world:has(aim.at, "Bag") then aim.count = aim.count + 100 end
end`,
	"rows write where others are asked for": `for e, unit in world:each("Unit") do
  unit.hp = unit.hp + 1
  if world:get(unit.at, "Unit") then unit.name = "has" else unit.side = "none" end
end`,
	"an inner loop": `for e, aim, pos in world:each("Aim", "Pos") do
  if pos.x < 3 then
    for o, unit, bag in world:each(units) do
      if unit.side == "red" then aim.count = aim.count + unit.hp end
      if bag and bag.label == "bag3" then aim.seen = unit.name end
    end
  end
end`,
	"entities that are near": `for e, pos, aim in world:each("Pos", "Aim") do
  for other, d2 in world:near("map", pos.x, pos.y, 2) do
    local u = world:get(other, "Unit")
    if u and u.side == "blue" and other ~= e then
      aim.count = aim.count + 1
      u.hp = u.hp - 1
      if u.hp < 0 then u.side = "" end
    end
  end
end`,
	"near ones with a filter": `for e, pos, aim in world:each("Pos", "Aim") do
  local best, who = 9, nil
  for other, d2 in world:near("map", pos.x, pos.y, 3) do
    local u = world:get(other, "Unit")
    if u and u.hp > 20 and d2 < best then best, who = d2, other end
  end
  if who then aim.at = who end
end`,
	"events": `for e, pos, aim in world:each("Pos", "Aim") do
  if pos.x < 9 then world:send("Hit", { who = aim.at, amount = pos.y, why = "x" .. pos.x }) end
end
for ev in world:read("Hit") do
  local u = world:get(ev.who, "Unit")
  if u then u.hp, u.name = u.hp - ev.amount, ev.why if u.side == "red" then world.resources.score = world.resources.score + 1 end end
end`,
	"a string goes on": `for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u then
    world:send("Hit", { who = e, amount = 1, why = u.side })
    world.commands:set(e, "Aim", { seen = u.name })
    if u.hp > 48 then world.resources.word = u.side end
  end
end`,
	"a nil view": `for e, aim, pos in world:each("Aim", "Pos") do
  if pos.x == 5 then aim.seen = world:get(aim.at, "Unit").side end
end`,
	"several components": `for e, aim in world:each("Aim") do
  local u, b, p = world:get(aim.at, "Unit"), world:get(aim.at, "Bag"), world:get(aim.at, "Pos")
  if u and b then b.label = u.side b.weight = b.weight + p.x u.hp = b.weight elseif b and p then b.label = "lone" p.y = p.y + 1 end
end`,
	"the target of a relation": `for e, pos, leader in world:each("Pos", "Follows") do
  local to = world:get(leader, "Pos")
  if to then pos.x = pos.x + (to.x - pos.x) * 0.1 end
  local u = world:get(leader, "Unit")
  if u and u.side == "red" then pos.y = pos.y + 1 end
  if leader == e then pos.x = 0 end
end`,
	"a relation of any entity": `for e, aim in world:each("Aim") do
  local leader = world:related(aim.at, "Follows")
  if leader then aim.count = aim.count + 1 aim.at = leader elseif world:related(e, "Follows") then aim.count = aim.count - 1 end
end`,
	"targets are sent on": `for e, aim, leader in world:each("Aim", "Follows") do
  world:send("Hit", { who = leader, amount = 1, why = "led" })
  if aim.count > 2 then world.commands:unrelate(e, "Follows") end
  if aim.at ~= ecs.none and world:alive(aim.at) and aim.at ~= e and world.frame == 2 then world.commands:relate(e, "Follows", aim.at) end
  aim.count = aim.count + 1
end`,
	"sources": `for e, aim in world:each("Aim") do
  local n = 0
  for child in world:sources("Follows", e) do
    local p, u = world:get(child, "Pos"), world:get(child, "Unit")
    n = n + p.x
    if u then u.hp = u.hp - 1 if u.side == "blue" then n = n + 1000 end end
    if n > 5000 then break end
  end
  aim.count = n
end`,
	"nothing but sources": `for e, aim in world:each("Aim") do
  for child in world:sources("Follows", e) do aim.count = aim.count + 1 if child == aim.at then break end end
end`,
	"sources of sources": `for e, aim in world:each("Aim") do
  for child in world:sources("Follows", e) do
    aim.count = aim.count + 1
    for grand in world:sources("Follows", child) do
      local o = world:get(grand, "Aim")
      o.count = o.count + 0.5
      if o.count > 3 then break end
    end
  end
  for child in world:sources("Follows", aim.at) do aim.at = child end
end`,
	"sources of rows that are left": `for e, aim, pos in world:each("Aim", "Pos") do
  for child in world:sources("Follows", e) do
    local u = world:get(child, "Unit")
    if u then u.n = u.n + (pos.y == 3 and 0.25 or 1) u.name = "led" end
  end
end`,
	"strings that are new in each frame": `for e, aim in world:each("Aim") do
  local u = world:get(aim.at, "Unit")
  if u and u.name == M.word then aim.count = aim.count + 1 end
end
M.word = "u" .. world.frame * 31
for i = 1, 3 do
  local u = world:get(M.first or ecs.none, "Unit")
end
world.commands:spawn{ Pos = { x = 1, y = 1 }, Aim = {}, Unit = { side = "s" .. world.frame, name = M.word } }`,
}

// mirrorSource is a system that runs a loop in a world of some entities.
func mirrorSource(loop string, entities int) string {
	return fmt.Sprintf(mirrorHead, entities) + "local maybe = ecs.query{ \"Aim\", optional = { \"Unit\" } }\nfunction M.update(world, dt)\n" + loop + "\nend\nreturn M\n"
}

// mirrorTrace runs a system for some frames. It returns what can be seen of the world, and how many loops are machine code.
func mirrorTrace(t *testing.T, source string, impl Impl, pool ecs.Pool, frames int) (seen string, machineCode int) {
	t.Helper()
	var out, watched strings.Builder
	w := ecs.NewWorld(ecs.Options{Seed: 3, Memory: restlessMemory()})
	if pool == nil { // each call is watched
		memory.InstrumentsOf(w).WatchEvery = 1
	}
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Pool: pool, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": source}),
		Report: func(e *ScriptError) {
			fmt.Fprintln(&out, e)
			if strings.Contains(e.Error(), "bug") {
				fmt.Fprintln(&watched, e)
			}
		},
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, frames)
	if watched.Len() > 0 {
		t.Errorf("%s", watched.String())
	}
	return out.String(), r.runner("a.lua").MachineKernels()
}

func TestMirrors(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(2)
	defer pool.Close()
	sizes := map[int][]ecs.Pool{17: {nil}, 3000: {pool}}
	if effort.More() {
		for _, entities := range []int{1, 16, 17, 400, 3000} {
			sizes[entities] = []ecs.Pool{nil, pool}
		}
	}
	for name, loop := range mirrorLoops {
		for entities, pools := range sizes {
			source := mirrorSource(loop, entities)
			want, _ := mirrorTrace(t, source, Lua, nil, 4)
			if entities < 100 || effort.More() {
				if got, _ := mirrorTrace(t, source, Closures, nil, 4); got != want {
					t.Errorf("%s, %d entities, closures:\n%.2000s\nwant\n%.2000s", name, entities, got, want)
				}
			}
			for _, cores := range pools {
				got, n := mirrorTrace(t, source, Auto, cores, 4)
				if got != want {
					t.Errorf("%s, %d entities, machine code:\n%.2000s\nwant\n%.2000s", name, entities, got, want)
				}
				if n < 1 {
					t.Errorf("%s, %d entities: no loop is machine code", name, entities)
				}
			}
		}
	}
}

// failedSource has rows that store in the row before them, and then fail. The loop ends there, in a pcall.
const failedSource = `local ecs = require("ecs")
ecs.component("Unit", { side = "string", hp = "f64", n = "i8", at = "entity" })
local M = {}
function M.init(world)
  local last
  for i = 1, 300 do
    local e = world:spawn{ Unit = { side = "s" .. i % 5, hp = i, n = i % 30 } }
    world:set(e, "Unit", { at = last or e }) last = e
  end
end
function M.update(world)
  local rows = 0
  local ok, err = pcall(function()
    for e, unit in world:each("Unit") do
      rows = rows + 1
      unit.n = unit.n % 30 + 1
      if unit.n == 50 then unit.hp, unit.side = 0, "x" end -- never, but rows may store these fields
      local o = world:get(unit.at, "Unit")
      o.hp = o.hp + 2 o.side = unit.side
      if rows == world.frame * 20 + 3 then unit.n = unit.n + 127 end
    end
  end)
  print(ok, err, rows)
end
return M`

// What such a row has stored in the row before it is undone, and done again by the interpreter.
func TestFailedRowsInMirrors(t *testing.T) {
	t.Parallel()
	want, _ := mirrorTrace(t, failedSource, Lua, nil, 8)
	for _, impl := range []Impl{Closures, Auto} {
		if got, _ := mirrorTrace(t, failedSource, impl, nil, 8); got != want {
			t.Errorf("%v:\n%.2000s\nwant\n%.2000s", impl, got, want)
		}
	}
}
