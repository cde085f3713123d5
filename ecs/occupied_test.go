package ecs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Queries skip tables without rows, and visit the others in the order of their creation, as if they looked at all.
func TestQueriesSkipTablesWithoutRows(t *testing.T) {
	w := newWorld(Options{})
	var ids []ComponentID
	for i := range 10 {
		ids = append(ids, MustRegister[benchA](w, fmt.Sprint("C", i)).ID())
	}
	filters := []Filter{{}, {Required: ids[:1]}, {Required: ids[:2], Without: ids[5:6]}, {Any: ids[7:]}, {Required: ids[3:4], Changed: ids[3:4]}}
	var queries []*Query
	for _, f := range filters[:3] {
		queries = append(queries, must[*Query](t)(w.Query(f)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	var alive []Entity
	for turn := range 60 {
		if turn == 30 { // these find the tables all at once
			for _, f := range filters[3:] {
				queries = append(queries, must[*Query](t)(w.Query(f)))
			}
		}
		for range 40 {
			set := random.IntN(1 << len(ids))
			var list []ComponentID
			for i, id := range ids {
				if set>>i&1 != 0 {
					list = append(list, id)
				}
			}
			alive = append(alive, must[Entity](t)(w.Spawn(list...)))
		}
		random.Shuffle(len(alive), func(i, j int) { alive[i], alive[j] = alive[j], alive[i] })
		keep := random.IntN(20)
		must[int](t)(w.DespawnMany(alive[keep:]))
		alive = alive[:keep]
		for i, q := range queries {
			var got, want []int
			for table := range q.Tables {
				got = append(got, table.ID())
			}
			for _, m := range q.matches {
				if m.table.Len() > 0 {
					want = append(want, m.table.ID())
				}
				if bit := w.occupied[m.table.id>>6] >> (m.table.id & 63) & 1; (bit != 0) != (m.table.Len() > 0) {
					t.Errorf("turn %d: after a walk the bit of table %d with %d rows is %d", turn, m.table.id, m.table.Len(), bit)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("turn %d, query %d: tables %v, want %v", turn, i, got, want)
			}
			if n := q.Count(); i < 4 && n != q.Rows() || i == 4 && n > q.Rows() {
				t.Fatalf("turn %d, query %d: %d of %d rows", turn, i, n, q.Rows())
			}
		}
		check(t, w)
	}
}
