package luabind

import (
	"maps"
	"testing"
)

// Loops that read and write sets and maps by entity or by number, and ask lists for elements that may be missing, do compiled what they do
// interpreted.
func TestCompiledMaps(t *testing.T) {
	each := "for e, pos, vel in world:each(\"Position\", \"Velocity\") do "
	bodies := map[string]string{
		"a set that is asked":           "local list = {} " + each + "if pos.x > 9 then list[e] = true end if list[e] then pos.y = 1 end end",
		"a set that is filled":          "local list, n = {}, 0 " + each + "for i = 1, 2 do if not list[e] then list[e] = true n = n + 1 end end end print(n)",
		"counts by entity":              "local list = {} " + each + "list[e] = (list[e] or 0) + pos.x end",
		"counts by number":              "local list = {} " + each + "list[pos.x] = (list[pos.x] or 0) + 1 end",
		"counts by part":                "local list = { 5 } " + each + "local k = pos.x / 4 list[k] = (list[k] or 0) + 1 end",
		"owners":                        "local list, first = {}, nil " + each + "if first then list[e] = first end first = e local o = list[e] if o then pos.y = pos.y + 1 end if list[e] == first then pos.y = 3 end end",
		"an append that is read":        "local list = {} " + each + "list[#list + 1] = pos.x if #list > 2 then pos.y = list[#list - 1] + list[1] end end",
		"a list with nil":               "local list = { 1, 2, 3 } " + each + "local v = list[pos.x] if v then pos.y = v else pos.y = -1 end end",
		"a list with nil, at once":      "local list = { 1, 2, 3 } " + each + "pos.y = list[pos.x] or 7 if not list[pos.x - 1] then vel.dx = 2 end if list[pos.x / 2] == nil then vel.dy = 3 end end",
		"a list with holes":             "local list = { 1, nil, 3, nil, 5 } " + each + "if list[pos.x] then pos.y = list[pos.x] end end",
		"a sparse list":                 "local list = { [3] = 4, [10] = 5, [-2] = 6, [0.5] = 1, [0] = 9 } " + each + "if list[pos.x] then pos.y = list[pos.x] end pos.y = pos.y + (list[pos.x - 5] or 0) end",
		"records with nil":              "local list = { { dps = 4 }, { dps = 1 } } " + each + "local r = list[pos.x] if r then pos.y = pos.y - r.dps end if list[pos.x + 1] then vel.dx = 5 end end",
		"a list of booleans":            "local list = { true, false, true } " + each + "if list[pos.x % 4] then pos.y = 2 end local on = list[pos.x % 3 + 1] if on then vel.dx = 3 end end",
		"a list of strings":             "local list = { \"a\", \"b\" } local last " + each + "last = list[pos.x % 2 + 1] if last == \"b\" then pos.y = 2 end end print(last)",
		"records by entity":             "local list = {} for e, pos in world:each(\"Position\") do list[e] = { n = pos.x } end " + each + "local r = list[e] r.n = r.n + 1 if r then pos.y = r.n end end",
		"a long list":                   "local list = {} for i = 1, 9000 do list[i] = i end " + each + "pos.y = list[pos.x + 8000] list[pos.x + 5000] = pos.y end list = { list[8007], list[5007] }",
		"a member that is a set":        "local state = { list = {} } local list = state.list " + each + "if not state.list[e] then state.list[e] = true end end",
		"a row that cannot be finished": "local list = {} " + each + "list[e] = (list[e] or 0) + 1 list[pos.x] = 2 if pos.x > 28 then pos.y = nums[pos.x] end end",
		"an element of another type":    "local list = { 1, 2, 3, \"x\" } " + each + "if list[pos.x % 5] then pos.y = pos.y + 1 end end",
		"a return out of it":            "local list = {} local function walk() " + each + "if list[pos.x] then return e, list[pos.x] end list[pos.x] = e end end print(walk())",
		"growth in a row":               "local list = {} " + each + "for i = 1, 40 do list[e * 40 + i] = i + pos.x end end",
		"growth of what is read":        "local list = {} " + each + "for i = 1, 20 do local k = e % 97 * 20 + i list[k + 0.5] = (list[k + 0.5] or 0) + i if list[k - 7.5] then pos.y = pos.y + list[k - 7.5] end end end",
		"growth and random numbers":     "local list = {} " + each + "local r = ecs.random() list[e] = (list[e] or 0) + r list[-e] = ecs.random(1, 6) pos.y = list[e] + r end",
		"growth and events":             "local list = {} " + each + "world:send(\"Hit\", { target = e }) list[e] = pos.x world:send(\"Hit\", { target = e }) list[e + 0.5] = 1 end for hit in world:read(\"Hit\") do list[hit.target] = (list[hit.target] or 0) + 1 end",
		"growth of two":                 "local list, other = {}, {} " + each + "list[e] = pos.x other[-e] = list[e] if other[-e] > 20 then list[e + 0.25] = other[-e] end end for k, v in pairs(other) do list[k] = v end",
		"growth, and a row that fails":  "local list = {} " + each + "list[e] = pos.x list[-e] = 1 if pos.x > 28 then pos.y = nums[pos.x] end list[e] = list[e] + 1 end",
		"a large map":                   "local list = {} for i = 1, 3000 do list[i * 2.5] = i end " + each + "list[pos.x * 2.5 + 5] = (list[pos.x * 2.5 + 5] or 0) + 1 if list[e * 100] then pos.y = 2 end list[e * 10 + 0.25] = pos.x end local n = 0 for k, v in pairs(list) do n = n * 3 % 1000003 + k + v end list = { n }",
		"a large map, often asked":      "local list = {} for i = 1, 3000 do list[i * 0.5 + 0.25] = i end " + each + "for i = 1, 30 do local k = (pos.x + i * 7) * 0.5 + 0.25 list[k] = (list[k] or 0) + 1 end end local n = 0 for k, v in pairs(list) do n = n * 3 % 1000003 + k + v end list = { n }",
		"strings by entity":             "local list = {} " + each + "if not list[pos.x] then list[pos.x] = \"new\" elseif list[pos.x] == \"new\" then list[pos.x] = \"old\" end end",
		"truths by number":              "local list = {} " + each + "list[pos.x + 0.5] = not list[pos.x + 0.5] end",
		"zeros of both signs":           "local list = {} " + each + "local k = (pos.x - pos.x) * -1 list[k] = (list[k] or 0) + 1 list[-k] = list[k] + 1 end",
	}
	for name, body := range maps.Clone(bodies) {
		source := "local ecs = require(\"ecs\") local nums = { 1, 2 }\nreturn function(world, dt)\n" + body + showTable + "\nend"
		want, _ := reached(t, source, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			got, r := reached(t, source, impl)
			if got != want {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", name, impl, got, want)
			}
			if n := r.runner("a.lua").Kernels(); n == 0 {
				t.Errorf("%s: no loop is compiled: %+v", name, r.runner("a.lua").Loops[0].Reason)
			}
			if n := r.runner("a.lua").MachineKernels(); impl == Auto && n != r.runner("a.lua").Kernels() && name != "an element of another type" { // its list is a value of any kind
				t.Errorf("%s: %d loops of %d are machine code", name, n, r.runner("a.lua").Kernels())
			}
		}
	}
}
