package luabind

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// What one loop costs per entity: as Lua, as closures, compiled, and as the same
// loop in Go over slices of whole components, which stamps nothing. All run in one
// process; go run ./tests/bench prints the table.

type (
	benchPos  struct{ X, Y float64 }
	benchVel  struct{ DX, DY float64 }
	benchPos3 struct{ X, Y, Z float64 }
	benchVel3 struct{ DX, DY, DZ float64 }
	benchLife struct{ Current float64 }
)

// benchColumns are the columns of the one table, for the loops in Go.
type benchColumns struct {
	pos  []benchPos
	vel  []benchVel
	pos3 []benchPos3
	vel3 []benchVel3
	life []benchLife

	world *ecs.World
	all   []ecs.Entity
	hurt  ecs.TagSet
	hurts ecs.Event[benchHurt]
}

// A loopCase is a loop in Lua and in Go.
type loopCase struct {
	name   string
	lua    string
	native func(c *benchColumns, dt float64)
}

// loopCases are the loops of docs/benchmarks.md, in order.
var loopCases = []loopCase{
	{name: "move", lua: `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel[:len(c.pos)]
		for i := range c.pos {
			c.pos[i].X += vel[i].DX * dt
			c.pos[i].Y += vel[i].DY * dt
		}
	}},
	{name: "move3", lua: `
  for e, pos, vel in world:each("Position3", "Velocity3") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    pos.z = pos.z + vel.dz * dt
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel3[:len(c.pos3)]
		for i := range c.pos3 {
			c.pos3[i].X += vel[i].DX * dt
			c.pos3[i].Y += vel[i].DY * dt
			c.pos3[i].Z += vel[i].DZ * dt
		}
	}},
	{name: "bounce", lua: `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    if pos.x < 0 or pos.x > 800 then vel.dx = -vel.dx end
    if pos.y < 0 or pos.y > 600 then vel.dy = -vel.dy end
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel[:len(c.pos)]
		for i := range c.pos {
			p, v := &c.pos[i], &vel[i]
			p.X += v.DX * dt
			p.Y += v.DY * dt
			if p.X < 0 || p.X > 800 {
				v.DX = -v.DX
			}
			if p.Y < 0 || p.Y > 600 {
				v.DY = -v.DY
			}
		}
	}},
	{name: "wrap", lua: `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    if pos.x < 0 then pos.x = pos.x + 800 elseif pos.x > 800 then pos.x = pos.x - 800 end
    if pos.y < 0 then pos.y = pos.y + 600 elseif pos.y > 600 then pos.y = pos.y - 600 end
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel[:len(c.pos)]
		for i := range c.pos {
			p, v := &c.pos[i], &vel[i]
			p.X += v.DX * dt
			p.Y += v.DY * dt
			if p.X < 0 {
				p.X += 800
			} else if p.X > 800 {
				p.X -= 800
			}
			if p.Y < 0 {
				p.Y += 600
			} else if p.Y > 600 {
				p.Y -= 600
			}
		}
	}},
	{name: "pull", lua: `
  for e, pos, vel in world:each("Position", "Velocity") do
    local ax = 400 - pos.x
    local ay = 300 - pos.y
    local inv = 50 / math.sqrt(ax * ax + ay * ay + 1)
    vel.dx = (vel.dx + ax * inv * dt) * 0.99
    vel.dy = (vel.dy + ay * inv * dt) * 0.99
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel[:len(c.pos)]
		for i := range c.pos {
			p, v := &c.pos[i], &vel[i]
			ax, ay := 400-p.X, 300-p.Y
			inv := 50 / math.Sqrt(ax*ax+ay*ay+1)
			v.DX = (v.DX + ax*inv*dt) * 0.99
			v.DY = (v.DY + ay*inv*dt) * 0.99
			p.X += v.DX * dt
			p.Y += v.DY * dt
		}
	}},
	{name: "heavy", lua: `
  for e, pos in world:each("Position") do
    local v, w = pos.x, pos.y * 0.25
    for k = 1, 32 do v = math.sqrt(v * v + 1) * 0.5 + w end
    pos.x = v
  end`, native: func(c *benchColumns, _ float64) {
		for i := range c.pos {
			v, w := c.pos[i].X, c.pos[i].Y*0.25
			for range 32 {
				v = math.Sqrt(v*v+1)*0.5 + w
			}
			c.pos[i].X = v
		}
	}},
	{name: "pairs", lua: `
  for e, pos, vel in world:each("Position", "Velocity") do
    local ax, ay, px, py = 0, 0, pos.x, pos.y
    for other, q in world:each("Position") do
      local dx, dy = q.x - px, q.y - py
      local d2 = dx * dx + dy * dy + 0.01
      local inv = 0.5 / (d2 * math.sqrt(d2))
      ax = ax + dx * inv
      ay = ay + dy * inv
    end
    vel.dx = vel.dx + ax * dt
    vel.dy = vel.dy + ay * dt
  end`, native: func(c *benchColumns, dt float64) {
		vel := c.vel[:len(c.pos)]
		for i := range c.pos {
			ax, ay, px, py := 0.0, 0.0, c.pos[i].X, c.pos[i].Y
			for j := range c.pos {
				dx, dy := c.pos[j].X-px, c.pos[j].Y-py
				d2 := dx*dx + dy*dy + 0.01
				inv := 0.5 / (d2 * math.Sqrt(d2))
				ax += dx * inv
				ay += dy * inv
			}
			vel[i].DX += ax * dt
			vel[i].DY += ay * dt
		}
	}},
	// The result goes into the component that is read, so each row sees what the rows before it have written.
	{name: "pairsown", lua: `
  for e, pos in world:each("Position") do
    local ax, ay, px, py = 0, 0, pos.x, pos.y
    for other, q in world:each("Position") do
      local dx, dy = q.x - px, q.y - py
      local d2 = dx * dx + dy * dy + 0.01
      local inv = 0.5 / (d2 * math.sqrt(d2))
      ax = ax + dx * inv
      ay = ay + dy * inv
    end
    pos.x = px + ax * dt
    pos.y = py + ay * dt
  end`, native: func(c *benchColumns, dt float64) {
		for i := range c.pos {
			ax, ay, px, py := 0.0, 0.0, c.pos[i].X, c.pos[i].Y
			for j := range c.pos {
				dx, dy := c.pos[j].X-px, c.pos[j].Y-py
				d2 := dx*dx + dy*dy + 0.01
				inv := 0.5 / (d2 * math.Sqrt(d2))
				ax += dx * inv
				ay += dy * inv
			}
			c.pos[i].X = px + ax*dt
			c.pos[i].Y = py + ay*dt
		}
	}},
	// About one entity in 100 is hurt badly each frame: a tag, an event; one in 1000 dies: a command for an entity that is dead by then anyway.
	{name: "damage", lua: `
  for e, life in world:each("Life") do
    life.current = life.current - dt
    if life.current < 1 then
      world:tag(e, "hurt")
      world:send("Hurt", { who = e, left = life.current })
      if life.current < 0.1 then world.commands:despawn(ecs.none) end
      life.current = life.current + 99
    end
  end`, native: func(c *benchColumns, dt float64) {
		commands := c.world.Commands()
		for i := range c.life {
			l := &c.life[i]
			l.Current -= dt
			if l.Current < 1 {
				c.hurt.Tag(c.all[i])
				c.hurts.Send(benchHurt{c.all[i], l.Current})
				if l.Current < 0.1 {
					commands.Despawn(ecs.None)
				}
				l.Current += 99
			}
		}
	}},
}

type benchHurt struct {
	Who  ecs.Entity
	Left float64
}

// loopWorld has n entities with all components of the loops.
func loopWorld(tb testing.TB, n int) *benchColumns {
	tb.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	c := &benchColumns{world: w}
	pos, vel := ecs.MustRegister[benchPos](w, "Position"), ecs.MustRegister[benchVel](w, "Velocity")
	pos3, vel3 := ecs.MustRegister[benchPos3](w, "Position3"), ecs.MustRegister[benchVel3](w, "Velocity3")
	life := ecs.MustRegister[benchLife](w, "Life")
	hurt, err := w.DeclareTag("hurt")
	if err != nil {
		tb.Fatal(err)
	}
	c.hurt = w.TagSet(hurt)
	if c.hurts, err = ecs.RegisterEvent[benchHurt](w, "Hurt"); err != nil {
		tb.Fatal(err)
	}
	bundle, err := w.Bundle(pos.ID(), vel.ID(), pos3.ID(), vel3.ID(), life.ID())
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	if c.all, err = bundle.SpawnMany(n, func(t *ecs.Table, _, _ int) {
		c.pos, c.vel, c.pos3, c.vel3, c.life = pos.Slice(t), vel.Slice(t), pos3.Slice(t), vel3.Slice(t), life.Slice(t)
		for i := range n {
			x, y, dx, dy := rng.Float64()*800, rng.Float64()*600, rng.Float64()*200-100, rng.Float64()*200-100
			c.pos[i], c.vel[i] = benchPos{x, y}, benchVel{dx, dy}
			c.pos3[i], c.vel3[i] = benchPos3{x, y, x}, benchVel3{dx, dy, dx}
			c.life[i].Current = rng.Float64() * 100
		}
	}); err != nil {
		tb.Fatal(err)
	}
	return c
}

func BenchmarkLoop(b *testing.B) {
	for _, c := range loopCases {
		for _, n := range []int{10_000, 100_000} {
			inPairs := c.name == "pairs" || c.name == "pairsown"
			if inPairs {
				n /= 10
				if n > 1000 {
					n = 200 // short frames: the quickest of them was not disturbed
				}
			}
			for _, impl := range []Impl{Lua, Closures, Auto, Native} {
				if n > 10_000 && impl != Auto && impl != Native {
					continue
				}
				b.Run(fmt.Sprintf("%s/entities=%d/%s", c.name, n, impl), func(b *testing.B) {
					frame := loopFrame(b, c, n, impl, nil)
					b.ReportAllocs()
					per, of := n, "entity"
					if inPairs {
						per, of = n*n, "pair"
					}
					quickest(b, 1, per, of, frame)
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
				})
			}
		}
	}
}

// loopFrame returns a function that runs one frame of a loop; two have run.
func loopFrame(tb testing.TB, c loopCase, n int, impl Impl, pool ecs.Pool) func() {
	tb.Helper()
	frame := loadLoop(tb, c, loopWorld(tb, n), impl, pool)
	frame()
	return frame
}

// loadLoop loads a loop as the only system of a world, and runs its first frame.
func loadLoop(tb testing.TB, c loopCase, columns *benchColumns, impl Impl, pool ecs.Pool) func() {
	tb.Helper()
	frame := startLoop(tb, c, columns, impl, pool)
	frame()
	return frame
}

// startLoop starts a world whose only system is a loop, and returns a function that
// runs a frame.
func startLoop(tb testing.TB, c loopCase, columns *benchColumns, impl Impl, pool ecs.Pool) func() {
	tb.Helper()
	ctx := context.Background()
	r, err := New(Options{
		Log:   strictLog(tb),
		World: columns.world, Limits: Limits{Instructions: 1 << 40}, Pool: pool,
		Scripts: files(map[string]string{"a": "local ecs = require(\"ecs\")\nreturn function(world, dt)" + c.lua + "\nend"}),
		Natives: map[string]ecs.NativeFunc{"a": func(*ecs.World) (ecs.SystemFunc, error) {
			return func(_ *ecs.World, dt float64) error { c.native(columns, dt); return nil }, nil
		}},
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Native: "a", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(ctx)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return func() {
		if err := r.Frame(ctx, 1.0/60); err != nil {
			tb.Fatal(err)
		}
	}
}

// A heavy loop over a large table, on one core and on two.
func BenchmarkLoopCores(b *testing.B) {
	const n = 1_000_000
	heavy := loopCases[slices.IndexFunc(loopCases, func(c loopCase) bool { return c.name == "heavy" })]
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			pool := ecs.NewPool(cores)
			defer pool.Close()
			frame := loopFrame(b, heavy, n, Auto, pool)
			for b.Loop() {
				frame()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
		})
	}
}

// What it costs to have a loop compiled and checked: loading and starting a file (ns/loop), and what is left of it in the first frame
// (ns/first-frame), each less the same interpreted. The world is small, so that running is nothing.
func BenchmarkLoopLoad(b *testing.B) {
	for _, c := range loopCases {
		b.Run(c.name, func(b *testing.B) {
			cost := func(impl Impl) (start, first time.Duration) {
				columns := loopWorld(b, 1)
				began := time.Now()
				frame := startLoop(b, c, columns, impl, nil)
				started := time.Now()
				frame()
				return started.Sub(began), time.Since(started)
			}
			var start, first time.Duration
			for b.Loop() {
				s, f := cost(Auto)
				start, first = start+s, first+f
				s, f = cost(Lua)
				start, first = start-s, first-f
			}
			b.ReportMetric(float64(start.Nanoseconds())/float64(b.N), "ns/loop")
			b.ReportMetric(float64(first.Nanoseconds())/float64(b.N), "ns/first-frame")
		})
	}
}
