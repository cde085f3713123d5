package luabind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// watchedWorld runs a system for some frames over 5,000 entities and says what came
// of it, with what it reported apart.
func watchedWorld(t *testing.T, source string, impl Impl, memory ecs.Memory, pool ecs.Pool, limit uint64) (seen, reported string, r *Runtime) {
	t.Helper()
	var out, reports strings.Builder
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: memory})
	declareForTests(t, w)
	red, err := w.DeclareTag("red")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	for i := range 5000 {
		e, err := w.Spawn(p, v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Set(e, p, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i % 1500))}); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			w.Tag(e, red)
		}
	}
	r, err = New(Options{
		Log:   strictLog(t),
		World: w, Pool: pool, Limits: Limits{OnError: Skip, Instructions: limit}, Scripts: files(map[string]string{"a": source}),
		Report: func(e *ScriptError) {
			if errors.Is(e, ErrBug) {
				fmt.Fprintln(&reports, e)
			} else {
				fmt.Fprintln(&out, e)
			}
		},
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, 6)
	return out.String(), reports.String(), r
}

// Code that is wrong for some data is found out while it runs, before what it did
// reaches the world: the run ends as closures do. That holds wherever the columns
// lie, however many cores there are, and whatever is walked.
func TestWatchedLoopGoesOnAsClosures(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(2)
	defer pool.Close()
	wrong := func(v float64) float64 {
		if v > 1200 {
			return v + 1
		}
		return v
	}
	type given struct {
		body, what string
		view       int
		memory     bool
		pool       ecs.Pool
	}
	each := "for e, pos, vel in world:each(\"Position\", \"Velocity\") do\n"
	for name, c := range map[string]given{
		"a field":                      {each + "pos.x = pos.x + dt end", "Position.x of entity ", 0, true, nil},
		"on Go's heap":                 {each + "pos.x = pos.x + dt end", "Position.x of entity ", 0, false, nil},
		"on several cores":             {each + "local x = pos.x for i = 1, 20 do x = x + math.sqrt(i) end pos.x = x end", "Position.x of entity ", 0, true, pool},
		"where a tag is":               {"for e, pos in world:each(tagged) do\npos.x = pos.x + dt end", "Position.x of entity ", 0, true, nil},
		"where a tag is, on Go's heap": {"for e, pos in world:each(tagged) do\npos.x = pos.x + dt end", "Position.x of entity ", 0, false, nil},
		"a variable":                   {"local sum = 0\n" + each + "sum = sum + pos.x end world.resources.score = sum % 1000", `the variable "sum": `, -1, true, nil},
		"events":                       {each + "world:send(\"Hit\", { target = e, amount = pos.x }) end\nlocal sum = 0 for hit in world:read(\"Hit\") do sum = sum + hit.amount end world.resources.score = sum % 1000", `the variable "sum": `, -1, true, nil},
		"beside another loop":          {each + "vel.dx = vel.dx + 1 end\n" + each + "pos.x = pos.x + vel.dx end", "Position.x of entity ", 0, true, nil},
	} {
		for _, limit := range []uint64{0, 400_000} {
			t.Run(fmt.Sprint(name, ", limit ", limit), func(t *testing.T) {
				source := "local ecs = require(\"ecs\")\nlocal tagged = ecs.query{ \"Position\", tagged = { \"red\" } }\nreturn function(world, dt)\n" + c.body + "\nend"
				instrumented := func(m *memory.Miscompiled) ecs.Memory {
					out := new(memory.Memory) // the columns are on Go's heap
					if c.memory {
						out = machine.NewMemory()
					}
					*out.Instruments() = memory.Instruments{WatchEvery: 1, Miscompiled: m}
					return out
				}
				want, _, _ := watchedWorld(t, source, Closures, instrumented(nil), nil, limit)
				got, reported, _ := watchedWorld(t, source, Auto, instrumented(nil), c.pool, limit)
				if got != want || reported != "" {
					t.Fatalf("as it is: %s\n%s\nwant\n%s", reported, got, want)
				}
				wrongly := &memory.Miscompiled{View: c.view, Field: "x", Wrong: wrong}
				got, reported, r := watchedWorld(t, source, Auto, instrumented(wrongly), c.pool, limit)
				if got != want {
					t.Errorf("the run is another:\n%s\nwant\n%s", got, want)
				}
				if strings.Count(reported, "\n") != 1 || !strings.HasPrefix(reported, "a.lua:") || !strings.Contains(reported, `: system "a", frame `) ||
					!strings.Contains(reported, ": machine code is wrong: "+c.what) {
					t.Errorf("reported:\n%s", reported)
				}
				f := r.Failures()
				var d *Difference
				if f.Bugs != 1 || f.Errors != 0 && limit == 0 || !errors.Is(f.FirstBug, ErrBug) || !errors.As(f.FirstBug, &d) {
					t.Errorf("failures: %+v", f)
				}
			})
		}
	}
}
