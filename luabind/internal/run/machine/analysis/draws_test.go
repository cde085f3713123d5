package analysis

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The number of draws of a row is known where every way through the body draws equally often.
func TestDraws(t *testing.T) {
	n := func(x float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: x} }
	draw := &ir.Expr{Op: ir.Random}
	set := func(x *ir.Expr) *ir.Stmt { return &ir.Stmt{Op: ir.Set, A: x} }
	loop := func(op ir.StmtOp, to float64, body ...*ir.Stmt) *ir.Stmt {
		return &ir.Stmt{Op: op, A: n(1), B: n(to), C: n(1), Body: body, Price: 1}
	}
	yes := &ir.Expr{Op: ir.Less, A: n(1), B: n(2)}
	for name, c := range map[string]struct {
		body []*ir.Stmt
		want int64 // -1: not known
	}{
		"none":                     {[]*ir.Stmt{set(n(1))}, 0},
		"one":                      {[]*ir.Stmt{set(draw)}, 1},
		"of a drawn bound":         {[]*ir.Stmt{set(&ir.Expr{Op: ir.Random, A: draw, B: n(3)})}, 2},
		"two in a sum":             {[]*ir.Stmt{set(&ir.Expr{Op: ir.Add, A: draw, B: draw})}, 2},
		"an argument":              {[]*ir.Stmt{{Op: ir.Emit, Args: []*ir.Expr{draw, n(1), draw}}}, 2},
		"in a branch":              {[]*ir.Stmt{{Op: ir.If, A: yes, Body: []*ir.Stmt{set(draw)}}}, -1},
		"in both branches":         {[]*ir.Stmt{{Op: ir.If, A: yes, Body: []*ir.Stmt{set(draw)}, Else: []*ir.Stmt{set(draw)}}}, 1},
		"more in one of them":      {[]*ir.Stmt{{Op: ir.If, A: yes, Body: []*ir.Stmt{set(draw)}, Else: []*ir.Stmt{set(draw), set(draw)}}}, -1},
		"in a condition":           {[]*ir.Stmt{{Op: ir.If, A: &ir.Expr{Op: ir.Less, A: draw, B: n(1)}}}, 1},
		"behind and":               {[]*ir.Stmt{set(&ir.Expr{Op: ir.And, A: yes, B: &ir.Expr{Op: ir.Less, A: draw, B: n(1)}})}, -1},
		"in front of or":           {[]*ir.Stmt{set(&ir.Expr{Op: ir.Or, A: &ir.Expr{Op: ir.Less, A: draw, B: n(1)}, B: yes})}, 1},
		"in one choice":            {[]*ir.Stmt{set(&ir.Expr{Op: ir.Select, A: yes, B: draw, C: n(1)})}, -1},
		"in both choices":          {[]*ir.Stmt{set(&ir.Expr{Op: ir.Select, A: yes, B: draw, C: draw})}, 1},
		"in a counting loop":       {[]*ir.Stmt{loop(ir.Count, 5, set(draw), loop(ir.Count, 2, set(draw)))}, 15},
		"a drawn number of times":  {[]*ir.Stmt{{Op: ir.Count, A: n(1), B: draw, C: n(1), Body: []*ir.Stmt{set(n(1))}}}, 1},
		"as often as a value says": {[]*ir.Stmt{{Op: ir.Count, A: n(1), B: &ir.Expr{Op: ir.Reg}, C: n(1), Body: []*ir.Stmt{set(draw)}}}, -1},
		"while":                    {[]*ir.Stmt{{Op: ir.While, A: yes, Body: []*ir.Stmt{set(draw)}}}, -1},
		"in the condition of one":  {[]*ir.Stmt{{Op: ir.While, A: &ir.Expr{Op: ir.Less, A: draw, B: n(1)}}}, -1},
		"for who is near":          {[]*ir.Stmt{{Op: ir.Near, A: n(1), B: n(1), C: n(1), Body: []*ir.Stmt{set(draw)}}}, -1},
		"in front of a jump":       {[]*ir.Stmt{{Op: ir.Block, I: 1, Body: []*ir.Stmt{set(draw), {Op: ir.Jump, I: 1}}}}, -1},
		"in a block":               {[]*ir.Stmt{{Op: ir.Block, Body: []*ir.Stmt{set(draw)}}}, 1},
	} {
		got, ok := Draws(&ir.Program{Random: true, Body: c.body})
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if n, ok := Draws(&ir.Program{Body: []*ir.Stmt{{Op: ir.Jump}}}); n != 0 || !ok {
		t.Errorf("without draws: %d, %v", n, ok)
	}
}
