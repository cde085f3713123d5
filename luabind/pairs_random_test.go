package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// A pairWriter writes random bodies that use values at two keys. seconds are the kinds of the second keys of tables: 0 for numbers, 1 for
// strings. values are the kinds of their values: 0 for numbers, 1 for booleans, 2 for strings.
type pairWriter struct {
	*rand.Rand
	seconds, values map[string]int
}

func newPairWriter(seed uint64) pairWriter {
	r := pairWriter{rand.New(rand.NewPCG(seed, 81)), map[string]int{}, map[string]int{"prices": 0, "fixed": 0, "grid": 0, "wide": 0, "broad": 0, "uneven": 0, "tall": 0, "twice": 0, "flags": 1, "words": 2}}
	for _, t := range []string{"t", "u", "kept", "odd", "late", "round", "nick", "state.by"} {
		r.seconds[t], r.values[t] = r.IntN(3)/2, r.IntN(4)%3
	}
	for _, t := range []string{"prices", "uneven", "tall"} {
		r.seconds[t] = 1
	}
	return r
}

func (r pairWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r pairWriter) table() string {
	return r.of("t", "t", "t", "t", "t", "kept", "kept", "kept", "u", "fixed", "prices", "grid", "flags", "words", "wide", "broad", "uneven", "tall", "state.by", r.of("state.by", "nick"), r.of("odd", "late", "twice", "round"))
}

// first returns a key of a table, which mostly has a table there or gets one.
func (r pairWriter) first(table string) string {
	if r.IntN(40) > 0 {
		switch table {
		case "prices", "uneven":
			return r.of("p.s", "p.s", "'s1'")
		case "grid":
			return r.of("p.k + 1", "p.g + 1", "2")
		case "wide", "broad", "tall":
			return r.of("p.x % 120", "p.x * 7 % 120", "p.k * 11", "p.x % 50 + 20")
		case "t", "u", "kept":
			return r.of("p.k", "p.k", "p.g", "p.s", "e", "p.other", "p.x % 7", "p.x % 41", "half(p.x)", "p.k / 2", "-p.k")
		}
		return r.of("p.k", "p.k", "p.k", "p.x % 4", "2", "p.g % 3")
	}
	return r.of("p.k", "p.s", "p.g", "e", "p.x > 60", "p.x / 0", "(p.x - 50) / (p.x - 50)", "-(p.k * 0)", "p.w")
}

func (r pairWriter) second(table string) string {
	if r.IntN(40) == 0 {
		return r.of("(p.x - 50) / (p.x - 50)", "-(p.g * 0)", "p.x > 60", "p", "p.x / 0", "p.other", "1e9 + p.x")
	}
	if r.seconds[table] == 1 {
		return r.of("p.w", "p.w", "p.s", "p.x % 2 == 0 and 'n' or p.w", "'w1'", "p.s")
	}
	if table == "grid" {
		return r.of("p.g + 1", "p.k + 1", "p.x % 5 + 1")
	}
	return r.of("p.g", "p.g", "p.k", "p.x", "p.x % 9", "e", "p.x / 4", "-p.g", "p.g - 1", "half(p.x)", "0", "p.g * 1000")
}

func (r pairWriter) value(table string) string {
	if r.IntN(50) == 0 {
		return r.of("nil", "p.s", "p.x > 7", "p.x", "{ p.x }", "p", "'a'", "e", "p.x > 3 and p.x or nil")
	}
	switch r.values[table] {
	case 1:
		return r.of("true", "true", "p.x > 30", "false", "p.k == 2", "not AT")
	case 2:
		return r.of("p.s", "p.w", "'a'", "''", "AT or p.s")
	}
	return r.of("p.x", "(AT or 0) + 1", "(AT or 0) + 1", "(AT or 10) * 0.5", "p.k", "sum", "half(p.x)", "e", "ecs.random(5)", "1")
}

// use returns statements that use the value at AT.
func (r pairWriter) use(table string) string {
	switch r.values[table] {
	case 1:
		return r.of("if AT then sum = sum + 1 end", "if not AT then AT = true sum = sum + 1 end", "if AT == nil then sum = sum + 2 end", "if AT == false then sum = sum + 0.5 end", "local v = AT if v then sum = sum + 1 end")
	case 2:
		return r.of("if AT == 's1' then sum = sum + 1 end", "local v = AT if v then name = v end", "if AT == nil then AT = p.s end", "if AT and AT ~= p.w then sum = sum + 1 end")
	}
	return r.of("sum = sum + (AT or 0.5)", "local v = AT if v then sum = sum + v end", "if AT then AT = AT + 1 end", "if not AT then AT = p.x end", "if AT and AT > 5 then sum = sum + 1 end", "local v = AT or 0 if v < 4 then AT = v + 1 end", "if p.x > 55 then sum = sum + AT end")
}

// pair returns statements that use one table.
func (r pairWriter) pair() string {
	t := r.table()
	a, b := r.first(t), r.second(t)
	row := t + "[" + a + "]"
	var acts []string
	for range 1 + r.IntN(2) {
		acts = append(acts, r.of("AT = "+r.value(t), "AT = "+r.value(t), r.use(t), "AT = "+r.value(t)+" "+r.use(t), "do "+r.use(t)+" end", "for i = 1, "+r.of("3", "p.k", "6")+" do row["+r.of("i", "i * 0.5", b)+"] = "+strings.ReplaceAll(r.value(t), "AT", "row[i]")+" end"))
	}
	body := strings.Join(acts, " ")
	fill := func(of string) string {
		return strings.NewReplacer("AT", of+"["+b+"]", "row[i", of+"[i", "row["+b, of+"["+b).Replace(body)
	}
	if r.seconds[t] == 1 {
		body = strings.NewReplacer("row[i * 0.5]", "row[p.w]", "row[i]", "row[p.s]").Replace(body)
	}
	made := r.of("{}", "{}", "{}", "{}", "{ n = 0 }", "{ ["+b+"] = p.x }")
	switch r.IntN(13) {
	case 0:
		return r.of("do local row = "+row+" if not row then row = "+made+" "+row+" = row end "+fill("row")+" end", row+" = "+row+" or "+made+" do "+fill(row)+" end")
	case 1, 2:
		return "if " + row + " then " + fill(row) + " end"
	case 3, 4, 5, 6:
		return "do local row = " + row + " if row then " + fill("row") + " end end"
	case 8:
		if r.values[t] == 0 {
			return r.of("countAt("+t+", "+a+", "+b+")", "sum = sum + countAt("+t+", "+a+", "+b+")", "count("+row+", "+b+")")
		}
	case 9:
		if r.values[t] == 0 {
			return r.of("sum = sum + (at("+t+", "+a+", "+b+") or 0.5)", "sum = sum + ("+row+" and "+row+"["+b+"] or 0.25)", "do local v = "+row+" and "+row+"["+b+"] if v then sum = sum + v end end", "if "+row+" and "+row+"["+b+"] then sum = sum + 1 end", "for i = 0, 3 do local row = "+t+"[i] if row then sum = sum + (row["+b+"] or 0) end end")
		}
	case 10:
		if t != "t" && t != "u" && t != "kept" {
			return "do local row = " + row + " " + fill("row") + " end"
		}
		return "if not " + row + " then sum = sum + 1 else " + fill(row) + " end"
	}
	return "do " + fill(row) + " end"
}

func (r pairWriter) statement(depth int) string {
	switch n := r.IntN(13); {
	case depth < 2 && n < 3:
		condition := r.of("p.k == 2", "p.x > 40", "p.x % 3 == 0", "p.s == 's2'", fmt.Sprintf("p.x == %d", 1+r.IntN(120)), "t[p.k]", "kept[p.k] and kept[p.k][p.g]", "fixed[p.k][p.g]")
		return "if " + condition + " then " + r.block(depth+1) + r.of("", " else "+r.block(depth+1)) + " end"
	case depth < 2 && n == 3:
		return "for i = 1, " + r.of("2", "p.k", "5") + " do " + r.block(depth+1) + " end"
	case n < 12:
		return r.pair()
	}
	return r.of("sum = sum + 1", "p.x = p.x + 0.5", "if p.x == 50 then coroutine.wrap(print)() end", "if p.x == 60 then print(#p.s .. 'a') end", "if p.x == 70 then sum = sum + t[1][99] end", "if p.x == 80 then t[2] = { 1 } end", "if p.x == 90 then kept[1] = nil end", "if p.x == 100 then fixed[1] = fixed[2] end",
		"if p.x == 110 then for k, row in pairs(t) do for b in pairs(row) do sum = sum * 3 % 1000003 + (b == 'n' and 1 or 2) end end end", "if p.x == 115 then break end", "if p.x == 30 then t[p.k], kept[1] = kept[1], {} end", "for o, q in world:each('P') do if q.x > 118 then countAt(u, q.k, q.g) end end",
		"if p.x == 20 then setmetatable(fixed[2], { __index = function() return 3 end }) end", "if p.x == 40 then kept[p.k] = p.x end", "local row = fixed[p.k] if row.n then sum = sum + row.n end", "if p.x == 66 then fixed[2][3] = nil end", "sum = sum + #fixed[2]")
}

func (r pairWriter) block(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3-depth) {
		b.WriteString(r.statement(depth) + " ")
	}
	return b.String()
}

// body returns a whole body: short ones are machine code more often.
func (r pairWriter) body() string {
	if r.IntN(2) == 0 {
		return r.pair()
	}
	return r.pair() + " " + r.block(0)
}

// TestPairsRandom compares random files with values at two keys. -kernel.from and -kernel.seeds choose others.
func TestPairsRandom(t *testing.T) {
	t.Parallel()
	rows := 0
	n := seeds(240, func(seed uint64) {
		r := newPairWriter(seed)
		body := r.body()
		sameCompiled(t, pairFile(pairLoop, body), fmt.Sprint("seed ", seed, ": ", body), func(impl Impl, did loops.Tally) bool {
			rows += int(did.Machine)
			return true
		})
	})
	if rows < n*150 {
		t.Errorf("in %d files only %d rows were machine code", n, rows)
	}
}
