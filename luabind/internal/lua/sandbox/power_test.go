package sandbox

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/ecsrun/ecsrun/ecs/portable"
)

// powers are numbers at which something changes.
var powers = []float64{
	0, 1, 2, 3, 0.5, 1.5, 1.0 / 3, 10, 0x1p-1074, 0x1p-1022, 0x1p-511, 0x1p-537, 1.25 * 0x1p-530, 0x1p53, 0x1p53 - 1, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(),
	-0.5, -1, -2, -3, -1.5, math.Copysign(0, -1), math.Inf(-1), 0.98, 1 + 0x1p-52,
}

// TestPowerIsPortable: ^ has the bits of package portable (but for -0, which the VM's operators do not give), whatever its operands look
// like: variables, and exponents and bases that are constants.
func TestPowerIsPortable(t *testing.T) {
	w := newWorld(t)
	call := func(fn *lua.LFunction, args ...lua.LValue) float64 {
		t.Helper()
		w.s.Budget().Reset(1000)
		out, err := w.s.CallResults(fn, 1, args...)
		if err != nil {
			t.Fatal(err)
		}
		return float64(out[0].(lua.LNumber))
	}
	check := func(src string, got, a, b float64) {
		t.Helper()
		if want := portable.Pow(a, b) + 0; math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Errorf("%s: %x ^ %x = %x, want %x", src, a, b, got, want)
		}
	}
	variables := w.load("local a, b = ... return a ^ b")
	r := rand.New(rand.NewPCG(1, 2))
	xs := append([]float64{}, powers...)
	for range 100 {
		xs = append(xs, 20*r.Float64(), math.Float64frombits(r.Uint64()), math.Ldexp(r.Float64()-0.5, -500-r.IntN(40)), float64(r.IntN(100)-50))
	}
	for _, a := range xs {
		for _, b := range xs {
			check("variables", call(variables, lua.LNumber(a), lua.LNumber(b)), a, b)
		}
	}
	for _, b := range []string{"0", "0.5", "1", "2", "3", "-1", "-0.5", "-2", "1.7", "1e400", "2^2", "1+1"} {
		constant := w.load("local a = ... return a ^ (" + b + ")")
		y := float64(call(w.load("return "+b), lua.LNumber(0)))
		for _, a := range xs {
			check("constant exponent "+b, call(constant, lua.LNumber(a)), a, y)
		}
	}
	for _, a := range []string{"0", "1", "2", "10", "0.98", "-2", "-0.5", "1e400"} {
		constant := w.load("local b = ... return (" + a + ") ^ b")
		x := float64(call(w.load("return "+a), lua.LNumber(0)))
		for _, b := range xs {
			check("constant base "+a, call(constant, lua.LNumber(b)), x, b)
		}
		for _, b := range []string{"0.3", "-0.3", "7", "-7", "53", "1e400", "2", "0.5", "1100"} {
			y := float64(call(w.load("return "+b), lua.LNumber(0)))
			src := "return (" + a + ") ^ " + b
			check(src, call(w.load(src)), x, y)
		}
	}
}

// powerCases were run with PUC Lua 5.1.5.
var powerCases = []struct{ idea, src, want string }{
	{"precedence", `local x = 3 print(-x ^ 2, -3 ^ 2, 2 ^ -1, 2 ^ 3 ^ 2, (2 ^ 3) ^ 2, x ^ -x * 27, not (x ^ x == 27))`, "-9\t-9\t0.5\t512\t64\t1\tfalse"},
	{"numeric strings", `local a, b = "10", "3" print(a ^ b, "2" ^ 0.5 == 2 ^ 0.5, a ^ 2, 2 ^ b, "0x10" ^ b)`, "1000\ttrue\t100\t8\t4096"},
	{"metatables", `local mt = {__pow = function(a, b) return (type(a) == "table" and "t" or tostring(a)) .. "^" .. (type(b) == "table" and "t" or tostring(b)) end}
		local t, n, s = setmetatable({}, mt), 3, "5" print(t ^ n, n ^ t, t ^ 2, 2 ^ t, s ^ t, t ^ s, t ^ t, t ^ nil, "x" ^ t, t ^ 0.5)`, "t^3\t3^t\tt^2\t2^t\t5^t\tt^5\tt^t\tt^nil\tx^t\tt^0.5"},
	{"one value each", `local function f() return 2, 3 end print(f() ^ f(), (f() ^ 3), 3 ^ f()) local function g(...) return ... ^ ... end print(g(3, 4))`, "4\t8\t9\n27"},
	{"order of evaluation", `local log = {} local function l(n, v) log[#log + 1] = n return v end local x = l("a", 2) ^ l("b", 3) ^ l("c", 1) print(table.concat(log), x)`, "abc\t8"},
	{"in place", `local x, t = 3, {y = 2} x = x ^ x t.y = t.y ^ x local a, b = x ^ 1.5 > 1, t.y ^ 3 x, t.y = t.y ^ 3, x ^ 3 print(x == 2 ^ 81, t.y == 3 ^ 9, a, b == 2 ^ 81)`, "true\ttrue\ttrue\ttrue"},
	{"a parameter is raised", `local function f(n, s) s = s ^ n return s end print(f(3, 2))`, "8"},
	{"constants", `print(2 ^ 53, 10 ^ 15, 2 ^ -1074 > 0, 2 ^ 1024, -2 ^ 0.5 < 0, (-8) ^ 3, (-8) ^ (1 / 3) ~= (-8) ^ (1 / 3), 0 ^ 0, 0 ^ -1)`, "9.007199254741e+15\t1e+15\ttrue\tinf\ttrue\t-512\ttrue\t1\tinf"},
	{"yield in an operand", `local co = coroutine.wrap(function() return coroutine.yield(1) ^ coroutine.yield(2) end) co() co(2) print(co(10))`, "1024"},
	{"in conditions", `local x, n = 2, 0 while x ^ x < 1000 do x = x + 1 n = n + 1 end if not (x ^ n == 125) then n = -1 end repeat n = n + 1 until n ^ n > 300 print(x, n)`, "5\t5"},
	{"as an index", `local t = {[2 ^ 3] = "a"} local i = 3 t[i ^ 3] = "b" print(t[8], t[27], #{2 ^ i, i ^ i})`, "a\tb\t2"},
}

func TestPower(t *testing.T) {
	for _, c := range powerCases {
		if got := newWorld(t).must(c.src); got != c.want {
			t.Errorf("%s: %s\nprints %q\nwant   %q", c.idea, c.src, got, c.want)
		}
	}
}

var powerMessages = []struct{ src, want string }{
	{"local a\nlocal c = 2 ^ a", `test.lua:2: attempt to perform arithmetic on a nil value (local "a")`},
	{"local t, n = {}, 3\nlocal c = t.x ^ n", `test.lua:2: attempt to perform arithmetic on a nil value (field "x")`},
	{"local t = {}\nlocal c = t.x ^ 2", `test.lua:2: attempt to perform arithmetic on a nil value (field "x")`},
	{"local s = 'abc'\nreturn s ^ 3", `test.lua:2: attempt to perform arithmetic on a string value (local "s")`},
	{"local s = 'abc'\nreturn s ^ 2", `test.lua:2: attempt to perform arithmetic on a string value (local "s")`},
	{"local s = 'abc'\nreturn 2 ^ s", `test.lua:2: attempt to perform arithmetic on a string value (local "s")`},
	{"local t, s = {}, '7'\nreturn s ^ t", `test.lua:2: attempt to perform arithmetic on a table value (local "t")`},
	{"local t, s = {}, '7'\nreturn t ^ s", `test.lua:2: attempt to perform arithmetic on a table value (local "t")`},
	{"local function f() end\nlocal x = 3\nx = x ^\n f()", `test.lua:3: attempt to perform arithmetic on a nil value (result of "f")`},
	{"return 2 ^ {}", `test.lua:1: attempt to perform arithmetic on a table value`},
	{"local t = setmetatable({}, {__pow = 5})\nreturn t ^ 3", `test.lua:2: attempt to perform arithmetic on a table value (local "t")`},
}

func TestPowerMessages(t *testing.T) {
	for _, c := range powerMessages {
		_, err := newWorld(t).run(c.src)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q\ngives %v\n want %s", c.src, err, c.want)
		}
		if e, ok := err.(*Error); ok && strings.Contains(fmt.Sprint(e.Stack), "pow") {
			t.Errorf("%q: the traceback shows what was put in: %v", c.src, e.Stack)
		}
	}
}
