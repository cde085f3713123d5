package luatest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// run runs one file. Other files of the same folder can be required.
func run(t *testing.T, source string, o Options, others ...string) *Report {
	t.Helper()
	fsys := fstest.MapFS{"a_test.lua": {Data: []byte(source)}}
	for i := 0; i < len(others); i += 2 {
		fsys[others[i]] = &fstest.MapFile{Data: []byte(others[i+1])}
	}
	if o.Worlds == nil {
		o.Worlds = worlds
	}
	return Run(context.Background(), []File{{Name: "a_test.lua", FS: fsys, Path: "a_test.lua"}}, o)
}

// worlds makes worlds with a Health, a Died, a score and four systems; the config
// that the test names chooses the script of "act".
func worlds(spec WorldSpec) (*World, error) {
	o := ecs.Options{Seed: DefaultSeed}
	if spec.Seed != nil {
		o.Seed = *spec.Seed
	}
	w := ecs.NewWorld(o)
	health := must(ecs.NewSchema(ecs.Field{Name: "current", Type: ecs.F64, Default: ecs.Number(100)}))
	died := must(ecs.NewSchema(ecs.Field{Name: "who", Type: ecs.EntityField}, ecs.Field{Name: "cause", Type: ecs.String}))
	must(w.DeclareComponent("Health", health))
	must(w.DeclareEvent("Died", died))
	must(w.DeclareResource("score", ecs.F64, ecs.Value{}))
	rt, err := luabind.New(luabind.Options{
		World: w, Scripts: scripts, Stdout: spec.Stdout, Log: spec.Log, Watchdog: spec.Watchdog,
		Natives: map[string]ecs.NativeFunc{"panics": func(*ecs.World) (ecs.SystemFunc, error) {
			return func(*ecs.World, float64) error { panic("row 4 is nobody's") }, nil
		}},
	})
	if err != nil {
		return nil, err
	}
	if err := spec.Declare(w); err != nil {
		return nil, err
	}
	switch spec.Config {
	case "":
	case "missing":
		return nil, errors.New("no such config")
	case "native":
		err = rt.Add(luabind.System{Name: "act", Native: "panics"})
	default:
		err = rt.Add(luabind.System{Name: "act", Script: spec.Config + ".lua"})
	}
	return &World{Runtime: rt, DT: 0.25}, err
}

var scripts = fstest.MapFS{
	"drain.lua": {Data: []byte(`return function(world, dt)
  for e, h in world:each("Health") do
    h.current = h.current - 4 * dt
    if h.current <= 0 then
      world:send("Died", { who = e, cause = "age" })
      world.commands:despawn(e)
    end
  end
end`)},
	"broken.lua": {Data: []byte(`return function(world)
  local h
  print("about to fail")
  return h.current
end`)},
	"endless.lua": {Data: []byte("return function()\n  while true do end\nend")},
	"syntax.lua":  {Data: []byte("return function(\n")},
	"stops.lua":   {Data: []byte(`return function(world) if world.frame == 3 then world:stop("enough") end end`)},
	"starts.lua":  {Data: []byte(`return { init = function(world) world.resources.score = 7 end }`)},
	"drains.lua":  {Data: []byte(`return function(world) for _ in world:drain("Died") do world.resources.score = world.resources.score + 1 end end`)},
	"remembers.lua": {Data: []byte(`local state = { turns = 0, list = { 1 }, none = true }
local list = state.list
return { state = state, update = function(world)
  state.turns, state.none = state.turns + 1, nil
  list[#list + 1] = math.random(100)
  state.late = state.turns
  if state.turns % 2 == 0 then world:send("Died", { cause = "turn" .. state.turns }) end
  local sum = 0
  for i = 1, #list do sum = sum + list[i] end
  world.resources.score = sum * 100 + state.turns + #list
end }`)},
	"clings.lua": {Data: []byte(`return { state = { f = print }, update = function() end }`)},
	"draws.lua":  {Data: []byte(`return function(world) world.resources.score = math.random() end`)},
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// outcome is a line per result: "ok NAME", "pending NAME: REASON", "FAIL NAME: ERRORS".
func outcome(r *Report) string {
	var b strings.Builder
	for _, one := range r.Results {
		switch one.Status {
		case Passed:
			fmt.Fprintf(&b, "ok %s\n", one.FullName())
		case Pending:
			fmt.Fprintf(&b, "pending %s: %s\n", one.FullName(), one.Reason)
		case Failed:
			var all []string
			for _, f := range one.Failures {
				all = append(all, f.Error())
			}
			fmt.Fprintf(&b, "FAIL %s: %s\n", one.FullName(), strings.Join(all, " | "))
		}
	}
	return b.String()
}

func want(t *testing.T, got, expected string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(expected) {
		t.Errorf("got:\n%s\nwant:\n%s", got, expected)
	}
}

// onlyFailure wants one result with one failure, and returns it.
func onlyFailure(t *testing.T, r *Report) Failure {
	t.Helper()
	if len(r.Results) != 1 || len(r.Results[0].Failures) != 1 {
		t.Fatalf("want one result with one failure, got:\n%s", outcome(r))
	}
	return r.Results[0].Failures[0]
}
