package closures

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// changed lists what was stamped in the tick at hand.
func (x *fixture) changed() string {
	var out []string
	for _, table := range x.w.Tables() {
		for row, e := range table.Entities() {
			for _, id := range table.Components() {
				if table.Column(id).Changed(row) == x.w.Tick() {
					out = append(out, fmt.Sprintf("%s%d", x.w.ComponentNames()[id], slices.Index(x.all, e)))
				}
			}
		}
	}
	return strings.Join(out, " ")
}

// Exactly the rows that were stored are stamped.
func TestStamps(t *testing.T) {
	once := test(ir.Equal, self(), num(0)) // replaced by the first entity
	for name, c := range map[string]struct {
		program func(x *fixture) *ir.Program
		want    string
	}{
		"own rows": {func(x *fixture) *ir.Program { return x.program(store(0, x.fieldA("i8"), num(1))) }, "A0 A2 A4 A1 A3 A5"},
		"some own rows": {func(x *fixture) *ir.Program {
			return x.program(when(test(ir.Less, load(0, x.fieldA("x")), num(3)), store(0, x.fieldA("f"), num(1))))
		}, "A0 A2 A1"},
		"up to a break": {func(x *fixture) *ir.Program {
			return x.program(store(0, x.fieldA("i8"), num(1)), when(test(ir.Equal, self(), x.entity(4)), &ir.Stmt{Op: ir.Break}))
		}, "A0 A2 A4"},
		"up to a return": {func(x *fixture) *ir.Program {
			return x.program(store(0, x.fieldA("i8"), num(1)), when(test(ir.Equal, self(), x.entity(2)), &ir.Stmt{Op: ir.Return}))
		}, "A0 A2"},
		"others": {func(x *fixture) *ir.Program {
			p := x.program(when(once, look(1, x.entity(3)), store(1, x.fieldA("x"), num(1)), look(1, x.entity(4)), store(1, x.fieldA("x"), num(1)), look(1, x.entity(5))))
			p.Refs = []ir.Ref{*x.ref(x.a, -1)}
			return p
		}, "A4 A3"},
		"another at the end": {func(x *fixture) *ir.Program {
			p := x.program(when(once, look(1, x.entity(3)), store(1, x.fieldB("v"), num(1))))
			p.Refs = []ir.Ref{*x.ref(x.b, -1)}
			return p
		}, "B3"},
		"within": {func(x *fixture) *ir.Program {
			return x.nested(x.program(when(once, &ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{when(test(ir.Less, num(20), load(1, x.fieldB("v"))), store(1, x.fieldB("n"), num(1)))}})), ecs.Filter{Required: []ecs.ComponentID{x.b}}, -1)
		}, "B3 B5 B6 B7"},
		"within, red ones": {func(x *fixture) *ir.Program {
			return x.nested(x.program(when(once, &ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldB("n"), num(1))}})), ecs.Filter{Required: []ecs.ComponentID{x.b}, Tagged: []ecs.TagID{x.red}}, -1)
		}, "B3 B6"},
		"within up to a break": {func(x *fixture) *ir.Program {
			return x.nested(x.program(when(once, &ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldB("n"), num(1)), when(test(ir.Less, num(20), load(1, x.fieldB("v"))), &ir.Stmt{Op: ir.Break})}})), ecs.Filter{Required: []ecs.ComponentID{x.b}}, -1)
		}, "B1 B3"},
		"within up to a return": {func(x *fixture) *ir.Program {
			return x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldB("n"), num(1)), {Op: ir.Return}}}), ecs.Filter{Required: []ecs.ComponentID{x.b}}, -1)
		}, "B1"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newFixture(t)
			once.B.N = float64(x.all[0])
			p := c.program(x)
			run := func(w *ecs.World, _ float64) error {
				if how, _ := x.run(p, x.kernel(p)); how == kernel.Bailout {
					t.Error("it was left")
				}
				if got := x.changed(); got != c.want {
					t.Errorf("stamped are %s, want %s", got, c.want)
				}
				return nil
			}
			s := ecs.NewSchedule(x.w)
			if _, err := s.AddSystem(ecs.SystemSpec{Name: "a", Run: run}); err != nil {
				t.Fatal(err)
			}
			if err := s.Run(1); err != nil {
				t.Fatal(err)
			}
		})
	}
}
