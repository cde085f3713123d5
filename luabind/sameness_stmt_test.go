package luabind

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

func (g *author) line(format string, args ...any) {
	fmt.Fprintf(g, strings.Repeat("  ", g.depth)+format+"\n", args...)
}

// block writes statements with a scope of their own.
func (g *author) block(n, levels int) {
	was := g.scope
	g.depth++
	for range n {
		g.statement(levels)
	}
	g.depth--
	g.scope = was
}

func (g *author) statement(levels int) {
	if g.body == nil && g.inner == 0 && g.can["mirrored"] && g.IntN(3) == 0 {
		g.mirrored()
		return
	}
	deep, here := levels > 0, g.body == nil
	within := func(fn func(int)) func() { return func() { fn(levels) } }
	choose(g, []choice[func()]{
		{9, true, g.store},
		{5, true, g.declare},
		{2, len(g.own) > 0, g.assign},
		{3, g.can["outputs"] && here, g.output},
		{2, len(g.late) > 0, g.latest},
		{5, deep, within(g.branch)},
		{2, deep && g.can["loops"], within(g.repeated)},
		{3, levels > 1 && g.can["loops"] && g.can["floats"], within(g.seldom)},
		{3, g.can["floats"] && len(g.late) > 0, g.latest},
		{3, deep && g.may("nested") && g.walks(), within(g.nested)},
		{2, deep && g.may("near") && g.walks(), within(g.near)},
		{1, deep && g.may("others") && g.walks(), within(g.sources)},
		{4, g.may("others"), within(g.other)},
		{1, deep && g.may("nested") && g.walks(), within(g.asks)},
		{3, g.can["functions"] && len(g.functions) > 0, g.called},
		{2, g.may("flips"), g.flip},
		{3, g.may("commands"), g.command},
		{2, g.may("events"), g.send},
		{2, g.can["tables"] && here, g.table},
		{3, g.can["fills"], g.filled},
		{2, g.may("resources"), g.resourced},
		{2, g.may("places"), within(g.placed)},
		{1, g.can["breaks"], g.jump},
		{1, g.can["returns"], g.back},
	})()
}

// fitting is a value for a field; one for an integer mostly fits.
func (g *author) fitting(t ecs.FieldType) string {
	switch t {
	case ecs.Bool:
		return g.condition(2)
	case ecs.EntityField:
		return g.pick(g.entity(), g.entity(), "nil", "ecs.none")
	case ecs.String:
		return g.text()
	case ecs.F64, ecs.F32:
		return g.number(3)
	}
	if g.can["misfits"] && g.IntN(3) == 0 {
		return g.number(1)
	}
	if x := g.field(typed(t), "1"); x != "" && g.IntN(2) == 0 {
		if g.can["misfits"] && g.IntN(3) == 0 {
			return x + g.pick(" + 1", " - 1")
		}
		return x
	}
	return g.pick("3", "0", "127", "("+g.condition(1)+" and 1 or 2)", "math.min(math.max(floor("+g.variable()+"), 0), 100)")
}

func float(t ecs.FieldType) bool { return t == ecs.F64 || t == ecs.F32 }

// store assigns to fields of a view.
func (g *author) store() {
	var targets []string
	var types []ecs.FieldType
	for _, i := range g.Perm(len(g.views)) {
		v := g.views[i]
		if v.part < 0 || len(v.fields) == 0 || !v.sure && g.IntN(12) > 0 {
			continue
		}
		for range 1 + g.IntN(2) {
			f := v.fields[g.IntN(len(v.fields))]
			targets, types = append(targets, v.name+"."+f.Name), append(types, f.Type)
		}
	}
	if len(targets) == 0 {
		g.line("total = total + %s", g.number(2))
		return
	}
	if len(targets) > 1 && g.IntN(8) == 0 {
		if x := g.call("nn"); x != "" && float(types[0]) && float(types[1]) && g.IntN(2) == 0 {
			g.line("%s, %s = %s", targets[0], targets[1], x)
			return
		}
		g.line("%s, %s = %s, %s", targets[0], targets[1], g.fitting(types[0]), g.fitting(types[1]))
		return
	}
	g.line("%s = %s", targets[0], g.fitting(types[0]))
}

// mirrored writes a statement for all fields of a type, as scripts have them for x
// and y: what is alike can be done at once.
func (g *author) mirrored() {
	var alike [][2]string // view and field
	for _, i := range g.Perm(len(g.views)) {
		if v := g.views[i]; v.sure && v.part >= 0 && len(v.fields) > 1 {
			for _, f := range v.fields {
				if f.Type == v.fields[0].Type && float(f.Type) {
					alike = append(alike, [2]string{v.name, f.Name})
				}
			}
			break
		}
	}
	if len(alike) == 0 {
		g.line("total = total + 1")
		return
	}
	k := g.pick("dt", "k", "2", "0.1", "-1")
	form := g.pick("V.F = V.F + V.F * "+k, "V.F = V.F * "+g.simple()+" - "+k, "if V.F "+g.pick("<", ">=")+" "+g.simple()+" then V.F = -V.F end",
		"V.F = math.max(math.min(V.F, 100), "+k+")", "V.F = math.sqrt(V.F * V.F + "+g.simple()+")", "if V.F > 10 then V.F = V.F - 20 elseif V.F < -10 then V.F = V.F + 20 end")
	for _, a := range alike {
		g.line("%s", strings.NewReplacer("V.F", a[0]+"."+a[1]).Replace(form))
	}
}

// declare makes a local, sometimes with the name of one there is.
func (g *author) declare() {
	name := g.fresh("l")
	switch g.IntN(8) {
	case 7:
		g.line("local %s", name)
		g.late = append(g.late[:len(g.late):len(g.late)], name)
		g.line("if %s then %s = %s end", g.condition(1), name, g.number(1))
	case 0:
		g.line("local %s = %s", name, g.condition(2))
		g.bools = append(g.bools, name)
	case 1:
		if g.can["texts"] {
			g.line("local %s = %s", name, g.text())
			g.texts = append(g.texts, name)
			return
		}
		fallthrough
	case 2:
		if g.can["entities"] {
			g.line("local %s = %s", name, g.entity())
			g.ents = append(g.ents, name)
			return
		}
		fallthrough
	case 3:
		if len(g.own) > 0 { // hides one
			name = g.pick(g.own...)
			x := g.pick(g.number(2), name+" * 2")
			g.line("local %s = %s", name, x)
			return
		}
		fallthrough
	case 4:
		other := g.fresh("l")
		values := g.number(2) + ", " + g.number(1)
		if x := g.call("nn"); x != "" && g.IntN(2) == 0 {
			values = x
		}
		g.line("local %s, %s = %s", name, other, values)
		g.nums, g.own = append(g.nums, name, other), append(g.own, name, other)
	default:
		g.line("local %s = %s", name, g.number(3))
		g.nums, g.own = append(g.nums, name), append(g.own, name)
	}
}

func (g *author) assign() {
	a, b := g.pick(g.own...), g.pick(g.own...)
	if g.IntN(5) == 0 {
		g.line("%s, %s = %s, %s", a, b, b, g.pick(a, g.number(1)))
		return
	}
	g.line("%s = %s", a, g.number(2))
}

// output assigns variables from around the loop.
func (g *author) output() {
	g.line("%s", g.pick("sum = sum + "+g.number(1), "count = count + 1", "low = math.min(low, "+g.number(1)+")", "flag = "+g.condition(1), "total = total + "+g.number(1),
		"sum = "+g.number(2), "title = "+g.text(), "who = "+g.entity(), "if "+g.condition(1)+" then count = count + 1 end"))
}

// latest assigns a variable that may be nil.
func (g *author) latest() {
	v, x := g.pick(g.late...), g.variable()
	g.line("%s", g.pick("if "+v+" == nil or "+x+" < "+v+" then "+v+" = "+x+" end", "if "+v+" then total = "+v+" end", v+" = "+g.number(1), "if "+v+" ~= nil and "+v+" > 2 then "+v+" = nil end", "if "+g.condition(1)+" then "+v+" = "+x+" end"))
}

func (g *author) branch(levels int) {
	known := -1
	if g.IntN(3) == 0 { // a view that is there from now on
		for i, v := range g.views {
			if !v.sure {
				known = i
			}
		}
	}
	was := g.scope
	if known >= 0 {
		g.views = append([]sight(nil), g.views...)
		g.views[known].sure = true
		g.line("if %s%s then", g.views[known].name, g.pick("", " ~= nil", " and "+g.condition(1)))
	} else {
		g.line("if %s then", g.condition(2))
	}
	g.block(1+g.IntN(2), levels-1)
	g.scope = was
	if g.IntN(4) == 0 {
		g.line("elseif %s then", g.condition(1))
		g.block(1, levels-1)
	}
	if g.IntN(2) == 0 {
		g.line("else")
		g.block(1+g.IntN(2), levels-1)
	}
	g.line("end")
}

// repeated is a loop over numbers, or one while something holds.
func (g *author) repeated(levels int) {
	was, labels, name := g.scope, g.labels, g.fresh("i")
	defer func() { g.scope, g.labels = was, labels }()
	g.kept = append(g.kept[:len(g.kept):len(g.kept)], name)
	switch g.IntN(4) {
	case 0:
		g.line("local %s = 0", name)
		g.line("while %s < %s and %s do", name, g.pick("3", "2"), g.condition(1))
		g.line("  %s = %s + 1", name, name)
	case 1:
		g.line("local %s = 0", name)
		g.line("repeat")
		g.labels = nil // it may hold no label, and its condition is in the scope
		g.line("  %s = %s + 1", name, name)
		g.block(1, levels-1)
		last := g.fresh("l")
		g.line("  local %s = %s", last, g.number(1))
		g.nums = append(g.nums, last)
		g.line("until %s >= 3 or %s", name, g.condition(1))
		return
	default:
		g.line("for %s = %s do", name, g.pick("1, 3", "3, 1, -1", "0, 1, 0.25", "-1, 1", "5, 1", "0 * -k, 2", "1, 0, k * 2", "1, "+g.variable()+" % 4", "1, math.min("+g.variable()+", 4)", "floor("+g.variable()+") % 3, 4, 2"))
		if g.IntN(3) == 0 { // a copy, as far as the count goes
			g.own = append(g.own[:len(g.own):len(g.own)], name)
		}
	}
	g.nums = append(g.nums, name)
	label := "" // a label in the block keeps locals from being declared there
	if g.can["breaks"] && g.IntN(3) == 0 {
		label = g.label()
		g.labels = append(append([]string(nil), labels...), label)
		g.line("  do")
	}
	g.block(1+g.IntN(2), levels-1)
	if label != "" {
		g.line("  end")
		g.line("  ::%s::", label)
	}
	g.line("end")
}

// seldom is a loop under a condition.
func (g *author) seldom(levels int) {
	was := g.scope
	g.line("if %s then", g.condition(1))
	g.repeated(levels - 1)
	g.line("end")
	g.scope = was
}

// label is a label that no other has.
func (g *author) label() string {
	g.marks++
	return fmt.Sprint("next", g.marks)
}

// jump leaves a loop, or goes on with its next turn, or that of a loop around it.
func (g *author) jump() {
	if len(g.labels) > 0 && g.IntN(2) == 0 {
		g.line("if %s then goto %s end", g.condition(1), g.labels[len(g.labels)-1-g.IntN(min(2, len(g.labels)))])
	} else if g.body == nil || g.inner > 0 {
		g.line("if %s then break end", g.condition(1))
	}
}

// back is a return in the middle.
func (g *author) back() {
	switch {
	case g.body != nil:
		var values []string
		for _, kind := range g.body.gives {
			values = append(values, g.value(kind, 1))
		}
		g.line("if %s then return %s end", g.condition(1), strings.Join(values, ", "))
	case g.loop:
		g.line("if %s and %s then return %s end", g.condition(0), g.condition(1), g.pick("", g.entity(), g.number(1)+", nil, "+g.text(), g.condition(1), g.number(1)+", "+g.number(1)))
	}
}
