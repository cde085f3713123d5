package luabind

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// Random loops and systems do in worlds on Go's heap what they do interpreted. What
// machine code there is works block by block.
func TestKernelsOnHeap(t *testing.T) {
	t.Parallel()
	machine := 0
	seeds(25, func(seed uint64) { sameKernels(t, kernelWorldOnHeap, seed) })
	seeds(150, func(seed uint64) { sameSystems(t, kernelWorldOnHeap, seed) })
	for seed := range uint64(10) {
		r := traced(t, kernelWorldOnHeap(t, seed), randomLoop(seed))
		machine += r.runner("a.lua").MachineKernels()
	}
	if machine < 7 {
		t.Errorf("of 10 loops only %d are machine code", machine)
	}
}

// traced runs a system for a frame in a world.
func traced(t *testing.T, w *ecs.World, source string) *Runtime {
	t.Helper()
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err == nil {
		err = r.Frame(context.Background(), 0.5)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// blockBodies are loops over a, a component of many rows that machine code cannot
// reach, with b, c and d, which some rows lack.
var blockBodies = map[string]string{
	"stores": `for e, a, b in world:each("A", "B") do
		a.x = a.x + b.v * dt
		a.y = a.y - b.v
	end`,
	"stores in some rows": `for e, a, b in world:each("A", "B") do
		if a.x > 20 then b.v = b.v + 1 elseif a.x < 3 then a.y = e % 7 end
	end`,
	"fields of all types": `for e, a, b in world:each("A", "B") do
		a.on = a.x > 12
		b.n = (b.n + 1) % 100
		b.w = b.n * 3
		b.h = b.n
		b.who = e
		a.f = a.x / 3
	end`,
	"a field alone": `for e, b in world:each("B") do b.n = (b.n + 3) % 50 end`,
	"a value that does not fit": `for e, a, b in world:each("A", "B") do
		a.y = a.y + 1
		b.n = a.x * 5
		a.x = (a.x + 1) % 37
	end`,
	"views that may be nil": `for e, a, c in world:each(maybe) do
		if c then
			a.x = a.x + c.x
			c.x = c.x + 1
		else
			a.y = a.y + 1
		end
	end`,
	"a nil view": `for e, a, c in world:each(maybe) do
		a.y = a.y + 1
		if a.x > 28 then a.y = c.x end
	end`,
	"a view that may be nil and is stored by rows that stop": `for e, a, c in world:each(maybe) do
		if c then
			c.x = c.x + 1
			c.y = c.y + 1
			if a.x == 17 then a.i = c.x / 3 end
		end
	end`,
	"variables": `local sum, first, n = 0, nil, 0
	for e, a in world:each("A") do
		sum = sum + a.x
		if not first then first = e end
		n = n + 1
	end
	print(sum, first, n)`,
	"a break": `for e, a in world:each("A") do
		a.y = a.y + 1
		if e % 150 == 77 then break end
	end`,
	"a return": `local function find()
		for e, a in world:each("A") do
			a.y = a.y + 1
			if e % 150 == 77 then return e, a.x end
		end
	end
	print(find())`,
	"random numbers": `for e, a in world:each("A") do
		a.y = ecs.random()
		if a.x > 20 then a.i = ecs.random(-200, 200) end
	end`,
	"effects": `for e, a, b in world:each("A", "B") do
		if a.x > 20 then world:send("Hit", { who = e, n = b.n }) world:tag(e, "red") end
		if a.x == 3 then world.commands:set(e, "A", { x = a.x + 1 }) end
		if a.x == 4 then world.commands:despawn(e) end
		a.x = (a.x + 1) % 31
	end
	for ev in world:peek("Hit") do total = total + ev.n end
	print(total)`,
	"rows that changed": `for e, a in world:each(news) do
		a.y = a.y + 1
		total = total + a.x
	end
	if world.frame == 2 then
		for e, b in world:each("B") do if b.n % 9 == 3 then b.v = b.v + 1 end end
	end
	print(total)`,
	"rows with a tag": `for e, a in world:each(reds) do a.x = a.x + 1 end
	for e, a in world:each("A") do if a.x % 5 == 3 then world:tag(e, "red") end end`,
	"components of a base": `for e, a, d in world:each("A", "D") do
		a.x = a.x + d.x
		a.y = a.y + 1
	end`,
	"fuel within rows": `for e, a in world:each("A") do
		local k = 0
		while k < a.x do k = k + 1 end
		a.y = k
	end`,
	"tables": `local n = { [0] = 0, 0, 0 }
	for e, a in world:each("A") do
		n[a.x % 3] = n[a.x % 3] + 1
		a.y = n[0] - n[2]
	end
	print(n[0], n[1], n[2])`,
	"an element that is not there": `local n = { 1, 2, 3 }
	for e, a in world:each("A") do
		a.y = a.y + 1
		if a.x == 29 and a.y > 2 then a.y = n[5] + 1 end
	end`,
}

// blockLand says what lies on Go's heap, all or components with strings, and
// whether some entities have a base.
type blockLand struct{ heap, inherits bool }

// blockWorld has 400 entities with rows that machine code cannot reach.
func blockWorld(t testing.TB, land blockLand) *ecs.World {
	t.Helper()
	o := ecs.Options{Seed: 1}
	var more []ecs.Field
	if !land.heap {
		o.Memory = restlessMemory()
		more = []ecs.Field{{Name: "s", Type: ecs.String}}
	}
	w := ecs.NewWorld(o)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(surface.DeclareRelations(w))
	number := func(names ...string) (list []ecs.Field) {
		for _, name := range names {
			list = append(list, ecs.Field{Name: name, Type: ecs.F64})
		}
		return list
	}
	var ids []ecs.ComponentID
	for i, fields := range [][]ecs.Field{
		slices.Concat(number("x"), []ecs.Field{{Name: "i", Type: ecs.I8}, {Name: "on", Type: ecs.Bool}, {Name: "f", Type: ecs.F32}}, more, number("y")),
		slices.Concat(more, number("v"), []ecs.Field{{Name: "n", Type: ecs.U8}, {Name: "w", Type: ecs.I32}, {Name: "h", Type: ecs.I16}, {Name: "who", Type: ecs.EntityField}}),
		slices.Concat(more, number("x", "y")),
		slices.Concat(number("x", "p", "q", "r", "z"), more, number("far", "away")),
	} {
		schema, err := ecs.NewSchema(fields...)
		must(err)
		id, err := w.DeclareComponent(string(rune('A'+i)), schema)
		must(err)
		ids = append(ids, id)
	}
	set := func(e ecs.Entity, id ecs.ComponentID, field string, v ecs.Value) {
		info, _ := w.ComponentInfo(id)
		if i := info.Schema.Index(field); i >= 0 {
			_, err := w.Set(e, id, ecs.FieldValue{Index: i, Value: v})
			must(err)
		}
	}
	isA, _ := w.LookupComponent("IsA")
	var base ecs.Entity
	for i := range 400 {
		e, err := w.Spawn()
		must(err)
		if i == 0 {
			base = e
		}
		for j, id := range ids {
			if j == 2 && i%4 != 0 || j == 3 && i%100 > 50 {
				continue
			}
			_, err := w.Add(e, id)
			must(err)
			set(e, id, "s", ecs.Text(fmt.Sprint("entity ", i)))
			set(e, id, "x", ecs.Number(float64(i*7%31)))
			set(e, id, "v", ecs.Number(float64(i%13)-6))
		}
		if land.inherits && i%100 == 99 { // D is that of the first entity
			_, err := w.Relate(e, isA, base)
			must(err)
		}
	}
	return w
}

// blocksTrace runs a body for five frames and tells all that can be seen of it.
func blocksTrace(t testing.TB, land blockLand, body string, impl Impl, limit uint64) (seen string, r *Runtime) {
	t.Helper()
	w := blockWorld(t, land)
	source := `local ecs = require("ecs")
ecs.tag("red") ecs.event("Hit", { who = "entity", n = "f64" })
local maybe, reds = ecs.query{ "A", optional = { "C" } }, ecs.query{ "A", tagged = { "red" } }
local news = ecs.query{ "A", changed = { "B" } }
local total = 0
return function(world, dt)
` + body + "\nend"
	var out bytes.Buffer
	r, err := New(Options{
		Log:   strictLog(t),
		World: w, Stdout: &out, Limits: Limits{OnError: Skip, Instructions: limit}, Scripts: files(map[string]string{"a": source}),
		Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, 5)
	return out.String(), r
}

// Loops over columns that machine code cannot reach do block by block what they do
// interpreted, also when the budget is spent within a block.
func TestMachineCodeInBlocks(t *testing.T) {
	t.Parallel()
	lands := []blockLand{{true, false}, {false, false}, {true, true}, {false, true}}
	for name, body := range blockBodies {
		for _, land := range lands {
			for _, limit := range []uint64{0, 2000} {
				as := Lua
				if limit > 0 { // the interpreter counts otherwise
					as = Closures
				}
				want, _ := blocksTrace(t, land, body, as, limit)
				got, r := blocksTrace(t, land, body, Auto, limit)
				if got != want {
					t.Errorf("%s, %+v, limit %d\n%s\nwant\n%s", name, land, limit, got, want)
				}
				loops := 0
				for _, l := range r.Explain() {
					switch l.Closures {
					case "":
						loops++
					default:
						t.Errorf("%s, %+v: line %d runs as closures: %s", name, land, l.Line, l.Closures)
					}
				}
				if n := r.runner("a.lua").MachineKernels(); n != loops && limit == 0 {
					t.Errorf("%s, %+v: of %d loops %d are machine code", name, land, loops, n)
				}
			}
		}
	}
}

// What there are no blocks for runs as closures, and is explained so.
func TestBlocksRefuse(t *testing.T) {
	t.Parallel()
	const beyond = "it looks beyond its own rows, and the world's memory is Go's"
	for _, c := range []struct {
		body   string
		heap   bool
		reason string
	}{
		{`for e, a in world:each("A") do local b = world:get(e, "B") if b then a.x = b.v end end`, true, beyond},
		{`for e, a in world:each("A") do if world:tagged(e, "red") then a.x = 1 end end`, true, beyond},
		{`for e, a in world:each("A") do if world:alive(e) then a.x = 1 end end`, true, beyond},
		{`for e, a in world:each("A") do for o, c in world:each("C") do a.x = a.x + c.x end end`, true, beyond},
		{`for e, a in world:each("A") do if world:tagged(e, "red") then a.x = 1 end end`, false, ""},
		{`for e, a in world:each("A") do if world:has(e, "B") then a.x = 1 end end`, false, ""},
		{`for e, a in world:each("A") do for o, c in world:each("C") do a.x = a.x + c.x end end`, false, ""},
	} {
		want, _ := blocksTrace(t, blockLand{heap: c.heap}, c.body, Lua, 0)
		got, r := blocksTrace(t, blockLand{heap: c.heap}, c.body, Auto, 0)
		if got != want {
			t.Errorf("%s\n%s\nwant\n%s", c.body, got, want)
		}
		if reason := r.Explain()[0].Closures; reason != c.reason {
			t.Errorf("%s: %q, want %q", c.body, reason, c.reason)
		}
	}
}

// A loop over columns on Go's heap allocates nothing once it has run.
func TestBlocksAllocateNothing(t *testing.T) {
	for _, heap := range []bool{true, false} {
		_, r := blocksTrace(t, blockLand{heap: heap}, `for e, a, b in world:each("A", "B") do
			a.x = (a.x + b.v) % 31
			if a.x > 7 then b.who = e end
		end
		for e, a, c in world:each(maybe) do if c then c.x = a.x end end
		for e, a in world:each(news) do a.y = a.y + 1 end`, Auto, 0)
		if n := r.runner("a.lua").MachineKernels(); n != 3 {
			t.Fatalf("%d loops are machine code", n)
		}
		if got := testing.AllocsPerRun(50, func() {
			if err := r.Frame(context.Background(), 0.25); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("heap %v: %v allocations a frame", heap, got)
		}
	}
}

// Strings beside the numbers that code stores stay what they are, while the
// collector runs.
func TestBlocksLeaveStrings(t *testing.T) {
	_, r := blocksTrace(t, blockLand{}, `for e, a, b in world:each("A", "B") do a.x = a.x + 1 b.n = (b.n + 1) % 200 end`, Auto, 0)
	for range 30 {
		runtime.GC()
		if err := r.Frame(context.Background(), 0.25); err != nil {
			t.Fatal(err)
		}
	}
	w := r.World()
	for _, name := range []string{"A", "B"} {
		id, _ := w.LookupComponent(name)
		info, _ := w.ComponentInfo(id)
		seen := map[string]bool{}
		for _, table := range w.Tables() {
			if col := table.Column(id); col != nil {
				for row := range col.Len() {
					seen[col.Row(row).Get(info.Schema.Index("s")).Str()] = true
				}
			}
		}
		for i := range 400 {
			if !seen[fmt.Sprint("entity ", i)] {
				t.Errorf("%s: no %q", name, fmt.Sprint("entity ", i))
			}
		}
	}
}
