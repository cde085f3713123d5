package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
)

// A groupWriter writes random bodies that add to lists at the keys of tables.
type groupWriter struct{ *rand.Rand }

func (r groupWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r groupWriter) table() string {
	return r.of("groups", "groups", "groups", "kept", "lanes", "places", "odd", "twice", "empty")
}

func (r groupWriter) key(table string) string {
	if r.IntN(5) > 0 {
		switch table {
		case "places":
			return "p.s"
		case "lanes":
			return r.of("p.k + 1", "p.k + 1", "p.k + 2", "1")
		case "odd", "twice":
			return r.of("p.k", "p.k % 2", "0", "2")
		}
	}
	return r.of("p.k", "p.k", "p.s", "e", "p.x % 7", "p.other", "p.k * 2", "p.x > 60 and 1 or 2", "p.k / 2", "-p.k", "'s' .. p.k", "half(p.x)", "p.x / 0")
}

func (r groupWriter) value() string {
	return r.of("p.x", "e", "p.s", "p.x > 9", "{ x = p.x }", "{ x = p.s, e }", "sum", "half(p.x)", "nil", "#lanes", "p.x > 3 and p.x or nil", "p", "'a'", "p.x / 0")
}

// group returns statements that add to one list.
func (r groupWriter) group() string {
	t := r.table()
	k, v := r.key(t), r.value()
	at := t + "[" + k + "]"
	made := r.of("{}", "{}", "{}", "{ n = 0 }", "{ "+v+" }", "{ n = 1, p.x, "+v+" }")
	adds := r.of("l[#l + 1] = "+v, "table.insert(l, "+v+")", "l[#l + 1] = "+v+" l[#l + 1] = p.x", "if #l < "+r.of("2", "9", "p.k")+" then l[#l + 1] = "+v+" end", "local n = #l + 1 l[n] = "+v, "sum = sum + #l l[#l + 1] = "+v, "if l.n then l.n = l.n + 1 end l[#l + 1] = "+v,
		"for i = 1, "+r.of("2", "p.k")+" do l[#l + 1] = i end", "l[#l + 1] = #l")
	return r.of(
		"do local l = "+at+" if not l then l = "+made+" "+at+" = l end "+adds+" end",
		"do local l = "+at+" or "+made+" "+at+" = l "+adds+" end",
		at+" = "+at+" or "+made+" table.insert("+at+", "+v+")",
		"if not "+at+" then "+at+" = "+made+" end "+at+"[#"+at+" + 1] = "+v,
		"do local l = "+at+" if l then "+adds+" end end",
		"if "+at+" == nil then "+at+" = "+made+" else sum = sum + #"+at+" end",
		"add("+t+", "+k+", "+v+")",
		"do local l = "+at+" "+adds+" end",
	)
}

func (r groupWriter) statement(depth int) string {
	switch n := r.IntN(12); {
	case depth < 2 && n < 3:
		condition := r.of("p.k == 2", "p.x > 40", "p.x % 3 == 0", "p.s == 's2'", fmt.Sprintf("p.x == %d", 1+r.IntN(120)), "groups[p.k]", "#lanes[1] > 5")
		return "if " + condition + " then " + r.block(depth+1) + r.of("", " else "+r.block(depth+1)) + " end"
	case n < 10:
		return r.group()
	}
	return r.of("sum = sum + 1", "p.x = p.x + 1", "if p.x == 50 then coroutine.wrap(print)() end", "if p.x == 60 then print(#p.s .. 'a') end", "if p.x == 70 then local l = groups[1] sum = sum + l[1] end", "if p.x == 80 then groups[2] = { 1 } end", "if p.x == 90 then groups[1] = nil end",
		"if p.x == 100 then table.remove(lanes[1]) end", "if p.x == 110 then for k, l in pairs(groups) do sum = sum + #l end end", "if p.x == 115 then break end", "if p.x == 30 then kept[p.k], lanes[1] = lanes[1], {} end", "for o, q in world:each('P') do if q.x > 118 then add(groups, q.k, q.x) end end")
}

func (r groupWriter) block(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3-depth) {
		b.WriteString(r.statement(depth) + " ")
	}
	return b.String()
}

// TestGroupsRandom compares random files with lists at the keys of tables. -kernel.from and -kernel.seeds choose others.
func TestGroupsRandom(t *testing.T) {
	t.Parallel()
	rows := 0
	n := seeds(180, func(seed uint64) {
		r := groupWriter{rand.New(rand.NewPCG(seed, 78))}
		source := strings.Replace(groupsSource, "BODY", r.block(0)+r.block(0), 1)
		sameCompiled(t, source, fmt.Sprint("seed ", seed), func(impl Impl, did loops.Tally) bool {
			rows += int(did.Machine)
			return true
		})
	})
	if rows < n*60 {
		t.Errorf("in %d files only %d rows were machine code", n, rows)
	}
}

// A recordVariableWriter writes random bodies with variables that get tables which the body makes.
type recordVariableWriter struct{ *rand.Rand }

func (r recordVariableWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r recordVariableWriter) value(of string) string {
	return r.of("p.x", "p.x", "p.k", "e", "sum", "p.x * 2", of+" and "+of+".x or 0", of+" and "+of+".x", "p.x > 50 and p.x or nil", "nil", "half(p.x)")
}

// record returns a constructor for a variable. Those of one variable mostly have the same members.
func (r recordVariableWriter) record(v string) string {
	return r.of("{ x = "+r.value(v)+", e = e }", "{ x = p.x, e = e }", "{ x = p.x, e = e }", "{ e = e, x = "+r.value(v)+" }", "{ x = p.x }", "{ x = p.x, n = "+r.of("0", v+" and "+v+".n or 1", "p.k")+" }", "{ x = p.x, s = p.s }", "{ s = "+r.of("'a'", "p.s")+", x = p.x, on = "+r.of("p.on", "true", "p.x > 3")+" }")
}

func (r recordVariableWriter) statement(v string, depth int) string {
	switch n := r.IntN(12); {
	case depth < 2 && n < 3:
		condition := r.of(v, "not "+v, v+" == nil", "p.k == 2", "p.x % 3 == 0", v+" and "+v+".x > p.x", fmt.Sprintf("p.x == %d", r.IntN(101)), v+" and "+v+".s == p.s")
		return "if " + condition + " then " + r.block(v, depth+1) + r.of("", " else "+r.block(v, depth+1)) + " end"
	case n < 8:
		return r.of("if not "+v+" or p.x > "+v+".x then "+v+" = "+r.record(v)+" end", "if not "+v+" or p.x < "+v+".x then "+v+" = "+r.record(v)+" else "+v+".x = "+v+".x - 1 end", v+" = "+r.record(v), "if p.x > 97 then "+v+" = nil end", "if "+v+" then sum = sum + ("+v+".x or 1) end", "if "+v+" and "+v+".n then sum = sum + "+v+".n end",
			"if "+v+" then "+v+".x = "+r.value(v)+" end", "if "+v+" and "+v+".e == e then sum = sum + 1 end", "for i = 1, p.k do if not "+v+" or "+v+".x < i then "+v+" = { x = i, e = e } end end", "local w if p.k > 1 then w = { x = p.x } end if w and "+v+" then sum = sum + w.x "+v+" = { x = w.x, e = e } end")
	}
	return r.of("sum = sum + 1", "p.x = p.x + 1", "if p.x == 50 then coroutine.wrap(print)() end", "if p.x == 60 then print(#(p.s .. 'a')) end", "if p.x == 70 then list[#list + 1] = "+v+" end", "if p.x == 80 then for k, m in pairs("+v+" or {}) do sum = sum + 1 end end", "if p.x == 90 then "+v+" = other end", "if p.x == 95 then break end", "take(e, p.x)",
		"if p.x == 30 and "+v+" then "+v+".y = 5 end", "if p.x == 20 then sum = sum + "+v+".x end", "if p.x == 10 then sum = sum + "+v+".none end")
}

func (r recordVariableWriter) block(v string, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3-depth) {
		b.WriteString(r.statement(v, depth) + " ")
	}
	return b.String()
}

// TestRecordVariablesRandom compares random files with such variables.
func TestRecordVariablesRandom(t *testing.T) {
	t.Parallel()
	rows := 0
	n := seeds(180, func(seed uint64) {
		r := recordVariableWriter{rand.New(rand.NewPCG(seed, 79))}
		v := r.of("best", "best", "other", "kept", "state")
		source := strings.Replace(recordVariablesSource, "BODY", r.block(v, 0)+r.block(r.of(v, v, "best", "other"), 0), 1)
		source = strings.Replace(source, "return { init", "local function half(x) if x > 50 then return x / 2 end return x end\nreturn { init", 1)
		sameCompiled(t, source, fmt.Sprint("seed ", seed), func(impl Impl, did loops.Tally) bool {
			rows += int(did.Machine)
			return true
		})
	})
	if rows < n*60 {
		t.Errorf("in %d files only %d rows were machine code", n, rows)
	}
}
