package luabind

import (
	"strings"
)

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
