package ecs

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// seen returns the entities a filter visits after a tick.
func seen(t testing.TB, w *World, f Filter, since Tick) []Entity {
	t.Helper()
	q := must[*Query](t)(w.Query(f))
	var list []Entity
	c := q.BeginSince(since)
	defer c.End()
	for c.Next() {
		list = append(list, c.Entity())
	}
	return list
}

func wantSeen(t testing.TB, w *World, what string, f Filter, since Tick, want ...Entity) {
	t.Helper()
	if got := seen(t, w, f, since); !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func TestWhatStamps_0_36_0_39_1_7_1_8_1_9_1_11_1_12(t *testing.T) {
	w := NewWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	changed := Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}
	added := Filter{Required: []ComponentID{pos.ID()}, Added: []ComponentID{pos.ID()}}
	e := must[Entity](t)(w.Spawn(pos.ID()))
	wantSeen(t, w, "spawn", changed, 0, e)
	wantSeen(t, w, "spawn", added, 0, e)
	table, row := w.TableOf(e)
	column := pos.Column(table)
	tag := must[TagID](t)(w.DeclareTag("selected"))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	for _, c := range []struct {
		what   string
		stamps bool
		do     func()
	}{
		{"Get", false, func() { _ = pos.Get(e).X }},
		{"Get and a write through it", false, func() { pos.Get(e).X = 3 }},
		{"Mut, without a write", true, func() { pos.Mut(e) }},
		{"Set to the same value", true, func() { must[bool](t)(pos.Set(e, *pos.Get(e))) }},
		{"Modify", true, func() { pos.Modify(e, func(*position) {}) }},
		{"World.Set", true, func() { must[bool](t)(w.Set(e, pos.ID(), FieldValue{0, Number(1)})) }},
		{"World.Set of no field", true, func() { must[bool](t)(w.Set(e, pos.ID())) }},
		{"World.Set of a value that does not fit", false, func() { _, _ = w.Set(e, pos.ID(), FieldValue{0, Text("x")}) }},
		{"Ref.Get", false, func() { must[Value](t)(w.Ref(e, pos.ID()).Get(0)) }},
		{"Ref.Set", true, func() { _ = w.Ref(e, pos.ID()).Set(0, Number(1)) }},
		{"Ref.SetNumber", true, func() { _ = w.Ref(e, pos.ID()).SetNumber(0, 1) }},
		{"a loop that reads", false, func() {
			for _, c := range q.Each {
				_ = pos.At(c).X
			}
		}},
		{"MutAt in a loop", true, func() {
			for _, c := range q.Each {
				pos.MutAt(c)
			}
		}},
		{"a write to the whole column", false, func() { pos.Slice(table)[row].X = 9 }},
		{"Row.Set", false, func() { _ = column.Row(row).Set(0, Number(1)) }},
		{"Column.Stamp", true, func() { column.Stamp(row) }},
		{"Column.StampRange", true, func() { column.StampRange(row, row+1) }},
		{"Column.StampAll", true, func() { column.StampAll() }},
		{"tag", false, func() { w.Tag(e, tag) }},
		{"untag", false, func() { w.Untag(e, tag) }},
		{"add what is there", false, func() { must[bool](t)(w.Add(e, pos.ID())) }},
	} {
		since := w.Tick()
		w.advanceTick()
		c.do()
		if got := len(seen(t, w, changed, since)) == 1; got != c.stamps {
			t.Errorf("%s: changed is %v", c.what, got)
		}
		if len(seen(t, w, added, since)) > 0 {
			t.Errorf("%s counts as added", c.what)
		}
	}
	since := w.Tick() // 1.10: another component does not make this one changed
	w.advanceTick()
	must[bool](t)(vel.Set(e, velocity{}))
	wantSeen(t, w, "adding another", changed, since)
	wantSeen(t, w, "the gained one, changed", Filter{Changed: []ComponentID{vel.ID()}}, since, e)
	wantSeen(t, w, "the gained one, added", Filter{Added: []ComponentID{vel.ID()}}, since, e)
	must[bool](t)(w.Remove(e, vel.ID()))
	wantSeen(t, w, "removing another", changed, since)
	check(t, w)
}

func TestWindows_0_37_0_40_1_3_1_5(t *testing.T) {
	w := NewWorld(Options{})
	pos := MustRegister[position](w, "Position")
	e := must[Entity](t)(w.Spawn(pos.ID()))
	q := must[*Query](t)(w.Query(Filter{Changed: []ComponentID{pos.ID()}}))
	for _, want := range []int{1, 1} { // 0.38: what set-up wrote is news; and it stays so until the frame ends
		if q.Count() != want {
			t.Fatalf("%d changed before the first frame ends", q.Count())
		}
	}
	w.BeginFrame(1)
	if q.Count() != 1 {
		t.Fatal("set-up is not news in the first frame")
	}
	w.EndFrame()
	if q.Count() != 0 {
		t.Fatal("still changed after the frame")
	}
	w.BeginFrame(1)
	pos.Mut(e)
	for range 2 { // asking does not clear
		if q.Count() != 1 {
			t.Fatal("a write of this frame does not count")
		}
	}
	w.EndFrame()
	w.BeginFrame(1)
	if q.Count() != 0 {
		t.Fatal("a write of the last frame counts")
	}
}

func TestChangedIsAnyOf_1_13_1_14_1_15(t *testing.T) {
	w := NewWorld(Options{})
	ids := letters(t, w, "P", "V", "H", "X")
	p, v, h, x := ids[0], ids[1], ids[2], ids[3]
	write := func(e Entity, id ComponentID) { must[bool](t)(w.Set(e, id)) }
	a, b := must[Entity](t)(w.Spawn(p, v)), must[Entity](t)(w.Spawn(p, v))
	c := must[Entity](t)(w.Spawn(p, v, h))
	d := must[Entity](t)(w.Spawn(p, v, x))
	since := w.Tick()
	w.advanceTick()
	write(a, p)
	write(b, v)
	write(c, h)
	write(d, p)
	pv := []ComponentID{p, v}
	wantSeen(t, w, "P or V", Filter{Required: pv, Changed: pv, Without: []ComponentID{x}}, since, a, b)
	wantSeen(t, w, "P", Filter{Required: []ComponentID{p}, Changed: []ComponentID{p}}, since, a, d)
	wantSeen(t, w, "H", Filter{Required: []ComponentID{p}, Changed: []ComponentID{h}}, since, c)
}

// 2.16: three rows of {Transform, Health, Player}; the bits of a column's block are the transpose of the bits of its rows.
func TestBlockWordsAreTheTranspose_2_15_2_16(t *testing.T) {
	w := NewWorld(Options{})
	ids := letters(t, w, "Transform", "Health", "Player")
	var es []Entity
	for range 7 { // rows 04, 05 and 06 are of interest
		es = append(es, must[Entity](t)(w.Spawn(ids...)))
	}
	table, _ := w.TableOf(es[0])
	since := w.now
	w.advanceTick()
	rows := []struct{ added, modified [3]bool }{ // per row: Transform, Health, Player
		{[3]bool{false, true, false}, [3]bool{false, true, true}},
		{[3]bool{false, false, true}, [3]bool{true, false, true}},
		{[3]bool{false, true, true}, [3]bool{false, true, true}},
	}
	for i, row := range rows {
		for k := range ids {
			if row.added[k] {
				table.columns[k].stampAddedRange(4+i, 5+i, w.now)
			}
			if row.modified[k] {
				table.columns[k].stampChanged(4+i, w.now)
			}
		}
	}
	want := []struct{ added, modified uint64 }{{0b000, 0b010}, {0b101, 0b101}, {0b110, 0b111}}
	for k := range ids {
		for i, row := range rows { // the transpose by hand, to be sure of the constants
			if row.added[k] != (want[k].added>>i&1 == 1) || row.modified[k] != (want[k].modified>>i&1 == 1) {
				t.Fatalf("constant %d is not the transpose", k)
			}
		}
		c := &table.columns[k]
		if a, m := c.addedWord(0, window{since: since})>>4, c.changedWord(0, window{since: since})>>4; a != want[k].added || m != want[k].modified {
			t.Errorf("%s: added %03b, modified %03b; want %03b, %03b", c.info.name, a, m, want[k].added, want[k].modified)
		}
	}
}

func TestBlocksOf64_2_18_2_20_2_21(t *testing.T) {
	for _, n := range []int{63, 64, 65, 127, 128, 129} {
		w := NewWorld(Options{})
		ids := letters(t, w, "A", "B")
		es := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(n, nil)))
		changed := Filter{Required: ids[:1], Changed: ids[:1]}
		since := w.Tick()
		w.advanceTick()
		table, _ := w.TableOf(es[0])
		table.Column(ids[0]).Stamp(n - 1)
		wantSeen(t, w, fmt.Sprint(n, " rows, last written"), changed, since, es[n-1])
		must[bool](t)(w.Despawn(es[0])) // the written row moves to the front
		wantSeen(t, w, fmt.Sprint(n, " rows, last moved to the front"), changed, since, es[n-1])
		must[bool](t)(w.Add(es[n-1], ids[1])) // and to another table
		wantSeen(t, w, fmt.Sprint(n, " rows, moved away"), changed, since, es[n-1])
		must[bool](t)(w.Remove(es[n-1], ids[1]))
		since = w.Tick()
		w.advanceTick()
		table.Column(ids[0]).StampAll() // whole blocks, then the table shrinks and grows again
		if got := seen(t, w, changed, since); len(got) != n-1 {
			t.Fatalf("%d of %d rows changed", len(got), n-1)
		}
		for _, e := range es[1:] {
			must[bool](t)(w.Despawn(e))
		}
		since = w.Tick()
		w.advanceTick()
		wantSeen(t, w, "an empty table", changed, since)
		old := must[Entity](t)(w.Spawn(ids[1]))
		fresh := must[Entity](t)(w.Spawn(ids[0]))
		wantSeen(t, w, "regrown", changed, since, fresh)
		_ = old
		check(t, w)
	}
}

// A row that comes from elsewhere with an old stamp must not look written because its block was written as a whole.
func TestOldRowInAWholeBlock_1_2_1_10(t *testing.T) {
	w := NewWorld(Options{})
	ids := letters(t, w, "A", "B")
	b := must[*Bundle](t)(w.Bundle(ids...))
	es := slices.Clone(must[[]Entity](t)(b.SpawnMany(100, nil)))
	guest := must[Entity](t)(w.Spawn(ids[0]))
	since := w.Tick()
	w.advanceTick()
	table, _ := w.TableOf(es[0])
	table.Column(ids[0]).StampAll()
	must[bool](t)(w.Despawn(es[99])) // room in the block that was written as a whole
	must[bool](t)(w.Add(guest, ids[1]))
	got := seen(t, w, Filter{Required: ids[:1], Changed: ids[:1]}, since)
	if len(got) != 99 || slices.Contains(got, guest) {
		t.Fatalf("%d changed, the guest too: %v", len(got), slices.Contains(got, guest))
	}
	since = w.Tick()
	w.advanceTick()
	wantSeen(t, w, "nothing", Filter{Required: ids[:1], Changed: ids[:1]}, since)
	check(t, w)
}

func TestStampsAcrossTheWrap_1_6(t *testing.T) {
	w := NewWorld(Options{})
	pos := MustRegister[position](w, "Position")
	ancient := must[Entity](t)(w.Spawn(pos.ID()))
	w.now = math.MaxUint32 - 200
	var es []Entity
	var written []Tick
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
	last := w.Tick()
	for i := range 400 { // 32 bits are spent at turn 200
		w.advanceTick()
		if w.Tick() != last+1 {
			t.Fatalf("tick %d after %d", w.Tick(), last)
		}
		last = w.Tick()
		if i == 100 {
			table, _ := w.TableOf(es[0])
			pos.Column(table).StampAll()
			for k := range written {
				written[k] = last
			}
		}
		es, written = append(es, must[Entity](t)(w.Spawn(pos.ID()))), append(written, last)
		if i%50 == 0 {
			check(t, w)
		}
		if i < 350 {
			continue
		}
		for k, tick := range written { // windows on both sides of the wrap are exact
			want := 0
			for _, other := range written {
				if other > tick {
					want++
				}
			}
			c := q.BeginSince(tick)
			n := 0
			for c.Next() {
				n++
			}
			if n != want {
				t.Fatalf("turn %d: %d rows changed since tick %d of entity %d, want %d", i, n, tick, k, want)
			}
		}
	}
	if w.tickBase == 0 {
		t.Fatal("the base never moved")
	}
	table, row := w.TableOf(ancient)
	if c := pos.Column(table); c.Changed(row) > written[0] {
		t.Fatalf("a row that was never written again changed at %d", c.Changed(row))
	}
	check(t, w)
}

func TestExpressions_2_17(t *testing.T) {
	w := NewWorld(Options{})
	ids := letters(t, w, "Bullet", "Velocity")
	tag := must[TagID](t)(w.DeclareTag("hot"))
	var es []Entity
	for i := range 8 { // by bits: has Bullet, Velocity changed, hot
		set := ids[1:]
		if i&1 != 0 {
			set = ids
		}
		es = append(es, must[Entity](t)(w.Spawn(set...)))
	}
	since := w.Tick()
	w.advanceTick()
	for i, e := range es {
		if i&2 != 0 {
			must[bool](t)(w.Set(e, ids[1]))
		}
		if i&4 != 0 {
			w.Tag(e, tag)
		}
	}
	b, v, h := Contains(ids[0]), Changed(ids[1]), HasTag(tag)
	for _, c := range []struct {
		name string
		x    *Expr
		want func(b, v, h bool) bool
	}{
		{"and", And(b, v), func(b, v, _ bool) bool { return b && v }},
		{"or", Or(b, v, h), func(b, v, h bool) bool { return b || v || h }},
		{"xor", Xor(b, v), func(b, v, _ bool) bool { return b != v }},
		{"not", Not(v), func(_, v, _ bool) bool { return !v }},
		{"nested", Or(And(b, Not(v)), Xor(h, And(v, b))), func(b, v, h bool) bool { return b && !v || h != (v && b) }},
		{"no parts of and", And(), func(_, _, _ bool) bool { return true }},
		{"no parts of or", Or(), func(_, _, _ bool) bool { return false }},
	} {
		got := map[Entity]bool{}
		for _, e := range seen(t, w, Filter{Where: c.x}, since) {
			got[e] = true
		}
		for i, e := range es {
			if want := c.want(i&1 != 0, i&2 != 0, i&4 != 0); got[e] != want {
				t.Errorf("%s: entity %03b is %v", c.name, i, got[e])
			}
		}
	}
	if _, err := w.Query(Filter{Where: Not(Contains(77))}); err == nil {
		t.Error("an undeclared component in Where is no error")
	}
}

func TestRemoved_2_13(t *testing.T) {
	w := NewWorld(Options{})
	pos := MustRegister[position](w, "Position")
	ids := letters(t, w, "A")
	spawn := func() Entity { return must[Entity](t)(w.Spawn(pos.ID(), ids[0])) }
	early, a, b, c, d := spawn(), spawn(), spawn(), spawn(), spawn()
	must[bool](t)(w.Despawn(early)) // nobody was asking yet
	var lists [][]Entity
	s := NewSchedule(w)
	note := func(w *World, _ float64) error {
		lists = append(lists, w.Removed(nil, pos.ID()))
		return nil
	}
	s.Add("watcher", note)
	turn := func(what string, want ...Entity) {
		t.Helper()
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		if got := lists[len(lists)-1]; !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	turn("nothing was tracked before")
	must[bool](t)(w.Despawn(c))
	must[bool](t)(w.Remove(a, pos.ID()))
	must[bool](t)(w.Remove(b, pos.ID(), ids[0]))
	must[bool](t)(w.Add(b, pos.ID())) // has it again
	must[bool](t)(w.Remove(d, ids[0]))
	turn("in order of loss", c, a)
	turn("each once")
	must[bool](t)(w.Remove(d, pos.ID()))
	must[bool](t)(w.Add(d, pos.ID()))
	must[bool](t)(w.Remove(d, pos.ID()))
	turn("twice lost", d)
	if err := s.Swap("watcher", func(w *World, _ float64) error { // its own removals are no news to it
		must[bool](t)(w.Despawn(b))
		lists = append(lists, w.Removed(nil, pos.ID()))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	turn("what it does itself") // asked in the same turn, under the same tick
	if err := s.Swap("watcher", note); err != nil {
		t.Fatal(err)
	}
	turn("what it did itself")
	if n := len(w.components[pos.ID()].lost.entries); n > 1 {
		t.Fatalf("%d removals are kept for nobody", n)
	}
}

func TestRemovedForASeldomSystem_1_16(t *testing.T) {
	w := NewWorld(Options{})
	pos := MustRegister[position](w, "Position")
	w.TrackRemoved(pos.ID())
	var changed, removed int
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
	s := NewSchedule(w)
	must[*System](t)(s.AddSystem(SystemSpec{Name: "seldom", Every: 10, Run: func(w *World, _ float64) error {
		changed += q.Count()
		removed += len(w.Removed(nil, pos.ID()))
		return nil
	}}))
	s.Add("worker", func(w *World, _ float64) error {
		e, err := w.Spawn(pos.ID())
		if err != nil {
			return err
		}
		if w.Frame()%2 == 0 {
			_, err = w.Despawn(e)
		}
		return err
	})
	for range 40 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
	}
	if changed != 20 || removed != 19 { // the worker runs after it: its turn of frame 40 comes later
		t.Fatalf("%d changed and %d removed were seen in 39 turns of the worker", changed, removed)
	}
}

// The same for rows that come as a whole table, into blocks whose former rows were written as a whole and have died since.
func TestOldRowsIntoBlocksOfTheDead_1_2_1_10(t *testing.T) {
	w := NewWorld(Options{})
	ids := letters(t, w, "A", "B")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(130, nil))
	dead := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(130, nil)))
	since := w.Tick()
	w.advanceTick()
	table, _ := w.TableOf(dead[0])
	table.Column(ids[0]).StampAll()
	for _, e := range dead {
		must[bool](t)(w.Despawn(e))
	}
	q := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	if n := must[int](t)(must[*Bundle](t)(w.Bundle(ids[1])).AddAll(q, nil)); n != 130 {
		t.Fatalf("%d entities were moved", n)
	}
	wantSeen(t, w, "nothing was written to A", Filter{Required: ids[:1], Changed: ids[:1]}, since)
	if got := seen(t, w, Filter{Added: ids[1:]}, since); len(got) != 130 {
		t.Fatalf("%d entities gained B", len(got))
	}
	check(t, w)
}

// A system's own writes carry its own stamp: neither in the same turn nor later are they news to it.
func TestOwnWritesAreNoNews_1_16(t *testing.T) {
	w := NewWorld(Options{})
	pos := MustRegister[position](w, "Position")
	bundle := must[*Bundle](t)(w.Bundle(pos.ID()))
	es := append([]Entity(nil), must[[]Entity](t)(bundle.SpawnMany(200, nil))...)
	changed := must[*Query](t)(w.Query(Filter{Changed: []ComponentID{pos.ID()}}))
	added := must[*Query](t)(w.Query(Filter{Added: []ComponentID{pos.ID()}}))
	s := NewSchedule(w)
	var before, after, fresh int
	s.Add("writer", func(w *World, _ float64) error {
		before = changed.Count()
		for _, e := range es[:10] {
			pos.Mut(e)
		}
		pos.Column(w.tables[1]).StampRange(64, 128) // a whole block
		must[Entity](t)(w.Spawn(pos.ID()))
		after, fresh = changed.Count(), added.Count()
		return nil
	})
	frame := func(wantBefore, wantAfter, wantFresh int) {
		t.Helper()
		ok(t, s.Run(1))
		if before != wantBefore || after != wantAfter || fresh != wantFresh {
			t.Fatalf("changed before its writes %d, after them %d, added %d; want %d, %d, %d", before, after, fresh, wantBefore, wantAfter, wantFresh)
		}
	}
	frame(200, 200-10-64, 200)
	frame(0, 0, 0)
	pos.Mut(es[3])
	pos.Mut(es[199])
	frame(2, 1, 0) // of two writes to a row the last one counts
	check(t, w)
}
