package luabind

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// The order of a run, as the reference has it.
func TestOrder(t *testing.T) {
	var out bytes.Buffer
	system := func(name string) string {
		return fmt.Sprintf(`print("load %[1]s")
return {
  init = function(world) print("init %[1]s", world.frame, world.dt, world.time, world:count()); world.commands:spawn{} end,
  update = function(world, dt) print("update %[1]s", world.frame, dt, world.time, world:count()) end,
}`, name)
	}
	w := ecs.NewWorld(ecs.Options{})
	_, err := run(t, Options{
		World: w, Stdout: &out, Scripts: files(map[string]string{"late": system("late"), "start": system("start"), "early": system("early"), "native": system("native")}),
		Natives: map[string]ecs.NativeFunc{"go": func(w *ecs.World) (ecs.SystemFunc, error) {
			fmt.Fprintln(&out, "prepare go")
			return func(w *ecs.World, dt float64) error {
				_, err := fmt.Fprintln(&out, "update go", w.Frame(), dt)
				return err
			}, nil
		}},
	}, 2,
		System{Name: "late", Stage: ecs.Last, Every: 2}, System{Name: "start", Stage: ecs.Startup}, System{Name: "early"},
		System{Name: "native", Script: "native.lua", Native: "go", Impl: Native, When: "frame == 2"},
		System{Name: "off", Script: "early.lua", Disabled: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `load late
load start
load early
load native
load early
prepare go
init start	0	0	0	0
update start	0	0	0	1
init early	0	0	0	1
init late	0	0	0	2
update early	1	0.5	0	3
update early	2	0.5	0.5	3
update go 2 0.5
update late	2	1	0.5	3
`
	if out.String() != want {
		t.Errorf("got:\n%swant:\n%s", out.String(), want)
	}
}

func TestWhen(t *testing.T) {
	turns := func(when string) (int, error) {
		r, err := run(t, Options{
			Scripts:    files(map[string]string{"a": `return function(world) world:spawn{}; world.resources.score = world.frame end`}),
			Predicates: map[string]func(*ecs.World) (bool, error){"odd": func(w *ecs.World) (bool, error) { return w.Frame()%2 == 1, nil }},
		}, 5, System{Name: "a", When: when})
		return r.World().Len(), err
	}
	for when, want := range map[string]int{
		"": 5, "true": 5, "frame > 2": 3, "frame % 2 == 0": 2, "time >= 1": 3, "resources.score < 2": 2, "native:odd": 3,
		"not (resources.score == 1 or frame == 4)": 1, `resources.title == "untitled" and frame == 1`: 1, "nil": 0,
	} {
		if got, err := turns(when); got != want || err != nil {
			t.Errorf("when %q: %d turns, error %v; want %d", when, got, err, want)
		}
	}
	for when, want := range map[string]string{
		"fram > 1":              `unknown name "fram"; did you mean "frame"?`,
		"world:count() > 1":     `unknown name "world"; a condition knows resources, states, frame and time`,
		"resources.scroe < 1":   `resource "scroe" is not declared; did you mean "score"?`,
		"1 + ":                  "syntax",
		"1, 2":                  "one expression expected",
		"native:add":            `no native predicate "add" is registered; did you mean "odd"?`,
		"true end print(1) do ": "",
	} {
		if _, err := turns(when); !errors.Is(err, ErrLoad) || !strings.Contains(err.Error(), want) && want != "syntax" {
			t.Errorf("when %q: got %v, want %s", when, err, want)
		}
	}
	if _, err := turns("resources.title < 5"); err == nil || !strings.HasPrefix(err.Error(), `system "a", frame 1: when "resources.title < 5": attempt to compare`) {
		t.Errorf("got %v", err)
	}
}

func TestRandomStreams(t *testing.T) {
	draw := func(seed uint64, names ...string) string {
		var out bytes.Buffer
		w := ecs.NewWorld(ecs.Options{Seed: seed})
		var systems []System
		for _, n := range names {
			systems = append(systems, System{Name: n, Script: "a.lua"})
		}
		if _, err := run(t, Options{World: w, Stdout: &out, Scripts: files(map[string]string{
			"a": `local ecs = require("ecs"); return function(world) print(ecs.random(1000000), math.random()) end`,
		})}, 2, systems...); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first, again := draw(1, "x"), draw(1, "x")
	if first != again {
		t.Error("the same seed and name draw differently")
	}
	if first == draw(2, "x") || first == draw(1, "y") {
		t.Error("another seed or name draws the same")
	}
	both := strings.SplitAfter(draw(1, "x", "y"), "\n")
	if both[0]+both[2] != draw(1, "x") {
		t.Error("another system's draws show")
	}
}

func TestWindows(t *testing.T) {
	var out bytes.Buffer
	scripts := files(map[string]string{
		"writer": `return { init = function(world) world:spawn{ Position = {}, Velocity = {} } end, update = function(world)
  for e, p in world:each("Position") do if world.frame % 3 == 1 then p.x = p.x end end
  if world.frame == 4 then world:remove((world:first("Velocity")), "Velocity") end
end }`,
		"reader": `local ecs = require("ecs")
local changed, added = ecs.query{ "Position", changed = { "Position" } }, ecs.query{ "Position", added = { "Position" } }
return function(world)
  local lost = 0
  for e in world:removed("Velocity") do lost = lost + 1 end
  print(world.frame, world:count(changed), world:count(added), lost)
end`,
	})
	systems := []System{{Name: "writer"}, {Name: "reader", Every: 2}}
	if _, err := run(t, Options{Stdout: &out, Scripts: scripts}, 8, systems...); err != nil {
		t.Fatal(err)
	}
	if want := "2\t1\t1\t0\n4\t1\t0\t1\n6\t0\t0\t0\n8\t1\t0\t0\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	if _, err := run(t, Options{Stdout: &out, Settle: true, Scripts: scripts}, 2, systems[0], System{Name: "reader", When: "frame < 3"}); err != nil {
		t.Fatal(err)
	}
	if want := "1\t1\t0\t0\n2\t0\t0\t0\n"; out.String() != want { // frame 1 writes, init is no news
		t.Errorf("settled: got\n%swant\n%s", out.String(), want)
	}
}

func TestEventsReachEveryReaderOnce(t *testing.T) {
	var out bytes.Buffer
	_, err := run(t, Options{Stdout: &out, Scripts: files(map[string]string{
		"sender": `return function(world) world:send("Hit", { amount = world.frame }) end`,
		"slow":   `return function(world) local t = {} for ev in world:read("Hit") do t[#t + 1] = ev.amount end print("slow", world.frame, table.concat(t, " ")) end`,
		"fast":   `return function(world) local t = {} for ev in world:read("Hit") do t[#t + 1] = ev.amount end print("fast", world.frame, table.concat(t, " ")) end`,
	})}, 9, System{Name: "fast"}, System{Name: "sender"}, System{Name: "slow", Every: 4})
	if err != nil {
		t.Fatal(err)
	}
	want := "fast\t1\t\nfast\t2\t1\nfast\t3\t2\nfast\t4\t3\nslow\t4\t1 2 3 4\nfast\t5\t4\nfast\t6\t5\nfast\t7\t6\nfast\t8\t7\nslow\t8\t5 6 7 8\nfast\t9\t8\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestStartupEventsAgeByAFrame(t *testing.T) {
	var out bytes.Buffer
	_, err := run(t, Options{Stdout: &out, Scripts: files(map[string]string{
		"start": `return function(world) world:send("Hit", { amount = 1 }) end`,
		"a":     `return function(world) local n = 0 for ev in world:peek("Hit") do n = n + 1 end print(n) end`,
	})}, 2, System{Name: "start", Stage: ecs.Startup}, System{Name: "a"})
	if err != nil || out.String() != "1\n0\n" {
		t.Errorf("got %q, error %v", out.String(), err)
	}
}
