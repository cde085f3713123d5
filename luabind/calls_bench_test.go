package luabind

import (
	"context"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// quickestUnit is the unit of figures that are the quickest of many short batches: other work on the machine adds time to most of them,
// and seldom to all.
const quickestUnit = "quickest-ns/"

// quickest runs batches of frames as long as b says, and reports the time of the quickest batch, divided by what it has done.
func quickest(b *testing.B, frames, perFrame int, of string, frame func()) {
	b.Helper()
	least := time.Duration(1 << 62)
	for b.Loop() {
		began := time.Now()
		for range frames {
			frame()
		}
		least = min(least, time.Since(began))
	}
	b.ReportMetric(float64(least.Nanoseconds())/float64(frames*perFrame), quickestUnit+of)
}

// callsPerFrame is how often a frame of BenchmarkCalls does what it measures. testdata of tests/bench has the same work over plain tables.
const callsPerFrame = 1000

// BenchmarkCalls is what Lua costs outside query loops: an instruction, and the calls that make and read entities. Each includes the turn of
// the loop around it. What a frame spawns is despawned, untimed, in Go.
func BenchmarkCalls(b *testing.B) {
	for _, c := range []struct{ name, before, body string }{
		{"for", "", `for i = 1, 1000 do end`},
		{"call", "local function f(a) return a end", `for i = 1, 1000 do f(i) end`},
		{"field", "local t = { x = 1, y = 2 }", `local s = 0 for i = 1, 1000 do s = t.x end`},
		{"get", "local e", `e = e or world:spawn{ Position = { x = 1 } } local s = 0 for i = 1, 1000 do s = s + world:get(e, "Position").x end`},
		{"spawn", "", `for i = 1, 1000 do world:spawn{ Position = { x = i, y = 1 }, Velocity = { dx = 1, dy = i } } end`},
		{"spawn_many", "", `world:spawn_many(1000, { Position = {}, Velocity = {} }, function(i) return { Position = { x = i } } end)`},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
			declareForTests(b, w)
			velocity, _ := w.LookupComponent("Velocity")
			spawned, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{velocity}})
			if err != nil {
				b.Fatal(err)
			}
			frame := frameOf(b, w, Auto, c.before+"\nreturn function(world)\n"+c.body+"\nend")
			for range 20 { // the tables of the world have their size
				frame()
				spawned.DespawnAll()
			}
			least := time.Duration(1 << 62)
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				frame()
				least = min(least, time.Since(began))
				spawned.DespawnAll()
			}
			b.ReportMetric(float64(least.Nanoseconds())/callsPerFrame, quickestUnit+"call")
		})
	}
}

// BenchmarkTurns is what a turn of a system costs besides its rows.
func BenchmarkTurns(b *testing.B) {
	for _, c := range []struct{ name, script string }{
		{"empty", `return function() end`},
		{"ten", `return function(world, dt)` + moveLoop + `end`},
		{"events", `return function(world) for ev in world:read("Hit") do world.resources.score = world.resources.score + ev.amount end end`},
	} {
		b.Run(c.name, func(b *testing.B) {
			frame := frameOf(b, movingWorld(b, 10), Auto, c.script)
			for range 1000 { // the loop has become machine code
				frame()
			}
			b.ReportAllocs()
			quickest(b, 100, 1, "turn", frame)
		})
	}
}

const moveLoop = `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end
`

func movingWorld(b *testing.B, n int) *ecs.World {
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	declareForTests(b, w)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	bundle, err := w.Bundle(p, v)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := bundle.SpawnMany(n, func(t *ecs.Table, from, to int) {
		col := t.Column(v)
		for i := from; i < to; i++ {
			if err := col.Row(i).SetNumber(0, 1.5); err != nil {
				b.Error(err)
			}
		}
	}); err != nil {
		b.Fatal(err)
	}
	return w
}

// frameOf starts a world with one system, and returns a function that runs a frame; one has run.
func frameOf(b *testing.B, w *ecs.World, impl Impl, source string) func() {
	b.Helper()
	r, err := New(Options{Log: strictLog(b), World: w, Limits: Limits{Instructions: 1 << 40}, Scripts: files(map[string]string{"a": source})})
	if err != nil {
		b.Fatal(err)
	}
	if err := r.Add(System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	if err := r.Load(); err != nil {
		b.Fatal(err)
	}
	if err := r.Start(ctx); err != nil {
		b.Fatal(err)
	}
	frame := func() {
		if err := r.Frame(ctx, 1.0/60); err != nil {
			b.Fatal(err)
		}
	}
	frame() // measure the steady state
	return frame
}
