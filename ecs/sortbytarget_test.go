package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Sources that were made in turns lie together afterwards, in the order of Sources, with their values and stamps.
func TestSortByTarget(t *testing.T) {
	for _, n := range []int{2, 3, 64, 65, 1000} {
		w := newWorld(Options{})
		of := must[RelationID](t)(w.DeclareRelation("Of"))
		pos := must[Component[position]](t)(Register[position](w, "Position"))
		label := must[Component[modelLabel]](t)(Register[modelLabel](w, "Label"))
		parents := must[[]Entity](t)(must[*Bundle](t)(w.Bundle()).SpawnMany(7, nil))
		type facts struct {
			changed, added Tick
			x              float64
			text           string
		}
		before := map[Entity]facts{}
		factsOf := func(e Entity) facts {
			sl := w.slots.find(e)
			c, row := w.tables[sl.table].Column(pos.ID()), int(sl.row)
			return facts{c.Changed(row), c.Added(row), pos.Get(e).X, label.Get(e).Text}
		}
		var all []Entity
		for i := range n {
			e := must[Entity](t)(w.SpawnRelated([]Target{{of, parents[i%7]}}, pos.ID(), label.ID()))
			pos.Set(e, position{X: float64(i)})
			label.Set(e, modelLabel{Text: fmt.Sprint(i)})
			all = append(all, e)
			if i%10 == 9 {
				w.EndFrame()
				pos.Set(all[i/2], position{X: float64(i / 2)})
			}
		}
		for _, e := range all {
			before[e] = factsOf(e)
		}
		tick := w.Tick()
		ok(t, w.SortByTarget(of))
		check(t, w)
		table := w.tables[len(w.tables)-1]
		var want []Entity
		for _, p := range parents {
			want = w.Sources(want, of, p)
		}
		if !slices.Equal(table.Entities(), want) || len(want) != n || w.Tick() != tick {
			t.Fatalf("%d rows: %v, not %v", n, table.Entities(), want)
		}
		for _, e := range all {
			if got := factsOf(e); got != before[e] {
				t.Fatalf("%d rows: %s has %v, not %v", n, e, got, before[e])
			}
		}
		newest := table.columns[0].newest
		ok(t, w.SortByTarget(of)) // nothing to do
		if !slices.Equal(table.Entities(), want) || table.columns[0].newest != newest {
			t.Error("rows in order have moved")
		}
	}
}

func TestSortByTargetIsRefused(t *testing.T) {
	w := newWorld(Options{})
	of := must[RelationID](t)(w.DeclareRelation("Of"))
	pos := must[Component[position]](t)(Register[position](w, "Position"))
	if err := w.SortByTarget(pos.ID()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	must[Entity](t)(w.Spawn(pos.ID()))
	q := must[*Query](t)(w.Query(Filter{}))
	for range q.Tables {
		if err := w.SortByTarget(of); !errors.Is(err, ErrLocked) || err.Error()[:19] != "sort by target Of: " {
			t.Error(err)
		}
	}
}

// A turn that sorts and fails leaves the old order, and its journal hears of every row before it moves.
func TestSortByTargetIsTakenBack(t *testing.T) {
	w := newWorld(Options{})
	of := must[RelationID](t)(w.DeclareRelation("Of"))
	pos := must[Component[position]](t)(Register[position](w, "Position"))
	label := must[Component[modelLabel]](t)(Register[modelLabel](w, "Label"))
	targets := must[[]Entity](t)(must[*Bundle](t)(w.Bundle()).SpawnMany(3, nil))
	var all []Entity
	for i := range 200 {
		e := must[Entity](t)(w.SpawnRelated([]Target{{of, targets[i%3]}}, pos.ID(), label.ID()))
		pos.Set(e, position{X: float64(i)})
		label.Set(e, modelLabel{Text: fmt.Sprint(i)})
		all = append(all, e)
		if i%50 == 0 {
			w.EndFrame()
		}
	}
	s := NewSchedule(w)
	nothing := func(*World, float64) error { return nil }
	must[*System](t)(s.AddSystem(SystemSpec{Name: "failing", Run: nothing}))
	twin := must[*Schedule](t)(s.Copy(func(*World, SystemSpec) (SystemFunc, func(*World) (bool, error), error) { return nothing, nil, nil }))
	for range 2 {
		failedTurn(t, s, func(w *World) {
			ok(t, w.SortByTarget(of))
			for i, e := range all {
				if i%2 == 0 {
					pos.Set(e, position{Y: 1})
				}
			}
			must[bool](t)(w.Despawn(all[7]))
		})
		ok(t, differentState(w, twin.world))
		check(t, w)
	}
	ok(t, s.Swap("failing", func(w *World, _ float64) error { return w.SortByTarget(of) }))
	ok(t, s.Run(1))
	if got := w.Sources(nil, of, targets[0]); !slices.Equal(got, w.tables[len(w.tables)-1].Entities()[:67]) {
		t.Error("not sorted")
	}
}
