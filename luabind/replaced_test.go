package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// replacedBodies are loops that call string.gsub with functions and tables.
var replacedBodies = []string{
	`for e, p in world:each("P") do text = ("e" .. e .. " k" .. p.k):gsub("%d+", function(d) return "<" .. d .. ">" end) last = text end`,
	`local function up(s) return (s:gsub("^%l", string.upper)) end for e, p in world:each("P") do text = up("hello " .. p.k) sum = sum + #up("x") end`,
	`local function fill(s, vars) return (s:gsub("{(%w+)}", vars)) end for e, p in world:each("P") do text = fill("I am {name}, {x} of {y}{name}", { name = "e" .. e, x = p.x }) end`,
	`local vars = { a = "first", b = "second", n = 3, no = false } for e, p in world:each("P") do local out, n = ("$a $b $n $no $z " .. p.k):gsub("%$(%w+)", vars) text = out sum = sum + n end`,
	`local vars = { a = "first" } for e, p in world:each("P") do vars.b = "now " .. p.k text = ("$a $b $c"):gsub("%$(%w)", vars) end`,
	`local letters = { "a", "c", "g", "t" } for e, p in world:each("P") do local at = nil local out = ("acgtacgt"):gsub(".", function(ch) if ecs.random() < 0.2 then at = true return letters[ecs.random(4)] end end) if at then sum = sum + 1 end text = out end`,
	`for e, p in world:each("P") do local out, n = ("a b c d"):gsub("%a", function(c) up = up + 1 if p.k > 2 then return nil end return false end) sum = sum + n text = out end`,
	`for e, p in world:each("P") do local out, n = ("a b c d"):gsub("(%a) (%a)", function(x, y, z) return y .. x .. tostring(z) end, p.k - 1) sum = sum + n text = out end`,
	`for e, p in world:each("P") do text = ("abc"):gsub("()", function(at) sum = sum + at return at end) end`,
	`for e, p in world:each("P") do text = ("hello world"):gsub("o*", function(s) return "[" .. s .. "]" end) local t, n = ("abc"):gsub("^", function() return "x" end) last = t sum = sum + n end`,
	`local function one(s) return nums[#s] end for e, p in world:each("P") do text = ("a bb ccc dddd"):gsub("%a+", one) sum = sum + #text end`,
	`for e, p in world:each("P") do text = string.gsub("1 2 3", "%d", function(d) return tonumber(d) * nums[p.k] end) end`,
	`for e, p in world:each("P") do text = ("abc"):gsub("%a", function(s) if p.k > 3 then return {} end return s:byte() end) end`,
	`for e, p in world:each("P") do text = ("abc"):gsub("%a", function(s) if p.x == 40 then return true end return s:upper() end) end`,
	`for e, p in world:each("P") do text = ("a" .. p.k):gsub(p.x == 40 and "(%a" or "(%a)", function(s) sum = sum + 1 p.x = p.x + 0 return s:rep(2) end) end`,
	`for e, p in world:each("P") do p.x = p.x + 1 text = ("abcdefgh"):gsub("%a", function(s) sum = sum + 1 world:send("Out", { n = p.x }) return p.x end) end`,
	`for e, p in world:each("P") do text = ("abcdefgh"):gsub("%a", function(s) if s == "d" then return nums[p.k] + 1 end end) end`,
	`for e, p in world:each("P") do text = ("x"):rep(p.x + 60):gsub("x", function(s) sum = sum + 1 return "yy" end) text = #text end`,
	`local subs = { "%d", "%a" } for e, p in world:each("P") do text = ("a1 b2 c3"):gsub(subs[p.k % 2 + 1], function(s) return "." end, 2) end`,
	`local M = { vars = { who = "M" } } for e, p in world:each("P") do M.vars.n = p.k text = ("{who} {n}"):gsub("{(%w+)}", M.vars) end`,
	`local node = { text = "{a}{b}", vars = { a = 1 } } for e, p in world:each("P") do local vars = p.k == 2 and { b = "B" } or node.vars text = node.text:gsub("{(.)}", vars) end`,
	`local list = { { by = "x" }, { by = { a = "T" } }, { by = "%1%1" } } for e, p in world:each("P") do local o = list[p.k] if o then local out, n = ("a b a"):gsub("(%a)", o.by) text = out sum = sum + n end end`,
	`local vars = setmetatable({}, { __index = function(t, k) return k .. k end }) for e, p in world:each("P") do text = ("a b"):gsub("%a", vars) end`,
	`local vars = setmetatable({}, { __index = { a = "A" } }) for e, p in world:each("P") do vars.b = p.k text = ("a b"):gsub("%a", vars) end`,
	`local repl = "[%1]" for e, p in world:each("P") do text = ("a b"):gsub("(%a)", repl) repl = "<%1>" end`,
	`local function sub(s, by) local out, n = s:gsub("%a", by) return out, n end for e, p in world:each("P") do local a, n = sub("ab", "x") local b, m = sub("ab", { a = p.k }) text = a .. b sum = sum + n + m end`,
	`for e, p in world:each("P") do text = ("ab"):gsub("%a", nil) end`,
	`local missing = { a = 1 } for e, p in world:each("P") do if p.x > 30 then text = ("12"):gsub("%a", missing.b) end p.x = p.x + 1 end`,
	`for e, p in world:each("P") do text = ("abc"):gsub("b", string.upper) text = text:gsub("%a", string.byte) end`,
	`for e, p in world:each("P") do local t = {} ; ("a=1, b=" .. p.k):gsub("(%w+)=(%w+)", function(k, v) t[k] = v end) sum = sum + #t.a + #t.b end`,
	`local words = {} for e, p in world:each("P") do ("the quick k" .. p.k):gsub("%a+", function(w) words[w] = (words[w] or 0) + 1 end) end print(words.the, words.k)`,
	`for e, p in world:each("P") do text = ("a b"):gsub("%a", function(s) return (s:gsub("a", function(x) return x .. p.k end)) end) end`,
	`local f = p == 1 and string.lower or function(s) return s .. "!" end for e, p in world:each("P") do text = ("a b"):gsub("%a", f) end`,
	`local function one(s) return s .. 1 end local function two(s) return 2 end for e, p in world:each("P") do local f = p.k > 2 and one or two text = ("a b"):gsub("%a", f) end`,
	`for hit in world:read("Hit") do text = ("hit {n} of {k}"):gsub("{(%w+)}", { n = hit.n, k = hit.k }) if hit.k > 3 then print(text) end end`,
	`local s = "a b" for e, p in world:each("P") do text = s:gsub("%a", function(c) s = s .. p.k if #s > 20 then s = "a b" end return c .. "-" end) end`,
}

// Loops that replace matches by what a function or a table gives do in kernels what they do interpreted, whichever rows leave.
func TestReplacementsAlike(t *testing.T) {
	t.Parallel()
	interpreted := 0
	for i, body := range replacedBodies {
		ran := 0
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
		if ran < 100*patternsTried() {
			t.Logf("no kernel: %s", body)
			interpreted++
		}
	}
	if interpreted > 13 && effort.More() { // else there are few patterns, some of which leave all rows
		t.Errorf("%d loops are interpreted", interpreted)
	}
}

// A member of a table in a table that rows assign by name is found by other keys, and the other way round.
func TestMembersByNameAndByKey(t *testing.T) {
	t.Parallel()
	names := `local names, s = { "n", "who", "none" }, { vars = { who = 1 }, other = { who = 2 } } `
	for _, body := range []string{
		names + `for e, p in world:each("P") do s.vars.n = p.k local v = s.vars[names[p.k] or "n"] if v then sum = sum + v end end`,
		names + `for e, p in world:each("P") do s.vars[names[p.k] or "n"] = p.x local v = s.vars.n if v then sum = sum + v end end`,
		names + `for e, p in world:each("P") do s.vars.n = p.k s.vars[names[p.k] or "n"] = 2 s.vars.who = (s.vars.who or 0) + s.vars.n end print(s.vars.who)`,
		names + `for e, p in world:each("P") do sum = sum + (s.vars[names[p.k] or "n"] or 3) + s.vars.who end`,
	} {
		source := exitSource(body, exitPatterns["few"], exitCalls[0])
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			if got, did := exitTrace(t, source, impl, Limits{}); got != want {
				t.Errorf("%v: %v, got\n%s\ninterpreted\n%s\n%s", impl, did, got, want, body)
			}
		}
	}
}
