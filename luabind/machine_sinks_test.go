package luabind

import (
	"maps"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// showTable prints a table as pairs gives it, tables in it as well.
const showTable = ` local function show(t, depth)
	local parts = {}
	for k, v in pairs(t) do
		if type(v) == "table" and depth < 3 then v = show(v, depth + 1) end
		parts[#parts + 1] = tostring(k) .. "=" .. tostring(v)
	end
	return #t .. "{" .. table.concat(parts, " ") .. "}"
end print(show(list, 0)) `

// Loops that only write tables do as machine code what they do interpreted: the same elements, in the order of pairs, with the same length.
func TestMachineCodeOfWrittenTables(t *testing.T) {
	each := "for e, pos, vel in world:each(\"Position\", \"Velocity\") do "
	bodies := map[string]string{
		"append":                        "local list = {} " + each + "if pos.x > 9 then list[#list + 1] = e end end",
		"append to what is there":       "local list = { 1, nil, 3, n = 5 } " + each + "list[#list + 1] = pos.x end",
		"append booleans and strings":   "local list = {} " + each + "list[#list + 1] = pos.x > 9 list[#list + 1] = pos.x > 9 and \"far\" or \"near\" end",
		"append twice, and ask":         "local list = {} " + each + "list[#list + 1] = e if #list % 3 == 0 then list[#list + 1] = #list end pos.y = #list end",
		"insert":                        "local list = {} " + each + "table.insert(list, pos.x) end",
		"insert by a local":             "local list, insert = {}, table.insert " + each + "insert(list, pos.x) end",
		"a counter":                     "local list, n = {}, 0 " + each + "if pos.x > 9 then n = n + 1 list[n] = e end end",
		"a set":                         "local list = {} " + each + "if pos.x % 3 == 0 then list[e] = true end end",
		"a map of numbers":              "local list = {} " + each + "list[pos.x - 3] = e list[pos.x / 4] = -pos.y end",
		"a map of strings and booleans": "local list, word = {}, \"w\" " + each + "list[pos.x > 9] = e list[word] = pos.x list[pos.x > 9 and \"far\" or \"near\"] = pos.y end",
		"elements that are removed":     "local list = { 1, 2, 3, 4, 5, x = 1 } " + each + "list[pos.x % 7] = nil list[e] = 1 list[e] = nil list[pos.x] = 1 end",
		"records":                       "local list = {} " + each + "list[#list + 1] = { e = e, x = pos.x, far = pos.x > 9 } end",
		"pairs and nested records":      "local list = {} " + each + "table.insert(list, { e, pos.x, at = { x = pos.x, y = { pos.y } }, none = nil }) end",
		"empty tables":                  "local list = {} " + each + "list[e] = {} end",
		"a member that is a table":      "local state = { list = {}, n = 0 } local list = state.list " + each + "state.list[#state.list + 1] = e state.n = state.n + 1 end print(state.n)",
		"a function that appends":       "local list = {} local function add(v) list[#list + 1] = v end " + each + "add(pos.x) add(e) end",
		"a function that gets the list": "local list = {} local function add(l, v) l[#l + 1] = v end " + each + "add(list, pos.x) end",
		"a local for the list":          "local list = {} " + each + "local l = list l[#l + 1] = pos.x end",
		"a table for the row":           "local list = {} " + each + "local d = { x = pos.x, y = 2, on = true, at = { pos.y } } d.x = d.x + d.y if d.on then d.at[1] = d.at[1] + 1 end d.on = d.x > 9 list[#list + 1] = d.x + d.at[1] end",
		"a table for a function":        "local list = {} local function f(d) d.x = d.x * 2 return d.x + d.y end " + each + "local d = { x = pos.x, y = 2 } list[#list + 1] = f(d) + f({ x = 1, y = pos.y }) + d.x end",
		"two lists":                     "local list, other = {}, {} " + each + "if pos.x > 9 then list[#list + 1] = e else other[#other + 1] = e end end print(#other)",
		"a drawn key and a length":      "local list = {} " + each + "list[ecs.random(0, 60)] = e pos.y = #list end",
		"a length that jumps":           "local list = {} " + each + "list[pos.x] = e pos.y = #list end",
		"a row that cannot be finished": "local list = {} " + each + "list[#list + 1] = e if pos.x > 28 then vel.dx = 1 pos.y = 3 pos.x = nums[pos.x] end end",
		"a key that is NaN":             "local list = {} print(pcall(function() " + each + "list[#list + 1] = e if pos.x > 25 then list[0 / (pos.x - pos.x)] = 1 end end end))",
		"a break and a return":          "local list = {} local function walk() " + each + "list[#list + 1] = e if pos.x == 29 then return #list end end end print(walk())",
		"many in a row":                 "local list = {} " + each + "for i = 1, 40 do list[#list + 1] = i end end",
		"with a draw and an event":      "local list = {} " + each + "list[ecs.random(9)] = ecs.random() if pos.x > 20 then world:tag(e, \"red\") end end",
		"a loop within":                 "local list = {} " + each + "for o, at in world:each(\"Position\") do if at.x < 1 then list[#list + 1] = o end end end",
	}
	for name, body := range maps.Clone(bodies) {
		bodies[name] = "local nums = { 1, 2 } " + body + showTable
	}
	sameAsMachineCode(t, bodies)
}

// So they do where a table is full, has two names, or gets a metatable later.
func TestTablesThatKernelsLeave(t *testing.T) {
	each := "for e, pos, vel in world:each(\"Position\", \"Velocity\") do "
	for name, body := range map[string]string{
		"a full list":      "local list = {} for i = 1, 1048570 do list[i] = 1 end print(pcall(function() " + each + "list[#list + 1] = e end end)) print(#list)",
		"a full insert":    "local list = {} for i = 1, 1048570 do list[i] = 1 end print(pcall(function() " + each + "table.insert(list, e) end end)) print(#list)",
		"two names":        "local list = {} local other = list " + each + "list[#list + 1] = e other[#other + 1] = pos.x end print(#list, list[2])",
		"read by a name":   "local list = { 1, 2, 3 } local other = list " + each + "list[1] = pos.x pos.y = other[1] end",
		"a metatable":      "local log = {} local list = setmetatable({}, { __newindex = function(t, k, v) log[#log + 1] = v rawset(t, k, v) end }) " + each + "list[#list + 1] = pos.x end print(#log)",
		"an element of it": "local list = { { x = 1 } } local row = list[1] " + each + "row[1] = pos.x pos.y = list[1].x end print(row[1])",
	} {
		if name == "a full insert" && !effort.More() {
			continue
		}
		source := "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + body + "\nend"
		want, _ := reached(t, source, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := reached(t, source, impl); got != want {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", name, impl, got, want)
			}
		}
	}
}
