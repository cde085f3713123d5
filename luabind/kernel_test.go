package luabind

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

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
		if _, err := ecs.Register[struct{ X, Y float64 }](w, "Position"); err != nil {
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
