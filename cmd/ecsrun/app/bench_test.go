package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

func TestBenchLength(t *testing.T) {
	for _, c := range []struct{ told, configured, warmUp, frames uint64 }{
		{0, 0, 10, 60},
		{0, 600, 10, 60},
		{0, 70, 10, 60},
		{0, 69, 9, 60},
		{0, 4, 0, 4},
		{0, 1, 0, 1},
		{1, 600, 1, 1},
		{30, 4, 5, 30},
		{6000, 4, 10, 6000},
	} {
		if w, f := benchLength(c.told, c.configured); w != c.warmUp || f != c.frames {
			t.Errorf("%d told, %d configured: %d and %d, want %d and %d", c.told, c.configured, w, f, c.warmUp, c.frames)
		}
	}
}

func TestBenchReport(t *testing.T) {
	ms := func(n ...int) (out []turn) {
		for _, n := range n {
			out = append(out, turn{time: time.Duration(n) * time.Millisecond, allocs: uint64(n)})
		}
		return out
	}
	b := &bench{
		path: "world.yaml", warmUp: 1, repeat: 3, systems: []int{0, 1, 2},
		config: &config.Config{Systems: []config.System{{Name: "move"}, {Name: "count"}, {Name: "never"}}},
		match:  map[string]*matched{"move": {sum: 4000, turns: 2, ok: true}, "count": {sum: 7, turns: 2}},
	}
	b.passes = []*benchPass{
		{impl: "lua", turns: map[string][]turn{"move": ms(10, 30), "count": ms(1)}, frames: 2},
		{impl: "native", turns: map[string][]turn{"move": ms(1, 3)}, frames: 2},
	}
	want := `
bench world.yaml: 2 frames after 1 of warm-up, 3 repetitions; a turn counts as its quickest, with its commands
entities: what the query loops of its script match, mean of its turns; ratio: to the quickest

system  impl    turns  entities  µs/turn  ns/entity  allocs/turn  ratio
move    lua         2     2,000  20000.0    10000.0         20.0  10.00
move    native      2     2,000   2000.0     1000.0          2.0   1.00
count   lua         1         -   1000.0          -          1.0      -

no turns in these frames: never
`
	var got strings.Builder
	b.report().write(&got)
	if "\n"+got.String() != want {
		t.Errorf("got\n%s\nwant%s", got.String(), want)
	}
}

// benchFolder makes a folder with a config and goes there.
func benchFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		check(t, os.MkdirAll(filepath.Dir(name), 0o700))
		check(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

const benchWorld = `version: 1
run: { frames: 20, dt: 0.5 }
components: [{ name: Position, fields: [x f64] }, { name: Velocity, fields: [dx f64] }]
systems:
  - { name: begin, stage: startup, script: begin.lua }
  - { name: move, script: move.lua }
`

var benchScripts = map[string]string{
	"world.yaml": benchWorld,
	"begin.lua":  "return function(world) for i = 1, 50 do world:spawn{ Position = {}, Velocity = { dx = i } } end end",
	"move.lua": `return function(world, dt)
  local keep = {}
  for i = 1, 100 do keep[i] = { i } end
  for e, pos, vel in world:each("Position", "Velocity") do pos.x = pos.x + vel.dx * dt end
end`,
}

func TestBenchMeasures(t *testing.T) {
	benchFolder(t, benchScripts)
	var out, stderr strings.Builder
	if code := Main([]string{"bench", "world.yaml", "--json", "--frames", "12", "--repeat", "2"}, strings.NewReader(""), &out, &stderr); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var r benchReport
	check(t, json.Unmarshal([]byte(out.String()), &r))
	if r.Config != "world.yaml" || r.WarmUp != 2 || r.Frames != 12 || r.Repeat != 2 || r.CPUs < 1 || r.Version == "" || len(r.Systems) != 1 {
		t.Fatalf("%+v", r)
	}
	s := r.Systems[0]
	if s.System != "move" || s.Turns != 12 || s.Entities == nil || *s.Entities != 50 || len(s.Impls) != 3 {
		t.Fatalf("%+v", s)
	}
	best := false
	for i, impl := range []string{"lua", "closures", "auto"} {
		one := s.Impls[i]
		if one.Impl != impl || one.PerTurn <= 0 || *one.PerEntity != one.PerTurn/50 || *one.Ratio < 1 {
			t.Errorf("%+v", one)
		}
		if one.Allocs < 100 || one.Allocs > 10_000 || one.Bytes < 100 {
			t.Errorf("a hundred tables a turn: %+v", one)
		}
		best = best || *one.Ratio == 1
	}
	if !best {
		t.Errorf("no ratio is 1: %+v", s)
	}
}

// A turn that is quicker when it is repeated counts as that.
func TestBenchKeepsTheQuickest(t *testing.T) {
	p := &benchPass{bench: &bench{}, systems: []string{"move"}, turns: map[string][]turn{"move": {{time: time.Nanosecond}, {time: time.Hour, allocs: 7}}}}
	r := benchRun(t)
	taken := p.take(r, false)
	taken.begin()
	check(t, r.runtime.Start(t.Context()))
	for range 3 {
		check(t, r.runtime.Frame(t.Context(), 1))
	}
	turns := p.turns["move"]
	if len(turns) != 3 || turns[0].time != time.Nanosecond || turns[1].time <= 0 || turns[1].time == time.Hour || turns[1].allocs != 7 || turns[2].time <= 0 {
		t.Errorf("%+v", turns)
	}
}

// benchRun loads the world of benchScripts.
func benchRun(t *testing.T) *run {
	t.Helper()
	benchFolder(t, benchScripts)
	b := benchOf(t)
	dog := newWatchdog(time.Hour, plenty)
	rt, problems := b.assemble(b.config, luabind.Options{}, dog)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	check(t, rt.Load())
	return &run{program: b.program, runtime: rt, meter: measure(rt.Schedule())}
}

func benchOf(t *testing.T) *bench {
	t.Helper()
	c, err := config.Load("world.yaml", config.Overrides{})
	check(t, err)
	var out strings.Builder
	return &bench{program: &program{console: newConsole(&out, &out)}, config: c, systems: []int{1}, frames: 5, repeat: 1, match: map[string]*matched{}}
}

func TestBenchIsInterrupted(t *testing.T) {
	benchFolder(t, benchScripts)
	b := benchOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.passes = []*benchPass{b.newPass("lua")}
	err := b.measure(&interruption{ctx, t.Context()})
	if e := (*exit)(nil); !errors.As(err, &e) || e.code != exitInterrupted {
		t.Errorf("%v", err)
	}
}
