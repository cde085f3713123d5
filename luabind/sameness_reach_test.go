package luabind

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// walks reports whether there may be one more loop over entities within: their
// turns multiply.
func (g *author) walks() bool {
	n := 0
	for _, c := range g.tables {
		n += c.n
	}
	if g.body != nil {
		return n < 25 && g.inner == 0
	}
	return n < 25 && g.inner < 2 || n < 150 && g.inner == 0
}

// nested is a walk over a query within the loop.
func (g *author) nested(levels int) {
	was, labels, e := g.scope, g.labels, g.fresh("o")
	g.inner++
	defer func() { g.scope, g.labels = was, labels; g.inner-- }()
	var parts []int
	query := ""
	var optional int
	if g.IntN(3) > 0 {
		parts = g.Perm(len(g.parts))[:1+g.IntN(min(2, len(g.parts)))]
		for _, i := range parts {
			query += `, "` + g.parts[i].name + `"`
		}
		query = query[2:]
	} else {
		q := g.queries[g.IntN(len(g.queries))]
		if q.news || q.tags && g.can["flips"] {
			q = g.queries[0]
		}
		query, parts, optional = q.name, q.parts, q.optional
	}
	names := e
	for n, i := range parts[:len(parts)-g.IntN(2)*min(1, len(parts)-1)] {
		v := sight{g.fresh("v"), g.parts[i].fields, i, n < len(parts)-optional}
		names += ", " + v.name
		g.views = append(g.views, v)
	}
	if g.IntN(6) == 0 {
		query += g.pick(`, "Likes", `, `, "ChildOf", `, `, "Owns", `) + g.entity()
	}
	g.line("for %s in world:each(%s) do", names, query)
	g.ents = append(g.ents, e)
	g.turns(levels)
}

// asks asks how many entities match a query, or for the first one.
func (g *author) asks(levels int) {
	i := g.IntN(len(g.parts))
	query := `"` + g.parts[i].name + `"`
	switch g.IntN(4) {
	case 0:
		query = "ecs.query{ " + query + g.pick(", tagged = { \"red\" }", ", without = { \"B\" }", ", optional = { \"B\" }", "") + " }"
		if i == 1 || g.can["flips"] {
			query = "ecs.query{ \"A\" }"
			i = 0
		}
	case 1:
		q := g.queries[g.IntN(len(g.queries))]
		if q.news || q.tags && g.can["flips"] {
			q = g.queries[0]
		}
		query, i = q.name, q.parts[0]
	}
	if g.IntN(5) == 0 {
		query += `, "Likes", ` + g.entity()
	}
	if g.IntN(2) == 0 {
		n := g.fresh("n")
		g.line("local %s = world:count(%s)", n, g.pick(query, query, query, ""))
		g.nums = append(g.nums, n)
		return
	}
	e, v := g.fresh("f"), sight{g.fresh("v"), g.parts[i].fields, i, true}
	if e == v.name {
		e = g.names(e + "x")
	}
	g.line("local %s, %s = world:first(%s)", e, v.name, query)
	was := g.scope
	g.ents, g.views = append(g.ents[:len(g.ents):len(g.ents)], e), append(g.views[:len(g.views):len(g.views)], v)
	g.line("if %s then", g.pick(e, v.name))
	g.block(1+g.IntN(2), levels-1)
	g.line("end")
	g.scope = was
}

// turns is the body of a loop over entities within, and its end.
func (g *author) turns(levels int) {
	label := ""
	if g.can["breaks"] && g.IntN(2) == 0 {
		label = g.label()
		g.labels = append(append([]string(nil), g.labels...), label)
		g.line("  do")
	}
	g.block(1+g.IntN(3), levels-1)
	if label != "" {
		g.line("  end")
		g.line("  ::%s::", label)
	}
	g.line("end")
}

// near is a loop over who is near a point.
func (g *author) near(levels int) {
	was, labels, e, d := g.scope, g.labels, g.fresh("o"), g.fresh("d")
	g.inner++
	defer func() { g.scope, g.labels = was, labels; g.inner-- }()
	g.line("for %s, %s in world:near(%s, %s, %s, %s) do", e, d, g.pick("GRID", `"g"`), g.variable(), g.variable(), g.pick("2", "5", "0", "1e9", g.number(0)))
	g.ents, g.nums = append(g.ents, e), append(g.nums, d)
	if g.IntN(2) == 0 {
		v := sight{g.fresh("v"), g.parts[0].fields, 0, true}
		g.line("  local %s = world:get(%s, \"A\")", v.name, e)
		g.line("  if %s then", v.name)
		g.views = append(g.views, v)
		g.depth++
		g.block(1+g.IntN(2), levels-1)
		g.depth--
		g.line("  end")
		g.line("end")
		return
	}
	g.turns(levels)
}

// sources writes a loop over the sources of an entity.
func (g *author) sources(levels int) {
	was, labels, e := g.scope, g.labels, g.fresh("o")
	g.inner++
	defer func() { g.scope, g.labels = was, labels; g.inner-- }()
	switch g.IntN(4) {
	case 0:
		g.line("for %s in world:targets(%s, %s) do", e, g.entity(), g.pick(`"Owns"`, `"Owns"`, `"Likes"`))
	case 1:
		g.line("for %s in world:sources(\"Owns\", %s) do", e, g.entity())
	default:
		g.line("for %s in world:sources(%s, %s) do", e, g.pick("LIKES", `"Likes"`, `"IsA"`), g.entity())
	}
	g.ents = append(g.ents, e)
	g.turns(levels)
}

// other looks at a component of some entity.
func (g *author) other(levels int) {
	i := g.IntN(len(g.parts))
	v := sight{g.fresh("v"), g.parts[i].fields, i, false}
	if i == 0 && g.IntN(3) == 0 {
		if call := g.call("v"); call != "" {
			g.line("local %s = %s", v.name, call)
			g.views = append(g.views, v)
			return
		}
	}
	g.line("local %s = world:get(%s, %q)", v.name, g.entity(), g.parts[i].name)
	g.views = append(g.views[:len(g.views):len(g.views)], v)
	if g.IntN(4) > 0 && levels > 0 {
		was := g.scope
		g.views = append([]sight(nil), g.views...)
		g.views[len(g.views)-1].sure = true
		g.line("if %s%s then", v.name, g.pick("", " ~= nil", " and "+g.condition(1)))
		g.block(1+g.IntN(2), levels-1)
		g.line("end")
		g.scope = was
	}
	if g.IntN(8) == 0 { // moves on to another
		g.line("if %s then %s = %s end", g.condition(0), v.name, g.pick("nil", "world:get("+g.entity()+", \""+g.parts[i].name+"\")"))
	}
}

// called calls a function of the file.
func (g *author) called() {
	f := g.functions[g.IntN(len(g.functions))]
	if !g.callable(f) {
		g.line("total = total + 1")
		return
	}
	call := f.name + "(" + g.arguments(f) + ")"
	names := []string{}
	for _, kind := range f.gives[:g.IntN(len(f.gives)+1)] {
		name := g.fresh("l")
		names = append(names, name)
		defer func() {
			switch kind {
			case 'n':
				g.nums = append(g.nums, name)
			case 'b':
				g.bools = append(g.bools, name)
			case 's':
				g.texts = append(g.texts, name)
			case 'e':
				g.ents = append(g.ents, name)
			case 'v':
				g.views = append(g.views[:len(g.views):len(g.views)], sight{name, g.parts[0].fields, 0, false})
			}
		}()
	}
	if len(names) == 0 {
		g.line("%s", call)
		return
	}
	g.line("local %s = %s", strings.Join(names, ", "), call)
}

func (g *author) flip() {
	g.line("world:%s(%s, %s)", g.pick("tag", "untag"), g.entity(), g.tags())
}

// payload is a constructor for some of the fields.
func (g *author) payload(fields []ecs.Field) string {
	var list []string
	for _, i := range g.Perm(len(fields)) {
		if g.IntN(3) > 0 {
			list = append(list, fields[i].Name+" = "+g.fitting(fields[i].Type))
		}
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

func (g *author) send() {
	text := "world" + g.pick("", "", ".commands") + ":send(\"Hit\", " + g.payload(g.hit) + ")"
	switch {
	case g.event || g.inner > 0 || g.IntN(4) == 0: // more Hits would be too many soon
		g.line("world:send(\"Note\")")
	case g.body != nil:
		g.line("if world.frame == 1 then %s end", text)
	default:
		g.line("%s", text)
	}
}

func (g *author) command() {
	c, part := "world.commands:", g.parts[g.IntN(len(g.parts))]
	if g.body == nil && g.IntN(2) == 0 {
		c = "queue:"
	}
	if g.loop && g.inner > 0 && g.IntN(2) == 0 {
		g.line("count = count + 1")
		return
	}
	two := g.parts[g.IntN(len(g.parts))].name
	names := `"` + part.name + `"`
	if two != part.name && g.IntN(3) == 0 {
		names += `, "` + two + `"`
	}
	switch g.IntN(9) {
	case 0:
		g.line("if %s and %s then %sdespawn(%s) end", g.condition(0), g.condition(0), c, g.entity())
	case 1:
		g.line("%sadd(%s, %s)", c, g.entity(), names)
	case 2:
		g.line("%sremove(%s, %s)", c, g.entity(), names)
	case 3, 4:
		g.line("%sset(%s, %q%s)", c, g.entity(), part.name, g.pick("", ", "+g.payload(part.fields), ", "+g.payload(part.fields)))
	case 5:
		name := g.fresh("e")
		g.line("if world.frame == %d and %s then", 1+g.IntN(2), g.condition(1)) // or they are too many soon
		items := []string{part.name + " = " + g.payload(part.fields), g.pick(`"red"`, `"blue"`, "Likes = "+g.entity(), "ChildOf = "+g.entity(), "Owns = "+g.entity(), "Owns = { "+g.entity()+", "+g.entity()+" }")}
		if two != part.name {
			items = append(items, `"`+two+`"`)
		}
		if g.IntN(3) == 0 {
			g.line("  local %s = %sinstance(%s%s)", name, c, g.pick(`"thing"`, `"thing"`, `THING`), g.pick("", ", { "+strings.Join(items, ", ")+" }", ", { "+strings.Join(items[:1+g.IntN(len(items))], ", ")+" }"))
		} else {
			g.line("  local %s = %sspawn%s", name, c, g.pick("()", "{ "+strings.Join(items, ", ")+" }", "{ "+strings.Join(items[:1+g.IntN(len(items))], ", ")+" }"))
		}
		g.line("  %s%s", c, g.pick("tag("+name+", \"blue\")", "set("+name+", \"A\", "+g.payload(g.parts[0].fields)+")", "relate("+name+", \"Likes\", "+g.entity()+")", "despawn("+name+")"))
		if g.body == nil {
			g.line("  who = %s", name)
		}
		g.line("end")
	case 6:
		g.line("%s%s(%s, %s)", c, g.pick("tag", "untag"), g.entity(), g.tags())
	case 7:
		g.line("%srelate(%s, %s, %s)", c, g.entity(), g.pick(`"Likes"`, `"Owns"`, `"ChildOf"`, "LIKES"), g.entity())
	default:
		g.line("%sunrelate(%s, %s%s)", c, g.entity(), g.pick(`"Likes"`, `"Owns"`), g.pick("", "", "", ", "+g.entity()))
	}
}

// table assigns in tables from around the loop.
func (g *author) table() {
	g.line("%s", g.pick("nums["+g.index()+"] = "+g.number(1), "nums[1] = nums[1] + 1", "goals["+g.index()+"].x = "+g.number(1), "conf.count = conf.count + 1", "conf.name = "+g.text(),
		"conf.on = not conf.on", "same[2] = nums[2] + "+g.number(0), "local goal = goals["+g.index()+"] goal.y = goal.x + "+g.number(0), "conf.speed = "+g.number(1)))
}

// resourced assigns a resource.
func (g *author) resourced() {
	f := g.resources[g.IntN(len(g.resources))]
	res := "world.resources"
	if g.body == nil && g.IntN(2) == 0 {
		res = "res"
	}
	g.line("%s.%s = %s", res, f.Name, g.fitting(f.Type))
}
