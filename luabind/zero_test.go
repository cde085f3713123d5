package luabind

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A zero has the same sign in the interpreter, the closures and machine code, in
// bodies that are packed, too, and it is the sign that the manual promises.
func TestZerosAlike(t *testing.T) {
	bodies := map[string]string{
		"literals":              `for e, pos, vel in world:each("Position", "Velocity") do pos.x = -0 pos.y = 0 vel.dx = 0 vel.dy = -0 end`,
		"literals in two rows":  `for e, pos, vel in world:each("Position", "Velocity") do pos.x = pos.x * 0 + 0 pos.y = -0 vel.dx = -0 vel.dy = 0 end`,
		"factors of both signs": `for e, pos, vel in world:each("Position", "Velocity") do vel.dx = -(pos.x * 0) vel.dy = -(pos.y * -0) pos.x = -0 - vel.dx pos.y = 0 - vel.dy end`,
		"constants":             `for e, pos, vel in world:each("Position", "Velocity") do pos.x = 0 * -1 pos.y = 0 / -5 vel.dx = -3 % 3 vel.dy = -0 + -0 end`,
		"minus of constants":    `for e, pos, vel in world:each("Position", "Velocity") do pos.x = -(0 * -1) pos.y = - -0 vel.dx = -(-3 % 3) vel.dy = (-0) ^ 1 end`,
		"under a condition": `for e, pos, vel in world:each("Position", "Velocity") do
			local z = 0
			if pos.x > 10 then z = -0 end
			pos.x = z pos.y = pos.y > 3 and -0 or 0 vel.dx = math.max(0, -0) vel.dy = math.max(-0, 0)
		end`,
		"counting": `for e, pos, vel in world:each("Position", "Velocity") do for i = -0, 0 do pos.x = i end for i = 1, -0, -1 do pos.y = i end vel.dx = math.ceil(-0.5) end`,
		"kept around the loop": `local last, first = -0, 0
			for e, pos, vel in world:each("Position", "Velocity") do vel.dx, last = last, 0 vel.dy, first = first, -0 end`,
		"a query within": `for e, pos, vel in world:each("Position", "Velocity") do
			local low = -0
			for other, at in world:each("Position") do low = low + -0 end
			vel.dx, vel.dy = low, -0
		end`,
		"an entity": `for e, pos, kinds in world:each("Position", "Kinds") do kinds.who = -0 kinds.i16 = -0 kinds.f32 = -0 kinds.f64 = -0 pos.x = 0 end`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			source := "local function keep() return -0 end\nreturn function(world, dt)\n" + body + "\nend"
			want, _ := reached(t, source, Lua)
			for _, impl := range []Impl{Closures, Auto} {
				got, r := reached(t, source, impl)
				if got != want {
					t.Errorf("%v: digests\n%s\ninterpreted\n%s", impl, got, want)
				}
				if n := r.runner("a.lua").Kernels(); n != 1 {
					t.Errorf("%v: %d loops are compiled", impl, n)
				}
			}
		})
	}
}

// What scripts store has the sign it is written with, wherever in a function -0
// stands: the first example of the report.
func TestZerosStored(t *testing.T) {
	w := kernelTestWorld(t)
	_, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": `return function(world)
  local x = -0
  world:spawn{ Position = { x = 0, y = x } }
  world:spawn{ Position = { x = 0 * -1, y = -0 } }
end`})}, 1, System{Name: "a", Script: "a.lua", Impl: Lua})
	if err != nil {
		t.Fatal(err)
	}
	position, _ := w.LookupComponent("Position")
	q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{position}})
	if err != nil {
		t.Fatal(err)
	}
	signs := map[[2]bool]int{}
	for c := ecs.Raw.Begin(q); c.Next(); {
		x, y := c.Row(0).Number(0), c.Row(0).Number(1)
		if x == 0 && y == 0 {
			signs[[2]bool{math.Signbit(x), math.Signbit(y)}]++
		}
	}
	if signs[[2]bool{false, true}] != 2 {
		t.Errorf("zeros with a minus in x and y: %v", signs)
	}
}
