package luabind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// A coresLoop is a loop whose rows are shared among cores, or not.
type coresLoop struct {
	name   string
	body   string
	shared bool
}

// coresLoops are the kinds of loops that rows on several cores must not change.
var coresLoops = []coresLoop{
	{"events", `for e, pos, vel in world:each("Position", "Velocity") do
		vel.dx = vel.dx + pos.y
		if pos.x > 3 then world:send("Hit", { target = e, amount = pos.x }) end
		if pos.x > 25 then world:send("Hit", { target = e, amount = vel.dx }) world:send("Hit", { amount = 1 }) end
	end`, true},
	{"commands", `for e, pos in world:each("Position") do
		pos.y = pos.y + 1
		if pos.x > 28 then world.commands:despawn(e) end
		if pos.x < 1 then world.commands:spawn{ Position = { x = pos.y, y = 2 } } end
		if pos.x > 10 and pos.x < 12 then world.commands:set(e, "Health", { current = pos.x }) world.commands:tag(e, "enemy") end
	end`, true},
	{"tags", `for e, pos in world:each("Position") do
		if pos.y > 1 then world:tag(e, "enemy") else world:untag(e, "enemy") end
	end`, true},
	{"tags that rows ask for", `for e, pos in world:each("Position") do
		if pos.y > 1 then world:tag(e + 1, "enemy") end
		if world:tagged(e, "enemy") then pos.y = pos.y + 1 end
	end`, false},
	{"a list that rows fill", `local list = {}
	for e, pos in world:each("Position") do
		if pos.x > 15 then list[e] = pos.x end
	end
	local sum = 0
	for e, x in pairs(list) do sum = sum * 3 % 65521 + x end
	print(sum)`, true},
	{"random numbers", `for e, pos, vel in world:each("Position", "Velocity") do
		vel.dx = ecs.random() + ecs.random(1, 6)
		for i = 1, 3 do vel.dy = vel.dy + ecs.random(100) end
	end
	print(ecs.random())`, true},
	{"random numbers in both branches", `for e, pos in world:each("Position") do
		if pos.x > 12 then pos.y = ecs.random(-5, 5) else pos.y = ecs.random() end
	end`, true},
	{"random numbers in a branch", `for e, pos in world:each("Position") do
		if pos.x > 12 then pos.y = ecs.random(-5, 5) end
	end`, false},
	{"draws that are often rejected", `for e, pos in world:each("Position") do
		pos.y = ecs.random(-9007199254740992, 9007199254740992)
	end
	print(ecs.random())`, true},
	{"other entities", `for e, pos, vel in world:each("Position", "Velocity") do
		local other = world:get(4294967296 + (e * 7) % 200, "Position")
		if other then vel.dx = vel.dx + other.x % 8 end
		if world:has(e + 1, "Small") and world:alive(e + 2) then vel.dy = vel.dy + 1 end
	end`, true},
	{"other entities that rows write", `for e, pos in world:each("Position") do
		local other = world:get(4294967296 + (e * 7) % 200, "Position")
		if other then pos.y = pos.y + other.y % 8 end
	end`, false},
	{"an error in the middle", `for e, pos in world:each("Position") do
		pos.y = pos.y + 1
		world:send("Hit", { amount = pos.y })
		if e % 4294967296 == 40 + world.frame then pos.y = nil + pos.x end
	end`, true},
	{"an error of a value", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		vel.dx = vel.dx + ecs.random(10)
		small.u8 = (small.u8 + 1) % 200
		if e % 4294967296 == 44 + 3000 * (world.frame % 2) then small.u8 = 1000 end
	end`, true},
	{"rows that are left", `for e, pos in world:each("Position") do
		pos.y = pos.y + ecs.random(9)
		if e % 4294967296 % 50 == 7 then print(e, pos.y) end
		world:send("Hit", { amount = pos.y })
	end`, true},
	{"an inner loop that depends on values", `for e, pos in world:each("Position") do
		local n = 0
		while n < pos.x and n < 40 do n = n + 1 + n % 3 end
		pos.y = n
		for i = 1, n do pos.y = pos.y + i * 0.5 end
	end`, true},
	{"an endless loop in a row", `for e, pos in world:each("Position") do
		pos.y = pos.y + 1
		while e % 4294967296 == 41 and pos.y > -1 do pos.y = pos.y + 1 end
	end`, true},
	{"a constant table", `local price, list = { [0] = 3, 5, 8 }, { a = 1, b = 2 }
	for e, pos in world:each("Position") do
		pos.y = pos.y + price[e % 3] + list.a
	end`, true},
	{"a sum", `local sum = 0
	for e, pos in world:each("Position") do sum = sum + pos.y end
	print(sum)`, false},
	{"a break", `for e, pos in world:each("Position") do
		pos.y = pos.y + 1
		if pos.x > 30 then break end
	end`, false},
	{"an optional component", `for e, pos, vel in world:each(maybe) do
		pos.y = pos.y + 1
		if vel then vel.dx = vel.dx + pos.x end
	end`, true},
	{"who is near", `for e, pos, vel in world:each("Position", "Velocity") do
		local best = 99
		for other, d2 in world:near("g", pos.x, pos.y, 4) do
			if other ~= e and d2 < best and world:tagged(other, "player") then best = d2 end
		end
		vel.dx = best
		if best < 2 then world:send("Hit", { target = e, amount = best }) end
		for other, d2 in world:near("g", pos.x, pos.y, 2) do
			local small = world:get(other, "Small")
			if small then vel.dy = vel.dy + small.u8 + d2 end
		end
	end`, true},
	{"who is near, of a grid that moves", `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 2) do pos.y = pos.y + d2 * 0.01 end
	end`, false},
}

// onCores is what four frames make of n entities: what is printed, errors, digests and stamps, and what is used of the budget.
func onCores(t *testing.T, body string, n int, impl Impl, pool ecs.Pool, limit uint64) (seen string, shared int) {
	t.Helper()
	var out strings.Builder
	w := nearWorld(t, n)
	memory.InstrumentsOf(w).ShareFrom = 1
	r, err := New(Options{
		Log: strictLog(t), World: w, Pool: pool, Stdout: &out,
		Limits: Limits{OnError: Skip, Instructions: limit}, Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
		Scripts: files(map[string]string{
			"a": "local ecs = require(\"ecs\")\nlocal maybe = ecs.query{ \"Position\", optional = { \"Velocity\" } }\nreturn function(world, dt)\n" + body + "\nend",
			"b": `return function(world)
				for hit in world:read("Hit") do print(hit.target, hit.amount) end
				if world.frame % 2 == 1 then return end
				for other, d2 in world:near("g", 15, 0, 3) do if other % 4 < 2 then world.commands:despawn(other) end end
			end`,
		}),
	})
	for _, s := range []System{{Name: "b", Script: "b.lua", Impl: Lua}, {Name: "a", Script: "a.lua", Impl: impl}} {
		if err == nil {
			err = r.Add(s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, 4)
	if limit > 0 {
		fmt.Fprintln(&out, r.state.Budget().Used())
	}
	for _, l := range r.LoopRuns() {
		if l.File == "a.lua" {
			shared += l.Shared
		}
	}
	return out.String(), shared
}

// Whatever rows do, on several cores they do it as on one: the same values, effects in the same order, the same errors, and
// the budget ends at the same instruction.
func TestLoopsOnAllCores(t *testing.T) {
	t.Parallel()
	pools := []ecs.Pool{ecs.NewPool(2), ecs.NewPool(3)}
	loops := append([]coresLoop{}, coresLoops...)
	for name, body := range nearLoops {
		loops = append(loops, coresLoop{name, body, false})
	}
	for i, c := range loops {
		t.Run(c.name, func(t *testing.T) {
			shared := 0
			sizes, limits := []int{0, 1, 63, 64, 65, 129, 5000}, []uint64{0, 333, 5000, 70_000}
			switch {
			case i >= len(coresLoops):
				sizes, limits = []int{129}, []uint64{0, 2000, 12_000}
			case strings.Contains(c.body, "near"):
				sizes = []int{0, 64, 129, 700}
			case !effort.More():
				sizes, limits = []int{65, 5000}, []uint64{0, 70_000}
			}
			for _, n := range sizes {
				for _, limit := range limits {
					reference := Lua
					if limit > 0 { // instructions of the interpreter are others
						reference = Closures
					}
					if limit == 0 && c.name == "an endless loop in a row" || n >= 700 && limit > 0 && limit != 70_000 {
						continue
					}
					want, _ := onCores(t, c.body, n, reference, nil, limit)
					for j, pool := range pools {
						if j != (i+n)%2 && !effort.More() {
							continue
						}
						got, on := onCores(t, c.body, n, Auto, pool, limit)
						if got != want {
							t.Fatalf("%d entities, limit %d, %d cores:\n%s\nwant\n%s", n, limit, pool.Workers(), got, want)
						}
						shared += on
					}
				}
			}
			if i < len(coresLoops) && c.shared != (shared > 0) {
				t.Errorf("%d rows ran on several cores", shared)
			}
		})
	}
}

// Rows on several cores allocate nothing once they have run.
func TestRowsOnAllCoresAllocateNothing(t *testing.T) {
	pool := ecs.NewPool(2)
	defer pool.Close()
	for _, c := range coresLoops {
		switch c.name {
		case "events", "random numbers", "other entities", "who is near", "an inner loop that depends on values":
		default:
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := nearWorld(t, 3000)
			memory.InstrumentsOf(w).ShareFrom = 1
			r, err := New(Options{Log: strictLog(t), World: w, Pool: pool, Stdout: &strings.Builder{}, Scripts: files(map[string]string{"a": "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + strings.TrimSuffix(c.body, "print(ecs.random())") + "\nend"})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua"})
			}
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			frame := func() {
				if err := r.Frame(context.Background(), 0.5); err != nil {
					t.Fatal(err)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				frame()
			}
			if n := testing.AllocsPerRun(20, frame); n != 0 {
				t.Errorf("a frame allocates %v times", n)
			}
			if runs := r.LoopRuns(); runs[0].Shared < 20_000 {
				t.Errorf("%+v", runs)
			}
		})
	}
}
