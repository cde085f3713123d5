package luabind

import (
	"context"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
)

// Machine code that works on tables and strings, or stores elsewhere, allocates
// nothing once it has run, watched or not.
func TestMachineCodeAllocatesNothing(t *testing.T) {
	for _, every := range []int{-1, 0, 1} {
		memory := machine.NewMemory()
		memory.Instruments().WatchEvery = every
		allocatesNothing(t, memory)
	}
}

func allocatesNothing(t *testing.T, memory ecs.Memory) {
	t.Helper()
	source := `local n = { 0, 0 }
return function(world)
  for e, pos, vel in world:each("Position", "Velocity") do
    n[1] = n[1] + pos.x
    n[2] = n[1] % 5
    local other = world:get(4294967297, "Velocity")
    if other then other.dx = other.dx + n[2] end
    world.resources.title = pos.x > 3 and "far" or "near"
    world.resources.score = 2
    world:send("Hit", { target = e, note = pos.x > 3 and "fire" or "steel" })
  end
end`
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: memory})
	declareForTests(t, w)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	for range 100 {
		if _, err := w.Spawn(p, v); err != nil {
			t.Fatal(err)
		}
	}
	r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": source})}, 50, System{Name: "a", Script: "a.lua"})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.runner("a.lua").MachineKernels(); n != 1 {
		t.Fatalf("%d loops are machine code", n)
	}
	if got := testing.AllocsPerRun(50, func() {
		if err := r.Frame(context.Background(), 0.25); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a frame", got)
	}
}
