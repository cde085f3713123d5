package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// A query keeps what it was asked: the lists of a filter and the parts of an expression are copied, each of them.
func TestAQueryKeepsItsFilter(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C", "D", "E", "F", "G")
	tags := []TagID{must[TagID](t)(w.DeclareTag("x")), must[TagID](t)(w.DeclareTag("y")), must[TagID](t)(w.DeclareTag("z"))}
	lists := [][]ComponentID{{ids[0]}, {ids[1]}, {ids[2]}, {ids[3], ids[4]}, {ids[0], ids[1]}, {ids[1], ids[0]}}
	marks := [][]TagID{{tags[0]}, {tags[1]}}
	f := Filter{Required: lists[0], Optional: lists[1], Without: lists[2], Any: lists[3], Changed: lists[4], Added: lists[5], Tagged: marks[0], Untagged: marks[1]}
	want := fmt.Sprint(f)
	for _, inherited := range []bool{false, true} {
		f.Inherited = inherited
		q := must[*Query](t)(w.Query(f))
		before := fmt.Sprint(q.Filter())
		for _, list := range lists {
			old := list[0]
			list[0] = ids[6]
			if got := fmt.Sprint(q.Filter()); got != before || fmt.Sprint(f) == want {
				t.Errorf("inherited %v: the filter has become %s, it was %s", inherited, got, before)
			}
			list[0] = old
		}
		for _, list := range marks {
			old := list[0]
			list[0] = tags[2]
			if got := fmt.Sprint(q.Filter()); got != before {
				t.Errorf("inherited %v: the filter has become %s, it was %s", inherited, got, before)
			}
			list[0] = old
		}
		if q.Filter().Inherited != inherited || !slices.Equal(q.Terms(), []ComponentID{ids[0], ids[1]}) || q.Required() != 1 {
			t.Error("terms")
		}
	}
	parts := []*Expr{Contains(ids[0]), Contains(ids[1])}
	both, either := And(parts...), Or(parts...)
	all, some := must[*Query](t)(w.Query(Filter{Where: both})), must[*Query](t)(w.Query(Filter{Where: either}))
	parts[0], parts[1] = Contains(ids[5]), Contains(ids[5])
	e := must[Entity](t)(w.Spawn(ids[0], ids[1]))
	must[Entity](t)(w.Spawn(ids[5]))
	o := must[Entity](t)(w.Spawn(ids[1]))
	if all.Count() != 1 || all.First() != e || some.Count() != 2 || some.First() != e || must[*Query](t)(w.Query(Filter{Where: And(Contains(ids[0]), Contains(ids[1]))})) != all {
		t.Errorf("%d and %d match, %s", all.Count(), some.Count(), o)
	}
}

// Filters that differ have different keys: expressions that differ in their shape alone, lists that flow into each other, and all pairs of a set.
func TestKeysOfFilters(t *testing.T) {
	a, b, c := Contains(0), Changed(1), HasTag(2)
	filters := []Filter{
		{},
		{Inherited: true},
		{Where: a},
		{Where: a, Inherited: true},
		{Where: b},
		{Where: c},
		{Where: Contains(1)},
		{Where: And(And(a), b)},
		{Where: And(And(a, b))},
		{Where: And(a, b)},
		{Where: And(b, a)},
		{Where: Or(a, b)},
		{Where: Xor(a, b)},
		{Where: Not(a)},
		{Where: Not(Not(a))},
		{Where: And()},
		{Where: Or()},
		{Where: And(Or(), a)},
		{Where: And(Or(a))},
		{Required: []ComponentID{1}},
		{Required: []ComponentID{1, 2}},
		{Required: []ComponentID{2, 1}},
		{Required: []ComponentID{1}, Optional: []ComponentID{2}},
		{Optional: []ComponentID{1, 2}},
		{Optional: []ComponentID{1}, Without: []ComponentID{2}},
		{Without: []ComponentID{1}, Any: []ComponentID{2}},
		{Any: []ComponentID{1}, Changed: []ComponentID{2}},
		{Changed: []ComponentID{1}, Added: []ComponentID{2}},
		{Added: []ComponentID{1}, Tagged: []TagID{2}},
		{Tagged: []TagID{1}, Untagged: []TagID{2}},
		{Untagged: []TagID{1, 2}},
		{Required: []ComponentID{300}},
		{Required: []ComponentID{44, 2}},
	}
	seen := map[string]int{}
	for i := range filters {
		key := string(filters[i].appendKey([]byte("before")))
		if other, twice := seen[key]; twice {
			t.Errorf("filters %d and %d have one key", other, i)
		}
		if seen[key] = i; key[:6] != "before" || key != string(filters[i].appendKey([]byte("before"))) {
			t.Errorf("key %q", key)
		}
	}
}

// Whether surely no row of a table matches is said by the newest stamps of its columns.
func TestQuietExpressions(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	must[Entity](t)(w.Spawn(ids[0], ids[1]))
	table := w.tables[1]
	w.advanceTick()
	table.Column(ids[0]).Stamp(0) // A: added at 1, changed at 2; B: added and changed at 1
	changedA, changedB, changedC := Changed(ids[0]), Changed(ids[1]), Changed(ids[2])
	addedA, addedC := Added(ids[0]), Added(ids[2])
	has := Contains(ids[0])
	for i, c := range []struct {
		x    *Expr
		want [4]bool // since tick 0 to 3
	}{
		{changedA, [4]bool{false, false, true, true}},
		{changedB, [4]bool{false, true, true, true}},
		{changedC, [4]bool{true, true, true, true}},
		{addedA, [4]bool{false, true, true, true}},
		{addedC, [4]bool{true, true, true, true}},
		{has, [4]bool{}},
		{And(changedA, changedB), [4]bool{false, true, true, true}},
		{And(changedB, changedA), [4]bool{false, true, true, true}},
		{And(has, changedB), [4]bool{false, true, true, true}},
		{And(has, has), [4]bool{}},
		{Or(changedA, changedB), [4]bool{false, false, true, true}},
		{Or(changedB, changedA), [4]bool{false, false, true, true}},
		{Or(changedB, has), [4]bool{}},
		{Or(changedC, addedC), [4]bool{true, true, true, true}},
		{Not(changedC), [4]bool{}},
		{Xor(changedC, changedC), [4]bool{}},
	} {
		for since, want := range c.want {
			if got := c.x.quiet(table, uint32(since)); got != want {
				t.Errorf("expression %d since %d: quiet is %v", i, since, got)
			}
		}
	}
}

// A query that looks through IsA shows an optional component that is shared, whatever the table has; and says how many look-ups that takes at most.
func TestOptionalTermsThatAreShared(t *testing.T) {
	f := newFamily(t)
	base := f.spawn(f.pos.ID(), f.vel.ID())
	f.pos.Write(base).X, f.vel.Write(base).DX = 7, 8
	own, both := f.spawn(f.pos.ID()), f.spawn(f.pos.ID(), f.vel.ID())
	f.spawn(f.pos.ID())
	f.relate(own, f.isA, base)
	f.relate(both, f.isA, base)
	for _, c := range []struct {
		f     Filter
		steps int
		want  string
	}{
		{Filter{Required: []ComponentID{f.pos.ID()}, Optional: []ComponentID{f.vel.ID()}, Inherited: true}, 3, "8 - 8 0"},
		{Filter{Required: []ComponentID{f.pos.ID()}, Optional: []ComponentID{f.vel.ID()}}, 0, "8 - - 0"},
		{Filter{Required: []ComponentID{f.vel.ID()}, Optional: []ComponentID{f.vel.ID()}[:0], Inherited: true}, 2, ""},
		{Filter{Required: []ComponentID{f.pos.ID(), f.vel.ID()}, Inherited: true}, 3, ""},
		{Filter{Required: []ComponentID{f.pos.ID()}, Without: []ComponentID{f.vel.ID()}, Inherited: true}, 2, ""},
		{Filter{Required: []ComponentID{f.pos.ID()}, Any: []ComponentID{f.vel.ID()}, Inherited: true}, 4, ""},
		{Filter{Required: []ComponentID{f.pos.ID()}, Inherited: true}, 0, ""},
		{Filter{Required: []ComponentID{f.ownedBy}, Inherited: true}, 0, ""},
		{Filter{}, 0, ""},
	} {
		q := must[*Query](t)(f.Query(c.f))
		if got := Raw.SharedSteps(q); got != c.steps {
			t.Errorf("%+v: %d look-ups, want %d", c.f, got, c.steps)
		}
		if c.want == "" {
			continue
		}
		got := ""
		for _, cursor := range q.each {
			if row := cursor.Row(1); row.Valid() {
				got += fmt.Sprint(row.Number(0)) + " "
			} else {
				got += "- "
			}
		}
		if got != c.want+" " {
			t.Errorf("%+v: %s, want %s", c.f, got, c.want)
		}
	}
}
