package luatest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// suites are three files of tests that pass.
func suites() []File {
	fsys := fstest.MapFS{}
	var files []File
	for _, name := range []string{"a_test.lua", "b_test.lua", "c_test.lua"} {
		var b strings.Builder
		for g := range 3 {
			fmt.Fprintf(&b, "describe('group %d', function()\n", g)
			for i := range 4 {
				fmt.Fprintf(&b, "it('%s %d.%d', function() print(math.random(1000000)) end)\n", name[:1], g, i)
			}
			b.WriteString("end)\n")
		}
		fsys[name] = &fstest.MapFile{Data: []byte(b.String())}
		files = append(files, File{name, fsys, name})
	}
	return files
}

func names(r *Report) (out []string) {
	for _, one := range r.Results {
		out = append(out, one.Name)
	}
	return out
}

func TestShuffle(t *testing.T) {
	order := func(seed uint64) []string {
		return names(Run(context.Background(), suites(), Options{Shuffle: true, Seed: &seed}))
	}
	plain := names(Run(context.Background(), suites(), Options{}))
	one, again, two := order(1), order(1), order(2)
	if !slices.Equal(one, again) {
		t.Errorf("seed 1 gave two orders:\n%q\n%q", one, again)
	}
	if slices.Equal(one, two) || slices.Equal(one, plain) {
		t.Errorf("not shuffled: %q", one)
	}
	sorted := slices.Sorted(slices.Values(one))
	if expected := slices.Sorted(slices.Values(plain)); !slices.Equal(sorted, expected) {
		t.Errorf("other tests: %q, want %q", sorted, expected)
	}
	for i := 0; i < len(one); i += 4 { // a describe stays together
		for _, name := range one[i : i+4] {
			if name[:3] != one[i][:3] {
				t.Errorf("groups are mixed: %q", one[i:i+4])
			}
		}
	}
}

func TestRandomNumbersDependOnTheSeedAndTheTestAlone(t *testing.T) {
	drawn := func(o Options) map[string]string {
		out := map[string]string{}
		for _, one := range Run(context.Background(), suites(), o).Results {
			out[one.Name] = one.Output
		}
		return out
	}
	other := uint64(7)
	all, shuffled, seeded := drawn(Options{}), drawn(Options{Shuffle: true}), drawn(Options{Seed: &other})
	some := drawn(Options{Match: func(name string) bool { return strings.HasSuffix(name, ".2") }})
	if len(some) != 9 {
		t.Fatalf("%d chosen", len(some))
	}
	seen := map[string]bool{}
	for name, number := range all {
		if shuffled[name] != number {
			t.Errorf("%s drew %s, shuffled %s", name, number, shuffled[name])
		}
		if s, ok := some[name]; ok && s != number {
			t.Errorf("%s drew %s, chosen %s", name, number, s)
		}
		if seeded[name] == number {
			t.Errorf("%s drew %s with both seeds", name, number)
		}
		if seen[number] {
			t.Errorf("two tests drew %s", number)
		}
		seen[number] = true
	}
}

func TestSeedOfWorlds(t *testing.T) {
	source := head + `
it("draws", function()
  local one, same, other = t.world{ config = "draws" }, t.world{ config = "draws" }, t.world{ config = "draws", seed = 3 }
  one:step() same:step() other:step()
  assert.equal(one.resources.score, same.resources.score)
  assert.not_equal(one.resources.score, other.resources.score)
  print(one.resources.score, other.resources.score)
end)`
	seed := uint64(7)
	first, second := run(t, source, Options{}), run(t, source, Options{Seed: &seed})
	want(t, outcome(first)+outcome(second), "ok draws\nok draws")
	a, b := strings.Fields(first.Results[0].Output), strings.Fields(second.Results[0].Output)
	if a[0] == b[0] || a[1] != b[1] {
		t.Errorf("%q, then with another seed %q: only the first is to change", a, b)
	}
}

func TestEndlessTest(t *testing.T) {
	r := run(t, head+`
it("loops", function()
  while true do pcall(function() while true do end end) end
end)
describe("cleans up", function()
  after_each(function() print("cleaned") end)
  it("loops", function() assert.error(function() while true do end end) end)
end)
it("passes", function() end)`, Options{Instructions: 10_000})
	want(t, outcome(r), `
FAIL loops: a_test.lua:3: more than 10,000 instructions (limits.instructions); is there an endless loop?
FAIL cleans up loops: a_test.lua:7: more than 10,000 instructions (limits.instructions); is there an endless loop?
ok passes`)
	want(t, r.Results[1].Output, "cleaned")
}

// dog bites when it is told to.
type dog struct{ interrupt func(error) }

func (d *dog) Begin(interrupt func(error)) { d.interrupt = interrupt }
func (d *dog) End()                        { d.interrupt = nil }
func (d *dog) bite()                       { d.interrupt(errors.New("too late")) }

// biting is the watchdog of a world that makes the dog bite when its second call
// begins: the first loads a file, the second is a turn.
type biting struct {
	luabind.Watchdog
	dog   *dog
	calls int
}

func (b *biting) Begin(interrupt func(error)) {
	b.Watchdog.Begin(interrupt)
	if b.calls++; b.calls == 2 {
		b.dog.bite()
	}
}

func TestWatchdogNamesTheInnermostScript(t *testing.T) {
	d := &dog{}
	made := func(s WorldSpec) (*World, error) {
		s.Watchdog = &biting{Watchdog: s.Watchdog, dog: d}
		return worlds(s)
	}
	r := run(t, head+`
it("steps", function()
  pcall(function() t.world{ config = "endless" }:step() end)
  error("it went on")
end)
describe("cleans up", function()
  after_each(function() print("cleaned") end)
  it("bites at once", function()
    local world = t.world{ config = "drain" }
    pcall(world.step, world)
    world:step()
  end)
end)
it("passes", function() t.world{}:step() end)`, Options{Watchdog: d, Worlds: made})
	want(t, outcome(r), `
FAIL steps: endless.lua:2: system "act", frame 1: too late
FAIL cleans up bites at once: drain.lua:2: system "act", frame 1: too late
ok passes`)
	want(t, r.Results[1].Output, "cleaned")
	if f := r.Results[0].Failures[0]; f.Line != 3 {
		t.Errorf("line %d, want that of the step", f.Line)
	}
}

func TestWatchdogOfATest(t *testing.T) {
	d := &dog{}
	bite := map[string]map[string]luabind.Function{"clock": {"bite": func([]ecs.Value) ([]ecs.Value, error) { d.bite(); return nil, nil }}}
	r := run(t, `
it("takes long", function()
  require("clock").bite()
  while true do end
end)
it("passes", function() end)`, Options{Watchdog: d, Modules: bite})
	want(t, outcome(r), "FAIL takes long: a_test.lua:4: too late\nok passes")
	if d.interrupt != nil {
		t.Error("the last call did not end")
	}
}

func TestOutputIsBounded(t *testing.T) {
	r := run(t, `it("prints", function() local s = ("x"):rep(1000000) for _ = 1, 5 do print(s) end end)
it("prints little", function() print("x") end)`, Options{})
	if n := len(r.Results[0].Output); n < mostOutput || n > mostOutput+100 {
		t.Errorf("%d bytes kept", n)
	}
	want(t, r.Results[1].Output, "x")
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fsys := fstest.MapFS{"a_test.lua": {Data: []byte(`
it("first", function() end)
it("second", function() while true do end end)
it("third", function() end)`)}}
	file := File{"a_test.lua", fsys, "a_test.lua"}
	o := Options{Instructions: 1 << 60, Done: func(r Result) {
		if r.Name == "first" {
			cancel()
		}
	}}
	r := Run(ctx, []File{file, file}, o)
	if !r.Interrupted || len(r.Results) != 1 {
		t.Errorf("interrupted %v\n%s", r.Interrupted, outcome(r))
	}
}

func TestCancelInsideATest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fsys := fstest.MapFS{"a_test.lua": {Data: []byte(`
describe("interrupted", function()
  after_each(function() error("not called any more") end)
  it("loops", function()
    require("host").cancel()
    while true do end
  end)
  it("is left out", function() end)
end)`)}}
	r := Run(ctx, []File{{"a_test.lua", fsys, "a_test.lua"}}, Options{Instructions: 1 << 60, Modules: map[string]map[string]luabind.Function{
		"host": {"cancel": func([]ecs.Value) ([]ecs.Value, error) { cancel(); return nil, nil }},
	}})
	want(t, outcome(r), "FAIL interrupted loops: a_test.lua:6: interrupted")
	if !r.Interrupted {
		t.Error("the report does not say so")
	}
}

func TestLogIsOutput(t *testing.T) {
	r := run(t, head+`it("logs", function() ecs.log.warn("cold", { degrees = -3 }) end)`, Options{})
	want(t, r.Results[0].Output, `level=WARN msg=cold degrees=-3 script=a_test.lua:1`)
}
