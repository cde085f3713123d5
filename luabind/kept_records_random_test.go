package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A keptRecordWriter writes random files with tables of records that loops may have for themselves: t and u, as an ownTableWriter.
type keptRecordWriter struct{ ownTableWriter }

// statement returns a statement about records, with some that other code sees.
func (r keptRecordWriter) statement(depth int) string {
	t, k := r.of("t", "t", "t", "u"), r.key()
	made := r.of("{ n = 0, m = 1 }", "{ n = 0, m = 1 }", "{ m = pos.x, n = 2 }", "{ n = pos.y, m = 0, on = false }")
	if depth < 2 && r.IntN(4) == 0 {
		condition := r.of(t+"["+k+"]", "not "+t+"["+k+"]", "pos.x % 3 == 1", "frame % 2 == 0", fmt.Sprintf("pos.x == %d", r.IntN(31)), t+"["+k+"] == nil", t+"["+k+"] and "+t+"["+k+"].n > 3")
		otherwise := ""
		if r.IntN(2) == 0 {
			otherwise = " else " + r.block(depth+1)
		}
		return "if " + condition + " then " + r.block(depth+1) + otherwise + " end"
	}
	if r.IntN(4) > 0 {
		get := r.of("local r = "+t+"["+k+"] if not r then r = "+made+" "+t+"["+k+"] = r end", "local r = "+t+"["+k+"] or "+made+" "+t+"["+k+"] = r", "if not "+t+"["+k+"] then "+t+"["+k+"] = "+made+" end local r = "+t+"["+k+"]", "local r = "+t+"["+k+"]")
		use := r.of("r.n = r.n + 1", "r.m = r.n + "+r.of("1", "pos.x", "frame"), "pos.y = r.n * 2 + r.m", "if r.n > 4 then r.n = 0 r.m = r.m + 1 end", "r.n, r.m = r.m, r.n", "r.n = (r.n or 1) + pos.x % 3")
		return get + " if r then " + use + " " + r.of("", use, "pos.y = r.n") + " end"
	}
	return r.of("pos.y = pos.y + pos.x", "n = n + 1", "first = e", "i = (i + 1) % 5", "if pos.x == 29 then break end", "if frame == 5 and pos.x == 28 then pos.y = nums[pos.x] + 1 end", "if pos.x == 27 then coroutine.wrap(print)(n) end",
		"if frame > 6 and pos.x % 5 == 2 then coroutine.wrap(print)() end", "if pos.x == 3 then pos.y = #(pos.x .. '') end", "if frame == 7 then "+t+"[e] = "+r.of("nil", "7", "{ n = 1, m = 1 }")+" end", "if frame == 6 and "+t+"[e] then "+t+"[e].m = "+r.of("nil", "'text'", "5")+" end",
		"if frame == 5 and pos.x == 9 then all[#all + 1] = "+t+"["+k+"] end", "if frame == 4 and "+t+"[e] then "+t+"[first or e] = "+t+"[e] end", "for o, p in world:each('Position', 'Velocity') do p.y = p.y + 1 end", "pos.x = pos.x + 1",
		"for j = 1, 3 do if not "+t+"[e * 4 + j] then "+t+"[e * 4 + j] = { n = j, m = 0 } end end", "local o = "+t+"[first or e] if o then pos.y = pos.y + o.n end", "if frame == 3 and "+t+"[e] then print("+t+"[e].n) end")
}

func (r keptRecordWriter) block(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4-depth) {
		b.WriteString("do " + r.statement(depth) + " end ")
	}
	return b.String()
}

// file returns a file with one or two loops.
func (r keptRecordWriter) file() string {
	loop := func() string {
		text := `for e, pos in world:each("Position") do ` + r.block(0) + "end"
		return r.of(text, text, text, "for i = 1, 2 do "+text+" end", "if frame % 3 ~= 1 then "+text+" end", "local function walk() "+text+" end walk() walk()", "print(pcall(function() "+text+" end))")
	}
	declared, around, body := "local t, u = {}, {}", "local floor, n, i, first, all = math.floor, 0, 0, nil, {}", loop()
	if r.IntN(5) == 0 {
		body += " " + loop()
	}
	switch r.IntN(4) {
	case 0, 1, 2:
		around += " " + declared
	case 3:
		around += " local function make() " + declared + " return function(world) " + body + " end end local f, g = make(), make()"
		body = "f(world) if frame % 3 == 0 then g(world) end"
	}
	return fmt.Sprintf(keptFile, around, body+" for j = 1, #all do local r = all[j] if r and r ~= 7 then r.n = (r.n or 0) + 1 print(r.n) end end print(n)")
}

// Random files with records that machine code keeps do the same interpreted, whatever is done between the frames.
func TestKeptRecordsRandom(t *testing.T) {
	t.Parallel()
	if ran, kept := sameKept(t, 36, 41, func(r *rand.Rand) string { return keptRecordWriter{ownTableWriter{r}}.file() }); ran >= 12 && kept < ran/8 {
		t.Errorf("in %d of %d files tables were kept", kept, ran)
	}
}
