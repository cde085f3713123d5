package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// sealedWorld makes a world of three tables with 3 × n rows, under Skip, whose only system is the source: `LOOP` in it stands for
// a compiled loop that writes every row of two of them.
func sealedWorld(t testing.TB, o Options, n int, source string) *Runtime {
	t.Helper()
	if o.World == nil {
		o.World = ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory(), MaxEntities: 3*n + 10})
	}
	o.Log = strictLog(t)
	if o.Limits.OnError == Stop {
		o.Limits.OnError = Skip
	}
	o.Limits.Errors = 1 << 30
	o.Report = func(err *ScriptError) {
		if errors.Is(err, ErrBug) {
			t.Error(err)
		}
	}
	o.Scripts = files(map[string]string{
		"make": fmt.Sprintf(`local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f32" }) ecs.component("Q", { n = "i32", w = "f64" }) ecs.event("E", { n = "f64" })
ecs.query{ "P", tagged = { "t" } } ecs.tag("t")
return function(world)
  for i = 1, %d do
    world:spawn{ P = { x = i, y = 1 } }
    world:spawn{ P = { x = i, y = 2 }, Q = { n = i } }
    world:spawn{ Q = { n = i } }
  end
end`, n),
		"a": "local ecs = require('ecs')\n" + strings.ReplaceAll(source, "LOOP", `for e, p in world:each("P") do p.x = p.x + p.y * dt p.y = p.y * 0.5 + 1 end`),
	})
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, sys := range []System{{Name: "make", Script: "make.lua", Stage: ecs.Startup}, {Name: "a", Script: "a.lua"}} {
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
	return r
}

// componentsOf returns the digests of entities and components.
func componentsOf(w *ecs.World) string { return fmt.Sprint(w.PartDigests(nil)) }

// A turn that ends with a compiled loop that cannot fail copies nothing; any other one copies what it writes.
func TestOnlyLoopsThatEndATurnAndCannotFailAreNotCopied(t *testing.T) {
	t.Parallel()
	const n = 2000
	for _, c := range []struct {
		name, source string
		sealed       bool
	}{
		{"last", "return function(world, dt) LOOP end", true},
		{"behind statements", "return function(world, dt) local a = 1 for i = 1, 10 do a = a + i end LOOP end", true},
		{"before a return", "return function(world, dt) LOOP return end", true},
		{"at the end of a condition", "return function(world, dt) if dt > 0 then do LOOP end else LOOP end end", true},
		{"a named function", "local function update(world, dt) LOOP end return { update = update }", true},
		{"a tail call", "local function step(world, dt) LOOP end return function(world, dt) return step(world, dt) end", true},
		{"a condition on rows", `local q = ecs.query{ "P", changed = { "P" } } return function(world, dt) for e, p in world:each(q) do p.x = p.x + 1 end end`, false},
		{"the second of two", `return function(world, dt) for e, q in world:each("Q") do q.w = q.w + 1 end LOOP end`, false},
		{"before a statement", "return function(world, dt) LOOP local a = 1 end", false},
		{"before a result", "return function(world, dt) LOOP return ecs end", false},
		{"in a loop", "return function(world, dt) for i = 1, 2 do LOOP end end", false},
		{"in a condition with something behind it", "return function(world, dt) if dt > 0 then LOOP end local a = 1 end", false},
		{"in a call", "local function step(world, dt) LOOP end return function(world, dt) step(world, dt) end", false},
		{"in a protected call", "return function(world, dt) return pcall(function() LOOP end) end", false},
		{"in a coroutine", "return function(world, dt) return coroutine.wrap(function() LOOP end)() end", false},
		{"in an iterator", "return function(world, dt) local function it() LOOP end for x in it do end end", false},
		{"in a metamethod", "return function(world, dt) local t = setmetatable({}, { __index = function() LOOP end }) return t.x end", false},
		{"a value that may be refused", `return function(world, dt) for e, q in world:each("Q") do q.n = q.n + 1 end end`, false},
		{"a row that may raise an error", `return function(world, dt) for e, p in world:each("P") do p.x = p.x + 1 if p.x < 0 then error("no") end end end`, false},
		{"an event", `return function(world, dt) for e, p in world:each("P") do p.x = p.x + 1 world:send("E", { n = 1 }) end end`, false},
		{"commands are queued", "return function(world, dt) world.commands:spawn{ Q = {} } LOOP end", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sealedWorld(t, Options{}, n, c.source)
			before, heap := componentsOf(r.World()), r.World().HeapBytes()
			for range 2 {
				if err := r.Frame(context.Background(), 0.5); err != nil {
					t.Fatal(err)
				}
				if f := r.Failures(); f.Errors+f.Limits > 0 {
					t.Fatal(f.FirstError)
				}
			}
			if componentsOf(r.World()) == before {
				t.Error("the loop has written nothing")
			}
			if grown := int64(r.World().HeapBytes() - heap); (grown < n*8) != c.sealed {
				t.Errorf("the world holds %d bytes more, for a loop that copies nothing: %v", grown, c.sealed)
			}
		})
	}
}

// Whatever ends a turn behind its last loop, the turn is taken back.
func TestTurnsThatFailBehindALoopAreTakenBack(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"return function(world, dt) LOOP error('no') end",
		"return function(world, dt) LOOP return nil + 1 end",
		"local function step(world, dt) LOOP end return function(world, dt) step(world, dt) error('no') end",
		"return function(world, dt) local function f() LOOP end local g = coroutine.wrap(f) g() g() end",
		"return function(world, dt) return pcall(function() LOOP end) + 1 end",
		"return function(world, dt) return setmetatable({}, { __index = function() LOOP end }).x + 1 end",
		"return function(world, dt) for i = 1, 20 do world.commands:spawn{ Q = {} } end LOOP end", // more than the world takes
		`return function(world, dt) for e, p in world:each("P") do p.x = p.x + 1 if p.x > 1900 then error("no") end end end`,
		`return function(world, dt) for e, q in world:each("Q") do q.w = q.w + 1 q.n = q.n * 2000000 end end`,
		"return function(world, dt) while true do LOOP end end",
		"local function step(world, dt) LOOP return step(world, dt) end return step",
		`return function(world, dt) for e, p in world:each("P") do for i = 1, 3 do p.x = p.x * 0.5 + i end end error("no") end`,
		`return function(world, dt) for e, p in world:each("P") do local s = 0 for i = 1, 40 do s = s + p.x * i end p.x = s end error("no") end`,
		`return function(world, dt) local first = world:first("P") for e, q in world:each("Q") do q.w = q.w + 1 local p = world:get(first, "P") if p then p.x = q.w end end error("no") end`,
	} {
		for way := range 3 {
			turnIsTakenBack(t, source, way)
		}
	}
}

// turnIsTakenBack gives a system a turn that fails: on one core, on two, or with each call compared.
func turnIsTakenBack(t *testing.T, source string, way int) {
	t.Helper()
	o := Options{Limits: Limits{Instructions: 100_000}, World: ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory(), MaxEntities: 6010})}
	switch way {
	case 1:
		pool := ecs.NewPool(2)
		t.Cleanup(pool.Close)
		o.Pool = pool
		memory.InstrumentsOf(o.World).ShareFrom = 1
	case 2:
		memory.InstrumentsOf(o.World).WatchEvery = 1
	}
	r := sealedWorld(t, o, 2000, source)
	before := componentsOf(r.World())
	const frames = 4 // calls of code are compared in the first ones
	for range frames {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
	}
	if f := r.Failures(); f.Errors+f.Limits != frames {
		t.Errorf("%s: %d errors in way %d", source, f.Errors+f.Limits, way)
	}
	if after := componentsOf(r.World()); after != before {
		o.World, o.Pool = ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory(), MaxEntities: 6010}), nil
		fresh := sealedWorld(t, o, 2000, source)
		ecs.Raw.UseUp(fresh.World(), ecs.Raw.GivenOut(r.World())) // all that a failed turn leaves
		if after != componentsOf(fresh.World()) {
			t.Errorf("%s: was not taken back in way %d", source, way)
		}
	}
}

// With any limit of instructions a turn is whole or taken back.
func TestLimitsAroundALastLoop(t *testing.T) {
	t.Parallel()
	whole := sealedWorld(t, Options{}, 100, "return function(world, dt) LOOP end")
	before := componentsOf(whole.World())
	if err := whole.Frame(context.Background(), 0.5); err != nil {
		t.Fatal(err)
	}
	after := componentsOf(whole.World())
	failed := 0
	for _, from := range []uint64{1, 4080, 100_000} {
		for limit := from; limit < from+40; limit++ {
			r := sealedWorld(t, Options{}, 100, "return function(world, dt) LOOP end")
			r.options.Limits.Instructions = limit
			if err := r.Frame(context.Background(), 0.5); err != nil {
				t.Fatal(err)
			}
			want := after
			if f := r.Failures(); f.Limits > 0 {
				want = before
				failed++
			}
			if componentsOf(r.World()) != want {
				t.Errorf("with %d instructions: %v", limit, r.Failures())
			}
		}
	}
	if failed == 0 || failed > 40 {
		t.Errorf("%d limits were passed", failed)
	}
}

// A late is a Watchdog that ends a turn some time after it began.
type late struct {
	after time.Duration
	timer *time.Timer
}

func (l *late) Begin(interrupt func(error)) {
	l.timer = time.AfterFunc(l.after, func() { interrupt(errors.New("late")) })
}
func (l *late) End() { l.timer.Stop() }

// Whenever a watchdog or a cancelled context wants to end a turn, the turn is whole or taken back.
func TestInterruptsAroundALastLoop(t *testing.T) {
	t.Parallel()
	dog := &late{after: time.Hour}
	r := sealedWorld(t, Options{Watchdog: dog}, 20_000, "return function(world, dt) LOOP end")
	if err := r.Frame(context.Background(), 0.5); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := r.Frame(context.Background(), 0.5); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	for i := range 200 {
		dog.after = took * time.Duration(i) / 100
		other, err := r.World().Copy()
		if err != nil {
			t.Fatal(err)
		}
		before := componentsOf(other)
		failures := r.Failures().Errors + r.Failures().Limits
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
		if failed := r.Failures().Errors+r.Failures().Limits > failures; failed != (componentsOf(r.World()) == before) {
			t.Fatalf("interrupted after %s: failed is %v", dog.after, failed)
		}
	}
}

// A startup system whose init ends with a loop may still fail in its update.
func TestAnInitDoesNotEndATurn(t *testing.T) {
	t.Parallel()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	pos, _ := w.LookupComponent("Position")
	for range 100 {
		if _, err := w.Spawn(pos); err != nil {
			t.Fatal(err)
		}
	}
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip, Errors: 10}, Report: func(*ScriptError) {}, Scripts: files(map[string]string{
		"a": `return { init = function(world) for e, pos in world:each("Position") do pos.x = pos.x + 1 end end, update = function() error("no") end }`,
	})})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(System{Name: "a", Script: "a.lua", Stage: ecs.Startup}); err != nil {
		t.Fatal(err)
	}
	if err := r.Load(); err != nil {
		t.Fatal(err)
	}
	before := componentsOf(w)
	if err := r.Start(context.Background()); err != nil || r.Failures().Errors != 1 {
		t.Fatal(err, r.Failures())
	}
	if componentsOf(w) != before {
		t.Error("was not taken back")
	}
}
