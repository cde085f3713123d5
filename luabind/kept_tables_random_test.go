package luabind

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// An ownTableWriter writes random files with tables that loops may have for themselves: t and u, beside the function or in it.
type ownTableWriter struct{ *rand.Rand }

func (r ownTableWriter) of(list ...string) string { return list[r.IntN(len(list))] }

// key returns a key: mostly an entity, which code keeps.
func (r ownTableWriter) key() string {
	return r.of("e", "e", "e", "e", "e", "(first or e)", "e + 0.5", "-e", "pos.x", "e * 8 + i", "floor(pos.x / 4)", "ecs.none", "(pos.x > 9 and e or first or e)")
}

func (r ownTableWriter) number() string {
	return r.of("1", "pos.x", "frame", "pos.y * 0.5", "i", "-0.0", "1e300", "(t[e] or 2)", "e")
}

// statement returns a statement. truth says that the tables have booleans.
func (r ownTableWriter) statement(truth bool, depth int) string {
	t, k := r.of("t", "t", "u"), r.key()
	if depth < 2 && r.IntN(4) == 0 {
		condition := r.of(t+"["+k+"]", "not "+t+"["+k+"]", "pos.x % 3 == 1", "frame % 2 == 0", fmt.Sprintf("pos.x == %d", r.IntN(31)), t+"["+k+"] == nil", "first")
		otherwise := ""
		if r.IntN(2) == 0 {
			otherwise = " else " + r.block(truth, depth+1)
		}
		return "if " + condition + " then " + r.block(truth, depth+1) + otherwise + " end"
	}
	if r.IntN(3) > 0 {
		if truth {
			return r.of(t+"["+k+"] = true", t+"["+k+"] = not "+t+"["+k+"]", t+"["+k+"] = pos.x > 15", "if "+t+"["+k+"] then pos.y = pos.y + 1 end", "if not "+t+"["+k+"] then "+t+"["+k+"] = true n = n + 1 end")
		}
		return r.of(t+"["+k+"] = ("+t+"["+k+"] or 0) + "+r.number(), t+"["+k+"] = "+r.number(), "pos.y = pos.y + ("+t+"["+k+"] or 0.5)", "local x = "+t+"["+k+"] if x then pos.y = x n = n + x % 7 end", t+"["+k+"] = pos.x")
	}
	return r.of("pos.y = pos.y + pos.x", "n = n + 1", "first = e", "i = (i + 1) % 5", "if pos.x == 29 then break end", "if frame == 5 and pos.x == 28 then pos.y = nums[pos.x] + 1 end",
		"if pos.x == 27 then coroutine.wrap(print)(n) end", "if frame > 3 and pos.x % 5 == 2 then coroutine.wrap(print)() end", "world:send('Hit', { target = e })", "if pos.x == 3 then pos.y = #(pos.x .. '') end",
		"for o, p in world:each('Position', 'Velocity') do p.y = p.y + 1 end", "if pos.x == 20 then for o, p in world:each('Position') do "+t+"[o] = "+map[bool]string{true: "true", false: "p.x"}[truth]+" end end",
		t+".name = "+map[bool]string{true: "true", false: "n"}[truth], "if frame == 7 then "+t+"[e] = "+r.of("nil", "'text'", "{}", "7", "false")+" end", "local old = "+t+"[e]", "pos.x = pos.x + 1", "for j = 1, 3 do "+t+"[e * 4 + j] = "+map[bool]string{true: "true", false: "j"}[truth]+" end")
}

func (r ownTableWriter) block(truth bool, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4-depth) {
		b.WriteString(r.statement(truth, depth) + " ")
	}
	return b.String()
}

// file returns a file with one to three loops.
func (r ownTableWriter) file() string {
	truth := r.IntN(3) == 0
	loop := func() string {
		if r.IntN(5) == 0 {
			return "for hit in world:read('Hit') do local e, pos = hit.target, nums " + r.of("t[e] = "+map[bool]string{true: "true", false: "n"}[truth], "if t[e] then n = n + 1 end", "if not t[e] then t[e] = "+map[bool]string{true: "true", false: "1"}[truth]+" n = n + 1 end") + " end"
		}
		text := `for e, pos in world:each("Position") do ` + r.block(truth, 0) + "end"
		return r.of(text, text, text, "for i = 1, 2 do "+text+" end", "if frame % 3 ~= 1 then "+text+" end", "do "+text+" end", "local function walk() "+text+" end walk() walk()", "print(pcall(function() "+text+" end))", "repeat "+text+" until true")
	}
	declared := "local t, u = {}, {}"
	around := "local floor, n, i, first = math.floor, 0, 0, nil"
	body := loop()
	if r.IntN(2) == 0 {
		body += " " + loop()
	}
	if r.IntN(4) == 0 {
		body += " local sum = 0 for k, v in pairs(t) do if type(k) == 'number' then sum = (sum * 3 + k) % 1000003 end end print(sum)"
	}
	switch r.IntN(4) {
	case 0, 1:
		around += " " + declared
	case 2:
		body = declared + " " + body
	case 3:
		around += " local function make() " + declared + " return function(world) " + body + " end end local f, g = make(), make()"
		body = "f(world) if frame % 3 == 0 then g(world) end"
	}
	return fmt.Sprintf(keptFile, around, body+" print(n)")
}

// sameKept compares random files, each with one of keptDisturbances. It returns how many runs of machine code there were, and in how many of
// them a table was kept.
func sameKept(t *testing.T, full int, stream uint64, file func(*rand.Rand) string) (ran, kept int) {
	disturbances := slices.Sorted(maps.Keys(keptDisturbances))
	seeds(full, func(seed uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		source, how := file(r), disturbances[r.IntN(len(disturbances))]
		want, _ := keptTrace(t, source, Lua, 0, keptDisturbances[how])
		for _, impl := range []Impl{Closures, Auto} {
			got, run := keptTrace(t, source, impl, 0, keptDisturbances[how])
			if got != want {
				t.Errorf("seed %d, %s, %v: got\n%.2500s\ninterpreted\n%.2500s\n%s", seed, how, impl, got, want, source)
			}
			if impl == Auto {
				ran++
				if run.keeping.Ever() {
					kept++
				}
			}
		}
	})
	return ran, kept
}

// Random files with tables that machine code keeps do the same interpreted, whatever is done between the frames.
func TestKeptTablesRandom(t *testing.T) {
	t.Parallel()
	if ran, kept := sameKept(t, 60, 30, func(r *rand.Rand) string { return ownTableWriter{r}.file() }); ran >= 40 && kept < ran/8 {
		t.Errorf("in %d of %d files tables were kept", kept, ran)
	}
}
