package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/tests/effort"
)

type (
	namedPair struct {
		X    float64
		Name string
		Y    float64
	}
	namedTriple struct {
		Name    string
		X, Y, Z float64
	}
	namedShort struct {
		X, Y float32
		Name string
	}
	namedQuad struct {
		X, Y, Z, W float32
		Name       string
		More       [4]float64
	}
	namedMixed struct {
		X    float64
		On   bool
		N    int32
		Name string
		Y, Z float64
		K    float32
	}
)

// heapBed is newBed with columns that code cannot reach: of a world on Go's heap,
// or of components with strings. named says which those are, a bit each.
func heapBed(tb testing.TB, rows int, names string, heap bool, named uint64, value func() float64) *bed {
	tb.Helper()
	var o ecs.Options
	if !heap {
		o.Memory = NewMemory()
	}
	w := ecs.NewWorld(o)
	b := &bed{tb: tb, world: w, budget: sandbox.New(sandbox.Options{}).Budget()}
	all := map[byte]ecs.ComponentID{}
	for i, register := range []func(name string, named bool) ecs.ComponentID{
		either[pairOf, namedPair](w), either[pairOf, namedPair](w), either[tripleOf, namedTriple](w), either[shortOf, namedShort](w),
		either[quadOf, namedQuad](w), either[mixedOf, namedMixed](w), either[tripleOf, namedTriple](w), either[shortOf, namedShort](w),
	} {
		all['A'+byte(i)] = register(string(rune('A'+i)), named>>i&1 != 0)
	}
	for i := range names {
		b.ids, b.names = append(b.ids, all[names[i]]), append(b.names, strings.ToLower(names[i:i+1]))
	}
	bundle, err := w.Bundle(b.ids...)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := bundle.SpawnMany(rows, func(t *ecs.Table, from, to int) {
		for _, id := range b.ids {
			for row := from; row < to; row++ {
				r := t.Column(id).Row(row)
				for i, f := range r.Schema().Fields() {
					switch v := value(); f.Type {
					case ecs.F64, ecs.F32:
						_ = r.SetNumber(i, v)
					case ecs.Bool:
						_ = r.Set(i, ecs.Boolean(v > 0))
					case ecs.String:
						_ = r.Set(i, ecs.Text(fmt.Sprint("row ", row)))
					}
				}
			}
		}
	}); err != nil {
		tb.Fatal(err)
	}
	if b.query, err = w.Query(ecs.Filter{Required: b.ids}); err != nil {
		tb.Fatal(err)
	}
	return b
}

// either registers one of two types.
func either[Plain, Named any](w *ecs.World) func(name string, named bool) ecs.ComponentID {
	return func(name string, named bool) ecs.ComponentID {
		if named {
			return ecs.MustRegister[Named](w, name).ID()
		}
		return ecs.MustRegister[Plain](w, name).ID()
	}
}

// Code over copies of rows does what closures do over the columns, to the bit,
// whatever the blocks are.
func TestBlocksRandom(t *testing.T) {
	compared, programs := 0, effort.Of(240)
	for seed := range uint64(programs) {
		if sameInBlocks(t, seed) {
			compared++
		}
	}
	if compared < programs/2 {
		t.Errorf("of %d programs only %d run in blocks", programs, compared)
	}
}

func sameInBlocks(t testing.TB, seed uint64) (compared bool) {
	body, names := randomMirrored(seed)
	rng := rand.New(rand.NewPCG(seed, 6))
	rows, heap, named := 1+rng.IntN(200), rng.IntN(2) == 0, rng.Uint64()
	if !heap && rng.IntN(2) == 0 {
		named = math.MaxUint64
	}
	inputs := map[string]float64{"u": nasty[rng.IntN(len(nasty))], "v": rng.Float64()*4 - 2, "n": float64(rng.IntN(6)), "flag": float64(rng.IntN(2)), "sum": 0, "count": 0}
	fuel := int64(0)
	if rng.IntN(3) == 0 {
		fuel = int64(1 + rng.IntN(4000))
	}
	fill := func() *bed {
		values := rand.New(rand.NewPCG(seed, 9))
		return heapBed(t, rows, names, heap, named, func() float64 {
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
	digest := b.world.Digest()
	b = fill()
	p, template, _ = b.program(body)
	if Refusal(p, b.query, b.world) != "" {
		return false
	}
	k := b.machine(p, packing.Forms, false)
	k.blocks.rows = []int{k.blocks.rows, 1, 2, 7, 8, 64}[rng.IntN(6)]
	got := b.trace(k, p, template, inputs, fuel)
	if got != want || b.world.Digest() != digest {
		t.Fatalf("seed %d, components %s: %d rows, blocks of %d, inputs %v, fuel %d\n%s\n%s", seed, names, rows, k.blocks.rows, inputs, fuel, body, differences(want, got))
	}
	for i, plan := range k.blocks.plans {
		if !plan.made {
			continue
		}
		info, _ := b.world.ComponentInfo(p.Components[i])
		if plan.whole && !info.Schema.PointerFree() {
			t.Errorf("whole rows of %s are written, with their pointers", info.Name)
		}
		for _, f := range info.Schema.Fields() {
			for _, s := range plan.back {
				if f.Type == ecs.String && s.offset < f.Offset+f.Type.Size() && s.offset+s.size > f.Offset {
					t.Errorf("the string of %s is written", info.Name)
				}
			}
		}
	}
	return slices.ContainsFunc(k.taken.blocks, func(b block) bool { return b.p != nil })
}

// What is copied of a row: segments as large as they can be, none of a pointer.
func TestSpans(t *testing.T) {
	for _, c := range []struct {
		bytes string // x: this one
		want  []span
	}{
		{"", nil},
		{"--------", nil},
		{"xxxxxxxxxxxxxxxx----------------", []span{{0, 16}}},
		{"--------xxxxxxxxxxxxxxxx--------", []span{{8, 16}}},
		{"xxxxxxxxxxxxxxxxxxxxxxxx", []span{{0, 16}, {16, 8}}},
		{"x-xxxxxxxxxxxxxx", []span{{0, 1}, {2, 2}, {4, 4}, {8, 8}}},
		{"----xxxxxxxxxxxx", []span{{4, 4}, {8, 8}}},
		{"xxx", []span{{0, 2}, {2, 1}}},
	} {
		bytes := make([]bool, len(c.bytes))
		for i := range bytes {
			bytes[i] = c.bytes[i] == 'x'
		}
		if got := spans(bytes); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.bytes, got, c.want)
		}
	}
}
