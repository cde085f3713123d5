package luabind

import (
	"testing"
)

// upvalueHead begins files with loops that are compiled in two ways: the first one leaves the rows with an operator of tables, and does not
// reach what stands behind it, so only the other one knows the functions there.
const upvalueHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64" }) ecs.component("R", { z = "f64" }) ecs.event("Out", { n = "f64" })
local some = ecs.query{ "P", optional = { "R" } }
local V = {} V.__index = V
V.__add = function(a, b) return setmetatable({ x = a.x + b.x }, V) end
local va, vb = setmetatable({ x = 3 }, V), setmetatable({ x = 3 }, V)
local init = function(world) for i = 1, 15 do local e = world:spawn{ P = { x = i } } if i % 3 == 0 then world:add(e, "R") end end end
`

// A variable that only a function assigns, which only one of the two knows, keeps what the function has assigned.
func TestVariablesOfFunctionsBehindExits(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		`local up = 0 local function bump(d) up = up + (d or 1) return up end
		return { init = init, update = function(world)
			for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then world:send("Out", { n = bump() }) end end print(up)
			for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then world:send("Out", { n = bump(2) }) end end print(up)
			for out in world:drain("Out") do print(out.n) end
		end }`,
		`local up, last = 0, "none" local function note(e, p) up, last = up + p.x, "at " .. p.x end
		return { init = init, update = function(world)
			for i = 1, 2 do for e, p, r in world:each(some) do if (va + vb).x == p.x then note(e, p) elseif r then p.x = p.x + up end end print(up, last) end
		end }`,
		`local up = 0 local function bump(d) up = up + (d or 1) return up end local function run(world)
			for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then p.x = p.x + bump() end end print(up) up = up * 2
		end
		return { init = init, update = function(world) run(world) run(world) print(up) end }`,
		`local K, J = 1, nil local function swap() J, K = K, J end
		return { init = init, update = function(world)
			for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 and p.x % 4 == 1 then swap() end end print(K, J) K, J = 1, nil
		end }`,
		`local last, kept = nil, {} local function keep(p) last = p.x % 4 == 1 and kept or p.x % 4 == 2 and "two" or nil end
		return { init = init, update = function(world)
			for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then keep(p) end end print(type(last), last == kept, last == "two") last = nil
		end }`,
		`local other
		local function make()
			local up = 0
			local function bump(d) up = up + (d or 1) return up end
			other = other or bump
			return function(world)
				for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then p.x = p.x + bump() end end print(up)
			end, function(world)
				for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then p.x = p.x + other() + up up = up + 1 end end print(up)
			end
		end
		local run1, run2 = make() local run3, run4 = make()
		return { init = init, update = function(world) run1(world) run2(world) run3(world) run4(world) run1(world) run2(world) run3(world) run4(world) end }`,
		`local other
		local function make()
			local up = 0
			local function bump(d) up = up + (d or 1) return up end
			other = other or bump
			return function(world)
				for e, p, r in world:each(some) do if r then elseif (va + vb).x ~= 3 then p.x = p.x + other() elseif p.x > 1e9 then up = 0 end end print(up)
			end
		end
		local run1 = make() local run2 = make()
		return { init = init, update = function(world) run1(world) run2(world) run1(world) run2(world) end }`,
	} {
		sameCompiled(t, upvalueHead+source, source, byAny)
	}
}
