package luabind

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Machine code keeps tables that only one loop uses from turn to turn (loops/kept.go), and never fills those that nobody reads
// (loops/unread.go). Nobody can tell: not by what rows read, not by what a snapshot saves, not by the limit of allocations.

// keptFile is a file around a loop over 400 entities, of which rows 0, 40, 80, … are gone and made anew every third frame.
const keptFile = `local ecs = require("ecs")
local nums, frame = { 1, 2 }, 0
%s
return { init = function(world)
	for i = 1, 400 do world:spawn{ Position = { x = i %% 31, y = i } } end
end, update = function(world, dt)
	frame = frame + 1
	%s
	if frame %% 3 == 0 then
		local n = 0
		for e, pos in world:each("Position") do n = n + 1 if n %% 40 == 1 then world.commands:despawn(e) world.commands:spawn{ Position = { x = n, y = -1 } } end end
	end
end }`

// A keptCase is a file with tables that may be kept.
type keptCase struct {
	around, body string
}

const keptEach = `for e, pos in world:each("Position") do `

var keptCases = map[string]keptCase{
	"sums":                                     {"local t = {}", keptEach + "t[e] = (t[e] or 0) + pos.x pos.y = t[e] end"},
	"a set":                                    {"local t = {}", keptEach + "if not t[e] then t[e] = true pos.y = pos.y + 1 end end"},
	"truths that change":                       {"local t = {}", keptEach + "t[e] = not t[e] if t[e] then pos.y = pos.y + pos.x end end"},
	"two tables":                               {"local t, u = {}, {}", keptEach + "t[e] = (t[e] or 0) + 1 if t[e] % 2 == 0 then u[e] = (u[e] or 0) + t[e] pos.y = u[e] end end"},
	"keys that are no entities":                {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 t[pos.x] = (t[pos.x] or 0) + 1 t[-e] = 3 pos.y = t[pos.x] end"},
	"keys that are no whole number":            {"local t = {}", keptEach + "local k = e + 0.5 t[k] = (t[k] or 0) + 1 pos.y = t[k] end"},
	"a list with gaps":                         {"local t = {}", keptEach + "local k = pos.x * 5 + 1 t[k] = (t[k] or 0) + 1 pos.y = t[k] end"},
	"rows that leave often":                    {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 if pos.x % 3 == 1 and t[e] % 4 == 2 then coroutine.wrap(print)() end pos.y = t[e] end"},
	"not read, and keys come again":            {"", "local t = {} " + keptEach + "t[e] = true t[ecs.none] = 1 if pos.x == 30 then coroutine.wrap(print)() end end"},
	"numbers and names as keys":                {"local t = {}", keptEach + "local k = pos.x > 9 and 'big' or 'small' t[e] = (t[e] or 0) + 1 t[k] = (t[k] or 0) + t[e] pos.y = t[k] end"},
	"a new name before keys":                   {"local t = {}", keptEach + "t.name = pos.x t[e] = (t[e] or 0) + 1 end"},
	"a new name before stores":                 {"local t = {}", keptEach + "t.name = pos.x if pos.x < 9 then t[e] = true end end"},
	"a new name among a list":                  {"local t, n = {}, 0", "n = 0 " + keptEach + "n = n + 1 if n < 9 then t[#t + 1] = n t.name = n end end"},
	"all rows leave at last":                   {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 if frame > 3 then coroutine.wrap(print)() end pos.y = t[e] end"},
	"growth, and all rows leave":               {"local t = {}", keptEach + "for i = 1, frame * frame do local k = e * 200 + i t[k] = (t[k] or 0) + i pos.y = pos.y + t[k] end if frame > 3 then coroutine.wrap(print)() end end"},
	"closures do all rows at last":             {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 if frame > 3 then pos.y = #(pos.x .. '') end pos.y = pos.y + t[e] end"},
	"closures do some rows":                    {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 if pos.x == 3 then pos.y = #(pos.x .. '') end pos.y = pos.y + t[e] end"},
	"a loop within":                            {"local t = {}", keptEach + "if pos.x == 3 then for o, p in world:each('Position') do t[o] = (t[o] or 0) + 1 p.y = t[o] end if frame % 2 == 0 then coroutine.wrap(print)() end end end"},
	"a loop within, by itself":                 {"local t = {}", keptEach + "coroutine.wrap(print)() if pos.x == 3 then for o, p in world:each('Position') do t[o] = (t[o] or 0) + 1 p.y = t[o] end end t[e] = (t[e] or 0) + 1 end"},
	"another iterator":                         {"local t = {}", "local w = world if frame % 4 == 3 then local done = false w = { each = function() return function() if not done then done = true for o, p in world:each('Position') do return o, p end end end end } end for e, pos in w:each('Position') do t[e] = (t[e] or 0) + 1 pos.y = t[e] end"},
	"not read, and a list":                     {"", "local t = {} " + keptEach + "t[pos.x * 5 + 1] = true t[e] = true end"},
	"a list that is not read":                  {"", "local t = {} " + keptEach + "t[#t + 1] = pos.x if pos.x > 20 then t[#t + 1] = e end pos.y = #t end"},
	"inserts that are not read":                {"", "local t = {} " + keptEach + "table.insert(t, pos.x) if pos.x == 30 then coroutine.wrap(print)() end end"},
	"a list by a counter":                      {"", "local t, n = {}, 0 " + keptEach + "n = n + 1 t[n] = e if n == 90 then n = 300 end t[n - 3] = 1 end"},
	"a list by a counter, and rows":            {"", "local t, n = {}, 0 " + keptEach + "n = n + 1 t[n] = e if n % 50 == 7 then n = n + 3 coroutine.wrap(print)() end end"},
	"a function with a loop, called in a loop": {"local t = {} local function mark(world) " + keptEach + "t[e] = (t[e] or 0) + 1 pos.y = t[e] end end", "mark(world) if frame % 3 == 2 then for o, p in world:each('Position') do if p.x == 30 then mark(world) end end end mark(world)"},
	"a loop that calls one with a loop":        {"local t = {} local function mark(world) " + keptEach + "t[e] = (t[e] or 0) + 1 end end local function ask(e) return t[e] end", "mark(world) " + keptEach + "pos.y = ask(e) or 0 end"},
	"another insert":                           {"local kept = {} local library = { insert = function(t, x) kept[1] = t t[#t + 1] = x end }", "local table = frame > 3 and library or table local t = {} " + keptEach + "table.insert(t, pos.x) end print(kept[1] and #kept[1])"},
	"not read, of events":                      {"", keptEach + "for i = 1, 2 do world:send('Hit', { target = e }) end end local t, n = {}, 0 for hit in world:read('Hit') do t[hit.target] = true n = n + 1 if n % 50 == 25 then coroutine.wrap(print)() end end"},
	"no entity":                                {"local t = {}", keptEach + "local k = pos.x > 3 and e or ecs.none t[k] = (t[k] or 0) + 1 pos.y = t[k] end"},
	"growth":                                   {"local t = {}", keptEach + "for i = 1, frame do local k = e * 64 + i t[k] = (t[k] or 0) + i pos.y = pos.y + t[k] end end"},
	"some rows":                                {"local t = {}", keptEach + "if (pos.x + frame) % 7 == 0 then t[e] = (t[e] or 0) + frame end pos.y = t[e] or -1 end"},
	"a break":                                  {"local t, n = {}, 0", "n = 0 " + keptEach + "n = n + 1 t[e] = (t[e] or 0) + 1 pos.y = t[e] if n > 50 * frame then break end end"},
	"a return":                                 {"local t = {} local function walk(world) " + keptEach + "t[e] = (t[e] or 0) + 1 if t[e] > 3 and pos.x > 20 then return e end end end", "print(walk(world))"},
	"a row that fails":                         {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 pos.y = t[e] if frame == 4 and pos.x > 28 then pos.y = nums[pos.x] + 1 end end"},
	"a failure that is caught":                 {"local t = {} local function walk(world) " + keptEach + "t[e] = (t[e] or 0) + 1 pos.y = t[e] if frame % 4 == 2 and pos.x > 28 then pos.y = nums[pos.x] + 1 end end end", "print(pcall(walk, world))"},
	"rows that leave":                          {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 if frame % 3 == 1 and pos.x == 30 and t[e] > 1 then print(coroutine.wrap(function() coroutine.yield(t[e]) end)()) end pos.y = t[e] end"},
	"turns at times":                           {"local t = {}", "if frame % 2 == 0 then " + keptEach + "t[e] = (t[e] or 0) + 1 pos.y = t[e] end end"},
	"twice a turn":                             {"local t = {}", "for i = 1, 2 do " + keptEach + "t[e] = (t[e] or 0) + i pos.y = t[e] end end"},
	"two functions":                            {"local function make() local t = {} return function(world) " + keptEach + "t[e] = (t[e] or 0) + 1 pos.y = t[e] end end end local f, g = make(), make()", "f(world) if frame % 3 == 0 then g(world) end"},
	"a kind that changes":                      {"local t, k = {}, 1", "if frame == 5 then k = '2' end " + keptEach + "t[e] = (t[e] or 0) + k pos.y = t[e] end"},
	"read elsewhere":                           {"local t = {}", keptEach + "t[e] = (t[e] or 0) + 1 end local n = 0 for k, v in pairs(t) do n = (n * 3 + k + v) % 1000003 end print(n)"},
	"events":                                   {"local t = {}", keptEach + "if pos.x > 20 then world:send('Hit', { target = e }) end end for hit in world:read('Hit') do t[hit.target] = (t[hit.target] or 0) + 1 if t[hit.target] > 4 then frame = frame + 0 end end"},
	"records":                                  {"local t = {}", keptEach + "local r = t[e] if not r then r = { n = 0, s = 0 } t[e] = r end r.n = r.n + 1 r.s = r.s + pos.x pos.y = r.s end"},
	"records by or":                            {"local t = {}", keptEach + "local r = t[e] or { n = 1, on = false } t[e] = r if not r.on then r.n = r.n + pos.x end r.on = r.n > 20 pos.y = r.n end"},
	"records without a local":                  {"local t = {}", keptEach + "if not t[e] then t[e] = { n = 0 } end t[e].n = t[e].n + 1 pos.y = t[e].n end"},
	"records of two kinds":                     {"local t = {}", keptEach + "local r = t[e] if r == nil then if pos.x > 9 then r = { n = 0, m = 1 } else r = { m = 2, n = 5 } end t[e] = r end r.n = r.n + r.m pos.y = r.n end"},
	"records that get members":                 {"local t = {}", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r end r.n = r.n + 1 if frame > 3 and pos.x > 20 then r.late = frame end pos.y = r.n end"},
	"records that lack a member":               {"local t = {}", "if frame == 2 then for e, pos in world:each('Position') do if not t[e] then t[e] = { s = 1 } end end end " + keptEach + "local r = t[e] if not r then r = { n = 0, s = 0 } t[e] = r end r.n = (r.n or 0) + 1 pos.y = r.n end"},
	"records that rows give away":              {"local t, all = {}, {}", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r all[#all + 1] = r end r.n = r.n + 1 pos.y = r.n end local s = 0 for i = 1, #all do s = s + all[i].n end print(s)"},
	"records that rows give away late":         {"local t, all = {}, {}", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r end r.n = r.n + 1 if frame == 4 and pos.x == 7 then all[#all + 1] = r end pos.y = r.n end local s = 0 for i = 1, #all do s = s + all[i].n end print(s)"},
	"records that a function gets":             {"local t, last = {}, nil local function step(r) last = r r.n = r.n + 1 return r.n end", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r end pos.y = step(r) end print(last.n)"},
	"records that a closure gets":              {"local t, f = {}, nil", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r end r.n = r.n + 1 if pos.x == 3 then f = function() return r.n end end pos.y = r.n end print(f())"},
	"records in records":                       {"local t = {}", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r end r.n = r.n + 1 if pos.x == 3 then r.up = t[e] end if r.up then pos.y = r.up.n else pos.y = r.n end end"},
	"records at two keys":                      {"local t = {}", keptEach + "local r = t[e] if not r then r = { n = 0 } t[e] = r t[-e] = r end r.n = r.n + 1 t[-e].n = t[-e].n + 1 pos.y = r.n end"},
	"records of another key":                   {"local t, first = {}, nil", "first = nil " + keptEach + "first = first or e local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 local o = t[first] o.n = o.n + 2 pos.y = r.n + o.n end"},
	"records, and rows that leave":             {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if frame % 3 == 1 and pos.x == 30 and r.n > 1 then print(coroutine.wrap(function() coroutine.yield(t[e].n) end)()) end pos.y = r.n end"},
	"records, and rows that closures do":       {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if pos.x == 3 then pos.y = #(tostring(pos.x):gsub('1', 'one')) end pos.y = pos.y + r.n end"},
	"records, and strings":                     {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if pos.x == 3 then pos.y = #(pos.x .. '') end pos.y = pos.y + r.n end"},
	"records, and closures do all at last":     {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if frame > 3 then pos.y = #(tostring(pos.x):gsub('1', 'one')) end pos.y = pos.y + r.n end"},
	"records, and a row that fails":            {"local t = {}", keptEach + "local r = t[e] or { n = 0, m = 1 } t[e] = r r.n = r.n + 1 r.m = r.m + pos.x pos.y = r.n if frame == 4 and pos.x > 28 then pos.y = nums[pos.x] + 1 end end"},
	"records, and a failure that is caught":    {"local t = {} local function walk(world) " + keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 pos.y = r.n if frame % 4 == 2 and pos.x > 28 then pos.y = nums[pos.x] + 1 end end end", "print(pcall(walk, world))"},
	"records that are made anew":               {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if r.n % 4 == 3 and pos.x % 2 == 0 then t[e] = { n = pos.x } end pos.y = r.n + t[e].n end"},
	"records that go":                          {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 pos.y = r.n if r.n == 4 and pos.x == 5 then t[e] = nil end end"},
	"records with strings":                     {"local t = {}", keptEach + "local r = t[e] or { n = 0, s = 'new' } t[e] = r r.n = r.n + 1 if r.n > 2 then r.s = 'old' end pos.y = r.s == 'old' and 1 or 2 end"},
	"records whose member goes":                {"local t = {}", keptEach + "local r = t[e] or { n = 0, m = 1 } t[e] = r r.n = r.n + 1 r.m = (r.m or 0) + 1 if r.n == 3 and pos.x == 5 then r.m = nil else pos.y = r.m end end"},
	"records, and all rows leave at last":      {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 if frame > 3 then coroutine.wrap(print)() end pos.y = r.n end"},
	"records and growth, and all rows leave":   {"local t = {}", keptEach + "for i = 1, frame do local k = e * 64 + i local r = t[k] if not r then r = { n = i } t[k] = r end r.n = r.n + i pos.y = pos.y + r.n end if frame > 3 then coroutine.wrap(print)() end end"},
	"records with tables":                      {"local t = {}", keptEach + "local r = t[e] or { n = 0, at = { 1 } } t[e] = r r.n = r.n + 1 r.at[1] = r.at[1] + 1 pos.y = r.n + r.at[1] end"},
	"records and growth":                       {"local t = {}", keptEach + "for i = 1, frame do local k = e * 64 + i local r = t[k] if not r then r = { n = i, k = frame } t[k] = r end r.n = r.n + i pos.y = pos.y + r.n end end"},
	"records at small keys":                    {"local t = {}", keptEach + "local k = pos.x + 1 local r = t[k] or { n = 0 } t[k] = r r.n = r.n + 1 pos.y = r.n end"},
	"records twice a turn":                     {"local t = {}", "for i = 1, 2 do " + keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + i pos.y = r.n end end"},
	"records of a turn":                        {"", "local t = {} " + keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + pos.x pos.y = r.n end"},
	"records, and a walk over them":            {"local t = {}", keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 end local s = 0 for k, r in pairs(t) do s = (s * 3 + k + r.n) % 1000003 end print(s)"},
	"records of events":                        {"local t = {}", keptEach + "if pos.x > 20 then world:send('Hit', { target = e }) end end for hit in world:read('Hit') do local r = t[hit.target] or { n = 0 } t[hit.target] = r r.n = r.n + 1 if r.n > 4 then frame = frame + 0 end end"},
	"records and a metatable":                  {"local t = {} local function walk(world) " + keptEach + "local r = t[e] or { n = 0 } t[e] = r r.n = r.n + 1 pos.y = r.n end end", "walk(world) if frame == 5 then for k, r in next, debug and {} or {} do end end"},
	"records whose value is chosen":            {"local t, none = {}, { n = 100 }", keptEach + "local r = t[e] or pos.x > 9 and none or { n = 0 } t[e] = r r.n = r.n + 1 pos.y = r.n end print(none.n)"},
	"records that a variable swaps":            {"local t, first = {}, nil", "first = nil " + keptEach + "first = first or e local r, o = t[e] or { n = 0 }, t[first] t[e] = r r.n = r.n + 1 if o then r, o = o, r r.n = r.n + 5 end pos.y = r.n end"},
	"a table of a turn":                        {"", "local t, n = {}, 0 " + keptEach + "t[e] = pos.x if t[e] > 3 then t[e] = t[e] + 1 n = n + t[e] end end print(n)"},
	"a set of a turn":                          {"", "local t = {} " + keptEach + "if not t[e] then t[e] = true pos.y = pos.y + 1 end end"},
	"a set that is not read":                   {"", "local t = {} " + keptEach + "if pos.x > 5 then t[e] = true end pos.y = pos.x end"},
	"sums that are not read":                   {"", "local t = {} " + keptEach + "t[e] = pos.x t[e] = pos.y pos.y = pos.y + 1 end"},
	"not read, and a row that fails":           {"", "local t = {} " + keptEach + "t[e] = true pos.y = pos.y + 1 if frame == 4 and pos.x > 28 then pos.y = nums[pos.x] + 1 end end"},
	"not read, and rows that leave":            {"", "local t = {} " + keptEach + "t[e] = true if pos.x == 30 then print(coroutine.wrap(function() coroutine.yield(e) end)()) end end"},
	"not read, in a branch":                    {"", "local t = {} if frame % 2 == 0 then do " + keptEach + "t[e] = 1 end end end"},
	"a turn, and two walks":                    {"", "local t = {} for i = 1, 2 do " + keptEach + "if not t[e] then t[e] = true pos.y = pos.y + i end end end"},
	"a turn, and a label around":               {"", "local t, i = {}, 0 do ::again:: if i < 3 then " + keptEach + "if not t[e] then t[e] = true pos.y = pos.y + 1 end end i = i + 1 goto again end end"},
	"a turn, and jumps in the loop":            {"", "local t = {} " + keptEach + "if pos.x > 9 then goto continue end if not t[e] then t[e] = true pos.y = pos.y + 1 end ::continue:: end"},
	"a turn, and a jump":                       {"", "local t, i = {}, 0 ::again:: " + keptEach + "if not t[e] then t[e] = true pos.y = pos.y + 1 end end i = i + 1 if i < 3 then goto again end"},
	"a turn, called in the loop":               {"local function walk(world, deep) local t = {} for i = 1, 2 do " + keptEach + "if not t[e] then t[e] = true pos.y = pos.y + 1 end end if deep then walk(world, false) end end end", "walk(world, true)"},
}

// keptDisturbances are what is done to a Runtime between frames.
var keptDisturbances = map[string]func(t *testing.T, frame int, r *Runtime) string{
	"none": func(*testing.T, int, *Runtime) string { return "" },
	"snapshots": func(t *testing.T, frame int, r *Runtime) string {
		if frame%3 != 1 {
			return ""
		}
		return remembered(t, r)
	},
	"reports": func(_ *testing.T, frame int, r *Runtime) string {
		if frame%4 == 2 {
			r.Explain()
		}
		return ""
	},
	"reloads": func(t *testing.T, frame int, r *Runtime) string {
		if frame != 6 {
			return ""
		}
		if _, err := r.Reload(context.Background(), Change{}); err != nil {
			t.Fatal(err)
		}
		return "reloaded"
	},
	"another implementation": func(t *testing.T, frame int, r *Runtime) string {
		if frame == 5 {
			if _, err := r.Reload(context.Background(), Change{Systems: []System{{Name: "a", Script: "a.lua", Impl: Lua}}}); err != nil {
				t.Fatal(err)
			}
		}
		return ""
	},
	"copies": func(t *testing.T, frame int, r *Runtime) string {
		if frame != 5 {
			return ""
		}
		c, err := r.Copy()
		if err == nil {
			err = r.RestoreCopy(c)
		}
		if err != nil {
			t.Fatal(err)
		}
		return "copied"
	},
}

// remembered returns a sum of what scripts remember, or why it cannot be saved.
func remembered(t *testing.T, r *Runtime) string {
	t.Helper()
	f, err := r.Freeze()
	if err != nil {
		return err.Error()
	}
	h := fnv.New64a()
	h.Write(f.scripts)
	return fmt.Sprintf("scripts %x (%d bytes)", h.Sum64(), len(f.scripts))
}

// keptTrace is what twelve frames of a file do, with a disturbance, and what its scripts remember then.
func keptTrace(t *testing.T, source string, impl Impl, bytes uint64, disturb func(*testing.T, int, *Runtime) string) (seen string, r *Runtime) {
	t.Helper()
	var out strings.Builder
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": source}),
		Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	r.options.Limits.Allocations = bytes // init made more
	for frame := 1; frame <= 12 && err == nil; frame++ {
		err = r.Frame(context.Background(), 0.5)
		fmt.Fprintln(&out, w.Digest(), disturb(t, frame, r))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	fmt.Fprintln(&out, remembered(t, r))
	return out.String(), r
}

func TestKeptTables(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(keptCases)) {
		c := keptCases[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := fmt.Sprintf(keptFile, c.around, c.body)
			for j, how := range slices.Sorted(maps.Keys(keptDisturbances)) {
				if !effort.Full() && (i+j)%2 > 0 { // half of them
					continue
				}
				want, _ := keptTrace(t, source, Lua, 0, keptDisturbances[how])
				var made [2]string
				for i, impl := range []Impl{Closures, Auto} {
					got, r := keptTrace(t, source, impl, 0, keptDisturbances[how])
					if got != want {
						t.Errorf("%s, %v: got\n%s\ninterpreted\n%s", how, impl, got, want)
					}
					if impl == Auto && r.runner("a.lua").MachineKernels() == 0 {
						t.Errorf("no loop is machine code: %+v", r.runner("a.lua").Loops[0].Reason)
					}
					made[i] = fmt.Sprint(r.runner("a.lua").Kernels(), " kernels")
					for _, l := range r.runner("a.lua").Loops {
						made[i] += fmt.Sprint(", ", r.runner("a.lua").Tally(l).Left, " rows left")
					}
				}
				if made[0] != made[1] {
					t.Errorf("%s: %s as closures, %s as machine code", how, made[0], made[1])
				}
			}
		})
	}
}

// Whatever a kernel keeps, a limit of allocations ends the same turns, and each turn allocates the same number of bytes.
func TestKeptTablesArePaidFor(t *testing.T) {
	for name, c := range keptCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := fmt.Sprintf(keptFile, c.around, c.body)
			for entries := uint64(40); entries < 1_000; entries += 320 {
				turns := func(impl Impl) (n int) {
					seen, _ := keptTrace(t, source, impl, entries*sandbox.EntryBytes, keptDisturbances["none"])
					return strings.Count(seen, "allocations")
				}
				closures, auto := turns(Closures), turns(Auto)
				want := closures
				if c.around == "" { // the interpreter ends a turn within the loop, so of other tables the next turns find less
					want = turns(Lua)
				}
				if closures != want || auto != want {
					t.Errorf("%d entries: %d turns end interpreted, %d as closures, %d as machine code", entries, want, closures, auto)
				}
			}
			allocated := func(impl Impl) string {
				seen, _ := keptTrace(t, source, impl, 1<<40, func(_ *testing.T, _ int, r *Runtime) string {
					return fmt.Sprint(1<<40-r.state.Budget().AllocationsLeft(), " bytes")
				})
				return seen
			}
			want := allocated(Lua)
			for _, impl := range []Impl{Closures, Auto} {
				if got := allocated(impl); got != want {
					t.Errorf("%v allocates: got\n%s\ninterpreted\n%s", impl, got, want)
				}
			}
		})
	}
}

// A frame that only changes values of a table that is kept allocates nothing.
func TestKeptTablesAllocateNothing(t *testing.T) {
	for _, body := range []string{
		"t[e] = (t[e] or 0) + pos.x", "t[e] = not t[e]", "local r = t[e] if not r then r = { n = 0, on = false } t[e] = r end r.n = r.n + pos.x r.on = not r.on",
	} {
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
		declareForTests(t, w)
		p, _ := w.LookupComponent("Position")
		for range 100 {
			if _, err := w.Spawn(p); err != nil {
				t.Fatal(err)
			}
		}
		source := `local t = {} return function(world) for e, pos in world:each("Position") do ` + body + ` end end`
		r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": source})}, 10, System{Name: "a", Script: "a.lua"})
		if err != nil {
			t.Fatal(err)
		}
		if got := testing.AllocsPerRun(50, func() {
			if err := r.Frame(context.Background(), 0.25); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%s: %v allocations a frame", body, got)
		}
	}
}

// sharedRecords are the cases with records that no kernel keeps: the tables get elsewhere, have strings, tables or more members than their
// constructor gives, lack a member, are used once, or are left to closures or to the interpreter.
var sharedRecords = []string{
	"records that rows give away", "records that rows give away late", "records that a function gets", "records that a closure gets", "records in records", "records at two keys", "records with strings",
	"records with tables", "records of a turn", "records, and a walk over them", "records whose value is chosen", "records that get members", "records that go", "records that lack a member",
	"records, and rows that leave", "records, and rows that closures do", "records of two kinds", "records that a variable swaps",
}

// Kernels keep tables of records, but for some.
func TestRecordsAreKept(t *testing.T) {
	for name, c := range keptCases {
		if !strings.HasPrefix(name, "records") {
			continue
		}
		_, r := keptTrace(t, fmt.Sprintf(keptFile, c.around, c.body), Auto, 0, keptDisturbances["none"])
		if kept, want := r.keeping.Ever(), !slices.Contains(sharedRecords, name); kept != want {
			t.Errorf("%s: kept %v, want %v", name, kept, want)
		}
	}
}

// What is kept of tables that each call makes anew does not add up, whether rows leave the loop or not.
func TestKeptTablesAreForgotten(t *testing.T) {
	for name, body := range map[string]string{
		"no row leaves":   "",
		"some rows leave": "if i == 5 and frame % 3 == 0 then coroutine.wrap(print)() break end",
	} {
		source := fmt.Sprintf(keptFile, "", "local t = {} for i = 1, 5 do "+keptEach+"t[e] = (t[e] or 0) + 1 pos.y = t[e] "+body+" end end")
		_, r := keptTrace(t, source, Auto, 0, func(t *testing.T, frame int, r *Runtime) string {
			if n := r.keeping.Len(); n > 1 {
				t.Errorf("%s: %d tables are kept after frame %d", name, n, frame)
			}
			return ""
		})
		if !r.keeping.Ever() || r.keeping.Len() != 0 { // the trace ends with a snapshot
			t.Errorf("%s: ever %v, %d tables are kept", name, r.keeping.Ever(), r.keeping.Len())
		}
	}
}
