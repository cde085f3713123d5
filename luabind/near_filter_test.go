package luabind

import (
	"regexp"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// A filteredLoop is a body with a loop over near entities. filtered says that lowering finds a filter for it.
type filteredLoop struct {
	name     string
	body     string
	filtered bool
}

// filteredLoops are the ways in which scripts leave most near entities out, and what only looks like it.
var filteredLoops = []filteredLoop{
	{"a side", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local n = 0
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			local s = world:get(other, "Small")
			if s and s.u8 ~= small.u8 then n = n + d2 end
		end
		vel.dx = n
	end`, true},
	{"the nearest enemy", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local enemy, best = ecs.none, math.huge
		for other, d2 in world:near("g", pos.x, pos.y, 9) do
			if d2 < best and other ~= e then
				local s = world:get(other, "Small")
				if s and s.u8 == 1 then enemy, best = other, d2 end
			end
		end
		if enemy ~= ecs.none then vel.dx, vel.dy = best, enemy % 1009 end
	end`, true},
	{"continue", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local best = 50
		for other, d2 in world:near("g", pos.x, pos.y, 9) do
			if other == e then goto continue end
			local s = world:get(other, "Small")
			if not s or s.u8 == small.u8 then goto continue end
			if d2 >= best then goto continue end
			best = d2
			::continue::
		end
		vel.dx = best
	end`, true},
	{"a function", `local function hostile(world, other, side)
		local s = world:get(other, "Small")
		if not s then return false end
		return s.u8 ~= side
	end
	for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local n = 0
		for other, d2 in world:near("g", pos.x, pos.y, 9) do
			if hostile(world, other, small.u8) then n = n + d2 end
		end
		vel.dx = n
	end`, true},
	{"a tag", `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if world:tagged(other, "player") and world:alive(other) then vel.dx = vel.dx + d2 end
		end
	end`, true},
	{"a tag that changes", `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if world:tagged(other, "player") then vel.dx = vel.dx + d2 world:untag(other, "player") end
		end
	end`, false},
	{"not oneself", `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 2) do
			if other ~= e and d2 > 0 then vel.dx = vel.dx + 1 / d2 end
		end
	end`, true},
	{"the first one", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		for other, d2 in world:near("g", pos.x, pos.y, 9) do
			local s = world:get(other, "Small")
			if s and s.u8 > small.u8 then vel.dx = d2 break end
		end
	end`, true},
	{"a function that returns the first one", `local function first(world, e, pos)
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if other ~= e and d2 > 3 then return d2 end
		end
		return -1
	end
	for e, pos in world:each("Position") do pos.y = pos.y + first(world, e, pos) end`, true},
	{"a component that some lack", `for e, pos in world:each("Position") do
		for other, d2 in world:near("g", pos.x, pos.y, 3) do
			if world:get(other, "Velocity").dx > 5 then pos.y = pos.y + d2 / 64 end
		end
	end`, true},
	{"the most and the least", `for e, pos, vel in world:each("Position", "Velocity") do
		local least, most = 9, 0
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			local v = world:get(other, "Velocity")
			if v then
				if v.dy < least then least = v.dy elseif v.dx > most then most = v.dx end
			end
		end
		pos.y = pos.y + least - most
	end`, true},
	{"a minimum that may grow", `for e, pos, vel in world:each("Position", "Velocity") do
		local best = 1
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if d2 < best then best = d2 + 3 vel.dx = vel.dx + d2 end
		end
	end`, false},
	{"a minimum that is set back", `for e, pos, vel in world:each("Position", "Velocity") do
		local best = math.huge
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if d2 < best then best = d2 vel.dx = vel.dx + d2 end
			if other % 5 == 0 then best = 30 end
		end
	end`, false},
	{"a minimum that is no number", `for e, pos, vel in world:each("Position", "Velocity") do
		local best, n = 0 / 0, 0
		for other, d2 in world:near("g", pos.x, pos.y, 6) do
			if not (best <= d2) and other % 2 == 0 then best = d2 end
			if d2 < best and other % 2 == 1 then n = n + d2 end
		end
		vel.dx = n
	end`, true},
	{"a condition of two parts", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local n = 0
		for other, d2 in world:near("g", pos.x, pos.y, 7) do
			local s = world:get(other, "Small")
			if s then
				if s.u8 == small.u8 then
					if d2 < 4 and (world:get(other, "Position").x - pos.x) * vel.dx > 0 then n = n + 1 end
				elseif d2 < 16 then n = n - d2 end
			end
		end
		vel.dy = n
	end`, true},
	{"a value that the loop changes", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		for other, d2 in world:near("g", pos.x, pos.y, 7) do
			local s = world:get(other, "Small")
			if s and s.u8 == small.u8 then s.u8 = (s.u8 + 1) % 3 vel.dx = vel.dx + d2 end
		end
	end`, false},
	{"a field of the row that the loop changes", `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 7) do
			if d2 > vel.dx then vel.dx = vel.dx + 1 end
		end
	end`, false},
	{"a flag of the iteration", `for e, pos, vel, small in world:each("Position", "Velocity", "Small") do
		local n = 0
		for other, d2 in world:near("g", pos.x, pos.y, 7) do
			local s, counts = world:get(other, "Small"), false
			if s and s.u8 == 2 then counts = true end
			if d2 < 1 then counts = not counts end
			if counts then n = n + d2 end
		end
		vel.dy = n
	end`, true},
	{"a flag that is kept", `for e, pos, vel in world:each("Position", "Velocity") do
		local seen = false
		for other, d2 in world:near("g", pos.x, pos.y, 7) do
			if seen then vel.dx = vel.dx + d2 end
			if d2 > 9 then seen = true end
		end
	end`, false},
	{"loops in loops", `for e, pos, vel in world:each("Position", "Velocity") do
		for other, d2 in world:near("g", pos.x, pos.y, 4) do
			if d2 > 2 then
				for third, d3 in world:near("g", pos.x + d2, pos.y, 3) do
					if third ~= other and d3 < d2 then vel.dx = vel.dx + d3 end
				end
			end
		end
	end`, true},
	{"events and commands", `for e, pos, small in world:each("Position", "Small") do
		for other, d2 in world:near("g", pos.x, pos.y, 3) do
			local s = world:get(other, "Small")
			if s and s.u8 ~= small.u8 and d2 < 1 then world:tag(other, "enemy") end
			if s and s.u8 == 2 and d2 > 8 and pos.x > 25 then world.commands:despawn(other) end
		end
	end`, true},
}

// A filter changes no result: the loops do under machine code and closures what they do in the interpreter, and they use the same fuel.
func TestFiltersOfNearLoops(t *testing.T) {
	t.Parallel()
	for _, c := range filteredLoops {
		t.Run(c.name, func(t *testing.T) {
			body := sides + "\n" + c.body
			limits := []uint64{0, 3001}
			if effort.More() {
				limits = []uint64{0, 700, 3001, 12_000, 66_000}
			}
			for _, limit := range limits {
				reference := Lua
				if limit > 0 {
					reference = Closures
				}
				want, _ := nearby(t, body, reference, limit)
				for _, impl := range []Impl{Closures, Auto} {
					got, r := nearby(t, body, impl, limit)
					if got != want {
						t.Fatalf("%s, limit %d:\n%s\nwant\n%s", impl, limit, got, want)
					}
					if impl != Auto || limit > 0 {
						continue
					}
					if n := r.runner("a.lua").MachineKernels(); n == 0 {
						t.Error("no loop is machine code")
					}
					filtered := false
					for _, l := range r.Explain() {
						filtered = filtered || l.Dump != nil && nearWithFilter.MatchString(l.Dump())
					}
					if filtered != c.filtered {
						t.Errorf("filtered: %v", filtered)
					}
				}
			}
		})
	}
}

// sides gives the small ones values, some in a row.
const sides = `if world.frame == 1 then
		local i = 0
		for e, s in world:each("Small") do i = i + 1 if i > 12 then s.u8 = i % 3 end end
	end`

// nearWithFilter matches a loop over near entities with a filter in the text of a Program.
var nearWithFilter = regexp.MustCompile(`(?m)^ *near .* Args=`)
