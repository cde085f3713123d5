package luabind

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// remembering is a system with a state table, which a local variable holds, too.
const remembering = `local state = { turns = 0, seen = { {} }, gone = 1 }
local seen = state.seen
return { state = state, init = function(world) seen[1].name = "first" end, update = function(world)
  state.turns, state.gone = state.turns + 1, nil
  seen[#seen + 1] = { at = world.frame }
  seen[1].last = world.frame
  world:spawn{ "marked" }
  world.resources.sum = world.resources.sum + state.turns * 1000 + #seen * 10 + math.random(10) + (state.gone or 0.5)
end }`

func copyRuntime(t *testing.T, sources map[string]string, systems ...System) *Runtime {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range sources {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w := ecs.NewWorld(ecs.Options{Seed: 3})
	if _, err := w.DeclareResource("sum", ecs.F64, ecs.Number(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.DeclareTag("marked"); err != nil {
		t.Fatal(err)
	}
	rt, err := New(Options{World: w, Scripts: fsys, Limits: Limits{OnError: Disable, Errors: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		if err := rt.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(rt.Load(), rt.Start(context.Background())); err != nil {
		t.Fatal(err)
	}
	return rt
}

func runFrames(t *testing.T, rt *Runtime, n int) ecs.Digest {
	t.Helper()
	for range n {
		if err := rt.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
	}
	return rt.World().Digest()
}

func TestACopyBringsTheStateOfScriptsBack(t *testing.T) {
	rt := copyRuntime(t, map[string]string{
		"a.lua": remembering, "b.lua": "return function(world) if world.frame > 3 then error('worn out') end end",
	}, System{Name: "a", Script: "a.lua"}, System{Name: "b", Script: "b.lua"}, System{Name: "none", Script: "a.lua", Disabled: true})
	runFrames(t, rt, 3)
	kept, err := rt.Copy()
	if err != nil {
		t.Fatal(err)
	}
	first := runFrames(t, rt, 5)
	if b := rt.Schedule().Find("b"); b.Enabled() {
		t.Fatal("b failed three times, and was not disabled")
	}
	for range 2 {
		if err := rt.RestoreCopy(kept); err != nil {
			t.Fatal(err)
		}
		if !rt.Schedule().Find("b").Enabled() {
			t.Error("b is still disabled")
		}
		runFrames(t, rt, 2) // two of the three strikes
		if !rt.Schedule().Find("b").Enabled() {
			t.Error("the strikes were not restored")
		}
		if again := runFrames(t, rt, 3); again != first {
			t.Errorf("digest %x, then %x", first, again)
		}
	}
}

func TestCopyMistakes(t *testing.T) {
	rt := copyRuntime(t, map[string]string{"a.lua": "return { state = { f = print }, update = function() end }"}, System{Name: "a", Script: "a.lua"})
	if _, err := rt.Copy(); err == nil || !strings.Contains(err.Error(), `the state of system "a" cannot be copied: f: a function is not plain data`) {
		t.Error(err)
	}
	one, other := copyRuntime(t, nil), copyRuntime(t, nil)
	kept, err := one.Copy()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.RestoreCopy(kept); err == nil || err.Error() != "the copy is one of another world" {
		t.Error(err)
	}
	if err := one.RestoreCopy(nil); err == nil {
		t.Error("nil was restored")
	}
	if _, err := one.World().DeclareTag("late"); err != nil {
		t.Fatal(err)
	}
	if err := one.RestoreCopy(kept); !errors.Is(err, ecs.ErrMismatch) {
		t.Error(err)
	}
}
