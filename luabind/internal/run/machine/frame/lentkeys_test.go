package frame

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// A listSource is a Lua table whose keys are visited in an order. The same key may be visited twice: the first value counts.
type listSource struct {
	source
	keys []float64
}

func (s *listSource) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	if len(s.keys) <= most {
		for i, key := range s.keys {
			visit(kernel.Key{N: key}, kernel.Found, []kernel.Slot{{Has: true, N: float64(i)}})
		}
	}
	return len(s.keys)
}

func (s *listSource) Whole(int) bool { return true }

// A hash table has the keys of the Lua table and their values, however these have changed since the run before, and whether or not the run
// before has added keys.
func TestHashTablesAreFilledAgain(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 9))
		f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: ir.Number}}})
		s := &listSource{}
		f.SetKeyed(0, s)
		for run := range 40 {
			switch n := len(s.keys); random.IntN(8) {
			case 0:
				for range 1 + random.IntN(60) {
					s.keys = append(s.keys, float64(random.IntN(5000)))
				}
			case 1:
				if n > 0 {
					i := random.IntN(n)
					s.keys = slices.Delete(s.keys, i, i+1)
				}
			case 2:
				if n > 1 {
					i, j := random.IntN(n), random.IntN(n)
					s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
				}
			case 3:
				s.keys = s.keys[:n/2]
			}
			if !f.LendInputs() {
				t.Fatal("there is no memory")
			}
			want := map[float64]float64{}
			for i, key := range s.keys {
				if _, known := want[key]; !known {
					want[key] = float64(i)
				}
			}
			if f.count(0) != len(want) {
				t.Fatalf("seed %d, run %d: %d keys, want %d", seed, run, f.count(0), len(want))
			}
			for key, x := range want {
				slot, ok := f.slotOf(0, hashKey{first: key})
				if !ok {
					t.Fatalf("seed %d, run %d: there is no entry for %v", seed, run, key)
				}
				if got := *(*float64)(unsafe.Add(f.entry(0, slot), abi.KeyedValues)); got != x {
					t.Fatalf("seed %d, run %d: %v at %v, want %v", seed, run, got, key, x)
				}
			}
			if random.IntN(3) == 0 { // rows that make keys
				for range random.IntN(40) {
					put(t, f, float64(6000+random.IntN(1000)), 1)
				}
			}
			f.ReturnInputs()
		}
		if run := f.keyed[0].hashed.lent; run.on {
			t.Error("keys are noted behind the end of a filling")
		}
	}
}

// The slots of a hash table that is filled with the same keys as before need no search.
func TestSlotsAreKnownAgain(t *testing.T) {
	f := newFrame(t, &ir.Program{Price: 1, Keyed: []ir.Keyed{{Key: ir.Number}}})
	s := &listSource{}
	for i := range 300 {
		s.keys = append(s.keys, float64(i*7))
	}
	f.SetKeyed(0, s)
	for run := range 3 {
		f.LendInputs()
		f.ReturnInputs()
		if noted := len(f.keyed[0].hashed.lent.list); noted != min(run, 1)*len(s.keys) {
			t.Errorf("run %d: %d keys are noted", run, noted)
		}
	}
}
