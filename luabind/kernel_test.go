package luabind

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// kernelWorld has three tables with A and B, whose rows hold values that are hard
// on arithmetic.
func kernelWorld(t testing.TB, seed uint64) *ecs.World { return kernelWorldIn(t, seed, NewMemory()) }

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

// loopWriter writes random loops.
type loopWriter struct {
	*rand.Rand
	strings.Builder
	nums, bools []string // variables in scope
	free        int
	depth       int
}

func (g *loopWriter) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *loopWriter) num(depth int) string {
	if depth <= 0 || g.IntN(4) == 0 {
		switch g.IntN(4) {
		case 0:
			return g.pick("0", "-0", "1", "2", "0.5", "3", "10", "100", "255", "1e300", "0.1", "-1", "-7", "1e-310", "4294967296")
		case 1:
			if len(g.nums) > 0 {
				return g.pick(g.nums...)
			}
		}
		return g.pick("p.x", "p.y", "p.f", "p.i8", "p.i32", "p.u16", "q.u8", "q.e", "q.v", "q.u32", "q.i16", "q.g", "e", "dt", "k", "conf.speed", "math.pi", "math.huge", "world.time")
	}
	a, b := g.num(depth-1), g.num(depth-1)
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + a + " + " + b + ")"
	case 3, 4:
		return "(" + a + " - " + b + ")"
	case 5, 6, 7:
		return "(" + a + " * " + b + ")"
	case 8:
		return "(" + a + " / " + b + ")"
	case 9:
		return "(" + a + g.pick(" % ", " ^ ") + b + ")"
	case 10:
		return "(- " + a + ")"
	case 11:
		return g.pick("math.floor", "math.abs", "math.sqrt", "sqrt", "math.ceil", "math.sin", "math.exp", "math.log", "math.deg", "math.rad", "math.tanh") + "(" + a + ")"
	case 12:
		return g.pick("math.min", "math.max", "math.fmod", "math.pow", "math.atan2") + "(" + a + ", " + b + ")"
	}
	return "(" + g.cond(depth-1) + " and " + a + " or " + b + ")"
}

func (g *loopWriter) cond(depth int) string {
	if depth <= 0 || g.IntN(5) == 0 {
		if len(g.bools) > 0 && g.IntN(2) == 0 {
			return g.pick(g.bools...)
		}
		return g.pick("p.b", "true", "false", "flag", "p.b")
	}
	switch g.IntN(8) {
	case 0:
		return "(not " + g.cond(depth-1) + ")"
	case 1:
		return "(" + g.cond(depth-1) + g.pick(" and ", " or ", " == ", " ~= ") + g.cond(depth-1) + ")"
	case 2:
		return "(" + g.num(depth-1) + " == " + g.pick("nil", "0", "q.e") + ")"
	}
	return "(" + g.num(depth-1) + g.pick(" < ", " > ", " <= ", " >= ", " == ", " ~= ") + g.num(depth-1) + ")"
}

func (g *loopWriter) line(format string, args ...any) {
	fmt.Fprintf(g, strings.Repeat(" ", 2+2*g.depth)+format+"\n", args...)
}

func (g *loopWriter) block(n, inner int) {
	nums, bools := len(g.nums), len(g.bools)
	g.depth++
	for range n {
		g.stmt(inner)
	}
	g.depth--
	g.nums, g.bools = g.nums[:nums], g.bools[:bools]
}

func (g *loopWriter) stmt(inner int) {
	switch n := g.IntN(24); {
	case n == 23: // what a back end may do in one piece
		for range 1 + g.IntN(3) {
			g.line("%s = %s + %s * %s", g.pick("p.x", "p.y", "q.v"), g.pick("p.x", "p.y", "q.v"), g.pick("p.x", "p.y", "q.v"), g.pick("dt", "k", "low", "sum", "2"))
		}
	case n == 22: // zeros of either sign
		g.line("%s = %s", g.pick("p.x", "p.y", "q.v", "sum", "low", "last"), g.pick("-(p.f - p.f)", "-(p.x * 0)", "(-(p.u16 * 0)) - q.u8 * 0", "p.x * (-(q.u8 - q.u8))", "(-(p.x - p.x)) + (-(p.y - p.y))", "-0", "0 * -1", "p.x * -0", "p.y + -0", "-0 - q.u8 * 0", "p.b and 0 or -0", "math.max(-0, p.x * 0)", "p.x - 0 / -5", "(-(p.u16 - p.u16)) * 1", "math.ceil(-0.5) + p.x * 0", "p.i8 * math.ceil(-0.5)", "p.x + p.x * k", "p.x + p.x * dt", "q.v + p.y * dt", "p.x + p.x * math.ceil(-0.3)"))
	case n < 4:
		g.line("%s = %s", g.pick("p.x", "p.y", "p.f", "q.v", "q.g"), g.num(3))
	case n == 4:
		g.line("p.b = %s", g.cond(2))
	case n == 5: // mostly fits
		g.line("%s = math.floor(%s) %% %s", g.pick("p.i8", "p.u16", "q.u8", "q.i16", "p.i32", "q.u32"), g.num(1), g.pick("8", "100", "128"))
	case n == 6 && g.IntN(2) == 0: // may not
		g.line("%s = %s", g.pick("p.i8", "p.u16", "q.u8", "q.i16", "p.i32", "q.u32"), g.pick(g.num(1), "p.i8 + 1", "p.i8 - 1", "q.u8 + 1", "q.u8 - 1", "p.i32 - 1", "q.u32 + 1"))
	case n == 7:
		g.line("q.e = %s", g.pick("e", "nil", "q.e", "0", "-0", "p.x"))
	case n == 8:
		g.line("p.x, q.v, %s = %s, %s, %s", g.pick("p.f", "sum", "p.y", "p.x"), g.num(2), g.num(1), g.num(1))
	case n < 11:
		g.free++
		name := fmt.Sprintf("l%d", g.free)
		if g.IntN(3) == 0 {
			g.line("local %s = %s", name, g.cond(2))
			g.bools = append(g.bools, name)
		} else {
			g.line("local %s = %s", name, g.num(2))
			g.nums = append(g.nums, name)
		}
	case n == 11 && len(g.nums) > 0:
		g.line("%s = %s", g.pick(g.nums...), g.num(2))
	case n < 14:
		g.line("%s", g.pick("sum = sum + "+g.num(1), "count = count + 1", "low = math.min(low, "+g.num(1)+")", "found = e", "last = "+g.num(1), "flag = "+g.cond(1), "seen = "+g.cond(1)))
	case n < 18 && inner > 0:
		g.line("if %s then", g.cond(2))
		g.block(1+g.IntN(2), inner-1)
		if g.IntN(2) == 0 {
			g.line("else")
			g.block(1, inner-1)
		}
		g.line("end")
	case n == 18 && inner > 0:
		g.free++
		name := fmt.Sprintf("i%d", g.free)
		g.line("for %s = %s do", name, g.pick("1, 3", "3, 1, -1", "0, 1, 0.25", "-1, 1", "1, q.u8 % 4", "p.i32 % 3, 4, 2", "5, 1", "0 * -k, 2"))
		g.nums = append(g.nums, name)
		g.block(1+g.IntN(2), inner-1)
		g.nums = g.nums[:len(g.nums)-1]
		if g.IntN(4) == 0 {
			g.line("  if %s then break end", g.cond(1))
		}
		g.line("end")
	case n == 19 && inner > 0:
		g.free++
		name := fmt.Sprintf("w%d", g.free)
		g.line("local %s = 0", name)
		if g.IntN(2) == 0 {
			g.line("while %s < 3 and %s do", name, g.cond(1))
			g.line("  %s = %s + 1", name, name)
			g.block(1, inner-1)
			g.line("end")
		} else {
			g.line("repeat")
			g.line("  %s = %s + 1", name, name)
			g.block(1, inner-1)
			g.line("until %s > 2 or %s", name, g.cond(1))
		}
		g.nums = append(g.nums, name)
	case n == 20 && g.IntN(3) == 0:
		g.line("if %s then break end", g.cond(2))
	case n == 21 && g.IntN(2) == 0:
		g.line("if %s then goto continue end", g.cond(1))
		// A local after a goto may not be in scope of its label.
	default:
		g.line("p.y = p.y + %s", g.num(1))
	}
}

// randomLoop writes a system with one random loop.
func randomLoop(seed uint64) string {
	g := &loopWriter{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.WriteString("local ecs = require(\"ecs\")\nlocal sqrt = math.sqrt\nlocal conf = { speed = 2.5 }\nlocal k = -0.25\nlocal moved = ecs.query{ \"A\", \"B\", without = { \"C\" } }\nlocal maybe = ecs.query{ \"A\", \"B\", optional = { \"C\" } }\nlocal fresh = ecs.query{ \"A\", \"B\", changed = { \"A\" } }\n")
	// As variables of the file they outlive a turn that fails.
	begin := []string{"local sum, count, low = 0, 0, 1e9\n", "return function(world, dt)\n"}
	if g.IntN(2) == 0 {
		begin[0], begin[1] = begin[1], begin[0]
	}
	g.WriteString("local flag, found, last, seen = true\n" + begin[0] + begin[1] + "  print(sum, count, low, found, last, seen, flag)\n")
	if g.IntN(20) == 0 {
		g.WriteString("  sum = nil\n")
	}
	fmt.Fprintf(g, "  for e, p, q in world:each(%s) do\n    do\n", g.pick(`"A", "B"`, `"A", "B"`, `"A", "B"`, "moved", "fresh", "maybe"))
	g.depth = 1
	g.block(1+g.IntN(6), 3)
	g.WriteString("    end\n    ::continue::\n  end\n  print(sum, count, low, found, last, seen, flag, 1 / (tonumber(sum) or 1), 1 / low, 1 / (last or 1))\nend\n")
	return g.String()
}

// kernelBatch is how many loops run on a world: it costs more than they do.
const kernelBatch = 8

// sameKernels compares random programs interpreted, as closures and as machine
// code.
func sameKernels(t testing.TB, world func(testing.TB, uint64) *ecs.World, seed uint64) (ran int) {
	var sources []string
	for i := range uint64(kernelBatch) {
		sources = append(sources, randomLoop(seed*kernelBatch+i))
	}
	return sameTraces(t, world, seed, sources)
}

// Which random programs are compared: -kernel.from 1000 -kernel.seeds 10000 for a long run over others.
var (
	kernelFrom  = flag.Uint64("kernel.from", 0, "first seed of random programs")
	kernelSeeds = flag.Uint64("kernel.seeds", 0, "how many seeds of random programs; 0: as package effort says")
)

// seeds calls fn with each seed of this run, full of them in a full run of the tests, and returns how many there were.
func seeds(full int, fn func(seed uint64)) int {
	n := uint64(effort.Of(full))
	if *kernelSeeds > 0 {
		n = *kernelSeeds
	}
	for i := range n {
		fn(*kernelFrom + i)
	}
	return int(n)
}

func TestKernelRandom(t *testing.T) {
	t.Parallel()
	ran := 0
	batches := seeds(100, func(seed uint64) { ran += sameKernels(t, kernelWorld, seed) })
	if n := batches * kernelBatch; ran < n*3/4 {
		t.Errorf("of %d loops only %d were compiled: the test tests little", n, ran)
	}
}

func FuzzKernel(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { sameKernels(t, kernelWorld, seed) })
}

// An endless loop in a compiled loop is named by its own line, as interpreted.
func TestKernelNamesTheLineOfAnEndlessLoop(t *testing.T) {
	for _, impl := range []Impl{Lua, Closures, Auto} {
		w := ecs.NewWorld(ecs.Options{})
		if _, err := ecs.Register[benchVector](w, "Position"); err != nil {
			t.Fatal(err)
		}
		_, err := run(t, Options{World: w, Limits: Limits{Instructions: 1_000_000}, Scripts: files(map[string]string{
			"a": "return { init = function(world) world:spawn{ Position = { x = 1 } } end,\n" +
				"update = function(world)\n" +
				"  for e, pos in world:each(\"Position\") do\n" +
				"    pos.y = 2\n" +
				"    while pos.x > 0 do pos.x = pos.x + 1 end\n" +
				"  end\n" +
				"end }",
		})}, 1, System{Name: "a", Script: "a.lua", Impl: impl})
		if !errors.Is(err, ErrLimit) || !strings.HasPrefix(err.Error(), "a.lua:5: ") {
			t.Errorf("%v: %v", impl, err)
		}
	}
}
