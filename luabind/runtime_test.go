package luabind

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// files makes a script folder; names get ".lua".
func files(sources map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, source := range sources {
		out[name+".lua"] = &fstest.MapFile{Data: []byte(source)}
	}
	return out
}

// run loads the systems, starts, and runs frames; the error is the first that
// ended something.
func run(t *testing.T, o Options, frames int, systems ...System) (*Runtime, error) {
	t.Helper()
	if o.World == nil {
		o.World = ecs.NewWorld(ecs.Options{Seed: 1})
		declareForTests(t, o.World)
	}
	if o.Log == nil {
		o.Log = strictLog(t)
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		if s.Script == "" && s.Native == "" {
			s.Script = s.Name + ".lua"
		}
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		return r, err
	}
	if err := r.Start(context.Background()); err != nil {
		return r, err
	}
	for range frames {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			return r, err
		}
	}
	return r, nil
}

func TestSystemsAreApart(t *testing.T) {
	var out bytes.Buffer
	shared := `local n = 0
print = false
math.floor = function() return "mine" end
string.upper = nil
return function(world) n = n + 1; world.resources.score = world.resources.score * 10 + n end`
	_, err := run(t, Options{Stdout: &out, Scripts: files(map[string]string{
		"shared": shared,
	}), Mods: []Mod{{Name: "other", Scripts: files(map[string]string{
		"c": `return function(world) print(math.floor(1.5), string.upper("x"), ("x"):upper(), world.resources.score) end`,
	})}}}, 1, System{Name: "a", Script: "shared.lua"}, System{Name: "b", Script: "shared.lua"}, System{Name: "c", Script: "other/c.lua"})
	if err != nil || out.String() != "1\tX\tX\t11\n" {
		t.Errorf("got %q, error %v", out.String(), err)
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	_, err := run(t, Options{Log: log, Scripts: files(map[string]string{"a": `local ecs = require("ecs")
ecs.log.warn("loading")
return function(world)
  ecs.log.info("wave", { n = 3, share = 0.5, name = "goblins", boss = true, list = { 1, 2 } })
  ecs.log.debug("x") ecs.log.error(5)
end`})}, 1, System{Name: "a"})
	want := `level=WARN msg=loading script=a.lua:2 system=a
level=INFO msg=wave n=3 share=0.5 name=goblins boss=true list="{1, 2}" script=a.lua:4 system=a frame=1
level=DEBUG msg=x script=a.lua:5 system=a frame=1
level=ERROR msg=5 script=a.lua:5 system=a frame=1
`
	if err != nil || out.String() != want {
		t.Errorf("error %v, got\n%swant\n%s", err, out.String(), want)
	}
}

// A field that a script calls system, script, frame, time, level or msg must not stand for the real one, to whoever parses the log.
func TestLogKeepsItsOwnNames(t *testing.T) {
	var out bytes.Buffer
	_, err := run(t, Options{Log: slog.New(slog.NewJSONHandler(&out, nil)), Scripts: files(map[string]string{"a": `local ecs = require("ecs")
return function()
  ecs.log.info("wave", { system = "theirs", script = "b.lua:1", frame = 9, time = 1, level = "x", msg = "y", systems = 2 })
end`})}, 1, System{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal(out.Bytes(), &record); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"level": "INFO", "msg": "wave", "script": "a.lua:3", "system": "a", "frame": 1.0, "systems": 2.0,
		"field.system": "theirs", "field.script": "b.lua:1", "field.frame": 9.0, "field.time": 1.0, "field.level": "x", "field.msg": "y",
	} {
		if record[key] != want {
			t.Errorf("%s is %v, want %v: %s", key, record[key], want, out.String())
		}
		if n := strings.Count(out.String(), fmt.Sprintf("%q:", key)); n != 1 {
			t.Errorf("%q stands %d times: %s", key, n, out.String())
		}
	}
}

var errHost = errors.New("the host says no")

func TestModules(t *testing.T) {
	var got []ecs.Value
	modules := map[string]map[string]Function{"host": {
		"echo": func(args []ecs.Value) ([]ecs.Value, error) { got = args; return args, nil },
		"fail": func([]ecs.Value) ([]ecs.Value, error) { return nil, errHost },
		"bug":  func([]ecs.Value) ([]ecs.Value, error) { var p *int; *p = 1; return nil, nil },
	}}
	try := func(source string) error {
		_, err := run(t, Options{Modules: modules, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{
			"a": `local host = require("host"); return { init = function(world) ` + source + ` end }`,
		})}, 0, System{Name: "a"})
		return err
	}
	if err := try(`local n, s, b, nothing, t = host.echo(1.5, "x", true, nil, { 1, { k = "v" } })
assert(n == 1.5 and s == "x" and b == true and nothing == nil and t[1] == 1 and t[2].k == "v")`); err != nil || len(got) != 5 || got[4].Data().Len() != 2 {
		t.Errorf("error %v, got %v", err, got)
	}
	if err := try(`host.fail()`); !errors.Is(err, errHost) || !strings.HasSuffix(err.Error(), "host.fail: the host says no") {
		t.Errorf("got %v", err)
	}
	if err := try(`local ok, e = pcall(host.fail); error(e, 0)`); err == nil || !strings.Contains(err.Error(), "the host says no") {
		t.Errorf("got %v", err)
	}
	if err := try(`pcall(host.bug)`); !errors.Is(err, ErrBug) {
		t.Errorf("got %v", err)
	}
	if err := try(`host.ehco()`); err == nil || !strings.Contains(err.Error(), `host has no function "ehco"; did you mean "echo"?`) {
		t.Errorf("got %v", err)
	}
	if err := try(`host.echo(world)`); err == nil || !strings.Contains(err.Error(), "bad argument #1 to 'host.echo' (a world is not plain data") {
		t.Errorf("got %v", err)
	}
}

// Components and resources of Go types are used like any other.
func TestGoTypes(t *testing.T) {
	type stats struct {
		Kills int64
		Best  ecs.Entity
		Name  string
	}
	type body struct {
		Mass  int
		Alive bool
		Tag   uint8
	}
	w := ecs.NewWorld(ecs.Options{})
	declareForTests(t, w)
	bodies := ecs.MustRegister[body](w, "Body")
	res, err := ecs.RegisterResource[stats](w, "stats")
	if err != nil {
		t.Fatal(err)
	}
	_, err = run(t, Options{World: w, Scripts: files(map[string]string{"a": `local ecs = require("ecs")
return function(world)
  local e = world:spawn{ Body = { mass = 3, alive = true } }
  local b = world:get(e, "Body")
  b.mass = b.mass + 2^40
  assert(b.alive and b.tag == 0 and b.mass == 2^40 + 3)
  assert(not pcall(function() b.mass = 0.5 end))
  local s = world.resources.stats
  s.kills = s.kills + 1
  s.best, s.name = e, "x"
  assert(s.best == e and tostring(s) == 'stats {kills = 1, best = 0v1, name = "x"}', tostring(s))
  local ok, err = pcall(function() s.kils = 1 end)
  assert(not ok and string.find(err, 'stats has no field "kils"; did you mean "kills"?', 1, true), err)
  ok, err = pcall(function() world.resources.stats = 5 end)
  assert(not ok and string.find(err, "assign to world.resources.stats.NAME", 1, true), err)
end`})}, 1, System{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Kills != 1 || res.Name != "x" || bodies.Get(res.Best).Mass != 1<<40+3 {
		t.Errorf("%+v, %+v", res, bodies.Get(res.Best))
	}
}

func TestAddRefuses(t *testing.T) {
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{
		{}, {Name: "a"}, {Name: "a", Script: "a.lua", Impl: Native}, {Name: "a", Native: "n", Impl: Lua}, {Name: "a", Script: "a.lua", Every: -1}, {Script: "a.lua"},
	} {
		if err := r.Add(s); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
	if _, err := New(Options{Log: strictLog(t)}); err == nil {
		t.Error("New without a world")
	}
	if err := r.Start(context.Background()); err == nil {
		t.Error("Start before Load")
	}
}

func TestTwoRuntimes(t *testing.T) {
	scripts := files(map[string]string{
		"a":       `local c = require("counter"); return function(world) c.n = c.n + 1; world:spawn{ Position = { x = c.n } } end`,
		"counter": `return { n = 0 }`,
	})
	var digests []ecs.Digest
	for range 2 {
		r, err := run(t, Options{Scripts: scripts}, 3, System{Name: "a"})
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, r.World().Digest())
	}
	if digests[0] != digests[1] {
		t.Error("two worlds of the same scripts and seed differ")
	}
}

func TestScheduleNames(t *testing.T) {
	r, err := run(t, Options{Scripts: files(map[string]string{"a": "return function() end"})}, 0,
		System{Name: "x", Script: "a.lua", After: []string{"y"}}, System{Name: "y", Script: "a.lua"})
	if err != nil || !slices.Equal(r.Schedule().Names(), []string{"y", "x"}) {
		t.Errorf("%v %v", r.Schedule().Names(), err)
	}
	_, err = run(t, Options{Scripts: files(map[string]string{"a": "return function() end"})}, 0,
		System{Name: "x", Script: "a.lua", After: []string{"z"}})
	if !errors.Is(err, ErrLoad) {
		t.Errorf("got %v", err)
	}
}
