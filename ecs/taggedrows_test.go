package ecs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// What walks remember of tags is what entities and tags say, whatever has happened in between. Some frames do much, so that members are
// looked up, and some little, so that blocks are tested again.
func TestTaggedRowsAreRemembered(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	relation := must[RelationID](t)(w.DeclareRelation("Of"))
	tags := []TagID{must[TagID](t)(w.DeclareTag("s")), must[TagID](t)(w.DeclareTag("t"))}
	only := must[*Bundle](t)(w.Bundle(ids[0]))
	a := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	filters := []Filter{
		{Tagged: tags[:1]},
		{Untagged: tags[:1]},
		{Tagged: tags[:1], Untagged: tags[1:]},
		{Untagged: tags},
		{Changed: ids[:1], Tagged: tags[1:]},
		{Where: Or(HasTag(tags[0]), HasTag(tags[1]))},
		{Where: Not(And(HasTag(tags[0]), HasTag(tags[1])))},
	}
	var queries []*Query
	for i := range filters {
		filters[i].Required = ids[:1]
		queries = append(queries, must[*Query](t)(w.Query(filters[i])))
	}
	old := must[*World](t)(w.Copy())
	turns := NewSchedule(w)
	turns.Add("failing", func(*World, float64) error { return nil })
	r := rand.New(rand.NewPCG(1, 2))
	var list []Entity
	some := func() Entity { return list[r.IntN(len(list))] }
	same := func(step int, what string) {
		t.Helper()
		for i, q := range queries {
			if r.IntN(3) == 0 {
				continue
			}
			var want []Entity
			since := w.Tick() - 1
			for _, table := range w.Tables() {
				if col := table.Column(ids[0]); col != nil {
					for row, e := range table.Entities() {
						has := [2]bool{w.Tagged(e, tags[0]), w.Tagged(e, tags[1])}
						if [...]bool{has[0], !has[0], has[0] && !has[1], !has[0] && !has[1], has[1] && col.Changed(row) > since, has[0] || has[1], !has[0] || !has[1]}[i] {
							want = append(want, e)
						}
					}
				}
			}
			var got []Entity
			for c := q.beginSince(since); c.Next(); {
				got = append(got, c.Entity())
			}
			if !slices.Equal(got, want) {
				t.Fatalf("step %d, after %s: query %d has %d entities, want %d", step, what, i, len(got), len(want))
			}
		}
		check(t, w)
	}
	for step := range 400 {
		w.advanceTick()
		list = a.AppendEntities(list[:0])
		if len(list) < 300 {
			list = append(list, must[[]Entity](t)(only.SpawnMany(500+r.IntN(5000), nil))...)
		}
		times := 1 + r.IntN(1<<r.IntN(10))
		what := fmt.Sprint(times, " ")
		switch kind := r.IntN(12); kind {
		case 0, 1, 2:
			what += "tags"
			for range times {
				w.Tag(some(), tags[r.IntN(2)])
			}
		case 3:
			what += "tags taken"
			for range times {
				w.Untag(some(), tags[r.IntN(2)])
			}
		case 4:
			what += "despawned"
			for range times {
				if e := some(); w.Alive(e) {
					must[bool](t)(w.Despawn(e))
				}
			}
		case 5:
			what += "moved"
			for range times {
				e := some()
				if !w.Alive(e) {
					continue
				}
				if table, _ := w.TableOf(e); table.Has(ids[1]) {
					must[bool](t)(w.Remove(e, ids[1]))
				} else {
					must[bool](t)(w.Add(e, ids[1]))
				}
			}
		case 6:
			what += "spawned"
			must[[]Entity](t)(only.SpawnMany(times, nil))
		case 7:
			what = "sorted"
			for range times {
				_, _ = w.Relate(some(), relation, some())
			}
			ok(t, w.SortByTarget(relation))
		case 8:
			switch r.IntN(3) {
			case 0:
				what = "all despawned, and others spawned"
				must[int](t)(append(queries[:2:2], a)[r.IntN(3)].DespawnAll())
			case 1:
				what = "all moved, and others spawned"
				must[int](t)(must[*Bundle](t)(w.Bundle(ids[1])).AddAll(a, nil))
			}
			must[[]Entity](t)(only.SpawnMany(300+r.IntN(3000), nil))
		case 9:
			if what = "saved"; r.IntN(2) == 0 {
				ok(t, old.Restore(w))
			} else if what = "restored"; old.living > 0 {
				ok(t, w.Restore(old))
			}
		default:
			what = "a turn that was taken back"
			before, within := w.Len(), 0
			failedTurn(t, turns, func(w *World) {
				for range times {
					switch e := some(); r.IntN(4) {
					case 0:
						w.Tag(e, tags[r.IntN(2)])
					case 1:
						w.Untag(e, tags[r.IntN(2)])
					case 2:
						_, _ = w.Despawn(e)
					default:
						list = append(list, must[[]Entity](t)(only.SpawnMany(r.IntN(20), nil))...)
					}
				}
				if r.IntN(2) == 0 {
					same(step, "a turn")
				}
				within = w.Len()
			})
			if r.IntN(2) == 0 && within > before { // the rows of the turn are others now
				what += ", and as many spawned"
				must[[]Entity](t)(only.SpawnMany(within-before, nil))
			}
		}
		same(step, what)
	}
}

// A table of a turn that is taken back is gone, and the next one gets its number.
func TestTaggedRowsOfATableThatIsGone(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	tag := must[TagID](t)(w.DeclareTag("s"))
	q := must[*Query](t)(w.Query(Filter{Tagged: []TagID{tag}}))
	walk := func() (got []Entity) {
		for c := q.beginSince(0); c.Next(); {
			got = append(got, c.Entity())
		}
		return got
	}
	fill := func(of ComponentID) (list []Entity) {
		list = must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0], of)).SpawnMany(200, nil))
		for i := 0; i < len(list); i += 3 {
			w.Tag(list[i], tag)
		}
		return list
	}
	must[Entity](t)(w.Spawn(ids[0]))
	turns := NewSchedule(w)
	turns.Add("failing", func(*World, float64) error { return nil })
	failedTurn(t, turns, func(w *World) {
		fill(ids[1])
		if n := len(walk()); n != 67 {
			t.Errorf("%d in the turn", n)
		}
	})
	list := fill(ids[2])
	if n := len(walk()); n != 67 {
		t.Errorf("%d afterwards", n)
	}
	must[bool](t)(w.Despawn(list[0])) // the last row, which has no tag, takes its place
	got := walk()
	if len(got) != 66 || slices.ContainsFunc(got, func(e Entity) bool { return !w.Tagged(e, tag) }) {
		t.Errorf("%d at the end: %v", len(got), got)
	}
	check(t, w)
}
