package luabind

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// nearLoops are bodies of all kinds that ask who is near.
var nearLoops = map[string]string{
	"the sum of distances": `for e, pos in world:each("Position") do
		local sum, n = 0, 0
		for other, d2 in world:near("g", pos.x, pos.y, 5) do sum = sum + d2 n = n + 1 end
		pos.y = pos.y + sum / 1000 - n
	end`,
	"nothing of them": `for e, pos in world:each("Position") do
		local n = 0
		for _ in world:near("g", pos.x, pos.y, 7) do n = n + 1 end
		pos.y = n
	end`,
	"their order": `for e, pos in world:each("Position") do
		local h = 0
		for other, d2 in world:near("g", pos.x, pos.y, 9) do h = (h * 31 + other % 1009 + d2) % 65521 end
		pos.y = pos.y + h % 3
	end`,
	"a break": `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 9) do
			if other ~= e and d2 > 3 then vel.dx = vel.dx + d2 break end
			vel.dy = vel.dy + 1
		end
	end`,
	"components of them": `for e, pos, vel in world:each("Position", "Velocity") do
		local enemy, best = ecs.none, math.huge
		for other, d2 in world:near("g", pos.x, pos.y, 8) do
			local v = world:get(other, "Velocity")
			if v and other ~= e and (world:get(other, "Position").x - pos.x) * v.dx > 0 and d2 < best then enemy, best = other, d2 end
			if world:alive(other) and not world:has(other, "Velocity") and world:tagged(other, "player") then vel.dy = vel.dy + 1 end
		end
		if enemy ~= ecs.none then vel.dx = vel.dx + best end
	end`,
	"a component that some lack": `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 4) do pos.y = pos.y + world:get(other, "Velocity").dx end
	end`,
	"what the row stored before": `for e, pos in world:each("Position") do
		pos.x = pos.x + 1.5
		pos.y = -pos.y
		for other, d2 in world:near("g", pos.x, pos.y, 4) do pos.y = pos.y + d2 / 8 end
	end`,
	"what the row stores after": `for e, pos in world:each("Position") do
		local n = 0
		for other in world:near("g", 15, 0, 7) do n = n + 1 end
		pos.x, pos.y = n, n % 7
	end`,
	"what some rows stored before": `for e, pos in world:each("Position") do
		if pos.x < 12 then
			pos.x = pos.x + 1.25
		else
			for other, d2 in world:near("g", pos.x, pos.y, 4) do pos.y = pos.y + d2 / 8 end
		end
	end`,
	"within one another": `for e, pos in world:each("Position") do
		local sum = 0
		for other, d2 in world:near("g", pos.x, pos.y, 3) do
			local at = world:get(other, "Position")
			for third, d3 in world:near("g", at.x, at.y, 2 + d2) do
				if third == e then sum = sum + 1 elseif d3 > 8 then break end
				sum = sum + d3
			end
			if sum > 200 then break end
		end
		pos.y = pos.y + sum / 64
	end`,
	"within other loops": `for e, pos in world:each("Position") do
		local sum = 0
		for i = 1, 3 do
			for other, d2 in world:near("g", pos.x + i, pos.y, i) do
				for j = 1, 2 do sum = sum + d2 * j end
				if sum > 100 then break end
			end
		end
		for other, at in world:each("Position", "Velocity") do
			for third, d2 in world:near("g", at.x, at.y, 1) do if third == e then sum = sum + 1 end end
		end
		pos.y = pos.y + sum / 64
	end`,
	"all, none and what is no number": `for e, pos in world:each("Position") do
		local sum = 0
		for other, d2 in world:near("g", pos.x, pos.y, math.huge) do if d2 < 100 then sum = sum + 1 end end
		for other, d2 in world:near("g", 3, 2, 1e6) do if d2 < pos.x then sum = sum + 1 end end
		for other in world:near("g", pos.x, pos.y, -1) do sum = sum + 1000 end
		for other in world:near("g", pos.x, pos.y, 0 / 0) do sum = sum + 1000 end
		for other in world:near("g", 0 / 0, pos.y, 5) do sum = sum + 1000 end
		for other in world:near("g", math.huge, pos.y, math.huge) do sum = sum + 1 end
		for other in world:near("g", -math.huge, -math.huge, math.huge) do sum = sum + 1 end
		for other in world:near("g", pos.x, pos.y, 0) do sum = sum + 3 end
		for other in world:near("g", -1e300, 1e300, 1e200) do sum = sum + 1000 end
		pos.y = pos.y + sum / 64
	end`,
	"an empty grid": `for e, pos in world:each("Position") do
		for other, d2 in world:near("empty", pos.x, pos.y, 5) do pos.y = pos.y + d2 + 1 end
		pos.x = pos.x + 1
	end`,
	"two grids": `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("v", pos.x, pos.y, 5) do vel.dy = vel.dy + d2 % 1 end
		for other, d2 in world:near("g", vel.dx % 30, vel.dy % 30, 5) do vel.dx = vel.dx + d2 % 1 end
	end`,
	"positions of others that are stored before": `for e, pos, vel in world:each("Position", "Velocity") do
		local at = world:get(4294967296 + (e + 3) % 120, "Position")
		if at then at.y = at.y + 1.5 end
		for other, d2 in world:near("g", pos.x, pos.y, 4) do
			local v = world:get(other, "Velocity")
			if v then v.dx = v.dx + d2 end
		end
	end`,
	"commands": `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 2) do
			if d2 > 3 and pos.x > 28 then world.commands:despawn(other) end
			if d2 < 0.5 then world:tag(other, "enemy") end
		end
	end`,
	"spawns meanwhile": `for e, pos in world:each("Position") do
		for i = 1, 24 do world.commands:spawn{ Health = { current = pos.x } } end
		for other, d2 in world:near("g", pos.x, pos.y, 4) do
			local v = world:get(other, "Velocity")
			if v and world:has(other, "Small") then v.dx = v.dx + d2 end
		end
	end`,
	"one grid, several loops": `for e, pos, vel in world:each("Position", "Velocity") do
		local best, comrades = math.huge, 0
		for other, d2 in world:near("g", pos.x, pos.y, 2) do
			local small = world:get(other, "Small")
			if small and d2 < best then best = d2 end
		end
		for other, d2 in world:near("v", pos.x, pos.y, 3) do
			local at = world:get(other, "Position")
			if at and at.x > pos.x then comrades = comrades + d2 end
		end
		for other, d2 in world:near("g", pos.x, pos.y, 12) do
			if d2 < best then
				local v = world:get(other, "Velocity")
				if v and v.dy ~= vel.dy then best = d2 end
			end
		end
		if best < math.huge then vel.dx = vel.dx + best + comrades end
	end`,
	"a death between two loops": `local last = ecs.none
	for i = 1, 3 do
		for e, pos, vel in world:each("Position", "Velocity") do
			for other, d2 in world:near("g", pos.x, pos.y, 5) do
				local small = world:get(other, "Small")
				vel.dx = vel.dx + d2 / 64
				if small and other ~= e then small.u8 = (small.u8 + i) % 100 end
			end
			if pos.x < 20 then last = e end
		end
		world:despawn(last)
	end`,
	"an early return": `local function closest(world, e, pos)
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if other ~= e and d2 < 9 then return d2 end
		end
		return -1
	end
	for e, pos in world:each("Position") do pos.y = pos.y + closest(world, e, pos) end`,
	"a return of the system": `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if d2 > 30 then return end
			pos.y = pos.y + 0.125
		end
	end`,
	"random numbers": `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 3) do
			if ecs.random() < 0.5 then pos.y = pos.y + d2 end
		end
	end`,
	"a value that does not fit": `for e, pos, small in world:each("Position", "Small") do
		small.u8 = small.u8 + 1
		for other, d2 in world:near("g", pos.x, pos.y, 4) do
			small.u8 = d2 - d2 % 1
			if d2 > 15 then small.u8 = 300 end
		end
	end`,
}

// Who is near is the same to machine code as to the interpreter.
func TestMachineCodeNear(t *testing.T) {
	t.Parallel()
	for name, body := range nearLoops {
		t.Run(name, func(t *testing.T) {
			limits := []uint64{0, 333, 2000, 7777, 30_001}
			if effort.More() {
				limits = append(limits, 100, 700, 1000, 1234, 3001, 4444, 5000, 12_000, 66_000)
			}
			for _, limit := range limits {
				reference := Lua
				if limit > 0 { // instructions of the interpreter are others
					reference = Closures
				}
				want, _ := nearby(t, body, reference, limit)
				got, r := nearby(t, body, Auto, limit)
				if got != want {
					t.Fatalf("limit %d:\n%s\nwant\n%s", limit, got, want)
				}
				if n := r.runner("a.lua").MachineKernels(); n != 1 && limit == 0 {
					t.Errorf("%d loops are machine code", n)
				}
			}
		})
	}
}

// nearby is what four frames make of 120 entities, some of them nowhere; an earlier
// system takes the snapshot in every other frame, and some in it die at once.
func nearby(t *testing.T, body string, impl Impl, limit uint64) (seen string, r *Runtime) {
	t.Helper()
	var out strings.Builder
	w := nearWorld(t, 120)
	r, err := New(Options{
		Log:   strictLog(t),
		World: w, Limits: Limits{OnError: Skip, Instructions: limit}, Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
		Scripts: files(map[string]string{
			"a": "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + body + "\nend",
			"b": `return function(world)
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
	return out.String(), r
}

// nearWorld has n entities, and the grids "g" of positions, "v" of velocities, and
// "empty".
func nearWorld(t *testing.T, n int) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	s, err := ecs.NewSchema(ecs.Field{Name: "u8", Type: ecs.U8})
	if err == nil {
		_, err = w.DeclareComponent("Small", s)
	}
	if err != nil {
		t.Fatal(err)
	}
	id := map[string]ecs.ComponentID{}
	for _, name := range []string{"Position", "Velocity", "Small", "Health"} {
		id[name], _ = w.LookupComponent(name)
	}
	for _, g := range []ecs.GridSpec{
		{Name: "g", Component: id["Position"], X: "x", Y: "y", Cell: 3},
		{Name: "v", Component: id["Velocity"], X: "dx", Y: "dy", Cell: 4},
		{Name: "empty", Component: id["Health"], X: "current", Y: "max", Cell: 1},
	} {
		if _, err := w.DeclareGrid(g); err != nil {
			t.Fatal(err)
		}
	}
	player, _ := w.LookupTag("player")
	nowhere := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e15}
	for i := range n {
		ids := []ecs.ComponentID{id["Position"], id["Velocity"], id["Small"]}
		e, err := w.Spawn(ids[:1+i%3]...)
		if err != nil {
			t.Fatal(err)
		}
		x, y := float64(i*7%31)+float64(i%8)/8, float64(i*5%13)-6
		if i%29 == 28 {
			x = nowhere[i/29%len(nowhere)]
		}
		if _, err := w.Set(e, id["Position"], ecs.FieldValue{Index: 0, Value: ecs.Number(x)}, ecs.FieldValue{Index: 1, Value: ecs.Number(y)}); err != nil {
			t.Fatal(err)
		}
		if i%3 > 0 {
			if _, err := w.Set(e, id["Velocity"], ecs.FieldValue{Index: 0, Value: ecs.Number(y)}, ecs.FieldValue{Index: 1, Value: ecs.Number(x / 2)}); err != nil {
				t.Fatal(err)
			}
		}
		if i%5 == 0 {
			w.Tag(e, player)
		}
	}
	return w
}

// Asking who is near allocates nothing once it has been asked.
func TestMachineCodeNearAllocatesNothing(t *testing.T) {
	w := nearWorld(t, 120)
	r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + nearLoops["components of them"] + "\nend"})}, 3,
		System{Name: "a", Script: "a.lua"})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.runner("a.lua").MachineKernels(); n != 1 {
		t.Fatalf("%d loops are machine code", n)
	}
	if n := testing.AllocsPerRun(50, func() {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
}
