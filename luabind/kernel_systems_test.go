package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// sameSystems compares a random system interpreted and compiled.
func sameSystems(t testing.TB, world func(testing.TB, uint64) *ecs.World, seed uint64) (ran int) {
	return sameTraces(t, world, seed, []string{randomSystem(seed)})
}

func TestKernelSystems(t *testing.T) {
	t.Parallel()
	ran := 0
	systems := seeds(450, func(seed uint64) {
		if sameSystems(t, kernelWorld, seed) > 0 {
			ran++
		}
	})
	if ran < systems*2/3 {
		t.Errorf("of %d systems only %d were compiled: the test tests little", systems, ran)
	}
}

func FuzzKernelSystems(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { sameSystems(t, kernelWorld, seed) })
}
