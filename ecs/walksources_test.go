package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// A walk over the sources of a target makes runs of those in consecutive rows, whatever the order in which they were made and
// related. It visits what the list of the target says, writes to these rows, and stamps exactly those that it has visited.
func TestWalksOverSourcesMakeRuns(t *testing.T) {
	for name, order := range map[string][]int{
		"in order": {0, 1, 2, 3, 4, 5, 6, 7}, "backwards": {7, 6, 5, 4, 3, 2, 1, 0}, "two runs": {4, 5, 6, 7, 0, 1, 2, 3},
		"steps": {0, 2, 4, 6, 1, 3, 5, 7}, "two tables": {0, 1, 8, 9, 10, 2, 3, 11, 4}, "two tables, the next row": {8, 9, 0, 1, 10, 2}, "one": {3},
	} {
		for stop := range len(order) + 1 {
			for _, runs := range []bool{false, true} {
				w := newWorld(Options{})
				pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
				likes := must[RelationID](t)(w.DeclareRelation("Likes"))
				target := must[Entity](t)(w.Spawn())
				var es, want []Entity
				for i := range 12 {
					ids := []ComponentID{pos.ID(), vel.ID()}[:1+i/8]
					es = append(es, must[Entity](t)(w.SpawnRelated([]Target{{likes, target}}, ids...)))
				}
				for _, e := range es {
					must[bool](t)(w.Unrelate(e, likes))
				}
				for _, i := range order {
					must[bool](t)(w.Relate(es[i], likes, target))
					want = append(want, es[i])
				}
				w.advanceTick()
				before := w.Tick()
				w.advanceTick()
				q := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](w))
				var got []Entity
				e, err := q.StartTarget(likes, target)
				ok(t, err)
				for e.Ok() {
					if runs {
						list := e.Slices()
						for i := range list {
							list[i].V.X++
						}
						got = append(got, e.Entities()...)
					} else {
						e.Get().V.X++
						got = append(got, e.Entity())
					}
					if len(got) > stop {
						e.End()
						break
					}
					if runs {
						e = e.NextRun()
					} else {
						e = e.Next()
					}
				}
				if !slices.Equal(got, want[:len(got)]) || (!runs && len(got) != min(stop+1, len(want))) {
					t.Fatalf("%s, until %d: visited %v of %v", name, stop, got, want)
				}
				var written, stamped []string
				for i, e := range es {
					text := fmt.Sprint(i)
					if pos.Get(e).X == 1 {
						written = append(written, text)
					}
					if tab, row := w.TableOf(e); tab.Column(pos.ID()).Changed(row) > before {
						stamped = append(stamped, text)
					}
				}
				if len(written) != len(got) || !slices.Equal(written, stamped) {
					t.Fatalf("%s, until %d, by runs: %v: written %v, stamped %v", name, stop, runs, written, stamped)
				}
				if w.locks != 0 {
					t.Fatal("structure is locked")
				}
				check(t, w)
			}
		}
	}
}
