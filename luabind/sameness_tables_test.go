package luabind

// Statements of random programs about Lua tables that a loop fills: lists, sets, maps, records. showTables prints what is in them, in the order of
// pairs.

// tableLocals declares the tables, as locals of the file or of a function.
const tableLocals = "local heap, seen, counts, marked, field = {}, { n = 1 }, { 3 }, {}, { { 1, 2 }, { 3, 4 } }"

const showTables = `local function show(t, depth)
  local parts = {}
  for k, v in pairs(t) do
    if type(v) == "table" and depth < 3 then v = show(v, depth + 1) end
    if #parts < 40 then parts[#parts + 1] = tostring(k) .. "=" .. tostring(v) end
  end
  return #t .. "{" .. table.concat(parts, " ") .. "}"
end
`

// looked writes a statement that reads a table which may have nothing there, and may store in it.
func (g *author) looked() {
	if g.IntN(3) == 0 {
		x, y := g.index(), g.index()
		g.line("%s", g.pick("total = total + field["+y+"]["+x+"]", "field["+y+"]["+x+"] = field["+y+"]["+x+"] + "+g.number(0), "field[2][1] = "+g.number(1), "if field[1]["+x+"] then total = total + 1 end",
			"local strip = field["+y+"] if strip then total = total + (strip["+x+"] or 2) end"))
		return
	}
	key := g.pick(g.entity(), g.entity(), g.index(), g.number(0))
	g.line("%s", g.pick(
		"counts["+key+"] = (counts["+key+"] or 0) + "+g.pick("1", g.number(0)), "if not marked["+key+"] then marked["+key+"] = true total = total + 1 end", "if counts["+key+"] then total = total + counts["+key+"] end",
		"total = total + (counts["+key+"] or "+g.number(0)+")", "if marked["+key+"] then total = total - 1 end", "if nums["+g.index()+"] then total = total + 1 end", "total = total + (nums["+g.index()+"] or 3)",
		"if goals["+g.index()+"] then total = total + 2 end", "local spot = goals["+g.index()+"] if spot then total = total + spot.x end", "local maybe = nums["+g.index()+"] if maybe then total = total + maybe end", "total = total + #nums + #counts",
	))
}

// filled writes a statement that stores in a table.
func (g *author) filled() {
	record := g.pick("{ e = "+g.entity()+", x = "+g.number(1)+" }", "{ "+g.number(1)+", "+g.entity()+" }", "{ at = { "+g.number(0)+" }, on = "+g.condition(1)+", none = nil }", "{}")
	value := g.pick(g.number(1), g.entity(), g.condition(1), g.text(), record)
	if g.IntN(3) == 0 {
		g.looked()
		return
	}
	if g.IntN(5) == 0 {
		g.line("local made = { x = %s, on = %s, at = { %s } } if made.on then made.x = made.x + made.at[1] end made.at[1] = made.x total = total + made.at[1]", g.number(1), g.condition(1), g.number(0))
		return
	}
	g.line("%s", g.pick(
		"heap[#heap + 1] = "+value, "heap[#heap + 1] = "+value, "table.insert(heap, "+value+")", "seen["+g.entity()+"] = "+value, "seen["+g.entity()+"] = true", "seen["+g.number(1)+"] = "+value,
		"if #heap < 50 then heap[#heap + 1] = "+value+" end", "if "+g.condition(1)+" then seen["+g.entity()+"] = nil end", "total = total + #heap", "seen["+g.text()+"] = "+value, "heap["+g.index()+"] = "+value,
	))
}
