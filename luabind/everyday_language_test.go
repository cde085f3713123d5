package luabind

// Statements of everyday systems that use more of the language: sorted lists.

// language writes such a statement.
func (g *everyday) language() {
	text, n := g.text(0), g.num(0)
	g.line("%s", g.pick(
		"local l = { "+n+", "+g.num(1)+", 2 } table.sort(l"+g.pick("", ", function(a, b) return a > b end", ", function(a, b) total = total + 1 return a < b end")+") total = total + l[1]",
		"table.sort(list, function(a, b) return tostring(a) < tostring(b) end)",
		"names[#names + 1] = "+text+" table.sort(names) if #names > 5 then names = {} end",
		"table.sort(recs, function(a, b) if a.n == b.n then return a.s "+g.pick("<", ">")+" b.s end return a.n "+g.pick("<", ">")+" b.n end)",
		"table.sort(recs, function(a, b) if "+g.rarely()+" then return a.none.n end return a.n < b.n end)",
		"if #list > 3 then table.sort(list) end",
	))
}
