package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Loops that store components of other entities do as machine code what they do
// interpreted, change stamps included; what a row cannot finish it has not stored.
func TestMachineCodeThatStoresElsewhere(t *testing.T) {
	sameAsMachineCode(t, map[string]string{
		"another entity": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			if v then v.dx = v.dx + pos.x end
		end`,
		"what the loop walks": `for e, pos in world:each("Position") do
			local p = world:get(4294967296 + (e * 7) % 300, "Position")
			if p then
				p.x = (p.x + 3) % 41
				pos.y = pos.y + p.x + pos.x
				p.y = p.y + 1
			end
		end`,
		"itself": `for e, pos in world:each("Position") do
			local p = world:get(e, "Position")
			pos.x = pos.x + 1
			p.x = p.x * 2
			pos.y = pos.x + p.y
			p.y = pos.y - pos.x
		end`,
		"a row that stops between stores": `for e, pos in world:each("Position") do
			local p = world:get(4294967296 + (e * 7) % 300, "Position")
			pos.y = pos.y + 1
			if p then
				p.x = p.x + 1
				pos.x = pos.x + 2
				p.x = p.x + pos.x / 8
				p.y = p.y + 1
			end
			local v = world:get(e, "Velocity")
			if pos.x > 33 then pos.x = v.dx % 30 end
		end`,
		"only read in the loop, stored elsewhere": `for e, pos, vel in world:each("Position", "Velocity") do
			local v = world:get(e, "Velocity")
			if v then v.dx = v.dx + 1 end
			pos.x = pos.x + vel.dx
		end`,
		"one of two": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			if not v then v = world:get(4294967296 + (e + 4) % 320, "Velocity") end
			if v then v.dy = v.dy + pos.x end
		end`,
		"stores within a query within": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 1) % 300, "Velocity")
			if v and pos.x < 9 then
				for other, at in world:each("Velocity") do
					v.dx = v.dx + at.dy
					v.dy = (v.dy + at.dx) % 1000
				end
			end
		end`,
		"more than a row may log": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 1) % 300, "Velocity")
			if v and pos.x == 20 and pos.y < 2 then
				for i = 1, 6000 do v.dx = v.dx + i end
			end
			pos.y = pos.y + 1
		end`,
		"a row that the log has no room for, much done": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 1) % 300, "Velocity")
			if v then
				for i = 1, 700 do v.dx = (v.dx + i) % 91 end
				if pos.x == 20 then
					local p = world:get(4294967296 + (e + 2) % 300, "Position")
					p.x = p.x + 4
					v.dy = world:get(0, "Velocity").dy
				end
			end
		end`,
		"and commands": `for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			if v then
				v.dx = v.dx + pos.x
				if pos.x > 29 then world.commands:despawn(e) end
			end
		end`,
		"and tables": `local n = { 0, 0 }
		for e, pos in world:each("Position") do
			local v = world:get(4294967296 + (e + 3) % 320, "Velocity")
			n[2] = n[2] + 1
			if v then
				v.dx = v.dx + n[2]
				n[1] = n[1] + v.dx
				pos.x = pos.x + 1
				if v.dx > 1500 then n[1] = n[1] + 1 end
			end
			pos.y = n[1]
		end`,
		"all that has changed": `for e, pos in world:each(news) do
			local v = world:get(4294967296 + (e + 9) % 300, "Velocity")
			pos.x = pos.x + 1
			if v then v.dx = v.dx + 1 end
		end`,
	})
}

// Whole numbers of 64 bits are stored whole.
func TestMachineCodeOfWideNumbers(t *testing.T) {
	stored := func(impl Impl) (n float64) {
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
		schema, err := ecs.NewSchema(ecs.Field{Name: "n", Type: ecs.I64})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := w.DeclareComponent("Wide", schema)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = w.Spawn(wide); err != nil {
			t.Fatal(err)
		}
		source := `return function(world) for e, wide in world:each("Wide") do local same = world:get(e, "Wide") same.n = 70000 end end`
		if _, err = run(t, Options{World: w, Scripts: files(map[string]string{"a": source})}, 1, System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
			t.Fatal(err)
		}
		return w.Tables()[len(w.Tables())-1].Column(wide).Row(0).Number(0)
	}
	if want, got := stored(Lua), stored(Auto); got != want {
		t.Errorf("machine code stores %v, the interpreter %v", got, want)
	}
}
