package selfcheck

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Two worlds whose layers differ in one cell are different ones, and those whose cells are NaN of other bits are not.
func TestCompareLayers(t *testing.T) {
	make := func(cells ...float64) *trial {
		w := ecs.NewWorld(ecs.Options{})
		l, err := ecs.DeclareLayer[float64](w, ecs.LayerSpec{Name: "heat", Width: len(cells), Height: 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for x, v := range cells {
			if err := l.Set(x, 0, v); err != nil {
				t.Fatal(err)
			}
		}
		return &trial{world: w, subject: &subject{}, program: &ir.Program{Layers: []ir.Layer{{Name: "heat", Cells: len(cells)}}}}
	}
	other := math.Float64frombits(math.Float64bits(math.NaN()) ^ 1)
	for _, c := range []struct {
		a, b []float64
		same bool
	}{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, true},
		{[]float64{1, 2, 3}, []float64{1, 2, 4}, false},
		{[]float64{1, 0, 3}, []float64{1, math.Copysign(0, -1), 3}, false},
		{[]float64{1, math.NaN(), 3}, []float64{1, other, 3}, true},
	} {
		if err := make(c.a...).compare(make(c.b...)); (err == nil) != c.same {
			t.Errorf("%v and %v: %v", c.a, c.b, err)
		}
	}
}
