package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// narrowedScript walks the children of some parents. BODY is the loop.
const narrowedScript = `
local ecs = require("ecs")
ecs.component("Place", { x = "f64", n = "u8" })
ecs.component("Speed", { x = "f64" })
ecs.tag("seen")
local moving = ecs.query{ "Place", "Speed", tagged = { "seen" } }
local parents = {}
local M = {}
function M.init(world)
  for i = 1, 3 do parents[i] = world:spawn{ Place = { x = i } } end
  for i = 1, 30 do
    local child = world:spawn{ Place = { x = i, n = i % 5 * 10 }, ChildOf = parents[i % 3 + 1] }
    if i % 2 == 0 then world:set(child, "Speed", { x = i / 4 }) end
    if i % 4 == 0 then world:tag(child, "seen") end
  end
  world:despawn(parents[3])
end
function M.update(world, dt)
  local sum, found = 0, ecs.none
  for i = 1, 3 do
    local parent = parents[i]
BODY
  end
  print(sum, found)
end
return M
`

// Loops over the sources of one target are kernels, and do what the interpreter does.
func TestNarrowedLoops(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		kernels int
		prints  string
	}{
		"sum":          {`for e, p in world:each("Place", "ChildOf", parent) do sum = sum + p.x; p.n = p.n + 1 end`, 1, ""},
		"two":          {`for e, p, v in world:each("Place", "Speed", "ChildOf", parent) do p.x = p.x + v.x * dt; sum = sum + p.x end`, 1, ""},
		"query":        {`for e, p, v in world:each(moving, "ChildOf", parent) do p.x = p.x + v.x; found = e; sum = sum + 1 end`, 1, ""},
		"break":        {`for e, p in world:each("Place", "ChildOf", parent) do if p.x > 12 then found = e break end p.n = 1 end`, 1, ""},
		"does not fit": {`for e, p in world:each("Place", "ChildOf", parent) do p.n = p.n + 100; p.n = p.n * 2; sum = sum + 1 end`, 1, "does not fit"},
		"to no entity": {`for e, p in world:each("Place", "ChildOf", ecs.none) do sum = sum + 1 end`, 1, ""},
		"a call":       {`for e, p in world:each("Place", "ChildOf", world:first("Place")) do sum = sum + 1 end`, 0, "component name or query expected"},
		"one value":    {`for e, p in world:each("Place", "ChildOf", (world:first("Speed"))) do sum = sum + p.x end`, 1, ""},
		"no entity":    {`for e, p in world:each("Place", "ChildOf", world) do sum = sum + 1 end`, 0, "expected, got world"},
		"no relation":  {`for e, p in world:each("Place", "Chief", parent) do sum = sum + 1 end`, 0, "Chief"},
		"targets":      {`for e, p, of in world:each("Place", "ChildOf") do if of == parent and of ~= world:related(parent, "ChildOf") then sum = sum + p.x found = of p.n = 3 elseif not world:related(e, "Likes") then sum = sum + world:get(of, "Place").x end end`, 1, ""},
		"sources":      {`for e, p in world:each("Place") do for child in world:sources("ChildOf", e) do local at = world:get(child, "Place") at.n = at.n % 200 + 1 sum = sum + at.x if at.x > 25 then found = child break end end end`, 1, ""},
		"none":         {`for e, p in world:each("Place") do for child in world:sources("ChildOf", ecs.none) do sum = sum + 1 end for child in world:sources("ChildOf", parents[3]) do sum = sum + 1 end end`, 1, ""},
		"deep sources": {`for e, p in world:each("Place") do for c in world:sources("ChildOf", parent) do for d in world:sources("ChildOf", c) do sum = sum + 1 end for d in world:sources("ChildOf", world:related(c, "ChildOf") or c) do if d == e then p.x = p.x + 1 end if d > c then break end end sum = sum + 1 end end`, 1, ""},
		"an error":     {`for e, p in world:each("Place") do for child in world:sources("ChildOf", parent) do p.n = p.n + 30 world:tag(child, "seen") sum = sum + 1 end end`, 1, "does not fit"},
		"no entity in": {`for e, p in world:each("Place") do for child in world:sources("ChildOf", p.x / 0) do sum = sum + 1 end end`, 1, ""},
		"rare sources": {`for e, p in world:each("Place") do if p.x == 1 then for child in world:sources("ChildOf", e) do sum = sum + 1 end end p.n = p.n % 9 + 1 end`, 1, ""},
		"returns":      {`local function last(world, of) for child in world:sources("ChildOf", of) do if world:has(child, "Speed") then return child end end return of end for e, p in world:each("Place") do found = last(world, e) end`, 1, ""},
		"effects":      {`for e, p in world:each("Place", "ChildOf", parent) do if p.n == 20 then world.commands:unrelate(e, "ChildOf") world:tag(e, "seen") end end`, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if n, _ := sameUnderAll(t, strings.Replace(narrowedScript, "BODY", c.body, 1), c.prints); n != c.kernels {
				t.Errorf("%d kernels", n)
			}
		})
	}
}

// sameUnderAll runs a system interpreted, as closures and as machine code: that
// must print the same, the text among it, and leave the same. It returns how many
// kernels were made, and how many of them machine code.
func sameUnderAll(t *testing.T, script, prints string) (kernels, machine int) {
	t.Helper()
	run := func(impl Impl) string {
		var out bytes.Buffer
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
		r, err := New(Options{
			Log:   strictLog(t),
			World: w, Stdout: &out, Limits: Limits{OnError: Skip},
			Report:  func(e *ScriptError) { fmt.Fprintln(&out, e) },
			Scripts: files(map[string]string{"a": script}),
		})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		for range 3 {
			if err == nil {
				err = r.Frame(context.Background(), 0.5)
			}
			fmt.Fprintln(&out, w.Digest())
		}
		if err != nil {
			t.Fatal(err)
		}
		kernels, machine = r.runner("a.lua").Kernels(), r.runner("a.lua").MachineKernels()
		return out.String()
	}
	want := run(Lua)
	if !strings.Contains(want, prints) {
		t.Errorf("interpreted it printed %s", want)
	}
	for _, impl := range []Impl{Closures, Auto} {
		if got := run(impl); got != want {
			t.Errorf("%v printed\n%s\ninterpreted\n%s", impl, got, want)
		}
	}
	return kernels, machine
}
