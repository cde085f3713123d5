package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// files makes a script folder; names get ".lua".
func files(sources map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, source := range sources {
		out[name+".lua"] = &fstest.MapFile{Data: []byte(source)}
	}
	return out
}

// run loads the systems, starts, and runs frames; the error is the first that
// ended something.
func run(t *testing.T, o Options, frames int, systems ...System) (*Runtime, error) {
	t.Helper()
	if o.World == nil {
		o.World = ecs.NewWorld(ecs.Options{Seed: 1})
		declareForTests(t, o.World)
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		if s.Script == "" && s.Native == "" {
			s.Script = s.Name + ".lua"
		}
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		return r, err
	}
	if err := r.Start(context.Background()); err != nil {
		return r, err
	}
	for range frames {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			return r, err
		}
	}
	return r, nil
}

func TestErrorLines(t *testing.T) {
	for _, c := range []struct {
		name, source, want, excerpt string
	}{
		{
			"component", "return function(world)\n  world:get(0, \"Helth\")\nend",
			`poison.lua:2: system "poison", frame 1: component "Helth" is not declared; did you mean "Health"?`, `    2 |   world:get(0, "Helth")`,
		},
		{
			"nil index", "return function(world)\n  local hp\n  local x = hp.current\nend",
			`poison.lua:3: system "poison", frame 1: attempt to index a nil value (local "hp")`, `    3 |   local x = hp.current`,
		},
		{
			"global", "return function(world)\n  prnt(1)\nend",
			`poison.lua:2: system "poison", frame 1: undeclared global "prnt"; did you mean "print"?`, `    2 |   prnt(1)`,
		},
		{
			"locked", "return function(world)\n  world:spawn{ Position = {} }\n  for e in world:each(\"Position\") do\n    world:despawn(e)\n  end\nend",
			`poison.lua:4: system "poison", frame 1: world:despawn inside a query loop; use world.commands:despawn`, `    4 |     world:despawn(e)`,
		},
		{
			"own error", "return function(world)\n  error(\"no way\")\nend",
			`poison.lua:2: system "poison", frame 1: no way`, `    2 |   error("no way")`,
		},
		{
			"init", "return { init = function(world)\n  error(\"no way\")\nend }",
			`poison.lua:2: system "poison", frame 0: no way`, `    2 |   error("no way")`,
		},
		{
			"load", "local x = nil\nreturn x.y",
			`poison.lua:2: system "poison": attempt to index a nil value (local "x")`, `    2 | return x.y`,
		},
		{"syntax", "local x =\n= 1", `poison.lua:2:1: system "poison": `, `    2 | = 1`},
		{"nothing", "local x = 1", `poison.lua: system "poison": the file returns nothing; a system's file returns a function or a table with update`, ``},
		{"number", "return 5", `poison.lua: system "poison": the file returns a number; a system's file returns a function or a table with update`, ``},
		{"no update", "return { udpate = function() end }", `poison.lua: system "poison": the table the file returns has neither update nor init: "udpate"; did you mean "update"?`, ``},
		{"init no function", "return { init = 5 }", `poison.lua: system "poison": init is a number; it must be a function`, ``},
		{"list", `return { { name = "posion", update = function() end } }`, `poison.lua: system "poison": the file returns no system of the name "poison"; did you mean "posion"?`, ``},
		{"list without name", `return { { update = function() end } }`, `poison.lua: system "poison": item 1 of the list the file returns has no name`, ``},
		{"broken library", `require("lib.broken")`, `lib/broken.lua:2:1: system "poison": `, `    2 | = 1`},
		{"failing library", `require("lib.failing")`, `lib/failing.lua:2: system "poison": attempt to index a nil value (local "t")`, `    2 | return t.x`},
		{"circle", `require("lib.a")`, `lib/b.lua:1: system "poison": require "lib.a": the files require each other in a circle`, `    1 | return require("lib.a")`},
		{
			"query", "local ecs = require(\"ecs\")\nlocal q = ecs.query{ \"Helth\" }\nreturn function() end",
			`poison.lua:2: component "Helth" is not declared; did you mean "Health"?`, `    2 | local q = ecs.query{ "Helth" }`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(t, Options{Scripts: files(map[string]string{
				"poison": c.source, "lib/broken": "local x =\n= 1", "lib/failing": "local t = nil\nreturn t.x",
				"lib/a": `return require("lib.b")`, "lib/b": `return require("lib.a")`,
			})}, 1, System{Name: "poison"})
			var se *ScriptError
			if !errors.As(err, &se) {
				t.Fatalf("got %v, want a ScriptError", err)
			}
			if got := se.Error(); got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if se.Excerpt != c.excerpt {
				t.Errorf("excerpt %q, want %q", se.Excerpt, c.excerpt)
			}
			loading := !strings.Contains(c.want, "frame")
			if errors.Is(err, ErrLoad) != loading {
				t.Errorf("errors.Is(err, ErrLoad) is %v, want %v", !loading, loading)
			}
			if errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) {
				t.Errorf("it is no limit and no bug: %v", err)
			}
		})
	}
}

func TestStackIsApart(t *testing.T) {
	_, err := run(t, Options{Scripts: files(map[string]string{"a": `
local function inner() error("deep") end
return { update = function(world) inner() end }`})}, 1, System{Name: "a"})
	var se *ScriptError
	if !errors.As(err, &se) || !strings.Contains(se.Stack, "inner (a.lua:2)") || !strings.Contains(se.Stack, "update (a.lua:3)") {
		t.Fatalf("got %#v", se)
	}
	if strings.Contains(se.Error(), "\n") {
		t.Errorf("more than a line: %q", se.Error())
	}
}

func TestLoadReportsEverything(t *testing.T) {
	r, err := New(Options{World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{
		"a": "local x = = 1", "b": `local ecs = require("ecs"); ecs.query{ "Nope" }; return function() end`, "c": "return function() end",
	})})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{
		{Name: "a", Script: "a.lua"},
		{Name: "b", Script: "b.lua"},
		{Name: "c", Script: "c.lua", When: "fram > 1"},
		{Name: "d", Script: "../d.lua"},
		{Name: "e", Script: "cc.lua"},
		{Name: "f", Native: "nope"},
	} {
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	err = r.Load()
	for _, want := range []string{
		`a.lua:1:11: system "a": `, `b.lua:1: component "Nope" is not declared`,
		`system "c": when "fram > 1": unknown name "fram"; did you mean "frame"?`,
		`../d.lua: system "d": not a path inside the script folder`,
		`cc.lua: system "e": there is no such file in the script folder; did you mean "c.lua"?`,
		`system "f": no native system "nope" is registered`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("missing %s in:\n%v", want, err)
		}
	}
	if !errors.Is(err, ErrLoad) {
		t.Error("not an ErrLoad")
	}
}

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

func TestPolicies(t *testing.T) {
	scripts := files(map[string]string{
		"bad":  `return function(world) world.commands:spawn{}; world.resources.score = world.resources.score + 1; error("bad " .. world.frame) end`,
		"good": `return function(world) world:spawn{ Position = {} } end`,
	})
	for _, c := range []struct {
		name     string
		limits   Limits
		good     int // turns of the system behind it
		bad      int
		errors   int
		disabled []string
		ends     bool
	}{
		{"stop", Limits{}, 0, 1, 1, nil, true},
		{"skip", Limits{OnError: Skip}, 4, 4, 4, nil, false},
		{"disable", Limits{OnError: Disable}, 4, 1, 1, []string{"bad"}, false},
		{"disable after three", Limits{OnError: Disable, Errors: 3}, 4, 3, 3, []string{"bad"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reported []string
			r, err := run(t, Options{Scripts: scripts, Limits: c.limits, Report: func(e *ScriptError) { reported = append(reported, e.Message) }}, 4,
				System{Name: "bad"}, System{Name: "good"})
			if (err != nil) != c.ends {
				t.Fatalf("got error %v", err)
			}
			if n := r.World().Len(); n != c.good {
				t.Errorf("%d entities, want %d: the commands of a failed turn are dropped", n, c.good)
			}
			id, _ := r.World().LookupResource("score")
			if n := r.World().Resource(id).Number(0); int(n) != c.bad {
				t.Errorf("the bad system ran %v times, want %d", n, c.bad)
			}
			f := r.Failures()
			if f.Errors != c.errors || f.Limits != 0 || fmt.Sprint(f.Disabled) != fmt.Sprint(c.disabled) || f.FirstError == nil {
				t.Errorf("failures %+v", f)
			}
			if f.FirstError.Error() != `bad.lua:1: system "bad", frame 1: bad 1` {
				t.Errorf("first error %v", f.FirstError)
			}
			if !c.ends && len(reported) != c.errors {
				t.Errorf("reported %v", reported)
			}
		})
	}
}

func TestFailingInitEndsTheRun(t *testing.T) {
	for _, stage := range []ecs.Stage{ecs.Update, ecs.Startup} {
		r, err := run(t, Options{Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": `return { init = function() error("no") end, update = function() end }`})}, 1,
			System{Name: "a", Stage: stage})
		if !errors.Is(err, ErrInit) || r.Failures().Errors != 1 {
			t.Errorf("stage %s: got %v, failures %+v", stage, err, r.Failures())
		}
	}
	// A failing turn of the startup stage is a turn like any other.
	if _, err := run(t, Options{Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": `return function() error("no") end`})}, 1,
		System{Name: "a", Stage: ecs.Startup}); err != nil {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	for name, source := range map[string]string{
		"endless loop":       "while true do end",
		"pcall":              "while true do pcall(function() while true do end end) end",
		"tail pcall":         "return pcall(function() while true do end end)",
		"coroutine":          "coroutine.wrap(function() while true do end end)()",
		"query loop":         "world:spawn{ Position = {} } for e in world:each('Position') do while true do end end",
		"entities":           "for i = 1, 200 do world:spawn{} end",
		"entities at once":   "world:spawn_many(200, {})",
		"entities by filler": "world:spawn_many(200, {}, function() return {} end)",
		"queued entities":    "for i = 1, 200 do world.commands:spawn{} end",
	} {
		t.Run(name, func(t *testing.T) {
			w := ecs.NewWorld(ecs.Options{MaxEntities: 100})
			declareForTests(t, w)
			r, err := run(t, Options{World: w, Limits: Limits{Instructions: 50_000}, Scripts: files(map[string]string{"a": "return function(world)\n" + source + "\nend"})}, 1, System{Name: "a"})
			if !errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(err.Error(), `a.lua:2: system "a", frame 1: `) {
				t.Errorf("got %v", err)
			}
			if f := r.Failures(); f.Limits != 1 || f.Errors != 0 || f.FirstLimit == nil {
				t.Errorf("failures %+v", f)
			}
			if w.Locked() || w.Check() != nil {
				t.Errorf("the world is locked or broken: %v", w.Check())
			}
		})
	}
	t.Run("the next turn starts afresh", func(t *testing.T) {
		r, err := run(t, Options{Limits: Limits{OnError: Skip, Instructions: 10_000}, Scripts: files(map[string]string{
			"a": `return function(world) if world.frame == 1 then while true do end end; world:spawn{} end`,
		})}, 3, System{Name: "a"})
		if err != nil || r.World().Len() != 2 {
			t.Errorf("error %v, %d entities", err, r.World().Len())
		}
	})
	t.Run("load", func(t *testing.T) {
		_, err := run(t, Options{Limits: Limits{Instructions: 10_000}, Scripts: files(map[string]string{"a": `while true do end`})}, 3, System{Name: "a"})
		if !errors.Is(err, ErrLimit) || !errors.Is(err, ErrLoad) {
			t.Errorf("got %v", err)
		}
	})
}

type tripper struct {
	trip  func(error)
	after int
	calls int
}

func (d *tripper) Begin(trip func(error)) {
	d.calls++
	d.trip = trip
	if d.calls == d.after {
		trip(errors.New("the time limit of 30s was passed"))
	}
}
func (d *tripper) End() { d.trip(errors.New("too late")) }

func TestWatchdog(t *testing.T) {
	dog := &tripper{after: 3} // load, frame 1, frame 2
	_, err := run(t, Options{Watchdog: dog, Scripts: files(map[string]string{"a": `return function(world) for i = 1, 10 do end end`})}, 5, System{Name: "a"})
	if !errors.Is(err, ErrLimit) || err.Error() != `a.lua:1: system "a", frame 2: the time limit of 30s was passed` {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := ecs.NewWorld(ecs.Options{})
	r, err := New(Options{World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{
		"a": `local stop = require("host").stop; return function(world) stop(); while true do end end`,
		"b": `return function(world) world:spawn{} end`,
	}), Modules: map[string]map[string]Function{"host": {"stop": func([]ecs.Value) ([]ecs.Value, error) {
		cancel()
		return nil, nil
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := r.Add(System{Name: name, Script: name + ".lua"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Load(), r.Start(ctx)); err != nil {
		t.Fatal(err)
	}
	if err := r.Frame(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if w.Len() != 0 || w.Frame() != 1 {
		t.Errorf("%d entities in frame %d: the rest of the frame must not run", w.Len(), w.Frame())
	}
	if f := r.Failures(); f.Errors+f.Limits != 0 {
		t.Errorf("cancelling is no failure: %+v", f)
	}
	if err := r.Frame(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a frame under a cancelled context: %v", err)
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
		"world:count() > 1":     `unknown name "world"; a condition knows resources, frame and time`,
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

func TestSystemsAreApart(t *testing.T) {
	var out bytes.Buffer
	shared := `local n = 0
print = nil
math.floor = function() return "mine" end
string.upper = nil
return function(world) n = n + 1; world.resources.score = world.resources.score * 10 + n end`
	_, err := run(t, Options{Stdout: &out, Scripts: files(map[string]string{
		"shared": shared, "c": `return function(world) print(math.floor(1.5), string.upper("x"), ("x"):upper(), world.resources.score) end`,
	})}, 1, System{Name: "a", Script: "shared.lua"}, System{Name: "b", Script: "shared.lua"}, System{Name: "c"})
	if err != nil || out.String() != "1\tX\tX\t11\n" {
		t.Errorf("got %q, error %v", out.String(), err)
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
	want := "fast\t1\t\nfast\t2\t1\nfast\t3\t2\nfast\t4\t3\nslow\t4\t3 4\nfast\t5\t4\nfast\t6\t5\nfast\t7\t6\nfast\t8\t7\nslow\t8\t5 6 7 8\nfast\t9\t8\n"
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

func TestLog(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	_, err := run(t, Options{Log: log, Scripts: files(map[string]string{"a": `local ecs = require("ecs")
ecs.log.warn("loading")
return function(world)
  ecs.log.info("wave", { n = 3, share = 0.5, name = "goblins", boss = true, list = { 1, 2 } })
  ecs.log.debug("x") ecs.log.error(5)
end`})}, 1, System{Name: "a"})
	want := `level=WARN msg=loading script=a.lua:2 system=a
level=INFO msg=wave n=3 share=0.5 name=goblins boss=true list="{1, 2}" script=a.lua:4 system=a frame=1
level=DEBUG msg=x script=a.lua:5 system=a frame=1
level=ERROR msg=5 script=a.lua:5 system=a frame=1
`
	if err != nil || out.String() != want {
		t.Errorf("error %v, got\n%swant\n%s", err, out.String(), want)
	}
}

var errHost = errors.New("the host says no")

func TestModules(t *testing.T) {
	var got []ecs.Value
	modules := map[string]map[string]Function{"host": {
		"echo": func(args []ecs.Value) ([]ecs.Value, error) { got = args; return args, nil },
		"fail": func([]ecs.Value) ([]ecs.Value, error) { return nil, errHost },
		"bug":  func([]ecs.Value) ([]ecs.Value, error) { var p *int; *p = 1; return nil, nil },
	}}
	try := func(source string) error {
		_, err := run(t, Options{Modules: modules, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{
			"a": `local host = require("host"); return { init = function(world) ` + source + ` end }`,
		})}, 0, System{Name: "a"})
		return err
	}
	if err := try(`local n, s, b, nothing, t = host.echo(1.5, "x", true, nil, { 1, { k = "v" } })
assert(n == 1.5 and s == "x" and b == true and nothing == nil and t[1] == 1 and t[2].k == "v")`); err != nil || len(got) != 5 || got[4].Data().Len() != 2 {
		t.Errorf("error %v, got %v", err, got)
	}
	if err := try(`host.fail()`); !errors.Is(err, errHost) || !strings.HasSuffix(err.Error(), "host.fail: the host says no") {
		t.Errorf("got %v", err)
	}
	if err := try(`local ok, e = pcall(host.fail); error(e, 0)`); err == nil || !strings.Contains(err.Error(), "the host says no") {
		t.Errorf("got %v", err)
	}
	if err := try(`pcall(host.bug)`); !errors.Is(err, ErrBug) {
		t.Errorf("got %v", err)
	}
	if err := try(`host.ehco()`); err == nil || !strings.Contains(err.Error(), `host has no function "ehco"; did you mean "echo"?`) {
		t.Errorf("got %v", err)
	}
	if err := try(`host.echo(world)`); err == nil || !strings.Contains(err.Error(), "bad argument #1 to 'host.echo' (a world is not plain data") {
		t.Errorf("got %v", err)
	}
}

// Components and resources of Go types are used like any other.
func TestGoTypes(t *testing.T) {
	type stats struct {
		Kills int64
		Best  ecs.Entity
		Name  string
	}
	type body struct {
		Mass  int
		Alive bool
		Tag   uint8
	}
	w := ecs.NewWorld(ecs.Options{})
	declareForTests(t, w)
	bodies := ecs.MustRegister[body](w, "Body")
	res, err := ecs.RegisterResource[stats](w, "stats")
	if err != nil {
		t.Fatal(err)
	}
	_, err = run(t, Options{World: w, Scripts: files(map[string]string{"a": `local ecs = require("ecs")
return function(world)
  local e = world:spawn{ Body = { mass = 3, alive = true } }
  local b = world:get(e, "Body")
  b.mass = b.mass + 2^40
  assert(b.alive and b.tag == 0 and b.mass == 2^40 + 3)
  assert(not pcall(function() b.mass = 0.5 end))
  local s = world.resources.stats
  s.kills = s.kills + 1
  s.best, s.name = e, "x"
  assert(s.best == e and tostring(s) == 'stats {kills = 1, best = 0v1, name = "x"}', tostring(s))
  local ok, err = pcall(function() s.kils = 1 end)
  assert(not ok and string.find(err, 'stats has no field "kils"; did you mean "kills"?', 1, true), err)
  ok, err = pcall(function() world.resources.stats = 5 end)
  assert(not ok and string.find(err, "assign to world.resources.stats.NAME", 1, true), err)
end`})}, 1, System{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Kills != 1 || res.Name != "x" || bodies.Get(res.Best).Mass != 1<<40+3 {
		t.Errorf("%+v, %+v", res, bodies.Get(res.Best))
	}
}

func TestAddRefuses(t *testing.T) {
	r, err := New(Options{World: ecs.NewWorld(ecs.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{
		{}, {Name: "a"}, {Name: "a", Script: "a.lua", Impl: Native}, {Name: "a", Native: "n", Impl: Lua}, {Name: "a", Script: "a.lua", Every: -1}, {Script: "a.lua"},
	} {
		if err := r.Add(s); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
	if _, err := New(Options{}); err == nil {
		t.Error("New without a world")
	}
	if err := r.Start(context.Background()); err == nil {
		t.Error("Start before Load")
	}
}

func TestTwoRuntimes(t *testing.T) {
	scripts := files(map[string]string{
		"a":       `local c = require("counter"); return function(world) c.n = c.n + 1; world:spawn{ Position = { x = c.n } } end`,
		"counter": `return { n = 0 }`,
	})
	var digests []ecs.Digest
	for range 2 {
		r, err := run(t, Options{Scripts: scripts}, 3, System{Name: "a"})
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, r.World().Digest())
	}
	if digests[0] != digests[1] {
		t.Error("two worlds of the same scripts and seed differ")
	}
}

func TestScheduleNames(t *testing.T) {
	r, err := run(t, Options{Scripts: files(map[string]string{"a": "return function() end"})}, 0,
		System{Name: "x", Script: "a.lua", After: []string{"y"}}, System{Name: "y", Script: "a.lua"})
	if err != nil || !slices.Equal(r.Schedule().Names(), []string{"y", "x"}) {
		t.Errorf("%v %v", r.Schedule().Names(), err)
	}
	_, err = run(t, Options{Scripts: files(map[string]string{"a": "return function() end"})}, 0,
		System{Name: "x", Script: "a.lua", After: []string{"z"}})
	if !errors.Is(err, ErrLoad) {
		t.Errorf("got %v", err)
	}
}
