package main

// The lines about layers, indexes, arrays, orders, data files, states and waiting events: see statements.go. $m is a value of the state mode.

func init() {
	updates = append(updates, placeUpdates...)
	failures = append(failures, placeFailures...)
	reactions = append(reactions, placeReactions...)
}

var placeUpdates = []string{
	`lib.spawn(world, { Spot = { x = $n, y = $n }, "$t" })`,
	`lib.spawn(world, { Belt = { heat = { $f, 1 }, slots = { $e } }, "mode.$m" })`,
	`lib.queue(world, { Spot = { x = $n }, Belt = { slots = { $e, $e } }, "mode.$m" })`,
	`do local list = world:spawn_many($n % 3 + 1, { "mode.$m" }, function(i) return { Label = lib.born(world), Spot = { x = i, y = $n } } end) print("spots", #list) end`,
	`print("set spot", world:set($e, "Spot", { x = $n, y = $n % 4 }))`,
	`world.commands:set($e, "Spot", { y = $n }) world.commands:add($e, "Belt")`,
	`for e, s in world:each("Spot") do s.x = (s.x + $n) % 7 s.y = s.y + 1 end`,
	`for e, s in world:each("Spot", { order = "random" }) do if not world:at("spots", s.x + 1, s.y) then s.x = s.x + 1 end end`,
	`for e, s in world:each("Spot", { order = { "-Spot.x", "Spot.y" } }) do print("ordered", lib.label(world, e), s.x, s.y) end`,
	`for e, p in world:each("Pos", { order = "-Pos.x" }) do p.y = p.y * 0.5 + world:count("spots", $n, 1) print("far", lib.label(world, e), p.y) end`,
	`print("foremost", lib.label(world, (world:first("Hp", { order = "Hp.now" }))), lib.label(world, (world:first("Label", { order = "-Label.s" }))))`,
	`do local out = {} for e in world:all("spots", $n, $n) do out[#out + 1] = lib.label(world, e) world:set(e, "Spot", { x = $n }) end print("all", table.concat(out, " ")) end`,
	`do local out = {} for e, x, y in world:around("spots", $n, $n, 2) do out[#out + 1] = lib.label(world, e) .. x .. y if $n == 1 then world:despawn(e) end end print("around", table.concat(out, " ")) end`,
	`print("at", lib.label(world, world:at("spots", $n, $n)), world:count("spots", $n, $n), lib.label(world, world:at("named", "e$n")), world:count("owners", $e))`,
	`for e, h in world:each("Hp") do local o = world:at("spots", $n, $n) if o and o ~= e then h.now = h.now + 1 end end`,
	`world.layers.ground:set($n % 6, $n % 5, $n) world.layers.ground:add($n % 6, 0, 1)`,
	`for x, y, v in world.layers.ground:each() do if v == $n then world.layers.ground:set(x, y, (v + 1) % 9) end end`,
	`for x, y in world.layers.owner:around($n, $n, 1, "neumann") do world.layers.owner:set(x, y, $e) end print("owner", world.layers.ground:sum(), world.layers.owner:count(ecs.none))`,
	`for x, y, v in world.layers.ground:each() do if x == $n % 6 then world.layers.ground:set(5 - x, y, ecs.random(0, 9)) world.layers.owner:set(x, y, $e) if v > 7 then world:send("Hit", { n = v }) end end end`,
	`do local n, ground = 0, world.layers.ground for x, y, v in ground:each() do for a, b, o in ground:around(x, y, 1) do n = n * 0.5 + o - a if o == $n then break end end if v == $n and n > 3 then break end end print("cells", n) end`,
	`for x, y, e in world.layers.owner:each() do if e ~= ecs.none and x == $n % 3 then world:set(e, "Pos", { x = x }) world.commands:tag(e, "$t") print("owned", lib.label(world, e), tostring(x)) end end`,
	`do local last for x, y, v in world.layers.ground:around($n % 6, $n % 5, 2, "neumann") do last = v if x == $n % 6 then lib.spawn(world, { Spot = { x = x, y = y } }) end world.resources.score = world.resources.score * 0.5 + v end print("last", last) end`,
	`world.layers.before:copy(world.layers.ground) world.layers.ground:fill($n, 1, 1, 2, 2) print("before", world.layers.before:count($n))`,
	`for e, p in world:each("Pos") do world.layers.ground:set(math.floor(p.x) % 6, 1, $n) p.y = p.y * 0.5 + world.layers.ground:get($n % 6, 1) end`,
	`for e, b in world:each("Belt") do b.heat[$n % 4 + 1] = $f b.slots[$n % 3 + 1] = $e end`,
	`for e, b in world:each("Belt") do ecs.shuffle(b.heat) print("belt", lib.label(world, b.slots[1]), unpack(b.heat)) end`,
	`world.resources.map[$n + 1] = $n print("map", table.concat(world.resources.map, ""), ecs.pick(world.resources.map))`,
	`for e, b in world:each("Belt") do b.heat = { $f, b.heat[1] } end`,
	`world.commands:send("Hit", { who = $e, n = $n }, { frames = $n % 4 + 1 })`,
	`world.commands:send("Hit", { n = $f }, { after = $f * 0.3 }) world.commands:send("Note", { text = "late", data = { $n } }, { at = world.frame + $n % 3 + 1, key = "k$n" })`,
	`world.commands:cancel("Note", "k$n")`,
	`M.state.waits = M.state.waits or 0 world.commands:cancel(M.state.waits) M.state.waits = world.commands:send("Hit", { n = 7 }, { frames = 2 }) print("waits", M.state.waits)`,
	`world.commands:state("mode", "$m") print("mode", world.states.mode)`,
	`if world.states.mode ~= "day" then world.commands:state("mode", "day") end`,
	`do local n = 0 for i, w in ipairs(ecs.data("waves")) do n = n + w.power * i end print("data", n, ecs.data("waves")[$n % 3 + 1].kind, (pcall(rawset, ecs.data("waves"), 1, 2))) end`,
	`for e, h in world:each("Hp") do h.now = h.now % 50 + WAVES[$n % 3 + 1].power end`,
	`do local n = 0 for e, d in world:near("marked", $n, $f, 5) do n = n + d end print("marked", n, lib.label(world, (world:nearest("marked", $n, $n, 9)))) end`,
}

var placeFailures = []string{
	`world.layers.ground:fill(9) world:set($e, "Spot", { x = 3 }) world.commands:send("Hit", {}, { frames = 2 }) world.resources.map[3] = 7 world.commands:state("mode", "$m") error("taken back")`,
	`for x, y in world.layers.ground:each() do world.layers.ground:set(x, y, x * 100) end`,
	`for x, y, v in world.layers.ground:each() do world.layers.ground:set(x, y, v % 9 + 1) world.layers.before:add(5 - x, y, 1) if x + y == $n then world:tag($e, "$t") world.layers.ground:get(x, 5) end end`,
	`for e, s in world:each("Spot") do s.x = s.x + 1 end for e, b in world:each("Belt") do b.heat[1] = 5 b.slots[4] = e end lib.nothing()`,
	`lib.ghost(lib.spawn(world, { Spot = { x = 1, y = 1 }, "mode.$m" })) world:despawn($e) for i = 1, 300 do world.commands:send("Hit", {}, { frames = i }) end error("no limit of waiting events")`,
}

var placeReactions = []string{
	`world.layers.ground:add(0, 0, 1)`,
	`world:set(e, "Spot", { x = $n })`,
	`print("there", world:count("spots", $n, 1), lib.label(world, world:at("named", lib.label(world, e))))`,
	`world.commands:send("Note", { text = "later" }, { frames = 1, key = "k" })`,
	`world.commands:state("mode", "$m")`,
}
