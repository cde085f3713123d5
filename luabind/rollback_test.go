package luabind

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// rollbackBodies are turns that change a world in all ways that Lua has; each fails at its end.
var rollbackBodies = map[string]string{
	"values":             `for e, p in world:each("P") do p.x = p.x + 1 p.y = p.x * 2 end`,
	"in a condition":     `for e, p, q in world:each("P", "Q") do if p.x % 3 == 0 then q.n = q.n + 1 p.x = p.x + 0.5 end end`,
	"strings and tables": `for e, b in world:each("Bag") do b.name = b.name .. "!" b.items.gold = (b.items.gold or 0) + 1 b.items.list = { e } end`,
	"single values":      `local e = world:first("P") world:set(e, "P", { x = 99 }) world:get(e, "P").y = 7`,
	"random numbers":     `for e, p in world:each("P") do p.x = ecs.random(100) end local n = ecs.random()`,
	"spawned":            `for i = 1, 40 do world:spawn{ P = { x = i }, Q = {} } end world:spawn_many(30, { P = { x = 5 } })`,
	"despawned":          `local list = {} for e in world:each("P") do list[#list + 1] = e end for i = 1, #list, 3 do world:despawn(list[i]) end world:spawn{ P = { x = 3 } }`,
	"components":         `local list = {} for e in world:each("P") do list[#list + 1] = e end for i = 1, #list, 2 do world:set(list[i], "Q", { n = 3 }) world:remove(list[i], "P") end`,
	"a new kind":         `local e = world:first("P") world:set(e, "Rare", { v = 1 }) world:spawn{ Rare = {}, Bag = {} }`,
	"tags":               `for e, p in world:each("P") do if p.x % 2 == 0 then world:tag(e, "red") else world:untag(e, "red") end world:tag(e, "blue") end`,
	"relations":          `local a = world:first("P") for e, p in world:each("P") do if e ~= a then world.commands:relate(e, "Likes", a) end end`,
	"relations at once":  `local l = {} for e in world:each("P") do l[#l + 1] = e end for i = 2, #l do world:relate(l[i], "ChildOf", l[1]) end world:unrelate(l[3], "ChildOf") world:despawn(l[2])`,
	"many targets":       `local l = {} for e in world:each("P") do l[#l + 1] = e end for i = 1, #l do world:relate(l[i], "Knows", l[i * 7 % #l + 1]) world:relate(l[i], "Knows", l[i * 5 % #l + 1]) end world:unrelate(l[3], "Knows", l[22]) world:unrelate(l[4], "Knows") world:despawn(l[2]) for t in world:targets(l[5], "Knows") do world.commands:unrelate(l[5], "Knows", t) end world:spawn{ P = {}, Knows = { l[1], l[6] } }`,
	"events":             `for e, p in world:each("P") do world:send("Hit", { who = e, n = p.x }) end for h in world:read("Hit") do world.resources.score = world.resources.score + h.n end`,
	"drained":            `for h in world:drain("Hit") do world.resources.score = world.resources.score - 1 end world:send("Hit", { n = 1 })`,
	"changes":            `for e, p in world:each(news) do p.y = p.y + 1 end`,
	"resources":          `world.resources.score = 1000 world.resources.name = "other" world.resources.data = { 1, 2 }`,
	"stopped":            `world:stop("because")`,
	"near":               `for e, p in world:each("P") do for o, d in world:near("g", p.x, p.y, 4) do p.y = p.y + d end end`,
	"commands":           `for e, p in world:each("P") do world.commands:set(e, "P", { x = 0 }) world.commands:spawn{ P = {} } if p.x % 5 == 0 then world.commands:despawn(e) end end`,
	"removals":           `for e in world:removed("P") do world.resources.score = world.resources.score + 1 end world:despawn(world:first("P"))`,
}

// rollbackRun runs a body in a system that fails in every odd frame, beside systems that look at everything. Without
// fails the system has no turn in these frames, and the handles that it would have given out are used up: given has them, by failed turn.
func rollbackRun(t *testing.T, impl Impl, policy Policy, body string, fails, command bool, given *[][]uint32) string {
	t.Helper()
	const head = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64" }) ecs.component("Q", { n = "i32" }) ecs.component("Bag", { name = "string", items = "table" }) ecs.component("Rare", { v = "f64" })
ecs.tag("red") ecs.tag("blue") ecs.relation("Likes") ecs.relation("Knows", { targets = "many" }) ecs.event("Hit", { who = "entity", n = "f64" })
ecs.resource("score", { type = "f64" }) ecs.resource("name", { type = "string" }) ecs.resource("data", { type = "table" })
ecs.grid("g", { component = "P", x = "x", y = "y", cell = 2 })
local news = ecs.query{ "P", changed = { "P" } }
`
	last := `error("now")`
	if command { // the turn ends well, and its commands do not: applying them passes the limit of entities
		last = `for i = 1, 3000 do world.commands:spawn{} end`
	}
	if !fails {
		last = ""
	} else {
		last = "if world.frame % 2 == 1 then " + last + " end"
	}
	var out bytes.Buffer
	r, err := New(Options{
		Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Seed: 5, Memory: restlessMemory(), MaxEntities: 2000}), Stdout: &out, Limits: Limits{OnError: policy, Errors: 1000},
		Report: func(*ScriptError) {},
		Scripts: files(map[string]string{
			"a": head + `return { init = function(world)
  for i = 1, 150 do world:spawn{ P = { x = i % 17, y = i % 7 }, Q = i % 2 == 0 and { n = i } or nil, Bag = i % 3 == 0 and { name = "bag" .. i, items = { gold = i } } or nil } end
end, update = function(world) for e, p in world:each("P") do if world:tagged(e, "red") then p.y = p.y + 1 end end world:send("Hit", { n = world.frame }) end }`,
			"bad": head + "return function(world, dt)\n" + body + "\n" + last + "\nend",
			"see": head + `return function(world)
  local n, sum, changed = 0, 0, 0
  for e, p in world:each("P") do n = n + 1 sum = (sum + p.x * n + p.y) % 1000003 end
  for e in world:each(news) do changed = changed + 1 end
  local hits, gone = 0, 0
  for e in world:removed("P") do gone = gone + 1 end
  for h in world:read("Hit") do hits = hits + h.n end
  print(world.frame, n, sum, changed, hits, gone, world.resources.score, world:count("Q"), ecs.random(1000))
  for e, p in world:each("P") do if n % 2 == 0 then p.x = (p.x + ecs.random(3)) % 17 end end
  if n > 400 then local k = 0 for e in world:each("P") do k = k + 1 if k > 150 then world.commands:despawn(e) end end end
end`,
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	bad := System{Name: "bad", Script: "bad.lua", Impl: impl}
	if !fails {
		bad.When = "frame % 2 == 0"
	}
	for _, sys := range []System{{Name: "a", Script: "a.lua"}, bad, {Name: "see", Script: "see.lua", Impl: impl}} {
		if err := r.Add(sys); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		t.Fatal(err)
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	failures := 0
	r.Schedule().After = func(sys *ecs.System) {
		switch odd := r.World().Frame()%2 == 1; {
		case odd && fails && sys.Name() == "bad":
			*given = append(*given, ecs.Raw.GivenOut(r.World()))
		case odd && !fails && sys.Name() == "a":
			ecs.Raw.UseUp(r.World(), (*given)[0])
			*given = (*given)[1:]
		}
	}
	for range 8 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, r.World().Digest())
		if _, stopped := r.World().Stopped(); stopped {
			fmt.Fprintln(&out, "stopped")
		}
		if err := r.World().Check(); err != nil {
			t.Error(err)
		}
	}
	if failures = r.Failures().Errors + r.Failures().Limits; failures != 4 && fails {
		t.Fatalf("%d turns failed: %v", failures, r.Failures().FirstError)
	}
	return out.String()
}

// A turn that fails under skip or disable leaves the world as if it had not happened, whatever it did before; only the handles that it gave out are used up.
func TestFailedTurnsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(rollbackBodies)) {
		body := rollbackBodies[name]
		for k, impl := range everyTier {
			for j, command := range []bool{false, true} {
				if !effort.Full() && (i+k)%3 > 0 || testing.Short() && (i+j)%2 > 0 {
					continue // another body is tried in this way
				}
				t.Run(fmt.Sprint(name, "/", impl, "/", command), func(t *testing.T) {
					policy := Skip
					if command {
						policy = Disable
					}
					var given [][]uint32
					got := rollbackRun(t, impl, policy, body, true, command, &given)
					if want := rollbackRun(t, impl, Skip, body, false, command, &given); got != want {
						t.Fatalf("%v\n%s\nwant\n%s", policy, got, want)
					}
				})
			}
		}
	}
}

// A handle or a view that a script keeps of work that was taken back is never that of another entity.
func TestHandlesOfWorkThatWasTakenBack(t *testing.T) {
	const spawns = `return function(world) world:spawn{ Position = { x = 777 } } world:spawn{ Position = { x = 778 } } end`
	for name, body := range map[string]string{
		"spawned":         `kept[1] = world:spawn{ Position = { x = 1 } }`,
		"many":            `kept = world:spawn_many(3, { Position = { x = 1 } })`,
		"queued":          `kept[1] = world.commands:spawn{ Position = { x = 1 } }`,
		"in another slot": `world:despawn(first) kept[1] = world:spawn{ Position = { x = 1 } } world:despawn(kept[1]) kept[2] = world:spawn{ Position = {} }`,
	} {
		for _, impl := range everyTier {
			var out bytes.Buffer
			o := Options{Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"spawns": spawns, "keeps": `
local first, view
local kept, past = {}, {}
return {
  init = function(world) first = world:spawn{ Position = {} } end,
  update = function(world)
    if world.frame % 2 == 1 then
      ` + body + `
      for _, e in ipairs(kept) do past[#past + 1] = e end
      if world:alive(kept[1]) then view = world:get(kept[1], "Position") end
      error("taken back")
    end
    local alive = 0
    for _, e in ipairs(past) do if world:alive(e) then alive = alive + 1 end end
    print(alive, view and select(2, pcall(function() return view.x end)) == 777)
    if world.frame == 4 then world:despawn(first) end
  end,
}`})}
			if _, err := run(t, o, 6, System{Name: "keeps", Impl: impl}, System{Name: "spawns", Impl: impl}); err != nil {
				t.Fatal(err)
			}
			if want := strings.Repeat("0\tfalse\n", 3); out.String() != want && out.String() != strings.ReplaceAll(want, "false", "nil") {
				t.Errorf("%s under %v: printed\n%s", name, impl, out.String())
			}
		}
	}
}
