package selfcheck

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Only loops over entities count as levels of walks within each other.
func TestNests(t *testing.T) {
	within := func(op ir.StmtOp, body ...*ir.Stmt) *ir.Stmt { return &ir.Stmt{Op: op, Body: body} }
	for _, c := range []struct {
		body []*ir.Stmt
		want int
	}{
		{nil, 0},
		{[]*ir.Stmt{within(ir.Count), within(ir.While)}, 0},
		{[]*ir.Stmt{within(ir.Each)}, 1},
		{[]*ir.Stmt{within(ir.If, within(ir.Each, within(ir.Count, within(ir.Near)))), within(ir.Each)}, 2},
		{[]*ir.Stmt{{Op: ir.If, Else: []*ir.Stmt{within(ir.Near, within(ir.Each, within(ir.Each)))}}}, 3},
	} {
		if got := nests(c.body); got != c.want {
			t.Errorf("%d levels, want %d", got, c.want)
		}
	}
}
