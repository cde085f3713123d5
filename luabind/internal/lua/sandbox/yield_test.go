package sandbox

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// yields are programs that yield where gopher-lua cannot, with what they print in LuaJIT.
var yields = []struct{ name, src, want, plain string }{
	{"pcall", `local co = coroutine.wrap(function(...)
 local ok, a, b = pcall(function(x) local y, z = coroutine.yield(x) return y, z end, ...)
 print(ok, a, b)
 print(pcall(function() coroutine.yield("in") error("out", 0) end))
 return "end" end)
print(co(1)) print(co(2, 3)) print(co())`, "1\ntrue 2 3\nin\nfalse out\nend", "across pcall"},
	{"pcall of yield", `local co = coroutine.wrap(function() print(pcall(coroutine.yield, 1, 2)) return pcall(pcall, coroutine.yield, 3) end)
print(co()) print(co("a", nil)) print(co("b"))`, "1 2\ntrue a nil\n3\ntrue true b", "across pcall"},
	{"nested pcalls", `local function f(n) if n == 0 then coroutine.yield("deep") error({ n = 7 }) end
 local ok, e = pcall(f, n - 1) error(e) end
local co = coroutine.wrap(function() local ok, e = pcall(f, 20) coroutine.yield(e.n) return "over" end)
print(co(), co(), co())`, "deep 7 over", "cannot resume dead"},
	{"xpcall", `local co = coroutine.wrap(function()
 print(xpcall(function() return coroutine.yield(1) end, print))
 print(xpcall(function() coroutine.yield(2) error("e", 0) end, function(m) return m .. "!" end))
end)
print(co()) print(co("r")) co()`, "1\ntrue r\n2\nfalse e!", "across pcall"},
	{"iterators", `local function each(t) local i = 0 return function() i = i + 1 coroutine.yield(i) return t[i] end end
local co = coroutine.wrap(function() for v in each{ "a", "b" } do print(v) end
 for v in setmetatable({ n = 0 }, { __call = function(t) t.n = t.n + 1 coroutine.yield(-t.n) if t.n < 3 then return t.n end end }) do print(v) end
 for v in coroutine.yield do print("got", v) end return "end" end)
for i = 1, 6 do print(co()) end print(co("x")) print(co(nil))`, "1\na\n2\nb\n3\n-1\n1\n-2\n2\n-3\nnil nil\nend", "across a metamethod or an iterator"},
	{"indices", `local y = coroutine.yield
local t = setmetatable({}, { __index = function(t, k) return y(k) end, __newindex = function(t, k, v) y(k .. "=" .. v) rawset(t, k, v) end })
local u = setmetatable({}, { __index = t })
local co = coroutine.wrap(function() print(t.a, t[1]) t.b = 2 print(rawget(t, "b")) print(u.c, u:d("arg")) return "end" end)
print(co()) print(co(1)) print(co(2)) print(co()) print(co(3)) print(co(function(s, a) return s == u and a end))`, "a\n1\n1 2\nb=2\n2\nc\nd\n3 arg\nend", "across a metamethod"},
	{"operators", `local y = coroutine.yield
local mt = {} for _, e in ipairs{ "add", "sub", "mul", "div", "mod", "pow", "unm" } do mt["__" .. e] = function(a, b) return y(e) end end
local o = setmetatable({}, mt)
local co = coroutine.wrap(function() local a, b, c = o + 1, 2 - o, o * o print(a, b, c) print(o / 1, 1 % o, o ^ 2, 2 ^ o, -o) return "end" end)
print(co()) for i = 1, 8 do print(co(i)) end`, "add\nsub\nmul\n1 2 3\ndiv\nmod\npow\npow\nunm\n4 5 6 7 8\nend", "across a"},
	{
		"comparisons", `local y = coroutine.yield
local mt = { __lt = function() return y("lt") end, __le = function() return y("le") end, __eq = function() return y("eq") end }
local a, b = setmetatable({}, mt), setmetatable({}, mt)
local co = coroutine.wrap(function() print(a < b, a > b, a <= b, a >= b, a == b, a ~= b) if a < b then print("yes") else print("no") end
 local n = 0 while a < b do n = n + 1 end return n end)
print(co()) for _, v in ipairs{ true, false, 1, false, true, 0 } do print(co(v)) end print(co(false)) print(co(true)) print(co(true)) print(co(false))`,
		"lt\nlt\nle\nle\neq\neq\ntrue false true false true false\nlt\nno\nlt\nlt\nlt\n2", "across a metamethod",
	},
	{"lt for le", `local mt = { __lt = function(a, b) return coroutine.yield("lt") end } local a, b = setmetatable({}, mt), setmetatable({}, mt)
local co = coroutine.wrap(function() print(a <= b, a >= b) return "end" end) print(co()) print(co(true)) print(co(false))`, "lt\nlt\nfalse true\nend", "across a metamethod"},
	{"concat", `local mt = { __concat = function(a, b) return coroutine.yield(type(a) .. type(b)) end } local o = setmetatable({}, mt)
local co = coroutine.wrap(function() print("a" .. 1 .. o .. "b" .. "c") print(o .. o .. "x") return o .. 1 end)
print(co()) print(co("M")) print(co(o)) print(co("p")) print(co("q"))`, "tablestring\na1M\ntablestring\ntabletable\np\ntablenumber\nq", "across"},
	{"call", `local o = setmetatable({}, { __call = function(self, a, b) return self.n, coroutine.yield(a, b) end, }) o.n = "n"
local co = coroutine.wrap(function() print(o(1, 2)) return o(3) end) print(co()) print(co("r")) print(co("s"))`, "1 2\nn r\n3 nil\nn s", ""},
	{"tail calls", `local co = coroutine.wrap(function() local function f() return coroutine.yield(1) end local function g() return pcall(f) end print(g()) return coroutine.yield(2) end)
print(co()) print(co(5, 6)) print(co(7))`, "1\ntrue 5 6\n2\n7", "across pcall"},
	{"coroutines within each other", `local function level(n) return coroutine.wrap(function() if n > 0 then local f = level(n - 1) while true do local ok, v = pcall(f) if not v then break end coroutine.yield(v) end end coroutine.yield(n) end) end
local f = level(3) for i = 1, 5 do print(f()) end`, "0\n1\n2\n3", ""},
	{"globals", `local env = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end }) local t = setmetatable({}, { __index = env })
local co = coroutine.wrap(function() return t.x.y.z end) print(co()) print(co(t)) print(co(t)) print(co(3))`, "x\ny\nz\n3", "across a metamethod"},
	{"varargs", `local function pass(...) return coroutine.yield(...) end
local co = coroutine.wrap(function(...) local a, b = select("#", ...), { pcall(pass, ...) } coroutine.yield(a, #b) return pass(select(2, unpack(b))) end)
print(co(1, nil, 3)) print(co("a", "b")) print(co()) print(co(9))`, "1 nil 3\n3 3\na b\n9", "across pcall"},
}

func TestYields(t *testing.T) {
	for _, tt := range yields {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Compile("test.lua", tt.src)
			if err != nil {
				t.Fatal(err)
			}
			for _, plain := range []bool{false, true} {
				var out bytes.Buffer
				s := New(Options{Plain: plain})
				s.Budget().Reset(1_000_000)
				err := s.Call(s.NewEnv(EnvOptions{Print: &out}).Load(c, nil))
				got := strings.ReplaceAll(strings.TrimSpace(out.String()), "\t", " ")
				switch {
				case plain && tt.plain != "":
					if text := got + " " + errorText(err); !strings.Contains(text, tt.plain) {
						t.Errorf("plain: %q, want %q in it", text, tt.plain)
					}
				case err != nil || got != tt.want:
					t.Errorf("plain %v: %v\n%s\nwant\n%s", plain, err, got, tt.want)
				}
			}
			if _, err := exec.LookPath("luajit"); err != nil {
				return
			}
			out, err := exec.Command("luajit", "-e", tt.src).CombinedOutput()
			if got := strings.ReplaceAll(strings.TrimSpace(string(out)), "\t", " "); err != nil || got != tt.want {
				t.Errorf("LuaJIT: %v\n%s", err, got)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
