package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Each hostile script runs beside a benign system, which must compute in every frame what it computes alone. The script ends as its class says,
// within the counted limits; the world stays whole.
func TestHostileScripts(t *testing.T) {
	names, sources, wants := hostileScripts()
	if len(names) < 200 {
		t.Errorf("there are %d scripts, too few", len(names))
	}
	alone, err, failed := besideHostile(t, "return function() end")
	if err != nil || failed != nil || len(alone) != hostileFrames {
		t.Fatalf("the benign system by itself: %v, %v", err, failed)
	}
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			got, err, failed := besideHostile(t, sources[i])
			if err != nil { // the file does not load, so nothing runs
				if !errors.Is(err, ErrLoad) {
					t.Fatalf("it has ended the run: %v", err)
				}
				failed = err
			} else if strings.Join(got, " ") != strings.Join(alone, " ") {
				t.Errorf("the benign system computes %v, and alone %v", got, alone)
			}
			switch {
			case errors.Is(failed, ErrBug):
				t.Errorf("a bug: %v", failed)
			case wants[i] == "" && failed != nil:
				t.Errorf("it fails: %v", failed)
			case wants[i] != "" && failed == nil:
				t.Errorf("it does not fail, want %q", wants[i])
			case failed != nil:
				text, found := failed.Error(), false
				for _, want := range strings.Split(wants[i], "|") {
					found = found || strings.Contains(text, want)
				}
				if !found || len(text) > 2000 {
					t.Errorf("got an error of %d bytes: %.300s; want %q", len(text), text, wants[i])
				}
			}
		})
	}
}

// hostileFrames is how many frames each script runs.
const hostileFrames = 3

// besideHostile runs a file beside the benign system. It returns what that has computed in each frame, the error that
// has ended the run, and the first that has not.
func besideHostile(t *testing.T, file string) (computed []string, err, failed error) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, MaxEntities: 20_000, MaxEvents: 20_000, MaxTags: 20_000, MaxBytes: 32 << 20})
	declareForTests(t, w)
	rt, err := New(Options{
		World: w, Limits: Limits{OnError: Disable, Instructions: 300_000, Allocations: 4 << 20},
		Report: func(e *ScriptError) {
			if failed == nil {
				failed = e
			}
			if e.System == "benign" {
				t.Errorf("the benign system fails: %v", e)
			}
		},
		Scripts: files(map[string]string{
			"hostile": file,
			"shared":  `return { add = function(a, b) return a + b end }`,
			"benign": `local shared = require("shared")
return { init = function(world) world:spawn_many(20, { Velocity = {} }) end, update = function(world, dt)
  local text = {}
  for e, v in world:each("Velocity") do
    v.dx = shared.add(v.dx, math.random(100))
    v.dy = math.floor(math.sin(v.dx) * 1000)
  end
  for e, v in world:each("Velocity") do table.insert(text, string.format("%d:%d", v.dx, v.dy)) end
  table.sort(text, function(a, b) return a < b end)
  local n = 0
  for k, x in pairs({ a = 1, b = 2 }) do n = n + x end
  world.resources.title = table.concat(text, ","):gsub("1", "one") .. n .. tostring(pcall(error)) .. ("x"):rep(3)
end }`,
		}),
	})
	if err == nil {
		err = errors.Join(rt.Add(System{Name: "hostile", Script: "hostile.lua"}), rt.Add(System{Name: "benign", Script: "benign.lua"}))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err = rt.Load(); err != nil {
		return nil, err, failed
	}
	if err = rt.Start(context.Background()); err != nil {
		return nil, err, failed
	}
	id, _ := w.LookupResource("title")
	for range hostileFrames {
		if err = rt.Frame(context.Background(), 0.5); err != nil {
			return computed, err, failed
		}
		computed = append(computed, fmt.Sprint(w.Resource(id).Get(0)))
	}
	if err := w.Check(); err != nil || w.Locked() {
		t.Errorf("the world is broken or locked: %v", err)
	}
	return computed, nil, failed
}
