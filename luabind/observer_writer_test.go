package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The writer of random programs with observers: see observer_random_test.go.

// observerHub is a module that all systems share. It has the entities that the programs speak of, and how much may still be queued in a
// frame, so that chains of commands end where the program does not ask for the limits.
const observerHub = `local ecs = require("ecs")
local H = { list = {}, fuel = 0, calls = 0, views = {} }
ecs.component("A", { v = "f64", name = "string" }) ecs.component("B", { n = "i32", bag = "table", who = "entity" }) ecs.component("P", { x = "f64", y = "f64" })
ecs.tag("red") ecs.tag("blue") ecs.relation("Likes") ecs.relation("Knows", { targets = "many" }) ecs.event("Hit", { n = "f64", who = "entity", text = "string" })
ecs.resource("score", "f64") ecs.grid("g", { component = "P", x = "x", y = "y", cell = 4 })
function H.keep(e) H.list[#H.list + 1] = e if #H.list > 12 then table.remove(H.list, 1) end return e end
function H.pick(w, k)
  local n = #H.list
  for i = 1, n do local e = H.list[(k + i) % n + 1] if w:alive(e) then return e end end
  return w:first("A") or ecs.none
end
function H.more() H.fuel = H.fuel - 1 return H.fuel > 0 end
function H.show(w, e) local a = w:alive(e) and w:get(e, "A") return ecs.name(e), a and a.v, table.concat(w:alive(e) and w:tags(e) or {}, "+") end
return H`

// An observerWriter writes one program.
type observerWriter struct {
	*rand.Rand
	b       strings.Builder
	endless bool // nothing bounds the chains but the limits
	depth   int
	inLoop  bool
}

func (g *observerWriter) pick(list ...string) string { return list[g.IntN(len(list))] }
func (g *observerWriter) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// entity returns an expression for an entity.
func (g *observerWriter) entity() string {
	if g.IntN(2) == 0 {
		return "e"
	}
	return fmt.Sprintf("H.pick(w, %d)", g.IntN(12))
}

func (g *observerWriter) component() string { return g.pick("A", "A", "B", "P") }
func (g *observerWriter) tag() string       { return g.pick("red", "blue") }
func (g *observerWriter) relation() string {
	return g.pick("Likes", "Likes", "Knows", "Knows", "ChildOf", "IsA")
}

func (g *observerWriter) number() string {
	return g.pick(fmt.Sprint(g.IntN(6)), fmt.Sprint(g.IntN(6)), "ecs.random(4)", "w.frame", "w.resources.score")
}

// fields returns values for a component.
func (g *observerWriter) fields(component string) string {
	switch component {
	case "A":
		return fmt.Sprintf("{ v = %s, name = %q }", g.number(), g.pick("", "x", "long"))
	case "B":
		return fmt.Sprintf("{ n = %d, bag = { %d, { k = %d } }, who = %s }", g.IntN(9), g.IntN(9), g.IntN(9), g.entity())
	default:
		return fmt.Sprintf("{ x = %d, y = %s }", g.IntN(20), g.number())
	}
}

// parts returns the description of an entity.
func (g *observerWriter) parts() string {
	var list []string
	for _, c := range []string{"A", "B", "P"} {
		switch g.IntN(4) {
		case 0:
			list = append(list, fmt.Sprintf("%s = %s", c, g.fields(c)))
		case 1:
			list = append(list, fmt.Sprintf("%q", c))
		}
	}
	for _, t := range []string{"red", "blue"} {
		if g.IntN(3) == 0 {
			list = append(list, fmt.Sprintf("%q", t))
		}
	}
	if g.IntN(4) == 0 {
		list = append(list, fmt.Sprintf("%s = %s", g.relation(), g.entity()))
	}
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return "{ " + strings.Join(list, ", ") + " }"
}

// queued returns a call of world.commands.
func (g *observerWriter) queued() string {
	c := g.component()
	call := ""
	switch g.IntN(11) {
	case 0, 1:
		call = fmt.Sprintf("spawn(%s)", g.parts())
	case 2:
		call = fmt.Sprintf("despawn(%s)", g.entity())
	case 3, 4:
		call = fmt.Sprintf("set(%s, %q, %s)", g.entity(), c, g.fields(c))
	case 5:
		call = fmt.Sprintf("tag(%s, %q)", g.entity(), g.tag())
	case 6:
		call = fmt.Sprintf("untag(%s, %q)", g.entity(), g.tag())
	case 7:
		call = fmt.Sprintf("send(\"Hit\", { n = %s, who = %s })", g.number(), g.entity())
	case 8:
		call = fmt.Sprintf("add(%s, %q)", g.entity(), c)
	case 9:
		call = fmt.Sprintf("remove(%s, %q)", g.entity(), c)
	default:
		if g.IntN(2) == 0 {
			call = fmt.Sprintf("unrelate(%s, %q%s)", g.entity(), g.relation(), g.pick("", ", "+g.entity()))
		} else {
			call = fmt.Sprintf("relate(%s, %q, %s)", g.entity(), g.relation(), g.entity())
		}
	}
	if g.endless {
		return "w.commands:" + call
	}
	return "if H.more() then w.commands:" + call + " end"
}

// structural returns a change of structure.
func (g *observerWriter) structural() string {
	c := g.component()
	switch g.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("H.keep(w:spawn(%s))", g.parts())
	case 2:
		return fmt.Sprintf("for _, e in ipairs(w:spawn_many(%d, %s, function(i) return %s end)) do H.keep(e) end", g.IntN(4), g.parts(), g.parts())
	case 3:
		return fmt.Sprintf("for _, e in ipairs(w:spawn_many(%d, %s)) do H.keep(e) end", g.IntN(4), g.parts())
	case 4:
		return fmt.Sprintf("w:despawn(%s)", g.entity())
	case 5:
		return fmt.Sprintf("w:add(%s, %q)", g.entity(), c)
	case 6:
		return fmt.Sprintf("w:remove(%s, %q)", g.entity(), c)
	case 7:
		return fmt.Sprintf("w:relate(%s, %q, %s)", g.entity(), g.relation(), g.entity())
	default:
		return fmt.Sprintf("w:unrelate(%s, %q%s)", g.entity(), g.relation(), g.pick("", ", "+g.entity()))
	}
}

// statement writes something that may be done anywhere; locked says that structure is.
func (g *observerWriter) statement(locked bool) {
	c := g.component()
	g.depth++
	defer func() { g.depth-- }()
	switch n := g.IntN(26); {
	case n < 3:
		e := g.entity()
		g.line("do local e = %s if w:alive(e) and w:has(e, %q) then w:set(e, %q, %s) end end", e, c, c, g.fields(c))
	case n < 5:
		g.line("do local a = w:get(%s, \"A\") if a then a.v = a.v + %s end end", g.entity(), g.number())
	case n == 5:
		g.line("do local b = w:get(%s, \"B\") if b then b.bag[#b.bag + 1] = %s if #b.bag > 5 then b.bag = {} end b.n = #b.bag end end", g.entity(), g.number())
	case n < 9:
		g.line("w:%s(%s, %q)", g.pick("tag", "tag", "untag"), g.entity(), g.tag())
	case n == 9:
		g.line("w:send(\"Hit\", { n = %s, who = %s, text = %q })", g.number(), g.entity(), g.pick("a", "b"))
	case n == 10:
		g.line("for h in w:%s(\"Hit\") do print(\"hit\", h.n, ecs.name(h.who)) %s end", g.pick("read", "read", "peek", "drain"), g.pick("", "break", "w.resources.score = w.resources.score + h.n"))
	case n < 14:
		g.line("%s", g.queued())
	case n == 14:
		g.line("w.resources.score = (w.resources.score + %s) %% 100", g.number())
	case n == 15:
		g.line("print(\"random\", ecs.random(100))")
	case n == 16 && g.IntN(3) == 0:
		g.line("if %s == %d then error(\"%s\") end", g.number(), g.IntN(6), g.pick("boom", "no"))
	case n == 17 && g.depth < 3:
		g.line("print(\"caught\", pcall(function()")
		g.statement(locked)
		g.line("%s", g.pick("", "error('inside')", g.structural()))
		g.line("end))")
	case n == 18 && g.depth < 3:
		g.loop(locked)
	case n == 19:
		g.line("for n, d in w:near(\"g\", %d, 2, 6) do print(\"near\", ecs.name(n), d) %s end", g.IntN(20), g.pick("", "w:tag(n, \"red\")", "break"))
	case n == 20:
		if g.IntN(3) == 0 {
			g.line("for s in w:targets(%s, \"Knows\") do print(\"target\", ecs.name(s)) %s end", g.entity(), g.pick("", "w:tag(s, \"blue\")"))
		}
		g.line("for s in w:sources(%q, %s) do print(\"source\", ecs.name(s)) %s end", g.relation(), g.entity(), g.pick("", "w:tag(s, \"blue\")"))
	case n == 21 && g.depth < 3:
		g.line("coroutine.wrap(function()")
		g.statement(locked)
		g.line("end)()")
	case n == 22 && !g.inLoop:
		g.line("H.views[#H.views %% 3 + 1] = w:get(%s, \"A\") for i, v in ipairs(H.views) do pcall(function() v.v = v.v + 1 end) end", g.entity())
	case n == 23 && g.IntN(6) == 0:
		g.line("w:stop(\"enough\")")
	case n == 24:
		g.line("for e in w:removed(%q) do print(\"gone\", ecs.name(e)) end", g.pick("A", "B"))
	case locked && g.IntN(8) > 0:
		g.line("print(\"locked\", pcall(function() %s end))", g.structural())
	default:
		g.line("%s", g.structural())
	}
}

// loop writes a query loop, which may be compiled.
func (g *observerWriter) loop(locked bool) {
	inLoop := g.inLoop
	g.inLoop = true
	g.line("for e, a in w:each(%s) do", g.pick(`"A"`, `"A"`, `"A", "P"`))
	for range 1 + g.IntN(3) {
		switch g.IntN(9) {
		case 0, 1:
			g.line("a.v = a.v + %d", g.IntN(3))
		case 2:
			g.line("if a.v > %d then w:%s(e, %q) end", g.IntN(6), g.pick("tag", "untag"), g.tag())
		case 3:
			g.line("%s", g.queued())
		case 4:
			g.line("w:%s(e, %q)", g.pick("tag", "untag"), g.tag())
		case 5:
			g.line("w:send(\"Hit\", { n = a.v })")
		case 6:
			g.line("if a.v == %d then error(\"row\") end", g.IntN(9))
		case 7:
			g.line("w.resources.score = w.resources.score + a.v %% 7")
		default:
			g.statement(true)
		}
	}
	g.line("end")
	g.inLoop = inLoop
}

var observedNames = map[string]string{
	"added": "component", "removed": "component", "set": "component", "tagged": "tag", "untagged": "tag",
	"related": "relation", "unrelated": "relation", "spawned": "", "despawned": "",
}

// observer writes a call of world:on.
func (g *observerWriter) observer(system string, k int) {
	kind := g.pick("added", "removed", "set", "tagged", "untagged", "related", "unrelated", "spawned", "despawned")
	name := ""
	switch observedNames[kind] {
	case "component":
		name = fmt.Sprintf("%q, ", g.component())
	case "tag":
		name = fmt.Sprintf("%q, ", g.tag())
	case "relation":
		name = fmt.Sprintf("%q, ", g.relation())
	}
	g.line("w:on(%q, %sfunction(w, e, x)", kind, name)
	g.line("calls = calls + 1 H.calls = H.calls + 1 if calls < 200 then print(%q, H.show(w, e)) end", fmt.Sprintf("%s.%d %s", system, k, kind))
	if !g.endless {
		g.line("if not H.more() then return end")
	}
	for range g.IntN(4) {
		g.statement(true)
	}
	if g.IntN(12) == 0 {
		g.line("if calls %% %d == 0 then error(\"fails\") end", 2+g.IntN(4))
	}
	g.line("end)")
}

// system writes the file of a system.
func (g *observerWriter) system(name string) string {
	g.b.Reset()
	g.line("local ecs, H = require(\"ecs\"), require(\"hub\") local calls = 0")
	g.line("local M = { state = { n = 0 } }")
	g.line("function M.init(w)")
	g.line("H.fuel = 100")
	early := g.IntN(2) == 0
	observers := 1 + g.IntN(4)
	for k := range observers {
		if early && k == observers-1 {
			g.line("for i = 1, %d do local e = H.pick(w, i) pcall(function() H.keep(w:spawn(%s)) end) end", g.IntN(4), g.parts())
		}
		g.observer(name, k)
	}
	g.line("end")
	g.line("function M.update(w)")
	g.line("H.fuel = 100 M.state.n = M.state.n + 1")
	g.line("local e = H.pick(w, M.state.n) if not w:alive(e) then e = H.keep(w:spawn{ A = { v = 1 } }) end")
	for range 1 + g.IntN(5) {
		if g.IntN(4) == 0 {
			g.line("if w.frame %% %d == %d then", 2+g.IntN(2), g.IntN(2))
			g.statement(false)
			g.line("end if not w:alive(e) then e = H.keep(w:spawn{ A = { v = 1 } }) end")
			continue
		}
		g.statement(false)
		g.line("if not w:alive(e) then e = H.keep(w:spawn{ A = { v = 1 } }) end")
	}
	g.line("print(%q, w:count(), calls, H.calls)", name)
	g.line("end")
	g.line("return M")
	return g.b.String()
}
