package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Loops that reach beyond their rows, and those with effects, do as machine code
// what they do interpreted.
func TestMachineCodeReaches(t *testing.T) {
	sameAsMachineCode(t, map[string]string{
		"a query within": `for e, pos, vel in world:each("Position", "Velocity") do
			local ax = 0
			for other, at in world:each("Position") do
				if other ~= e and at.x > pos.x then ax = ax + at.x - pos.x end
			end
			vel.dx = vel.dx + ax * dt
		end`,
		"a query within over what is stored": `for e, pos in world:each("Position") do
			local sum = 0
			for other, at in world:each("Position", "Velocity") do
				sum = sum + at.x
				if sum > 500 then break end
			end
			pos.x = sum % 17
		end`,
		"bits": `for e, pos, vel in world:each("Position", "Velocity") do
			local n = math.floor(pos.x * 1e6) + e % 97
			vel.dx = bit.band(n, 0xffff) + bit.bxor(bit.lshift(n, 7), n, -5) % 1000 + bit.rshift(bit.bnot(n), n) % 31
			vel.dy = bit.arshift(bit.bswap(n), 9) + bit.rol(n, -3) - bit.ror(n, 40) + bit.tobit(n * 65536) + bit.bor(n)
			if e % 7 == 0 and pcall(bit.band, pos.x + 0.25, 1) then vel.dx = 0 end
		end`,
		"bits of fractions": `for e, pos in world:each("Position") do
			pos.y = pos.y + 1
			if e % 5 == 0 then pos.y = pos.y % 100 elseif pos.y > 1e9 then pos.x = bit.band(pos.x + 0.5, 3) end
			pos.x = pos.x + bit.band(math.floor(pos.y), 3)
		end`,
		"a component of another": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			if v then pos.x = pos.x + v.dx end
		end`,
		"a component of another that is not there": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			pos.y = pos.y + 1
			if pos.x > 25 then pos.x = v.dx end
		end`,
		"questions": `for e, pos in world:each("Position") do
			local other = 4294967296 + (e * 2) % 400
			if world:alive(other) and world:has(other, "Velocity") then pos.x = pos.x + 1 end
			if world:tagged(e, "red") ~= world:tagged(other + 0.5, "red") then pos.y = pos.y + 2 end
		end`,
		"handles that nobody gave out": `for e, pos in world:each("Position") do
			if e == 4294967296 then world.commands:despawn(e) end
			for g = 0, 3 do -- a free slot's bits, as a number below 0
				if world:alive(-2147483648 * 4294967296 + g * 4294967296) then pos.x = pos.x + 1 end
			end
		end`,
		"components with strings, which code cannot read": `for e, pos in world:each("Position") do
			local other = 4294967296 + (e * 2) % 400
			if world:has(other, "Kinds") then pos.x = pos.x + 1 end
			if not world:has(other, "Kinds", "Velocity") then pos.y = pos.y + 1 end
		end`,
		"a table that was empty for a while": `if world.frame == 1 or world.frame == 4 then world:spawn{ Marker = {}, Health = {} } end
		if world.frame == 2 then
			world:despawn((world:first("Marker")))
			world:spawn{ Marker = {}, Velocity = {}, Health = {} } -- a new table: columns are looked for again
		end
		local at = world:first("Marker")
		for e, pos in world:each("Position") do
			local health = world:get(at, "Health")
			if health then health.current = health.current + 1 end
			pos.y = pos.y + 1
		end`,
		"commands": `for e, pos in world:each("Position") do
			if pos.x > 20 then
				world.commands:despawn(e)
			elseif pos.x < 3 then
				world.commands:set(e, "Position", { x = pos.x + 2, y = 3 })
				world.commands:tag(e, "red")
			end
			pos.y = pos.y + 1
		end`,
		"tags": `for e, pos in world:each("Position") do
			if pos.x > 20 then world:tag(e, "red") elseif pos.x < 5 then world:untag(e, "red") end
			pos.x = (pos.x + 3) % 31
		end`,
		"random numbers": `for e, pos in world:each("Position") do
			pos.y = pos.y + ecs.random()
			if pos.x > 10 then pos.x = ecs.random(20) + ecs.random(-3, pos.x - 12.5) end
		end`,
		"many commands": `for e, pos in world:each("Position") do
			for i = 1, 40 do world.commands:set(e, "Position", { x = i }) end
		end`,
		"more commands than a row may record": `for e, pos in world:each("Position") do
			pos.y = pos.y + 1
			if pos.x == 30 and pos.y < 2 then
				for i = 1, 4000 do world.commands:set(e, "Position", { y = i }) end
			end
		end`,
		"spawns": `for e, pos in world:each("Position", "Velocity") do
			if pos.x > 20 and pos.y < 3 then world.commands:spawn({ Position = { x = pos.x } }) end
			pos.y = pos.y + 1
		end`,
		"a return": `for e, pos in world:each("Position") do
			pos.y = pos.y + 1
			if pos.x > 20 and pos.y > 3 then return end
		end`,
	})
}

// sameAsMachineCode runs systems interpreted and as machine code.
func sameAsMachineCode(t *testing.T, bodies map[string]string) {
	t.Helper()
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			source := "local ecs = require(\"ecs\")\nlocal news = ecs.query{ \"Position\", changed = { \"Velocity\" } }\n" +
				"return function(world, dt)\n" + body + "\nend"
			want, _ := reached(t, source, Lua)
			got, r := reached(t, source, Auto)
			if got != want {
				t.Errorf("digests\n%s\nwant\n%s", got, want)
			}
			if n := r.runner("a.lua").MachineKernels(); n < 1 {
				t.Errorf("%d loops are machine code", n)
			}
		})
	}
}

// reached is what six frames of a system make of 300 entities.
func reached(t *testing.T, source string, impl Impl) (seen string, r *Runtime) {
	t.Helper()
	var out strings.Builder
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	red, err := w.DeclareTag("red")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	k, _ := w.LookupComponent("Kinds")
	for i := range 300 {
		ids := []ecs.ComponentID{p, v}
		if i%3 == 0 {
			ids = ids[:1]
		}
		e, err := w.Spawn(ids...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Set(e, p, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i * 7 % 31))}); err != nil {
			t.Fatal(err)
		}
		if i%3 != 0 {
			if _, err := w.Set(e, v, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i))}); err != nil {
				t.Fatal(err)
			}
		}
		if i%5 == 0 {
			w.Tag(e, red)
		}
		if i%4 == 0 {
			if _, err := w.Add(e, k); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err = New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": source}), Report: func(e *ScriptError) { fmt.Fprintln(&out, e) }})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err != nil {
		t.Fatal(err)
	}
	watchFrames(t, &out, r, 6)
	return out.String(), r
}

// Rows shared out to several cores end as those of one core do, stamps and the use
// of the budget included.
func TestSharedRows(t *testing.T) {
	pool := ecs.NewPool(3)
	defer pool.Close()
	for name, body := range map[string]string{
		"heavy": `for e, pos, vel in world:each("Position", "Velocity") do
			local x = pos.x
			for i = 1, 32 do x = math.sqrt(x * x + i) end
			pos.x = x
			if x > 70 then vel.dx = vel.dx + 1 end
		end`,
		"a query within": `for e, pos, vel in world:each("Position", "Velocity") do
			local ax = 0
			for other, at in world:each("Position") do ax = ax + math.sqrt(at.x * at.x + 2) end
			vel.dx = vel.dx + ax * dt
		end`,
	} {
		t.Run(name, func(t *testing.T) {
			source := "return function(world, dt)\n" + body + "\nend"
			digests := func(o Options, entities int) (seen string) {
				w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
				declareForTests(t, w)
				p, _ := w.LookupComponent("Position")
				v, _ := w.LookupComponent("Velocity")
				b, err := w.Bundle(p, v)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := b.SpawnMany(entities, func(table *ecs.Table, from, to int) {
					for i := from; i < to; i++ {
						if err := table.Column(p).Row(i).SetNumber(0, float64(i%97)); err != nil {
							t.Error(err)
						}
					}
				}); err != nil {
					t.Fatal(err)
				}
				o.World, o.Scripts = w, files(map[string]string{"a": source})
				o.Limits.OnError = Skip
				o.Report = func(e *ScriptError) { seen += e.Error() + "\n" }
				r, err := run(t, o, 3, System{Name: "a", Script: "a.lua"})
				if err != nil {
					t.Fatal(err)
				}
				if n := r.runner("a.lua").MachineKernels(); n != 1 {
					t.Errorf("%d loops are machine code", n)
				}
				stamps := uint64(0)
				for row := range entities {
					table := w.Tables()[len(w.Tables())-1]
					stamps = stamps*31 + uint64(table.Column(v).Changed(row)) + 7*uint64(table.Column(p).Changed(row))
				}
				return seen + fmt.Sprintln(w.Digest(), stamps, r.state.Budget().Used())
			}
			n := 40_000
			if name != "heavy" {
				n = 2000
			}
			for _, limit := range []uint64{0, 1 << 40, 3_000_000} {
				want := digests(Options{Limits: Limits{Instructions: limit}}, n)
				if got := digests(Options{Pool: pool, Limits: Limits{Instructions: limit}}, n); got != want {
					t.Errorf("limit %d: shared out\n%s\nby one core\n%s", limit, got, want)
				}
			}
		})
	}
}
