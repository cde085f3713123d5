package frame

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
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
	paid   int
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
func (s *source) Make(kernel.Key, ir.Sequence, []kernel.Slot) {}

func (s *source) Pay(keys int) { s.paid += keys }

func (s *source) Put(key kernel.Key, _ int, v kernel.Slot) {
	s.values[key.N] = v.N
	s.puts = append(s.puts, key.N)
}

// put does what code does that assigns a value at a key: it asks the host until there is an entry.
func put(t *testing.T, f *Frame, key, value float64) {
	t.Helper()
	for range 10 {
		slot, ok := f.slotOf(0, hashKey{first: key})
		if room := f.header(0, abi.KeyedRoom); !ok && *room > 0 {
			*room--
			e := f.entry(0, slot)
			*(*uint32)(unsafe.Add(e, abi.KeyedState)) = abi.KeyedUsed
			*(*float64)(unsafe.Add(e, abi.KeyedKey(&f.Program.Keyed[0]))) = key
			ok = true
		}
		if ok {
			e := f.entry(0, slot)
			if order := (*uint32)(unsafe.Add(e, abi.KeyedOrder)); *order == 0 {
				*order = *f.header(0, abi.KeyedCounter)
				*f.header(0, abi.KeyedCounter)++
			}
			*(*float64)(unsafe.Add(e, abi.KeyedValues)) = value
			*(*uint32)(unsafe.Add(e, abi.KeyedState)) |= 1 | 1<<abi.KeyedWrote
			return
		}
		at := f.Memory.At(f.Address + f.Unit.Layout.Missing)
		*(*uint32)(unsafe.Add(at, abi.MissingTable)), *(*float64)(unsafe.Add(at, abi.MissingKey)) = 1, key
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
