package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A report counts each row of a loop once, in whatever way its walks run.
func TestReportsCountEachRowOnce(t *testing.T) {
	t.Parallel()
	const start = `local ecs = require("ecs")
ecs.component("A", { x = "f64" }) ecs.component("B", { v = "f64" }) ecs.component("Bag", { items = "table" })
return function(world)
  local base = world:spawn{ A = { x = 5 } }
  for i = 1, 30 do world:spawn{ B = { v = i }, Bag = { items = { i } }, IsA = base } end
  for i = 1, 20 do world:spawn{ A = { x = i }, B = { v = i }, Bag = { items = { i } } } end
end`
	for name, c := range map[string]struct {
		loop string
		rows int // of a walk
	}{
		"numbers":          {`for e, b in world:each("B") do b.v = b.v + 1 end`, 50},
		"inherited":        {`for e, a, b in world:each("A", "B") do b.v = b.v + a.x end`, 50},
		"left":             {`for e, a, b in world:each("A", "B") do if b.v < 0 then a.x = 1 end b.v = b.v + 1 end`, 50},
		"tables":           {`for e, bag, b in world:each("Bag", "B") do if b.v % 3 == 0 then bag.items = { b.v, #bag.items } end end`, 50},
		"some rows tables": {`for e, bag, b in world:each("Bag", "B") do b.v = b.v + 1 if b.v % 9 == 0 then bag.items = { b.v, "x" } end end`, 50},
		"an error":         {`pcall(function() for e, b in world:each("B") do b.v = b.v + 1 if b.v < 0 then b.v = {} end end end)`, 50},
		"left early":       {`local n = 0 for e, b in world:each("B") do n = n + 1 b.v = n if n == 10 then break end end`, 10},
	} {
		for _, impl := range everyTier {
			w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
			r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"start": start, "a": "return function(world) " + c.loop + " end"})})
			if err == nil {
				err = r.Add(System{Name: "start", Script: "start.lua", Stage: ecs.Startup})
			}
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
			}
			r.CountRows()
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			const frames = 60
			for range frames {
				if err == nil {
					err = r.Frame(context.Background(), 0.5)
				}
			}
			if err != nil {
				t.Fatal(name, err)
			}
			for _, l := range r.LoopRuns() {
				if n := l.Machine + l.Closures + l.Interpreted; l.File == "a.lua" && (n != c.rows*frames || min(l.Machine, l.Closures, l.Interpreted) < 0) {
					t.Errorf("%s, %v: %d rows of %d: %+v", name, impl, n, c.rows*frames, l)
				}
			}
		}
	}
}

// What a report says of a loop, after its walks, is what most rows did: here of rows that show values of any kind.
func TestReportsOfShownValuesAreTrue(t *testing.T) {
	t.Parallel()
	const head = `local ecs = require("ecs") ecs.component("P", { x = "f64", y = "f64", s = "string" })
local T, M, S = { 1 }, { __tostring = function() return "one" end }, nil
S = setmetatable({}, M)
return function(world)
  if world.frame == 1 then for i = 1, 200 do world:spawn{ P = { x = i % 7 } } end end
  for e, p in world:each("P") do
    if p.x == 3 then BODY end
  end
end`
	compiled := map[string]bool{} // of those below, the ones that are
	for _, body := range []string{"print({})", "print(e, p.x, { 1 }, nil)", "p.y = #tostring({})", `p.s = ("%s, %s"):format({}, { p.x })`} {
		compiled[body] = true
	}
	for _, body := range []string{"print(S)", "print(setmetatable({}, M))", "print(world)", "print(p)", "print(T, tostring(world))", "print(math.floor)"} {
		compiled[body] = false
	}
	for body, want := range compiled {
		trace := ""
		for _, impl := range everyTier {
			var out bytes.Buffer
			w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
			r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: files(map[string]string{"a": strings.Replace(head, "BODY", body, 1)})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
			}
			r.CountRows()
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			for range 20 {
				if err == nil {
					err = r.Frame(context.Background(), 0.5)
				}
			}
			if err != nil {
				t.Fatal(body, err)
			}
			if got := fmt.Sprint(out.String(), w.Digest()); trace == "" {
				trace = got
			} else if got != trace {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", body, impl, got, trace)
			}
			run, report := r.LoopRuns()[0], r.Explain()[0]
			if interpreted := 2*run.Interpreted > 20*200; impl != Lua && (interpreted == want || (report.Reason == "") != want) {
				t.Errorf("%s, %v: the report is %q, %d rows were interpreted", body, impl, report.Reason, run.Interpreted)
			}
		}
	}
}

// A list of more elements than a loop copies is named, because its keys are looked up one by one.
func TestReportsNameListsThatAreTooLong(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{5_000: "", 16_385: `"list"`} {
		for _, impl := range []Impl{Auto, Closures} {
			r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()}), Scripts: files(map[string]string{
				"a": fmt.Sprintf(`local ecs = require("ecs") ecs.component("B", { v = "f64" })
local list = {} for i = 1, %d do list[i] = i + 1 end
return { init = function(world) for i = 1, 9 do world:spawn{ B = { v = i } } end end,
update = function(world) for e, b in world:each("B") do b.v = list[b.v] end end }`, n),
			})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
			}
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			for range 5 {
				if err == nil {
					err = r.Frame(context.Background(), 0.5)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if runs := r.LoopRuns(); len(runs) != 1 || runs[0].Long != want || runs[0].Machine+runs[0].Closures == 0 {
				t.Errorf("%d elements, %v: %+v", n, impl, runs)
			}
		}
	}
}

// What entities inherit where code does not look is named.
func TestReportsNameWhatIsInherited(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`for e, b in world:each("B") do local a = world:get(e, "A") if a then b.v = b.v * 0.5 + a.x end end`: "A",
		`for e, a, b in world:each("A", "B") do b.v = b.v * 0.5 + a.x if a.s == "x" then b.v = 1 end end`:    "A",
		`for e, a, b in world:each("A", "B") do b.v = b.v * 0.5 + a.x end`:                                   "",
		`for e, b in world:each("B") do b.v = b.v + 1 end`:                                                   "",
	} {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()}), Scripts: files(map[string]string{
			"a": `local ecs = require("ecs") ecs.component("A", { x = "f64", s = "string" }) ecs.component("B", { v = "f64" })
return { init = function(world)
  local base = world:spawn{ A = { x = 1 } }
  for i = 1, 80 do world:spawn{ B = { v = i }, IsA = base } end
end, update = function(world) ` + body + ` end }`,
		})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: Auto})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		for range 5 {
			if err == nil {
				err = r.Frame(context.Background(), 0.5)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if runs := r.LoopRuns(); len(runs) != 1 || runs[0].Inherited != want || want != "" && runs[0].Closures == 0 {
			t.Errorf("%s: %+v", body, runs)
		}
	}
}
