package closures

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Scattered tables that a loop only reads are read ahead, once rows have looked at them. Those that it stores are not.
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
		var lists []*ecs.Data
		for i := range touchLeast { // lists of 0 to 9 tables
			var list []ecs.DataEntry
			for j := range i % 10 {
				item := must[*ecs.Data](t)(ecs.NewData([]ecs.DataEntry{{Key: ecs.Text("x"), Value: ecs.Number(1)}, {Key: ecs.Text("y"), Value: ecs.Number(2)}}))
				list = append(list, ecs.DataEntry{Key: ecs.Number(float64(j + 1)), Value: ecs.TableOf(item)})
			}
			lists = append(lists, must[*ecs.Data](t)(ecs.NewData(list)))
		}
		for i := range lists {
			e := must[ecs.Entity](t)(w.Spawn(bag))
			must[bool](t)(w.Set(e, bag, ecs.FieldValue{Index: 0, Value: ecs.TableOf(lists[i*1597%len(lists)])}))
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

// Tables that lie in the order of the rows are not scattered, neither those of the rows nor those in them.
func TestScatteredTables(t *testing.T) {
	memory := make([]ecs.Data, 1<<16)
	for _, c := range []struct {
		name       string
		outer, kid int // the distance of tables of successive rows; 0: there is no table
		scattered  bool
	}{
		{"none", 0, 0, false},
		{"in order", 1, 0, false},
		{"in order, with others between", 7, 0, false},
		{"anywhere", 7919, 0, true},
		{"kids in order", 0, 3, false},
		{"kids anywhere", 0, 7919, true},
	} {
		var pages recentPages
		var lists [4 * touchRows]*ecs.Data
		for i := range lists {
			if c.outer > 0 {
				lists[i] = &memory[i*c.outer%len(memory)]
			}
			if c.kid > 0 {
				lists[i] = must[*ecs.Data](t)(ecs.NewData([]ecs.DataEntry{{Key: ecs.Number(1), Value: ecs.TableOf(&memory[i*c.kid%len(memory)])}}))
			}
		}
		pages.scattered(lists[:touchRows])
		for i := touchRows; i < len(lists); i += touchRows {
			if got := pages.scattered(lists[i : i+touchRows]); got != c.scattered {
				t.Errorf("%s, row %d: scattered is %v, want %v", c.name, i, got, c.scattered)
			}
		}
	}
}
