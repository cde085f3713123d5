package luabind

// Statements of everyday systems about tables of any content: maps of maps, records in lists, logs in tables.

// openTable writes such a statement.
func (g *everyday) openTable() {
	text, n := g.text(0), g.num(0)
	key := g.pick(text, text, "KINDS["+g.pick("1", "2", "3")+"]", "total % 5", n)
	if len(g.ents) > 0 && g.IntN(3) == 0 {
		key = g.ents[0]
	}
	g.line("%s", g.pick(
		"deep["+text+"] = deep["+text+"] or {} deep["+text+"]["+key+"] = (deep["+text+"]["+key+"] or 0) + 1",
		"local row = deep["+key+"] if not row then row = { n = 0, kinds = {} } deep["+key+"] = row end row.n = (row.n or 0) + "+n+" if row.kinds then row.kinds["+text+"] = (row.kinds["+text+"] or 0) + 1 end",
		"box.n = box.n + 1 box.log[#box.log + 1] = "+g.pick(text, n, "{ n = "+n+" }")+" if #box.log > 6 then table.remove(box.log, 1) end",
		"local rec = recs[random(#recs)] if rec.extra then total = total + rec.extra end rec.n = rec.n + 1",
		"local by = box.by["+text+"] or { n = 1 } by.n = by.n + "+n+" box.by["+text+"] = by",
		"for i, r in ipairs(recs) do r.n = r.n - i if r.n < -50 then r.n = 0 break end end",
		"for k, r in pairs(box.by) do total = total + r.n end",
		"if "+g.rarely()+" then recs[#recs + 1] = { n = "+n+", s = "+text+" } end if #recs > 9 then table.remove(recs, 1) end",
		"last = deep["+text+"] or last if "+g.bool(1)+" then deep["+key+"] = { "+n+", at = { x = "+n+" } } end",
		"table.insert(box.log, 1, "+text+") if #box.log > 4 then table.remove(box.log) end total = total + #box.log",
		"local r = recs[2] r.list = r.list or {} r.list[#r.list + 1] = { "+key+" } if #r.list > 3 then r.list = nil end",
		"if "+g.rarely()+" then total = total + deep["+text+"].n end",
		"box.self = box box.self.n = box.self.n + 1 total = total + box.n",
	))
}
