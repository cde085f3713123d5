package luabind

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// sparingRun runs a loop over some entities, and returns what can be seen, and how many rows ran in which way.
func sparingRun(t *testing.T, entities, frames int, sparing bool) (seen string, machine, closures int) {
	t.Helper()
	var out bytes.Buffer
	source := fmt.Sprintf(`local ecs = require("ecs") ecs.component("P", { x = "f64", k = "i32" })
local sum, by = 0, {}
return { init = function(world) for i = 1, %d do world:spawn{ P = { x = i } } end end, update = function(world)
  for e, p in world:each("P") do
    for i = 1, 20 do p.x = p.x * 0.5 + i + ecs.random() end
    sum = sum + p.x by[p.k] = (by[p.k] or 0) + 1
    if world.frame == 49 and p.x > 20 then print(e) end
  end
  print(sum, by[0])
end }`, entities)
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: files(map[string]string{"a": source}), Sparing: sparing})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: Auto})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range frames {
		if err == nil {
			err = r.Frame(context.Background(), 0.5)
		}
		fmt.Fprintln(&out, w.Digest())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.LoopRuns() {
		machine, closures = machine+l.Machine, closures+l.Closures
	}
	return out.String(), machine, closures
}

// With Sparing, the interpreter runs a loop in a small world until it has done enough for closures, and these until it has
// done enough for machine code; in a large world it is machine code at once. The results are the same.
func TestSparing(t *testing.T) {
	for _, c := range []struct {
		entities, frames  int
		machine, closures bool
	}{
		{10, 3, false, false},
		{40, 20, false, true},
		{400, 60, true, true},
		{2000, 12, true, false},
	} {
		want, all, left := sparingRun(t, c.entities, c.frames, false)
		got, machine, closures := sparingRun(t, c.entities, c.frames, true)
		if got != want {
			t.Errorf("%d entities: got\n%.2000s\nwant\n%.2000s", c.entities, got, want)
		}
		if (machine > 0) != c.machine || (closures > left) != c.closures || all == 0 {
			t.Errorf("%d entities: %d rows as machine code, %d as closures; without Sparing %d as machine code", c.entities, machine, closures, all)
		}
	}
}

// patientRun runs a system with Sparing, and returns how many rows of each of its loops ran as closures.
func patientRun(t *testing.T, source string, impl Impl, prompt bool, entities, frames int) (rows []int) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	r, err := New(Options{Log: strictLog(t), World: w, Sparing: true, Prompt: prompt, Scripts: files(map[string]string{
		"a": fmt.Sprintf(`local ecs = require("ecs") ecs.component("P", { x = "f64" }) ecs.component("Q", { x = "f64" }) ecs.event("Hit", { x = "f64" })
return { init = function(world) for i = 1, %d do world:spawn{ P = { x = i }, Q = {} } end end, update = function(world) %s end }`, entities, source),
	})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range frames {
		if err == nil {
			err = r.Frame(context.Background(), 0.5)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.LoopRuns() {
		rows = append(rows, l.Closures)
	}
	return rows
}

// A loop waits for closures until it has done enough, but only under auto, and only with Sparing; loops inside it do not become closures before.
func TestALoopWaitsUntilItHasDoneEnough(t *testing.T) {
	const (
		plain  = `for e, p in world:each("P") do p.x = p.x + 1 end`
		heavy  = `for e, p in world:each("P") do for i = 1, 5000 do p.x = p.x + i end end`
		nested = `for e, p in world:each("P") do local n = 0 for f, q in world:each("Q") do n = n + q.x end p.x = n end`
		twice  = `for i = 1, 2 do for e, p in world:each("P") do for i = 1, 5000 do p.x = p.x + i end end end`
		events = `for i = 1, 10 do world:send("Hit", { x = i }) end local s = 0 for hit in world:read("Hit") do s = s + hit.x end`
		called = `local function sum() local n = 0 for f, q in world:each("Q") do n = n + q.x end return n end
			for e, p in world:each("P") do local n = sum() table.sort({ n }) p.x = n end`
	)
	for _, c := range []struct {
		name, source     string
		impl             Impl
		prompt           bool
		entities, frames int
		want             []bool
	}{
		{"few rows", plain, Auto, false, 10, 5, []bool{false}},
		{"closures are asked for", plain, Closures, false, 10, 1, []bool{true}},
		{"for a report", plain, Auto, true, 10, 1, []bool{true}},
		{"many frames", plain, Auto, false, 10, 100, []bool{true}},
		{"many rows", plain, Auto, false, 300, 1, []bool{true}},
		{"heavy rows", heavy, Auto, false, 2, 2, []bool{true}},
		{"heavy rows, twice in a frame", twice, Auto, false, 2, 1, []bool{true}},
		{"a loop in a loop", nested, Auto, false, 10, 40, []bool{true, false}},
		{"a loop in a loop, once", nested, Auto, false, 10, 1, []bool{false, false}},
		{"one long execution of the outer loop", nested, Auto, false, 180, 1, []bool{false, true}},
		{"events", events, Auto, false, 1, 100, []bool{true}},
		{"events, a few", events, Auto, false, 1, 3, []bool{false}},
		{"a function with a loop", called, Auto, false, 10, 100, []bool{true, true}},
	} {
		rows := patientRun(t, c.source, c.impl, c.prompt, c.entities, c.frames)
		if len(rows) != len(c.want) {
			t.Fatalf("%s: %d loops", c.name, len(rows))
		}
		for i, n := range rows {
			if n > 0 != c.want[i] {
				t.Errorf("%s: %d rows of the loops ran as closures; want %v", c.name, rows, c.want)
				break
			}
		}
	}
}
