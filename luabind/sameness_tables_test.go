package luabind

// Statements of random programs about Lua tables that a loop fills: lists, sets, maps, records. showTables prints what is in them, in the order of
// pairs.

// tableLocals declares the tables, as locals of the file or of a function.
const tableLocals = "local heap, seen = {}, { n = 1 }"

const showTables = `local function show(t, depth)
  local parts = {}
  for k, v in pairs(t) do
    if type(v) == "table" and depth < 3 then v = show(v, depth + 1) end
    if #parts < 40 then parts[#parts + 1] = tostring(k) .. "=" .. tostring(v) end
  end
  return #t .. "{" .. table.concat(parts, " ") .. "}"
end
`

// filled writes a statement that stores in a table.
func (g *author) filled() {
	record := g.pick("{ e = "+g.entity()+", x = "+g.number(1)+" }", "{ "+g.number(1)+", "+g.entity()+" }", "{ at = { "+g.number(0)+" }, on = "+g.condition(1)+", none = nil }", "{}")
	value := g.pick(g.number(1), g.entity(), g.condition(1), g.text(), record)
	g.line("%s", g.pick(
		"heap[#heap + 1] = "+value, "heap[#heap + 1] = "+value, "table.insert(heap, "+value+")", "seen["+g.entity()+"] = "+value, "seen["+g.entity()+"] = true", "seen["+g.number(1)+"] = "+value,
		"if #heap < 50 then heap[#heap + 1] = "+value+" end", "if "+g.condition(1)+" then seen["+g.entity()+"] = nil end", "total = total + #heap", "seen["+g.text()+"] = "+value, "heap["+g.index()+"] = "+value,
	))
}
