package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
			return g.pick("random()", "ecs.random(6)", "bit."+g.pick("band", "bor", "bxor", "lshift", "rshift", "arshift", "rol", "ror")+"(floor("+g.field()+"), "+g.pick("7", "255", "33", "-1", "2^40")+")", "bit."+g.pick("bnot", "tobit", "bswap")+"("+g.field()+")", "ecs.normal()", "ecs.normal("+g.field()+", 2)", "math.random(2, 5)", "random()", "ecs.random(3, "+g.field()+")")
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
