package luabind

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Loops over certain numbers of entities: none, one, and those around the sizes of blocks and batches.

// sizedWorlds are the numbers of entities.
var sizedWorlds = []int{0, 1, 2, 63, 64, 65, 129, 700}

// sizedStart spawns n entities. Every third one has no S, so they are in two tables. Whole numbers keep sums exact.
const sizedStart = `local ecs = require("ecs")
return function(world)
  local n, last = %d, nil
  for i = 1, n do
    local parts = { P = { x = i, y = n - i }, Q = { v = i %% 7, kind = ({ "cat", "dog", "owl" })[i %% 3 + 1], o = last } }
    if i %% 3 > 0 then parts.S = { v = i } end
    last = world:spawn(parts)
  end
end`

// sizedRun runs the system "a" with other files in a world of n entities, for four frames. It returns what can be seen.
func sizedRun(t testing.TB, n int, impl Impl, sources map[string]string) (seen string, r *Runtime) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: uint64(n), Memory: restlessMemory(), MaxEntities: 5000})
	declare := func(name string, fields ...ecs.Field) {
		s, err := ecs.NewSchema(fields...)
		if err == nil {
			_, err = w.DeclareComponent(name, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	declare("P", ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64})
	declare("Q", ecs.Field{Name: "v", Type: ecs.F64}, ecs.Field{Name: "kind", Type: ecs.String}, ecs.Field{Name: "o", Type: ecs.EntityField})
	declare("S", ecs.Field{Name: "v", Type: ecs.I32})
	hit, err := ecs.NewSchema(ecs.Field{Name: "from", Type: ecs.EntityField}, ecs.Field{Name: "to", Type: ecs.EntityField}, ecs.Field{Name: "n", Type: ecs.F64})
	if err == nil {
		_, err = w.DeclareEvent("Hit", hit)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	scripts := map[string]string{"start": fmt.Sprintf(sizedStart, n)}
	for name, text := range sources {
		scripts[name] = text
	}
	r, err = New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(scripts),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	for _, s := range []System{{Name: "start", Script: "start.lua", Impl: Lua, Stage: ecs.Startup}, {Name: "a", Script: "a.lua", Impl: impl}} {
		if err == nil {
			err = r.Add(s)
		}
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			fmt.Fprintln(&out, err)
		}
		fmt.Fprintln(&out, w.Digest())
	}
	return out.String(), r
}

// sameInSizes compares a system in all implementations, in worlds of all sizes. Each row of the loop at a line is to run in a kernel, if there are entities;
// 0 is no line.
func sameInSizes(t *testing.T, sources map[string]string, line int) {
	t.Helper()
	for _, n := range sizedWorlds {
		if n != 2 && n != 65 && !effort.More() {
			continue
		}
		want, _ := sizedRun(t, n, Lua, sources)
		for _, impl := range []Impl{Closures, Auto} {
			got, r := sizedRun(t, n, impl, sources)
			if got != want {
				t.Errorf("%v, %d entities: got\n%s\ninterpreted\n%s\n%s", impl, n, got, want, sources["a"])
				return
			}
			for _, f := range r.Fallbacks() {
				if f.Line == line && n > 0 {
					t.Errorf("%v, %d entities: fell back: %s\n%s", impl, n, f.Reason, sources["a"])
					return
				}
			}
		}
	}
}
