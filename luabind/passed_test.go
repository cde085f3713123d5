package luabind

import "testing"

// passedHead has functions that return several values, or a number of values that depends on the row.
const passedHead = `local function two(x) return 2, 3 end
local function maybe(x) if x > 100 then return x end end
local function pick(x) if x > 100 then return x, x end return x end
local function none(x) end
local function maybe2(x) return maybe(x) end
local function pop(l) return table.remove(l) end
local function popkeep(l) local v = table.remove(l) return v end
local function both(x) return 1, maybe(x) end
local s = ""
`

// passedBodies pass all values of a call on to a function of the library.
var passedBodies = []string{
	`for e, p in world:each("P") do s = type(none(p.x)) end`,
	`for e, p in world:each("P") do s = type(maybe(p.x)) end`,
	`for e, p in world:each("P") do s = tostring(none(p.x)) end`,
	`for e, p in world:each("P") do s = tostring(assert(none(p.x))) end`,
	`for e, p in world:each("P") do s = tostring(assert(pick(p.x))) end`,
	`for e, p in world:each("P") do local a, b = assert(pick(p.x)) s = tostring(b) end`,
	`for e, p in world:each("P") do local a, b, c = assert(p.x, two(p.x)) s = tostring(a) .. tostring(b) .. tostring(c) end`,
	`for e, p in world:each("P") do s = string.format("%d %d", two(p.x)) end`,
	`for e, p in world:each("P") do s = string.format("%d %d", pick(p.x)) end`,
	`for e, p in world:each("P") do s = string.char(two(p.x), two(p.x)) end`,
	`for e, p in world:each("P") do s = ("abcdefg"):sub(pick(p.x)) end`,
	`for e, p in world:each("P") do s = ("abcdefg"):rep(two(p.x)) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do table.insert(list, two(p.x)) end for e, p in world:each("P") do s = table.concat(list, ",") end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do table.insert(list, pick(p.x)) end for e, p in world:each("P") do s = table.concat(list, ",") end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do list[#list+1] = two(p.x) end for e, p in world:each("P") do s = table.concat(list, ",") end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do s = tostring(table.remove(list)) .. type(table.remove(list)) end`,
	`local list = { 5, 6, 7, 8, 9 } for e, p in world:each("P") do s = tostring(table.remove(list, two(p.x))) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do s = table.concat(list, two(p.x)) .. table.concat(list, ",", two(p.x)) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do local a, b, c, d = unpack(list) s = tostring(a) .. tostring(d) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do local a, b = unpack(list, two(p.x)) s = tostring(a) .. tostring(b) end`,
	`for e, p in world:each("P") do local a, b = math.modf(p.x / 2) s = a .. ":" .. b .. string.format("%s %s", math.modf(p.x / 2)) end`,
	`for e, p in world:each("P") do local a, b = math.frexp(p.x) s = a .. ":" .. b end`,
	`for e, p in world:each("P") do local a, b = (two(p.x)) s = tostring(a) .. tostring(b) end`,
	`for e, p in world:each("P") do local a, b = ("k=v"):match("(%w)=(%w)") s = a .. b end`,
	`for e, p in world:each("P") do local s, n = ("k=v"):gsub("%w", "x") s = s .. n .. tostring(("k"):gsub("k", "v")) end`,
	`for e, p in world:each("P") do s = ("k=v"):gsub("%w", two(p.x)) end`,
	`for e, p in world:each("P") do local i, j = ("k=v"):find("=") s = i .. j .. ("k=v"):sub(("k=v"):find("=")) end`,
	`for e, p in world:each("P") do s = tonumber("11", two(p.x)) .. "" end`,
	`for e, p in world:each("P") do p.x = math.min(two(p.x)) + math.max(p.x, pick(p.x)) end`,
	`for e, p in world:each("P") do p.x = math.fmod(pick(p.x)) end`,
	`for e, p in world:each("P") do s = select("#", two(p.x)) .. select(2, two(p.x)) end`,
	`for e, p in world:each("P") do s = type(maybe2(p.x)) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do s = type(pop(list)) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do s = type(popkeep(list)) end`,
	`for e, p in world:each("P") do s = string.format("%s %s", both(p.x)) end`,
	`for e, p in world:each("P") do print(both(p.x)) print(maybe(p.x)) print(none(p.x)) print(p.x, two(p.x)) print(pick(p.x)) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do print(table.remove(list)) print((table.remove(list))) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do list[#list + 1] = p.x print(unpack(list)) print(("a b"):find(" ")) print(("a b"):match("(a) (b)")) print(("a b"):gsub("a", "b")) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do list[#list + 1] = p.x print(world:related(e, "ChildOf")) print(tonumber("x")) print(world:count("P")) end`,
}

// A call at the end of the arguments of a library function gives all its values, and a value that is missing is not nil.
func TestAllValuesArePassedOn(t *testing.T) {
	t.Parallel()
	compiled := 0
	for _, body := range passedBodies {
		body = passedHead + "for i = 1, 1 do " + body + " end print(s)"
		source := exitSource(body, exitPatterns["none"], exitCalls[0])
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			got, did := exitTrace(t, source, impl, Limits{})
			if got != want {
				t.Errorf("%v: got\n%.3000s\ninterpreted\n%.3000s\n%s", impl, got, want, body)
			}
			if did.Closures+did.Machine > 100 {
				compiled++
			}
		}
	}
	if compiled < 15 {
		t.Errorf("%d runs were compiled: the test tests little", compiled)
	}
}
