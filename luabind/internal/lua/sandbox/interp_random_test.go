package sandbox

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// writer writes random Lua programs: all statements and expressions of Lua 5.1, with values of
// all types in all places, so that many end in errors, which the programs catch and show.
type writer struct {
	*rand.Rand
	out     strings.Builder
	locals  []string // that can be seen here
	names   int
	depth   int // of blocks
	loops   int // around here, in this function
	varargs bool
	labels  int
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.out, "%s%s\n", strings.Repeat(" ", w.depth), fmt.Sprintf(format, args...))
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) name() string {
	w.names++
	return fmt.Sprintf("v%d", w.names)
}

// local is a variable that can be seen.
func (w *writer) local() string {
	if len(w.locals) == 0 || w.IntN(12) == 0 {
		return w.pick("T", "O", "M", "F", "N")
	}
	if w.IntN(2) == 0 { // a late one
		return w.locals[len(w.locals)-1-w.IntN(min(4, len(w.locals)))]
	}
	return w.locals[w.IntN(len(w.locals))]
}

func (w *writer) constant() string {
	return w.pick("0", "1", "2", "3", "-1", "0.5", "-0", "1e300", "2^53", "1/0", "-1/0", "0/0", "nil", "true", "false", `"a"`, `"10"`, `""`, `"x"`, "100", "7", "{}", "{1, 2, 3}", "{x = 1}")
}

// expr is an expression; d bounds its depth.
func (w *writer) expr(d int) string {
	if d <= 0 {
		if w.IntN(3) == 0 {
			return w.constant()
		}
		return w.local()
	}
	e := func() string { return w.expr(d - 1 - w.IntN(2)) }
	switch w.IntN(26) {
	case 0, 1, 2, 3, 4:
		return w.local()
	case 5, 6:
		return w.constant()
	case 7, 8, 9, 10:
		if w.IntN(3) > 0 {
			return "(num(" + e() + ") " + w.pick("+", "-", "*", "/", "%") + " " + w.pick("2", "3", "0.5", "num("+e()+")", "N") + ")"
		}
		return "(" + e() + " " + w.pick("+", "-", "*", "/", "%", "+", "-", "*") + " " + e() + ")"
	case 11:
		return "(" + e() + " " + w.pick("..", "^", "..") + " " + e() + ")"
	case 12, 13, 14:
		if w.IntN(2) == 0 {
			return "(num(" + e() + ") " + w.pick("==", "~=", "<", "<=", ">", ">=") + " " + w.pick("2", "num("+e()+")") + ")"
		}
		return "(" + e() + " " + w.pick("==", "~=", "==", "~=", "<", ">=") + " " + e() + ")"
	case 15, 16, 17:
		return "(" + e() + " " + w.pick("and", "or") + " " + e() + ")"
	case 18:
		return w.pick("not ", "-", "#") + w.local()
	case 19:
		return w.local() + w.pick(".x", ".y", "[1]", "[2]", "["+e()+"]")
	case 20, 21:
		return w.call(d)
	case 22:
		return "(" + w.call(d) + ")"
	case 23:
		return "{" + w.fields(d) + "}"
	case 24:
		return w.function(d)
	default:
		if w.varargs {
			return w.pick("...", "(...)", `select("#", ...)`, "{...}")
		}
		return "num(" + e() + ")"
	}
}

func (w *writer) fields(d int) string {
	var out []string
	for range w.IntN(4) {
		switch w.IntN(4) {
		case 0:
			out = append(out, w.pick("x", "y", "z")+" = "+w.expr(d-1))
		case 1:
			out = append(out, "["+w.pick("1", "2", `"x"`, "3.5", "true", "10")+"] = "+w.expr(d-1))
		default:
			out = append(out, w.expr(d-1))
		}
	}
	return strings.Join(out, ", ")
}

// list is n expressions, the last of which may give any number of values.
func (w *writer) list(d, n int) string {
	var out []string
	for range n {
		out = append(out, w.expr(d-1))
	}
	return strings.Join(out, ", ")
}

func (w *writer) call(d int) string {
	args := w.list(d, w.IntN(4))
	switch w.IntN(9) {
	case 0, 1, 2:
		return w.pick(w.local(), "F", "G", "H") + "(" + args + ")"
	case 3:
		return w.pick(w.local(), "O", "M") + ":" + w.pick("x", "m", "rep", "y") + "(" + args + ")"
	case 4:
		return w.pick("math.floor", "math.max", "math.min", "type", "tostring", "tonumber", "math.abs", "rawget", "rawequal", "next", "unpack", "math.fmod", "table.insert", "table.remove", "table.concat", "string.len", "used", "setmetatable", "getmetatable", "math.huge", "string.format") + "(" + args + ")"
	case 5:
		return w.pick("F", "G", "H", "two", "none", "id", "inner", "again") + "(" + args + ")"
	case 6:
		return "pcall(" + w.local() + w.pick("", ", "+w.expr(d-1)) + ")"
	case 7:
		return "num(" + w.expr(d-1) + ")"
	default:
		return "id(" + args + ")"
	}
}

// function is a function expression.
func (w *writer) function(d int) string {
	outer := w.out
	locals, varargs, loops, depth := w.locals, w.varargs, w.loops, w.depth
	w.out = strings.Builder{}
	w.locals = locals[:len(locals):len(locals)]
	w.loops = 0
	w.depth++
	var params []string
	for range w.IntN(4) {
		p := w.name()
		params = append(params, p)
		w.locals = append(w.locals, p)
	}
	if w.varargs = w.IntN(3) == 0; w.varargs {
		params = append(params, "...")
	}
	w.line("tick()")
	w.block(1 + w.IntN(3))
	if w.IntN(3) > 0 {
		w.line("return %s", w.results(d))
	}
	text := "function(" + strings.Join(params, ", ") + ")\n" + w.out.String() + strings.Repeat(" ", depth) + "end"
	w.out = outer
	w.locals, w.varargs, w.loops, w.depth = locals, varargs, loops, depth
	return "(" + text + ")"
}

func (w *writer) results(d int) string {
	if w.IntN(3) == 0 {
		return w.call(d) // a tail call
	}
	return w.list(d, w.IntN(4))
}

// block writes n statements with their own scope.
func (w *writer) block(n int) {
	seen := len(w.locals)
	w.depth++
	for range n {
		w.statement()
	}
	w.depth--
	w.locals = w.locals[:seen]
}

func (w *writer) target() string {
	if w.IntN(3) == 0 {
		return w.local() + w.pick(".x", ".y", "[1]", "["+w.expr(1)+"]")
	}
	if len(w.locals) == 0 {
		return "N"
	}
	return w.locals[w.IntN(len(w.locals))]
}

func (w *writer) statement() {
	if w.depth > 6 || w.out.Len() > 6000 {
		w.line("show(%s)", w.expr(1))
		return
	}
	switch w.IntN(24) {
	case 0, 1, 2:
		n := 1 + w.IntN(3)
		var names []string
		for range n {
			names = append(names, w.name())
		}
		if w.IntN(6) == 0 {
			w.line("local %s", strings.Join(names, ", "))
		} else {
			w.line("local %s = %s", strings.Join(names, ", "), w.list(3, 1+w.IntN(3)))
		}
		w.locals = append(w.locals, names...)
	case 3, 4, 5:
		targets := []string{w.target()}
		for w.IntN(3) == 0 {
			targets = append(targets, w.target())
		}
		w.line("%s = %s", strings.Join(targets, ", "), w.list(3, 1+w.IntN(len(targets)+1)))
	case 6, 7:
		w.line("if %s then", w.expr(3))
		w.block(1 + w.IntN(2))
		if w.IntN(3) == 0 {
			w.line("elseif %s then", w.expr(2))
			w.block(1)
		}
		if w.IntN(2) == 0 {
			w.line("else")
			w.block(1 + w.IntN(2))
		}
		w.line("end")
	case 8, 9:
		v := w.name()
		head := w.pick("1, 3", "3, 1, -1", "1, 2, 0.5", "-1, 1", "1, 0", "2, "+w.local(), w.local()+", 3", "1, 2, "+w.local())
		w.line("for %s = %s do tick()", v, head)
		w.loop(v)
	case 10, 11:
		a, b := w.name(), w.name()
		head := w.pick("pairs("+w.local()+")", "ipairs("+w.local()+")", "pairs{"+w.fields(2)+"}", "ipairs{"+w.fields(2)+"}", "next, {"+w.fields(2)+"}", w.local(), "iter(3)", "iter(num("+w.local()+") % 4)", "coroutine.wrap(function() coroutine.yield("+w.list(2, 2)+") tick() coroutine.yield("+w.expr(2)+") end)", "CALL, 3, 0")
		w.line("for %s, %s in %s do tick()", a, b, head)
		w.loop(a, b)
	case 12:
		c := w.name()
		w.line("local %s = 0", c)
		w.locals = append(w.locals, c)
		w.line("while %s < 3 and (%s or true) do %s = %s + 1 tick()", c, w.local(), c, c)
		w.loop()
	case 13:
		c := w.name()
		w.line("local %s = 0", c)
		w.line("repeat local q = %s %s = %s + 1 tick()", c, c, c)
		seen := len(w.locals)
		w.locals = append(w.locals, "q")
		w.loops++
		w.block(1 + w.IntN(2))
		w.loops--
		w.locals = w.locals[:seen]
		w.line("until q >= 2 or num(%s) > 50", w.pick("q", c))
	case 14:
		w.line("do")
		w.block(1 + w.IntN(3))
		w.line("end")
	case 15:
		n := w.name()
		w.locals = append(w.locals, n)
		f := w.function(2)
		w.line("local %s = %s", n, f)
	case 16:
		w.line("try(%s)", w.function(2))
	case 17:
		w.line("try(%s, %s)", w.local(), w.list(2, 1+w.IntN(2)))
	case 18:
		if w.loops > 0 {
			w.line("if %s then break end", w.expr(2))
			return
		}
		w.line("show(%s)", w.list(2, 2))
	case 19:
		w.labels++
		label := fmt.Sprintf("l%d", w.labels)
		w.line("do")
		w.depth++
		w.line("if %s then goto %s end", w.expr(2), label)
		w.line("do")
		w.block(1 + w.IntN(2))
		w.line("if %s then goto %s end", w.expr(1), label)
		w.line("end")
		w.line("::%s::", label)
		w.depth--
		w.line("end")
	case 20:
		w.line("local co%d = coroutine.create(%s)", w.names, w.function(2))
		w.line("show(coroutine.resume(co%d, %s))", w.names, w.list(2, 2))
	case 21, 22:
		w.record()
	default:
		w.line("show(%s)", w.list(3, 1+w.IntN(3)))
	}
}

// loop writes the body of a loop and its end.
func (w *writer) loop(vars ...string) {
	seen := len(w.locals)
	w.locals = append(w.locals, vars...)
	w.loops++
	w.block(1 + w.IntN(3))
	w.loops--
	w.locals = w.locals[:seen]
	w.line("end")
}

// randomHead is before each random program. tick bounds how long it runs.
const randomHead = show + `
local ticks = 0
local function tick() ticks = ticks + 1 if ticks > 400 then error("enough", 0) end end
local function num(x) return tonumber(x) or 0 end
local function id(...) return ... end
local function two(a, b) return b, a end
local function none() end
local function iter(n) local i = 0 return function() i = i + 1 if i <= n then return i, i * 2 end end end
local CALL = setmetatable({}, {__call = function(self, s, i) if i < s then return i + 1, s end end})
local mt = {__index = function(t, k) return k end, __add = function(a, b) return 5 end, __eq = function() return true end, __lt = function(a, b) return false end,
  __le = function() return true end, __concat = function() return "cat" end, __unm = function() return 3 end, __call = function(self, ...) return ... end, __newindex = function(t, k, v) rawset(t, "last", v) end}
local O, M, T, N = setmetatable({}, mt), setmetatable({x = 1}, {__index = {y = 2, m = function(self, a) return a end}}), {1, 2, 3, x = 4, y = {x = 5}}, 7
setmetatable(mt, {__mode = "k"})
local function F(a, ...) N = num(N) + 1 return a, select("#", ...) end
local function G(a, b, c) if not a then return c, b end return F(b, c, a) end
local function H(...) local a, b = ... local f = function() a = b b = N return a end return f(), a, b end
`

func randomProgram(seed uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 5))}
	for range 3 {
		w.line("local %s = %s", w.name(), w.pick("1", "2.5", "O", "{4, 5, x = 6}", w.constant()))
		w.locals = append(w.locals, fmt.Sprintf("v%d", w.names))
	}
	for range 4 + w.IntN(4) {
		w.line("try(function()")
		seen := len(w.locals)
		w.block(2 + w.IntN(5))
		w.locals = w.locals[:seen]
		w.line("end)")
	}
	if w.IntN(4) == 0 { // an error here ends the turn
		w.statement()
	}
	return randomHead + w.out.String()
}

// TestInterpRandom runs random programs under both interpreters.
func TestInterpRandom(t *testing.T) {
	seeds, from := uint64(effort.Of(160)), uint64(0)
	if text := os.Getenv("PROGRAM_SEEDS"); text != "" { // 5000+10000: so many from there on
		if _, err := fmt.Sscanf(text, "%d+%d", &from, &seeds); err != nil {
			t.Fatal(err)
		}
	}
	compared, failed := 0, 0
	for seed := from; seed < from+seeds; seed++ {
		src := randomProgram(seed)
		if _, err := Compile("test.lua", src); err != nil { // too large, or a jump into a local
			continue
		}
		compared++
		o := compareEngines(t, src, effort.Of(12))
		if o.err != "" {
			failed++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if compared < int(seeds)*3/4 || failed > compared/4 {
		t.Errorf("of %d programs %d compile, and %d end in an error", seeds, compared, failed)
	}
}
