package closures

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// What the parts of a row cost beside an empty one, in ns per row (per pair, for
// the loop within). The floor adds a number to a field of each row of a slice.
func BenchmarkClosures(b *testing.B) {
	const n, few = 10_000, 300
	type row struct{ X, E float64 }
	type one struct{ X float64 }
	for _, c := range []struct {
		name string
		rows int
		per  int // of a row
		body func(w *ecs.World, p *ir.Program, x *ecs.Field, e *ecs.Field) []*ir.Stmt
	}{
		{"empty", n, 1, func(*ecs.World, *ir.Program, *ecs.Field, *ecs.Field) []*ir.Stmt { return nil }},
		{"store", n, 1, func(_ *ecs.World, _ *ir.Program, x, _ *ecs.Field) []*ir.Stmt {
			return []*ir.Stmt{store(0, x, op(ir.Add, load(0, x), num(1)))}
		}},
		{"store with undo", n, 1, func(_ *ecs.World, p *ir.Program, x, _ *ecs.Field) []*ir.Stmt {
			p.Exact = true
			return []*ir.Stmt{store(0, x, op(ir.Add, load(0, x), num(1)))}
		}},
		{"get", n, 1, func(_ *ecs.World, p *ir.Program, x, e *ecs.Field) []*ir.Stmt {
			p.Refs = []ir.Ref{{Component: p.Components[0], Query: -1}}
			return []*ir.Stmt{look(1, load(0, e)), when(&ir.Expr{Op: ir.Present, Type: ir.Bool, I: 1}, store(0, x, op(ir.Add, load(1, x), num(1))))}
		}},
		{"get and store", n, 1, func(_ *ecs.World, p *ir.Program, x, e *ecs.Field) []*ir.Stmt {
			p.Refs = []ir.Ref{{Component: p.Components[0], Query: -1, Stored: true}}
			return []*ir.Stmt{look(1, load(0, e)), when(&ir.Expr{Op: ir.Present, Type: ir.Bool, I: 1}, store(1, x, op(ir.Add, load(1, x), num(1))))}
		}},
		{"tagged", n, 1, func(_ *ecs.World, _ *ir.Program, x, _ *ecs.Field) []*ir.Stmt {
			return []*ir.Stmt{when(&ir.Expr{Op: ir.Tagged, Type: ir.Bool, A: self()}, store(0, x, num(1)))}
		}},
		{"tag", n, 1, func(*ecs.World, *ir.Program, *ecs.Field, *ecs.Field) []*ir.Stmt {
			return []*ir.Stmt{{Op: ir.Do, A: &ir.Expr{Op: ir.Tag, Type: ir.Bool, A: self()}}, {Op: ir.Do, A: &ir.Expr{Op: ir.Untag, Type: ir.Bool, A: self()}}}
		}},
		{"send", n, 1, func(w *ecs.World, p *ir.Program, x, _ *ecs.Field) []*ir.Stmt {
			p.Effects = []*ir.Effect{{Op: ir.Send, Event: 0, Fields: []ir.EffectField{{Index: 0, Field: &w.EventSchema(0).Fields()[0]}}}}
			return []*ir.Stmt{emit(p.Effects[0], -1, load(0, x))}
		}},
		{"despawn", n, 1, func(_ *ecs.World, p *ir.Program, _, _ *ecs.Field) []*ir.Stmt {
			p.Effects = []*ir.Effect{{Op: ir.QueueDespawn}}
			return []*ir.Stmt{emit(p.Effects[0], -1, num(0))}
		}},
		{"pairs", few, few, func(w *ecs.World, p *ir.Program, x, _ *ecs.Field) []*ir.Stmt {
			q, err := w.Query(ecs.Filter{Required: p.Components})
			if err != nil {
				b.Fatal(err)
			}
			p.Queries = []ir.Subquery{{Query: q, Entity: -1, First: 1, Views: 1}}
			p.Refs = []ir.Ref{{Component: p.Components[0], Query: 0}}
			return []*ir.Stmt{let(0, num(0)), {Op: ir.Each, Price: 1, Body: []*ir.Stmt{let(0, op(ir.Add, reg(0), load(1, x)))}}, store(0, x, reg(0))}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{})
			comp, err := ecs.Register[row](w, "Row")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := w.DeclareTag("tag"); err != nil {
				b.Fatal(err)
			}
			if _, err := ecs.RegisterEvent[one](w, "Event"); err != nil {
				b.Fatal(err)
			}
			for i := range c.rows {
				e, err := w.Spawn()
				if err == nil {
					_, err = comp.Set(e, row{1, float64(1<<32 + uint64(i*7919%c.rows))})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			info, _ := w.ComponentInfo(comp.ID())
			x, e := &info.Schema.Fields()[0], &info.Schema.Fields()[1]
			p := &ir.Program{Price: 1, Numbers: 4, Views: 1, Components: []ecs.ComponentID{comp.ID()}, Uses: 1}
			p.Body = c.body(w, p, x, e)
			p.Stores = []ir.Target{{View: 0, Field: x, Always: len(p.Body) == 1 && p.Body[0].Op == ir.Store}}
			k := Compile(p, &sandbox.Budget{})
			q, err := w.Query(ecs.Filter{Required: p.Components})
			if err != nil {
				b.Fatal(err)
			}
			var cursor ecs.Cursor
			b.ReportAllocs()
			for b.Loop() {
				w.BeginFrame(1)
				cursor = ecs.Raw.Begin(q)
				if k.Run(&cursor) != kernel.Finished {
					b.Fatal("it was left")
				}
				w.Commands().Drop()
				w.EndFrame()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.rows*c.per), "ns/row")
		})
	}
	b.Run("floor", func(b *testing.B) {
		rows := make([]row, n)
		for b.Loop() {
			for i := range rows {
				rows[i].X++
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
	})
}
