package ecs

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

type modelInfo struct {
	Text  string
	Data  *Data
	Owner Entity
}

func TestMigrationKeepsValues_0_21_3_8_4_3_4_8(t *testing.T) {
	w := newWorld(Options{})
	pos, info := MustRegister[position](w, "Position"), MustRegister[modelInfo](w, "Info")
	ids := letters(t, w, "A", "B")
	d := must[*Data](t)(NewData([]DataEntry{{Text("k"), Text("kept")}}))
	var es []Entity
	for i := range 200 {
		e := must[Entity](t)(w.Spawn(pos.ID()))
		must[bool](t)(info.Set(e, modelInfo{fmt.Sprint("entity ", i), d, e}))
		must[bool](t)(pos.Set(e, position{float64(i), 2}))
		es = append(es, e)
	}
	for round, e := range es {
		must[bool](t)(w.Add(e, ids[round%2]))
		if round%3 == 0 {
			must[bool](t)(w.Remove(e, pos.ID()))
			must[bool](t)(w.Add(e, pos.ID()))
		}
		if round%50 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	for i, e := range es {
		got := info.Get(e)
		if got.Text != fmt.Sprint("entity ", i) || got.Owner != e || got.Data.Get(Text("k")).Str() != "kept" {
			t.Fatalf("%s holds %+v", e, *got)
		}
		want := position{float64(i), 2}
		if i%3 == 0 {
			want = position{} // it went and came back at its default
		}
		if *pos.Get(e) != want {
			t.Fatalf("%s is at %v, not %v", e, *pos.Get(e), want)
		}
		if v, err := w.Ref(e, ids[i%2]).Number(0); err != nil || v != float64(i%2) {
			t.Fatalf("the gained component holds %v, %v", v, err)
		}
	}
	check(t, w)
}

func edges(w *World) int {
	n := 0
	for _, t := range w.tables {
		for i := range t.edges {
			if t.edges[i].add != nil {
				n++
			}
			if t.edges[i].remove != nil {
				n++
			}
		}
	}
	return n
}

func TestOneMoveForSeveralComponents_0_26_0_27_0_30_4_7(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C", "D")
	e := must[Entity](t)(w.Spawn(ids[0]))
	before := len(w.Tables())
	must[bool](t)(w.Add(e, ids[3], ids[0], ids[1], ids[3])) // only B and D are missing
	if n := len(w.Tables()) - before; n != 1 || !w.Has(e, ids[0], ids[1], ids[3]) {
		t.Fatalf("%d tables were made for one move", n)
	}
	must[bool](t)(w.Remove(e, ids[1], ids[2], ids[0])) // C is not there
	if n := len(w.Tables()) - before; n != 2 || !slices.Equal(w.ComponentsOf(e), ids[3:]) {
		t.Fatalf("%d tables, left with %v", n, w.ComponentsOf(e))
	}
	check(t, w)
}

func TestNoOpTouchesNothing_0_28_4_4_4_6(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	b := must[*Bundle](t)(w.Bundle(ids[0], ids[1]))
	c := must[*Bundle](t)(w.Bundle(ids[2]))
	var e Entity
	for range 3 {
		e = must[Entity](t)(w.Spawn(ids[0], ids[1]))
	}
	w.advanceTick()
	table, row := w.TableOf(e)
	stamps := func() string {
		return fmt.Sprint(table.Column(ids[0]).Changed(row), table.Column(ids[0]).Added(row), table.Column(ids[1]).Changed(row))
	}
	tables, links, before := len(w.Tables()), edges(w), stamps()
	q := w.Commands()
	for name, op := range map[string]func() (bool, error){
		"add one":       func() (bool, error) { return w.Add(e, ids[0]) },
		"add both":      func() (bool, error) { return w.Add(e, ids[1], ids[0]) },
		"add nothing":   func() (bool, error) { return w.Add(e) },
		"remove":        func() (bool, error) { return w.Remove(e, ids[2]) },
		"remove none":   func() (bool, error) { return w.Remove(e) },
		"bundle add":    func() (bool, error) { return b.Add(e) },
		"bundle remove": func() (bool, error) { return c.Remove(e) },
		"queued add":    func() (bool, error) { return true, q.Add(e, ids[0]) },
		"queued remove": func() (bool, error) { return true, q.Remove(e, ids[2]) },
		"apply":         func() (bool, error) { return true, q.Apply() },
	} {
		if ok, err := op(); !ok || err != nil { // 4.5: true, also when there was nothing to do
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
	}
	if err := q.Apply(); err != nil {
		t.Fatal(err)
	}
	at, atRow := w.TableOf(e)
	if at != table || atRow != row || len(w.Tables()) != tables || edges(w) != links || stamps() != before {
		t.Fatalf("row %d of table %d, %d tables, %d edges, stamps %s (were %s)", atRow, at.ID(), len(w.Tables()), edges(w), stamps(), before)
	}
}

func TestEdgesAreReused_0_22_0_23_3_10_3_13_4_15_4_16_4_20(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	e := must[Entity](t)(w.Spawn(ids[0]))
	home, _ := w.TableOf(e)
	must[bool](t)(w.Add(e, ids[0], ids[1])) // the change is B alone
	if len(home.edges) != 1 || !slices.Equal(home.edges[0].ids, ids[1:2]) {
		t.Fatalf("adding {A, B} to {A} made the edges %v", home.edges)
	}
	must[bool](t)(w.Remove(e, ids[1]))
	if at, _ := w.TableOf(e); at != home {
		t.Fatal("add, then remove leads elsewhere")
	}
	tables, links := len(w.Tables()), edges(w)
	for range 1000 {
		must[bool](t)(w.Add(e, ids[1]))
		must[bool](t)(w.Remove(e, ids[1]))
	}
	if len(w.Tables()) != tables || edges(w) != links || len(home.edges) != 1 {
		t.Fatalf("a thousand flips left %d tables, %d edges", len(w.Tables()), edges(w))
	}
	must[bool](t)(w.Add(e, ids[1], ids[2])) // several at once: an edge of its own
	if len(home.edges) != 2 || !slices.Equal(home.edges[1].ids, ids[1:]) {
		t.Fatalf("adding {B, C} to {A} made the edges %v", home.edges)
	}
	check(t, w)
}

func TestNoSelfEdges_0_25_4_19(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	e := must[Entity](t)(w.Spawn())
	for i := range 64 {
		if i%2 == 0 {
			must[bool](t)(w.Add(e, ids[i%3], ids[i/3%3]))
		} else {
			must[bool](t)(w.Remove(e, ids[i/2%3]))
		}
	}
	for _, table := range w.tables {
		for _, edge := range table.edges {
			if edge.add != nil && edge.add.to == table || edge.remove != nil && edge.remove.to == table {
				t.Fatalf("table %d has an edge to itself", table.ID())
			}
		}
	}
	check(t, w)
}

// A command queue may add and remove at once; the masks in between must not be guessed from which one is larger.
func TestAddAndRemoveTogether_0_24(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	for _, c := range []struct{ from, add, remove, want []ComponentID }{
		{ids[:1], ids[1:2], ids[:1], ids[1:2]},
		{ids[1:2], ids[:1], ids[1:2], ids[:1]},
		{ids[2:], ids[:2], ids[2:], ids[:2]},
		{ids, ids[:1], ids[:2], ids[2:]},
	} {
		e := must[Entity](t)(w.Spawn(c.from...))
		q := w.Commands()
		if err := q.Add(e, c.add...); err != nil {
			t.Fatal(err)
		}
		if err := q.Remove(e, c.remove...); err != nil {
			t.Fatal(err)
		}
		if err := q.Apply(); err != nil {
			t.Fatal(err)
		}
		if got := w.ComponentsOf(e); !slices.Equal(got, c.want) {
			t.Fatalf("%v plus %v minus %v is %v, not %v", c.from, c.add, c.remove, got, c.want)
		}
	}
	check(t, w)
}

func TestBuilderMakesNoTablesOnTheWay_4_10(t *testing.T) {
	w := newWorld(Options{})
	pos, vel, label := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity"), MustRegister[modelLabel](w, "Label")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	b := w.Build()
	for i := range 3 {
		e := must[Entity](t)(vel.With(pos.With(label.With(b, modelLabel{"x", 1}), position{1, 2}), velocity{3, 4}).Tag(tag).Spawn())
		if len(w.Tables()) != 2 {
			t.Fatalf("%d tables, not the empty one and the final one", len(w.Tables()))
		}
		if *pos.Get(e) != (position{1, 2}) || *vel.Get(e) != (velocity{3, 4}) || label.Get(e).Text != "x" || !w.Tagged(e, tag) {
			t.Fatalf("spawn %d lost a value", i)
		}
		table, row := w.TableOf(e)
		if c := table.Column(vel.ID()); c.Changed(row) != w.Tick() || c.Added(row) != w.Tick() {
			t.Fatal("the builder's values are not stamped")
		}
	}
	e := must[Entity](t)(b.Spawn()) // used again: nothing is left over
	if w.ComponentsOf(e) != nil || w.TagsOf(e) != nil {
		t.Fatalf("the builder still holds %v %v", w.ComponentsOf(e), w.TagsOf(e))
	}
	check(t, w)
}

func TestMoverAndLandmark_4_14_4_25_0_35(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	mover := must[Entity](t)(pos.With(w.Build(), position{0, 0}).Spawn())
	landmark := must[Entity](t)(pos.With(w.Build(), position{5, 5}).Spawn())
	home, _ := w.TableOf(mover)
	move := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	step := func() {
		for _, c := range move.each {
			p, v := pos.mutAt(c), vel.at(c)
			p.X += v.DX
			p.Y += v.DY
		}
	}
	step()
	must[bool](t)(vel.Set(mover, velocity{1, 2}))
	step()
	step()
	must[bool](t)(w.Remove(mover, vel.ID()))
	step()
	if *pos.Get(mover) != (position{2, 4}) || *pos.Get(landmark) != (position{5, 5}) {
		t.Fatalf("mover at %v, landmark at %v", *pos.Get(mover), *pos.Get(landmark))
	}
	if at, _ := w.TableOf(mover); at != home {
		t.Fatal("the mover is not back where it was")
	}
	all := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	if all.Count() != 2 {
		t.Fatalf("%d entities have a position", all.Count())
	}
}

// A table finds every change that was made from it again, however many kinds there are, and makes no second edge for one.
func TestEdgesAreReused(t *testing.T) {
	w := newWorld(Options{})
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprint("C", i))
	}
	ids := letters(t, w, names...)
	e := must[Entity](t)(w.Spawn())
	flip := func() {
		for i := range ids { // changes of one component, and of two
			must[bool](t)(w.Add(e, ids[i]))
			must[bool](t)(w.Remove(e, ids[i]))
			must[bool](t)(w.Add(e, ids[i], ids[(i+1)%len(ids)]))
			must[bool](t)(w.Remove(e, ids[i], ids[(i+1)%len(ids)]))
		}
	}
	flip()
	before := w.Stats()
	if before.Edges != 4*len(ids) {
		t.Fatalf("%d edges for %d changes", before.Edges, 4*len(ids))
	}
	lengths := func() (out []int) {
		for _, table := range w.tables {
			out = append(out, len(table.edges))
		}
		return out
	}
	known := lengths()
	flip()
	if after := w.Stats(); after.Edges != before.Edges || after.Tables != before.Tables || !slices.Equal(lengths(), known) {
		t.Fatalf("%+v, then %+v: %v, then %v", before, after, known, lengths())
	}
	if n := testing.AllocsPerRun(10, flip); n != 0 {
		t.Errorf("%v allocations", n)
	}
	ok(t, w.Check())
}
