package luabind

import (
	"context"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// aheadScript has loops whose variables show what they hold, also those around the
// functions.
const aheadScript = `
local ecs = require("ecs")
local settings = { pull = 2, limit = 50 }
local names = ecs.query{ "Position", optional = { "Velocity" } }
local function slow(world, by)
  for e, vel in world:each("Velocity") do vel.dx = vel.dx * by + %d end
end
return function(world, dt)
  local width = world.resources.width
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt * settings.pull
    if pos.x > width or pos.x > settings.limit then world.commands:despawn(e) end
  end
  for e, pos, vel in world:each(names) do
    if vel then pos.y = pos.y + math.floor(vel.dy) end
  end
  slow(world, 0.5)
end`

// aheadRuntime has a system of each script, one entity, and is loaded.
func aheadRuntime(t *testing.T, pool ecs.Pool, when string, scripts ...string) *Runtime {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	pos, vel := ecs.MustRegister[benchPos](w, "Position"), ecs.MustRegister[benchVel](w, "Velocity")
	if _, err := w.DeclareResource("width", ecs.F64, ecs.Number(800)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Spawn(pos.ID(), vel.ID()); err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for i, s := range scripts {
		sources[fmt.Sprint("s", i)] = s
	}
	r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(sources), Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	for i := range scripts {
		if err := r.Add(System{Name: fmt.Sprint("s", i), Script: fmt.Sprintf("s%d.lua", i), When: when}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		t.Fatal(err)
	}
	return r
}

// startAhead starts a Runtime and runs frames; compiled counts the loops that were
// compiled in those.
func startAhead(t *testing.T, r *Runtime, frames int) (compiled int) {
	t.Helper()
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, p := range r.runners() {
		compile := p.Machine
		p.Machine = func(p *ir.Program, q *ecs.Query) kernel.Kernel {
			compiled++
			return compile(p, q)
		}
	}
	for range frames {
		if err := r.Frame(context.Background(), 0.25); err != nil {
			t.Fatal(err)
		}
	}
	return compiled
}

func TestFirstFrameCompilesNothing(t *testing.T) {
	r := aheadRuntime(t, nil, "", fmt.Sprintf(aheadScript, 1))
	if n := startAhead(t, r, 2); n != 0 {
		t.Errorf("%d loops were compiled in a frame", n)
	}
	if n := r.runner("s0.lua").MachineKernels(); n != 3 {
		t.Errorf("%d loops are machine code", n)
	}
}

func TestFirstFrameOfAnotherKind(t *testing.T) {
	r := aheadRuntime(t, nil, "", `local fast = 1
return function(world, dt)
  fast = fast == 1
  for e, pos in world:each("Position") do if fast then pos.x = pos.x + dt end end
end`)
	if n := startAhead(t, r, 1); n != 1 {
		t.Errorf("%d loops were compiled in the frame", n)
	}
	if n := r.runner("s0.lua").MachineKernels(); n != 1 {
		t.Errorf("%d loops are machine code", n)
	}
	for _, table := range r.World().Tables() {
		if id, _ := r.World().LookupComponent("Position"); table.Len() > 0 && table.Has(id) {
			if x := table.Column(id).Row(0).Get(0).Float(); x != 0.25 {
				t.Errorf("x is %v", x)
			}
		}
	}
}

func TestLoopsThatDoNotRunAreForgotten(t *testing.T) {
	source := `return function(world, dt)
  for e, pos in world:each("Position") do pos.x = pos.x + dt end
end`
	for _, c := range []struct{ from, compiled int }{{aheadFrames - 2, 0}, {aheadFrames + 2, 1}} {
		r := aheadRuntime(t, nil, fmt.Sprint("frame > ", c.from), source)
		if n := startAhead(t, r, c.from+2); n != c.compiled || r.runner("s0.lua").MachineKernels() != 1 {
			t.Errorf("first run in frame %d: %d loops were compiled in a frame", c.from+1, n)
		}
	}
}

// What is compiled on several cores does the same.
func TestCompileAheadOnSeveralCores(t *testing.T) {
	var scripts []string
	for i := range 12 {
		scripts = append(scripts, fmt.Sprintf(aheadScript, i))
	}
	pool := ecs.NewPool(4)
	defer pool.Close()
	digest := func(pool ecs.Pool) ecs.Digest {
		r := aheadRuntime(t, pool, "", scripts...)
		if n := startAhead(t, r, 3); n != 0 {
			t.Errorf("%d loops were compiled in a frame", n)
		}
		return r.World().Digest()
	}
	if want, got := digest(nil), digest(pool); got != want {
		t.Errorf("digest %x, want %x", got, want)
	}
}
