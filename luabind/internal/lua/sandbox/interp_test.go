package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// These tests run scripts with gopher-lua's own interpreter and with package interp, and
// compare everything that can be observed: prints, errors, tracebacks, and the count of
// instructions, in the middle and at the end, with budgets of all sizes.

// engine is a State with one of the two interpreters.
type engine struct {
	s   *State
	env *Env
	out bytes.Buffer
}

// outcome is what can be observed of a run.
type outcome struct {
	out, err, trace string
	value           string // what pcall would give for the error
	used            int64
}

func (o outcome) String() string {
	return fmt.Sprintf("used %d\nerror %s (%s)\n%s%s", o.used, o.err, o.value, o.trace, o.out)
}

func newEngine(plain bool) *engine {
	e := &engine{s: New(Options{Plain: plain, MaxString: 1 << 20})}
	e.env = e.s.NewEnv(EnvOptions{Print: &e.out, Random: &counter{}})
	set := func(name string, fn lua.LGFunction) { e.env.Set(name, e.s.NewFunction(fn)) }
	set("used", func(L *lua.LState) int { // instructions so far
		L.Push(lua.LNumber(e.s.Budget().Used()))
		return 1
	})
	set("gc", func(L *lua.LState) int {
		if !plain { // gopher-lua's interpreter hides nothing from the collector
			runtime.GC()
		}
		L.Push(L.Get(1))
		return 1
	})
	set("where", func(L *lua.LState) int { // the line, and how many functions run
		L.Push(lua.LString(fmt.Sprint(e.s.Where(), len(e.s.frames()))))
		return 1
	})
	set("again", func(L *lua.LState) int { // calls its argument by State.CallResults
		var args []lua.LValue
		for i := 2; i <= L.GetTop(); i++ {
			args = append(args, L.Get(i))
		}
		out, err := e.s.CallResults(L.Get(1), -1, args...)
		if err != nil {
			Raise(L, err)
		}
		for _, v := range out {
			L.Push(v)
		}
		return len(out)
	})
	userdata := func(name string, metatable func(meta *lua.LTable) lua.LValue) {
		e.env.Set(name, &lua.LUserData{Metatable: metatable(&lua.LTable{Metatable: lua.LNil})})
	}
	userdata("bare", func(*lua.LTable) lua.LValue { return lua.LNil })
	userdata("odd", func(meta *lua.LTable) lua.LValue { return meta })
	userdata("named", func(meta *lua.LTable) lua.LValue {
		base := &lua.LTable{Metatable: lua.LNil}
		base.RawSetString("x", lua.LNumber(3))
		base.RawSetString("len", e.s.NewFunction(func(L *lua.LState) int { L.Push(lua.LNumber(8)); return 1 }))
		meta.RawSetString("__index", base)
		return meta
	})
	userdata("called", func(meta *lua.LTable) lua.LValue {
		meta.RawSetString("__index", e.s.NewFunction(func(L *lua.LState) int { L.Push(L.Get(2)); return 1 }))
		return meta
	})
	userdata("chained", func(meta *lua.LTable) lua.LValue {
		meta.RawSetString("__index", lua.LNumber(5))
		return meta
	})
	set("inner", func(L *lua.LState) int { // calls its argument on the same thread
		n := L.GetTop()
		if n == 0 {
			L.RaiseError("inner wants a function")
		}
		for i := 1; i <= n; i++ {
			L.Push(L.Get(i))
		}
		L.Call(n-1, lua.MultRet)
		return L.GetTop() - n
	})
	return e
}

func (e *engine) run(c *Chunk, budget int64) outcome {
	e.out.Reset()
	e.s.Budget().Reset(budget)
	err := e.s.Call(e.env.Load(c, nil))
	o := outcome{out: e.out.String(), used: e.s.Budget().Used()}
	if err != nil {
		o.err = err.Error()
		var x *Error
		if errors.As(err, &x) {
			o.trace = fmt.Sprint(x.Stack)
			if s, ok := x.Value.(lua.LString); ok {
				o.value = string(s)
			} else {
				o.value = x.Value.Type().String()
			}
		}
	}
	return o
}

const unlimited = 20_000_000 // more than any program of these tests uses

// compareEngines runs src under both interpreters with a large budget, and then with up to
// samples smaller ones. It returns what the first run gave.
func compareEngines(t *testing.T, src string, samples int) outcome {
	t.Helper()
	c, err := Compile("test.lua", src)
	if err != nil {
		t.Fatalf("compile: %v\n%s", err, src)
	}
	theirs, ours := newEngine(true), newEngine(false)
	check := func(budget int64) (outcome, bool) {
		want, got := theirs.run(c, budget), ours.run(c, budget)
		if n := len(ours.s.active); n != 0 {
			t.Errorf("%d threads are still active", n)
		}
		if strings.Contains(want.err, "bug: runtime error") {
			return want, false // gopher-lua itself fails: it calls a variable that it has cleared
		}
		if want != got {
			t.Errorf("budget %d: package interp differs.\n%s%s", budget, difference(want, got), numbered(src))
		}
		return want, want == got
	}
	full, same := check(unlimited)
	if full.used >= unlimited {
		t.Errorf("the program uses its whole budget:\n%s", src)
	}
	if !same || full.used > 1_500_000 && !effort.More() {
		return full
	}
	samples = min(samples, int(1_500_000/max(1, full.used))) // each sample runs the program twice
	if strings.Contains(src, "gc()") || strings.Contains(src, "10485") {
		samples = 1
	}
	samples = max(1, samples)
	step := max(1, full.used/int64(samples))
	for b := int64(1); b <= full.used+1; b += step {
		if _, same := check(b); !same {
			break
		}
		if step > 1 { // another distance each time, so that all parts of a loop are met
			step = max(1, full.used/int64(samples)-b%3)
		}
	}
	if same {
		check(full.used - 1)
		check(unlimited) // after all these errors the State still works
	}
	return full
}

// difference shows the first lines that differ.
func difference(want, got outcome) string {
	a, b := strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n")
	var out strings.Builder
	for i, shown := 0, 0; i < max(len(a), len(b)) && shown < 6; i++ {
		line := func(l []string) string {
			if i < len(l) {
				return l[i][:min(len(l[i]), 300)]
			}
			return "(no line)"
		}
		if line(a) != line(b) {
			shown++
			fmt.Fprintf(&out, "line %d\n  gopher-lua: %s\n  interp:     %s\n", i, line(a), line(b))
		}
	}
	return out.String()
}

func numbered(src string) string {
	lines := strings.Split(src, "\n")
	if len(lines) > 120 {
		lines = lines[:120]
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%3d %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}

// show is a function of scripts that shows values of all kinds, and the sign of zero.
const show = `
local function show1(v)
  if type(v) == "number" then
    if v ~= v then return "nan" end
    if v == 0 then return 1 / v < 0 and "-0" or "0" end
    return string.format("%.17g", v)
  elseif type(v) == "string" then return string.format("%q", v)
  elseif type(v) == "table" or type(v) == "function" or type(v) == "thread" then return "<" .. type(v) .. ">" end
  return tostring(v)
end
local function show(...)
  local out = {}
  for i = 1, select("#", ...) do out[i] = show1((select(i, ...))) end
  print(table.concat(out, " "))
end
local function try(f, ...)
  local function got(ok, ...) if ok then show("ok", ...) else show("error", ...) end end
  got(pcall(f, ...))
end
`

func TestInterpPrograms(t *testing.T) {
	for _, p := range interpPrograms {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			o := compareEngines(t, show+p.src, effort.Of(12))
			if o.err != "" && !p.fails {
				t.Errorf("the program fails under both interpreters: %s", o)
			}
			if o.out == "" && !p.fails {
				t.Error("the program prints nothing")
			}
		})
	}
}

// interpProgram is a program; fails: it ends with an error.
type interpProgram struct {
	name, src string
	fails     bool
}
