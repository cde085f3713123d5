package closures

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// Tables that a loop only reads are read ahead, once rows have looked at them; those that it stores are not.
func TestTablesAreReadAhead(t *testing.T) {
	for _, c := range []struct {
		name    string
		fields  int // whose tables are read ahead
		ahead   bool
		program func(p *ir.Program, items, n *ecs.Field)
	}{
		{"read", 1, true, func(p *ir.Program, items, n *ecs.Field) {
			p.Body = []*ir.Stmt{store(0, n, &ir.Expr{Op: ir.Length, Type: ir.Number, A: &ir.Expr{Op: ir.Load, Type: ir.Any, Field: items}})}
		}},
		{"not looked at", 1, false, func(p *ir.Program, items, n *ecs.Field) {
			p.Body = []*ir.Stmt{when(&ir.Expr{Op: ir.Less, Type: ir.Bool, A: load(0, n), B: num(0)}, store(0, n, &ir.Expr{Op: ir.Length, Type: ir.Number, A: &ir.Expr{Op: ir.Load, Type: ir.Any, Field: items}}))}
		}},
		{"read and stored", 0, false, func(p *ir.Program, items, n *ecs.Field) {
			p.Body = []*ir.Stmt{store(0, items, &ir.Expr{Op: ir.Load, Type: ir.Any, Field: items})}
			p.Stores[0].Field = items
		}},
	} {
		w := ecs.NewWorld(ecs.Options{Seed: 1})
		bag := must[ecs.ComponentID](t)(w.DeclareComponent("Bag", must[*ecs.Schema](t)(ecs.NewSchema(ecs.Field{Name: "items", Type: ecs.TableField}, ecs.Field{Name: "n", Type: ecs.F64}))))
		for i := range touchLeast { // lists of 0 to 9 tables
			var list []ecs.DataEntry
			for j := range i % 10 {
				item := must[*ecs.Data](t)(ecs.NewData([]ecs.DataEntry{{Key: ecs.Text("x"), Value: ecs.Number(1)}, {Key: ecs.Text("y"), Value: ecs.Number(2)}}))
				list = append(list, ecs.DataEntry{Key: ecs.Number(float64(j + 1)), Value: ecs.TableOf(item)})
			}
			e := must[ecs.Entity](t)(w.Spawn(bag))
			must[bool](t)(w.Set(e, bag, ecs.FieldValue{Index: 0, Value: ecs.TableOf(must[*ecs.Data](t)(ecs.NewData(list)))}))
		}
		info, _ := w.ComponentInfo(bag)
		items, n := &info.Schema.Fields()[0], &info.Schema.Fields()[1]
		p := &ir.Program{Price: 1, Numbers: 1, Anys: 1, Views: 1, Components: []ecs.ComponentID{bag}, Uses: 1, Exact: true, TableFields: true, Stores: []ir.Target{{View: 0, Field: n}}}
		c.program(p, items, n)
		k := Compile(p, &sandbox.Budget{})
		cursor := ecs.Raw.Begin(must[*ecs.Query](t)(w.Query(ecs.Filter{Required: p.Components})))
		w.BeginFrame(1)
		if how := k.Run(&cursor); how != kernel.Finished {
			t.Fatal(c.name, how)
		}
		if len(k.touched) != c.fields || k.frame.sum > 0 != c.ahead {
			t.Errorf("%s: tables of %d fields are read ahead, want %d; read %v, want %v", c.name, len(k.touched), c.fields, k.frame.sum > 0, c.ahead)
		}
	}
}
