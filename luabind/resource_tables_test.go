package luabind

import (
	"strings"
	"testing"
)

// boardScript has resources of type table. BODY is the loop.
const boardScript = `
local ecs = require("ecs")
ecs.component("Unit", { team = "u8", hp = "f64" })
ecs.component("Bag", { items = "table" })
ecs.event("Hit", { n = "f64" })
ecs.resource("board", { type = "table", default = {} })
ecs.resource("score", { type = "i32", default = 0 })
local M, total = {}, 0
function M.init(world)
  world.resources.board = { counts = {}, list = {}, sum = 0, by = { a = { n = 1 } } }
  for i = 1, 20 do
    world:spawn{ Unit = { team = i % 3 * 60, hp = i }, Bag = { items = { i } } }
    world:send("Hit", { n = i })
  end
end
local function note(res, k) res.board.counts[k] = (res.board.counts[k] or 0) + 1 return k end
local function run(world, dt)
  local res = world.resources
  BODY
end
function M.update(world, dt)
  local ok, err = pcall(run, world, dt)
  local b = world.resources.board
  print(ok, err, total, #b.list, b.sum, world.resources.score)
  for k, v in pairs(b.counts) do print(k, v) end
  for i, v in ipairs(b.list) do print(i, v) end
  for k, v in pairs(b.by) do print(k, v.n) end
end
return M
`

// Loops that change the table of a resource, or assign one, run as closures, and do what the interpreter does. A row that
// fails leaves in the resource what it had stored before it failed, as in Lua, and nothing twice.
func TestResourceTablesInLoops(t *testing.T) {
	for name, c := range map[string]struct{ body, prints string }{
		"counts":          {`for e, u in world:each("Unit") do res.board.counts[u.team] = (res.board.counts[u.team] or 0) + 1 end`, ""},
		"by its name":     {`for e, u in world:each("Unit") do world.resources.board.sum = world.resources.board.sum + u.hp res.score = res.score + 1 end`, ""},
		"append":          {`for e, u in world:each("Unit") do res.board.list[#res.board.list + 1] = u.hp table.insert(res.board.list, u.team) if #res.board.list > 9 then table.remove(res.board.list, 1) end end`, ""},
		"read and assign": {`for e, u in world:each("Unit") do local b = res.board b.sum = b.sum + u.hp res.board = b b.sum = -1 total = total + res.board.sum end`, ""},
		"a new table":     {`for e, u in world:each("Unit") do res.board = { counts = { a = u.hp }, list = { u.team }, sum = res.board.sum + 1, by = {} } end`, ""},
		"deep":            {`for e, u in world:each("Unit") do res.board.by.a.n = res.board.by.a.n + u.hp res.board.by["t" .. u.team] = { n = u.team } end`, ""},
		"a copy":          {`for e, u in world:each("Unit") do local b = res.board b.sum = b.sum + 1 b.counts[1] = 5 total = total + b.sum + res.board.sum end`, ""},
		"order":           {`for e, u in world:each("Unit") do res.board.counts[note(res, 7)] = note(res, 8) + (res.board.counts[7] or 0) end`, ""},
		"to a field":      {`for e, u, b in world:each("Unit", "Bag") do b.items = res.board.list b.items[1] = u.hp res.board.list = b.items res.board.list[2] = u.team end`, ""},
		"events":          {`for hit in world:peek("Hit") do res.board.counts[hit.n % 4] = (res.board.counts[hit.n % 4] or 0) + hit.n end`, ""},
		"an error later":  {`for e, u in world:each("Unit") do res.board.sum = res.board.sum + 1 u.team = u.team + 60 end`, "does not fit"},
		"an error in it":  {`for e, u in world:each("Unit") do res.board.sum = res.board.sum + 1 res.board.list.x.y = u.hp end`, "nil"},
		"no table":        {`for e, u in world:each("Unit") do res.board.sum = res.board.sum + 1 local n = u.hp > 5 and { counts = {}, list = {}, sum = 1, by = {} } or total res.board = n end`, "table"},
	} {
		t.Run(name, func(t *testing.T) {
			script := strings.Replace(boardScript, "BODY", c.body, 1)
			if kernels, _ := sameUnderAll(t, script, c.prints); kernels == 0 {
				t.Error("no kernel")
			}
			failing := strings.Replace(script, `  local ok, err = pcall(run, world, dt)`, `  local ok, err = true, run(world, dt) if world.frame == 2 then error("later") end`, 1)
			sameUnderAll(t, failing, "")
		})
	}
}

// A place in a script that reads a field of several things in turn reads each time that of the thing.
func TestResourcesAmongOtherThings(t *testing.T) {
	sameUnderAll(t, `
local ecs = require("ecs")
ecs.resource("first", { type = "i32", default = 7 })
ecs.resource("score", { type = "i32", default = 3 })
ecs.component("Unit", { score = "f64", first = "f64" })
local function score(o) return o.score end
local function any(o, name) return o[name] end
return {
  init = function(world) world:spawn{ Unit = { score = 20, first = 30 + world.resources.first } } end,
  update = function(world)
    for e, unit in world:each("Unit") do
      for _, o in ipairs{ world.resources, unit, { score = 40 }, world.resources, unit } do
        print(score(o), any(o, "score"), any(o, "first"))
      end
    end
  end,
}`, "20")
}
