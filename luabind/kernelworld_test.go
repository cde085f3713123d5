package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// kernelWorld has three tables with A and B, whose rows hold values that are hard
// on arithmetic.
func kernelWorld(t testing.TB, seed uint64) *ecs.World {
	return kernelWorldIn(t, seed, restlessMemory())
}

// kernelWorldOnHeap is [kernelWorld] on Go's heap.
func kernelWorldOnHeap(t testing.TB, seed uint64) *ecs.World { return kernelWorldIn(t, seed, nil) }

func kernelWorldIn(t testing.TB, seed uint64, memory ecs.Memory) *ecs.World {
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: memory})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(surface.DeclareRelations(w))
	define := func(name string, fields ...ecs.Field) ecs.ComponentID {
		s, err := ecs.NewSchema(fields...)
		must(err)
		id, err := w.DeclareComponent(name, s)
		must(err)
		return id
	}
	a := define("A",
		ecs.Field{Name: "b", Type: ecs.Bool}, ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "i8", Type: ecs.I8},
		ecs.Field{Name: "y", Type: ecs.F64}, ecs.Field{Name: "f", Type: ecs.F32}, ecs.Field{Name: "i32", Type: ecs.I32}, ecs.Field{Name: "u16", Type: ecs.U16})
	inB := []ecs.Field{
		{Name: "u8", Type: ecs.U8},
		{Name: "e", Type: ecs.EntityField},
		{Name: "v", Type: ecs.F64},
		{Name: "u32", Type: ecs.U32},
		{Name: "i16", Type: ecs.I16},
		{Name: "g", Type: ecs.F32},
	}
	if seed%4 == 0 { // machine code cannot reach a component with strings
		inB = append(inB, ecs.Field{Name: "s", Type: ecs.String})
	}
	b := define("B", inB...)
	c, d := define("C", ecs.Field{Name: "x", Type: ecs.F64}), define("D", ecs.Field{Name: "x", Type: ecs.F64})
	rng := rand.New(rand.NewPCG(seed, 7))
	nasty := []float64{
		0, math.Copysign(0, -1), 1, -1, 2, 0.5, -0.5, 127, 128, -128, -129, 255, 256, 3, 7, 10, 65535, 65536, 1e-3, math.NaN(), math.Inf(1), math.Inf(-1),
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, math.MaxFloat64, -math.MaxFloat64, 1 << 31, 1<<31 - 1, -1 << 31, 1<<32 - 1, 1 << 53,
		1e300, 1e-300, 0.1, 16777217, math.MaxFloat32, 1e39, math.Pi,
	}
	value := func(f ecs.Field) ecs.Value {
		n := nasty[rng.IntN(len(nasty))]
		switch f.Type {
		case ecs.Bool:
			return ecs.Boolean(n > 0)
		case ecs.EntityField:
			e, _ := ecs.EntityFromNumber(float64(rng.IntN(3)) * (1<<32 + 1))
			return ecs.EntityOf(e)
		case ecs.String:
			return ecs.Text([...]string{"s", "calm", "", "storm"}[math.Float64bits(n)>>52%4])
		case ecs.F64, ecs.F32:
			if rng.IntN(3) == 0 {
				n = rng.NormFloat64() * 10
			}
			return ecs.Number(n)
		}
		n = float64(rng.IntN(8))
		switch {
		case f.Type == ecs.I8 && rng.IntN(2) == 0:
			n = []float64{127, -128}[rng.IntN(2)]
		case f.Type == ecs.U8 && rng.IntN(3) == 0:
			n = 255
		case f.Type == ecs.I32 && rng.IntN(3) == 0:
			n = math.MinInt32
		case f.Type == ecs.U32 && rng.IntN(3) == 0:
			n = math.MaxUint32
		}
		return ecs.Number(n)
	}
	isA, _ := w.LookupComponent("IsA")
	base, shared := ecs.None, rng.IntN(4) == 0
	for i := range 5 + rng.IntN(12) {
		e, err := w.Spawn()
		must(err)
		ids := []ecs.ComponentID{a, b}
		if base == ecs.None {
			base = e
		} else if i > 8 && shared { // A is its own, B is that of the first entity
			ids = ids[:1]
			_, err := w.Relate(e, isA, base)
			must(err)
		}
		switch i % 4 {
		case 1:
			ids = append(ids, c)
		case 2:
			ids = append(ids, d)
		}
		for _, id := range ids {
			info, _ := w.ComponentInfo(id)
			var fields []ecs.FieldValue
			for j, f := range info.Schema.Fields() {
				fields = append(fields, ecs.FieldValue{Index: j, Value: value(f)})
			}
			_, err := w.Set(e, id, fields...)
			must(err)
		}
	}
	return w
}

// kernelTrace runs systems for three frames and tells all that can be seen of
// them. Ran is how many kernels there are.
func kernelTrace(t testing.TB, seed uint64, impl Impl, sources ...string) (seen string, ran int) {
	t.Helper()
	seen, ran, err := traceIn(t, kernelWorld(t, seed), impl, sources)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(sources, "\n"))
	}
	return seen, ran
}

// traceIn is [kernelTrace] in a world. The error is that the systems do not load or start.
func traceIn(t testing.TB, w *ecs.World, impl Impl, sources []string) (seen string, ran int, err error) {
	t.Helper()
	var out bytes.Buffer
	scripts := map[string]string{}
	for i, source := range sources {
		scripts[fmt.Sprintf("a%d", i)] = source
	}
	r, err := New(Options{
		Log:   strictLog(t),
		World: w, Stdout: &out, Limits: Limits{OnError: Skip},
		Report:  func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
		Scripts: files(scripts),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sources {
		name := fmt.Sprintf("a%d", i)
		if err := r.Add(System{Name: name, Script: name + ".lua", Impl: impl}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		return "", 0, err
	}
	if err := r.Start(context.Background()); err != nil {
		return "", 0, err
	}
	for range 3 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			return "", 0, err
		}
		h := fnv.New64a()
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					fmt.Fprintln(h, table.Column(id).Changed(row), table.Column(id).Added(row))
				}
			}
		}
		fmt.Fprintf(&out, "digest %v stamps %x locked %v check %v\n", w.Digest(), h.Sum64(), w.Locked(), w.Check())
	}
	for _, p := range r.runners() {
		ran += p.Kernels()
	}
	return out.String(), ran, nil
}

// sameTraces compares systems interpreted, as closures and as machine code, in worlds made of a seed. Systems that differ are shrunk. Ran is how many kernels
// there are in the end.
func sameTraces(t testing.TB, world func(testing.TB, uint64) *ecs.World, seed uint64, sources []string) (ran int) {
	t.Helper()
	trace := func(impl Impl, sources []string) (string, int, error) {
		return traceIn(t, world(t, seed), impl, sources)
	}
	want, _, err := trace(Lua, sources)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(sources, "\n"))
	}
	for _, impl := range []Impl{Closures, Auto} {
		got, n, err := trace(impl, sources)
		if err != nil {
			t.Fatalf("seed %d: %v: %v\n%s", seed, impl, err, strings.Join(sources, "\n"))
		}
		if ran = n; got == want {
			continue
		}
		short := shrink(sources, func(sources []string) bool {
			want, _, err := trace(Lua, sources)
			got, _, err2 := trace(impl, sources)
			return err == nil && err2 == nil && got != want
		})
		want, _, _ = trace(Lua, short)
		got, _, _ = trace(impl, short)
		t.Fatalf("seed %d: %v\n%s\ninterpreted\n%s\n%s", seed, impl, got, want, strings.Join(short, "\n-- the next system\n"))
	}
	return ran
}
