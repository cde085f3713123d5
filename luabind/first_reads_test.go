package luabind

import (
	"bytes"
	"testing"
)

// What the first read of a system sees.
func TestFirstReads(t *testing.T) {
	const send = `return function(world) world:send("Hit", { amount = world.frame }) end`
	const read = `local function read(world) local l = {} for h in world:read("Hit") do l[#l + 1] = h.amount end print(world.frame, unpack(l)) end `
	for name, c := range map[string]struct {
		own, lib string
		sys      System
		want     string
	}{
		"a system that fails in its first turns": {
			own: read + `return function(world) read(world) if world.frame <= 2 then error("taken back") end end`, want: "1\t1\n2\t1\t2\n3\t1\t2\t3\n4\t4\n5\t5\n6\t6\n",
		},
		"an observer whose turns are taken back": {
			own: read + `return {
  init = function(world) world:on("spawned", function(w) read(w) end) end,
  update = function(world) world:spawn{} if world.frame ~= 3 then error("taken back") end end }`, want: "1\t1\n2\t1\t2\n3\t1\t2\t3\n4\t4\n5\t4\t5\n6\t4\t5\t6\n",
		},
		"an observer behind a drain that is taken back": {
			own: read + `return {
  init = function(world) world:on("spawned", function(w) read(w) end) end,
  update = function(world)
    if world.frame == 3 then for h in world:drain("Hit") do end world:spawn{} error("taken back") end
    if world.frame % 3 == 1 then world:spawn{} end
  end }`, want: "1\t1\n3\n4\t2\t3\t4\n",
		},
		"every":                           {own: read + `return read`, sys: System{Every: 5}, want: "5\t1\t2\t3\t4\t5\n"},
		"every, with a name in a local":   {own: `local event = "Hit" ` + read + `return function(world) for h in world:read(event) do print(h.amount) end end`, sys: System{Every: 3}, want: "1\n2\n3\n4\n5\n6\n"},
		"every, in a turn that fails":     {own: read + `return function(world) read(world) if world.frame < 4 then error("taken back") end end`, sys: System{Every: 2}, want: "2\t1\t2\n4\t1\t2\t3\t4\n6\t5\t6\n"},
		"every, in a file it requires":    {own: `return require("lib").read`, lib: `local M = {} ` + read + ` M.read = read return M`, sys: System{Every: 6}, want: "6\t1\t2\t3\t4\t5\t6\n"},
		"every, not in its first turn":    {own: read + `return function(world) if world.frame == 6 then read(world) end end`, sys: System{Every: 2}, want: "6\t1\t2\t3\t4\t5\t6\n"},
		"every and when":                  {own: read + `return read`, sys: System{Every: 3, When: "frame > 3"}, want: "6\t5\t6\n"},
		"when":                            {own: read + `return read`, sys: System{When: "frame > 4"}, want: "5\t4\t5\n6\t6\n"},
		"every, with a name that is made": {own: `return function(world) for h in world:read("Hi" .. "t") do print(h.amount) end end`, sys: System{Every: 5}, want: "4\n5\n"},
	} {
		for _, impl := range everyTier {
			var out bytes.Buffer
			c.sys.Name, c.sys.Impl = "sees", impl
			o := Options{Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"sends": send, "sees": c.own, "lib": c.lib})}
			if _, err := run(t, o, 6, System{Name: "sends"}, c.sys); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("%s under %v: printed\n%swant\n%s", name, impl, out.String(), c.want)
			}
		}
	}
}
