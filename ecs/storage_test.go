package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// The tests named _N_M check line N.M of the capability list, which the package was written against.

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func check(t testing.TB, w *World) {
	t.Helper()
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
}

// letters declares components without data, named for their ids.
func letters(t testing.TB, w *World, names ...string) []ComponentID {
	t.Helper()
	ids := make([]ComponentID, len(names))
	for i, name := range names {
		s := must[*Schema](t)(NewSchema(Field{Name: "v", Type: F64, Default: Number(float64(i))}))
		ids[i] = must[ComponentID](t)(w.DeclareComponent(name, s))
	}
	return ids
}

func TestSpawnWithDefaults_0_1_0_13_0_18(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "current", Type: I32, Default: Number(7)}, Field{Name: "name", Type: String, Default: Text("rat")}))
	health := must[ComponentID](t)(w.DeclareComponent("Health", s))
	ids := letters(t, w, "Other")
	check7 := func(e Entity) {
		t.Helper()
		row, err := w.Ref(e, health).Row()
		if err != nil || row.Number(0) != 7 || row.Get(1).Str() != "rat" {
			t.Fatalf("%v %v", row, err)
		}
	}
	e := must[Entity](t)(w.Spawn(health))
	check7(e)
	table, _ := w.TableOf(e)
	if table.Column(ids[0]) != nil || table.Column(health).Len() != 1 {
		t.Fatal("a column outside the mask")
	}
	empty := must[Entity](t)(w.Spawn())
	if table, _ := w.TableOf(empty); len(table.Components()) != 0 {
		t.Fatal("an entity of nothing has components")
	}
	must[bool](t)(w.Add(empty, ids[0], health))
	check7(empty)
	must[bool](t)(w.Despawn(e))
	check7(must[Entity](t)(w.Spawn(health))) // not what the last owner of the row left behind
	many := must[*Bundle](t)(w.Bundle(health, health))
	for _, e := range must[[]Entity](t)(many.SpawnMany(100, nil)) {
		check7(e)
	}
	check(t, w)
}

func TestSwapRemove_0_14_0_15_2_20(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 66, 128, 129} {
		for _, row := range []int{0, 1, 62, 63, 64, 65, n - 2, n - 1} {
			if row < 0 || row >= n {
				continue
			}
			w := newWorld(Options{})
			pos := MustRegister[position](w, "Position")
			es := make([]Entity, n)
			for i := range es {
				w.advanceTick()
				es[i] = must[Entity](t)(w.Spawn(pos.ID()))
				*pos.Write(es[i]) = position{float64(i), 1}
			}
			stamp := func(e Entity) Tick {
				table, row := w.TableOf(e)
				return table.Column(pos.ID()).Changed(row)
			}
			last := stamp(es[n-1])
			w.advanceTick()
			must[bool](t)(w.Despawn(es[row]))
			check(t, w)
			for i, e := range es {
				if i == row {
					continue
				}
				if pos.Get(e).X != float64(i) {
					t.Fatalf("%d rows, %d removed: %s holds %v", n, row, e, pos.Get(e))
				}
			}
			if row != n-1 && stamp(es[n-1]) != last {
				t.Fatalf("%d rows, %d removed: the moved row's stamp went from %d to %d", n, row, last, stamp(es[n-1]))
			}
			table := w.Tables()[1]
			if table.Len() != n-1 || len(pos.Slice(table)) != n-1 {
				t.Fatalf("%d rows are left of %d", table.Len(), n)
			}
			since := w.Tick()
			w.advanceTick()
			fresh := must[Entity](t)(w.Spawn(pos.ID())) // fills the removed row's place at the end
			q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
			c := q.beginSince(since)
			for c.Next() {
				if c.Entity() != fresh {
					t.Fatalf("%d rows, %d removed: %s counts as changed", n, row, c.Entity())
				}
			}
		}
	}
}

func TestTablesByMask_0_16_2_4_2_5_3_2_3_12(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	a, b, c := ids[0], ids[1], ids[2]
	e1, e2 := must[Entity](t)(w.Spawn(a)), must[Entity](t)(w.Spawn(b, c))
	t1, _ := w.TableOf(e1)
	t2, _ := w.TableOf(e2)
	if t1 == t2 || t1.Len() != 1 || t2.Len() != 1 || t1.mask[0] != 0b001 || t2.mask[0] != 0b110 {
		t.Fatalf("masks %b and %b", t1.mask, t2.mask)
	}
	tables := map[*Table]bool{}
	for _, order := range [][]ComponentID{{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
		e := must[Entity](t)(w.Spawn())
		for _, id := range order {
			must[bool](t)(w.Add(e, id))
		}
		at, _ := w.TableOf(e)
		tables[at] = true
		direct, _ := w.TableOf(must[Entity](t)(w.Spawn(order...)))
		tables[direct] = true
	}
	if len(tables) != 1 {
		t.Fatalf("{A, B, C} has %d tables", len(tables))
	}
	check(t, w)
}

// The ABC problem: no order of three plain arrays keeps all of these contiguous and aligned; tables do.
func TestSevenSets_3_1(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	a, b, c := ids[0], ids[1], ids[2]
	sets := [][]ComponentID{{b}, {b, c}, {a, b, c}, {a, b}, {a}, {a, c}, {c}}
	es := map[Entity][]ComponentID{}
	for round := range 3 {
		for i, set := range sets {
			e := must[Entity](t)(w.Spawn(set...))
			for _, id := range set {
				must[bool](t)(w.Set(e, id, FieldValue{0, Number(float64(100*round + 10*i + int(id)))}))
			}
			es[e] = set
		}
	}
	if len(w.Tables()) != 8 {
		t.Fatalf("%d tables, not the empty one and seven", len(w.Tables()))
	}
	for _, want := range [][]ComponentID{{a}, {b}, {c}, {a, b}, {a, c}, {b, c}, {a, b, c}} {
		q := must[*Query](t)(w.Query(Filter{Required: want}))
		got := map[Entity]bool{}
		for table := range q.Tables {
			for row, e := range table.Entities() {
				got[e] = true
				base := table.Column(want[0]).Row(row).Number(0) - float64(want[0])
				for _, id := range want {
					if v := table.Column(id).Row(row).Number(0); v != base+float64(id) {
						t.Fatalf("%s: row %d of its columns belongs to different entities", e, row)
					}
				}
			}
		}
		for e, set := range es {
			all := !slices.ContainsFunc(want, func(id ComponentID) bool { return !slices.Contains(set, id) })
			if got[e] != all {
				t.Fatalf("query %v visits %s with %v: %v", want, e, set, got[e])
			}
		}
	}
	check(t, w)
}

func TestThousandComponentTypes_0_2_X6(t *testing.T) {
	w := newWorld(Options{})
	ids := make([]ComponentID, 1000)
	for i := range ids {
		s := must[*Schema](t)(NewSchema(Field{Name: "v", Type: U16, Default: Number(float64(i))}))
		ids[i] = must[ComponentID](t)(w.DeclareComponent(fmt.Sprintf("Type%d", i), s))
		if ids[i] != ComponentID(i) { // 2.2
			t.Fatalf("component %d has id %d", i, ids[i])
		}
	}
	all := must[Entity](t)(w.Spawn(ids...))
	for i, id := range ids {
		if v, err := w.Ref(all, id).Number(0); err != nil || v != float64(i) {
			t.Fatalf("Type%d is %v, %v", i, v, err)
		}
	}
	var pairs []Entity
	for i := range 999 {
		pairs = append(pairs, must[Entity](t)(w.Spawn(ids[i], ids[i+1])))
	}
	for _, i := range []int{0, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 998} {
		q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{ids[i]}, Without: []ComponentID{ids[(i+2)%1000]}}))
		want := 2
		if i == 0 {
			want = 1
		}
		if q.Count() != want {
			t.Fatalf("Type%d without Type%d: %d entities, want %d", i, i+2, q.Count(), want)
		}
	}
	must[bool](t)(w.Remove(all, ids[:999]...))
	if got := w.ComponentsOf(all); !slices.Equal(got, ids[999:]) {
		t.Fatalf("left with %v", got)
	}
	must[bool](t)(w.Add(pairs[0], ids[999]))
	if !w.Has(pairs[0], 0, 1, 999) || w.Has(pairs[0], 2) {
		t.Fatal("adding across words of the mask")
	}
	check(t, w)
}

func TestComponentWithoutData_2_3(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema())
	frozen := must[ComponentID](t)(w.DeclareComponent("Frozen", s))
	type burning struct{}
	typed := MustRegister[burning](w, "Burning")
	pos := MustRegister[position](w, "Position")
	var es []Entity
	for i := range 100 {
		e := must[Entity](t)(w.Spawn(pos.ID()))
		if i%2 == 0 {
			must[bool](t)(w.Add(e, frozen))
		}
		if i%3 == 0 {
			must[bool](t)(typed.Set(e, burning{}))
		}
		es = append(es, e)
	}
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{frozen, typed.ID()}}))
	if q.Count() != 17 || typed.Get(es[3]) == nil || typed.Get(es[1]) != nil {
		t.Fatalf("%d entities are frozen and burning", q.Count())
	}
	for e, c := range q.each {
		if typed.at(c) == nil || !c.Row(0).Valid() || !w.Has(e, frozen) {
			t.Fatal("no row")
		}
		c.Stamp(0)
	}
	check(t, w)
}

func TestReserveAndShrink_2_7(t *testing.T) {
	memory := &countingMemory{}
	w := newWorld(Options{Memory: memory})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	if err := w.Reserve(1000, pos.ID(), label.ID()); err != nil {
		t.Fatal(err)
	}
	if len(w.Tables()) != 2 || w.Tables()[1].capacity < 1000 || len(memory.live) != 3 { // slots, handles, Position
		t.Fatalf("%d tables, %d blocks of memory", len(w.Tables()), len(memory.live))
	}
	var es []Entity
	for i := range 1000 {
		e := must[Entity](t)(w.Spawn(pos.ID(), label.ID()))
		must[bool](t)(pos.Set(e, position{float64(i), 0}))
		must[bool](t)(label.Set(e, modelLabel{Text: fmt.Sprint(i)}))
		es = append(es, e)
	}
	for _, e := range es[:900] {
		must[bool](t)(w.Despawn(e))
	}
	if err := w.Shrink(); err != nil {
		t.Fatal(err)
	}
	check(t, w)
	for i, e := range es[900:] {
		if pos.Get(e).X != float64(900+i) || label.Get(e).Text != fmt.Sprint(900+i) {
			t.Fatalf("%s holds %v, %v after Shrink", e, pos.Get(e), label.Get(e))
		}
	}
	var total uintptr
	for _, size := range memory.live {
		total += size
	}
	if total != 1000*SlotSize+100*(8+16) {
		t.Fatalf("%d bytes are held for 1000 slots and 100 positions", total)
	}
	for _, e := range es[900:] {
		must[bool](t)(w.Despawn(e))
	}
	if err := w.Shrink(); err != nil {
		t.Fatal(err)
	}
	if len(memory.live) != 1 {
		t.Fatalf("%d blocks are held for the slots", len(memory.live))
	}
	must[bool](t)(pos.Set(must[Entity](t)(w.Spawn()), position{1, 2}))
	check(t, w)
}

func TestLimitOfEntities(t *testing.T) {
	w := newWorld(Options{MaxEntities: 10})
	ids := letters(t, w, "A")
	b := must[*Bundle](t)(w.Bundle(ids...))
	must[[]Entity](t)(b.SpawnMany(8, nil))
	if _, err := b.SpawnMany(3, nil); !errors.Is(err, ErrLimit) || w.Len() != 8 {
		t.Fatalf("%v, %d entities", err, w.Len())
	}
	q := w.Commands()
	must[Entity](t)(q.Spawn())
	e := must[Entity](t)(w.Spawn())
	for name, spawn := range map[string]func() (Entity, error){
		"world": func() (Entity, error) { return w.Spawn(ids...) }, "bundle": b.Spawn, "queue": func() (Entity, error) { return q.Spawn() },
		"builder": w.Build().Spawn,
	} {
		if _, err := spawn(); !errors.Is(err, ErrLimit) {
			t.Fatalf("%s: an eleventh entity: %v", name, err)
		}
	}
	must[bool](t)(w.Despawn(e))
	must[Entity](t)(b.Spawn())
	if err := q.Apply(); err != nil || w.Len() != 10 {
		t.Fatalf("%v, %d entities", err, w.Len())
	}
	check(t, w)
}

// Rows that are gone hold no pointers, so that the collector can free what they pointed to: after one despawn, after a whole table is emptied, and after a
// component is removed.
func TestGoneRowsHoldNoPointers(t *testing.T) {
	for name, end := range map[string]func(w *World, list []Entity){
		"despawn":  func(w *World, list []Entity) { must[bool](t)(w.Despawn(list[0])) },
		"last row": func(w *World, list []Entity) { must[bool](t)(w.Despawn(list[len(list)-1])) },
		"remove":   func(w *World, list []Entity) { must[bool](t)(w.Remove(list[0], 0)) },
		"whole query": func(w *World, _ []Entity) {
			must[int](t)(must[*Query](t)(w.Query(Filter{Required: []ComponentID{0}})).DespawnAll())
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(Options{})
			label := MustRegister[modelLabel](w, "Label")
			var list []Entity
			for range 70 {
				list = append(list, must[Entity](t)(label.With(w.Build(), modelLabel{"text", 1}).Spawn()))
			}
			end(w, list)
			for _, table := range w.tables {
				c := table.Column(label.ID())
				if c == nil {
					continue
				}
				for row := table.Len(); row < table.capacity; row++ {
					if text := *(*string)(c.at(row)); text != "" {
						t.Fatalf("row %d of %d still holds %q", row, table.Len(), text)
					}
				}
			}
		})
	}
}

func TestEntitiesLocksStructure(t *testing.T) {
	w := newWorld(Options{})
	e := must[Entity](t)(w.Spawn())
	must[Entity](t)(w.Spawn())
	for range w.Entities {
		if _, err := w.Despawn(e); !errors.Is(err, ErrLocked) {
			t.Fatalf("despawn inside the walk: %v", err)
		}
		break
	}
	if w.Locked() {
		t.Fatal("the walk is over and structure is still locked")
	}
}
