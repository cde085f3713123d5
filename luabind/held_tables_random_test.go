package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
)

// A heldTableWriter writes random bodies with variables, a and b, that hold tables of lists.
type heldTableWriter struct{ *rand.Rand }

func (r heldTableWriter) of(list ...string) string { return list[r.IntN(len(list))] }

// list returns a list: mostly the one that most variables of the body have tables of.
func (r heldTableWriter) list(main string) string {
	if r.IntN(7) > 0 {
		return main
	}
	return r.of("fixed", "rows", "texts", "far", "made")
}

func (r heldTableWriter) index(main string) string {
	if main == "far" && r.IntN(4) > 0 {
		return r.of("10", "20", "1000", "p.k * 10", "n * 10")
	}
	return r.of("1", "2", "p.k", "p.k + 1", "n", "#"+r.of("rows", "fixed"), "p.x % 6", "0", "-1", "p.k / 2", "p.x / 0", "6")
}

// table returns an expression whose value is a table of a list, or nil.
func (r heldTableWriter) table(main string) string {
	list := r.list(main)
	element := list + "[" + r.index(main) + "]"
	return r.of(element, element, element, "a", "b", "nil", element+" or "+list+"["+r.index(main)+"]", "p.k > 1 and "+element+" or "+list+"[1]", "a or "+element, "a and "+element, "pick("+list+", "+r.of("p.k", "n", "9")+")",
		"first("+list+", p.x)", "first("+list+", p.x) or "+list+"[2]")
}

func (r heldTableWriter) statement(main string, depth int) string {
	v := r.of("a", "a", "b")
	if depth < 2 && r.IntN(3) == 0 {
		condition := r.of(v, "not "+v, v+" == nil", v+" ~= nil", v+" and "+v+".x > p.k", "not "+v+" or "+v+".x < p.x % 9", "p.k == 2", "a and b", fmt.Sprintf("p.x == %d", 1+r.IntN(120)))
		otherwise := ""
		if r.IntN(2) == 0 {
			otherwise = " else " + r.block(main, depth+1)
		}
		return "if " + condition + " then " + r.block(main, depth+1) + otherwise + " end"
	}
	if r.IntN(3) > 0 {
		list := r.list(main)
		return r.of(v+" = "+r.table(main), v+" = "+r.table(main), "a, b = b, a", "a, b = "+r.table(main)+", "+r.of("a", "nil", r.table(main)), "if "+v+" then "+v+".x = "+v+".x + 1 end", "if "+v+" then sum = sum + "+v+".x end",
			"for i = 1, #"+list+" do local c = "+list+"[i] if not "+v+" or c.x > "+v+".x then "+v+" = c end end", "for _, c in ipairs("+list+") do if c.x > p.k then "+v+" = c "+r.of("", "break")+" end end",
			"local c = "+v+" "+v+" = "+r.table(main)+" if c then sum = sum * 3 % 1000 + c.x end", "for j = 1, 2 do "+v+" = "+r.table(main)+" end", "while "+v+" and n < 4 do n = n + 1 "+v+" = "+r.table(main)+" end")
	}
	return r.of("n = n + 1", "sum = sum + 1", "p.x = p.x + 1", "if p.x == 40 then grow[#grow + 1] = "+v+" end", "if p.x == 50 then print("+v+" and "+v+".x) end", "if p.x == 60 then sum = sum + "+v+".x end", "if p.x == 70 then sum = sum + "+v+".y end",
		"if p.x == 80 then "+v+" = { x = 5, y = 1 } end", "if p.x == 90 then "+v+" = fixed[2] end", "if p.x == 30 then print(a == b, a ~= rows[1]) end", "if p.x == 20 then made[#made + 1] = { x = 7, y = 1 } end", "if p.x == 10 then rows[2] = { x = 1, y = 2, to = 1 } end",
		"for o, q in world:each('P') do if q.x > 118 then "+v+" = "+r.table(main)+" end end", "if p.s == 's2' then "+v+" = nil end", "if "+v+" and p.x == 33 then coroutine.wrap(print)("+v+".x) end", "if "+v+" and "+v+".name then p.s = "+v+".name end", "if p.x == 110 then break end")
}

func (r heldTableWriter) block(main string, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4-depth) {
		b.WriteString(r.statement(main, depth) + " ")
	}
	return b.String()
}

// file returns a file whose lists change between turns.
func (r heldTableWriter) file() string {
	main := r.of("rows", "rows", "fixed", "made", "far", "texts")
	change := r.of("", "rows[2] = nil", "rows[1] = rows[2]", "rows[3] = { x = 1 }", "rows[2].x = 's'", "rows[#rows + 1] = { x = 6, y = 5, to = 1 }", "setmetatable(rows[1], { __index = function() return 3 end })", "far[30] = { x = 8, y = 9 }", "texts[1].name = nil",
		"rows[4] = 7", "fixed[3] = nil", "rows = { { x = 1, y = 1, to = 1 } }", "fixed[1].x = 44", "for i = 1, 70 do fixed[i] = { x = i % 9, y = i } end", "rows[1].x = true", "far[10] = nil", "rows[2].list = { 1 }", "table.remove(rows, 1)", "rows[0] = { x = 2, y = 2 }")
	init := r.of("local a, b, n = nil, nil, 0", "local a, b, n = nil, nil, 0", "local a, b, n = "+main+"["+r.index(main)+"], nil, p.k", "local n = 0 local a = "+r.of(main+"[1]", "nil")+" local b = a")
	functions := `local function pick(list, i) return list[i] end
local function first(list, x) for i = 1, #list do local c = list[i] if c.x > x % 7 then return c end end return nil end
return { init`
	source := strings.Replace(heldTablesSource, "BODY", init+" "+r.block(main, 0)+r.block(main, 0), 1)
	source = strings.Replace(source, "return { init", functions, 1)
	return strings.Replace(source, "local sum, made = 0, {}", "local sum, made = 0, {}\n  if world.frame == 2 then "+change+" end", 1)
}

// TestHeldTablesRandom compares random files with variables that hold tables of lists. -kernel.from and -kernel.seeds choose others.
func TestHeldTablesRandom(t *testing.T) {
	t.Parallel()
	rows := 0
	n := seeds(180, func(seed uint64) {
		r := heldTableWriter{rand.New(rand.NewPCG(seed, 77))}
		sameCompiled(t, r.file(), fmt.Sprint("seed ", seed), func(impl Impl, did loops.Tally) bool {
			rows += int(did.Machine)
			return true
		})
	})
	if rows < n*150 {
		t.Errorf("in %d files only %d rows were machine code", n, rows)
	}
}
