package kernel

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
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
		body func(w *ecs.World, p *Program, x *ecs.Field, e *ecs.Field) []*Stmt
	}{
		{"empty", n, 1, func(*ecs.World, *Program, *ecs.Field, *ecs.Field) []*Stmt { return nil }},
		{"store", n, 1, func(_ *ecs.World, _ *Program, x, _ *ecs.Field) []*Stmt {
			return []*Stmt{store(0, x, op(Add, load(0, x), num(1)))}
		}},
		{"store with undo", n, 1, func(_ *ecs.World, p *Program, x, _ *ecs.Field) []*Stmt {
			p.Exact = true
			return []*Stmt{store(0, x, op(Add, load(0, x), num(1)))}
		}},
		{"get", n, 1, func(_ *ecs.World, p *Program, x, e *ecs.Field) []*Stmt {
			p.Refs = []Ref{{Component: p.Components[0], Query: -1}}
			return []*Stmt{look(1, load(0, e)), when(&Expr{Op: Present, Type: Bool, I: 1}, store(0, x, op(Add, load(1, x), num(1))))}
		}},
		{"get and store", n, 1, func(_ *ecs.World, p *Program, x, e *ecs.Field) []*Stmt {
			p.Refs = []Ref{{Component: p.Components[0], Query: -1, Stored: true}}
			return []*Stmt{look(1, load(0, e)), when(&Expr{Op: Present, Type: Bool, I: 1}, store(1, x, op(Add, load(1, x), num(1))))}
		}},
		{"tagged", n, 1, func(_ *ecs.World, _ *Program, x, _ *ecs.Field) []*Stmt {
			return []*Stmt{when(&Expr{Op: Tagged, Type: Bool, A: self()}, store(0, x, num(1)))}
		}},
		{"tag", n, 1, func(*ecs.World, *Program, *ecs.Field, *ecs.Field) []*Stmt {
			return []*Stmt{{Op: Do, A: &Expr{Op: Tag, Type: Bool, A: self()}}, {Op: Do, A: &Expr{Op: Untag, Type: Bool, A: self()}}}
		}},
		{"send", n, 1, func(w *ecs.World, p *Program, x, _ *ecs.Field) []*Stmt {
			p.Effects = []*Effect{{Op: Send, Event: 0, Fields: []EffectField{{Index: 0, Field: &w.EventSchema(0).Fields()[0]}}}}
			return []*Stmt{emit(p.Effects[0], -1, load(0, x))}
		}},
		{"despawn", n, 1, func(_ *ecs.World, p *Program, _, _ *ecs.Field) []*Stmt {
			p.Effects = []*Effect{{Op: QueueDespawn}}
			return []*Stmt{emit(p.Effects[0], -1, num(0))}
		}},
		{"pairs", few, few, func(w *ecs.World, p *Program, x, _ *ecs.Field) []*Stmt {
			q, err := w.Query(ecs.Filter{Required: p.Components})
			if err != nil {
				b.Fatal(err)
			}
			p.Queries = []Subquery{{Query: q, Entity: -1, First: 1, Views: 1}}
			p.Refs = []Ref{{Component: p.Components[0], Query: 0}}
			return []*Stmt{let(0, num(0)), {Op: Each, Price: 1, Body: []*Stmt{let(0, op(Add, reg(0), load(1, x)))}}, store(0, x, reg(0))}
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
			p := &Program{Price: 1, Numbers: 4, Views: 1, Components: []ecs.ComponentID{comp.ID()}, Uses: 1}
			p.Body = c.body(w, p, x, e)
			p.Stores = []Target{{View: 0, Field: x, Always: len(p.Body) == 1 && p.Body[0].Op == Store}}
			k := p.Closures(&sandbox.Budget{})
			q, err := w.Query(ecs.Filter{Required: p.Components})
			if err != nil {
				b.Fatal(err)
			}
			var cursor ecs.Cursor
			b.ReportAllocs()
			for b.Loop() {
				w.BeginFrame(1)
				cursor = q.Begin()
				if k.Run(&cursor) != Finished {
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
