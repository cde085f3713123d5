package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// columnsOf are the columns of a bed, for loops in Go.
type columnsOf struct {
	a, b []pairOf
	c, g []tripleOf
	d, h []shortOf
}

// packedLoops are bodies, and the same in Go.
var packedLoops = []struct {
	name, names, body string
	native            func(c *columnsOf, dt float64)
}{
	{"move", "AB", "a.x = a.x + b.x * u\na.y = a.y + b.y * u", func(c *columnsOf, dt float64) {
		b := c.b[:len(c.a)]
		for i := range c.a {
			c.a[i].X += b[i].X * dt
			c.a[i].Y += b[i].Y * dt
		}
	}},
	{"move3", "CG", "c.x = c.x + g.x * u\nc.y = c.y + g.y * u\nc.z = c.z + g.z * u", func(c *columnsOf, dt float64) {
		g := c.g[:len(c.c)]
		for i := range c.c {
			c.c[i].X += g[i].X * dt
			c.c[i].Y += g[i].Y * dt
			c.c[i].Z += g[i].Z * dt
		}
	}},
	{"short", "DH", "d.x = d.x + h.x * u\nd.y = d.y + h.y * u", func(c *columnsOf, dt float64) {
		h := c.h[:len(c.d)]
		for i := range c.d {
			c.d[i].X = float32(float64(c.d[i].X) + float64(h[i].X)*dt)
			c.d[i].Y = float32(float64(c.d[i].Y) + float64(h[i].Y)*dt)
		}
	}},
	{
		"bounce", "AB", "a.x = a.x + b.x * u\na.y = a.y + b.y * u\n" +
			"if a.x < 0 or a.x > 800 then b.x = -b.x end\nif a.y < 0 or a.y > 600 then b.y = -b.y end",
		func(c *columnsOf, dt float64) {
			b := c.b[:len(c.a)]
			for i := range c.a {
				p, v := &c.a[i], &b[i]
				p.X += v.X * dt
				p.Y += v.Y * dt
				if p.X < 0 || p.X > 800 {
					v.X = -v.X
				}
				if p.Y < 0 || p.Y > 600 {
					v.Y = -v.Y
				}
			}
		},
	},
	{
		"pull", "AB", "local ax = 400 - a.x\nlocal ay = 300 - a.y\nlocal inv = 50 / math.sqrt(ax * ax + ay * ay + 1)\n" +
			"b.x = (b.x + ax * inv * u) * 0.99\nb.y = (b.y + ay * inv * u) * 0.99\na.x = a.x + b.x * u\na.y = a.y + b.y * u",
		func(c *columnsOf, dt float64) {
			b := c.b[:len(c.a)]
			for i := range c.a {
				p, v := &c.a[i], &b[i]
				ax, ay := 400-p.X, 300-p.Y
				inv := 50 / math.Sqrt(ax*ax+ay*ay+1)
				v.X = (v.X + ax*inv*dt) * 0.99
				v.Y = (v.Y + ay*inv*dt) * 0.99
				p.X += v.X * dt
				p.Y += v.Y * dt
			}
		},
	},
	{
		"heavy", "A", "local v, w = a.x, a.y * 0.25\nfor k = 1, 32 do v = math.sqrt(v * v + 1) * 0.5 + w end\na.x = v",
		func(c *columnsOf, _ float64) {
			for i := range c.a {
				v, w := c.a[i].X, c.a[i].Y*0.25
				for range 32 {
					v = math.Sqrt(v*v+1)*0.5 + w
				}
				c.a[i].X = v
			}
		},
	},
}

// BenchmarkPacked has loops in Go, and bodies as machine code row by row and in
// each form, over the same columns.
func BenchmarkPacked(b *testing.B) {
	const rows = 10_000
	for _, loop := range packedLoops {
		rng := rand.New(rand.NewPCG(1, 1))
		bed := newBed(b, rows, loop.names, func() float64 { return rng.Float64() * 600 })
		p, _, reason := bed.program(loop.body)
		if reason != nil {
			b.Fatal(reason)
		}
		measure := func(name string, run func()) {
			b.Run(loop.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				least := time.Duration(1 << 62)
				for b.Loop() {
					began := time.Now()
					run()
					least = min(least, time.Since(began))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
				b.ReportMetric(float64(least.Nanoseconds())/rows, "quickest-ns/row")
			})
		}
		var c columnsOf
		for table := range bed.query.Tables {
			for i, id := range bed.ids {
				col := table.Column(id)
				switch bed.names[i] {
				case "a":
					c.a, _ = ecs.Slice[pairOf](col)
				case "b":
					c.b, _ = ecs.Slice[pairOf](col)
				case "c":
					c.c, _ = ecs.Slice[tripleOf](col)
				case "g":
					c.g, _ = ecs.Slice[tripleOf](col)
				case "d":
					c.d, _ = ecs.Slice[shortOf](col)
				case "h":
					c.h, _ = ecs.Slice[shortOf](col)
				}
			}
		}
		measure("native", func() { loop.native(&c, 1.0/600) })
		code := func(name string, list []packing.Form, packed bool) {
			k := bed.machine(p, list, packed)
			if k == nil {
				return
			}
			for _, in := range p.Inputs {
				if in.Used && in.Type == ir.Number {
					k.SetNumber(in.Reg, 1.0/600)
				}
			}
			measure(name, func() {
				c := ecs.Raw.Begin(bed.query)
				k.Run(&c)
			})
		}
		code("rows", nil, false)
		code("cheapest", packing.Forms, false)
		for _, f := range packing.Forms {
			code(fmt.Sprintf("cold=%v", f.Cold), []packing.Form{f}, true)
		}
	}
}
