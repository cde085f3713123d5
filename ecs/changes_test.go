package ecs

import (
	"math"
	"slices"
	"testing"
)

// seen returns the entities a filter visits after a tick.
func seen(t testing.TB, w *World, f Filter, since Tick) []Entity {
	t.Helper()
	q := must[*Query](t)(w.Query(f))
	var list []Entity
	c := q.beginSince(since)
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
	w := newWorld(Options{})
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
		{"Write, without a write", true, func() { pos.Write(e) }},
		{"Set to the same value", true, func() { must[bool](t)(pos.Set(e, *pos.Get(e))) }},
		{"Modify", true, func() { pos.Modify(e, func(*position) {}) }},
		{"World.Set", true, func() { must[bool](t)(w.Set(e, pos.ID(), FieldValue{0, Number(1)})) }},
		{"World.Set of no field", true, func() { must[bool](t)(w.Set(e, pos.ID())) }},
		{"World.Set of a value that does not fit", false, func() { _, _ = w.Set(e, pos.ID(), FieldValue{0, Text("x")}) }},
		{"Ref.Get", false, func() { must[Value](t)(w.Ref(e, pos.ID()).Get(0)) }},
		{"Ref.Set", true, func() { _ = w.Ref(e, pos.ID()).Set(0, Number(1)) }},
		{"Ref.SetNumber", true, func() { _ = w.Ref(e, pos.ID()).SetNumber(0, 1) }},
		{"a loop that reads", false, func() {
			for _, c := range q.each {
				_ = pos.at(c).X
			}
		}},
		{"MutAt in a loop", true, func() {
			for _, c := range q.each {
				pos.mutAt(c)
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
	w := newWorld(Options{})
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
	pos.Write(e)
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
	w := newWorld(Options{})
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

func TestStampsAcrossTheWrap_1_6(t *testing.T) {
	w := newWorld(Options{})
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
			c := q.beginSince(tick)
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
	w := newWorld(Options{})
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

// A system's own writes carry its own stamp: neither in the same turn nor later are they news to it.
func TestOwnWritesAreNoNews_1_16(t *testing.T) {
	w := newWorld(Options{})
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
			pos.Write(e)
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
	pos.Write(es[3])
	pos.Write(es[199])
	frame(2, 1, 0) // of two writes to a row the last one counts
	check(t, w)
}
