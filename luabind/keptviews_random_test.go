package luabind

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// A keptWriter writes random loops that keep views in the variables v, w and qq from around them, of rows with P, Q and an optional R.
type keptWriter struct{ *rand.Rand }

func (r keptWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r keptWriter) variable() string { return r.of("v", "w") }

func (r keptWriter) condition() string {
	a, b := r.variable(), r.variable()
	return r.of("not "+a, a, a+" == nil", a+" ~= nil", a+" and "+a+".x > p.x", "not "+a+" or p.x < "+a+".x", fmt.Sprintf("p.k == %d", r.IntN(4)), fmt.Sprintf("p.x > %d", r.IntN(150)),
		"qq", "not qq or q.y < qq.y", a+" and "+b+" and "+a+".x < "+b+".x", `world:tagged(e, "red")`, "better(p, "+a+")", "r", "nums[p.k]")
}

func (r keptWriter) statement(depth int) string {
	a, b := r.variable(), r.variable()
	if depth < 2 && r.IntN(4) == 0 {
		otherwise := ""
		if r.IntN(2) == 0 {
			otherwise = "else " + r.block(depth+1)
		}
		return "if " + r.condition() + " then " + r.block(depth+1) + otherwise + " end"
	}
	return r.of(a+" = p", a+" = p", a+" = p", a+" = nil", a+" = "+b, "qq = q",
		"if "+a+" then "+a+".x = "+a+".x + 1 end", "p.x = p.x + ("+a+" and "+a+".x * 0.25 or 1)", "if "+a+" then sum = sum + "+a+".x end", "sum = sum + "+a+".x",
		"if "+a+" and "+a+".u < 250 then "+a+".u = "+a+".u + 1 end", "p.u = p.u + 20", "if p.x > 1e6 then break end", "world:send(\"Out\", { n = "+a+" and "+a+".x or 0 })",
		fmt.Sprintf("if p.x == %d then print(p.x, %s == nil) end", r.IntN(150), a), "local n = "+a+" if n then sum = sum + n.k end", "take("+a+")", a+" = pick(p, "+b+")",
		"for f, o, z in world:each(\"P\", \"R\") do if "+a+" and o.x == "+a+".x then z.z = z.z + 1 sum = sum + 1 end end",
		"local t = world:get(e, \"Q\") if t and not qq then qq = t end", "repeat sum = sum + 1 until not "+a+" or "+a+".x < 1e9", "if not "+a+" or p.x < "+a+".x then "+a+" = p end")
}

func (r keptWriter) block(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4-depth) {
		b.WriteString(r.statement(depth) + " ")
	}
	return b.String()
}

// keptHead has functions that take and return views.
const keptHead = `local function better(a, b) return not b or a.x > b.x end
local function pick(a, b) if b and b.k > a.k then return b end return a end
local function take(a) if a then sum = sum + a.k a.x = a.x + 0.5 end end
`

func (r keptWriter) loop() string {
	loop := `for e, p, q, r in world:each(some) do ` + r.block(0) + `end`
	if r.IntN(3) == 0 {
		loop = "for i = 1, 2 do " + loop + " end"
	}
	return keptHead + r.of("local v, w, qq", "local v local w local qq", `local e0 for e in world:each("P") do e0 = e end local v, w, qq = world:get(e0, "P")`) + "\n" +
		loop + "\nprint(v and v.x, w and w.k, qq and qq.y, v == nil, w == nil)"
}

// Random loops that keep views do the same with every implementation, whichever rows are left to the interpreter and whatever fails.
func TestKeptViewsRandom(t *testing.T) {
	t.Parallel()
	ran := 0
	programs := seeds(600, func(seed uint64) {
		if t.Failed() {
			return
		}
		r := keptWriter{rand.New(rand.NewPCG(seed, 20261123))}
		pattern := r.of("false", "false", "i == 70", "i % 31 == 5", "i % 4 == 1")
		source := exitSource(r.loop(), pattern, exitCalls[r.IntN(len(exitCalls))])
		did := exitsAlike(t, "seed "+strconv.FormatUint(seed, 10), source)
		ran += did.Machine + did.Closures
	})
	if ran < 400*programs {
		t.Errorf("the test tests little: kernels ran %d rows of %d programs", ran, programs)
	}
}
