package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// trace runs a system for some frames under an implementation, and tells all that can be seen of it.
func trace(t *testing.T, source string, impl Impl) (seen string, compiled int) {
	t.Helper()
	var out bytes.Buffer
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	r, err := New(Options{
		Log:   strictLog(t),
		World: w, Stdout: &out, Limits: Limits{OnError: Skip},
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
		Scripts: files(map[string]string{"a": source, "probe": `return function(world)
  for hit in world:read("Hit") do print(hit.target, hit.amount, hit.note) end
end`}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "probe"} {
		if err := r.Add(System{Name: name, Script: name + ".lua", Impl: impl}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Load(); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for range 3 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		h := fnv.New64a()
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					fmt.Fprintln(h, table.Column(id).Changed(row), table.Column(id).Added(row))
				}
			}
		}
		fmt.Fprintf(&out, "digest %v stamps %x locked %v check %v\n", w.Digest(), h.Sum64(), w.Locked(), w.Check())
	}
	for _, l := range r.Explain() {
		if l.File == "a.lua" && l.Reason == "" {
			compiled++
		}
	}
	return out.String(), compiled
}

// A compiled loop cannot be told from the interpreted one, whatever the program around it does.
func TestLoopsAlike(t *testing.T) {
	t.Parallel()
	compiled, failed := 0, 0
	programs := seeds(200, func(seed uint64) {
		n, out := compareLoops(t, seed)
		compiled += n
		if strings.Contains(out, "a.lua:") {
			failed++
		}
	})
	if compiled < programs/5 || failed < programs/15 {
		t.Errorf("of %d programs %d loops were compiled and %d programs failed: the generator tests too little", programs, compiled, failed)
	}
}

func FuzzLoops(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareLoops(t, seed) })
}

func compareLoops(t *testing.T, seed uint64) (compiled int, out string) {
	t.Helper()
	g := &loopGenerator{Rand: rand.New(rand.NewPCG(seed, 1))}
	source := g.program()
	want, _ := trace(t, source, Lua)
	for _, impl := range []Impl{Closures, Auto} {
		var got string
		if got, compiled = trace(t, source, impl); got != want {
			t.Fatalf("seed %d: interpreted\n%s\n%v\n%s\n%s", seed, want, impl, got, source)
		}
	}
	return compiled, want
}

// A loopGenerator writes programs with query loops: mostly simple ones, and some
// that are nearly so.
type loopGenerator struct {
	*rand.Rand
	views  []genView
	locals []string
	labels int
	names  int
}

type genView struct {
	name   string
	fields []string
}

func (g *loopGenerator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *loopGenerator) program() string {
	body := g.loop(2)
	if g.IntN(3) == 0 {
		body = "  if dt then\n" + body + "  end\n" + g.loop(1)
	}
	if g.IntN(3) == 0 {
		body = "  print(pcall(function()\n" + body + "  end))\n"
	}
	return `local ecs = require("ecs")
local random, floor, sqrt = ecs.random, math.floor, math.sqrt
local LIMIT, CONF, TEXT, NOTHING = 3, { speed = 2, name = "conf", flag = true }, "7", nil
local ODD = setmetatable({}, { __add = function() return 1 end, __lt = function() return true end, __index = function() return 2 end })
local both = ecs.query{ "Position", "Kinds" }
local maybe = ecs.query{ "Position", optional = { "Kinds" } }
local news = ecs.query{ "Position", "Velocity", changed = { "Velocity" } }
local M = {}
function M.init(world)
  for i = 1, 7 do
    local e = world:spawn{ Position = { x = i, y = -i }, Velocity = { dx = i / 3, dy = 1 / i } }
    if i % 2 == 0 then world:add(e, "Kinds") world:set(e, "Kinds", { u8 = i, f32 = i / 7, i16 = -i, name = "n" .. i, flag = i == 4, who = e, f64 = i == 6 and 0 / 0 or -0.0 }) end
    if i % 3 == 0 then world:tag(e, "selected") end
  end
end
function M.update(world, dt)
  local res = world.resources
  local sum, last, found, text = 0, nil, false, ""
  ` + g.pick("", "", "", "", "math.floor = function(x) world:get(world:first(\"Position\"), \"Position\").x = 9 return 1 end\n  ", "LIMIT = ODD\n  ", "world = world\n  ") + `
` + body + `
  print(sum, last, found, text, res.score, res.title)
end
return M
`
}

// loop writes a query loop, with loops in it while depth lasts.
func (g *loopGenerator) loop(depth int) string {
	saved, locals := g.views, g.locals
	defer func() { g.views, g.locals = saved, locals }()
	g.names++
	p, v := fmt.Sprintf("p%d", g.names), fmt.Sprintf("v%d", g.names)
	pos := genView{p, []string{"x", "y"}}
	vel := genView{v, []string{"dx", "dy"}}
	kinds := genView{v, []string{"f64", "f32", "i32", "u32", "i16", "u16", "i8", "u8", "flag", "who", "name"}}
	var args string
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		args, g.views = `"Position", "Velocity"`, append(g.views, pos, vel)
	case 4, 5, 6:
		args, g.views = `"Position", "Kinds"`, append(g.views, pos, kinds)
	case 7, 8:
		args, g.views = `both`, append(g.views, pos, kinds)
	case 9:
		args, g.views = `news`, append(g.views, pos, vel)
	case 10:
		args, g.views = `maybe`, append(g.views, pos, kinds)
	default:
		args, g.views = g.pick(`"Position", "Veloctiy"`, `"Position"`, `"Position", "Position"`, `TEXT, "Kinds"`, `"Position", NOTHING`), append(g.views, pos, vel)
	}
	e := fmt.Sprintf("e%d", g.names)
	g.locals = append(g.locals, e)
	label := ""
	body := g.block(depth, 1+g.IntN(4), &label)
	if label != "" {
		body += "  ::" + label + "::\n"
	}
	return fmt.Sprintf("  for %s, %s, %s in world:each(%s) do\n%s  end\n", e, p, v, args, body)
}

func (g *loopGenerator) block(depth, n int, label *string) string {
	locals := g.locals
	defer func() { g.locals = locals }()
	out := ""
	for range n {
		out += g.stmt(depth, label)
	}
	return out
}

func (g *loopGenerator) field() string {
	v := g.views[len(g.views)-1-g.IntN(2)]
	if g.IntN(8) == 0 {
		v = g.views[g.IntN(len(g.views))]
	}
	if g.IntN(60) == 0 {
		return v.name + ".missing"
	}
	return v.name + "." + v.fields[g.IntN(len(v.fields))]
}

func (g *loopGenerator) stmt(depth int, label *string) string {
	switch g.IntN(22) {
	case 0, 1, 2, 3, 4:
		return fmt.Sprintf("  %s = %s\n", g.field(), g.expr(3))
	case 5:
		return fmt.Sprintf("  %s, %s = %s, %s\n", g.field(), g.pick(g.field(), "sum", "last"), g.expr(2), g.expr(2))
	case 6:
		name := g.pick("a", "b", "sum", "x")
		out := fmt.Sprintf("  local %s = %s\n", name, g.expr(3))
		g.locals = append(g.locals, name)
		return out
	case 7, 8:
		return fmt.Sprintf("  %s = %s\n", g.pick("sum", "last", "text", "found"), g.expr(3))
	case 9, 10:
		return fmt.Sprintf("  if %s then\n%s  else\n%s  end\n", g.condition(), g.block(depth-1, 1+g.IntN(2), label), g.block(depth-1, g.IntN(2), label))
	case 11:
		if *label == "" {
			g.labels++
			*label = fmt.Sprintf("continue%d", g.labels)
		}
		return fmt.Sprintf("  if %s then goto %s end\n", g.condition(), *label)
	case 12:
		return fmt.Sprintf("  if %s then %s end\n", g.condition(), g.pick("break", "return", "return "+g.expr(1), "break"))
	case 13:
		g.names++
		i := fmt.Sprintf("i%d", g.names)
		g.locals = append(g.locals, i)
		out := fmt.Sprintf("  for %s = 1, 2 do\n%s  end\n", i, g.block(0, 1, label))
		g.locals = g.locals[:len(g.locals)-1]
		return out
	case 14:
		return fmt.Sprintf("  do local n = 0 while n < 2 and (%s) do n = n + 1 %s = %s end end\n", g.condition(), g.field(), g.expr(2))
	case 15:
		return fmt.Sprintf("  do local n = 0 repeat n = n + 1 local z = %s until n > 2 or (%s) end\n", g.expr(2), g.condition())
	case 16:
		if depth > 0 {
			return g.loop(depth - 1)
		}
		return fmt.Sprintf("  sum = sum + %s\n", g.field())
	case 17:
		return fmt.Sprintf("  world:send(\"Hit\", { amount = %s, target = %s, note = %s })\n", g.expr(2), g.entity(), g.pick(`"hit"`, `"x" .. `+g.expr(1), "text"))
	case 18:
		return fmt.Sprintf("  world:%s(%s, %s)\n", g.pick("tag", "untag"), g.entity(), g.pick(`"player"`, `"selected"`, `"selected"`, `"selcted"`))
	case 19:
		return "  world.commands:" + g.pick(
			fmt.Sprintf("set(%s, \"Velocity\", { dx = %s })\n", g.entity(), g.expr(2)),
			fmt.Sprintf("spawn{ Position = { x = %s }, \"enemy\" }\n", g.expr(1)),
			fmt.Sprintf("despawn(%s)\n", g.entity()),
			fmt.Sprintf("add(%s, \"Marker\")\n", g.entity()))
	case 20:
		return g.pick("  res.score = ", "  world.resources.score = ", "  res.title = ") + g.expr(2) + "\n"
	}
	return fmt.Sprintf("  %s\n", g.pick(
		"print("+g.field()+")", "last = "+g.views[0].name, "world:spawn{}", "local f = function() return "+g.field()+" end sum = f()",
		"world:get("+g.entity()+", \"Position\").x = 5", "_ = 1", "sum = #text", "text = text .. "+g.expr(2)))
}

func (g *loopGenerator) entity() string {
	return g.pick(fmt.Sprintf("e%d", g.names), "ecs.none", "last", g.locals[0], g.locals[0])
}

func (g *loopGenerator) condition() string {
	switch g.IntN(7) {
	case 6:
		return g.pick("", "not ") + g.views[g.IntN(len(g.views))].name + g.pick("", "", " and "+g.expr(1), " or "+g.expr(1))
	case 0:
		return g.field()
	case 1:
		return "not " + g.expr(1)
	case 2:
		return "world:tagged(" + g.entity() + ", \"selected\")"
	case 3:
		return "ecs.random() < 0.5"
	}
	return g.expr(2) + g.pick(" < ", " <= ", " == ", " ~= ", " > ") + g.expr(2)
}

func (g *loopGenerator) expr(depth int) string {
	if depth <= 0 || g.IntN(4) == 0 {
		switch g.IntN(14) {
		case 0, 1, 2, 3, 4:
			return g.field()
		case 5, 6:
			return g.pick("0", "1", "2", "(-1)", "0.1", "300", "1e9", "(0 * -1)", "(-0)")
		case 7:
			return g.pick("sum", "dt", "LIMIT", "world.dt", "world.frame", "math.pi", "math.huge")
		case 8:
			return g.pick("CONF.speed", "CONF.name", "CONF.flag", "res.score", "world.resources.score", "res.title", "CONF.missing")
		case 9:
			return g.pick("nil", "true", "false", `"s"`, "TEXT", "NOTHING", "ODD", "last", "found")
		case 10:
			return g.locals[g.IntN(len(g.locals))]
		}
		return g.field()
	}
	switch g.IntN(12) {
	case 11:
		return "(" + g.views[g.IntN(len(g.views))].name + " and " + g.expr(depth-1) + " or " + g.expr(depth-1) + ")"
	case 0, 1, 2, 3, 4:
		return "(" + g.expr(depth-1) + g.pick(" + ", " - ", " * ", " / ", " % ", " ^ ") + g.expr(depth-1) + ")"
	case 5:
		return "- " + g.expr(depth-1)
	case 6:
		return "(" + g.expr(depth-1) + g.pick(" and ", " or ") + g.expr(depth-1) + ")"
	case 7:
		return g.pick("math.floor", "floor", "sqrt", "math.max", "math.min", "math.abs", "ecs.random", "random", "math.nothing") + "(" + g.pick(g.expr(depth-1), g.expr(depth-1)+", "+g.expr(depth-1)) + ")"
	case 8:
		return "(" + g.expr(depth-1) + " .. " + g.expr(depth-1) + ")"
	case 9:
		return "(" + g.condition() + " and " + g.expr(depth-1) + " or " + g.expr(depth-1) + ")"
	}
	return "(" + g.expr(depth-1) + g.pick(" < ", " == ", " ~= ", " >= ") + g.expr(depth-1) + ")"
}
