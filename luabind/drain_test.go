package luabind

import (
	"bytes"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A loop over drain takes an event when it reaches it: break, return and an error
// leave those that were not reached, in every tier, and loops within each other and
// readers agree on who got what.
func TestDrainLeavesWhatItDoesNotReach(t *testing.T) {
	const head = "local ecs = require('ecs') ecs.event('E', { v = 'i32' }) ecs.event('Other', { v = 'i32' }) local last = 0\n" +
		"local function send(world, from, to) for i = from, to do world:send('E', { v = i }) end end\n" +
		"local function rest(world) local s = 'rest' for ev in world:peek('E') do s = s .. ' ' .. ev.v end print(s) end\n" +
		"return function(world)\n"
	for name, c := range map[string]struct{ body, want string }{
		"break":         {`send(world, 1, 4) for ev in world:drain("E") do last = ev.v if ev.v == 2 then break end end print(last) rest(world)`, "2\nrest 3 4\n"},
		"break at once": {`send(world, 1, 2) for ev in world:drain("E") do last = ev.v break end print(last) rest(world)`, "1\nrest 2\n"},
		"to the end":    {`send(world, 1, 3) for ev in world:drain("E") do last = last + ev.v end print(last) rest(world)`, "6\nrest\n"},
		"return": {
			`send(world, 1, 3) local function f() for ev in world:drain("E") do last = ev.v if ev.v == 1 then return ev.v end end end print(f()) rest(world)`,
			"1\nrest 2 3\n",
		},
		"an error":            {`send(world, 1, 3) pcall(function() for ev in world:drain("E") do last = ev.v if ev.v == 2 then last = nil + 1 end end end) print(last) rest(world)`, "2\nrest 3\n"},
		"twice":               {`send(world, 1, 4) for ev in world:drain("E") do last = ev.v if ev.v == 2 then break end end for ev in world:drain("E") do last = last + ev.v end print(last) rest(world)`, "9\nrest\n"},
		"sent meanwhile":      {`send(world, 1, 2) for ev in world:drain("E") do last = last + 1 if last < 9 then world:send("E", { v = ev.v + 10 }) end end print(last) rest(world)`, "2\nrest 11 12\n"},
		"others sent":         {`send(world, 1, 3) for ev in world:drain("E") do world:send("Other", { v = ev.v }) if ev.v == 2 then break end end for ev in world:read("Other") do print(ev.v) end rest(world)`, "1\n2\nrest 3\n"},
		"within a drain":      {`send(world, 1, 4) for ev in world:drain("E") do print(ev.v) for more in world:drain("E") do print("in", more.v) if more.v == 3 then break end end end rest(world)`, "1\nin\t2\nin\t3\n4\nrest\n"},
		"peek within a drain": {`send(world, 1, 3) for ev in world:drain("E") do rest(world) if ev.v == 2 then break end end rest(world)`, "rest 2 3\nrest 3\nrest 3\n"},
		"drain within a peek": {`send(world, 1, 3) for ev in world:peek("E") do print(ev.v) for d in world:drain("E") do break end end rest(world)`, "1\n2\n3\nrest\n"},
		"a reader":            {`send(world, 1, 4) for ev in world:read("E") do print("r", ev.v) break end for ev in world:drain("E") do if ev.v == 3 then break end end for ev in world:read("E") do print("r", ev.v) end`, "r\t1\nr\t4\n"},
		"read over a drain":   {`send(world, 1, 4) for ev in world:read("E") do print("r", ev.v) for d in world:drain("E") do if d.v >= 2 then break end end end rest(world)`, "r\t1\nr\t3\nr\t4\nrest\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, impl := range []Impl{Lua, Closures, Auto} {
				var out bytes.Buffer
				w := ecs.NewWorld(ecs.Options{Seed: 1})
				_, err := run(t, Options{World: w, Stdout: &out, Scripts: files(map[string]string{"a": head + c.body + "\nend"})}, 1, System{Name: "a", Impl: impl})
				if err != nil || out.String() != c.want {
					t.Errorf("%v: %v\n%s\nwant\n%s", impl, err, out.String(), c.want)
				}
				if err := w.Check(); err != nil {
					t.Errorf("%v: %v", impl, err)
				}
			}
		})
	}
}
