package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestQueryFollowsNewTables_0_17_0_31_0_32_4_21(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	all := must[*Query](t)(w.Query(Filter{}))
	a := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	again := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	if a != again {
		t.Fatal("the same filter made a second query")
	}
	if len(a.matches) != 0 || len(all.matches) != 1 {
		t.Fatalf("%d and %d tables", len(a.matches), len(all.matches))
	}
	first := must[Entity](t)(w.Spawn(ids[1]))
	if len(a.matches) != 0 || len(all.matches) != 2 {
		t.Fatal("a table that does not match was taken, or one that does was not")
	}
	must[bool](t)(w.Add(first, ids[0]))
	must[Entity](t)(w.Spawn(ids[0], ids[2]))
	if len(a.matches) != 2 || a.Count() != 2 || all.Count() != 2 {
		t.Fatalf("%d tables, %d entities", len(a.matches), a.Count())
	}
	check(t, w)
}

func TestTermsOfAQuery_2_9_2_10_4_12_4_13(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C", "D")
	a, b, c, d := ids[0], ids[1], ids[2], ids[3]
	e := map[string]Entity{}
	for name, set := range map[string][]ComponentID{"a": {a}} {
		e[name] = must[Entity](t)(w.Spawn(set...))
	}
	e["ab"] = must[Entity](t)(w.Spawn(a, b))
	e["abc"] = must[Entity](t)(w.Spawn(a, b, c))
	e["bd"] = must[Entity](t)(w.Spawn(b, d))
	e["abcd"] = must[Entity](t)(w.Spawn(a, b, c, d))
	list := func(ids ...ComponentID) []ComponentID { return ids }
	for _, q := range []struct {
		name string
		f    Filter
		want string
	}{
		{"one", Filter{Required: list(b)}, "ab abc bd abcd"},
		{"two", Filter{Required: list(b, a)}, "ab abc abcd"},
		{"without any of two", Filter{Required: list(a), Without: list(c, d)}, "a ab"},
		{"any", Filter{Any: list(c, d)}, "abc bd abcd"},
		{"any and without", Filter{Any: list(a, d), Without: list(c)}, "a ab bd"},
		{"optional", Filter{Required: list(a), Optional: list(d)}, "a ab abc abcd"},
		{"everything", Filter{}, "a ab abc bd abcd"},
		{"contradiction", Filter{Required: list(a), Without: list(a)}, ""},
	} {
		var want []Entity
		for _, name := range strings.Fields(q.want) {
			want = append(want, e[name])
		}
		wantSeen(t, w, q.name, q.f, 0, want...)
		if n := must[*Query](t)(w.Query(q.f)).Count(); n != len(want) {
			t.Errorf("%s: Count is %d, not %d", q.name, n, len(want))
		}
	}
	opt := must[*Query](t)(w.Query(Filter{Required: list(b), Optional: list(a, d)}))
	if !slices.Equal(opt.Terms(), list(b, a, d)) || opt.Required() != 1 {
		t.Fatalf("terms %v", opt.Terms())
	}
	for e, cur := range opt.each {
		for i, id := range opt.Terms() {
			if cur.Row(i).Valid() != w.Has(e, id) || (cur.Column(i) != nil) != w.Has(e, id) {
				t.Fatalf("%s, term %d", e, i)
			}
		}
	}
	if f := opt.First(); f != e["ab"] {
		t.Fatalf("first is %s", f)
	}
	if f := must[*Query](t)(w.Query(Filter{Required: list(a), Without: list(a)})).First(); f != None {
		t.Fatalf("first of nothing is %s", f)
	}
	for _, f := range []Filter{{Required: list(99)}, {Without: list(99)}, {Any: list(99)}, {Changed: list(99)}, {Tagged: []TagID{9}}} {
		if _, err := w.Query(f); !errors.Is(err, ErrUnknown) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if _, err := w.Query(Filter{Required: list(a), Optional: list(a)}); err == nil {
		t.Error("a term given twice is no error")
	}
}

func TestStructureIsLockedInALoop_1_37(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	ids := letters(t, w, "Velocity")
	e := must[Entity](t)(w.Spawn(pos.ID()))
	b := must[*Bundle](t)(w.Bundle(ids...))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	digest := w.Digest()
	c := q.begin()
	defer c.End()
	if !c.Next() || !w.Locked() {
		t.Fatal("the loop is not open")
	}
	for _, op := range []struct {
		name  string
		words []string // what the message must name
		do    func() error
	}{
		{"spawn", []string{"spawn"}, func() error { _, err := w.Spawn(pos.ID()); return err }},
		{"despawn", []string{"despawn", "0v1"}, func() error { _, err := w.Despawn(e); return err }},
		{"add", []string{"add", "0v1", "Velocity"}, func() error { _, err := w.Add(e, ids[0]); return err }},
		{"add nothing new", []string{"add", "0v1", "Position"}, func() error { _, err := w.Add(e, pos.ID()); return err }},
		{"remove", []string{"remove", "0v1", "Position"}, func() error { _, err := w.Remove(e, pos.ID()); return err }},
		{"bundle spawn", []string{"spawn"}, func() error { _, err := b.Spawn(); return err }},
		{"bundle spawn many", []string{"spawn"}, func() error { _, err := b.SpawnMany(3, nil); return err }},
		{"bundle add", []string{"add", "0v1", "Velocity"}, func() error { _, err := b.Add(e); return err }},
		{"bundle remove", []string{"remove", "0v1", "Velocity"}, func() error { _, err := b.Remove(e); return err }},
		{"builder", []string{"spawn"}, func() error { _, err := w.Build().Spawn(); return err }},
		{"set that adds", []string{"set", "0v1", "Velocity"}, func() error { _, err := w.Set(e, ids[0]); return err }},
		{"typed set that adds", []string{"set", "0v1", "Speed"}, func() error {
			_, err := MustRegister[velocity](w, "Speed").Set(e, velocity{})
			return err
		}},
		{"reserve", []string{"reserve"}, func() error { return w.Reserve(10, ids...) }},
		{"shrink", []string{"shrink"}, w.Shrink},
		{"apply", []string{"apply"}, func() error { w.Commands().Despawn(e); return w.Commands().Apply() }},
	} {
		err := op.do()
		if !errors.Is(err, ErrLocked) {
			t.Errorf("%s: %v", op.name, err)
			continue
		}
		for _, word := range op.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: the message %q does not name %s", op.name, err, word)
			}
		}
	}
	w.Commands().Drop()
	for name, set := range map[string]func() (bool, error){
		"set":       func() (bool, error) { return w.Set(makeEntity(9, 1), ids[0]) },
		"typed set": func() (bool, error) { return pos.Set(makeEntity(9, 1), position{}) },
	} {
		if ok, err := set(); ok || err != nil {
			t.Errorf("%s of a dead entity: %v, %v", name, ok, err)
		}
	}
	if ok, err := w.Set(e, pos.ID(), FieldValue{0, Number(0)}); !ok || err != nil {
		t.Errorf("a value write: %v, %v", ok, err)
	}
	c.End()
	c.End()
	if w.Locked() || w.Digest() != digest {
		t.Error("locked after the end, or something was changed")
	}
}

func TestEveryWayOutUnlocks_1_37(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(5, nil))
	q := must[*Query](t)(w.Query(Filter{Required: ids}))
	for name, walk := range map[string]func(){
		"to the end": func() {
			for range q.each {
			}
		},
		"break": func() {
			for range q.each {
				break
			}
		},
		"return": func() {
			for range q.each {
				return
			}
		},
		"break of nested loops": func() {
		outer:
			for range q.each {
				for range q.each {
					for range w.Entities {
						break outer
					}
				}
			}
		},
		"panic": func() {
			defer func() { _ = recover() }()
			for range q.each {
				panic("x")
			}
		},
		"tables": func() {
			for range q.Tables {
				break
			}
		},
		"cursor": func() {
			c := q.begin()
			c.Next()
			c.End()
		},
		"cursor to the end": func() {
			c := q.begin()
			for c.Next() {
			}
		},
		"init of a batch that panics": func() {
			defer func() { _ = recover() }()
			_, _ = must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(1, func(*Table, int, int) { panic("x") })
		},
		"entities": func() {
			for range w.Entities {
				break
			}
		},
	} {
		walk()
		if w.Locked() {
			t.Fatalf("%s leaves structure locked", name)
		}
	}
	check(t, w)
}

// 0.33: what commands make during a walk is not visited in it, but in the next.
func TestTablesMadeMidway_0_33(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(3, nil))
	q := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	for round := range 4 {
		n := 0
		for e := range q.each {
			n++
			if err := w.Commands().Add(e, ids[1]); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Commands().Spawn(ids[0], ids[1]); err != nil {
				t.Fatal(err)
			}
		}
		if want := 3 << round; n != want {
			t.Fatalf("round %d visits %d entities, not %d", round, n, want)
		}
		if err := w.Commands().Apply(); err != nil {
			t.Fatal(err)
		}
	}
	check(t, w)
}

func TestWholeColumns_1_53_3_2_3_3(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	ids := letters(t, w, "Other")
	for i := range 300 {
		b := vel.With(pos.With(w.Build(), position{float64(i), 0}), velocity{1, 2})
		if i%3 == 0 {
			b.With(ids[0])
		}
		must[Entity](t)(b.Spawn())
	}
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	tables := 0
	for table := range q.Tables {
		tables++
		p, v := pos.Slice(table), vel.Slice(table)
		if len(p) != table.Len() || len(v) != table.Len() {
			t.Fatal("columns and table differ in length")
		}
		for i := range p {
			p[i].X += v[i].DX
			p[i].Y += v[i].DY
		}
		pos.Column(table).StampAll()
	}
	if tables != 2 {
		t.Fatalf("%d tables", tables)
	}
	for e, c := range q.each {
		if p := pos.at(c); p.X != float64(e.Index())+1 || p.Y != 2 {
			t.Fatalf("%s at %v", e, *p)
		}
	}
	if pos.Slice(w.Tables()[0]) != nil || pos.Column(w.Tables()[0]) != nil {
		t.Fatal("the empty table has positions")
	}
}

func TestEqualFiltersAreOneQuery(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	tag := must[TagID](t)(w.DeclareTag("red"))
	where := func(a, b ComponentID) *Expr { return Or(And(Changed(a), Not(HasTag(tag))), Xor(Contains(b), Added(a))) }
	query := func(f Filter) *Query { return must[*Query](t)(w.Query(f)) }
	first := query(Filter{Required: ids[:1], Where: where(ids[0], ids[1])})
	if query(Filter{Required: ids[:1], Where: where(ids[0], ids[1])}) != first {
		t.Error("two queries for one Where")
	}
	seen := map[*Query]int{first: -1}
	for i, f := range []Filter{
		{Required: ids[:1], Where: where(ids[1], ids[0])},
		{Required: ids[:1], Where: Or(where(ids[0], ids[1]))},
		{Required: ids[:1], Where: Not(where(ids[0], ids[1]))},
		{Required: ids[:1], Where: Changed(ids[0])},
		{Required: ids[:1], Where: Added(ids[0])},
		{Required: ids[:1], Where: And(Changed(ids[0]), Changed(ids[1]))},
		{Required: ids[:1], Where: Or(Changed(ids[0]), Changed(ids[1]))},
		{Required: ids[:1]},
		{Required: ids[:1], Inherited: true},
		{Optional: ids[:1]},
		{Without: ids[:1]},
		{Any: ids[:1]},
		{Changed: ids[:1]},
		{Added: ids[:1]},
		{Tagged: []TagID{tag}},
		{Untagged: []TagID{tag}},
		{Required: ids},
		{Required: ids[:1], Optional: ids[1:]},
	} {
		q := query(f)
		if other, known := seen[q]; known {
			t.Errorf("filter %d has the query of filter %d", i, other)
		}
		seen[q] = i
	}
	before := w.Stats().Queries
	for range 1000 {
		query(Filter{Required: ids, Where: where(ids[0], ids[1])})
	}
	if n := w.Stats().Queries; n != before+1 {
		t.Errorf("%d queries were made for one filter", n-before)
	}
}

func TestReleasedQueriesAreForgotten(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	f := Filter{Required: ids[:1], Where: Changed(ids[0])}
	a, b := must[*Query](t)(w.Query(f)), must[*Query](t)(w.Query(f))
	a.Release()
	must[Entity](t)(w.Spawn(ids[0]))
	if b.Count() != 1 {
		t.Fatal("a query is gone that was released once of twice")
	}
	b.Release()
	if n := w.Stats().Queries; n != 0 {
		t.Fatalf("%d queries are kept", n)
	}
	for name, use := range map[string]func(){"Release": a.Release, "Count": func() { a.Count() }, "DespawnAll": func() { must[int](t)(a.DespawnAll()) }, "Parallel": func() { ok(t, a.Parallel(nil, 0, func(*Part) {})) }, "Begin": func() { a.begin() }, "BeginSince": func() { a.beginSince(0) }} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "released") {
					t.Errorf("%s: %s", name, text)
				}
			}()
			use()
		}()
	}
	must[Entity](t)(w.Spawn(ids...)) // a new table while nobody uses it
	if again := must[*Query](t)(w.Query(f)); again.Count() != 2 {
		t.Fatal("a released query that is asked for again has not seen a new table")
	}
	a.Release()
	for i := range mostParked {
		must[*Query](t)(w.Query(Filter{Required: ids[:1], Optional: ids[1:], Where: And(Changed(ids[0]), Or(repeat(Added(ids[1]), i+2)...))})).Release()
	}
	if len(w.queries) != mostParked || w.queriesByKey[a.key] != nil {
		t.Error("queries that nobody uses are kept")
	}
	if fresh := must[*Query](t)(w.Query(f)); fresh == a || fresh.Count() != 2 {
		t.Error("the filter of a forgotten query does not get a query of its own")
	}
	ok(t, w.Check())
}

func repeat(x *Expr, n int) (list []*Expr) {
	for range n {
		list = append(list, x)
	}
	return list
}

// A typed query that is made anew in each frame, and released or not, is made once.
func TestTypedQueriesWithFiltersMadeAnew(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	vel := MustRegister[velocity](w, "Velocity").ID()
	f := Filter{Without: []ComponentID{vel}}
	for range 2 {
		n := testing.AllocsPerRun(10, func() {
			must[*Query1[position]](t)(NewQuery1[position](w, f)).Release()
			must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](w, f)).Release()
		})
		if n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
	other := must[*Query1[position]](t)(NewQuery1[position](w, Filter{Required: []ComponentID{vel}}))
	if one := must[*Query1[position]](t)(NewQuery1[position](w, f)); one.Query == other.Query || one != must[*Query1[position]](t)(NewQuery1[position](w, f)) {
		t.Error("filters are mixed up")
	}
}
