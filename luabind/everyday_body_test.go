package luabind

import (
	"fmt"
	"strings"
)

// Statements and loops of everyday systems.

// loop writes a loop over entities or events, with its body.
func (g *everyday) loop() {
	g.nums, g.texts, g.bools, g.ents, g.maybes = []string{"total", "dt"}, []string{"text"}, nil, []string{"e"}, nil
	heads := []struct {
		text  string
		views map[string]string
	}{
		{`for e, p, h in world:each("Pos", "Hp") do`, map[string]string{"Pos": "p", "Hp": "h"}},
		{`for e, u, h in world:each("Unit", "Hp") do`, map[string]string{"Unit": "u", "Hp": "h"}},
		{`for e, u, h in world:each("Unit", "Hp") do`, map[string]string{"Unit": "u", "Hp": "h"}},
		{`for e, bag in world:each("Bag") do`, map[string]string{"Bag": "bag"}},
		{`for e, bag, h in world:each("Bag", "Hp") do`, map[string]string{"Bag": "bag", "Hp": "h"}},
		{`for e, h in world:each("Hp") do`, map[string]string{"Hp": "h"}},
		{`for hit in world:read("Hit") do`, map[string]string{"Hit": "hit"}},
		{`for hit in world:` + g.pick("peek", "drain") + `("Hit") do`, map[string]string{"Hit": "hit"}},
		{`for e, p, h in world:each(ecs.query{ "Pos", "Hp", ` + g.pick(`without = { "Bag" }`, `tagged = { "red" }`, `optional = { "Unit" }`) + ` }) do`, map[string]string{"Pos": "p", "Hp": "h"}},
		{`for e, h, u in world:each(` + g.pick("QUERIES.hurt", "QUERIES[1]", "(pick(total))", "pick(total)", `"Hp", KINDS.first or "Unit"`) + `) do`, map[string]string{"Hp": "h", "Unit": "u"}},
		{`for i = 1, #nums do`, nil},
	}
	head := heads[g.IntN(len(heads))]
	g.views = head.views
	g.depth = 1
	if g.IntN(4) == 0 {
		g.line("local found, best = nil, -1")
		g.maybes, g.nums = append(g.maybes, "found"), append(g.nums, "best")
	}
	g.line("%s", head.text)
	switch {
	case head.views == nil:
		g.nums, g.ents = append(g.nums, "i"), nil
	case head.views["Hit"] != "":
		g.ents = nil
	}
	g.carries()
	g.line("  do")
	g.depth++
	g.labels = 1
	for more := g.IntN(4) - 1; more > 0; more-- {
		g.language()
	}
	if g.IntN(3) == 0 {
		g.given()
	}
	g.within(2+g.IntN(5), 3)
	if g.IntN(20) == 0 {
		g.openTable()
	}
	g.labels = 0
	g.depth--
	g.line("  end")
	g.line("  ::continue::")
	g.line("end")
	g.depth = 0
}

// rarely is a condition that holds in few rows.
func (g *everyday) rarely() string {
	if g.rare < 10 {
		return g.bool(1)
	}
	return fmt.Sprintf("(floor(%s * 7) %% %d == 3)", g.simple(), g.rare)
}

func (g *everyday) statement(levels int) {
	if g.library {
		g.line("%s", g.pick("best.fire = (best.fire or 0) + 1", "if x > 3 then best[\"stone\"] = x end", "calls = calls + "+g.num(1), "x = x + 1"))
		return
	}
	for component := range everydayOrder(g.views) {
		if g.masks[ofStatement]>>(40+uint(len(component)))&1 != 0 && g.IntN(3) == 0 && g.component(component, levels) {
			return
		}
	}
	n := g.draw(ofStatement, 30)
	if levels > 0 && n < 10 {
		g.block(n, levels-1)
		return
	}
	g.plain(n)
}

// component writes a statement about a component of the loop. It returns false if there is none to write.
func (g *everyday) component(component string, levels int) bool {
	view := g.views[component]
	switch component {
	case "Pos":
		g.line("%s.%s = %s", view, g.pick("x", "y"), g.num(2))
	case "Hp":
		g.line("%s", strings.ReplaceAll(g.pick("§.now = math.max(0, §.now - "+g.num(1)+")", "§.kind = "+g.text(1), "§.now = "+g.num(2), "§[conf.field] = "+g.num(1), "if not lib.hurt(§, "+g.num(1)+") then §.now = §.max end",
			"lib.hurt(§, last)", "if RULES[§.kind] then §.now = §.now - RULES[§.kind].dps * dt end"), "§", view))
	case "Unit":
		g.line("%s", strings.ReplaceAll(g.pick("§.state = "+g.pick(`"idle"`, `"fight"`, `"flee"`, g.text(0)), "§.level = math.min(20, §.level + 1)", "§.on = "+g.bool(1)+" and true or false", "§.target = "+g.pick(g.ent(), "nil", "lib.friend(world, e, u)"),
			"if §.level > 8 then §.level = "+g.num(1)+" end", "local act = ACTIONS[§.state] if act then act(world, "+g.ent()+", u, world:get("+g.ent()+", \"Hp\"), dt) end"), "§", view))
	case "Bag":
		g.bag(view, levels)
	case "Hit":
		g.line("%s", strings.ReplaceAll(g.pick("local h = world:get(§.to, \"Hp\") if h then h.now = h.now - §.amount * (SPEED[§.kind] or 1) end", "by[§.kind] = (by[§.kind] or 0) + §.amount", "if §.data.n == 2 then list[#list + 1] = §.data end",
			"local mine = count[§.from] if not mine then mine = 0 end count[§.from] = mine + §.amount", "total = total + §.amount"), "§", view))
	}
	return true
}

// bag writes a statement about a field of type table.
func (g *everyday) bag(view string, levels int) {
	item := "{ kind = " + g.text(0) + ", n = " + g.num(1) + " }"
	g.line("%s", strings.ReplaceAll(g.pick(
		"if #§.items < 6 then §.items[#§.items + 1] = "+item+" end", "§.items.gold = (§.items.gold or 0) + 1", "for i = 1, #§.items do total = total + §.items[i].n end",
		"local items = §.items if #items < 6 then table.insert(items, "+item+") §.items = items end", "local items = §.items for i = #items, 1, -1 do items[i].n = items[i].n - 1 if items[i].n < 0 then table.remove(items, i) end end §.items = items",
		"§.items = { "+item+" }", "for k, v in pairs(§.items) do if type(v) == \"table\" then total = total + v.n else total = total + v end end", "for i, it in ipairs(§.items) do if it.kind == "+g.text(0)+" then it.n = it.n + 1 total = total + it.n end end",
		"§.count = #§.items", "kept = §.items", "if kept and kept[1] then kept[1].n = "+g.num(1)+" end", "if §.items[1] then §.items[1].n = §.items[1].n + "+g.num(1)+" end", "§.items["+g.index()+"] = nil",
		"if "+g.rarely()+" then §.items.list = list end", "local first = §.items[1] if first then last = first.n text = first.kind end", "§.n = §.n + (§.items.gold or 0)",
	), "§", view))
}

// block writes a statement with statements in it.
func (g *everyday) block(n, levels int) {
	switch {
	case n < 5:
		g.line("if %s then", g.bool(1))
		g.within(1+g.IntN(2), levels)
		if g.IntN(3) == 0 {
			g.line("elseif %s then", g.bool(1))
			g.within(1, levels)
		}
		if g.IntN(3) == 0 {
			g.line("else")
			g.within(1, levels)
		}
		g.line("end")
		return
	case n == 5 && g.loops < 2:
		i, k := g.fresh(), g.fresh()
		g.loops++
		nums, texts := g.nums, g.texts
		switch g.IntN(5) {
		case 0:
			g.line("for %s, %s in ipairs(%s) do", i, k, g.pick("LIMITS", "nums"))
			g.nums = append(g.nums, i, k)
		case 1:
			g.line("for %s, %s in %s do", i, k, g.pick("ipairs(KINDS)", "pairs(NEXT)"))
			g.texts = append(g.texts, k)
		case 2:
			g.line("for %s, %s in pairs(%s) do", k, i, g.pick("SPEED", "by"))
			g.nums, g.texts = append(g.nums, i), append(g.texts, k)
		case 3:
			g.line("for %s = 1, %s do", i, g.pick("3", "#nums", "#KINDS", "math.min(5, #list)"))
			g.nums = append(g.nums, i)
		default:
			g.line("local %s = 0", i)
			g.nums, nums = append(g.nums, i), append(nums, i)
			g.line("while %s < 3 and %s do", i, g.bool(1))
			g.line("  %s = %s + 1", i, i)
		}
		g.within(1+g.IntN(2), levels)
		if g.IntN(3) == 0 {
			g.line("  if %s then break end", g.bool(1))
		}
		g.line("end")
		g.nums, g.texts = nums, texts
		g.loops--
		return
	case n == 6 && g.loops == 0 && len(g.ents) > 0:
		o := g.fresh()
		g.loops++
		h, had := g.views["Hp"]
		g.views = withView(g.views, "Hp", o+"h")
		ents := g.ents
		g.ents = append(g.ents[:len(g.ents):len(g.ents)], o)
		if p := g.views["Pos"]; p != "" && g.IntN(2) == 0 {
			g.line("for %s, %sd in world:near(\"g\", %s.x, %s.y, %s) do", o, o, p, p, g.pick("2", "5", g.num(0)))
			g.line("  local %sh = world:get(%s, \"Hp\")", o, o)
			g.line("  if %sh then", o)
			g.depth++
			g.within(1, levels)
			g.depth--
			g.line("  end")
		} else {
			g.line("for %s, %sh in world:each(\"Hp\", \"Unit\") do", o, o)
			g.within(1, levels)
		}
		g.line("end")
		g.ents = ents
		if g.views = withView(g.views, "Hp", h); !had {
			delete(g.views, "Hp")
		}
		g.loops--
		return
	case n == 7:
		o := g.fresh()
		g.line("local %s = world:get(%s, \"Hp\")", o, g.ent())
		h, had := g.views["Hp"]
		g.views = withView(g.views, "Hp", o)
		if g.IntN(8) > 0 {
			g.line("if %s then", o)
			g.within(1+g.IntN(2), levels)
			g.line("end")
		} else {
			g.line("total = total + %s.now", o)
		}
		if g.views = withView(g.views, "Hp", h); !had {
			delete(g.views, "Hp")
		}
		return
	case n == 8:
		r := g.fresh()
		g.line("local %s = %s[%s]", r, g.pick("RULES", "rules"), g.text(0))
		g.line("if %s then", r)
		g.nums = append(g.nums[:len(g.nums):len(g.nums)], r+".dps")
		g.within(1+g.IntN(2), levels)
		g.nums = g.nums[:len(g.nums)-1]
		g.line("end")
		return
	case n == 9 && g.IntN(3) == 0:
		ok, why := g.fresh(), g.fresh()
		g.line("local %s, %s = pcall(function()", ok, why)
		labels := g.labels
		g.labels = 0
		g.within(1+g.IntN(2), levels)
		g.labels = labels
		g.line("end)")
		g.line("if not %s then text = tostring(%s):sub(-20) end", ok, why)
		return
	}
	g.plain(g.draw(ofStatement, 30))
}

func withView(views map[string]string, component, view string) map[string]string {
	out := map[string]string{component: view}
	for c, v := range views {
		if c != component {
			out[c] = v
		}
	}
	return out
}

// plain writes a statement without statements in it.
func (g *everyday) plain(n int) {
	name := g.fresh()
	switch n {
	case 0, 1, 2:
		g.line("local %s = %s", name, g.num(2))
		g.nums = append(g.nums, name)
	case 3:
		g.line("local %s = %s", name, g.text(2))
		g.texts = append(g.texts, name)
	case 4:
		g.line("local %s = %s", name, g.bool(2))
		g.bools = append(g.bools, name)
	case 5, 6:
		g.line("local %s = %s", name, g.pick("count["+g.ent()+"]", "lib.find("+g.text(0)+")", "nums["+g.index()+"]", "SPEED["+g.text(0)+"]", "select(2, lib.two("+g.num(0)+"))", "last", "nil", "by["+g.text(0)+"]"))
		g.maybes = append(g.maybes, name)
	case 7:
		g.line("local %s, %sb = %s", name, name, g.pick("lib.two("+g.num(1)+")", "fight(world, "+g.ent()+", nil, nil, dt)", "pcall(lib.scale, "+g.num(0)+")", "unpack(nums)", "unpack("+g.pick("LIMITS", "list", "grid[1]", "{ "+g.num(0)+" }")+")",
			"("+g.text(0)+`):find("`+g.pick("i", "(i)(.)", "()")+`")`, "("+g.text(0)+`):match("(%a)(%a?)")`, "("+g.text(0)+"):byte(1, 2)", "("+g.text(0)+`):gsub("i", "I")`))
		g.maybes = append(g.maybes, name+"b")
	case 8:
		g.line("if %s then print(%s, %s, %s) end", g.rarely(), g.ent(), g.num(1), g.text(1))
	case 9:
		g.line("if %s then %s end", g.rarely(), g.pick("error(\"bad \" .. "+g.text(0)+")", "total = total + nothing.x", "total = total + {}", "text = text .. nil", "lib.none()", "error({ code = 1 })", "local u = world:get(e, \"Unit\") u.level = 0.5", "by.x.y = 1"))
	case 10, 11:
		g.line("%s", strings.ReplaceAll(g.pick("by[§] = (by[§] or 0) + "+g.num(1), "by[§] = "+g.num(1), "if stats[§] then stats[§].n = stats[§].n + 1 end", "stats[§] = stats[§] or { n = 0 } stats[§].n = stats[§].n + 1", "by[§] = nil", "if not by[§] then by[§] = 1 end", "by.all = (by.all or 0) + "+g.num(1), "by[§], by["+g.text(0)+"] = by["+g.text(0)+"], by[§] or "+g.num(1), "by.all, by[§] = by[§], (by.all or 0) + 1"), "§", g.text(0)))
	case 12, 13, 14:
		g.line("%s", g.pick("list[#list + 1] = "+g.value(), "table.insert(list, "+g.value()+")", "if #list > 30 then list = {} end list[#list + 1] = "+g.value(), "if #list > 5 then table.remove(list, 1) end", "list["+g.index()+"] = "+g.value(),
			"for j = 1, #list do if list[j] == "+g.ent()+" then total = total + j end end", "list[#list] = nil"))
	case 15, 16:
		g.line("%s", strings.ReplaceAll(g.pick("seen[§] = true", "seen[§] = nil", "count[§] = (count[§] or 0) + 1", "if not seen[§] then seen[§] = true total = total + 1 end", "count[§] = "+g.num(1), "seen[§] = world.frame", "if count[§] and count[§] > 3 then count[§] = nil end"), "§", g.ent()))
	case 17:
		if g.IntN(3) > 0 {
			g.objects()
			break
		}
		g.line("%s", strings.ReplaceAll(g.pick("local o = objs[§] if not o then o = Obj.new(§, 1) objs[§] = o end total = total + o:step("+g.num(1)+")", "if objs[§] then total = total + objs[§]:get() end", "objs[§] = Obj.new(§, "+g.num(0)+")", "local o = Obj.new(§, 2) o:step(3) total = total + o.n"), "§", g.ent()))
	case 18:
		g.line("%s", g.pick("local act = ACTIONS["+g.text(0)+"] if act then act(world, "+g.ent()+", nil, nil, dt) end", "total = total + (ACTIONS.idle and 1 or 0)", "local f = "+g.bool(0)+" and lib.scale or lib.count total = total + f("+g.num(0)+")"))
	case 19:
		g.line("local %s = { x = %s, y = %s } %s.x = %s.x + 1 total = total + %s.x * %s.y", name, g.num(1), g.num(1), name, name, name, name)
	case 20:
		g.line("local %s = function(a) return a + %s end total = total + %s(%s)", name, g.num(0), name, g.num(0))
	case 21:
		g.line("%s", g.pick("text = ("+g.text(0)+" .. "+g.text(0)+"):sub(1, 20)", "names[#names + 1] = "+g.text(1), "if #names > 3 then text = table.concat(names, \",\"):sub(1, 30) names = {} end", "text = "+g.text(2)))
	case 22:
		g.line("%s", g.pick("grid["+g.index()+"]["+g.index()+"] = "+g.num(1), "local row = grid["+g.index()+"] if row then row[1] = row[1] + 1 end", "grid[1][2] = grid[1][2] + "+g.num(0), "if #grid < 5 then grid[#grid + 1] = { 1, "+g.num(0)+" } end", "nums["+g.index()+"] = "+g.num(1)))
	case 23:
		g.line("%s", g.pick("world:send(\"Note\", { n = "+g.num(1)+", text = "+g.text(0)+" })", "world.resources.gold = "+g.num(1), "world.resources.title = "+g.text(0), "world:tag("+g.ent()+", \"red\")", "world:untag("+g.ent()+", \"red\")",
			"world.commands:set("+g.ent()+", \"Hp\", { now = "+g.num(0)+" })", "if "+g.rarely()+" then world.commands:despawn("+g.ent()+") end", "if "+g.rarely()+" and world.frame < 3 then world.commands:spawn{ Hp = { now = "+g.num(0)+" } } end",
			"world.resources[conf.resource] = total"))
	case 24:
		if g.labels > 0 && g.loops == 0 {
			g.line("if %s then %s end", g.rarely(), g.pick("goto continue", "goto continue", "break", "return "+g.num(1), "return nil, "+g.text(0)))
			return
		}
		fallthrough
	case 25:
		if len(g.maybes) > 0 {
			m := g.pick(g.maybes...)
			g.line("%s", g.pick("if "+m+" then total = total + 1 end", "if "+m+" == nil then "+m+" = "+g.num(1)+" end", m+" = nil", "last = "+m, "total = total + "+m))
			return
		}
		fallthrough
	case 26:
		g.line("last = %s", g.pick("nil", g.num(1), g.num(1)))
	default:
		g.line("total = %s", g.pick("total + "+g.num(2), "math.min(1e6, total + "+g.num(1)+")", g.num(2)))
	}
}
