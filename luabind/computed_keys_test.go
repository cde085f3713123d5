package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Constructors with keys that are no names, and keys far behind the end of a list. K gives a key for a row.
var computedKeyCases = map[string]string{
	"one":                     `local t = { [K(a.x)] = a.x } held[#held + 1] = t`,
	"two, the last one wins":  `local t = { [a.i8] = 1, [a.i8 + 0] = 2 } held[#held + 1] = t`,
	"behind names":            `local t = { x = 1, y = a.x, [K(a.x)] = 3 } held[#held + 1] = t`,
	"before names":            `local t = { [K(a.x)] = 3, x = 1, y = 2 } held[#held + 1] = t`,
	"a name twice":            `local k = a.i8 > 5 and "x" or "y" local t = { [k] = 3, x = 1 } held[#held + 1] = t`,
	"constants":               `local t = { [1] = a.x, [3] = 2, [-1] = 4, [0.5] = 5, [true] = 6 } held[#held + 1] = t`,
	"a value that is nil":     `local v if a.i8 > 5 then v = 1 end local t = { [K(a.x)] = v, [7] = v } held[#held + 1] = t`,
	"tables":                  `local t = { [e] = { [K(a.x)] = { 1 }, x = { a.x } } } held[#held + 1] = t`,
	"only in the row":         `local from = { [K(a.x)] = 0 } from[K(a.x) + 1] = a.x local n = 0 for k, v in pairs(from) do n = n + k * v end a.x = n % 97`,
	"effects in their order":  `local n = 0 local function f() n = n + 1 return n end local t = { [f()] = f(), [f()] = f() } held[#held + 1] = t[1] + t[3] * 10`,
	"far keys":                `local t = {} t[K(a.x) * 1000 + 5] = 1 t[3000] = 2 held[#held + 1] = #t == 0 and 1 or 2`,
	"farther than a list":     `local t = {} t[2^20 + a.i8] = 1 t[2^20 - 1] = 2 held[#held + 1] = t[2^20 + a.i8]`,
	"an error in a value":     `if a.i8 > 90 then local t = { [K(a.x)] = 1 + nothing() } held[#held + 1] = t end`,
	"a key that is nil":       `local k if a.i8 < 90 then k = 1 end local t = { [k] = 1 } held[#held + 1] = t`,
	"a key that is no number": `local t = { [0 / (a.i8 > 90 and 0 or 1)] = 1 } held[#held + 1] = t`,
	"in the arguments":        `held[#held + 1] = count({ [K(a.x)] = 1, [K(a.x) + 1] = 2 })`,
	"list items, too":         `local t = { a.x, [K(a.x)] = 3, a.i8, x = 1, [2] = 5, [4] = 6, e } held[#held + 1] = t held[#held + 1] = #t`,
	"items and their effects": `local n = 0 local function f() n = n + 1 return n end local t = { f(), [f() * 10] = f(), f(), [1] = f() } held[#held + 1] = t`,
	"an item that is nil":     `local v if a.i8 > 5 then v = 1 end local t = { v, [K(a.x)] = 2, v, 4 } held[#held + 1] = t held[#held + 1] = #t`,
	"a call at the end":       `local t = { [K(a.x)] = 1, (K(a.x)) } held[#held + 1] = t if a.i8 > 100 then held[1] = { [1] = 2, K(a.x) } end`,
	"returned":                `held[#held + 1] = pair(K(a.x), a.x)[K(a.x)]`,
}

// They are the same as in the interpreter, and are not left to it.
func TestConstructorsWithComputedKeys(t *testing.T) {
	for name, body := range computedKeyCases {
		source := `local held, nothing = {}, nil
local function K(x) return math.floor(x) % 5 * 100 + 7 end
local function count(t) local n = 0 for k, v in pairs(t) do n = n + k + v end return n end
local function pair(k, v) return { [k] = v } end
local function show(v)
	if type(v) ~= "table" then return tostring(v) end
	local s = "{" for k, x in pairs(v) do s = s .. tostring(k) .. "=" .. show(x) .. ";" end return s .. "}"
end
return function(world)
	for e, a in world:each("A") do ` + body + ` end
	for i = 1, #held do print(show(held[i])) end
	held = {}
end`
		for seed := range uint64(effort.Of(18)) {
			if sameTraces(t, kernelWorld, seed, []string{source}) == 0 {
				t.Errorf("%s: no loop was compiled", name)
			}
		}
	}
}

// A list that a row makes may have gaps: kernels do such rows, whatever they store and remove, and count the same bytes.
func TestListsWithGaps(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`local t = {} t[2] = p.x sum = sum + #t`,
		`local t = {} t[p.k * 1000] = p.x t[5] = 1 sum = sum + #t for k, v in pairs(t) do sum = sum + k end`,
		`local t = { 1, 2 } t[7] = nil t[p.k + 4] = p.x t[#t] = nil t[#t + 1] = 2 sum = sum + #t`,
		`local t = { p.x, 2, 3 } t[3] = nil table.insert(t, 1, p.x) table.insert(t, 4) t[p.k + 4] = 1 sum = sum + t[1] + #t`,
		`local t = { p.x, 2, 3 } t[3] = nil sum = sum + table.remove(t) t[p.k + 4] = 1 sum = sum + #t`,
		`local seen, n = {}, 0 for i = 1, 20 do local at = i * p.k % 7 + 1 if not seen[at] then seen[at] = true n = n + 1 end end sum = sum + n`,
	} {
		source := exitSource(`for e, p in world:each("P") do `+body+` end`, exitPatterns["none"], exitCalls[0])
		for _, bytes := range []uint64{0, 80_000, 84_000, 100_000} {
			want, _ := exitTrace(t, source, Lua, Limits{Allocations: bytes})
			for _, impl := range []Impl{Closures, Auto} {
				got, did := exitTrace(t, source, impl, Limits{Allocations: bytes})
				if got != want {
					t.Errorf("%v, %d bytes: got\n%.1000s\ninterpreted\n%.1000s\n%s", impl, bytes, got, want, body)
				}
				if bytes == 0 && (did.Left > 0 || did.Closures+did.Machine < 500) {
					t.Errorf("%v: %+v: rows are left to the interpreter: %s", impl, did, body)
				}
			}
		}
	}
}
