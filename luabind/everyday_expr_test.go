package luabind

// Expressions of everyday systems, by the type that they mostly have.

// index is mostly an index of the small lists.
func (g *everyday) index() string {
	return g.pick("1", "2", "3", "floor("+g.simple()+") % 3 + 1", "floor("+g.simple()+") % 2 + 1", "random(2)")
}

// simple is a number without an operator.
func (g *everyday) simple() string {
	switch n := g.IntN(12); {
	case n < 3 && len(g.nums) > 0:
		return g.pick(g.nums...)
	case n < 5 || len(g.views) == 0:
		return g.pick("0", "1", "2", "0.5", "-1", "10", "3", "7")
	}
	for component, view := range everydayOrder(g.views) {
		if g.IntN(2) == 0 {
			switch component {
			case "Pos":
				return view + g.pick(".x", ".y")
			case "Hp":
				return view + g.pick(".now", ".max", ".now")
			case "Unit":
				return view + g.pick(".side", ".level")
			case "Bag":
				return view + g.pick(".count", ".n")
			case "Hit":
				return view + ".amount"
			}
		}
	}
	return "1"
}

// everydayOrder walks views in the order of their components.
func everydayOrder(views map[string]string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for _, component := range []string{"Pos", "Hp", "Unit", "Bag", "Hit"} {
			if view, ok := views[component]; ok && !yield(component, view) {
				return
			}
		}
	}
}

func (g *everyday) num(d int) string {
	g.inside++
	defer func() { g.inside-- }()
	if d <= 0 || g.IntN(3) == 0 {
		return g.simple()
	}
	a := func() string { return g.num(d - 1) }
	if g.library {
		return g.pick("("+a()+" + "+a()+")", "("+a()+" * 2)", "math.max("+a()+", "+a()+")", "(best["+g.text(0)+"] or "+a()+")", "("+g.bool(0)+" and "+a()+" or "+a()+")")
	}
	if bag, ok := g.views["Bag"]; ok && g.masks[ofNumber]>>40&1 != 0 && g.IntN(4) == 0 {
		return g.pick("#"+bag+".items", "("+bag+".items.gold or 0)", "("+bag+".items[1] and "+bag+".items[1].n or 0)", "(("+bag+".items["+g.index()+"] or {}).n or 1)")
	}
	if hit, ok := g.views["Hit"]; ok && g.IntN(4) == 0 {
		return g.pick(hit+".amount", "("+hit+".data.n or 0)", "#"+hit+".kind")
	}
	switch g.draw(ofNumber, 24) {
	case 0, 1, 2:
		return "(" + a() + g.pick(" + ", " - ", " * ") + a() + ")"
	case 3:
		return "(" + a() + g.pick(" / 4", " % 7", " ^ 2") + ")"
	case 4:
		return g.pick("clamp("+a()+", 0, 10)", "lib.clamp("+a()+", "+a()+")", "lib.scale("+a()+")", "lib.count("+a()+")", "(lib.two("+a()+"))", "clamp("+a()+")")
	case 5:
		return "(SPEED[" + g.text(0) + "] or " + a() + ")"
	case 6:
		return g.pick("SPEED.fire", "RULES.fire.dps", "conf.speed", "rules.fire.dps", "SPEED[KINDS["+g.index()+"]]")
	case 7:
		return "(count[" + g.ent() + "] or " + a() + ")"
	case 8:
		return "(by[" + g.text(0) + "] or 0)"
	case 9:
		return g.pick("#list", "#names", "#nums", "#KINDS", "#grid", "#grid[1]")
	case 10:
		return g.pick("grid["+g.index()+"][1]", "grid[1]["+g.index()+"]", "grid[2][2]", "nums["+g.index()+"]", "nums[random(#nums)]", "(nums["+g.index()+"] or 1)")
	case 11:
		return "#" + g.text(1)
	case 12:
		return "(tonumber(" + g.text(0) + ") or " + a() + ")"
	case 13:
		if len(g.maybes) > 0 {
			return "(" + g.pick(g.maybes...) + " or " + a() + ")"
		}
		return "(last or " + a() + ")"
	case 14:
		return g.pick("world.resources.gold", "world.resources[conf.resource]", "world.dt", "world.frame")
	case 15:
		if h, ok := g.views["Hp"]; ok {
			return h + "[conf.field]"
		}
		return "total"
	case 16:
		return g.pick("math.min(", "math.max(") + a() + ", " + a() + ")"
	case 17:
		return g.pick("floor(", "math.abs(", "math.sqrt(") + a() + ")"
	case 18:
		return "(" + g.bool(d-1) + " and " + a() + " or " + a() + ")"
	case 19:
		return "(rules[" + g.text(0) + "] and rules[" + g.text(0) + "].dps or 0)"
	case 20:
		return g.pick("random()", "random(6)")
	case 22:
		return g.pick("(("+g.text(0)+"):byte("+g.pick("", "2", g.simple())+") or 1)", "string.len("+g.text(1)+")", "(("+g.text(0)+`):find("`+g.pick("e", "i", "[co]", "^s", ".", "")+`"`+g.pick("", ", 2", ", 1, true", ", "+g.simple())+") or "+a()+")", "#tostring("+a()+")", "tonumber("+g.text(1)+g.pick("", ", 10", ", 16")+") or 3",
			"tonumber(("+g.text(0)+`):match("%d+")) or 2`, "#table.concat(names)")
	case 23:
		return "assert(" + g.pick(a(), "last", "nums["+g.index()+"]", a()) + g.pick("", ", "+g.text(0)) + ")"
	case 21:
		return "select(\"#\", " + a() + ", " + a() + ")"
	}
	return "total"
}

func (g *everyday) text(d int) string {
	g.inside++
	defer func() { g.inside-- }()
	if g.library {
		return g.pick(`"fire"`, `"ice"`, `"none"`)
	}
	switch n := g.draw(ofText, 16+6*d); {
	case n < 3:
		return g.pick(`"fire"`, `"ice"`, `"stone"`, `"none"`, `""`)
	case n < 8:
		if h, ok := g.views["Hp"]; ok && n < 6 {
			return h + ".kind"
		}
		if u, ok := g.views["Unit"]; ok {
			return u + ".state"
		}
		if hit, ok := g.views["Hit"]; ok {
			return hit + ".kind"
		}
	case n < 10 && len(g.texts) > 0:
		return g.pick(g.texts...)
	case n < 12:
		return "KINDS[" + g.pick("1", "2", "random(#KINDS)", "floor("+g.simple()+") % 4 + 1") + "]"
	case n == 12:
		return "(NEXT[" + g.text(0) + `] or "none")`
	case n == 13:
		return g.pick("RULES.fire.next", "world.resources.title", "conf.name", "text")
	case n == 14:
		return "(" + g.bool(0) + ` and "fire" or ` + g.text(0) + ")"
	case n < 16:
		return "KINDS[1]"
	case n < 18:
		return "(" + g.text(0) + " .. " + g.pick(g.text(0), g.simple(), `"-"`) + ")"
	case n == 18:
		return g.pick("tostring("+g.num(d-1)+")", `string.format("%d:%s", floor(`+g.simple()+`), `+g.text(0)+")", `("%.2f"):format(`+g.simple()+")",
			`string.format("%`+g.pick("5", "-4", "03", "+", ".1", "")+g.pick("d", "s", "g", "x", "s", "5.1f", "c", "q")+`|", `+g.pick(g.simple(), g.simple(), g.text(0), g.bool(0), "last")+")", "tostring("+g.pick(g.bool(0), "last", g.text(0))+")", "type("+g.pick("last", g.num(0), g.text(0), "list", "kept", "NEXT["+g.text(0)+"]")+")")
	case n == 19:
		return "(" + g.text(0) + ")" + g.pick(":upper()", ":sub(1, 2)", ":sub(-1)", ":rep(2)", ":sub("+g.simple()+")", ":rep("+g.simple()+")", ":reverse()", ":lower()", ":sub("+g.simple()+", "+g.simple()+"):upper()", ":rep(90)")
	case n == 21:
		return "(" + g.pick("("+g.text(0)+`):gsub("`+g.pick("i", "[aeiou]", "(.)(.)", "^f", "%d+", ".-", "(")+`", "`+g.pick("x", "%0%0", "", "%1", "<%2>")+`")`,
			"("+g.text(0)+`):gsub("`+g.pick("%a", "[aeiou]", "(.)(.)", "^f", "%d*", "()", "(")+`", `+g.pick("string.upper", `function(a, b) if b then return b .. a end return `+g.simple()+` end`, "SPEED", `{ i = "I", f = `+g.simple()+` }`, `function(a) total = total + 1 return a == "i" and `+g.text(0)+` end`)+g.pick("", "", ", "+g.simple())+`)`,
			"string.match("+g.text(0)+`, "`+g.pick("^%a", "(%a)(%a)", "%d+", "()e", "[^i]*", "%")+`")`+" or "+g.text(0), `table.concat(names, ",")`, "table.concat(KINDS, "+g.text(0)+")", "table.concat({ "+g.text(0)+", "+g.simple()+" }, \"-\")") + ")"
	case n == 20:
		return "lib.name(" + g.text(0) + ", " + g.simple() + ")"
	}
	return `"ice"`
}

func (g *everyday) bool(d int) string {
	g.inside++
	defer func() { g.inside-- }()
	if d > 0 && g.IntN(4) == 0 {
		return g.pick("(not "+g.bool(d-1)+")", "("+g.bool(d-1)+" and "+g.bool(d-1)+")", "("+g.bool(d-1)+" or "+g.bool(d-1)+")")
	}
	if g.library {
		return "(x > " + g.simple() + ")"
	}
	switch g.draw(ofBool, 16) {
	case 0, 1:
		return "(" + g.text(0) + g.pick(" == ", " ~= ", " < ", " == ") + g.text(0) + ")"
	case 2:
		if u, ok := g.views["Unit"]; ok {
			return u + ".on"
		}
	case 3:
		return g.pick("seen["+g.ent()+"]", "(seen["+g.ent()+"] ~= nil)", "(not seen["+g.ent()+"])")
	case 4:
		return g.pick("(RULES["+g.text(0)+"] ~= nil)", "SPEED["+g.text(0)+"]", "NEXT["+g.text(0)+"]", "(count["+g.ent()+"] == nil)")
	case 5:
		return "world:alive(" + g.ent() + ")"
	case 6:
		return "world:tagged(" + g.ent() + `, "red")`
	case 7:
		if len(g.bools) > 0 {
			return g.pick(g.bools...)
		}
	case 8:
		if len(g.maybes) > 0 {
			return g.pick(g.maybes...)
		}
	case 9:
		return g.pick("conf.on", "nums["+g.index()+"]", "last", "(last == nil)", "(RULES.fire.on == true)", "(world.frame % 2 == 0)")
	}
	if g.draw(ofBool, 16) == 10 {
		return g.pick("("+g.text(0)+g.pick(" < ", " > ", " <= ", " >= ")+g.text(1)+")", "(("+g.text(0)+`):match("`+g.pick("^f", "e$", "[xyz]", "")+`") ~= nil)`, "(("+g.text(0)+`):find("i", 1, true) == 1)`, "(type("+g.pick("last", g.num(0), "list")+`) == "number")`)
	}
	return "(" + g.num(1) + g.pick(" < ", " > ", " <= ", " >= ", " == ", " ~= ") + g.num(1) + ")"
}

func (g *everyday) ent() string {
	switch g.IntN(8) {
	case 0:
		if u, ok := g.views["Unit"]; ok {
			return u + ".target"
		}
	case 1:
		if hit, ok := g.views["Hit"]; ok {
			return hit + g.pick(".from", ".to")
		}
	case 2:
		return g.pick("4294967298", "ecs.none", "4294967301")
	}
	if len(g.ents) > 0 {
		return g.pick(g.ents...)
	}
	return "4294967297"
}

// value is something to store in a list.
func (g *everyday) value() string {
	return g.pick(g.num(1), g.num(1), g.ent(), g.text(1), g.bool(1), "{ e = "+g.ent()+", n = "+g.num(1)+" }", "{ "+g.num(0)+", "+g.text(0)+" }", "{}")
}
