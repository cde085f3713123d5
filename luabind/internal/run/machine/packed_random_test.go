package machine

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// mirrored writes random bodies in which most statements come once for each of two
// or three fields, as scripts have them, with some that do not fit.
type mirrored struct {
	*rand.Rand
	strings.Builder
	comps  []string // views
	lanes  []string // fields that all of them have
	locals []string // per lane
	late   []string // per lane: locals that may be nil
	fresh  int
	loops  bool
	maybe  bool // locals may be nil
	calls  bool // helpers are called
	even   bool // conditions that are the same for all rows
	tidy   bool // every statement comes for all lanes, and stores
	depth  int
	inLoop bool
}

var componentFields = map[string][]string{"a": {"x", "y"}, "b": {"x", "y"}, "c": {"x", "y", "z"}, "g": {"x", "y", "z"}, "d": {"x", "y"}, "e": {"x", "y", "z", "w"}, "f": {"y", "z"}}

func randomMirrored(seed uint64) (body, names string) {
	g := &mirrored{Rand: rand.New(rand.NewPCG(seed, 77))}
	families := [][]string{{"a", "b"}, {"a"}, {"a", "b"}, {"c"}, {"d"}, {"a", "d"}, {"e"}, {"d", "e"}, {"f"}, {"c", "f"}, {"a", "c"}}
	g.comps = families[g.IntN(len(families))]
	for _, f := range []string{"x", "y", "z", "w"} {
		all := true
		for _, c := range g.comps {
			all = all && strings.Contains(strings.Join(componentFields[c], ""), f)
		}
		if all {
			g.lanes = append(g.lanes, f)
		}
	}
	if len(g.lanes) < 2 {
		g.comps = g.comps[:1]
		g.lanes = componentFields[g.comps[0]]
	}
	g.loops = g.IntN(4) == 0
	g.tidy = !g.loops && g.IntN(2) == 0
	g.maybe, g.calls, g.even = g.IntN(3) == 0, g.IntN(3) == 0, g.IntN(3) == 0
	if g.tidy && g.IntN(3) == 0 {
		g.comps, g.lanes = []string{"c", "g"}, []string{"x", "y", "z"}
	}
	g.block(2 + g.IntN(4))
	for _, c := range g.comps {
		names += strings.ToUpper(c)
	}
	return g.String(), names
}

func (g *mirrored) pick(list ...string) string { return list[g.IntN(len(list))] }

// block writes statements for all lanes.
func (g *mirrored) block(n int) {
	saved, late := len(g.locals), len(g.late)
	for range n {
		g.statement()
	}
	g.locals, g.late = g.locals[:saved], g.late[:late]
}

// each writes a template for each lane: $ is the lane, # a constant that may differ.
func (g *mirrored) each(template string) {
	lanes := g.lanes
	switch n := g.IntN(12); {
	case g.tidy:
	case n == 0:
		lanes = lanes[:1]
	case n == 1:
		lanes = lanes[1:]
	}
	apart := g.IntN(3) == 0
	k := g.constant()
	for _, lane := range lanes {
		if apart {
			k = g.constant()
		}
		fmt.Fprintln(g, strings.ReplaceAll(strings.ReplaceAll(template, "$", lane), "#", k))
		if !g.tidy && g.IntN(15) == 0 {
			g.noise()
		}
	}
}

func (g *mirrored) noise() {
	switch g.IntN(6) {
	case 5:
		if g.maybe && g.depth == 0 && !g.inLoop {
			x := g.pick(g.comps...) + "." + g.pick(g.lanes...)
			fmt.Fprintf(g, "if best == nil or %s < best then best = %s end\n", x, x)
		}
	case 0:
		if !g.inLoop {
			fmt.Fprintf(g, "sum = sum + %s.%s\n", g.pick(g.comps...), g.pick(g.lanes...))
		}
	case 1:
		fmt.Fprintf(g, "%s.%s = %s.%s * 0.5\n", g.pick(g.comps...), g.pick(g.lanes...), g.pick(g.comps...), g.pick(g.lanes...))
	case 2:
		if g.depth == 0 && !g.inLoop {
			fmt.Fprintf(g, "if %s.%s > 1 then count = count + 1 end\n", g.pick(g.comps...), g.pick(g.lanes...))
		}
	case 3:
		if !g.inLoop {
			fmt.Fprintf(g, "last = %s.%s\n", g.pick(g.comps...), g.pick(g.lanes...))
		}
	case 4:
		if g.comps[len(g.comps)-1] == "f" {
			fmt.Fprintf(g, "f.on = f.y < %s\nf.k = f.z + f.x\n", g.constant())
		}
	}
}

func (g *mirrored) statement() {
	if g.maybe && g.IntN(4) == 0 {
		g.lateStatement()
		return
	}
	switch n := g.IntN(12); {
	case g.tidy && n < 4 && g.depth < 2:
		g.branch()
	case n < 5 || g.tidy:
		g.each(g.pick(g.comps...) + ".$ = " + g.number(3))
	case n < 7:
		g.fresh++
		name := fmt.Sprintf("l%d", g.fresh)
		value := g.number(2)
		k := g.constant()
		for _, lane := range g.lanes {
			fmt.Fprintln(g, strings.ReplaceAll(strings.ReplaceAll("local "+name+"$ = "+value, "$", lane), "#", k))
		}
		g.locals = append(g.locals, name)
	case n == 7 && len(g.locals) > 0:
		g.each(g.pick(g.locals...) + "$ = " + g.number(2))
	case n < 10 && g.depth < 2:
		g.branch()
	case n == 11 && g.loops && g.depth < 2:
		g.fresh++
		fmt.Fprintf(g, "for k%d = %s do\n", g.fresh, g.pick("1, 3", "1, n", "n, 1, -1", "0, 1, 0.25", "2, 1", "1, 2 * n"))
		was := g.inLoop
		g.inLoop = true
		g.depth++
		g.block(1 + g.IntN(2))
		g.depth--
		g.inLoop = was
		fmt.Fprintln(g, "end")
	case n == 10 && g.loops && g.depth == 0:
		g.within()
	case n == 10 && g.calls:
		fmt.Fprintln(g, "do")
		g.block(1 + g.IntN(2))
		fmt.Fprintln(g, "end")
	default:
		g.noise()
	}
}

// lateStatement declares locals that may be nil, or gives them values under a
// condition.
func (g *mirrored) lateStatement() {
	if len(g.late) == 0 || g.IntN(2) == 0 {
		g.fresh++
		name := fmt.Sprintf("h%d", g.fresh)
		for _, lane := range g.lanes {
			fmt.Fprintf(g, "local %s%s\n", name, lane)
		}
		g.late = append(g.late, name)
	}
	name := g.pick(g.late...)
	switch g.IntN(4) {
	case 0:
		g.each(name + "$ = " + g.number(2))
	case 1:
		g.each("if " + name + "$ == nil or " + g.condition(1) + " then " + name + "$ = " + g.number(1) + " end")
	default:
		g.each("if " + g.condition(1) + " then " + name + "$ = " + g.number(1) + " end")
	}
}

// within writes a query loop within, which adds up what it reads.
func (g *mirrored) within() {
	g.fresh++
	component := g.pick("A", "C", "D", "F")
	fields := componentFields[strings.ToLower(component)]
	sum, other := fmt.Sprintf("s%d", g.fresh), "q."+g.pick(fields...)
	for _, lane := range g.lanes {
		fmt.Fprintf(g, "local %s%s = %s\n", sum, lane, g.constant())
	}
	fmt.Fprintf(g, "for other, q in world:each(%q) do\n", component)
	text := "local d$ = " + other + " - " + g.number(1) + "\n"
	if g.IntN(3) == 0 {
		text += "if d$ " + g.pick("<", ">=", "~=") + " # then " + sum + "$ = " + sum + "$ + d$ * " + g.number(1) + " end"
	} else {
		text += sum + "$ = " + sum + "$ + d$ * (" + g.number(2) + ")"
	}
	k := g.constant()
	for _, lane := range g.lanes {
		fmt.Fprintln(g, strings.ReplaceAll(strings.ReplaceAll(text, "$", lane), "#", k))
	}
	fmt.Fprintln(g, "end")
	g.locals = append(g.locals, sum)
}

// branch writes an if for each lane, with the same body, and sometimes another.
func (g *mirrored) branch() {
	g.depth++
	defer func() { g.depth-- }()
	text := "if " + g.condition(2) + " then\n"
	one := func() string {
		inner := &mirrored{Rand: g.Rand, comps: g.comps, lanes: []string{"$"}, locals: g.locals, late: g.late, tidy: g.tidy, depth: g.depth, inLoop: true, fresh: g.fresh + 100}
		inner.loops, inner.maybe, inner.calls, inner.even = g.loops && !g.tidy, g.maybe, g.calls, g.even
		inner.block(1 + g.IntN(2))
		return inner.String()
	}
	text += one()
	if g.IntN(3) == 0 {
		text += "elseif " + g.condition(1) + " then\n" + one()
	}
	if !g.tidy && g.IntN(4) == 0 {
		text += "else\n" + one()
	}
	g.each(text + "end")
}

func (g *mirrored) constant() string {
	return g.pick("0", "-0", "1", "0.5", "-3", "2", "800", "1e300", "0.1", "-0.25", "5e-324", "100", "3")
}

func (g *mirrored) number(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		switch g.IntN(8) {
		case 0:
			return "#"
		case 1:
			return g.pick("u", "v")
		case 2:
			return g.pick(g.comps...) + "." + g.pick(append([]string{"$"}, g.lanes...)...)
		case 3, 4:
			if len(g.locals) > 0 {
				return g.pick(g.locals...) + "$"
			}
		}
		return g.pick(g.comps...) + ".$"
	}
	a := func() string { return g.number(depth - 1) }
	if g.maybe && len(g.late) > 0 && g.IntN(5) == 0 {
		return "(" + g.pick(g.late...) + "$ or " + a() + ")"
	}
	if g.calls && g.IntN(6) == 0 {
		return g.pick("cap("+a()+")", "rise("+a()+")", "rise("+a()+", "+a()+")", "between("+a()+")", "between("+a()+", nil, "+a()+")", "between("+a()+", #, "+a()+")")
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + a() + " + " + a() + ")"
	case 3, 4:
		return "(" + a() + " - " + a() + ")"
	case 5, 6, 7:
		return a() + " * " + a()
	case 8:
		return "(" + a() + ") / (" + a() + ")"
	case 9:
		return "-(" + a() + ")"
	case 10:
		return "math." + g.pick("sqrt", "abs", "floor", "ceil", "deg", "rad") + "(" + a() + ")"
	case 11:
		return "math." + g.pick("min", "max") + "(" + a() + ", " + a() + ")"
	case 12:
		return "(" + g.condition(1) + " and " + a() + " or " + a() + ")"
	}
	return a()
}

func (g *mirrored) condition(depth int) string {
	if depth > 0 {
		switch g.IntN(6) {
		case 0:
			return "(" + g.condition(depth-1) + " and " + g.condition(depth-1) + ")"
		case 1, 2:
			return "(" + g.condition(depth-1) + " or " + g.condition(depth-1) + ")"
		case 3:
			return "not (" + g.condition(depth-1) + ")"
		}
	}
	switch {
	case g.even && g.IntN(4) == 0:
		return g.pick("n == 1", "n < 3", "n ~= 1", "n == 1", "u > v", "not flag", "\"s\" == \"t\"", "\"s\" == \"s\"")
	case g.maybe && len(g.late) > 0 && g.IntN(4) == 0:
		name := g.pick(g.late...) + "$"
		return g.pick(name, "not "+name, name+" == nil", name+" ~= nil", "("+name+" or "+g.number(1)+") > "+g.number(1))
	}
	if g.IntN(10) == 0 {
		if g.comps[len(g.comps)-1] == "f" {
			return "f.on"
		}
		return "flag"
	}
	return g.number(1) + " " + g.pick("<", "<=", ">", ">=", "==", "~=") + " " + g.number(1)
}
