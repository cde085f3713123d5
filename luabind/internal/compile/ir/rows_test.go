package ir

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// The rows of queries within count for the budget, those of both branches of an if, but none in loops of other kinds.
func TestInstructionsOfRows(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	var queries [2]*ecs.Query // with five and six rows
	for i := range queries {
		schema, err := ecs.NewSchema(ecs.Field{Name: "v", Type: ecs.F64})
		if err != nil {
			t.Fatal(err)
		}
		id, err := w.DeclareComponent(string(rune('A'+i)), schema)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 + i {
			if _, err := w.Spawn(id); err != nil {
				t.Fatal(err)
			}
		}
		if queries[i], err = w.Query(ecs.Filter{Required: []ecs.ComponentID{id}}); err != nil {
			t.Fatal(err)
		}
	}
	within := func(i int, body ...*Stmt) *Stmt { return &Stmt{Op: Each, I: i, Body: body} }
	for i, c := range []struct {
		rows int
		body []*Stmt
		want int64
	}{
		{0, []*Stmt{within(0)}, 0},
		{3, nil, 3},
		{3, []*Stmt{within(0)}, 3 * (1 + 5)},
		{2, []*Stmt{within(0), within(1)}, 2 * (1 + 5 + 6)},
		{2, []*Stmt{within(0, within(1))}, 2 * (1 + 5*(1+6))},
		{2, []*Stmt{{Op: If, Body: []*Stmt{within(0)}, Else: []*Stmt{within(1), within(1)}}}, 2 * (1 + 5 + 12)},
		{2, []*Stmt{{Op: Block, Body: []*Stmt{within(1)}}, {Op: Set, A: &Expr{Op: Const}}}, 2 * (1 + 6)},
		{2, []*Stmt{{Op: While, Body: []*Stmt{within(1)}}, {Op: Near, Body: []*Stmt{within(1)}}}, 2},
	} {
		p := &Program{Body: c.body}
		if i != 1 {
			p.Queries = []Subquery{{Query: queries[0]}, {Query: queries[1]}}
		}
		if got := p.Rows(c.rows); got != c.want {
			t.Errorf("case %d: %d, want %d", i, got, c.want)
		}
	}
	for _, c := range [][3]int64{{0, 5, 0}, {5, 0, 0}, {3, 4, 12}, {1 << 20, 1 << 20, mostRows}, {1<<20 + 1, 1 << 20, mostRows}, {math.MaxInt64, 2, mostRows}, {mostRows, 1, mostRows}, {mostRows/3 - 1, 3, mostRows/3*3 - 3}} {
		if got := times(c[0], c[1]); got != c[2] {
			t.Errorf("%d times %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
