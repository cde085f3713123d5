package luatest

import "testing"

func TestEvents(t *testing.T) {
	r := run(t, head+`
it("collects", function()
  local w = t.world{ config = "drain" }
  w:send("Died", { who = ecs.none, cause = "before" })
  local died = t.events(w, "Died")
  assert.same({}, died)
  local rat = w:spawn{ Health = { current = 2 } }
  w:step(2, 0.25)
  assert.same({ { who = rat, cause = "age" } }, died)
  w:send("Died", { cause = "test" })
  assert.equal(2, #died)
  w.commands:send("Died", { cause = "queued" })
  w:step()
  assert.equal("queued", died[3].cause)
  assert.same({ "test", "queued" }, { t.list(w:peek("Died"))[1].cause, t.list(w:peek("Died"))[2].cause })
  assert.equal(3, #died)
end)
it("sees what is drained", function()
  local w = t.world{ config = "drains" }
  local died = t.events(w, "Died")
  for i = 1, 3 do w.commands:send("Died", { cause = "c" .. i }) end
  w:step(2)
  assert.equal(3, #died)
  assert.equal(3, w.resources.score)
  local sent = t.events(w, "Died")
  w:send("Died", { cause = "both" })
  assert.same({ { cause = "both", who = ecs.none } }, sent)
  assert.equal(4, #died)
end)
it("knows names", function() t.events(t.world{}, "Dyed") end)
it("takes a world", function() t.events("Died") end)`, Options{})
	want(t, outcome(r), `
ok collects
ok sees what is drained
FAIL knows names: a_test.lua:30: t.events: event "Dyed" is not declared; did you mean "Died"?
FAIL takes a world: a_test.lua:31: bad argument #1 to 'events' (world expected, got string); write t.events(world, "Died")`)
}

func TestSnapshotAndRestore(t *testing.T) {
	r := run(t, head+`
it("goes there and back", function()
  local w = t.world{ config = "remembers" }
  local died = t.events(w, "Died")
  local rat = w:spawn{ Health = { current = 50 }, ChildOf = w:spawn{ "here" } }
  w:step(2)
  local s = t.snapshot(w)
  local function go()
    local seen = #died
    w:step(3)
    w:despawn(rat)
    w:spawn{ Health = {} }
    w:step(2)
    return { w.resources.score, w.frame, w:count(), w:first("Health"), #died - seen, ecs.describe(w, w:first("Health")) }
  end
  local first = go()
  t.restore(w, s)
  assert.is_true(w:alive(rat))
  assert.equal(2, w.frame)
  assert.equal(50, w:get(rat, "Health").current)
  assert.is_true(w:tagged(w:related(rat, "ChildOf"), "here"))
  assert.same(first, go())
  t.restore(w, s)
  assert.same(first, go())
end)
it("of another world", function()
  t.restore(t.world{}, t.snapshot(t.world{}))
end)
it("is no snapshot", function() t.restore(t.world{}, {}) end)
it("is in a loop", function()
  local w = t.world{}
  w:spawn{ Health = {} }
  for _ in w:each("Health") do t.snapshot(w) end
end)
it("is too late", function()
  local w = t.world{}
  w:spawn{ Health = {} }
  local s = t.snapshot(w)
  for _ in w:each("Health") do t.restore(w, s) end
end)
it("has no plain state", function()
  t.snapshot(t.world{ config = "clings" })
end)
ecs.tag("here")`, Options{})
	want(t, outcome(r), `
ok goes there and back
FAIL of another world: a_test.lua:27: t.restore: the copy is one of another world
FAIL is no snapshot: a_test.lua:29: bad argument #2 to 'restore' (snapshot expected, got table); t.snapshot(world) makes one
FAIL is in a loop: a_test.lua:33: t.snapshot inside a query loop of the test; take it before the loop
FAIL is too late: a_test.lua:39: t.restore inside a query loop of the test; leave the loop first
FAIL has no plain state: a_test.lua:42: t.snapshot: the state of system "act" cannot be copied: f: a function is not plain data (numbers, strings, booleans and tables of them)`)
}
