package luabind

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// What tables in fields cost per entity, beside the same work over a slice of Go structs.

// tableFieldSetup declares a component with a list of two to five points, and gives it to n entities.
const tableFieldSetup = `local ecs = require("ecs")
ecs.component("Route", { points = "table", at = "i32", x = "f64" })
local s = {}
function s.init(world)
	local function route()
		local points = {}
		for i = 1, ecs.random(2, 5) do points[i] = { x = ecs.random(100), y = ecs.random(100) } end
		return points
	end
	for i = 1, %d do world:spawn{ Route = { points = route(), at = i %% 2 + 1 } } end
	for e, r in world:each("Route") do if ecs.random() < 0.5 then r.points = route() end end
end
function s.update(world, dt) for e, r in world:each("Route") do %s end end
return s`

func BenchmarkTableFields(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		for _, c := range []struct{ name, body string }{
			{"item", `local goal = r.points[r.at] if goal then r.x = goal.x - goal.y end`},
			{"sum", `local sum, points = 0, r.points for i = 1, #points do sum = sum + points[i].x end r.x = sum`},
			{"change", `local points = r.points points[1].x = points[1].x + dt r.points = points`},
		} {
			b.Run(fmt.Sprintf("entities=%d/%s", n, c.name), func(b *testing.B) {
				framesOf(b, ecs.NewWorld(ecs.Options{Seed: 1}), Auto, n, "ns/entity", fmt.Sprintf(tableFieldSetup, n, c.body))
			})
		}
		type point struct{ x, y float64 }
		type route struct {
			points []*point
			at     int
			x      float64
		}
		routes := make([]route, n)
		for i := range routes {
			r := &routes[i]
			r.at = i % 2
			for range 2 + i%4 {
				r.points = append(r.points, &point{float64(i), 1})
			}
		}
		b.Run(fmt.Sprintf("entities=%d/floor", n), func(b *testing.B) {
			for b.Loop() {
				for i := range routes {
					r := &routes[i]
					goal := r.points[r.at]
					r.x = goal.x - goal.y
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
		})
	}
}

// BenchmarkObjects is a method of an object for each entity, looked up by the entity in a Lua table.
func BenchmarkObjects(b *testing.B) {
	const n = 8_000
	b.Run("lua", func(b *testing.B) {
		framesOf(b, ecs.NewWorld(ecs.Options{Seed: 1}), Auto, n, "ns/entity", fmt.Sprintf(objectsScript, n))
	})
	type creature struct{ age, rate float64 }
	list := make([]creature, n)
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			for i := range list {
				list[i].age += list[i].rate / 60
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
	})
}

const objectsScript = `local ecs = require("ecs")
ecs.component("Creature", { age = "f64", speed = "f64" })
local Animal = {} Animal.__index = Animal
function Animal:update(dt) self.body.age = self.body.age + dt * self.rate end
local objects, s = {}, {}
function s.init(world)
	for i = 1, %d do
		local e = world:spawn{ Creature = { speed = i %% 5 } }
		objects[e] = setmetatable({ body = world:get(e, "Creature"), rate = i %% 3 }, Animal)
	end
end
function s.update(world, dt)
	for e, c in world:each("Creature") do
		local o = objects[e]
		if o then o:update(dt) end
	end
end
return s`
