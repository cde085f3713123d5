package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyTargetsWorld has people who get to know each other, forget, are introduced, and die, in every way that a script has, with
// observers, and in turns that fail. The order of targets decides whom they meet.
var manyTargetsWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 24, seed: 7 }
limits: { on_error: skip }
components:
  - { name: Person, fields: [age i32, fame f64] }
  - { name: Memory, fields: [told i32, last entity] }
tags: [lonely]
events: [{ name: Met, fields: [a entity, b entity] }]
relations: [{ name: Knows, targets: many }, Likes]
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: meet, script: meet.lua }
  - { name: spread, script: spread.lua }
  - { name: forget, script: forget.lua }
  - { name: watch, script: watch.lua }
  - { name: fails, script: fails.lua }
  - { name: renew, script: renew.lua }
`,
	"setup.lua": `local ecs = require("ecs")
return function(world)
  local all = world:spawn_many(40, { Person = {}, Memory = {} }, function(i) return { Person = { age = i } } end)
  for i, e in ipairs(all) do
    for k = 1, 3 do world:relate(e, "Knows", all[ecs.random(#all)]) end
    world:relate(e, "Likes", all[i % 7 + 1])
  end
  world:spawn{ Person = { age = 99 }, Knows = { all[3], all[2], all[3] } }
end
`,
	"meet.lua": `return function(world, dt)
  for e, person, friend in world:each("Person", "Knows") do
    person.age = person.age + 1
    local second = world:related(friend, "Knows")
    if second and second ~= e then world.commands:relate(e, "Knows", second) end
    if person.age % 5 == 0 then world.commands:unrelate(e, "Knows", friend) end
    if person.age % 11 == 0 then world:send("Met", { a = e, b = friend }) end
  end
  for met in world:read("Met") do
    world:relate(met.b, "Knows", met.a)
    if world:relates(met.a, "Knows", met.a) then world:unrelate(met.a, "Knows", met.a) end
  end
end
`,
	"spread.lua": `return function(world, dt)
  for e, person in world:each("Person") do
    local n = 0
    for s in world:sources("Knows", e) do n = n + 1 end
    for t in world:targets(e, "Knows") do n = n + world:get(t, "Person").age % 3 end
    person.fame = person.fame / 2 + n
  end
  local hub = world:first("Person")
  for e, person in world:each("Person", "Knows", hub) do person.fame = person.fame + 1 end
  for e, person in world:each("Person", "Likes", hub) do person.fame = person.fame + world:count("Person", "Knows", e) end
end
`,
	"forget.lua": `local ecs = require("ecs")
return function(world, dt)
  local n = 0
  for e in world:each("Person") do
    n = n + 1
    if n % 9 == world.frame % 9 then
      local list = {}
      for t in world:targets(e, "Knows") do list[#list + 1] = t end
      local one = ecs.pick(list)
      if one then world.commands:unrelate(e, "Knows", one) end
      if #list > 12 then world.commands:unrelate(e, "Knows") end
    end
  end
end
`,
	"watch.lua": `local ecs = require("ecs")
local changed = ecs.query{ "Memory", changed = { "Knows" } }
return { init = function(world)
  world:on("related", "Knows", function(world, e, to)
    local m = world:get(e, "Memory")
    if m then m.told, m.last = m.told + 1, to end
  end)
  world:on("unrelated", "Knows", function(world, e, to)
    if not world:alive(e) then return end
    local m = world:get(e, "Memory")
    if m then m.told = m.told * 2 % 1000 end
    if world.frame % 4 == 0 and to ~= e then world.commands:relate(to, "Knows", e) end
  end)
end,
update = function(world, dt)
  for e, memory in world:each(changed) do memory.told = memory.told + 1 end
  for e in world:removed("Knows") do if world:alive(e) then world:tag(e, "lonely") end end
end }
`,
	"fails.lua": `return function(world, dt)
  local people = {}
  for e in world:each("Person") do people[#people + 1] = e end
  for i = 1, #people do
    world:relate(people[i], "Knows", people[i * 7 % #people + 1])
    if i % 3 == 0 then world:unrelate(people[i], "Knows", world:related(people[i], "Knows")) end
  end
  world:despawn(people[2])
  world:spawn{ Person = {}, Knows = { people[1], people[3] } }
  if world.frame % 2 == 0 then error("enough") end
end
`,
	"renew.lua": `local ecs = require("ecs")
return function(world, dt)
  while world:count("Person") < 40 do
    local a, b = world:pick("Person"), world:pick("Person")
    world:spawn{ Person = { age = world.frame }, Memory = {}, Knows = { a, b } }
  end
  local old = world:pick("Person", "Knows", world:first("Person"))
  if old then world.commands:despawn(old) end
  world.commands:spawn{ Person = {}, Memory = {}, Knows = { world:first("Person"), world:pick("Person") } }
end
`,
}

// Many targets are the same under each implementation, after a resume at each frame, and in a replay.
func TestManyTargetsAreTheSame(t *testing.T) {
	run := program(t, manyTargetsWorld)
	sameEverywhere(t, run, 24, []string{"meet", "spread", "forget", "watch", "fails", "renew"})
}

// What people see of many targets from outside: inputs, differences, tables, types, check, and another number of targets at a resume.
func TestManyTargetsFromOutside(t *testing.T) {
	const head = "version: 1\ncomponents: [{ name: Quest, fields: [title string] }]\nsystems: [{ name: s, script: s.lua }]\n"
	run := program(t, map[string]string{
		"c.yaml": head + "relations: [{ name: Needs, targets: many }]\n",
		"d.yaml": head + "relations: [Needs]\n",
		"e.yaml": head + "relations: [{ name: Needs, targets: two }]\n",
		"s.lua": `return function(world)
  if world.frame == 1 then for i = 1, 4 do world:spawn{ Quest = { title = "q" .. i } } end end
  local e = world:first("Quest")
  if world.frame == 2 and not world:has(e, "Needs") then world:relate(e, "Needs", e) end
end`,
		"in.jsonl": `{"frame": 2, "entity": "0v1", "relate": {"Needs": ["2v1", "1v1"]}}
{"frame": 2, "entity": "0v1", "relate": {"Needs": "3v1"}}
{"frame": 3, "entity": "0v1", "unrelate": {"Needs": "2v1"}}
`,
	})
	last := func(dir string, frame int) string { return fmt.Sprintf("%s/frame-%010d.snap", dir, frame) }
	run(0, "run", "c.yaml", "--quiet", "--frames", "3", "--input", "in.jsonl", "--snapshot", "a", "--record", "run.rec")
	run(0, "run", "c.yaml", "--quiet", "--frames", "2", "--input", "in.jsonl", "--snapshot", "b")
	run(0, "replay", "run.rec")
	if got := run(1, "snapshot", "diff", last("b", 2), last("a", 3)); !strings.Contains(got, "entity 0v1, Needs.target: 2v1, 1v1\n") || !strings.Contains(got, "entity 0v1, Needs.target[2]: 1v1, 3v1\n") {
		t.Error(got)
	}
	run(0, "snapshot", "export", last("a", 3), "--format", "csv", "--out", "out")
	files, err := filepath.Glob("out/*_relations.csv")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "Needs,0,1,1v1\nNeeds,0,1,3v1\n") {
		t.Errorf("%s, %v", text, err)
	}
	if got := run(2, "run", "d.yaml", "--quiet", "--frames", "4", "--resume", last("a", 3)); !strings.Contains(got, `relation "Needs" had many targets and has one target now`) {
		t.Error(got)
	}
	run(0, "run", "d.yaml", "--quiet", "--frames", "2", "--snapshot", "d")
	run(0, "run", "c.yaml", "--quiet", "--frames", "3", "--resume", last("d", 2))
	if got := run(2, "check", "e.yaml"); !strings.Contains(got, `relations[0].targets: unknown value "two"`) {
		t.Error(got)
	}
	run(0, "check", "c.yaml")
	run(0, "types", "c.yaml")
}
