package luabind

import (
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Scripts that misuse the binding. Each must end in success or in a script's
// error, with a whole and unlocked world, and leave the system behind it alone.
func TestAttacks(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"a million events":            {`for i = 1, 1000000 do world:send("Hit", {}) end`, "instructions"},
		"send while reading":          {`world:send("Hit", {}) for ev in world:read("Hit") do world:send("Hit", {}) end`, ""},
		"read for ever":               {`world:send("Hit", {}) while true do for ev in world:read("Hit") do world:send("Hit", {}) end end`, "instructions"},
		"template spawns":             {`world:spawn_many(50, {}, function() world:spawn{} return {} end)`, ""},
		"template batches":            {`world:spawn_many(3, {}, function() world:spawn_many(3, {}, function() return { Position = {} } end) return { Velocity = {} } end)`, ""},
		"template loops":              {`world:spawn{ Position = {} } world:spawn_many(3, {}, function() for e in world:each("Position") do return {} end end)`, ""},
		"template yields":             {`coroutine.wrap(function() world:spawn_many(3, {}, function() coroutine.yield() end) end)()`, "yield"},
		"template fills the world":    {`world:spawn_many(500, {}, function() world:spawn_many(100, {}) return {} end)`, "limit"},
		"template errors late":        {`world:spawn_many(900, {}, function(i) if i == 800 then error("late") end return {} end)`, "late"},
		"template leaves a loop":      {`world:spawn{ Position = {} } local it = world:each("Position") it() world:spawn_many(3, {}, function() it() return {} end)`, "was left"},
		"loop calls itself":           {`world:spawn{ Position = {} } world:spawn{ Position = {} } local it it = world:each("Position") for e in it do it() end`, ""},
		"loops 190 deep":              {`world:spawn{ Position = {} } local function f(n) if n > 0 then for e in world:each("Position") do local x = f(n - 1) break end end end f(190)`, ""},
		"loops too deep":              {`world:spawn{ Position = {} } local function f(n) for e in world:each("Position") do local x = f(n + 1) end end f(1)`, "overflow"},
		"despawn all by commands":     {`world:spawn_many(50, { Position = {} }) for e in world:each("Position") do world.commands:despawn(e) world.commands:despawn(e) end`, ""},
		"tag all members":             {`world:spawn_many(50, { Position = {}, "player" }) for e in world:each("Position") do world:untag(e, "player") world:tag(e, "enemy") end`, ""},
		"untag in a tagged loop":      {`local ecs = require("ecs") world:spawn_many(200, { Position = {}, "player" }) local n = 0 for e in world:each(ecs.query{ "Position", tagged = { "player" } }) do n = n + 1 world:untag(e, "player") end assert(n == 200, n)`, ""},
		"view in a metamethod":        {`local v = world:get(world:spawn{ Position = {} }, "Position") local t = setmetatable({}, { __index = v, __newindex = v }) t.x = 5 assert(t.x == 5 and v.x == 5)`, ""},
		"world in a metamethod":       {`local t = setmetatable({}, { __index = world }) t:spawn{}`, "bad self"},
		"view as a table":             {`for k in pairs(world:get(world:spawn{ Position = {} }, "Position")) do end`, "table expected"},
		"world methods on a view":     {`world.spawn(world:get(world:spawn{ Position = {} }, "Position"), {})`, "bad self"},
		"concat a view":               {`local s = "x" .. world:get(world:spawn{ Position = {} }, "Position")`, "concatenate"},
		"compare views":               {`local v = world:get(world:spawn{ Position = {} }, "Position") assert(v ~= 5 and v ~= world and v == v) local x = v < v`, "compare"},
		"call the world":              {`world()`, "call"},
		"index with odd keys":         {`world:get(world:spawn{ Position = {} }, "Position")[{}] = 1`, "named fields only"},
		"nan key":                     {`world:spawn{ [0/0] = {} }`, "NaN"},
		"huge name":                   {`world:get(world:spawn{}, string.rep("x", 1000000))`, "is not declared"},
		"name with a zero byte":       {`world:has(world:spawn{}, "Position\0")`, "is not declared"},
		"invalid utf-8":               {`world:spawn{ "\255\254" }`, "is not declared"},
		"huge string stored":          {`local v = world:get(world:spawn{ Kinds = {} }, "Kinds") v.name = string.rep("x", 10000000) assert(#v.name == 10000000)`, ""},
		"wide table stored":           {`local t = {} for i = 1, 20000 do t[i] = i end local v = world:get(world:spawn{ Kinds = {} }, "Kinds") v.items = t assert(#v.items == 20000)`, ""},
		"table keyed by a view":       {`local v = world:get(world:spawn{ Kinds = {} }, "Kinds") v.items = { [v] = 1 }`, "cannot be a key"},
		"odd keys stored":             {`local v = world:get(world:spawn{ Kinds = {} }, "Kinds") v.items = { [1.5] = 1, [-1] = 2, [2^60] = 3, [true] = 4 } assert(v.items[2^60] == 3 and v.items[true] == 4)`, ""},
		"deep template":               {`world:spawn_many(2, { Kinds = { items = { { { 1 } } } } }) for e, k in world:each("Kinds") do assert(k.items[1][1][1] == 1) end`, ""},
		"declare in a loop":           {`local ecs = require("ecs") world:spawn{ Position = {} } for e in world:each("Position") do ecs.component("C" .. world.frame, { a = "f64" }) ecs.tag("t" .. world.frame) end`, ""},
		"declare 2,000 components":    {`local ecs = require("ecs") for i = 1, 2000 do ecs.component("C" .. i, { a = "f64" }) end world:spawn{ "C1999", "C5" }`, ""},
		"redeclare":                   {`local ecs = require("ecs") ecs.component("Position", { x = "string" })`, "declared differently"},
		"spent budget under pcall":    {`while true do pcall(world.spawn, world, {}) pcall(function() for e in world:each("Position") do end end) end`, "instructions"},
		"spent budget in a loop":      {`world:spawn{ Position = {} } for e in world:each("Position") do while true do pcall(world.get, world, e, "Position") end end`, "instructions"},
		"commands without end":        {`while true do world.commands:spawn{} end`, "limit"},
		"sort calls the api":          {`local list = world:spawn_many(50, { Position = {} }) table.sort(list, function(a, b) world:get(a, "Position").x = 1 return a > b end)`, ""},
		"sort despawns":               {`local list = world:spawn_many(50, { Position = {} }) table.sort(list, function(a, b) world:despawn(a) return a > b end) assert(world:count() < 50)`, ""},
		"gsub spawns":                 {`string.gsub(string.rep("x", 50), "x", function() world:spawn{} end)`, ""},
		"a view's own metatable":      {`assert(getmetatable(world:get(world:spawn{ Position = {} }, "Position")) == nil)`, ""},
		"set a metatable":             {`setmetatable(world, {})`, "table expected"},
		"rawset a view":               {`rawset(world:get(world:spawn{ Position = {} }, "Position"), "x", 1)`, "table expected"},
		"coroutine outlives the turn": {`local held = require("held") held.co = coroutine.wrap(function() for e in world:each("Position") do coroutine.yield() end end) world:spawn{ Position = {} } held.co()`, ""},
		"removed while removing":      {`local e = world:spawn{ Position = {} } world:remove(e, "Position") for x in world:removed("Position") do world:spawn{ Position = {} } end`, ""},
		"stop often":                  {`for i = 1, 10 do world:stop("x" .. i) end`, ""},
		"error with a table":          {`error({ code = 5 })`, "code = 5"},
		"error with nil":              {`error()`, "no message"},
		"error with a view":           {`error(world:get(world:spawn{ Position = {} }, "Position"))`, "error object"},
	} {
		t.Run(name, func(t *testing.T) {
			w := ecs.NewWorld(ecs.Options{Seed: 1, MaxEntities: 1000})
			declareForTests(t, w)
			var first *ScriptError
			r, err := run(t, Options{
				World: w, Limits: Limits{OnError: Disable, Instructions: 400_000},
				Report: func(e *ScriptError) {
					if first == nil {
						first = e
					}
				},
				Scripts: files(map[string]string{
					"bad": "return function(world)\n" + c.source + "\nend", "held": "return {}",
					"good": `return function(world, dt)
  local ok = pcall(require("held").co or print)
  local seen = 0
  for e, p in world:each("Position") do seen = seen + 1 end
  world:despawn(world:count() > 900 and world:first("Position") or 0)
  assert(string.format("%d", seen) and pairs({}))
end`,
				}),
			}, 2, System{Name: "bad"}, System{Name: "good"})
			if err != nil || errors.Is(r.Failures().FirstError, ErrBug) {
				t.Fatalf("it ended the run, or is our bug: %v, %v", err, r.Failures().FirstError)
			}
			switch {
			case c.want == "" && first != nil:
				t.Errorf("got %v", first)
			case c.want != "" && (first == nil || !strings.Contains(first.Error(), c.want)):
				t.Errorf("got %v, want %s", first, c.want)
			case first != nil && first.System != "bad":
				t.Errorf("it failed another system: %v", first)
			case first != nil && len(first.Error()) > 2000:
				t.Errorf("the message has %d bytes", len(first.Error()))
			}
			if err := w.Check(); err != nil || w.Locked() {
				t.Errorf("the world is broken (%v) or locked (%v)", err, w.Locked())
			}
		})
	}
}
