package main

// The lines that scripts are made of. A word that begins with $ is replaced by a random one: $n a number from 0 to 9, $f a number with a fraction, $c a component
// with fields, $k any component, $t a tag, $r a relation, $e an entity, $p the number of frames between two failures.

// updates are what a turn may do.
var updates = []string{
	`lib.spawn(world, { Pos = { x = $n, y = $f }, "$t" })`,
	`lib.spawn(world, { Hp = { now = $n }, "Mark", OwnedBy = $e })`,
	`lib.spawn(world, { Bag = { items = { $n, { k = $n } }, n = $n, owner = $e } })`,
	`lib.queue(world, { Pos = { x = $f }, "$t", Hp = {} })`,
	`do local e = lib.queue(world, { "Mark" }) world.commands:set(e, "Pos", { x = $n }) world.commands:tag(e, "$t") world.commands:relate(e, "$r", $e) end`,
	`do local list = world:spawn_many($n % 4 + 1, { Pos = { x = $n }, "$t", OwnedBy = $e }, function(i) return { Label = lib.born(world), Hp = { now = i } } end) print("many", #list) end`,
	`do local list = world:spawn_many(2, { ChildOf = $e, "$t" }, function(i) return { Label = lib.born(world), ChildOf = i == 1 and $e or nil } end) print("children", lib.label(world, list[2])) end`,
	`if world:count("Label") > 14 then world:despawn($e) end`,
	`if world:count() > 24 then for i = 1, 6 do world:despawn(lib.nth(world, i * 3 + $n)) end end`,
	`print("add", world:add($e, "$k"))`,
	`print("add two", world:add($e, "$k", "$k"))`,
	`print("remove", world:remove($e, "$k"))`,
	`print("set", world:set($e, "Pos", { x = $f }))`,
	`print("set", world:set($e, "Hp", { now = $n, max = $n }))`,
	`print("set", world:set($e, "Bag", { items = { a = $n, b = { $n } }, owner = $e }))`,
	`print("tag", world:tag($e, "$t"), world:untag($e, "$t"))`,
	`print("tags", pcall(world.tag, world, $e, "a", "b", "hot"))`,
	`print("relate", (pcall(world.relate, world, $e, "$r", $e)))`,
	`print("unrelate", world:unrelate($e, "$r"), lib.label(world, world:related($e, "$r")))`,
	`print("base", (pcall(world.relate, world, $e, "IsA", $e)))`,
	`for e, p in world:each("Pos") do p.x = p.x * 0.5 + $f p.y = p.y + p.x end`,
	`for e, p in world:each("Pos") do if p.x > $n then world:tag(e, "$t") elseif p.x < 1 then world:untag(e, "$t") end end`,
	`for e, h in world:each("Hp") do h.now = h.now - $f if h.now < 0 then world:send("Hit", { who = e, n = h.now }) h.now = h.max end end`,
	`for e, p, h in world:each("Pos", "Hp") do h.now = h.now + p.x p.y = h.now % 7 end`,
	`for e, h in world:each("Hp") do if h.now > 30 then h.now = 1 world.commands:despawn(e) end end`,
	`for e, h in world:each("Hp") do if h.max == $n then world.commands:add(e, "Mark") world.commands:remove(e, "Pos") end end`,
	`for e, p in world:each(changed) do print("changed", lib.label(world, e)) end`,
	`for e in world:each(added) do print("added", lib.label(world, e)) end`,
	`do local n = 0 for e, b in world:each("Bag") do b.items["k$n"] = world.frame b.items[1] = (b.items[1] or 0) + 1 n = n + b.n end print("bags", n) end`,
	`for e, b in world:each("Bag") do table.insert(b.items, $n) if #b.items > 3 then table.remove(b.items, 1) end end`,
	`for e, b in world:each("Bag") do local items = b.items items.z = $n if world.frame % 2 == 0 then b.items = items end b.owner = $e end`,
	`for e, b in world:each("Bag") do b.n = (b.n * 3 + $n) % 200 end`,
	`world:send("Hit", { who = $e, n = $f })`,
	`world:send("Note", { text = "t$n", data = { $n, who = $e } })`,
	`world.commands:send("Note", { text = "queued" })`,
	`do local out = {} for ev in world:read("Hit") do out[#out + 1] = lib.label(world, ev.who) .. ev.n end print("read", table.concat(out, " ")) end`,
	`do local out = {} for ev in world:read("Note") do out[#out + 1] = ev.text .. lib.text(world, ev.data) end print("notes", table.concat(out, " ")) end`,
	`for ev in world:read("Hit") do print("one", ev.n) break end`,
	`for ev in world:peek("Note") do print("peeked", ev.text) end`,
	`do local n = 0 for ev in world:drain("$v") do n = n + 1 end print("drained", n) end`,
	`for e in world:removed("$k") do print("removed", lib.label(world, e)) end`,
	`do local n = 0 for e, d in world:near("places", $n, $f, 4) do n = n + d world:get(e, "Pos").y = $n end print("near", n) end`,
	`for e, p in world:each("Pos") do local n = 0 for o, d in world:near("places", p.x, p.y, 2) do if o ~= e then n = n + 1 end end p.y = p.y * 0.5 + n end`,
	`for c in world:sources("$r", $e) do print("source", lib.label(world, c)) end`,
	`for e in world:each(query) do print("query", lib.label(world, e)) end`,
	`print("counts", world:count("Pos"), world:count("Hp"), world:count(query), lib.label(world, (world:first("Bag"))))`,
	`print("random", ecs.random(100), math.random() < 0.5)`,
	`world.resources.score = world.resources.score + $n`,
	`do local b = world.resources.board b["s$n"] = world.frame world.resources.board = b end`,
	`M.state.n = M.state.n + $n print("state", M.state.n)`,
	`M.state.list[#M.state.list + 1] = world.frame if #M.state.list > 3 then table.remove(M.state.list, 1) end print("list", #M.state.list, M.state.list[1])`,
	`world.commands:despawn($e) world.commands:tag($e, "$t")`,
	`world.commands:set($e, "Hp", { now = $n }) world.commands:untag($e, "$t") world.commands:unrelate($e, "$r")`,
	`print("caught", (pcall(function() world:tag($e, "$t") world:set($e, "Hp", { now = $n }) error("inner") end)))`,
	`print("limit", (pcall(function() for i = 1, 40 do world:send("Hit", { n = i }) end end)))`,
	`do local t = {} for i = 1, $n do t[i] = i * $f end table.sort(t, function(x, y) return x > y end) print("sorted", t[1]) end`,
	`print("name", ("%s-%d"):format(lib.label(world, $e), $n))`,
}

// memories are what a turn may do with variables that are not in the world: files without them can be loaded anew.
var memories = []string{
	`kept = kept or $e print("kept", world:alive(kept), lib.label(world, kept)) if not world:alive(kept) then kept = nil end`,
	`do local e = $e if world:has(e, "Pos") and not view then view, of = world:get(e, "Pos"), e end if view then if world:alive(of) and world:has(of, "Pos") then view.x = view.x + 1 print("view", view.x) else view = nil end end end`,
	`calls[#calls + 1] = function() return world.frame + $n end if #calls > 3 then table.remove(calls, 1) end print("call", calls[1]())`,
	`do local n = 0 for ev in world:read("Hit") do last = ev end if last then print("last", last.n) end end`,
	`walk = walk or coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end) if world.frame < 90 then print("coroutine", walk()) end`,
}

// failures end a turn. Each stands behind a condition on the frame.
var failures = []string{
	`error("boom")`,
	`lib.ghost(lib.spawn(world, { Pos = {}, "$t" })) error("after a spawn")`,
	`for e, h in world:each("Hp") do h.now = h.now + 1 world:tag(e, "$t") if h.now > $n then error("in a row") end end`,
	`for e, p in world:each("Pos") do p.x = p.x + 1 world:send("Hit", { who = e }) lib.nothing() end`,
	`for ev in world:drain("$v") do end world:untag($e, "$t") world:set($e, "Hp", { now = "text" })`,
	`for i = 1, 4 do lib.ghost(lib.queue(world, { Hp = { now = i } })) end local x = nil; x.y = 1`,
	`for e in world:each("Label") do world:despawn(e) end`,
	`world:remove($e, "$k") world:despawn($e) lib.spawn(world, { "Mark" }) while true do M.n = 1 end`,
	`world:tag($e, "$t") local t = {} while true do t[#t + 1] = { $n, "x" .. #t } end`,
	`world:relate($e, "OwnedBy", $e) world:send("Note", { text = "never" }) for i = 1, 200 do lib.ghost(world:spawn{ "hot" }) end for i = 1, 500 do world:send("Hit", { n = i }) end error("no limit")`,
	`world.resources.score = 5 ecs.random() for ev in world:read("Note") do end world.resources.score = 2 ^ 40`,
	`local b = world.resources.board b.f = print world.resources.board = b`,
}

// observed are the kinds of observers, with their names.
var observed = []string{
	`"added", "$k"`, `"removed", "$k"`, `"set", "$c"`, `"tagged", "$t"`, `"untagged", "$t"`, `"related", "$r"`, `"unrelated", "$r"`, `"spawned"`, `"despawned"`,
}

// reactions are what an observer of e may do.
var reactions = []string{
	`world:tag(e, "$t")`,
	`world:untag(e, "$t")`,
	`world:send("Hit", { who = e, n = $n })`,
	`world:send("Note", { text = "seen" })`,
	`world.commands:set(e, "Hp", { now = $n })`,
	`world.commands:add(e, "Mark")`,
	`world.commands:remove(e, "$k")`,
	`lib.queue(world, { Pos = { x = $n }, "$t" })`,
	`world.commands:despawn($e)`,
	`world.commands:relate(e, "OwnedBy", $e)`,
	`if world:has(e, "Hp") then local h = world:get(e, "Hp") if (pcall(function() h.now = h.now + 1 end)) then print("up") end end`,
	`world:tag($e, "$t") print("tags", #world:tags(e))`,
	`for ev in world:read("Hit") do print("observer reads", ev.n) end`,
	`M.state.n = M.state.n + 1`,
	`print("draws", ecs.random(9))`,
	`world.resources.score = world.resources.score + 1`,
	`print("sees", world:count(query), lib.label(world, world:related(e, "$r")))`,
	`for e in world:each(changed) do print("observer: changed", lib.label(world, e)) break end`,
	`for e in world:removed("$k") do print("observer: removed", lib.label(world, e)) end`,
	`if world.frame % $p == 1 then world:tag(e, "$t") world.commands:add(e, "Hp") error("observer") end`,
	`if world.frame % $p == 2 then world:spawn{} end`,
}
