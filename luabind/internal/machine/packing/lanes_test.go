package packing

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Up to 500 iterations of a loop between constants are paid for at once.
func TestFixedTurns(t *testing.T) {
	number := func(n float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: n} }
	for to, want := range map[float64]int{0: 0, 1: 1, 500: 500, 501: -1, 1 << 20: -1} {
		if got := fixedIterations(&ir.Stmt{Op: ir.Count, A: number(1), B: number(to), C: number(1)}); got != want {
			t.Errorf("1 to %v: %d, want %d", to, got, want)
		}
	}
	if got := fixedIterations(&ir.Stmt{Op: ir.Count, A: number(1), B: &ir.Expr{Op: ir.Reg}, C: number(1)}); got != -1 {
		t.Errorf("to what a register holds: %d", got)
	}
}
