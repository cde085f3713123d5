package frame

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// newFrame returns the frame of a Program whose code has some strings.
func newFrame(t *testing.T, p *ir.Program, strings ...string) *Frame {
	t.Helper()
	f, release, err := New(p, &abi.Unit{Layout: abi.LayoutOf(p), Strings: strings, Logs: true}, memory.New(), new(sandbox.Budget))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	f.Begin()
	*f.Log.Row = *f.Log.End // as code does at the beginning of a row
	return f
}

// A source is a Lua table of numbers. It implements [kernel.Keyed].
type source struct {
	values map[float64]float64
	finds  int
	whole  bool
	puts   []float64 // keys, in the order of Put
}

// Whole says that a table is to be read whole from the 33rd key on, and then always.
func (s *source) Whole(asked int) bool {
	s.whole = s.whole || len(s.values) <= 64 || asked > 0 && s.finds >= 32
	return s.whole
}

func (s *source) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	s.finds++
	v, ok := s.values[key.N]
	if !ok {
		return kernel.Absent
	}
	values[0] = kernel.Slot{Has: true, N: v}
	return kernel.Found
}

func (s *source) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	if len(s.values) <= most {
		for key, v := range s.values {
			visit(kernel.Key{N: key}, kernel.Found, []kernel.Slot{{Has: true, N: v}})
		}
	}
	return len(s.values)
}

// Make is not called: the values are numbers.

func (s *source) Put(key kernel.Key, _ int, v kernel.Slot) {
	s.values[key.N] = v.N
	s.puts = append(s.puts, key.N)
}

// put assigns a value at a key of the first table.
func put(t *testing.T, f *Frame, key, value float64) {
	t.Helper()
	putAt(t, f, 0, hashKey{first: key}, value)
}

// putAt does what code does that assigns a value at a key: it asks the host until there is an entry.
func putAt(t *testing.T, f *Frame, table int, key hashKey, value float64) {
	t.Helper()
	p := &f.Program.Keyed[table]
	store := func(at unsafe.Pointer) {
		*(*float64)(at) = key.first
		if p.Pairs {
			*(*float64)(unsafe.Add(at, 8)) = key.second
		}
	}
	for range 10 {
		slot, ok := f.slotOf(table, key)
		if room := f.header(table, abi.KeyedRoom); !ok && *room > 0 {
			*room--
			e := f.entry(table, slot)
			*(*uint32)(unsafe.Add(e, abi.KeyedState)) = abi.KeyedUsed
			store(unsafe.Add(e, abi.KeyedKey(p)))
			ok = true
		}
		if ok {
			e := f.entry(table, slot)
			if order := (*uint32)(unsafe.Add(e, abi.KeyedOrder)); *order == 0 {
				*order = *f.header(table, abi.KeyedCounter)
				*f.header(table, abi.KeyedCounter)++
			}
			*(*float64)(unsafe.Add(e, abi.KeyedValues)) = value
			*(*uint32)(unsafe.Add(e, abi.KeyedState)) |= 1 | 1<<abi.KeyedWrote
			return
		}
		at := f.Memory.At(f.Address + f.Unit.Layout.Missing)
		*(*uint32)(unsafe.Add(at, abi.MissingTable)) = 1 + uint32(table)
		store(unsafe.Add(at, abi.MissingKey))
		if !f.Again() {
			t.Fatalf("there is no entry for %v", key)
		}
	}
	t.Fatalf("there is no room for %v", key)
}

// Keys get their values and the order in which rows have made them, in small tables and in large ones, and the Lua table has
// both when the run ends.
func TestHashTables(t *testing.T) {
	for _, size := range []int{0, 1, 64, 65, 500} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: ir.Number, Stored: true}}})
			s, want := &source{values: map[float64]float64{}}, map[float64]float64{}
			for i := range size {
				s.values[float64(i)*1.5], want[float64(i)*1.5] = float64(i), float64(i)
			}
			f.SetKeyed(0, s)
			rng := rand.New(rand.NewPCG(1, uint64(size)))
			for range 3 { // runs
				if !f.LendInputs() {
					t.Fatal("there is no memory")
				}
				var made []float64
				s.puts = nil
				for range 400 {
					key := float64(rng.IntN(2000)) * 0.75
					if _, known := want[key]; !known {
						made = append(made, key)
					}
					want[key] = rng.Float64()
					put(t, f, key, want[key])
				}
				f.ReturnInputs()
				if fmt.Sprint(s.values) != fmt.Sprint(want) {
					t.Fatalf("the values differ:\n%v\n%v", s.values, want)
				}
				if len(s.puts) < len(made) || fmt.Sprint(s.puts[:len(made)]) != fmt.Sprint(made) {
					t.Fatalf("new keys are stored as %v, not as %v", s.puts, made)
				}
			}
		})
	}
}

// A pairSource is the values in the tables in a Lua table. It implements [kernel.Keyed].
type pairSource struct {
	values map[kernel.Key]float64
	finds  int
	whole  bool
	puts   []kernel.Key
}

// Whole is as that of source.
func (s *pairSource) Whole(asked int) bool {
	s.whole = s.whole || len(s.values) <= 64 || asked > 0 && s.finds >= 32
	return s.whole
}

func (s *pairSource) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	s.finds++
	v, ok := s.values[key]
	if !ok {
		return kernel.Absent
	}
	values[0] = kernel.Slot{Has: true, N: v}
	return kernel.Found
}

func (s *pairSource) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	if len(s.values) <= most {
		for key, v := range s.values {
			visit(key, kernel.Found, []kernel.Slot{{Has: true, N: v}})
		}
	}
	return len(s.values)
}

func (s *pairSource) Put(key kernel.Key, _ int, v kernel.Slot) {
	s.values[key] = v.N
	s.puts = append(s.puts, key)
}

// Pairs get their values and their order as single keys do, whichever of their parts are strings.
func TestHashTablesOfPairs(t *testing.T) {
	for _, first := range []ir.Type{ir.Number, ir.Text} {
		for _, second := range []ir.Type{ir.Number, ir.Text} {
			for _, size := range []int{0, 1, 64, 65, 500} {
				t.Run(fmt.Sprint(first, second, size), func(t *testing.T) {
					f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: first, Rows: true}, {Key: ir.Number, Pairs: true, Second: second, Stored: true}}}, "some", "text")
					key := func(a, b int) (k kernel.Key) {
						if k.N = float64(a) * 1.5; first == ir.Text {
							k.N, k.S = 0, fmt.Sprint("a", a)
						}
						if k.SecondN = float64(b) * -0.75; second == ir.Text {
							k.SecondN, k.SecondS = 0, fmt.Sprint("b", b)
						}
						return k
					}
					s, want := &pairSource{values: map[kernel.Key]float64{}}, map[kernel.Key]float64{}
					for i := range size {
						s.values[key(i%7, i)], want[key(i%7, i)] = float64(i), float64(i)
					}
					f.SetKeyed(0, &source{values: map[float64]float64{}})
					f.SetKeyed(1, s)
					rng := rand.New(rand.NewPCG(2, uint64(size)))
					for run := range 3 {
						s.finds, s.puts = 0, nil
						if !f.LendInputs() {
							t.Fatal("there is no memory")
						}
						if complete := *f.header(1, abi.KeyedComplete) == 1; complete != s.whole {
							t.Errorf("run %d: all pairs are there: %v", run, complete)
						}
						var made []kernel.Key
						for range 400 {
							k := key(rng.IntN(40), rng.IntN(50))
							if _, known := want[k]; !known {
								made = append(made, k)
							}
							want[k] = rng.Float64()
							at := f.hashKeyOf(1, k)
							if back := f.keyOfHash(1, at); back != k {
								t.Fatalf("%v becomes %v", k, back)
							}
							putAt(t, f, 1, at, want[k])
						}
						if s.finds > 32 {
							t.Errorf("run %d: the tables are asked for %d pairs one by one", run, s.finds)
						}
						f.ReturnInputs()
						if !maps.Equal(s.values, want) {
							t.Fatalf("the values differ:\n%v\n%v", s.values, want)
						}
						if len(s.puts) < len(made) || !slices.Equal(s.puts[:len(made)], made) {
							t.Fatalf("new pairs are stored as %v, not as %v", s.puts, made)
						}
					}
				})
			}
		}
	}
}

// The search for a pair begins at a place that depends on both parts: tables of pairs that differ in one part have few collisions.
func TestPairsAreSpread(t *testing.T) {
	p := &ir.Keyed{Key: ir.Number, Pairs: true}
	for name, key := range map[string]func(i int) hashKey{
		"first parts":           func(i int) hashKey { return hashKey{float64(i), 5} },
		"second parts":          func(i int) hashKey { return hashKey{5, float64(i)} },
		"equal parts":           func(i int) hashKey { return hashKey{float64(i), float64(i)} },
		"parts of a square":     func(i int) hashKey { return hashKey{float64(i % 32), float64(i / 32)} },
		"fractions of a square": func(i int) hashKey { return hashKey{float64(i%32) / 4, float64(i/32) / 8} },
	} {
		used := map[uint32]bool{}
		for i := range 1024 {
			used[startOf(p, key(i), 64-11)] = true
		}
		if len(used) < 700 { // about 805 by chance
			t.Errorf("%s: 1,024 pairs begin at %d places of 2,048", name, len(used))
		}
	}
}

// A large Lua table is asked for single keys first, and copied when many were asked for; at the next run at once.
func TestLargeTablesAreAskedFirst(t *testing.T) {
	f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: ir.Number}}})
	s := &source{values: map[float64]float64{}}
	for i := range 1000 {
		s.values[float64(i)] = 1
	}
	f.SetKeyed(0, s)
	f.LendInputs()
	for key := range 100 {
		put(t, f, float64(key), 2)
	}
	if s.finds != 32 {
		t.Errorf("the table is asked for %d keys one by one", s.finds)
	}
	f.ReturnInputs()
	s.finds = 0
	f.LendInputs()
	put(t, f, 999, 2)
	if s.finds != 0 || *f.header(0, abi.KeyedComplete) != 1 {
		t.Error("the second run does not copy the table")
	}
	f.ReturnInputs()
}

// When entries move, the records of the log move with them: a row that fails afterwards is restored.
func TestTheLogFollowsEntriesThatMove(t *testing.T) {
	f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: ir.Number, Stored: true}}})
	s := &source{values: map[float64]float64{7: 70}}
	f.SetKeyed(0, s)
	f.LendInputs()
	slot, _ := f.slotOf(0, hashKey{first: 7})
	value := unsafe.Add(f.entry(0, slot), abi.KeyedValues)
	address, _ := f.Memory.Address(value)
	record := f.Memory.At(*f.Log.End)
	*(*uint32)(unsafe.Add(record, abi.LogAddress)), *(*uint32)(unsafe.Add(record, abi.LogWhat)) = address, 8
	*(*uint64)(unsafe.Add(record, abi.LogBits)) = math.Float64bits(70)
	*f.Log.Row = *f.Log.End
	*f.Log.End += abi.LogRecord
	*(*float64)(value) = 71
	if !f.resize(0, 1024) {
		t.Fatal("there is no memory")
	}
	slot, _ = f.slotOf(0, hashKey{first: 7})
	now := (*float64)(unsafe.Add(f.entry(0, slot), abi.KeyedValues))
	if *now != 71 {
		t.Fatalf("the value is %v after the move", *now)
	}
	if f.UndoRow(); *now != 70 {
		t.Errorf("the value is %v after the row was restored", *now)
	}
}
