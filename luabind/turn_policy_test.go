package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

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
			if n := r.Schedule().Find("bad").Turns(); int(n) != c.bad {
				t.Errorf("the bad system ran %v times, want %d", n, c.bad)
			}
			id, _ := r.World().LookupResource("score")
			if n := r.World().Resource(id).Number(0); (n != 0) != c.ends {
				t.Errorf("score is %v: what a failed turn wrote stays only if the run ends", n)
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

type interrupter struct {
	interrupt func(error)
	after     int
	calls     int
}

func (d *interrupter) Begin(interrupt func(error)) {
	d.calls++
	d.interrupt = interrupt
	if d.calls == d.after {
		interrupt(errors.New("the time limit of 30s was passed"))
	}
}

func (d *interrupter) End() { d.interrupt(errors.New("too late")) }

func TestWatchdog(t *testing.T) {
	dog := &interrupter{after: 3} // load, frame 1, frame 2
	_, err := run(t, Options{Watchdog: dog, Scripts: files(map[string]string{"a": `return function(world) for i = 1, 10 do end end`})}, 5, System{Name: "a"})
	if !errors.Is(err, ErrLimit) || err.Error() != `a.lua:1: system "a", frame 2: the time limit of 30s was passed` {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := ecs.NewWorld(ecs.Options{})
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{
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
