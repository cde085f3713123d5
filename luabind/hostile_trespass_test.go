package luabind

import (
	"fmt"
	"strings"
)

// The part of the corpus of hostile scripts that writes to the world of other systems, and then fails.

// trespasses write to what belongs to the benign system, and to every other part of a world. list has the entities of the benign system. A turn that fails
// behind them must leave nothing of that.
var trespasses = []string{
	"for e, v, c in world:each('Velocity', 'Cared') do v.dx = v.dx * -3 v.dy = 0 / 0 end",
	"for e, v, c in world:each('Velocity', 'Cared') do c.name = 'taken' c.items = { 1 } end",
	"local v = world:get(list[1], 'Velocity') v.dx = 1e300 world:get(list[7], 'Cared').items.seen = 'x'",
	"for i = 1, #list do if i % 3 == 0 then world:despawn(list[i]) end end",
	"for i, e in ipairs(list) do world:remove(e, 'Cared') end",
	"for i, e in ipairs(list) do world:add(e, 'Position', 'Health', 'Kinds') end world:add(list[2], 'Marker')",
	"for i, e in ipairs(list) do world:set(e, 'Velocity', { dx = i }) world:set(e, 'Kinds', { name = 'k' .. i, who = e }) end",
	"for i, e in ipairs(list) do if not world:untag(e, 'cared') then world:tag(e, 'cared', 'selected') end end",
	"for i = 2, #list do world:relate(list[i], 'ChildOf', list[1]) end world:unrelate(list[3], 'ChildOf') world:despawn(list[1])",
	"for ev in world:drain('Cared') do end world:send('Cared', { name = 'forged' }) world:send('Hit', { extra = { 1 } })",
	"for ev in world:read('Cared') do end for e in world:removed('Cared') do end",
	"world.resources.care = 'gone' world.resources.score = 7",
	"math.random() math.randomseed(1) math.random()",
	"world:spawn_many(500, { Position = {}, Cared = { name = 'cuckoo' }, 'cared' }, function(i) return { Position = { x = i }, ChildOf = list[1] } end)",
	"world.commands:despawn(list[1]) world.commands:set(list[2], 'Cared', { name = 'q' }) world.commands:spawn{ Cared = {} } world.commands:send('Cared', {})",
	"world:stop('enough')",
	"for i, e in ipairs(list) do world:despawn(e) end world:spawn_many(40, { Velocity = {}, Cared = {} })",
}

// ends are ways to end a turn that has written, with what is in the error.
var ends = []struct{ lua, wants string }{
	{"error('over')", "over"},
	{"error({})", "hostile.lua"},
	{"local x = nil + 1", "hostile.lua"},
	{"world:get(-1, 'Cared').name = 1", "hostile.lua"},
	{"while true do end", noEnd},
	{"pcall(function() while true do end end)", noEnd},
	{"local t = {} while true do t = { t } end", noEnd},
	{"local s = 'xxxxxxxx' while true do s = s .. s end", noEnd + "|too long"},
	{"local function f() f() return 1 end f()", "stack overflow"},
	{"coroutine.wrap(function() coroutine.wrap(function() error('over') end)() end)()", "over"},
	{"table.sort({ 3, 2, 1 }, function() error('over') end)", "over"},
	{"for i = 1, 1e9 do world:spawn{ Cared = {} } end", noEnd},
	{"for i = 1, 1e9 do world:send('Cared', {}) end", noEnd},
	{"local n = 0 for e, p in world:each('Position') do n = n + 1 p.x = p.y / n if n > 3 then error('over') end end world:spawn_many(5, { Position = {} }) for e, p in world:each('Position') do p.x = p.x + 1 if p.x > 0 then p.y = nil end end error('over')", "hostile.lua"},
	{"world:spawn_many(200, { Velocity = {}, Cared = {} }) for e, v in world:each('Velocity') do v.dx = v.dx + 1 while v.dx > 0 do v.dy = v.dy + 1 end end", noEnd},
	{"world:spawn_many(10, { Velocity = {} }, function(i) if i == 7 then error('over') end end)", "over"},
}

// trespassing has a class for every way to end a turn, with a script for every trespass and one with all of them.
func trespassing() (out []hostileClass) {
	const list = "local list = {} for e in world:each('Cared') do list[#list + 1] = e end\n"
	for i, end := range ends {
		c := hostileClass{class: fmt.Sprintf("turns that write and fail (%d)", i+1), wants: end.wants}
		for _, writes := range trespasses {
			c.scripts = append(c.scripts, list+writes+"\n"+end.lua)
		}
		c.scripts = append(c.scripts, list+"do "+strings.Join(trespasses[:3], " end do ")+" end do "+trespasses[7]+" end do "+strings.Join(trespasses[9:15], " end do ")+" end "+end.lua)
		out = append(out, c)
	}
	return out
}
