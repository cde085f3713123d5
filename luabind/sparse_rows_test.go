package luabind

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// sparseBodies are loops that see few of the rows: those with a tag, or those that were written since the last turn.
var sparseBodies = map[string]string{
	"a number":         `t.fuel = t.fuel + 1`,
	"a string read":    `if t.kind == "oak" then t.fuel = t.fuel + 2 end n[t.kind] = (n[t.kind] or 0) + 1`,
	"a string stored":  `t.kind = t.fuel % 3 == 0 and "oak" or "ash" t.fuel = t.fuel + 1`,
	"another column":   `local o = world:get(e, "Other") if o then t.fuel = o.v o.v = o.v + 1 end`,
	"rows that leave":  `t.fuel = t.fuel + 1 if t.fuel % 7 == 0 then print(e, t.kind, t.fuel) end`,
	"a map by entity":  `if since[e] then t.fuel = t.fuel + since[e] end since[e] = (since[e] or 0) + 1 if since[e] > 3 then since[e] = nil end`,
	"an empty map":     `if none[e] then t.fuel = 0 end t.fuel = t.fuel + 1`,
	"a loop in a row":  `for i = 1, 3 do if since[e] then t.fuel = t.fuel + i end since[e] = i end`,
	"effects":          `world.commands:set(e, "Other", { v = t.fuel }) t.fuel = t.fuel + 0.5`,
	"a search":         `if t.fuel > 900 then return end t.fuel = t.fuel + 1`,
	"random numbers":   `t.fuel = t.fuel + ecs.random(10)`,
	"an error in rows": `if t.fuel % 211 == 5 then error("at " .. t.fuel) end t.fuel = t.fuel + 1`,
}

// sparseTrace runs a body over the rows that a system has tagged and written before. Which ones it are differs from
// frame to frame: dense parts, gaps of all lengths, ends of blocks.
func sparseTrace(t *testing.T, impl Impl, memory ecs.Memory, query, body, fields string) string {
	t.Helper()
	var out bytes.Buffer
	r, err := New(Options{
		Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Seed: 3, Memory: memory}), Stdout: &out, Limits: Limits{OnError: Skip},
		Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
		Scripts: files(map[string]string{
			"choose": `local ecs = require("ecs")
ecs.component("Tile", { ` + fields + ` }) ecs.component("Other", { v = "f64", name = "string" }) ecs.tag("lit")
local rows, step = {}, 0
return { init = function(world)
  for i = 0, 699 do rows[i] = world:spawn{ Tile = { fuel = i, kind = i % 2 == 0 and "oak" or "elm" }, Other = i % 5 > 0 and { v = i } or nil } end
end, update = function(world)
  step = step + 1
  local at = -1
  for i = 0, 699 do world:untag(rows[i], "lit") end
  while true do
    at = at + (step % 3 == 0 and ecs.random(2) or step % 3 == 1 and ecs.random(40) or ecs.random(150))
    if at > 699 then break end
    world:tag(rows[at], "lit")
    local tile = world:get(rows[at], "Tile")
    tile.fuel = tile.fuel + 1
  end
end }`,
			"burn": `local ecs = require("ecs")
local lit, news = ecs.query{ "Tile", tagged = { "lit" } }, ecs.query{ "Tile", changed = { "Tile" } }
local since, none, n = {}, {}, {}
return function(world, dt)
  for e, t in world:each(` + query + `) do ` + body + ` end
end`,
			"show": `return function(world) local n, sum = 0, 0 for e, t, o in world:each("Tile", "Other") do n = n + 1 sum = sum + t.fuel * n + o.v + #t.kind end print(world.frame, n, sum) end`,
		}),
	})
	for _, sys := range []System{{Name: "choose", Script: "choose.lua"}, {Name: "burn", Script: "burn.lua", Impl: impl}, {Name: "show", Script: "show.lua"}} {
		if err == nil {
			err = r.Add(sys)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, 9)
	return out.String()
}

// Loops over few of the rows do the same in all tiers, also over components of which machine code has copies.
func TestSparseRows(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(sparseBodies)) {
		body := sparseBodies[name]
		for k, query := range []string{"lit", "news"} {
			for j, fields := range []string{`kind = "string", fuel = "f64"`, `fuel = "f64", b = "table", kind = "string"`} {
				if !effort.Full() && (i+j+k)%2 > 0 || testing.Short() && (i+k)%2 > 0 {
					continue // another body is tried in this way
				}
				t.Run(name+"/"+query+"/"+fields, func(t *testing.T) {
					want := sparseTrace(t, Lua, restlessMemory(), query, body, fields)
					for _, impl := range []Impl{Closures, Auto} {
						if got := sparseTrace(t, impl, restlessMemory(), query, body, fields); got != want {
							t.Fatalf("%s\n%s\nwant\n%s", impl, got, want)
						}
					}
					if got := sparseTrace(t, Auto, nil, query, body, fields); got != want {
						t.Fatalf("on Go's heap\n%s\nwant\n%s", got, want)
					}
				})
			}
		}
	}
}
