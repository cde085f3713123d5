package luabind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Each hostile script runs beside a benign system, under each policy, with an implementation that differs from policy to policy; with TEST_EFFORT=full
// under each policy with each implementation. The script ends as its class says, within the counted limits; the world stays whole, and all that belongs to the benign system is in every frame what it is without the script. If every turn of the script
// has failed, that is the whole world.
func TestHostileScripts(t *testing.T) {
	scripts := hostileScripts()
	if len(scripts) < 200 {
		t.Errorf("there are %d scripts, too few", len(scripts))
	}
	impls := []Impl{Lua, Closures, Auto}
	step := max(1, len(scripts)/effort.Of(3*len(scripts))) // with -short, every second script; with the race detector, every eighth
	for k, policy := range []Policy{Skip, Disable, Stop} {
		for j, impl := range impls {
			alone := besideHostile(t, "return function() end", policy, impl, nil)
			if alone.ended != nil || alone.failed != nil || len(alone.benign) != hostileFrames || alone.benign[0] == alone.benign[1] {
				t.Fatalf("the benign system by itself: %+v", alone)
			}
			for i, s := range scripts {
				if turn := (i + j + k) % len(impls); turn > 0 && !effort.Full() || i%step != k%step {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", policy, impl, s.name), func(t *testing.T) {
					run, alone := besideHostile(t, s.source, policy, impl, nil), alone
					if run.allFailed(policy) && !slices.EqualFunc(run.given, alone.given[:len(run.given)], slices.Equal) {
						alone = besideHostile(t, "return function() end", policy, impl, run.given)
					}
					run.contained(t, alone, policy, s.trespasses)
					run.endsAs(t, s.wants)
				})
			}
		}
	}
}

// hostileFrames is how many frames each script runs.
const hostileFrames = 3

// A hostileRun is what has happened in a run of a hostile script beside the benign system.
type hostileRun struct {
	benign, whole []string   // after each frame: what belongs to the benign system, and the digest of the world
	loaded        bool       // the files were loaded, and the run has started
	ended         error      // what has ended the run
	failed        error      // the first error that has not
	failures      int        // turns of the hostile system that have failed
	given         [][]uint32 // after each of its turns: the handles that the world has given out
}

// allFailed reports whether every turn of the hostile system has failed and was taken back.
func (r *hostileRun) allFailed(policy Policy) bool {
	return policy == Skip && r.failures == hostileFrames || policy == Disable && r.failures > 0
}

// contained compares what belongs to the benign system, and the whole world if every turn of the hostile system has failed. One that trespasses must fail in
// every turn, because what it has done is taken back then; under stop, it stays.
func (r *hostileRun) contained(t *testing.T, alone *hostileRun, policy Policy, trespasses bool) {
	t.Helper()
	frames := hostileFrames
	failed := r.allFailed(policy)
	if trespasses && !failed && (policy != Stop || r.ended == nil || len(r.benign) != 1) {
		t.Fatalf("%d turns have failed, and %v", r.failures, r.ended)
	}
	if trespasses && policy == Stop {
		return
	}
	switch {
	case !r.loaded: // so nothing runs
		if !errors.Is(r.ended, ErrLoad) {
			t.Fatalf("it has ended the run: %v", r.ended)
		}
		return
	case r.ended != nil && policy != Stop:
		t.Fatalf("it has ended the run: %v", r.ended)
	case r.ended != nil: // in the last frame that is compared; the benign system has had its turn
		frames = len(r.benign)
	}
	if len(r.benign) != frames || frames == 0 {
		t.Fatalf("%d frames have run", len(r.benign))
	}
	for i, got := range r.benign {
		if want := alone.benign[i]; got != want {
			t.Errorf("after frame %d there is of the benign system %s, and without the script %s", i+1, got, want)
		}
	}
	if failed {
		for i, got := range r.whole {
			if want := alone.whole[i]; got != want {
				t.Errorf("every turn has failed, and the digest after frame %d is %s; without the script it is %s", i+1, got, want)
			}
		}
	}
}

// endsAs compares the first error with the texts of the script's class.
func (r *hostileRun) endsAs(t *testing.T, wants string) {
	t.Helper()
	failed := r.failed
	if failed == nil {
		failed = r.ended
	}
	switch {
	case errors.Is(failed, ErrBug):
		t.Errorf("a bug: %v", failed)
	case wants == "" && failed != nil:
		t.Errorf("it fails: %v", failed)
	case wants != "" && failed == nil:
		t.Errorf("it does not fail, want %q", wants)
	case failed != nil:
		text, found := failed.Error(), false
		for _, want := range strings.Split(wants, "|") {
			found = found || strings.Contains(text, want)
		}
		if !found || len(text) > 2000 {
			t.Errorf("got an error of %d bytes: %.300s; want %q", len(text), text, wants)
		}
	}
}

// The benign system uses every part of a world: values, strings and tables, entities that come and go, tags, events that it reads a frame later, a
// relation, removals, queued commands, an observer, a resource, random numbers, the libraries, a module that the hostile script may require, and loops that compile.
const benignSource = `local shared = require("shared")
return { init = function(world)
  world:spawn_many(20, { Velocity = {}, Cared = { name = "first" } })
  world:on("tagged", "cared", function(world, e) world.resources.seen = world.resources.seen + 1 end)
end, update = function(world, dt)
  for e, v in world:each("Velocity", "Cared") do
    v.dx = v.dx + v.dy * dt + 1
  end
  local text, last, seen = {}, nil, world.resources.seen
  for e, v, c in world:each("Velocity", "Cared") do
    v.dx = shared.add(v.dx, math.random(100))
    v.dy = math.floor(math.sin(v.dx) * 1000)
    c.name = string.format("%d:%d", v.dx, v.dy)
    c.items = { v.dx, seen = seen, { c.name } }
    if v.dx % 2 < 1 then world.commands:tag(e, "cared") else world.commands:untag(e, "cared") end
    if last then world.commands:relate(e, "ChildOf", last) end
    last = e
    table.insert(text, c.name)
  end
  for ev in world:read("Cared") do table.insert(text, ev.name) end
  for e in world:removed("Cared") do table.insert(text, "removed") end
  world:despawn(last)
  world:send("Cared", { name = "sent" .. world.frame })
  local e = world:spawn{ Velocity = { dx = math.random() }, Cared = { name = "new" }, "cared" }
  world:relate(e, "ChildOf", (world:each("Cared")()))
  table.sort(text, function(a, b) return a < b end)
  local n = 0
  for k, x in pairs({ a = 1, b = 2 }) do n = n + x end
  world.resources.care = table.concat(text, ","):gsub("1", "one") .. n .. tostring(pcall(error)) .. ("x"):rep(3) .. seen
end }`

// besideHostile runs a file beside the benign system: before it, or under the policy stop after it. used are handles that are used up after each of its
// turns, as failed turns use them up.
func besideHostile(t *testing.T, file string, policy Policy, impl Impl, used [][]uint32) *hostileRun {
	t.Helper()
	r := &hostileRun{}
	w := ecs.NewWorld(ecs.Options{Seed: 1, MaxEntities: 20_000, MaxEvents: 20_000, MaxTags: 5_000, MaxBytes: 32 << 20})
	declareForTests(t, w)
	declareCare(t, w)
	rt, err := New(Options{
		World: w, Limits: Limits{OnError: policy, Instructions: 300_000, Allocations: 4 << 20},
		Report: func(e *ScriptError) {
			if r.failed == nil {
				r.failed = e
			}
			if !strings.Contains(file, "world:on(") { // an observer that fails does not fail the turn that calls it
				r.failures++
			}
			if e.System == "benign" {
				t.Errorf("the benign system fails: %v", e)
			}
		},
		Scripts: files(map[string]string{
			"hostile": file,
			"shared":  `return require("care.shared")`,
		}),
		Mods: []Mod{{Name: "care", Exports: []string{"shared"}, Scripts: files(map[string]string{
			"shared": `return { add = function(a, b) return a + b end }`,
			"benign": benignSource,
		})}},
	})
	hostile, benign := System{Name: "hostile", Script: "hostile.lua", Impl: impl}, System{Name: "benign", Script: "care/benign.lua", Impl: impl}
	first, last := hostile, benign
	if policy == Stop {
		first, last = benign, hostile
	}
	if err == nil {
		err = errors.Join(rt.Add(first), rt.Add(last))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rt.Close() }()
	if r.ended = rt.Load(); r.ended == nil {
		r.ended = rt.Start(context.Background())
	}
	r.loaded = r.ended == nil
	rt.Schedule().After = func(sys *ecs.System) {
		if sys.Name() != "hostile" || w.Frame() == 0 {
			return
		}
		if n := len(r.given); n < len(used) {
			ecs.Raw.UseUp(w, used[n])
		}
		r.given = append(r.given, ecs.Raw.GivenOut(w))
	}
	for range hostileFrames {
		if r.ended != nil {
			break
		}
		r.ended = rt.Frame(context.Background(), 0.5)
		r.benign, r.whole = append(r.benign, careOf(w)), append(r.whole, w.Digest().String())
	}
	if err := w.Check(); err != nil || w.Locked() {
		t.Errorf("the world is broken or locked: %v", err)
	}
	return r
}

// declareCare declares what only the benign system uses.
func declareCare(t *testing.T, w *ecs.World) {
	t.Helper()
	fields, err := ecs.NewSchema(ecs.Field{Name: "name", Type: ecs.String}, ecs.Field{Name: "items", Type: ecs.TableField})
	if err == nil {
		_, err = w.DeclareComponent("Cared", fields)
	}
	if err == nil {
		_, err = w.DeclareEvent("Cared", fields)
	}
	if err == nil {
		_, err = w.DeclareTag("cared")
	}
	if err == nil {
		_, err = w.DeclareRelation(ecs.ChildOf)
	}
	if err == nil {
		_, err = w.DeclareResource("care", ecs.String, ecs.Text(""))
	}
	if err == nil {
		_, err = w.DeclareResource("seen", ecs.F64, ecs.Number(0))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// careOf returns the digests of the parts of a world that belong to the benign system.
func careOf(w *ecs.World) string {
	var list []string
	for _, p := range w.PartDigests(nil) {
		switch p.Part {
		case "component Velocity", "component Cared", "component ChildOf", "event Cared", "tag cared", "resource care", "resource seen", "random benign":
			list = append(list, fmt.Sprintf("%s %016x", p.Part, p.Digest))
		}
	}
	return strings.Join(list, ", ")
}
