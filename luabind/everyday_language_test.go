package luabind

// Statements of everyday systems that use more of the language: sorted lists, goto.

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
		"do if "+g.bool(1)+" then goto on end total = total + "+n+" if "+g.bool(1)+" then goto off end ::on:: text = "+text+" ::off:: last = "+n+" end",
		"do local i = 0 ::top:: i = i + 1 total = total + i if i < 3 and "+g.bool(1)+" then goto top end end",
		"do local i = 0 repeat i = i + 1 if i == 2 and "+g.bool(1)+" then goto on end total = total + "+n+" ::on:: until i > 2 end",
		"do for i = 1, 3 do for j = 1, 2 do if i * j > 1 and "+g.bool(1)+" then goto out end total = total + j end end ::out:: total = total + 1 end",
	))
}
