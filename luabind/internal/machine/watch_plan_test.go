package machine

import (
	"math"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// watchedKernel is a kernel that only plans: for a body whose rows have a price.
func watchedKernel(price int64, body ...*ir.Stmt) *Kernel {
	k := &Kernel{program: &ir.Program{Price: price, Body: body}}
	k.Watch(func(*kernel.Difference) {})
	return k
}

// As many rows are watched as the fuel that was used since is worth.
func TestMostWatchedRows(t *testing.T) {
	loop := &ir.Stmt{Op: ir.While, Price: 2}
	for _, c := range []struct {
		name  string
		k     *Kernel
		watch watch
		want  int
	}{
		{"the first rows", watchedKernel(1), watch{}, 64},
		{"of a price that just suffices for all", watchedKernel(firstFuel / 64), watch{}, 64},
		{"of one that does not", watchedKernel(firstFuel/64 + 1), watch{}, 63},
		{"of one for a single row", watchedKernel(firstFuel), watch{}, 1},
		{"of one for less", watchedKernel(firstFuel + 1), watch{}, 1},
		{"of no price", watchedKernel(0), watch{}, 64},
		{"the first row with a loop", watchedKernel(1, loop), watch{}, 1},
		{"the second call", watchedKernel(1, loop), watch{count: 1}, 64},
		{"rows that took more than their price", watchedKernel(1), watch{count: 1, perRow: firstFuel / 10}, 10},
		{"nothing used", watchedKernel(1), watch{count: 2}, 0},
		{"not enough used", watchedKernel(1), watch{count: 2, spent: watchShare - 1}, 0},
		{"enough for a row", watchedKernel(1), watch{count: 2, spent: watchShare}, 1},
		{"for rows of a price", watchedKernel(3), watch{count: 2, spent: 5 * 3 * watchShare}, 5},
		{"calls count, too", watchedKernel(1), watch{count: 2, calls: watchShare/callFuel - 1, spent: callFuel}, 1},
		{"but not for more than they are", watchedKernel(1), watch{count: 2, calls: watchShare/callFuel - 1, spent: callFuel - 1}, 0},
		{"no more than 64", watchedKernel(1), watch{count: 2, spent: 65 * watchShare}, 64},
		{"as tests want it", watchedKernel(1e9), watch{count: 5, every: 3}, 64},
	} {
		if got := c.watch.most(c.k); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The first two calls are watched, then at most every 1,009th.
func TestPlanOfWatchedCalls(t *testing.T) {
	k := watchedKernel(1)
	call := func(want bool, rows, wantRows int) {
		t.Helper()
		if n, watched := k.plan(0, rows, 0); watched != want || n != wantRows {
			t.Fatalf("%d rows: %d, watched %v", rows, n, watched)
		}
	}
	fuel, granted := int64(0), int64(0)
	k.fuel, k.granted, k.budget = &fuel, granted, newBed(t, 1, "A", func() float64 { return 1 }).budget
	call(true, 100, 64)
	k.watch.done(k, 64, 640)
	if k.watch.perRow != 10 || k.watch.wait != 1 {
		t.Errorf("after the first one: %d a row, wait %d", k.watch.perRow, k.watch.wait)
	}
	call(true, 7, 7)
	k.watch.done(k, 7, 3)
	if k.watch.perRow != 1 || k.watch.wait != watchEvery {
		t.Errorf("after the second one: %d a row, wait %d", k.watch.perRow, k.watch.wait)
	}
	for range watchEvery - 1 {
		call(false, 20, 20)
	}
	call(true, 20, 20) // 1,009 calls are worth 31 rows
	k.watch.done(k, 0, 50)
	if k.watch.perRow != 1 || k.watch.count != 3 || k.watch.calls != 0 || k.watch.spent != 0 {
		t.Errorf("a call without rows: %+v", k.watch)
	}
	k.watch.perRow = 40 // 1,009 calls are worth no row, twice as many are worth one
	for range 2*watchEvery - 1 {
		call(false, 1, 1)
	}
	call(true, 1, 1)
	k.watch.report = nil
	k.watch.wait = 1
	call(false, 100, 100)
	if k.watch.wait != math.MaxInt {
		t.Errorf("it is asked again whether to watch: %d", k.watch.wait)
	}
}

// Of a mask the first rows are watched.
func TestPlanOfMaskedCalls(t *testing.T) {
	k := watchedKernel(firstFuel / 3)
	if n, watched := k.plan(5, 64, 0b1011_0100_0001); n != 9 || !watched {
		t.Errorf("%d rows, watched %v", n, watched)
	}
	k.watch.wait = 1
	if n, watched := k.plan(5, 4, 0b1011_0100_0001); n != 4 || !watched {
		t.Errorf("%d rows, watched %v", n, watched)
	}
}

// The rows that are watched lie anywhere in a table, the first and the last ones included; those before them are done first.
func TestPlanOfWatchedRows(t *testing.T) {
	const row, rows, most = 100, 12, 8
	at := map[int]int{}
	for count := uint64(1); count < 200; count++ {
		k := watchedKernel(1)
		k.watch.count, k.watch.wait, k.watch.spent, k.watch.perRow = count+1, 1, most*watchShare*500, 500
		from, rest := row, rows
		n, watched := k.plan(from, rest, 0)
		if !watched {
			if n <= 0 || k.watch.wait != 1 || k.watch.calls != 0 {
				t.Fatalf("%d rows come before, %+v", n, k.watch)
			}
			from, rest = from+n, rest-n
			n, watched = k.plan(from, rest, 0)
		}
		if !watched || n != most || from < row || n > rest || k.watch.planned {
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
		k := watchedKernel(1)
		k.watch.count, k.watch.wait, k.watch.planned, k.watch.at = 2, 1, true, row+ahead
		k.watch.perRow, k.watch.spent = 500, most*watchShare*500
		if n, watched := k.plan(row, rows, 0); n != want || watched != (want == most) || k.watch.planned == watched {
			t.Errorf("%d rows ahead: %d rows, watched %v, still planned %v", ahead, n, watched, k.watch.planned)
		}
	}
	k := watchedKernel(1) // as many rows as are watched: no others to choose from
	k.watch.count, k.watch.wait, k.watch.spent = 2, 1, most*watchShare
	if n, watched := k.plan(row, most, 0); n != most || !watched {
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
		if got, want := peek(at, size), uint64(old)&(1<<(8*size-1)<<1-1); got != want {
			t.Errorf("%d bytes: %x, want %x", size, got, want)
		}
		poke(at, size, next)
		if got := *(*uint64)(at); got != want {
			t.Errorf("%d bytes written: %x, want %x", size, got, want)
		}
	}
}

func memoryOf(v uint64) unsafe.Pointer { return unsafe.Pointer(&v) }
