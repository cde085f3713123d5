package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Loops of which some rows write what somebody observes: these rows are interpreted, the others are not. What the observer does may concern
// the loop: its variables, tables, resources and the rows that are still to come.
const observedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "f64" }) ecs.component("H", { v = "f64" }) ecs.component("S", { text = "string" }) ecs.component("Bag", { items = "table", n = "f64" }) ecs.tag("Low") ecs.tag("Seen") ecs.event("Fell", { who = "entity" }) ecs.resource("score", "f64")
local calls, gain, list, set, seed = 0, 0.5, { 1, 2, 3 }, {}, 1
local function draw() seed = seed * 16807 % 2147483647 return seed end
return { init = function(world)
  world:spawn_many(400, { P = {}, H = {}, S = { text = "a" }, Bag = { items = { 1 } } }, function() return { P = { x = draw() % 50, k = draw() % 100 }, H = { v = draw() % 9 } } end)
  world:on(KIND, function(w, e) calls = calls + 1 OBSERVER end)
end, update = function(world, dt)
  local n, last = 0, 0
  LOOP
  print(n, last, calls, gain, #list, world.resources.score)
end }`

var (
	observedWrites = [][2]string{ // what is observed, and what a row does
		{`"set", "H"`, `h.v = h.v - gain`},
		{`"set", "H"`, `world:set(e, "H", { v = 3 })`},
		{`"set", "H"`, `local o = world:get(e, "H") o.v = o.v + 1`},
		{`"set", "S"`, `s.text = s.text .. "b" if #s.text > 9 then s.text = "" end`},
		{`"set", "Bag"`, `bag.items[1] = p.k`},
		{`"set", "Bag"`, `table.insert(bag.items, p.x) if #bag.items > 5 then bag.items = { 2 } end`},
		{`"set", "Bag"`, `local items = bag.items items.n = (items.n or 0) + 1 bag.items = items bag.n = items.n`},
		{`"tagged", "Low"`, `world:tag(e, "Low")`},
		{`"tagged", "Low"`, `if world:tag(e, "Seen", "Low") then n = n + 1 end`},
		{`"untagged", "Low"`, `world:untag(e, "Low")`},
		{`"set", "P"`, `p.x = p.x + 1`}, // with an own write in each row, all rows are observed
	}
	observerWork = []string{
		`print(e)`, `gain = gain + 0.25`, `list[#list + 1] = calls if #list > 9 then list = { 4 } end`, `w.resources.score = w.resources.score + 1`, `w:send("Fell", { who = e })`,
		`w.commands:despawn(e)`, `w.commands:spawn({ P = { x = 1 } })`, `local f, q = w:first("P") q.k = (q.k + 1) % 100`, `set[e] = calls`, `w:tag(e, "Seen")`,
		`for f, q in w:each("P") do if f ~= e then q.k = (q.k + 3) % 100 end end`, `ecs.random()`, `if calls == 40 then error("observer") end`,
	}
	observedLoops = []string{
		`for e, p, h, s, bag in world:each("P", "H", "S", "Bag") do n = n + h.v last = last + gain if p.k < RARE then WRITE end n = n + list[1] + p.k * gain end`,
		`for e, p, h, s, bag in world:each("P", "H", "S", "Bag") do if p.k >= RARE then n = n + 1 else WRITE last = p.k end if set[e] then n = n + set[e] end end`,
		`for e, p, h, s, bag in world:each("P", "H", "S", "Bag") do s.text = "c" if p.k < RARE and h.v > 1 then for i = 1, 2 do WRITE end end last = world.resources.score + ecs.random(9) end`,
		`local function act(e, h, s, p, bag) WRITE n = n + 2 end for e, p, h, s, bag in world:each("P", "H", "S", "Bag") do last = last + 1 if p.k < RARE then act(e, h, s, p, bag) end end`,
		`for e, p, h, s, bag in world:each("P", "H", "S", "Bag") do if p.k >= RARE then goto on end WRITE last = last + 1 ::on:: n = n + p.x end`,
	}
)

// Rows that write what somebody observes are interpreted, and nothing else is different.
func TestObservedBranches(t *testing.T) {
	t.Parallel()
	all := len(observedWrites) * len(observerWork) * len(observedLoops) * 3
	of, i, machine := effort.Of(450), 0, 0
	if effort.Full() {
		of = all
	}
	for _, w := range observedWrites {
		for _, does := range observerWork {
			for _, loop := range observedLoops {
				for _, rare := range []string{"2", "15", "70"} {
					if i++; i*of/all == (i-1)*of/all {
						continue
					}
					source := strings.NewReplacer("KIND", w[0], "OBSERVER", does, "LOOP", strings.NewReplacer("WRITE", "do "+w[1]+" end", "RARE", rare).Replace(loop)).Replace(observedSource)
					sameCompiled(t, source, fmt.Sprint(w, " | ", does, " | ", loop, " | ", rare), func(impl Impl, did loops.Tally) bool {
						if impl == Auto && did.Machine > 0 && did.Left > 0 {
							machine++
						}
						return true
					})
				}
			}
		}
	}
	if machine < of/3 {
		t.Errorf("of %d programs %d are machine code with rows that are left", of, machine)
	}
}

// A loop is lowered again when the observers change: for one more, for another place in the source, and without them.
func TestLoopsFollowTheirObservers(t *testing.T) {
	const loop = `local ecs = require("ecs") ecs.component("P", { x = "f64" }) ecs.tag("a") ecs.tag("b")
return { init = function(world) world:spawn_many(1500, { P = {} }) end, update = function(world)
  local n = 0
  for e, p in world:each("P") do
    p.x = p.x + 1
    if e % 700 == world.frame then world:tag(e, "a") world:untag(e, "a") end
    if e % 900 == world.frame then world:tag(e, "b") world:untag(e, "b") n = n + 1 end
  end
end }`
	watcher := func(before string, tags ...string) string {
		text := before + "return { init = function(world)\n"
		for _, tag := range tags {
			text += `world:on("tagged", "` + tag + `", function() end) `
		}
		return text + "end, update = function() end }"
	}
	r := startChanging(t, Auto, map[string]string{"a.lua": loop, "b.lua": watcher("")}, "a", "b")
	says := func() string {
		r.frames(t, 3)
		for _, l := range r.Explain() {
			if l.File == "a.lua" {
				return l.Reason + strings.Join(l.Unless, "; ")
			}
		}
		return "no loop"
	}
	for _, step := range []struct {
		text string
		want []string
	}{
		{watcher(""), nil},
		{watcher("", "a"), []string{`"a", which the observer at b.lua:2`}},
		{watcher("\n\n", "a"), []string{`"a", which the observer at b.lua:4`}},
		{watcher("", "a", "b"), []string{`"a", which the observer at b.lua:2`, `"b", which the observer at b.lua:2`}},
		{watcher(""), nil},
		{watcher("\n", "b"), []string{`"b", which the observer at b.lua:3`}},
	} {
		if err := r.change("b.lua", step.text); err != nil {
			t.Fatal(err)
		}
		got := says()
		for _, want := range step.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s\n got %q\nwant %q", step.text, got, want)
			}
		}
		if step.want == nil && got != "" || strings.Count(got, "watches") != len(step.want) {
			t.Errorf("%s\n got %q", step.text, got)
		}
	}
}
