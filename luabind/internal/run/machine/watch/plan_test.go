package watch

import (
	"math"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/frame"
)

// planned is a Watch that only plans, for a body whose rows have a price.
func planned(price int64, body ...*ir.Stmt) *Watch {
	w := New(&frame.Frame{Program: &ir.Program{Price: price, Body: body}})
	w.Begin(func(*kernel.Difference) {}, 0)
	return &w
}

// As many rows are watched as the fuel that was used since is worth.
func TestMostWatchedRows(t *testing.T) {
	loop := &ir.Stmt{Op: ir.While, Price: 2}
	for _, c := range []struct {
		name  string
		k     *Watch
		watch Watch
		want  int
	}{
		{"the first rows", planned(1), Watch{}, 64},
		{"of a price that just suffices for all", planned(firstFuel / 64), Watch{}, 64},
		{"of one that does not", planned(firstFuel/64 + 1), Watch{}, 63},
		{"of one for a single row", planned(firstFuel), Watch{}, 1},
		{"of one for less", planned(firstFuel + 1), Watch{}, 1},
		{"of no price", planned(0), Watch{}, 64},
		{"the first row with a loop", planned(1, loop), Watch{}, 1},
		{"the second call", planned(1, loop), Watch{count: 1}, 64},
		{"rows that took more than their price", planned(1), Watch{count: 1, perRow: firstFuel / 10}, 10},
		{"nothing used", planned(1), Watch{count: 2}, 0},
		{"not enough used", planned(1), Watch{count: 2, spent: share - 1}, 0},
		{"enough for a row", planned(1), Watch{count: 2, spent: share}, 1},
		{"for rows of a price", planned(3), Watch{count: 2, spent: 5 * 3 * share}, 5},
		{"calls count, too", planned(1), Watch{count: 2, calls: share/callFuel - 1, spent: callFuel}, 1},
		{"but not for more than they are", planned(1), Watch{count: 2, calls: share/callFuel - 1, spent: callFuel - 1}, 0},
		{"no more than 64", planned(1), Watch{count: 2, spent: 65 * share}, 64},
		{"as tests want it", planned(1e9), Watch{count: 5, every: 3}, 64},
	} {
		c.watch.frame = c.k.frame
		if got := c.watch.most(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The first two calls are watched, then at most every 1,009th.
func TestPlanOfWatchedCalls(t *testing.T) {
	k := planned(1)
	call := func(want bool, rows, wantRows int) {
		t.Helper()
		if n, watched := k.Plan(0, rows, 0); watched != want || n != wantRows {
			t.Fatalf("%d rows: %d, watched %v", rows, n, watched)
		}
	}
	k.frame.Fuel = frame.NewFuel(new(int64), new(int64), new(sandbox.Budget))
	call(true, 100, 64)
	k.done(64, 640)
	if k.perRow != 10 || k.wait != 1 {
		t.Errorf("after the first one: %d a row, wait %d", k.perRow, k.wait)
	}
	call(true, 7, 7)
	k.done(7, 3)
	if k.perRow != 1 || k.wait != Every {
		t.Errorf("after the second one: %d a row, wait %d", k.perRow, k.wait)
	}
	for range Every - 1 {
		call(false, 20, 20)
	}
	call(true, 20, 20) // 1,009 calls are worth 31 rows
	k.done(0, 50)
	if k.perRow != 1 || k.count != 3 || k.calls != 0 || k.spent != 0 {
		t.Errorf("a call without rows: %+v", *k)
	}
	k.perRow = 40 // 1,009 calls are worth no row, twice as many are worth one
	for range 2*Every - 1 {
		call(false, 1, 1)
	}
	call(true, 1, 1)
	k.report = nil
	k.wait = 1
	call(false, 100, 100)
	if k.wait != math.MaxInt {
		t.Errorf("it is asked again whether to watch: %d", k.wait)
	}
}

// Of a mask the first rows are watched.
func TestPlanOfMaskedCalls(t *testing.T) {
	k := planned(firstFuel / 3)
	if n, watched := k.Plan(5, 64, 0b1011_0100_0001); n != 9 || !watched {
		t.Errorf("%d rows, watched %v", n, watched)
	}
	k.wait = 1
	if n, watched := k.Plan(5, 4, 0b1011_0100_0001); n != 4 || !watched {
		t.Errorf("%d rows, watched %v", n, watched)
	}
}

// The rows that are watched lie anywhere in a table, the first and the last ones included; those before them are done first.
func TestPlanOfWatchedRows(t *testing.T) {
	const row, rows, most = 100, 12, 8
	at := map[int]int{}
	for count := uint64(1); count < 200; count++ {
		k := planned(1)
		k.count, k.wait, k.spent, k.perRow = count+1, 1, most*share*500, 500
		from, rest := row, rows
		n, watched := k.Plan(from, rest, 0)
		if !watched {
			if n <= 0 || k.wait != 1 || k.calls != 0 {
				t.Fatalf("%d rows come before, %+v", n, *k)
			}
			from, rest = from+n, rest-n
			n, watched = k.Plan(from, rest, 0)
		}
		if !watched || n != most || from < row || n > rest || k.planned {
			t.Fatalf("watched %v: %d rows from %d on, of %d", watched, n, from, rest)
		}
		at[from-row]++
	}
	for i := range rows - most + 1 {
		if at[i] < 10 {
			t.Errorf("from %d on: %d times of 199: %v", i, at[i], at)
		}
	}
	for ahead, want := range map[int]int{-3: most, 0: most, 1: 1, rows - 1: rows - 1, rows: most, rows + 9: most} { // where the walk before this one was to be watched
		k := planned(1)
		k.count, k.wait, k.planned, k.at = 2, 1, true, row+ahead
		k.perRow, k.spent = 500, most*share*500
		if n, watched := k.Plan(row, rows, 0); n != want || watched != (want == most) || k.planned == watched {
			t.Errorf("%d rows ahead: %d rows, watched %v, still planned %v", ahead, n, watched, k.planned)
		}
	}
	k := planned(1) // as many rows as are watched: no others to choose from
	k.count, k.wait, k.spent = 2, 1, most*share
	if n, watched := k.Plan(row, most, 0); n != most || !watched {
		t.Errorf("%d rows, watched %v", n, watched)
	}
}

// Values of fields are compared by their bits, but for those of NaN, and shown as values of their type.
func TestComparedValues(t *testing.T) {
	f64 := math.Float64bits
	f32 := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	nan := f64(math.NaN())
	for _, c := range []struct {
		typ  ecs.FieldType
		x, y uint64
		same bool
		text string // of x
	}{
		{ecs.F64, f64(1.5), f64(1.5), true, "1.5"},
		{ecs.F64, f64(0), f64(math.Copysign(0, -1)), false, "0"},
		{ecs.F64, nan, nan ^ 1<<63, true, "NaN"},
		{ecs.F64, nan, f64(math.Inf(1)), false, "NaN"},
		{ecs.F64, f64(math.Inf(-1)), nan, false, "-Inf"},
		{ecs.F32, f32(0.5), f32(0.5), true, "0.5"},
		{ecs.F32, uint64(0x7fc00000), uint64(0xffc00001), true, "NaN"},
		{ecs.F32, uint64(0x7fc00000), f32(1), false, "NaN"},
		{ecs.F32, f32(1), uint64(0x7fc00000), false, "1"},
		{ecs.I64, nan, nan ^ 1<<63, false, "9221120237041090561"},
		{ecs.U32, 0x7fc00000, 0xffc00001, false, "2143289344"},
		{ecs.I8, 0x80, 0x7f, false, "-128"},
		{ecs.I16, 0xffff, 0, false, "-1"},
		{ecs.I32, 1 << 31, 0, false, "-2147483648"},
		{ecs.U8, 0xff, 0, false, "255"},
		{ecs.U16, 0xffff, 0, false, "65535"},
		{ecs.U64, math.MaxUint64, 0, false, "18446744073709551615"},
		{ecs.Bool, 1, 0, false, "true"},
		{ecs.Bool, 0, 1, false, "false"},
		{ecs.EntityField, 1<<32 | 7, 0, false, ecs.Entity(1<<32 | 7).String()},
	} {
		if got := sameBits(c.typ, c.x, c.y); got != c.same {
			t.Errorf("%v: %x and %x are the same: %v", c.typ, c.x, c.y, got)
		}
		if got := textOf(c.typ, c.x); got != c.text {
			t.Errorf("%v: %x is %q, want %q", c.typ, c.x, got, c.text)
		}
	}
	if bothNaN(2, nan, nan) || bothNaN(1, nan, nan) {
		t.Error("a short value is NaN")
	}
}

// Values of 1, 2, 4 and 8 bytes are read and written, and nothing beside them.
func TestPeekAndPoke(t *testing.T) {
	const old, next = 0x1122334455667788, 0xaabbccddeeff0102
	for size, want := range map[uintptr]uint64{1: 0x1122334455667702, 2: 0x1122334455660102, 4: 0x11223344eeff0102, 8: next} {
		at := memoryOf(old)
		if got, want := kernel.Peek(at, size), uint64(old)&(1<<(8*size-1)<<1-1); got != want {
			t.Errorf("%d bytes: %x, want %x", size, got, want)
		}
		kernel.Poke(at, size, next)
		if got := *(*uint64)(at); got != want {
			t.Errorf("%d bytes written: %x, want %x", size, got, want)
		}
	}
}

func memoryOf(v uint64) unsafe.Pointer { return unsafe.Pointer(&v) }

// Masks are cut to their first rows.
func TestFirstRowsOfMasks(t *testing.T) {
	for _, c := range []struct {
		mask   uint64
		n      int
		length int
		first  uint64
	}{
		{0b1011, 1, 1, 0b1},
		{0b1011, 2, 2, 0b11},
		{0b1011, 3, 4, 0b011},
		{0b1011, 9, 4, 0b1011},
		{0b1011, 0, 0, 0},
		{1 << 63, 1, 64, 0},
		{math.MaxUint64, 63, 63, math.MaxUint64 >> 1},
		{math.MaxUint64, 64, 64, math.MaxUint64},
		{math.MaxUint64, 65, 64, math.MaxUint64},
		{0, 5, 0, 0},
	} {
		if got := lengthOf(c.mask, c.n); got != c.length {
			t.Errorf("%b: the first %d are %d rows long, want %d", c.mask, c.n, got, c.length)
		}
		if got := FirstOf(c.mask, c.n); got != c.first {
			t.Errorf("%b: the first %d rows are %b, want %b", c.mask, c.n, got, c.first)
		}
	}
}
