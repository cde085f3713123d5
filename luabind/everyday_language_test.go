package luabind

// Statements of everyday systems that use more of the language: sorted lists, goto, values that are now of one type, now of another, functions with `...`, caught errors, stored functions.

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
		"total = total + addup("+g.pick("", n, n+", "+g.num(1), "nil, "+n, "1, called(addup, "+n+")", "weighed("+n+", 2)", "pick("+n+")")+")",
		"last = weighed("+g.pick(n, n+", "+g.num(1)+", 3", "called(weighed, 1, "+n+")", "maybe, "+n)+") total = total + (last or 1)",
		"do local b = boxed("+g.pick("", n+", "+text, text+", { "+n+" }", "weighed(1, "+n+")")+") total = total + b.n recs[#recs + 1] = { n = #b, s = "+text+" } end",
		"text = table.concat(names, \",\""+g.pick(", 1, 2", ", 2", ", 1, #names", ", #names, #list")+") total = total + #names do local a, b = unpack(list"+g.pick("", ", 2", ", 1, 3", ", 2, "+n)+") last = a or b or 0 end",
		"do local ok, v = pcall("+g.pick("function() "+g.pick("", "if "+g.rarely()+" then error("+text+") end ")+"total = total + "+n+" return "+g.num(1)+" end", "addup, "+n+", 2", "lib.scale, maybe", "function(a) return a.x.y end, "+n)+") if ok then last = v else "+g.pick("text = tostring(v)", "print(v)", "total = total + 1")+" end end",
		"last = pcall(function() "+g.pick("if "+g.rarely()+" then error({ n = 1 }) end", "total = total + "+n)+" end) and 1 or 2",
		"if "+g.rarely()+" then error("+g.pick(text, "", text+", 2", "{}")+") end",
		"last = "+g.pick("maybe", n, "list[2]")+" or error("+text+")",
		"do local ok, v = xpcall(function() return assert("+g.pick("list[1]", n)+") end, "+g.pick("print", "function(m) return 1 end")+") total = total + (ok and 1 or 2) end",
		"do local f = "+g.bool(1)+" and addup or weighed total = total + (f("+n+", 2) or 0) end",
		"do local h = hooks[u.level % 5 + 1] if h "+g.pick("and h.cb ", "and h.cb ~= nil ", "and not h.n ", "")+"then total = total + h.cb("+g.pick(n, n+", 1", "")+") end end",
		"for _, h in ipairs(hooks) do if h.cb then last = h.cb("+n+") end end",
		"do local b = { weighed(2, "+n+") } names[#names + 1] = tostring(select("+g.pick("2", "-1", "#b", "\"#\"")+", "+n+", "+text+")) total = total + #b end",
		"do local i = 0 ::top:: i = i + 1 total = total + i if i < 3 and "+g.bool(1)+" then goto top end end",
		"do local i = 0 repeat i = i + 1 if i == 2 and "+g.bool(1)+" then goto on end total = total + "+n+" ::on:: until i > 2 end",
		"do for i = 1, 3 do for j = 1, 2 do if i * j > 1 and "+g.bool(1)+" then goto out end total = total + j end end ::out:: total = total + 1 end",
		"local v = "+g.bool(1)+" and "+g.pick(text, n, "list", "false", "nil")+" or "+g.pick(n, text, "list", "true")+" if type(v) == \"number\" then total = total + v elseif v then text = type(v) end",
		"local v = "+g.pick(n, text, "false", "nil")+" if "+g.bool(1)+" then v = "+g.pick(n, text, "list", "{ "+n+" }", "not v")+" end if v == "+g.pick(n, text, "true", "nil", "list")+" then total = total + 1 end last = "+g.pick("v", "type(v)", "v and "+n+" or "+text),
		"if world:has("+g.ent()+", "+g.pick("\"Hp\"", "KINDS[2]", "total > 3 and \"Unit\" or \"Hp\"", text)+") then total = total + 1 end",
		"local v = world:get("+g.ent()+", total % 3 > 1 and \"Hp\" or \"Pos\") if v then "+g.pick("total = total + 1", "total = total + (v.x or 0)", "v.now = "+n)+" end",
		"local o = "+g.ent()+" if world:has(o, \"Hp\") then world:set(o, \"Hp\", { now = "+n+g.pick("", ", kind = "+text)+" }) end",
		"world:"+g.pick("tag", "untag")+"("+g.ent()+", "+g.pick("total > 2 and \"red\" or \"blue\"", "\"red\"", text)+")",
		"for w in ("+text+"):gmatch("+g.pick("\"%a+\"", "\".\"", "\"(%a)(%a*)\"", "\"\"", "\"e()\"")+") do total = total + 1 if "+g.bool(1)+" then text = tostring(w) break end end",
		"local function iter(l) local i = 0 return function() i = i + 1 "+g.pick("return l[i]", "if l[i] then return i, l[i] end", "if i < "+n+" and i < 5 then return i end")+" end end for a, b in iter("+g.pick("nums", "list", "{ "+n+", 2 }")+") do total = total + 1 if "+g.bool(1)+" then break end end",
		"for k, v in next, count, nil do total = total + v end",
		"local on = "+g.bool(1)+" on = not on last = on and "+g.pick(text, n)+" or on",
	))
}
