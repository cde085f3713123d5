package machine

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// moving is x = x + y*by of one component.
func moving(t *testing.T, by float64) (*kernel.Program, *ecs.Schema) {
	t.Helper()
	s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64})
	if err != nil {
		t.Fatal(err)
	}
	x, y := &s.Fields()[0], &s.Fields()[1]
	return &kernel.Program{
		Price: 5, Views: 1, Uses: 1, Stores: []kernel.Target{{View: 0, Field: x, Always: true}},
		Body: []*kernel.Stmt{{Op: kernel.Store, Field: x, A: &kernel.Expr{
			Op: kernel.Add, A: &kernel.Expr{Op: kernel.Load, Field: x},
			B: &kernel.Expr{Op: kernel.Mul, A: &kernel.Expr{Op: kernel.Load, Field: y}, B: &kernel.Expr{Op: kernel.Const, N: by}},
		}}},
	}, s
}

// Code of another program is found out.
func TestCheckFindsWrongCode(t *testing.T) {
	for by, wrong := range map[float64]bool{2: false, 3: true, -2: true} {
		p, s := moving(t, 2)
		other, _ := moving(t, by)
		u, err := emitAs(other, []uint32{uint32(s.Size())}, 16, forms, false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := compile(u.code)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(p, u, c, []*ecs.Schema{s}, 16*page); errors.Is(err, ErrDiffers) != wrong || err != nil && !wrong {
			t.Errorf("times %v for times 2: %v", by, err)
		}
		c.drop(u.code)
	}
}
