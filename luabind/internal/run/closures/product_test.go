package closures

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Products that the body begins with may be computed for many rows at once, but only when nothing after them can end the loop or change their factor.
func TestProductsAheadOfTheBody(t *testing.T) {
	for name, c := range map[string]struct {
		rest  func(x *fixture) *ir.Stmt
		want  [6]float64 // x of the first six entities, which began as 0 to 5; the walk visits 0 2 4 1 3 5
		ahead int
	}{
		"nothing in the way": {func(x *fixture) *ir.Stmt { return store(0, x.fieldA("f"), num(1)) }, [6]float64{0, 2, 4, 6, 8, 10}, 1},
		"break": {func(x *fixture) *ir.Stmt {
			return when(test(ir.Less, num(3), load(0, x.fieldA("x"))), &ir.Stmt{Op: ir.Break})
		}, [6]float64{0, 1, 4, 3, 4, 5}, 0},
		"break in else": {func(x *fixture) *ir.Stmt {
			return &ir.Stmt{Op: ir.If, A: test(ir.Less, load(0, x.fieldA("x")), num(3)), Body: []*ir.Stmt{let(5, num(1))}, Else: []*ir.Stmt{{Op: ir.Break}}}
		}, [6]float64{0, 1, 4, 3, 4, 5}, 0},
		"another factor": {func(*fixture) *ir.Stmt { return let(3, num(2)) }, [6]float64{0, 3, 6, 9, 12, 15}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := newFixture(t)
			field := x.fieldA("x")
			p := x.program(store(0, field, op(ir.Add, load(0, field), op(ir.Mul, load(0, field), reg(3)))), c.rest(x))
			p.Exact = false
			k := x.kernel(p)
			if len(k.products) != c.ahead {
				t.Errorf("%d products run ahead, want %d", len(k.products), c.ahead)
			}
			k.SetNumber(3, 1)
			if how, _ := x.run(p, k); how != kernel.Finished {
				t.Fatal(how)
			}
			for i := range c.want {
				row, _ := x.w.Ref(x.all[i], x.a).Row()
				if row.Number(0) != c.want[i] {
					t.Errorf("entity %d has %v, want %v", i, row.Number(0), c.want[i])
				}
			}
		})
	}
}
