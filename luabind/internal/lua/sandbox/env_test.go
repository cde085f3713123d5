package sandbox

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// TestReachable walks everything a script can get at from its environment, and
// compares it with the list of what it may.
func TestReachable(t *testing.T) {
	w := newWorld(t)
	var got []string
	seen := map[lua.LValue]bool{}
	var walk func(path string, v lua.LValue)
	walk = func(path string, v lua.LValue) {
		got = append(got, path)
		tb, ok := v.(*lua.LTable)
		if !ok || seen[v] {
			return
		}
		seen[v] = true
		for k, x := tb.Next(lua.LNil); k != lua.LNil; k, x = tb.Next(k) {
			if k.String() != "_G" || path != "" {
				walk(strings.TrimPrefix(path+"."+k.String(), "."), x)
			}
		}
	}
	walk("", w.env.Table)
	want := strings.Fields(`_VERSION assert bit collectgarbage coroutine error getmetatable ipairs load loadstring math next pairs pcall print
		rawequal rawget rawset select setmetatable string table tonumber tostring type unpack xpcall
		bit.arshift bit.band bit.bnot bit.bor bit.bswap bit.bxor bit.lshift bit.rol bit.ror bit.rshift bit.tobit bit.tohex
		coroutine.create coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield
		math.abs math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg math.exp math.floor math.fmod
		math.frexp math.huge math.ldexp math.log math.log10 math.max math.min math.mod math.modf math.pi math.pow math.rad
		math.random math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh
		string.byte string.char string.find string.format string.gmatch string.gsub string.len string.lower string.match
		string.rep string.reverse string.sub string.upper
		table.concat table.getn table.insert table.maxn table.remove table.sort`)
	got = got[1:]
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("a script reaches\n%v\nwant\n%v", got, want)
	}
}

// Library tables are copies, filled in the order of the names.
func TestPairsOrderOfLibraries(t *testing.T) {
	src := `for _, lib in ipairs{_G, coroutine, math, string, table} do for k in pairs(lib) do print(k) end end`
	first := newWorld(t).must(src)
	for range 5 {
		if again := newWorld(t).must(src); again != first {
			t.Fatalf("order differs:\n%s\n%s", first, again)
		}
	}
	w := newWorld(t)
	if got := w.must(`local last = "" for k in pairs(string) do assert(last < k) last = k end print("sorted")`); got != "sorted" {
		t.Error(got)
	}
}

func TestEnvironmentsAreApart(t *testing.T) {
	w := newWorld(t)
	w.must(`string.upper = 1 math.floor = nil rawset(_G, "shared", 1) print = nil rawset(table, "x", {})`)
	w.env = w.s.NewEnv(EnvOptions{Print: &w.out})
	if got := w.must(`print(("x"):upper(), string.upper("y"), math.floor(1.5), rawget(_G, "shared"), table.x)`); got != "X\tY\t1\tnil\tnil" {
		t.Error(got)
	}
}

// No address shows anywhere.
func TestNoAddresses(t *testing.T) {
	w := newWorld(t)
	w.env.Set("ud", w.s.NewUserData(t, nil))
	got := w.must(`local co = coroutine.create(print)
		print({}, print, function() end, co, ud)
		print(tostring({}), ("%s"):format(print), tostring(co))
		print(select(2, pcall(error, {})) ~= nil, (select(2, pcall(function() return {} .. "" end))))
		print(select(2, pcall(function() local t return t[{}] end)))
		print(select(2, pcall(function() error(print) end)))
		print(select(2, pcall(string.rep, {})))`)
	if strings.Contains(got, "0x") || !strings.HasPrefix(got, "table\tfunction\tfunction\tthread\tuserdata\ntable\tfunction\tthread\n") {
		t.Error(got)
	}
}

func TestPrint(t *testing.T) {
	w := newWorld(t)
	if got := w.must(`print() print(1, nil, true, "x", 0.1) print(setmetatable({}, {__tostring = function() return "obj" end}))`); got != "\n1\tnil\ttrue\tx\t0.1\nobj" {
		t.Errorf("%q", got)
	}
	w.env = w.s.NewEnv(EnvOptions{Print: brokenWriter{}})
	if _, err := w.run(`print(1)`); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// counter is a Random that shows what it is asked.
type counter struct{ n float64 }

func (c *counter) Float64() float64       { c.n++; return c.n / 100 }
func (c *counter) Int(lo, hi int64) int64 { c.n++; return lo*1000 + hi }
func (c *counter) Seed(n float64)         { c.n = n }

func TestRandomIsPerEnvironment(t *testing.T) {
	w := newWorld(t)
	a := w.s.NewEnv(EnvOptions{Print: &w.out, Random: &counter{}})
	b := w.s.NewEnv(EnvOptions{Print: &w.out, Random: &counter{n: 50}})
	src := `print(math.random(), math.random(6), math.random(2, 3), coroutine.wrap(function() return math.random() end)())`
	w.env = a
	if got := w.must(src); got != "0.01\t1006\t2003\t0.04" {
		t.Error(got)
	}
	w.env = b
	if got := w.must(src); got != "0.51\t1006\t2003\t0.54" {
		t.Error(got)
	}
	if got := w.must(`math.randomseed(7) print(math.random())`); got != "0.08" {
		t.Error(got)
	}
	for _, bad := range []string{`math.random(0)`, `math.random(3, 2)`, `math.random(1, 2, 3)`, `math.random("x")`} {
		if _, err := w.run(bad); err == nil {
			t.Errorf("%s succeeded", bad)
		}
	}
}

func TestUndeclared(t *testing.T) {
	c, err := Compile("a.lua", "local x = prnt(1)\ncount = math.huge\nprnt(ecs)\nfunction go() end")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.env.Set("ecs", lua.LTrue)
	var got []string
	for _, e := range w.env.Undeclared(c, nil) {
		got = append(got, e.Error())
	}
	want := []string{
		`a.lua:1: undeclared global "prnt"; did you mean "print"?`,
		`a.lua:2: undeclared global "count"; use local: local count = …`,
		`a.lua:4: undeclared global "go"; use local: local go = …`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// One chunk runs in many environments, and keeps no state between them.
func TestChunkIsShared(t *testing.T) {
	c, err := Compile("a.lua", "local n = ... return function() n = n + 1 return n end")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s := New(Options{})
		s.Budget().Reset(1000)
		f, err := s.CallResults(s.NewEnv(EnvOptions{}).Load(c, nil), 1, lua.LNumber(i))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := s.CallResults(f[0], -1); err != nil || len(out) != 1 || out[0] != lua.LNumber(i+1) {
			t.Errorf("%v, %v", out, err)
		}
	}
}

// A pass sees the syntax as written, may change it, and put in hidden names.
func TestPass(t *testing.T) {
	var sawConcat bool
	pass := func(file *syntax.Chunk) error {
		ret := file.Stmts[0].(*ast.ReturnStmt)
		_, sawConcat = ret.Exprs[0].(*ast.StringConcatOpExpr)
		ret.Exprs[0] = &ast.IdentExpr{Value: "\x00mine"}
		return nil
	}
	c, err := Compile("a.lua", `return "a" .. "b"`, pass)
	if err != nil || !sawConcat {
		t.Fatal(err, sawConcat)
	}
	w := newWorld(t)
	out, err := w.s.CallResults(w.env.Load(c, map[string]lua.LValue{"\x00mine": lua.LNumber(5)}), 1)
	if err != nil || out[0] != lua.LNumber(5) {
		t.Errorf("%v, %v", out, err)
	}
	if _, err = Compile("a.lua", "return 1", func(*syntax.Chunk) error {
		return &Error{Pos: Pos{Line: 1}, Message: "not here"}
	}); fmt.Sprint(err) != "a.lua:1: not here" {
		t.Error(err)
	}
}

// Lists and tables keyed by entities stay what they are at their limits.
func TestEntityKeys(t *testing.T) {
	got := newWorld(t).must(`local t, e = {}, 2^32
		for i = 0, 999 do t[e + i] = i end
		local n, last = 0, -1
		for k, v in pairs(t) do assert(v == last + 1) last = v n = n + 1 end
		print(n, #t, t[e + 500], t[2^53])`)
	if got != "1000\t0\t500\tnil" {
		t.Error(got)
	}
}
