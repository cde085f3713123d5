package sandbox

import (
	"errors"
	"strings"
	"testing"
)

// attacks are scripts that end the process, hang it, leave pcall by a Go panic or
// change another script, in gopher-lua as it comes. Each must end in the error
// named, or in success.
var attacks = []struct {
	idea, src string
	want      string // part of the error; empty: no error
}{
	// time
	{"endless loop", `while true do end`, "endless loop"},
	{"endless loop in pcall", `while true do pcall(function() while true do end end) end`, "endless loop"},
	{"tail call of pcall", `return pcall(function() while true do end end)`, "endless loop"},
	{"tail call of xpcall", `return xpcall(function() while true do end end, function() while true do end end)`, "endless loop"},
	{"endless handler", `xpcall(error, function() while true do end end)`, "endless loop"},
	{"endless coroutine", `coroutine.wrap(function() while true do end end)()`, "endless loop"},
	{"caught in a coroutine", `local co = coroutine.create(function() while true do pcall(function() while true do end end) end end)
		while true do coroutine.resume(co) end`, "endless loop"},
	{"endless recursion by goto", `::a:: goto a`, "endless loop"},
	{"endless iterator", `for _ in function() return 1 end do end`, "endless loop"},
	{"endless __index", `local t = setmetatable({}, {__index = function() while true do end end}) return t.x`, "endless loop"},
	{"endless __tostring of an error", `error(setmetatable({}, {__tostring = function() while true do end end}))`, "endless loop"},
	{"pattern backtracking", `return ("a"):rep(400):find(("a*"):rep(3) .. "b")`, "endless loop"},
	{"pattern backtracking, gsub", `return (("a"):rep(3000):gsub("(a*)*b", ""))`, ""},
	{"pattern backtracking, gmatch", `for _ in ("a"):rep(4000):gmatch("a-a-a-b") do end`, "endless loop"},
	{"balanced scan", `return (("("):rep(100000):gsub("%b()", ""))`, "endless loop"},
	{"quadratic gsub", `return #(("x"):rep(1000000):gsub("x", "yy"))`, ""},
	{"huge sort", `local t = {} for i = 1, 200000 do t[i] = -i end table.sort(t)`, "endless loop"},
	{"sort that never agrees", `local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() return true end)`, "invalid order function"},
	{"concat of a huge range", `return table.concat({}, "", 1, 2^53)`, "invalid value"},
	{"concat of nothing, often", `local t = {} for i = 1, 1000 do t[i] = "" end while true do table.concat(t) end`, "endless loop"},
	{"failing pcall, often", `while true do pcall(error) end`, "endless loop"},
	{"strings, often", `local s = ("x"):rep(2^20) while true do local t = s .. "y" end`, "endless loop"},
	{"upper, often", `local s = ("x"):rep(2^20) while true do s:upper() end`, "endless loop"},
	{"plain find, often", `local s = ("x"):rep(2^20) while true do s:find("y", 1, true) end`, "endless loop"},
	{"insert in front, often", `local t = {} while true do table.insert(t, 1, 1) end`, "endless loop"},
	{"unpack, often", `local t = {} for i = 1, 7000 do t[i] = i end while true do unpack(t) end`, "endless loop"},

	// memory
	{"rep", `return ("x"):rep(1e10)`, "string too long"},
	{"rep, product overflows", `return ("xxxxxxxx"):rep(2^61)`, "string too long"},
	{"doubling", `local s = "x" for i = 1, 40 do s = s .. s end`, "string too long"},
	{"wide concatenation", `local s = ("x"):rep(2^23) return s .. s .. s .. s .. s .. s`, "string too long"},
	{"concat", `local s = ("x"):rep(2^20) local t = {} for i = 1, 100 do t[i] = s end return table.concat(t)`, "string too long"},
	{"format", `local s = ("x"):rep(2^23) return ("%s%s%s"):format(s, s, s)`, "string too long"},
	{"format width", `return ("%999999999d"):format(1)`, "invalid format"},
	{"gsub", `local s = ("x"):rep(2^16) return s:gsub("x", s)`, "string too long"},
	{"one store far out", `local t = {} t[2^26 - 1] = 1 t[2^31] = 1 t[2^53] = 1 return #t`, ""},
	{"list too long", `local t = {} for i = 1, 2^20 - 2 do t[i] = true end for i = 1, 5 do t[#t + 1] = true end`, "list too long"},
	{"insert too long", `local t = {} for i = 1, 2^20 - 1 do t[i] = true end table.insert(t, 1)`, "list too long"},
	{"unpack of a huge range", `return unpack({}, 1, 2^40)`, "too many results"},
	{"unpack, ends of the range", `return unpack({}, -2^63, 2^63)`, "too many results"},
	{"many coroutines", `for i = 1, 1e6 do coroutine.create(print) end`, "coroutines in one turn"},
	{"huge error", `error(("x"):rep(2^23))`, "bytes more"},

	// stacks
	{"recursion", `local function f() return 1 + f() end f()`, "stack overflow"},
	{"recursion through pcall", `local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end f()`, "stack overflow"},
	{"recursion through a metamethod", `local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x`, "stack overflow"},
	{"recursion through sort", `local function f() table.sort({1, 2, 3}, f) end f()`, "stack overflow"},
	{"recursion through gsub", `local function f() ("x"):gsub("x", f) end f()`, "stack overflow"},
	{"recursion through tostring", `local t t = setmetatable({}, {__tostring = function() return tostring(t) end}) tostring(t)`, "stack overflow"},
	{"__index loop", `local t = {} setmetatable(t, {__index = t}) return t.x`, "lead back to itself"},
	{"varargs that grow", `local function f(...) return f(1, ...) end f()`, "too many values"},
	{"varargs that grow, in a coroutine", `local function f(...) return f(1, ...) end coroutine.wrap(f)()`, "too many values"},
	{"varargs that grow, in pcall", `local function f(...) return f(1, ...) end local ok, e = pcall(f) error(e, 0)`, "too many values"},
	{"many arguments in a tail call", `local t = {} for i = 1, 7999 do t[i] = i end
		local function f(n, ...) if n == 0 then return end return f(n - 1, 1, ...) end
		local function g(...) return f(20, ...) end
		local function h(n, ...) if n == 0 then return g(...) end return (h(n - 1, ...)) end h(40, unpack(t))`, "too many values"},
	{"coroutines in coroutines", `local function f() return coroutine.wrap(f)() end f()`, "resume each other"},
	{"nested patterns", `return ("x"):rep(300):find(("(x"):rep(200))`, "captures"},
	{"deep pattern", `return ("x"):rep(300):find(("x?"):rep(250))`, "too complex"},
	{"long pattern", `return ("x"):find(("x?"):rep(300))`, "pattern too long"},
	{"long subject", `return ("x"):rep(5 * 2^20):find("x-y")`, "too long to search"},

	// escapes, leaks, poisoning
	{"Go verbs", `return ("%v"):format({})`, "invalid format"},
	{"Go argument index", `return ("%[1]d"):format(1)`, "invalid format"},
	{"string metatable", `getmetatable("").__index = nil`, "attempt to index a string value"},
	{"string methods", `local s = "" s.upper = nil`, "attempt to index a string value"},
	{"metatable of a number", `setmetatable(1, {})`, "table expected"},
	{"metatable of a function", `setmetatable(print, {})`, "table expected"},
	{"metatable of _G", `setmetatable(_G, {})`, "protected metatable"},
	{"locked metatable", `assert(getmetatable(_G) == "locked" and getmetatable("") == "locked" and getmetatable(print) == nil)`, ""},
	{"environments", `return getfenv(1)`, "undeclared global"},
	{"loading", `return dofile("a.lua")`, "undeclared global"},
	{"files", `return io.open("a")`, "undeclared global"},
	{"replaced libraries", `print = nil pairs = nil string.format = nil math.random = nil table.insert = nil coroutine.wrap = nil string = nil _G._G = nil`, ""},
	{"rawset on _G", `rawset(_G, "leak", 1)`, ""},
	{"collector", `for i = 1, 1000 do collectgarbage() end`, ""},
	{"byte code", `return string.dump(print)`, "nil value"},

	// yields where there is no way back
	{"yield outside", `coroutine.yield()`, "outside a coroutine"},
	{"yield across sort", `coroutine.wrap(function() table.sort({1, 2, 3}, coroutine.yield) end)()`, "across a library function"},
	{"yield across a comparator", `coroutine.wrap(function() table.sort({1, 2, 3}, function() coroutine.yield() end) end)()`, "across a library function"},
	{"yield across gsub", `coroutine.wrap(function() ("x"):gsub("x", function() coroutine.yield() end) end)()`, "across a library function"},
	{"resume itself", `local co co = coroutine.wrap(function() co() end) co()`, "cannot resume running"},
	{"resume what resumed", `local a a = coroutine.create(function() coroutine.wrap(function() assert(coroutine.resume(a)) end)() end) assert(coroutine.resume(a))`, "cannot resume normal"},
	{"dead coroutine", `local f = coroutine.wrap(function() end) f() f()`, "cannot resume dead"},

	// sources
	{"deep parentheses", `return ` + strings.Repeat("(", 100000), "within each other"},
	{"deep tables", `return ` + strings.Repeat("{", 100000), "within each other"},
	{"deep functions", strings.Repeat("return function() ", 10000), "within each other"},
	{"deep blocks", strings.Repeat("do ", 100000), "within each other"},
	{"many nots", `return ` + strings.Repeat("not ", 100000) + "1", "expression too long"},
	{"many minuses", `return ` + strings.Repeat("- ", 100000) + "1", "expression too long"},
	{"long sum", `local a = 1 return a` + strings.Repeat("+a", 100000), "expression too long"},
	{"long power", `local a = 1 return a` + strings.Repeat("^a", 100000), "expression too long"},
	{"long concatenation", `local a = "" return a` + strings.Repeat("..a", 100000), "expression too long"},
	{"150 concatenations", `local a = "x" assert(#(a` + strings.Repeat("..a", 150) + `) == 151)`, ""},
	{"long calls", `local a return a` + strings.Repeat("()", 100000), "expression too long"},
	{"long fields", `local a return a` + strings.Repeat(".b", 100000), "expression too long"},
	{"many elseifs", `local a = 1 if a == 2 then ` + strings.Repeat("elseif a == 3 then ", 900) + `end`, ""},
	{"too many elseifs", `local a = 1 if a == 2 then ` + strings.Repeat("elseif a == 3 then ", 9000) + `end`, "within each other"},
	{"many parameters", "return function(" + strings.TrimSuffix(strings.Repeat("a,", 250), ",") + ") end", "too many parameters, loop variables"},
	{"large constructor", `local a = 1 return {` + strings.Repeat("a,", 260000) + `}`, ""},
	{"too large", strings.Repeat("-- x\n", 3_200_000), "file too large"},
	{"many words", strings.Repeat("x=1 ", 200000), "undeclared global"},
	{"many locals around much code", strings.Repeat("return function() local "+strings.TrimSuffix(strings.Repeat("a,", 180), ",")+" ", 90) + "return " + strings.Repeat("x,", 90000) + "x" + strings.Repeat(" end", 90), "too many locals in scope"},
	{"many breaks beside a function", `while true do do local x local f = function() return x end ` + strings.Repeat("if x then break end ", 20000) + `end return end`, ""},
	{"zero bytes", "local \x00concat = 1", "unexpected character"},
}

func TestAttacks(t *testing.T) {
	for _, tt := range attacks {
		t.Run(tt.idea, func(t *testing.T) {
			w := newWorld(t)
			other := w.s.NewEnv(EnvOptions{Print: &w.out})
			_, err := w.run(tt.src)
			switch {
			case tt.want == "" && err != nil:
				t.Fatalf("failed: %v", err)
			case tt.want != "" && err == nil:
				t.Fatalf("succeeded, want an error with %q", tt.want)
			case tt.want != "" && !strings.Contains(err.Error(), tt.want):
				t.Fatalf("error %q, want %q in it", err, tt.want)
			}
			var p *PanicError
			if errors.As(err, &p) {
				t.Fatalf("a bug: %v\n%s", p, p.Stack)
			}
			// Whatever it was, the State works on, and nobody else noticed.
			for _, env := range []*Env{other, w.s.NewEnv(EnvOptions{Print: &w.out})} {
				w.env = env
				w.s.Budget().Reset(100_000)
				if got := w.must(benign); got != "3 6 X 1.50 true" {
					t.Errorf("afterwards another script prints %q", got)
				}
			}
		})
	}
}

const benign = `
local t = {}
for i = 1, 3 do t[#t + 1] = i end
local sum, n = 0, 0
for _, v in ipairs(t) do sum = sum + v end
local co = coroutine.wrap(function() coroutine.yield(pcall(error)) end)
assert(co() == false)
for k in pairs(t) do n = n + 1 end
print(n .. " " .. sum .. " " .. ("x"):upper() .. " " .. string.format("%.2f", 1.5) .. " " .. tostring(rawget(_G, "leak") == nil))
`

// The same script interrupts at the same instruction, whatever ran before.
func TestAttacksAreRepeatable(t *testing.T) {
	used := func() []int64 {
		var out []int64
		s := New(Options{})
		for _, tt := range attacks {
			if len(tt.src) > 2000 { // of those, none is about running
				out = append(out, 0)
				continue
			}
			c, err := Compile("a.lua", tt.src)
			if err != nil {
				out = append(out, -1)
				continue
			}
			s.Budget().Reset(100_000)
			_ = s.Call(s.NewEnv(EnvOptions{}).Load(c, nil))
			out = append(out, s.Budget().Used())
		}
		return out
	}
	first, second := used(), used()
	for i := range first {
		if first[i] != second[i] {
			t.Errorf("%s: %d instructions, then %d", attacks[i].idea, first[i], second[i])
		}
	}
}
