package ecs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Whoever takes the rows of several blocks at once visits what Next visits, wherever the run is left: at a row, from which the block goes on, or with
// what is left of the run skipped.
func TestBlocksOfACursor(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	tag := must[TagID](t)(w.DeclareTag("t"))
	all := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(1500, nil)))
	all = append(all, must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(700, nil))...)
	q := must[*Query](t)(w.Query(Filter{Required: ids[:1], Tagged: []TagID{tag}}))
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		for _, e := range all {
			w.Untag(e, tag)
		}
		for at := r.IntN(200); at < len(all); at += 1 + r.IntN(1+r.IntN(1<<r.IntN(9))) {
			w.Tag(all[at], tag)
		}
		want := q.AppendEntities(nil)
		var got []Entity
		c := q.begin()
		words := make([]uint64, 1+r.IntN(20))
		for {
			n, mask := c.NextRows()
			if n == 0 {
				break
			}
			blocks, first := c.Blocks(words), c.RowIndex()&^(blockRows-1)
			if words[0]>>(c.RowIndex()&(blockRows-1)) != mask {
				t.Fatalf("round %d: Blocks gives %x, NextRows %x", round, words[0], mask)
			}
			var rows []int
			for row := range blocks * blockRows {
				if words[row>>blockShift]>>(row&(blockRows-1))&1 != 0 {
					rows = append(rows, first+row)
				}
			}
			visit := func(row int) { got = append(got, c.Table().Entities()[row]) }
			if r.IntN(3) == 0 {
				for _, row := range rows {
					visit(row)
				}
				if c.Skip(rows[r.IntN(len(rows))] - c.RowIndex()); r.IntN(2) == 0 { // it makes no difference
					c.Skip(rows[0] - c.RowIndex())
				}
				continue
			}
			stop := r.IntN(len(rows)) // the row at which the run is left
			for _, row := range rows[:stop+1] {
				visit(row)
			}
			c.Skip(rows[stop] - c.RowIndex())
			if r.IntN(2) == 0 {
				c.Continue()
				continue
			}
			c.Narrow()
			for _, row := range rows[stop+1:] {
				if row>>blockShift == rows[stop]>>blockShift {
					visit(row)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d rows, want %d", round, len(got), len(want))
		}
	}
}
