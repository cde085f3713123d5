package luabind

import "testing"

// namedCallCases call functions of the world with names that rows compute.
var namedCallCases = []cellCase{
	// questions
	{body: `local n = NAMES[c.k % 3 + 1] if world:has(e, n) then sum = sum + 1 end`},
	{body: `local n = c.k == 1 and "Burning" or "Wet" if world:has(e, n) then sum = sum + 1 end`},
	{body: `if world:has(e, c.s) then sum = sum + 1 end`},
	{body: `local n = c.s if world:has(e, n, "Cell") or world:has(e, "Wet", n) then sum = sum + 1 end`},
	{body: `if world:has(e, c.s, NAMES[c.k % 3 + 1]) then sum = sum + 1 end`},
	{body: `if world:has(e, c.b and "Owner" or c.s) then sum = sum + 1 end`},
	{body: `if world:tagged(e, c.tag) then sum = sum + 1 end if world:tagged(e, TAGS[c.k % 2 + 1], c.tag) then sum = sum + 10 end`},
	{body: `if any(world, e, "Burning") or any(world, e, c.s) then sum = sum + 1 end`, head: `local function any(world, e, n) return world:has(e, n) end`},
	{body: `if world:has(e, pick(c.k)) then sum = sum + 1 end`, head: `local function pick(k) if k > 1 then return "Burning" end return "Wet" end`},
	{body: `if world:has(c.who, c.s) then sum = sum + 1 end`},
	{body: `if world:has(e, NAMES[ecs.random(3)]) then sum = sum + 1 end`},
	{body: `local o = world:related(e, c.b and "Owner" or "Owner") if o then sum = sum + 1 end`, some: true},
	// tags
	{body: `local n = TAGS[c.k % 2 + 1] world:tag(e, n)`},
	{body: `world:tag(e, c.b and "red" or "blue")`},
	{body: `if world:untag(e, c.tag) then sum = sum + 1 end if world:tagged(e, c.tag) then sum = sum + 10 end world:tag(e, c.tag)`},
	{body: `local had = world:untag(e, c.tag, "red") if had then sum = sum + 1 end`},
	{body: `if c.k == 1 then world:tag(e, c.tag) else world:untag(e, c.tag) end`},
	// views
	{body: `local n = NAMES[c.k % 3 + 1] local v = world:get(e, n) if v then sum = sum + v.v end`},
	{body: `local v = world:get(e, c.s) if v then sum = sum + v.v v.v = v.v + 1 end`},
	{body: `local v = world:get(e, c.s) if not v then goto on end v.v = c.x ::on::`},
	{body: `local v = world:get(e, c.s) if v ~= nil then v.v, c.y = c.y, v.v end`},
	{body: `local v = world:get(e, c.b and "Wet" or "Cell") if v then sum = sum + v.v if c.b then sum = sum + v.w end end`},
	{body: `local v = world:get(c.who, c.s) local x = v and v.v or 7 sum = sum + x`, some: true},
	{body: `sum = sum + amount(world, e, c.s)`, head: `local function amount(world, e, n) local v = world:get(e, n) if v then return v.v end return 0 end`},
	{body: `for i = 1, #NAMES do local v = world:get(e, NAMES[i]) if v then v.v = v.v + i end end`},
	{body: `for i = 1, 3 do local n = KINDS[i] if world:has(e, n) then local v = world:get(e, n) v.v = v.v * 2 end end`},
	// commands, events
	{body: `world.commands:add(e, NAMES[c.k % 3 + 1])`},
	{body: `world.commands:add(e, c.s, NAMES[c.k % 3 + 1])`, some: true},
	{body: `if c.k == 2 then world.commands:remove(e, c.s) else world.commands:add(e, c.s) end`},
	{body: `world.commands:set(e, c.s, { v = c.x })`},
	{body: `world.commands:set(e, NAMES[c.k % 3 + 1], { v = c.x + ecs.random() })`},
	{body: `world.commands:tag(e, c.tag) world.commands:untag(e, TAGS[c.k % 2 + 1])`},
	{body: `world:send(c.b and "Out" or "Ping", { n = c.x })`},
	{body: `world:send(EV[c.k % 2 + 1], { n = c.x, s = c.s })`, head: `local EV = { "Out", "Ping" }`},
	{body: `world.commands:send(EV[c.k % 2 + 1], { n = c.x, s = c.s .. c.k })`, head: `local EV = { "Out", "Ping" }`},
	{body: `world:send(c.b and "Out" or "Ping", { n = c.x, e = c.b and e or nil })`, some: true},
	{body: `for p in world:peek("Ping") do if world:has(found or 0, p.s) then sum = sum + 1 end world:send("Out", { s = p.s }) end for e, c in world:each("Cell") do found = e end`, some: true},
	// set
	{body: `if world:has(e, "Burning") then world:set(e, "Burning", { v = c.x }) end`},
	{body: `world:set(e, "Cell", { x = c.x + 1, s = c.s, who = e, b = not c.b })`},
	{body: `if world:set(e, "Cell", { x = c.x + 1 }) then sum = sum + c.x end`},
	{body: `if world:has(e, "Wet") then local n = "Wet" world:set(e, n, { v = ecs.random(9), w = c.k }) end`},
	{body: `for i, n in ipairs(NAMES) do if world:has(e, n) then world:set(e, n, { v = i }) end end`},
	{body: `if world:has(e, c.s) then world:set(e, c.s, { v = c.x }) end`},
	{body: `if world:alive(c.who) then world:set(c.who, "Cell", { x = c.x, y = nil, v = total }) end total = total + 1`},
	{body: `local o = world:related(e, "Owner") if o then world:set(o, "Cell", { v = c.v + 1 }) end`},
	{body: `if world:has(c.who, swap(c)) then sum = sum + 1 end`, head: `local function swap(c) c.who = found c.s = "Wet" return c.s end`, some: true},
	{body: `found = e if world:has(found, swap(c)) then sum = sum + 1 end`, head: `local function swap(c) found = c.who return c.s end`, some: true},
	// errors, and rows that only the interpreter can run
	{body: `world:set(e, "Burning", { v = c.x })`, some: true},
	{body: `world:set(c.who, "Cell", { k = c.x / 2 })`, some: true},
	{body: `world:set(e, "Cell", { k = c.x > 4 and 3e9 or 1 })`, some: true},
	{body: `world:set(e, "Cell", { x = c.x, who = c.k == 2 and "a" or e })`, some: true},
	{body: `local n = c.k == 3 and "Brning" or c.s if world:has(e, n) then sum = sum + 1 end`, some: true},
	{body: `world:tag(e, c.k == 3 and "green" or c.tag)`, some: true},
	{body: `if c.k == 2 then world:tag(e, c.s) end sum = sum + 1`, some: true},
	{body: `local v = world:get(e, c.k == 3 and "none" or c.s) sum = sum + (v and v.v or 1)`, some: true},
	{body: `local v = world:get(e, c.s) sum = sum + v.v`, some: true},
	{body: `local v = world:get(e, c.s) if v then v.w = c.k sum = sum + 1 end`, some: true},
	{body: `local v = world:get(e, c.b and "Owner" or "Wet") if v then sum = sum + v.v end`, some: true},
	{body: `local n = c.k == 3 and 5 or c.s if world:has(e, n) then sum = sum + 1 end`, some: true},
	{body: `world.commands:add(e, c.s, c.s)`, some: true},
	{body: `world.commands:set(e, c.b and "Wet" or "Burning", { w = c.k })`, some: true},
	{body: `world:send(c.k == 3 and "None" or "Out", { n = c.x })`, some: true},
	{body: `if world:has(c.k == 3 and "x" or e, c.s) then sum = sum + 1 end`, some: true},
}

// Calls with computed names do the same with every implementation, and are compiled.
func TestNamedCalls(t *testing.T) {
	t.Parallel()
	testCells(t, namedCallCases)
}
