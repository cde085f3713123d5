package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// 2.16: three rows of {Transform, Health, Player}; the bits of a column's block are the transpose of the bits of its rows.
func TestBlockWordsAreTheTranspose_2_15_2_16(t *testing.T) {
	w := newWorld(Options{})
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
		w := newWorld(Options{})
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
	w := newWorld(Options{})
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

// The same for rows that come as a whole table, into blocks whose former rows were written as a whole and have died since.
func TestOldRowsIntoBlocksOfTheDead_1_2_1_10(t *testing.T) {
	w := newWorld(Options{})
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

// A row that is replaced in a block that was spawned as a whole is the only one added and changed since then.
func TestARowReplacedInAWholeBlock(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	es := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(64, nil))
	first := w.Tick()
	w.advanceTick()
	must[bool](t)(w.Despawn(es[63]))
	fresh := must[Entity](t)(w.Spawn(ids...))
	for _, f := range []Filter{{Added: ids}, {Changed: ids}, {Where: And(Added(ids[0]), Contains(ids[0]))}, {Where: And(Contains(ids[0]), Changed(ids[0]))}} {
		wantSeen(t, w, "since the batch", f, first, fresh)
		wantSeen(t, w, "since then", f, w.Tick())
		if n := len(seen(t, w, f, first-1)); n != 64 {
			t.Errorf("%+v: %d rows since before the batch", f, n)
		}
	}
	check(t, w)
}

// A row that moves between blocks that were written at the same time, but spawned at different times, keeps when it was added.
func TestARowThatMovesBetweenWholeBlocks(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	old := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(64, nil))
	w.advanceTick()
	both := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(64, nil))
	w.advanceTick()
	for _, table := range w.tables[1:] {
		table.Column(ids[0]).StampAll()
	}
	must[bool](t)(w.Despawn(both[63]))
	must[bool](t)(w.Add(old[5], ids[1]))
	table, row := w.TableOf(old[5])
	if c := table.Column(ids[0]); row != 63 || c.Added(row) != 1 || c.Changed(row) != 3 || c.Added(0) != 2 || c.Changed(0) != 3 {
		t.Errorf("row %d was added at %d, changed at %d", row, c.Added(row), c.Changed(row))
	}
	must[bool](t)(w.Remove(both[0], ids[1]))
	table, row = w.TableOf(both[0])
	if c := table.Column(ids[0]); c.Added(row) != 2 || c.Changed(row) != 3 {
		t.Errorf("row %d was added at %d, changed at %d", row, c.Added(row), c.Changed(row))
	}
	check(t, w)
}
