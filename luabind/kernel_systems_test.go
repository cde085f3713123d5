package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A systemWriter writes systems that do in a query loop what systems do: they look
// at other entities, draw numbers, send events, queue commands, set tags, use
// resources, tables, strings and functions, and walk within the walk. Much of it
// fails on some row: handles are dead, views nil, numbers do not fit, elements
// are not there.
type systemWriter struct {
	*rand.Rand
	strings.Builder
	nums, texts, bools []string
	views              []string // that may be nil, of A
	given              []string // names of variables, each once
	named              []string // those that have a meaning here
	depth              int
	inner              int  // loops around the place
	function           bool // in the body of a function
	worded             bool // B has the string s: machine code cannot reach it then
	returns            int  // values of each return, -1: none is written
}

// systemHead declares what the systems use. Its init spreads tags, handles and
// strings over the entities.
const systemHead = `local ecs = require("ecs")
ecs.tag("red") ecs.tag("blue")
ecs.event("Hit", { who = "entity", n = "i8", f = "f64", s = "string", b = "bool" })
ecs.event("Note", {})
ecs.resource("rn", { type = "f64", default = 1 }) ecs.resource("ri", { type = "i8", default = 1 }) ecs.resource("rf", { type = "f32", default = 0.5 })
ecs.resource("rs", { type = "string", default = "calm" }) ecs.resource("rb", { type = "bool", default = true }) ecs.resource("re", { type = "entity" })
ecs.relation("Likes")
ecs.grid("g", { component = "A", x = "x", y = "y", cell = 3 })
local random, floor, GRID = ecs.random, math.floor, "g"
local maybe = ecs.query{ "A", "B", optional = { "C" } }
local reds = ecs.query{ "A", "B", tagged = { "red" } }
local others = ecs.query{ "B", optional = { "A" } }
local plainOnes = ecs.query{ "A", without = { "C" } }
local n = { [0] = 0, 0, 0 }
local goals = { [0] = { x = 1, y = -2 }, { x = 0.5, y = 4 } }
local conf = { speed = 2.5, count = 0, name = "conf" }
local total, kept, title, best = 0, 0, "t", nil
`

const systemInit = `
local M = {}
function M.init(world)
  local last, dead, i = ecs.none, world:spawn{ "red" }, 0
  world:despawn(dead)
  for e, p, q in world:each("A", "B") do
    i = i + 1
    if world:has(e, "B") then
      local ok = pcall(function()
        q.e = i % 4 == 0 and dead or i % 5 == 0 and ecs.none or last
        p.x, p.y = i % 7, i % 3 - 1
        q.s = i % 3 == 0 and "calm" or i % 3 == 1 and "storm" or "" -- where there is such a field
      end)
    end
    if i % 2 == 0 then world:tag(e, "red") end
    if i % 3 == 0 then world:tag(e, "blue") end
    last = e
  end
  world.resources.re = last
end
`

func (g *systemWriter) pick(list ...string) string { return list[g.IntN(len(list))] }

// word is a field that holds a string, where there is one.
func (g *systemWriter) word(field string) string {
	if g.worded {
		return field
	}
	return "title"
}

func (g *systemWriter) line(format string, args ...any) {
	fmt.Fprintf(g, strings.Repeat("  ", 1+g.depth)+format+"\n", args...)
}

// fresh is a name for a variable that is declared next, often that of another one whose scope has ended, in this function or in another.
func (g *systemWriter) fresh(letter string) string {
	name := fmt.Sprintf("%s%d", letter, len(g.given)+1)
	if gone := slices.DeleteFunc(slices.Clone(g.given), func(s string) bool { return slices.Contains(g.named, s) }); len(gone) > 0 && g.IntN(2) == 0 {
		name = g.pick(gone...)
	} else {
		g.given = append(g.given, name)
	}
	g.named = append(g.named, name)
	return name
}

// entity is an expression that is mostly a handle.
func (g *systemWriter) entity() string {
	if g.function {
		return g.pick("u", "u", "kept", "0")
	}
	return g.pick("e", "q.e", "q.e", "world.resources.re", "ecs.none", "kept", "p.x")
}

// field is a field of a view that is there.
func (g *systemWriter) field() string {
	if g.function {
		return g.pick("v.x", "v.y", "v.i8")
	}
	return g.pick("p.x", "p.y", "p.f", "p.i8", "p.u16", "q.v", "q.u8", "q.i16", "q.g")
}

func (g *systemWriter) num(depth int) string {
	if depth <= 0 || g.IntN(3) == 0 {
		switch n := g.IntN(16); {
		case n < 3 && len(g.nums) > 0:
			return g.pick(g.nums...)
		case n == 3:
			return g.pick("random()", "ecs.random(6)", "math.random(2, 5)", "random()", "ecs.random(3, "+g.field()+")")
		case n == 4:
			return g.pick("world.resources.rn", "world.resources.ri", "world.dt", "world.time", "world.frame", "world.resources.rf")
		case n == 5:
			return g.pick("n[floor(random() * 2.2)]", "n["+g.field()+" % 3]", "goals["+g.field()+" % 2].x", "goals[random(0, 1)].y", "conf.speed", "conf.count", "n[1]")
		case n == 6 && len(g.views) > 0:
			v := g.pick(g.views...)
			return g.pick("("+v+" and "+v+".x or 2)", v+".x", v+".y", v+".i8")
		case n == 7:
			return g.pick("world:get("+g.entity()+", \"A\").x", "total", "kept")
		}
		return g.pick(g.field(), g.field(), g.field(), "1", "2", "0.5", "-3", "100", "world.dt", "0", "-0", "0 * -1")
	}
	a, b := g.num(depth-1), g.num(depth-1)
	switch g.IntN(9) {
	case 0, 1:
		return "(" + a + " + " + b + ")"
	case 2:
		return "(" + a + " - " + b + ")"
	case 3, 4:
		return "(" + a + " * " + b + ")"
	case 5:
		return g.pick("floor", "math.abs", "math.sqrt") + "(" + a + ")"
	case 6:
		return "math.max(" + a + ", " + b + ")"
	case 7:
		if !g.function {
			return g.pick("add("+a+", "+b+")", "pickOne("+a+", "+g.cond(0)+")", "sideways(world, "+g.entity()+", p, "+a+")", "bump("+a+")", "pickOne("+g.num(0)+", add(1, 2) < "+b+")")
		}
	}
	return "(" + g.cond(depth-1) + " and " + a + " or " + b + ")"
}

func (g *systemWriter) cond(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return "(" + g.cond(depth-1) + g.pick(" and ", " or ", " == ") + g.cond(depth-1) + ")"
	}
	switch g.IntN(12) {
	case 0:
		return "world:alive(" + g.entity() + ")"
	case 1:
		return g.pick("world:has("+g.entity()+", \"B\")", "world:has("+g.entity()+", \"A\", \"C\")")
	case 2:
		return "world:tagged(" + g.entity() + ", " + g.pick(`"red"`, `"blue"`, `"red", "blue"`) + ")"
	case 3:
		return "world:" + g.pick("tag", "untag") + "(" + g.entity() + ", " + g.pick(`"red"`, `"blue"`, `"blue", "red"`) + ")"
	case 4:
		return "(" + g.text() + g.pick(" == ", " ~= ") + g.text() + ")"
	case 5:
		if len(g.views) > 0 {
			v := g.pick(g.views...)
			return g.pick("(not "+v+")", "("+v+" ~= nil)", "("+v+" == nil)", "("+v+" and "+v+".x > 1)")
		}
	case 6:
		return g.pick("world.resources.rb", "true", "false", "not world.resources.rb")
	case 7:
		if len(g.bools) > 0 {
			return g.pick(g.bools...)
		}
	case 8:
		if !g.function {
			return g.pick("near(world, p, "+g.entity()+")", "(world.resources.rs == title)")
		}
	}
	return "(" + g.num(1) + g.pick(" < ", " > ", " <= ", " >= ", " == ", " ~= ") + g.num(1) + ")"
}

func (g *systemWriter) text() string {
	if len(g.texts) > 0 && g.IntN(2) == 0 {
		return g.pick(g.texts...)
	}
	if g.function {
		return g.pick(`"calm"`, `"storm"`, "title", "world.resources.rs")
	}
	return g.pick(`"calm"`, `"storm"`, `""`, g.word("q.s"), g.word("q.s"), "title", "world.resources.rs", "conf.name", "("+g.num(0)+` < 2 and "low" or `+g.word("q.s")+")")
}

func (g *systemWriter) block(n, levels int) {
	nums, texts, bools, views, named := len(g.nums), len(g.texts), len(g.bools), len(g.views), len(g.named)
	g.depth++
	for range n {
		g.stmt(levels)
	}
	g.depth--
	g.nums, g.texts, g.bools, g.views, g.named = g.nums[:nums], g.texts[:texts], g.bools[:bools], g.views[:views], g.named[:named]
}

// payload is the fields of an event or component.
func (g *systemWriter) payload() string {
	all := []string{"who = " + g.entity(), "n = " + g.pick("floor("+g.num(0)+") % 9", "3", g.num(1)), "f = " + g.num(1), "s = " + g.text(), "b = " + g.cond(0)}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return "{ " + strings.Join(all[:g.IntN(len(all)+1)], ", ") + " }"
}

func (g *systemWriter) command() {
	c := "world.commands:"
	switch g.IntN(10) {
	case 0:
		g.line("if random() < 0.1 then %sdespawn(%s) end", c, g.entity())
	case 1:
		g.line("%s%s(%s, %s)", c, g.pick("add", "remove"), g.entity(), g.pick(`"C"`, `"D"`, `"C", "D"`))
	case 2:
		g.line("%sset(%s, \"C\", { x = %s })", c, g.entity(), g.num(1))
	case 3:
		g.line("%sset(%s, \"A\", { i8 = %s, x = %s })", c, g.entity(), g.pick("7", g.num(0), "floor("+g.num(0)+") % 5"), g.num(1))
	case 4, 5:
		name := g.fresh("s")
		g.line("if world.frame < 3 and random() < 0.4 then")
		g.line("  local %s = %sspawn{ A = { x = %s }, %s, B = { %s = %s, e = %s } }", name, c, g.num(1), g.pick(`"red"`, `"red", "C"`, "Likes = "+g.entity()), map[bool]string{true: "s", false: "v"}[g.worded], map[bool]string{true: g.text(), false: g.num(0)}[g.worded], g.entity())
		g.line("  %stag(%s, \"blue\")", c, name)
		g.line("  %s = %s", g.pick("kept", "q.e", "total"), name)
		g.line("end")
	case 6:
		g.line("%s%s(%s, \"%s\")", c, g.pick("tag", "untag"), g.entity(), g.pick("red", "blue"))
	case 7:
		g.line("%srelate(%s, \"Likes\", %s)", c, g.entity(), g.entity())
	case 8:
		g.line("%sunrelate(%s, \"Likes\")", c, g.entity())
	default:
		g.line("%ssend(\"Hit\", %s)", c, g.payload())
	}
}

func (g *systemWriter) stmt(levels int) {
	switch n := g.IntN(30); {
	case n < 4:
		if g.function {
			g.line("%s = %s", g.pick("v.x", "v.y", "total"), g.num(2))
			return
		}
		g.line("%s = %s", g.pick("p.x", "p.y", "p.f", "q.v", "q.g"), g.num(2))
	case n == 4 && !g.function:
		g.line("%s = floor(%s) %% %s", g.pick("p.i8", "p.u16", "q.u8", "q.i16"), g.num(1), g.pick("8", "100", "129"))
	case n == 5 && !g.function:
		g.line("%s", g.pick(g.word("q.s")+" = "+g.text(), "q.e = "+g.entity(), "p.b = "+g.cond(1)))
	case n == 6:
		g.line("world:%s(%s, %s)", g.pick("tag", "untag"), g.entity(), g.pick(`"red"`, `"blue"`, `"red", "blue"`))
	case n == 7:
		g.line("world:send(%s)", g.pick(`"Note"`, `"Hit", `+g.payload(), `"Hit", `+g.payload()))
	case n < 10 && !g.function:
		g.command()
	case n == 10:
		r := g.pick("world.resources", "res")
		if g.function {
			r = "world.resources"
		}
		g.line("%s", g.pick(r+".rn = "+g.num(1), r+".rf = "+g.num(1), r+".ri = floor("+g.num(0)+") % 99", r+".ri = "+g.num(1), r+".rs = "+g.text(), r+".rb = "+g.cond(1), r+".re = "+g.entity(), r+".rn = "+r+".rn + 1"))
	case n < 13:
		name := g.fresh("l")
		switch g.IntN(3) {
		case 0:
			g.line("local %s = %s", name, g.text())
			g.texts = append(g.texts, name)
		case 1:
			g.line("local %s = %s", name, g.cond(1))
			g.bools = append(g.bools, name)
		default:
			g.line("local %s = %s", name, g.num(2))
			g.nums = append(g.nums, name)
		}
	case n < 15:
		name := g.fresh("a")
		g.line("local %s = world:get(%s, \"A\")", name, g.entity())
		g.views = append(g.views, name)
		if g.IntN(3) > 0 {
			g.line("if %s then %s.%s end", name, name, g.pick("x = "+g.num(1), "y = "+g.num(1), "i8 = 3", "i8 = "+g.num(0), "b = "+g.cond(0)))
		}
		if g.IntN(4) == 0 {
			g.line("if %s then %s = %s end", g.cond(0), name, g.pick("nil", "world:get("+g.entity()+", \"A\")"))
		}
	case n == 15 && len(g.views) > 0:
		g.line("%s.x = %s", g.pick(g.views...), g.num(1))
	case n == 16 && !g.function:
		g.line("%s", g.pick("n["+g.field()+" % 3] = "+g.num(1), "n[floor(random() * 2.1)] = n[1] + 1", "goals["+g.field()+" % 2].x = "+g.num(1), "conf.count = conf.count + 1", "local goal = goals[floor(random() * 2.1)] goal.y = goal.x + "+g.num(0)))
	case n == 17 && !g.function:
		name, other := g.fresh("l"), g.fresh("l")
		g.line("local %s, %s = %s", name, other, g.pick("two(world, q.e, p, "+g.num(0)+")", "two(world, q.e, p, q.v)", g.num(1)+", "+g.num(1)))
		g.nums = append(g.nums, name, other)
	case n == 18:
		g.line("%s", g.pick("total = total + "+g.num(1), "kept = "+g.pick(g.num(1), "2", "1"), "title = "+g.text()))
	case n == 19 && !g.function:
		g.line("%s", g.pick("if best == nil or "+g.field()+" < best then best = "+g.field()+" end", "if best then p.y = best end", "last = "+g.num(1), "found = "+g.cond(0), "bump(2)", "bump("+g.num(1)+")", "local far = sideways(world, "+g.entity()+", p, 1) p.y = far"))
	case n < 23 && levels > 0:
		g.line("if %s then", g.cond(1))
		g.block(1+g.IntN(2), levels-1)
		if g.IntN(2) == 0 {
			g.line("else")
			g.block(1, levels-1)
		}
		g.line("end")
	case n == 23 && levels > 0 && g.inner < 2 && !g.function:
		g.within(levels)
	case n == 24 && levels > 0:
		name := g.fresh("w")
		g.line("local %s = 0", name)
		g.line("while %s < 3 and %s do", name, g.cond(1))
		g.line("  %s = %s + 1", name, name)
		g.block(1, levels-1)
		g.line("end")
	case n == 25 && levels > 0:
		name := g.fresh("i")
		g.line("for %s = 1, %s do", name, g.pick("3", "q.u8 % 4", "2"))
		if g.function {
			g.line("  if %s > 4 then break end", name)
		}
		g.nums = append(g.nums, name)
		g.block(1, levels-1)
		g.nums = g.nums[:len(g.nums)-1]
		g.line("end")
	case n == 26 && g.IntN(3) == 0:
		g.back()
	case n == 27 && g.IntN(4) == 0 && !g.function:
		g.line("if %s then break end", g.cond(1))
	default:
		g.line("total = total + %s", g.num(1))
	}
}

// back is a return in the middle.
func (g *systemWriter) back() {
	switch g.returns {
	case 0:
		g.line("if %s then return end", g.cond(0))
	case 1:
		g.line("if %s then return %s end", g.cond(0), g.num(1))
	case 2:
		g.line("if %s then return %s, %s end", g.cond(0), g.num(1), g.num(0))
	case 9: // of the loop
		g.line("if random() < 0.1 and %s then return %s end", g.cond(0), g.pick("", "e", g.num(1)+", nil, "+g.text(), "add(1, p.x)", "two(world, q.e, p, 3)", g.cond(0)))
	}
}

// within is a loop over entities within the loop.
func (g *systemWriter) within(levels int) {
	o, d := g.fresh("o"), g.fresh("d")
	g.inner++
	defer func() { g.inner-- }()
	switch g.IntN(4) {
	case 0:
		g.line("for %s, %s in world:near(%s, %s, %s, %s) do", o, d, g.pick("GRID", `"g"`), g.pick("p.x", "q.v"), "p.y", g.pick("2", "5", g.num(0)))
		g.nums = append(g.nums, d)
		g.line("  local %sv = world:get(%s, \"A\")", o, o)
		g.views = append(g.views, o+"v")
		g.line("  if %sv and %s then %sv.y = %sv.y + 1 total = total + %s end", o, g.cond(0), o, o, d)
		g.block(1, levels-1)
		g.nums, g.views = g.nums[:len(g.nums)-1], g.views[:len(g.views)-1]
	case 1:
		g.line("for %s, %s in world:each(%s) do", o, d, g.pick("plainOnes", `"A"`, "reds"))
		g.line("  if %s ~= e then %s.y = %s.y + %s end", o, d, d, g.num(0))
		g.views = append(g.views, d)
		g.block(1, levels-1)
		g.views = g.views[:len(g.views)-1]
	default:
		g.line("for %s, %sb, %s in world:each(others) do", o, o, d)
		g.line("  if %s and %s == %s then %s.x = %s end", d, g.word(o+"b.s"), g.text(), d, g.num(0))
		g.line("  if %sb.u8 > 200 then break end", o)
		g.views = append(g.views, d)
		g.block(1, levels-1)
		g.views = g.views[:len(g.views)-1]
	}
	g.line("end")
}

// body writes the body of a function.
func (g *systemWriter) body(head string, returns int, nums ...string) {
	fmt.Fprintf(g, "%s\n", head)
	g.function, g.returns, g.nums = true, returns, nums
	g.block(g.IntN(3), 1)
	g.function, g.nums = false, nil
}

// randomSystem writes a system with one random loop and the functions it calls.
func randomSystem(seed uint64) string {
	g := &systemWriter{Rand: rand.New(rand.NewPCG(seed, 2)), worded: seed%4 == 0}
	g.WriteString(systemHead)
	g.WriteString("local function add(a, b) return a + b end\n")
	g.WriteString("local function bump(k) total = total + k return total end\n")
	g.WriteString("local function pickOne(a, c)\n  if c then return a end\n  local d = a * 2\n  return d - 1\nend\n")
	g.body("local function near(world, v, u)", -1)
	g.WriteString("  local at = world:get(u, \"A\")\n  if not at then return false end\n  return at.x - v.x < 2\nend\n")
	g.body("local sideways = function(world, u, v, k)", 1, "k")
	g.WriteString("  return v.x + k\nend\n")
	g.body("local function two(world, u, v, k)", 2, "k")
	g.WriteString("  if v.x > k then return k, 1 else return v.y, add(k, 1) end\nend\n")
	g.WriteString(systemInit)
	query := g.pick(`"A", "B"`, `"A", "B"`, "maybe", "maybe", "reds")
	fmt.Fprintf(g, "local function walk(world, dt)\n  local res, last, found = world.resources\n  for e, p, q%s in world:each(%s) do\n    do\n", map[bool]string{true: ", c"}[query == "maybe"], query)
	g.depth, g.returns = 2, 9
	if query == "maybe" {
		g.views = append(g.views, "c")
	}
	g.block(2+g.IntN(6), 3)
	g.WriteString("    end\n    ::continue::\n  end\n  print(last, found)\nend\n")
	g.WriteString("function M.update(world, dt)\n  print(walk(world, dt))\n  local res = world.resources\n  print(total, kept, title, best, res.rn, res.ri, res.rf, res.rs, res.rb, res.re, n[0], n[1], n[2], goals[0].x, goals[0].y, goals[1].x, conf.count)\n")
	g.WriteString("  for ev in world:peek(\"Hit\") do print(ev.who, ev.n, ev.f, ev.s, ev.b) end\nend\nreturn M\n")
	return strings.NewReplacer("c.y", "c.x", "c.i8", "c.x").Replace(g.String())
}

// sameSystems compares a random system interpreted and compiled.
func sameSystems(t testing.TB, world func(testing.TB, uint64) *ecs.World, seed uint64) (ran int) {
	return sameTraces(t, world, seed, []string{randomSystem(seed)})
}

func TestKernelSystems(t *testing.T) {
	t.Parallel()
	ran := 0
	systems := seeds(450, func(seed uint64) {
		if sameSystems(t, kernelWorld, seed) > 0 {
			ran++
		}
	})
	if ran < systems*2/3 {
		t.Errorf("of %d systems only %d were compiled: the test tests little", systems, ran)
	}
}

func FuzzKernelSystems(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { sameSystems(t, kernelWorld, seed) })
}
