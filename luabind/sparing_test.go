package luabind

import (
	"bytes"
	"context"
	"errors"
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

// With Sparing, a loop in a small world is closures until these have done enough for machine code; in a large world it is machine code at once. The results are the same.
func TestSparing(t *testing.T) {
	for _, c := range []struct {
		entities, frames  int
		machine, closures bool
	}{
		{10, 3, false, true},
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

// A resumed run begins with closures again. It ends turns by limits.instructions where the run does that was never stopped, also those that
// closures and machine code do not end, but the interpreter would.
func TestAResumedRunEndsTurnsAtTheSamePlace(t *testing.T) {
	const source = `local ecs = require("ecs") ecs.component("P", { x = "f64" })
return { init = function(world) for i = 1, 20 do world:spawn{ P = { x = i } } end end, update = function(world)
  for e, p in world:each("P") do for i = 1, 5000 do p.x = p.x + i end end
  print("whole")
end }`
	for _, instructions := range []uint64{20_000, 100_000, 150_000, 200_000, 500_000} {
		open := func(out *bytes.Buffer) *Runtime {
			r, err := New(Options{
				Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Seed: 1}), Stdout: out, Scripts: files(map[string]string{"a": source}), Sparing: true,
				Limits: Limits{OnError: Skip, Instructions: instructions}, Report: func(e *ScriptError) { fmt.Fprintln(out, e.Message) },
			})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: Auto})
			}
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		frames := func(r *Runtime, n int) {
			for range n {
				if err := r.Frame(context.Background(), 0.5); err != nil {
					t.Fatal(err)
				}
			}
		}
		var file, whole, after bytes.Buffer
		r := open(&whole)
		if err := errors.Join(r.Load(), r.Start(context.Background())); err != nil {
			t.Fatal(err)
		}
		frames(r, 3)
		if err := r.Save(&file); err != nil {
			t.Fatal(err)
		}
		before := whole.Len()
		frames(r, 3)
		resumed := open(&after)
		if err := resumed.Restore(&file); err != nil {
			t.Fatal(err)
		}
		frames(resumed, 3)
		if got, want := after.String(), whole.String()[before:]; got != want || r.World().Digest() != resumed.World().Digest() {
			t.Errorf("%d instructions: the resumed run prints %swant %s", instructions, got, want)
		}
	}
}
