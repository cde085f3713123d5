package sandbox

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// repeated writes a text n times, separated by commas; # is the number of the time.
func repeated(n int, text string) string {
	var out []string
	for i := range n {
		out = append(out, strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return strings.Join(out, ",")
}

// statements is repeated for statements.
func statements(n int, text string) string {
	return strings.ReplaceAll(repeated(n, text+";"), ";,", "; ")
}

// results returns what a file returns, or its error, and what it costs.
func results(t *testing.T, source string, plain bool) string {
	t.Helper()
	c, err := Compile("x.lua", source)
	if err != nil {
		return err.Error()
	}
	s := New(Options{Plain: plain})
	s.Budget().LimitAllocations(1 << 30)
	s.Budget().Reset(100_000_000)
	values, err := s.CallResults(s.NewEnv(EnvOptions{}).Load(c, nil), -1)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, v := range values {
		out = append(out, ToString(s.base, v))
	}
	return fmt.Sprint(strings.Join(out, " "), " #", s.Budget().Used(), " ", s.Budget().AllocationsLeft())
}

// A function may be as large as in Lua 5.1. lua5.1 gives the same results, but for the sources with more than 200 locals, which it refuses.
func TestSizes(t *testing.T) {
	for name, tt := range map[string]struct{ source, want string }{
		"locals that functions write": {statements(250, "local a# = #") + "local function g() a249 = a249 + a3 return a249 end return g() + a249 + a3", "507"},
		"arguments":                   {"local function f(...) return select('#', ...), (select(240, ...)) end return f(" + repeated(240, "#") + ")", "240 239"},
		"arguments and a call":        {"local function f(...) return select('#', ...), (select(240, ...)) end return f(" + repeated(240, "nil") + ", f(1, 2))", "242 nil"},
		"arguments and parentheses":   {"local function f(...) return select('#', ...) end return f(" + repeated(240, "#") + ", (f(1, 2)))", "241"},
		"parameters":                  {"local function f(" + repeated(200, "a#") + ") a199 = a199 * 2 return a0 + a199, function() a150 = a150 + 1 return a150 end end local x, g = f(" + repeated(200, "#") + ") return x, g() + g()", "398 303"},
		"parameters of a method":      {"local t = {} function t:f(" + repeated(198, "a#") + ") return self == t, a0, a197 end return t:f(" + repeated(197, "#") + ")", "true 0 nil"},
		"results":                     {"return select(200, (function() return " + repeated(203, "#") + " end)())", "199 200 201 202"},
		"locals of one statement":     {"local " + repeated(200, "a#") + " = " + repeated(200, "#") + " return a199, a0", "199 0"},
		"locals of one call":          {"local " + repeated(200, "a#") + " = (function() return " + repeated(200, "#") + " end)() return a199, a0", "199 0"},
		"locals without values":       {statements(190, "local b#") + "local x, y = 1 return x, y", "1 nil"},
		"values without locals":       {statements(199, "local b#") + "local n = 0 local function f() n = n + 1 return n end local x = 7, f(), f() return x, n", "7 2"},
		"one name":                    {statements(199, "local a = #") + "local a, a = a, a + 1 return a", "199"},
		"index of nil":                {statements(199, "local a#") + "local x = a198.x", `x.lua:1: attempt to index a nil value (local "a198")`},
		"index of nil in a function":  {statements(199, "local a#") + "return (function() return a198.x end)()", `x.lua:1: attempt to index a nil value (local "a198")`},
		"call of nil":                 {statements(199, "local a#") + "\na197()", `x.lua:2: attempt to call a nil value (local "a197")`},
		"recursion":                   {statements(199, "local a#") + "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(9)", "9"},
		"an iteration's own":          {statements(198, "local a#") + "local fs = {} for i = 1, 3 do local b = i fs[i] = function() b = b + 1 return b end end return fs[1](), fs[1](), fs[2]()", "2 3 3"},
		"goto":                        {statements(198, "local a#") + "local fs = {} local i = 0 do ::top:: i = i + 1 local b = i fs[i] = function() b = b + 1 return b end if i < 3 then goto top end end return fs[1](), fs[1](), fs[2](), fs[3]()", "2 3 3 4"},
		"until":                       {statements(199, "local a#") + "local n = 0 repeat local last = n > 3 n = n + 1 until last return n", "5"},
		"deep expressions":            {statements(190, "local a#=#") + "return " + strings.Repeat("math.max(1, ", 60) + "2" + strings.Repeat(")", 60) + " + a189", "191"},
		"assignments of many":         {statements(100, "local a#=#") + "a0, a1 = a1, a0 " + repeated(90, "a#") + " = " + repeated(90, "a#+1") + " return a0, a1, a89", "2 1 90"},
		"loops":                       {"local s = 0 for i = 1, 3 do " + statements(230, "local x# = i") + "for k, v in pairs{x229} do s = s + v end end return s", "6"},
		"a method of a table":         {statements(199, "local a# = {}") + "function a198.f(x) return x end function a198:g() return self.f(4) end return a198:g()", "4"},
		"a long list":                 {"local t = {" + repeated(30_000, "#") + "} return #t, t[25601], t[30000]", "30000 25600 29999"},
		"a long list of calls":        {"local function f() return 1, 2 end local t = {" + repeated(26_000, "f()") + "} return #t, t[26000], t[26001]", "26001 1 2"},
		"many numbers":                {"local t = {}\n" + statements(40_000, "t[#] = #.25") + "return t[39999], t[0], -t[70]", "39999.25 0.25 -70.25"},
		"many minuses":                {"return select(1901, " + "unpack{" + repeated(2000, "-#") + "})", ""},
		"many names":                  {"local t = {" + repeated(12_000, `k# = "text #"`) + "} return t.k0, t.k11999", "text 0 text 11999"},
		"a name that is nil":          {"local t = {}\n" + statements(1_100, "local x = t.g#.x"), `x.lua:2: attempt to index a nil value (field "g0")`},
		"the last name that is nil":   {"local t = {" + repeated(2_000, "g# = {}") + "}\n" + statements(2_010, "local x = t.g#.x"), `x.lua:2: attempt to index a nil value (field "g2000")`},
	} {
		t.Run(name, func(t *testing.T) {
			plain, fast := results(t, tt.source, true), results(t, tt.source, false)
			if got, _, _ := strings.Cut(fast, " #"); tt.want != "" && got != tt.want || plain != fast {
				t.Errorf("%.300s; gopher-lua %.300s; want %s", fast, plain, tt.want)
			}
		})
	}
}

// A sizeWriter writes random functions with many locals, constructors and calls, in a small form and in a large one that does the same.
type sizeWriter struct {
	*rand.Rand
	names []string
	next  int
}

func (w *sizeWriter) name() string { return w.names[w.IntN(len(w.names))] }

func (w *sizeWriter) expr(depth int) string {
	if depth == 0 || w.IntN(4) == 0 {
		if w.IntN(2) == 0 {
			return w.name()
		}
		return fmt.Sprint(w.IntN(1000))
	}
	switch w.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s + %s)", w.expr(depth-1), w.expr(depth-1))
	case 1:
		return fmt.Sprintf("f(%s, %s)", w.expr(depth-1), w.expr(depth-1))
	case 2:
		return fmt.Sprintf("count(%s, %s)", strings.TrimSuffix(strings.Repeat(w.expr(0)+", ", 1+w.IntN(90)), ", "), w.expr(depth-1))
	case 3:
		return fmt.Sprintf("#{%s, f(%s, 1)}", strings.TrimSuffix(strings.Repeat(w.expr(0)+", ", 1+w.IntN(70)), ", "), w.expr(depth-1))
	case 4:
		return fmt.Sprintf("({%s, k = %s}).k", w.expr(depth-1), w.expr(depth-1))
	case 5:
		return fmt.Sprintf("(function() %s = %s return %s end)()", w.name(), w.expr(0), w.expr(depth-1))
	}
	return fmt.Sprintf("(%s and %s)", w.expr(depth-1), w.expr(depth-1))
}

func (w *sizeWriter) stmt() string {
	declare := func() string {
		w.next++
		return fmt.Sprint("v", w.next)
	}
	switch w.IntN(6) {
	case 0:
		a, b := declare(), declare()
		out := fmt.Sprintf("local %s, %s = f(%s, %s)", a, b, w.expr(2), w.expr(1))
		w.names = append(w.names, a, b)
		return out
	case 1:
		return fmt.Sprintf("%s, %s = %s, %s", w.name(), w.name(), w.expr(2), w.expr(2))
	case 2:
		return fmt.Sprintf("for i = 1, 2 do local z = %s %s = z + i out[#out + 1] = function() z = z + 1 return z end end", w.expr(2), w.name())
	case 3:
		return fmt.Sprintf("if %s > 500 then %s = %s else local q = %s %s = q end", w.name(), w.name(), w.expr(2), w.expr(1), w.name())
	}
	a := declare()
	out := fmt.Sprintf("local %s = %s", a, w.expr(3))
	w.names = append(w.names, a)
	return out
}

// Functions beyond the compiler's registers give what they give if their locals are fields of a table.
func TestSizesOfRandomFunctions(t *testing.T) {
	names := regexp.MustCompile(`\bv\d+\b`)
	const head = "local G = {} local out = {} local function f(a, b) return a, b end local function count(...) return select('#', ...) end local v0 = 1\n"
	for seed := range uint64(60) {
		w := &sizeWriter{Rand: rand.New(rand.NewPCG(seed, 7)), names: []string{"v0"}}
		var body []string
		for range 60 + w.IntN(120) {
			body = append(body, w.stmt())
		}
		tail := "\nlocal sum = 0 for i = 1, #out do sum = sum + out[i]() + out[i]() end return sum, " + strings.Join(w.names[len(w.names)-min(len(w.names), 20):], ", ")
		source := head + strings.Join(body, "\n") + tail
		small := strings.ReplaceAll(names.ReplaceAllString(source, "G.$0"), "local G.", "G.") // no name stands for two variables
		plain, fast, table := results(t, source, true), results(t, source, false), results(t, small, false)
		got, _, _ := strings.Cut(fast, " #")
		if want, _, _ := strings.Cut(table, " #"); plain != fast || got != want {
			t.Fatalf("seed %d: %.300s; gopher-lua %.300s; with a table %.300s", seed, fast, plain, want)
		}
	}
}
