package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// loopWriter writes random loops.
type loopWriter struct {
	*rand.Rand
	strings.Builder
	nums, bools []string // variables in scope
	free        int
	depth       int
}

func (g *loopWriter) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *loopWriter) num(depth int) string {
	if depth <= 0 || g.IntN(4) == 0 {
		switch g.IntN(4) {
		case 0:
			return g.pick("0", "-0", "1", "2", "0.5", "3", "10", "100", "255", "1e300", "0.1", "-1", "-7", "1e-310", "4294967296")
		case 1:
			if len(g.nums) > 0 {
				return g.pick(g.nums...)
			}
		}
		return g.pick("p.x", "p.y", "p.f", "p.i8", "p.i32", "p.u16", "q.u8", "q.e", "q.v", "q.u32", "q.i16", "q.g", "e", "dt", "k", "conf.speed", "math.pi", "math.huge", "world.time")
	}
	a, b := g.num(depth-1), g.num(depth-1)
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + a + " + " + b + ")"
	case 3, 4:
		return "(" + a + " - " + b + ")"
	case 5, 6, 7:
		return "(" + a + " * " + b + ")"
	case 8:
		return "(" + a + " / " + b + ")"
	case 9:
		return "(" + a + g.pick(" % ", " ^ ") + b + ")"
	case 10:
		return "(- " + a + ")"
	case 11:
		return g.pick("math.floor", "math.abs", "math.sqrt", "sqrt", "math.ceil", "math.sin", "math.exp", "math.log", "math.deg", "math.rad", "math.tanh") + "(" + a + ")"
	case 12:
		return g.pick("math.min", "math.max", "math.fmod", "math.pow", "math.atan2") + "(" + a + ", " + b + ")"
	}
	return "(" + g.cond(depth-1) + " and " + a + " or " + b + ")"
}

func (g *loopWriter) cond(depth int) string {
	if depth <= 0 || g.IntN(5) == 0 {
		if len(g.bools) > 0 && g.IntN(2) == 0 {
			return g.pick(g.bools...)
		}
		return g.pick("p.b", "true", "false", "flag", "p.b")
	}
	switch g.IntN(8) {
	case 0:
		return "(not " + g.cond(depth-1) + ")"
	case 1:
		return "(" + g.cond(depth-1) + g.pick(" and ", " or ", " == ", " ~= ") + g.cond(depth-1) + ")"
	case 2:
		return "(" + g.num(depth-1) + " == " + g.pick("nil", "0", "q.e") + ")"
	}
	return "(" + g.num(depth-1) + g.pick(" < ", " > ", " <= ", " >= ", " == ", " ~= ") + g.num(depth-1) + ")"
}

func (g *loopWriter) line(format string, args ...any) {
	fmt.Fprintf(g, strings.Repeat(" ", 2+2*g.depth)+format+"\n", args...)
}

func (g *loopWriter) block(n, inner int) {
	nums, bools := len(g.nums), len(g.bools)
	g.depth++
	for range n {
		g.stmt(inner)
	}
	g.depth--
	g.nums, g.bools = g.nums[:nums], g.bools[:bools]
}

func (g *loopWriter) stmt(inner int) {
	switch n := g.IntN(24); {
	case n == 23: // what a back end may do in one piece
		for range 1 + g.IntN(3) {
			g.line("%s = %s + %s * %s", g.pick("p.x", "p.y", "q.v"), g.pick("p.x", "p.y", "q.v"), g.pick("p.x", "p.y", "q.v"), g.pick("dt", "k", "low", "sum", "2"))
		}
	case n == 22: // zeros of either sign
		g.line("%s = %s", g.pick("p.x", "p.y", "q.v", "sum", "low", "last"), g.pick("-(p.f - p.f)", "-(p.x * 0)", "(-(p.u16 * 0)) - q.u8 * 0", "p.x * (-(q.u8 - q.u8))", "(-(p.x - p.x)) + (-(p.y - p.y))", "-0", "0 * -1", "p.x * -0", "p.y + -0", "-0 - q.u8 * 0", "p.b and 0 or -0", "math.max(-0, p.x * 0)", "p.x - 0 / -5", "(-(p.u16 - p.u16)) * 1", "math.ceil(-0.5) + p.x * 0", "p.i8 * math.ceil(-0.5)", "p.x + p.x * k", "p.x + p.x * dt", "q.v + p.y * dt", "p.x + p.x * math.ceil(-0.3)"))
	case n < 4:
		g.line("%s = %s", g.pick("p.x", "p.y", "p.f", "q.v", "q.g"), g.num(3))
	case n == 4:
		g.line("p.b = %s", g.cond(2))
	case n == 5: // mostly fits
		g.line("%s = math.floor(%s) %% %s", g.pick("p.i8", "p.u16", "q.u8", "q.i16", "p.i32", "q.u32"), g.num(1), g.pick("8", "100", "128"))
	case n == 6 && g.IntN(2) == 0: // may not
		g.line("%s = %s", g.pick("p.i8", "p.u16", "q.u8", "q.i16", "p.i32", "q.u32"), g.pick(g.num(1), "p.i8 + 1", "p.i8 - 1", "q.u8 + 1", "q.u8 - 1", "p.i32 - 1", "q.u32 + 1"))
	case n == 7:
		g.line("q.e = %s", g.pick("e", "nil", "q.e", "0", "-0", "p.x"))
	case n == 8:
		g.line("p.x, q.v, %s = %s, %s, %s", g.pick("p.f", "sum", "p.y", "p.x"), g.num(2), g.num(1), g.num(1))
	case n < 11:
		g.free++
		name := fmt.Sprintf("l%d", g.free)
		if g.IntN(3) == 0 {
			g.line("local %s = %s", name, g.cond(2))
			g.bools = append(g.bools, name)
		} else {
			g.line("local %s = %s", name, g.num(2))
			g.nums = append(g.nums, name)
		}
	case n == 11 && len(g.nums) > 0:
		g.line("%s = %s", g.pick(g.nums...), g.num(2))
	case n < 14:
		g.line("%s", g.pick("sum = sum + "+g.num(1), "count = count + 1", "low = math.min(low, "+g.num(1)+")", "found = e", "last = "+g.num(1), "flag = "+g.cond(1), "seen = "+g.cond(1)))
	case n < 18 && inner > 0:
		g.line("if %s then", g.cond(2))
		g.block(1+g.IntN(2), inner-1)
		if g.IntN(2) == 0 {
			g.line("else")
			g.block(1, inner-1)
		}
		g.line("end")
	case n == 18 && inner > 0:
		g.free++
		name := fmt.Sprintf("i%d", g.free)
		g.line("for %s = %s do", name, g.pick("1, 3", "3, 1, -1", "0, 1, 0.25", "-1, 1", "1, q.u8 % 4", "p.i32 % 3, 4, 2", "5, 1", "0 * -k, 2"))
		g.nums = append(g.nums, name)
		g.block(1+g.IntN(2), inner-1)
		g.nums = g.nums[:len(g.nums)-1]
		if g.IntN(4) == 0 {
			g.line("  if %s then break end", g.cond(1))
		}
		g.line("end")
	case n == 19 && inner > 0:
		g.free++
		name := fmt.Sprintf("w%d", g.free)
		g.line("local %s = 0", name)
		if g.IntN(2) == 0 {
			g.line("while %s < 3 and %s do", name, g.cond(1))
			g.line("  %s = %s + 1", name, name)
			g.block(1, inner-1)
			g.line("end")
		} else {
			g.line("repeat")
			g.line("  %s = %s + 1", name, name)
			g.block(1, inner-1)
			g.line("until %s > 2 or %s", name, g.cond(1))
		}
		g.nums = append(g.nums, name)
	case n == 20 && g.IntN(3) == 0:
		g.line("if %s then break end", g.cond(2))
	case n == 21 && g.IntN(2) == 0:
		g.line("if %s then goto continue end", g.cond(1))
		// A local after a goto may not be in scope of its label.
	default:
		g.line("p.y = p.y + %s", g.num(1))
	}
}

// randomLoop writes a system with one random loop.
func randomLoop(seed uint64) string {
	g := &loopWriter{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.WriteString("local ecs = require(\"ecs\")\nlocal sqrt = math.sqrt\nlocal conf = { speed = 2.5 }\nlocal k = -0.25\nlocal moved = ecs.query{ \"A\", \"B\", without = { \"C\" } }\nlocal maybe = ecs.query{ \"A\", \"B\", optional = { \"C\" } }\nlocal fresh = ecs.query{ \"A\", \"B\", changed = { \"A\" } }\n")
	// As variables of the file they outlive a turn that fails.
	begin := []string{"local sum, count, low = 0, 0, 1e9\n", "return function(world, dt)\n"}
	if g.IntN(2) == 0 {
		begin[0], begin[1] = begin[1], begin[0]
	}
	g.WriteString("local flag, found, last, seen = true\n" + begin[0] + begin[1] + "  print(sum, count, low, found, last, seen, flag)\n")
	if g.IntN(20) == 0 {
		g.WriteString("  sum = nil\n")
	}
	fmt.Fprintf(g, "  for e, p, q in world:each(%s) do\n    do\n", g.pick(`"A", "B"`, `"A", "B"`, `"A", "B"`, "moved", "fresh", "maybe"))
	g.depth = 1
	g.block(1+g.IntN(6), 3)
	g.WriteString("    end\n    ::continue::\n  end\n  print(sum, count, low, found, last, seen, flag, 1 / (tonumber(sum) or 1), 1 / low, 1 / (last or 1))\nend\n")
	return g.String()
}
