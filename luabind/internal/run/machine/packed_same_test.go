package machine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/tests/effort"
)

var nasty = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, math.MaxFloat64, 1e300, 0.1, 800, -3, 2, 100}

// samePacked compares a random program as closures, as machine code row by row, in
// the cheapest form, and in another one, on one core and on three. It counts the
// latter by form, and reports whether rows were shared out.
func samePacked(t testing.TB, seed uint64, compared []int) bool {
	body, names := randomMirrored(seed)
	defer func() {
		if t.Failed() {
			t.Logf("seed %d, components %s\n%s", seed, names, body)
		}
	}()
	rng := rand.New(rand.NewPCG(seed, 5))
	rows := 1 + rng.IntN(70)
	if seed%4 == 3 {
		rows += int(seed / 4 % 300)
	}
	inputs := map[string]float64{"u": nasty[rng.IntN(len(nasty))], "v": rng.Float64()*4 - 2, "n": float64(rng.IntN(6)), "flag": float64(rng.IntN(2)), "sum": 0, "count": 0}
	fuel := int64(0)
	if rng.IntN(3) == 0 {
		fuel = int64(1 + rng.IntN(2000))
	}
	fill := func() *bed {
		values := rand.New(rand.NewPCG(seed, 9))
		return newBeds(t, []int{rows, 3 + int(seed%7), 40 + int(seed%9)}, names, func() float64 {
			if values.IntN(3) == 0 {
				return nasty[values.IntN(len(nasty))]
			}
			return math.Round(values.NormFloat64()*400) / 4
		})
	}
	b := fill()
	p, template, reason := b.program(body)
	if reason != nil {
		return false
	}
	want := b.trace(closures.Compile(p, b.budget), p, template, inputs, fuel)
	lists := [][]packing.Form{nil, packing.Forms}
	order := rng.Perm(len(packing.Forms))
	slices.SortStableFunc(order, func(i, j int) int { return compared[i] - compared[j] }) // few programs suit some of them
	for _, i := range order {
		lists = append(lists, []packing.Form{packing.Forms[i]})
	}
	for i, list := range lists {
		b := fill()
		p, template, _ := b.program(body) // queries within are of one world
		k := b.machine(p, list, i > 1)
		if k == nil {
			continue
		}
		if got := b.trace(k, p, template, inputs, fuel); got != want {
			t.Fatalf("%d rows, inputs %v, fuel %d, %v\n%s", rows, inputs, fuel, list, differences(want, got))
		}
		if i > 1 {
			compared[slices.Index(packing.Forms, list[0])]++
			return shared(t, fill(), body, list, inputs, fuel, want)
		}
	}
	return false
}

// shared compares a program whose rows are shared out, as if each took long.
func shared(t testing.TB, b *bed, body string, list []packing.Form, inputs map[string]float64, fuel int64, want string) bool {
	pool := ecs.NewPool(3)
	defer pool.Close()
	p, template, _ := b.program(body)
	k := b.machine(p, list, true)
	k.sharing.pool, k.unit.Nanoseconds = pool, 50_000
	if got := b.trace(k, p, template, inputs, fuel); got != want {
		t.Fatalf("on three cores, inputs %v, fuel %d, %v\n%s", inputs, fuel, list, differences(want, got))
	}
	return len(k.sharing.workers) > 0
}

func differences(want, got string) string {
	var s strings.Builder
	g := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i < len(g) && g[i] != line {
			fmt.Fprintf(&s, "want %s\n got %s\n", line, g[i])
		}
	}
	return s.String()
}

// Packed batches do what closures do, to the bit.
func TestPackedRandom(t *testing.T) {
	compared, programs, cores := make([]int, len(packing.Forms)), *packedSeeds, 0
	if programs == 0 {
		programs = effort.Of(120)
	}
	for seed := range uint64(programs) {
		if samePacked(t, *packedFrom+seed, compared) {
			cores++
		}
	}
	if cores < programs/10 {
		t.Errorf("of %d programs %d were shared out", programs, cores)
	}
	for i, n := range compared {
		if n < programs/100 {
			t.Errorf("%+v was tested %d times: %v", packing.Forms[i], n, compared)
		}
	}
}

var (
	packedFrom  = flag.Uint64("packed.from", 0, "first seed of the random programs that are packed")
	packedSeeds = flag.Int("packed.seeds", 0, "how many random programs are packed; 0: as package effort says")
)

func FuzzPacked(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { samePacked(t, seed, make([]int, len(packing.Forms))) })
}
