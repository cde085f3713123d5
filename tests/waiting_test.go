package tests

import (
	"os"
	"strings"
	"testing"
)

// waitingWorld has timers of all kinds: sent in loops, by observers, by turns that fail and by a system that is disabled; replaced by key and cancelled.
var waitingWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 40, seed: 7, dt: 0.1 }
limits: { on_error: skip, events: 500 }
components:
  - { name: Door, fields: [rings i32, last f64, number f64] }
events:
  - { name: Ring, fields: [door entity, n f64, note string, data table] }
  - { name: Open }
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: ring, script: ring.lua }
  - { name: reads, script: reads.lua }
  - { name: fails, script: fails.lua }
  - { name: watches, script: watches.lua }
`,
	"setup.lua": `return function(world)
  for i = 1, 20 do world:spawn{ Door = {} } end
  world.commands:send("Open", {}, { after = 0.3 })
  world.commands:send("Open", {}, { at = 9, key = "nine" })
end
`,
	"ring.lua": `local ecs = require("ecs")
return function(world)
  local c = world.commands
  for e, door in world:each("Door") do
    local n = ecs.random(1, 9)
    if n == 1 then c:cancel(door.number) end
    if n == 2 then c:cancel("Ring", "door " .. ecs.random(1, 4)) end
    if n > 5 then
      door.number = c:send("Ring", { door = e, n = n, note = "n" .. n, data = { n, { world.frame } } }, { after = n / 10 })
    elseif n > 3 then
      c:send("Ring", { door = e, n = n }, { frames = n, key = "door " .. n % 4 })
    end
  end
  if world.frame == 11 then c:despawn((world:first("Door"))) end
end
`,
	"reads.lua": `local sum = 0
return function(world)
  for ev in world:read("Ring") do
    sum = (sum * 31 + ev.n + world.frame) % 1000003
    if world:alive(ev.door) then
      local door = world:get(ev.door, "Door")
      door.rings, door.last = door.rings + 1, sum
    end
  end
  for ev in world:drain("Open") do world.commands:send("Open", {}, { frames = 4, key = "nine" }) end
end
`,
	"fails.lua": `return function(world)
  local n = world.commands:send("Ring", { n = 100 }, { frames = 1 })
  world.commands:cancel("Open", "nine")
  world.commands:cancel(n - 40)
  if world.frame % 3 ~= 0 then error("no") end
end
`,
	"watches.lua": `return {
  init = function(world)
    world:on("set", "Door", function(world, e)
      world.commands:send("Ring", { door = e, n = 0.5 }, { after = 0.25, key = "watch" })
    end)
  end,
  update = function(world) end,
}
`,
}

// Waiting events are the same under each implementation, after a resume at each frame, and in a replay.
func TestWaitingEventsAreTheSame(t *testing.T) {
	run := program(t, waitingWorld)
	sameEverywhere(t, run, 40, []string{"ring", "reads", "fails", "watches"})
	run(0, "snapshot", "export", "saves/frame-0000000020.snap", "--format", "csv", "--out", "out")
	if got, err := os.ReadFile("out/_waiting.csv"); err != nil || !strings.HasPrefix(string(got), "number,event,key,frame,time,fields\n") {
		t.Errorf("%q, %v", got, err)
	}
	if got := run(1, "snapshot", "diff", "saves/frame-0000000020.snap", "saves/frame-0000000021.snap"); !strings.Contains(got, "waiting event 1: Ring{") {
		t.Error(got)
	}
}

// An event that waits counts for the limit of events, and the line that sent it is named.
func TestWaitingEventsAreLimited(t *testing.T) {
	run := program(t, map[string]string{
		"c.yaml": "version: 1\nrun: { frames: 2 }\nlimits: { events: 100 }\nevents: [{ name: Ring, fields: [n f64] }]\nsystems: [{ name: s, script: s.lua }]\n",
		"s.lua":  "return function(world)\n  for i = 1, 101 do\n    world.commands:send('Ring', { n = i }, { after = 9 })\n  end\nend\n",
	})
	if got := run(5, "run", "c.yaml", "--quiet"); !strings.Contains(got, "s.lua:3:") || !strings.Contains(got, "limit reached: 100 events") {
		t.Error(got)
	}
}
