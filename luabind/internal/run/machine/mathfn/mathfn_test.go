package mathfn

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/mathfn/source"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// reference is what the interpreter computes for a name.
func reference(name string) (one func(float64) float64, two func(a, b float64) float64) {
	switch name {
	case "^":
		return nil, sandbox.Power
	case "%":
		return nil, sandbox.Modulo
	}
	return sandbox.MathOne[name], sandbox.MathTwo[name]
}

// TestCodeIsUpToDate: code.go is what go generate would write.
func TestCodeIsUpToDate(t *testing.T) {
	want, err := source.Generate("../../../../../ecs/portable")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("code.go is older than package portable: run go generate in this folder")
	}
}

// TestEveryFunctionIsThere: each function of Lua's math table from numbers to a number is here, in one way or the other.
func TestEveryFunctionIsThere(t *testing.T) {
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(sandbox.MathOne)), slices.Sorted(maps.Keys(sandbox.MathTwo)), []string{"%", "^"}) {
		if Has(name) == (Inline(name) != nil) {
			t.Errorf("%s: code of its own %v, inline %v", name, Has(name), Inline(name) != nil)
		}
	}
	for name := range byName {
		if one, two := reference(name); one == nil && two == nil {
			t.Errorf("%s is no function of Lua", name)
		}
	}
}

// edges are arguments at which something changes.
var edges = func() (out []float64) {
	for _, x := range []float64{
		0, 1, 2, 3, 4, 5, 10, 22, 0.5, 0.25, 1.0 / 3, 0.375, 0.1, 100, 1000, math.Pi, math.E, math.Ln2, math.Sqrt2, 1 / math.Sqrt2, 1e15, 1e16, 1e22, 1e300,
		0x1p20, 0x1p26, 0x1p27, 0x1p31, 0x1p32, 0x1p52, 0x1p53, 0x1p60, 0x1p63, 0x1p64, 0x1p500, 0x1p1000, 0x1p1023, 0x1p-26, 0x1p-27, 0x1p-54, 0x1p-60,
		0x1p-400, 0x1p-510, 0x1p-511, 0x1p-540, 0x1p-1022, 0x1p-1074, math.MaxFloat64, 709.782712893384, 710.4758600739439, -708.3964185322641,
		-745.1332191019411, 6381956970095103 * 0x1p797, 1.0 / 256, 127.0 / 128, 129.0 / 128, 1 + 1.0/256, 0.41421356237309503, math.Inf(1),
	} {
		for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)), 0.75 * x} {
			out = append(out, y, -y)
		}
	}
	for i := 1; i < 200; i++ { // multiples of pi/4, which are multiples of pi/2 each second time, and of 1/32
		for _, y := range []float64{float64(i) * math.Pi / 4, float64(i) / 32} {
			out = append(out, y, math.Nextafter(y, 0), -math.Nextafter(y, 100))
		}
	}
	return append(out, math.NaN(), math.Float64frombits(0xfff0000000000001))
}()

// draw is a random argument, of several distributions by turns.
func draw(r *rand.Rand, i int) float64 {
	switch i % 8 {
	case 0:
		return math.Float64frombits(r.Uint64()) // any
	case 1:
		return math.Ldexp(2*r.Float64()-1, r.IntN(80)-60)
	case 2:
		return 2*r.Float64() - 1
	case 3:
		return 20 * r.Float64()
	case 4:
		return 1500*r.Float64() - 750
	case 5:
		return float64(r.IntN(2000) - 1000)
	case 6:
		return math.Float64frombits(r.Uint64() >> (1 + r.IntN(40))) // many subnormals
	}
	return math.Ldexp(1+r.Float64(), r.IntN(3)-2)
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }

// checkSame runs n random arguments through every function, after the edges: those of two arguments get every stride-th pair of edges.
func checkSame(t *testing.T, config wazero.RuntimeConfig, n, stride int) {
	names := slices.Sorted(maps.Keys(byName))
	m := instance(t, config, module(names, 3, nil))
	ctx := context.Background()
	seen := map[int]bool{}
	for _, name := range names {
		n := n
		if seen[byName[name]] { // a second name of a function
			n /= 100
		}
		seen[byName[name]] = true
		f := m.ExportedFunction(name)
		one, two := reference(name)
		var stack [2]uint64
		wrong := 0
		run := func(a, b float64) {
			stack[0], stack[1] = math.Float64bits(a), math.Float64bits(b)
			if err := f.CallWithStack(ctx, stack[:]); err != nil {
				t.Fatalf("%s(%x, %x): %v", name, a, b, err)
			}
			var want float64
			if one != nil {
				want = one(a)
			} else {
				want = two(a, b)
			}
			if got := math.Float64frombits(stack[0]); !same(got, want) && wrong < 5 {
				t.Errorf("%s(%x, %x) = %x, want %x", name, a, b, got, want)
				wrong++
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		for _, a := range edges {
			if one != nil {
				run(a, 0)
				continue
			}
			for i := r.IntN(stride); i < len(edges); i += stride {
				run(a, edges[i])
			}
		}
		for i := range n {
			run(draw(r, i), draw(r, r.IntN(8)))
		}
	}
}

func TestSameInMachineCode(t *testing.T) {
	if !compiles() {
		t.Log("wazero has no compiler here; its interpreter is tested by itself")
		return
	}
	stride := 3 // of the edges of two arguments
	switch {
	case testing.Short():
		stride = 20
	case effort.Full():
		stride = 1
	}
	checkSame(t, wazero.NewRuntimeConfigCompiler(), effort.Of(1_000_000), stride)
}

// compiles: wazero has a compiler for this platform.
func compiles() bool {
	switch runtime.GOARCH {
	case "amd64", "arm64":
		return slices.Contains([]string{"linux", "darwin", "freebsd", "netbsd", "windows"}, runtime.GOOS)
	}
	return false
}

func TestSameInTheInterpreter(t *testing.T) {
	checkSame(t, wazero.NewRuntimeConfigInterpreter(), 200, 500)
}
