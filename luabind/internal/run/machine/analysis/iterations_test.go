package analysis

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

func constant(n float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: n} }

// A loop between constants has as many iterations as in the interpreter. Too many are not counted.
func TestIterationsBetweenConstants(t *testing.T) {
	for _, c := range []struct {
		from, to, by float64
		count        int64 // -1: not known
	}{
		{1, 3, 1, 3},
		{1, 1, 1, 1},
		{1, 0.5, 1, 0},
		{3, 1, -1, 3},
		{0, 1, 0.25, 5},
		{1, 0, 0, -1},
		{0, 1, 0, 0},
		{1, math.NaN(), 1, 0},
		{1, 500, 1, 500},
		{1, 501, 1, 501},
		{1, 1 << 16, 1, 1 << 16},
		{1, 1<<16 + 1, 1, -1},
	} {
		s := &ir.Stmt{Op: ir.Count, A: constant(c.from), B: constant(c.to), C: constant(c.by)}
		n, ok := CountIterations(s)
		if ok != (c.count >= 0) || ok && n != c.count {
			t.Errorf("%v to %v by %v: %d iterations, %v; want %d", c.from, c.to, c.by, n, ok, c.count)
		}
	}
	for i := range 3 {
		list := []*ir.Expr{constant(1), constant(3), constant(1)}
		list[i] = &ir.Expr{Op: ir.Reg}
		s := &ir.Stmt{Op: ir.Count, A: list[0], B: list[1], C: list[2]}
		if _, ok := CountIterations(s); ok {
			t.Errorf("operand %d is no constant, and the iterations are known", i)
		}
	}
}
