package ecs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// said returns the text of the panic of a call, "" when it does not panic.
func said(call func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	call()
	return ""
}

// What takes an index takes the first and the last one, and refuses the ones before and behind.
func TestIndexesFromTheFirstToTheLast(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	hit := hits(t, w)
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(8, nil)) // as many as there is room for
	c := pos.Column(w.tables[1])
	for range 16 {
		hit.Send(hitEvent{})
	}
	events := w.Peek(hit.ID())
	drained := must[*World](t)(w.Copy()).Drain(hit.ID())
	for name, at := range map[string]struct {
		n    int
		call func(i int)
		says string
	}{
		"Column.Row":     {8, func(i int) { c.Row(i) }, "ecs: row %d of column Position with 8 rows"},
		"Column.Stamp":   {8, func(i int) { c.Stamp(i) }, "ecs: stamp row %d of column Position with 8 rows"},
		"StampMask":      {8, func(i int) { c.StampMask(i, 1) }, "ecs: stamp 1 rows from %d on of column Position with 8 rows"},
		"StampMask, two": {7, func(i int) { c.StampMask(i, 2|1) }, "ecs: stamp 2 rows from %d on of column Position with 8 rows"},
		"StampMask, 8":   {1, func(i int) { c.StampMask(i, 128) }, "ecs: stamp 8 rows from %d on of column Position with 8 rows"},
		"StampRange, to": {9, func(i int) { c.StampRange(0, i) }, "ecs: stamp rows 0 to %d of column Position with 8 rows"},
		"StampRange":     {9, func(i int) { c.StampRange(i, 8) }, "ecs: stamp rows %d to 8 of column Position with 8 rows"},
		"StampRange, =":  {9, func(i int) { c.StampRange(i, i) }, "ecs: stamp rows %d to"},
		"Events.Row":     {16, func(i int) { events.Row(i) }, "ecs: event %d of 16 of Hit, or an event that is gone"},
		"Drained.Row":    {16, func(i int) { drained.Row(i) }, "ecs: drained event %d of 16"},
		"Skip": {17, func(i int) {
			r := w.EventReader(hit.ID())
			defer r.Close()
			r.Skip(i)
		}, "ecs: skip %d of 16 unread events of Hit"},
	} {
		for _, i := range []int{0, at.n / 2, at.n - 1} {
			if text := said(func() { at.call(i) }); text != "" {
				t.Errorf("%s of %d: %s", name, i, text)
			}
		}
		for _, i := range []int{-1, at.n, at.n + 1, math.MaxInt, math.MinInt} {
			want := strings.SplitN(at.says, "%d", 2)
			if text := said(func() { at.call(i) }); !strings.HasPrefix(text, want[0]+fmt.Sprint(i)+want[1]) {
				t.Errorf("%s of %d: %q", name, i, text)
			}
		}
	}
	c.StampMask(99, 0) // marks nothing
	for _, r := range [][2]int{{5, 4}, {1, 0}, {8, 7}, {math.MaxInt, 0}} {
		if said(func() { c.StampRange(r[0], r[1]) }) == "" {
			t.Errorf("rows %d to %d are stamped", r[0], r[1])
		}
	}
	check(t, w)
}

// A range of events is gone as soon as its first event is, and not earlier.
func TestARangeOfEventsIsGoneWithItsFirst(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	read := func(e Events, i int) (amount float64, there bool) {
		there = said(func() { amount = e.Row(i).Number(1) }) == ""
		return amount, there
	}
	for i := range 4 {
		hit.Send(hitEvent{Amount: float64(i)})
	}
	e := w.Peek(hit.ID())
	w.EndFrame()
	for i := 4; i < 30; i++ { // the log grows
		hit.Send(hitEvent{Amount: float64(i)})
	}
	for i := range 4 {
		if got, there := read(e, i); !there || got != float64(i) {
			t.Errorf("event %d is %v", i, got)
		}
	}
	if _, there := read(e, 4); there {
		t.Error("an event behind the range is read")
	}
	from, to := e.Position()
	if from != 0 || to != 4 {
		t.Errorf("from %d to %d", from, to)
	}
	w.EndFrame()
	if _, there := read(e, 0); there {
		t.Error("an event that is gone is read")
	}
	e = w.Peek(hit.ID())
	if got, there := read(e, 25); e.Len() != 26 || !there || got != 29 {
		t.Errorf("the last of %d events is %v", e.Len(), got)
	}
	w.Take(hit.ID(), 100)
	if _, there := read(e, 0); there {
		t.Error("an event that was taken is read")
	}
}

// Stamping ranges, masks, whole columns and single rows of columns of sizes around the borders of blocks marks exactly those rows; a whole block costs one
// store.
func TestStampsOfRanges(t *testing.T) {
	for _, n := range []int{1, 8, 63, 64, 65, 127, 128, 129, 192} {
		w := newWorld(Options{})
		pos := MustRegister[position](w, "Position")
		must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(n, nil))
		c := pos.Column(w.tables[1])
		want := make([]Tick, n)
		for i := range want {
			want[i] = 1
		}
		same := func(what string) {
			t.Helper()
			for i := range want {
				if got := c.Changed(i); got != want[i] || c.Added(i) != 1 {
					t.Fatalf("%d rows, %s: row %d changed at %d, added at %d, want %d, 1", n, what, i, got, c.Added(i), want[i])
				}
			}
			if c.newest.changed != uint32(slices.Max(want)) {
				t.Fatalf("%d rows, %s: the newest is %d", n, what, c.newest.changed)
			}
			check(t, w)
		}
		marks := []int{0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192}
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range 60 {
			from, to := marks[rng.IntN(len(marks))], marks[rng.IntN(len(marks))]
			if from > to || to > n {
				continue
			}
			w.advanceTick()
			now := w.Tick()
			switch rng.IntN(4) {
			case 0:
				c.StampRange(from, to)
			case 1:
				for i := from; i < to; i++ {
					c.Stamp(i)
				}
			case 2:
				to = min(to, from+64)
				c.StampMask(from, ^uint64(0)>>(64-(to-from)))
				if to == from {
					continue
				}
			default:
				c.StampAll()
				from, to = 0, n
			}
			for i := from; i < to; i++ {
				want[i] = now
			}
			if from < to {
				same(fmt.Sprint("from ", from, " to ", to))
			}
		}
		w.advanceTick()
		now := w.Tick()
		c.StampRange(0, n)
		for i := range c.blocks {
			if c.blocks[i].changedAll != uint32(now) {
				t.Errorf("%d rows: block %d is stamped row by row", n, i)
			}
		}
		if n > 64 {
			w.advanceTick()
			if c.StampRange(0, 64); c.blocks[0].changedAll != w.now {
				t.Errorf("%d rows: the first 64 are stamped row by row", n)
			}
			w.advanceTick()
			c.StampRange(63, n)
			if c.blocks[0].changedAll == w.now || c.blocks[1].changedAll != w.now {
				t.Errorf("%d rows from 63 on: blocks stamped at %d and %d", n, c.blocks[0].changedAll, c.blocks[1].changedAll)
			}
		}
	}
}

// Rows that are spawned as a batch are stamped block by block where they begin one.
func TestStampsOfABatch(t *testing.T) {
	for _, c := range []struct {
		before, n int
		blocks    []bool // stamped as a whole
	}{{0, 63, []bool{true}}, {0, 64, []bool{true}}, {0, 65, []bool{true, true}}, {1, 63, []bool{false}}, {1, 64, []bool{false, true}}, {64, 64, []bool{false, true}}, {10, 182, []bool{false, true, true}}, {4, 4, []bool{false}}} {
		w := newWorld(Options{})
		pos := MustRegister[position](w, "Position")
		b := must[*Bundle](t)(w.Bundle(pos.ID(), MustRegister[velocity](w, "Velocity").ID()))
		for range c.before {
			must[Entity](t)(b.Spawn())
		}
		w.advanceTick()
		must[int](t)(b.SpawnRows(c.n, nil))
		col := pos.Column(w.tables[1])
		for i, whole := range c.blocks {
			if bl := col.blocks[i]; (bl.changedAll == w.now) != whole || (bl.addedAll == w.now) != whole {
				t.Errorf("%d rows, then %d: block %d: %+v", c.before, c.n, i, bl)
			}
		}
		if first, last := col.stampOf(0), w.tables[1].columns[1].stampOf(0); first != last {
			t.Errorf("%d rows, then %d: row 0 of the columns is of %v and %v", c.before, c.n, first, last)
		}
		for row := range c.before + c.n {
			want := Tick(1)
			if row >= c.before {
				want = 2
			}
			if col.Changed(row) != want || col.Added(row) != want {
				t.Errorf("%d rows, then %d: row %d is of %d, %d", c.before, c.n, row, col.Changed(row), col.Added(row))
			}
		}
		check(t, w)
	}
}

// Masks of components at the borders of their words.
func TestMasksOfAnyWidth(t *testing.T) {
	ids := []ComponentID{0, 1, 62, 63, 64, 65, 127, 128, 191, 192}
	rng := rand.New(rand.NewPCG(3, 3))
	subset := func() (list []ComponentID) {
		for _, id := range ids {
			if rng.IntN(3) == 0 {
				list = append(list, id)
			}
		}
		return list
	}
	for range 2000 {
		a, b := subset(), subset()
		x, y := maskOf(a), maskOf(b)
		if !slices.Equal(x.ids(), a) || len(x) > 0 && x[len(x)-1] == 0 {
			t.Fatalf("%v is the mask of %v", x.ids(), a)
		}
		all, some := true, false
		var both, left []ComponentID
		for id := ComponentID(0); id < 200; id++ {
			inA, inB := slices.Contains(a, id), slices.Contains(b, id)
			if x.has(id) != inA {
				t.Fatalf("%v has %d: %v", a, id, !inA)
			}
			all, some = all && (inA || !inB), some || inA && inB
			if inA || inB {
				both = append(both, id)
			}
			if inA && !inB {
				left = append(left, id)
			}
		}
		if x.containsAll(y) != all || x.intersects(y) != some || !slices.Equal(x.with(b).ids(), both) || !slices.Equal(x.minus(y).ids(), left) {
			t.Fatalf("%v and %v: %v, %v, %v, %v", a, b, x.containsAll(y), x.intersects(y), x.with(b).ids(), x.minus(y).ids())
		}
		if with := x.with(b); len(both) > 0 && len(with) != int(both[len(both)-1]/64)+1 {
			t.Fatalf("%v with %v has %d words", a, b, len(with))
		}
		if minus := x.minus(y); len(minus) > 0 && minus[len(minus)-1] == 0 {
			t.Fatalf("%v without %v ends with an empty word", a, b)
		}
		if len(x.appendKey(nil)) != 8*len(x) || slices.Equal(a, b) != (string(x.appendKey(nil)) == string(y.appendKey(nil))) {
			t.Fatalf("the keys of %v and %v", a, b)
		}
	}
	if mask(nil).ids() != nil || maskOf(nil) != nil {
		t.Error("a mask of nothing")
	}
}

// How rows are copied and cleared follows from their layout.
func TestHowRowsOfALayoutAreCopied(t *testing.T) {
	w := newWorld(Options{})
	one := Number(1)
	for _, c := range []struct {
		fields       []Field
		words, blank uint8
		zero, typed  bool
	}{
		{nil, 0, 1, true, false},
		{[]Field{{Name: "a", Type: F32}}, 0, 0, true, false},
		{[]Field{{Name: "a", Type: F64}}, 1, 2, true, false},
		{[]Field{{Name: "a", Type: F32}, {Name: "b", Type: F32}}, 1, 2, true, false},
		{[]Field{{Name: "a", Type: F64, Default: one}}, 1, 0, false, false},
		{[]Field{{Name: "a", Type: F64}, {Name: "b", Type: F64}}, 2, 3, true, false},
		{[]Field{{Name: "a", Type: F64}, {Name: "b", Type: F64, Default: one}}, 2, 0, false, false},
		{[]Field{{Name: "a", Type: F64}, {Name: "b", Type: F64}, {Name: "c", Type: F64}}, 0, 0, true, false},
		{[]Field{{Name: "a", Type: String}}, 0, 0, false, true},
		{[]Field{{Name: "a", Type: TableField}}, 0, 0, false, true},
	} {
		s := must[*Schema](t)(NewSchema(c.fields...))
		id := must[ComponentID](t)(w.DeclareComponent(fmt.Sprint("C", len(w.components)), s))
		table, _ := w.TableOf(must[Entity](t)(w.Spawn(id)))
		col := table.Column(id)
		if (s.memory == nil) != !c.typed || col.words != c.words || col.blank != c.blank || col.zero != c.zero || table.typed != c.typed || col.size != s.size {
			t.Errorf("%s: words %d, blank %d, zero %v, typed %v", s.describe(), col.words, col.blank, col.zero, table.typed)
		}
	}
	two, _ := w.TableOf(must[Entity](t)(w.Spawn(2, 9)))
	if !two.typed || must[*Table](t)(w.tables[0].with([]ComponentID{2, 3})).typed {
		t.Error("a table is typed when one of its columns is")
	}
}

// A table has room for as many rows as their bytes are an int.
func TestTheMostRowsOfATable(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	must[Entity](t)(w.Spawn(ids...))
	table := w.tables[1]
	most := math.MaxInt / int(table.rowBytes())
	if table.rowBytes() != 8+8+12+8 || table.most() != most {
		t.Errorf("rows of %d bytes, at most %d", table.rowBytes(), table.most())
	}
	for n, fits := range map[int]bool{0: true, 1: true, most - 1: true, most: false, math.MaxInt: false} {
		if err := table.room(n); (err == nil) != fits {
			t.Errorf("room for %d more: %v", n, err)
		}
	}
	if err := table.room(most); fmt.Sprint(err) != fmt.Sprintf("limit reached: a table of rows of 36 bytes has at most %d", most) {
		t.Error(err)
	}
	if err := table.reserve(most); err == nil {
		t.Error("there is room for more rows than there are addresses")
	}
	wide := &Table{world: w, columns: []Column{{size: math.MaxInt / 4}}, capacity: 1, entities: make([]Entity, 3)}
	if text := said(wide.extend); !strings.HasPrefix(text, "ecs: limit reached: a table of rows of") {
		t.Errorf("a row too many: %q", text)
	}
}

// A size is said in the largest unit that gives a whole number.
func TestTextOfSizes(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 bytes", 1: "1 bytes", 1000: "1000 bytes", 1023: "1023 bytes", 1024: "1KiB", 1025: "1025 bytes", 1536: "1536 bytes", 64 << 10: "64KiB",
		1<<20 - 1024: "1023KiB", 1 << 20: "1MiB", 1<<20 + 1: "1048577 bytes", 512 << 20: "512MiB", 1 << 30: "1GiB", 1<<30 + 1024: "1048577KiB", 3 << 30: "3GiB", 1 << 40: "1024GiB",
	} {
		if got := sizeText(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// Numbers that are handles, and those beside them.
func TestNumbersThatAreHandles(t *testing.T) {
	for v, want := range map[float64]string{
		0: "none", 1 << 32: "0v1", 1<<32 + 1: "1v1", 1<<53 - 1: fmt.Sprint(uint32(math.MaxUint32), "v", MaxGeneration),
		1: "-", -1: "-", 1<<32 - 1: "-", 1 << 53: "-", 1<<32 + 0.5: "-", -1 << 32: "-",
	} {
		got := "-"
		if e, fits := EntityFromNumber(v); fits {
			got = e.String()
		}
		if got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, fits := EntityFromNumber(v); fits {
			t.Errorf("%v is a handle", v)
		}
	}
}

// Rows may be copied over others of the same memory.
func TestCopiesOfRowsMayOverlap(t *testing.T) {
	for _, kind := range []FieldType{U8, F64, String} {
		s := must[*Schema](t)(NewSchema(Field{Name: "v", Type: kind}))
		base, _ := allocRows(nil, s, 10)
		row := func(i int) Row { return Row{schema: s, ptr: unsafe.Add(base, uintptr(i)*s.size)} }
		value := func(i int) Value {
			if kind == String {
				return Text(fmt.Sprint(i))
			}
			return Number(float64(i))
		}
		for i := range 10 {
			ok(t, row(i).Set(0, value(i)))
		}
		s.copyRows(row(2).ptr, row(0).ptr, 5)
		s.copyRows(row(9).ptr, row(0).ptr, 0)
		for i, want := range []int{0, 1, 0, 1, 2, 3, 4, 7, 8, 9} {
			if got := row(i).Get(0); !got.Equal(value(want)) {
				t.Errorf("%s: row %d is %s", kind, i, got)
			}
		}
	}
}
