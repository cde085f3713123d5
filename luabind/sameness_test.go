package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A query is one that the file has a name for.
type query struct {
	name       string
	parts      []int // those it gives views of
	optional   int   // of them, the last
	news, tags bool  // it asks for changes, for tags
}

// query declares a query.
func (g *author) query(name string, plain bool) query {
	q := query{name: name}
	perm := g.Perm(len(g.parts))
	if g.IntN(3) > 0 {
		slices.Sort(perm[:2])
	}
	q.parts = perm[:1+g.IntN(2)]
	names := func(list []int) string {
		s := ""
		for _, i := range list {
			s += `, "` + g.parts[i].name + `"`
		}
		return s[2:]
	}
	text, rest := names(q.parts), perm[len(q.parts):]
	if plain {
		rest = nil
	}
	if len(rest) > 0 && g.IntN(3) == 0 {
		text, q.optional = text+", optional = { "+names(rest[:1])+" }", 1
		q.parts, rest = append(q.parts, rest[0]), rest[1:]
	}
	if len(rest) > 0 && g.IntN(4) == 0 {
		text += ", " + g.pick("without", "any") + " = { " + names(rest[:1+g.IntN(len(rest))]) + " }"
	}
	if !plain && g.IntN(3) == 0 {
		text, q.tags = text+", "+g.pick("tagged", "untagged")+" = { "+g.pick(`"red"`, `"blue"`, `"red", "green"`)+" }", true
	}
	if !plain && g.IntN(3) == 0 {
		text, q.news = text+", "+g.pick("changed", "added")+" = { "+names(q.parts[:1])+" }", true
	}
	g.line("local %s = ecs.query{ %s }", name, text)
	return q
}

// head declares what the functions and loops use.
func (g *author) head() {
	g.line("local ecs = require(\"ecs\")")
	g.line("local random, floor, GRID, TAG, LIKES, THING, k = ecs.random, math.floor, \"g\", \"blue\", \"Likes\", \"thing\", -0.25")
	for i := range 4 {
		g.queries = append(g.queries, g.query(fmt.Sprint("q", i), i == 0))
	}
	g.line("local nums, goals = { [0] = 0, 0.5, 3 }, { [0] = { x = 1, y = -2 }, { x = 0.5, y = 4 }, { x = 7, y = 0 } }")
	g.line("local same, conf = nums, { speed = 2.5, count = 0, name = \"conf\", on = true }")
	if g.can["fills"] {
		g.WriteString(showTables)
		g.line("%s", tableLocals)
	}
	g.line("local total, title, who = 0, \"t\", 4294967298")
	if g.shared = g.IntN(2) == 0; g.shared { // or they are those of each function
		g.line("%s", locals)
	}
}

const locals = "local sum, count, low, flag, best, last = 0, 0, 1e9, true, nil, nil"

// function writes a function that loops may call.
func (g *author) function(f function) {
	was := g.scope
	g.scope = scope{nums: []string{"total"}}
	var params, defaults []string
	for i, kind := range f.takes {
		name := g.names(fmt.Sprint("p", i))
		switch kind {
		case 'n':
			g.nums = append(g.nums, name)
		case 'b':
			g.bools = append(g.bools, name)
		case 's':
			g.texts = append(g.texts, name)
		case 'e':
			g.ents = append(g.ents, name)
		case 'v':
			g.views = append(g.views, sight{name, g.parts[0].fields, 0, g.IntN(3) > 0})
		case 'w':
			name = "world"
		case 'd':
			g.nums, defaults = append(g.nums, name), append(defaults, fmt.Sprintf("%s = %s or %s", name, name, g.pick("1", "0.5", "-2", g.nums[len(g.nums)-1])))
		}
		params = append(params, name)
	}
	g.line("%s(%s)", g.pick("local function "+f.name, "local "+f.name+" = function"), strings.Join(params, ", "))
	for _, line := range defaults {
		g.line("  %s", line)
	}
	g.body = &f
	if g.IntN(3) > 0 {
		g.block(1+g.IntN(2), 1)
	}
	var values []string
	for _, kind := range f.gives {
		if kind == 'v' {
			values = append(values, "world:get("+g.entity()+", \"A\")")
		} else {
			values = append(values, g.value(kind, 2))
		}
	}
	g.line("  return %s", strings.Join(values, ", "))
	g.line("end")
	g.body, g.scope = nil, was
	g.functions = append(g.functions, f)
}

// walk writes a function with a loop over entities or events.
func (g *author) walk(name string) {
	g.scope = scope{nums: []string{"total", "dt"}, texts: []string{"title"}, ents: []string{"who"}}
	if g.can["outputs"] {
		g.nums, g.bools = append(g.nums, "sum", "count", "low"), append(g.bools, "flag")
	}
	g.line("local function %s(world, dt)", name)
	g.depth++
	g.line("local res, queue = world.resources, world.commands")
	if !g.shared || g.IntN(4) == 0 {
		g.line("%s", locals)
	}
	if g.can["fills"] && g.IntN(4) == 0 {
		g.line("%s", tableLocals)
	}
	if g.IntN(20) == 0 {
		g.line("%s", g.pick("sum = nil", "flag = 3", "best = \"x\"", "who = nil", "title = 5"))
	}
	if g.event = g.IntN(12) == 0; g.event {
		event := sight{g.names("ev"), g.hit, -1, true}
		g.views = append(g.views, event)
		g.line("for ev in world:%s(\"Hit\") do", g.pick("read", "read", "peek", "drain"))
		if x := g.entity(); g.IntN(2) == 0 {
			g.line("  local a = world:get(%s, \"A\")", x)
			g.views = append(g.views, sight{g.names("a"), g.parts[0].fields, 0, false})
		}
	} else if g.can["places"] && g.cells.IntN(4) == 0 {
		g.overCells()
	} else {
		g.over()
	}
	g.line("  do")
	g.depth++
	g.loop, g.labels = true, []string{"continue"}
	if g.can["late"] {
		g.late = []string{"best", "last"}[:1+g.IntN(2)]
		for _, v := range g.late {
			g.line("  if %s then %s = %s end", g.condition(1), v, g.variable())
		}
	}
	g.block(2+g.IntN(6), 3)
	g.loop = false
	g.depth--
	g.line("  end")
	g.line("  ::continue::")
	g.line("end")
	g.line("print(sum, count, low, flag, best, last, 1 / (tonumber(sum) or 1), 1 / (tonumber(last) or 1))")
	g.depth--
	g.line("end")
}

// over writes the first line of a loop over entities.
func (g *author) over() {
	q := g.queries[0]
	text := ""
	for _, i := range q.parts {
		text += `, "` + g.parts[i].name + `"`
	}
	text = text[2:]
	if g.IntN(2) == 0 {
		q = g.queries[g.IntN(len(g.queries))]
		text = q.name
	}
	if g.large {
		q, text = query{parts: []int{0, 1}}, `"A", "B"`
	}
	names := g.names("e")
	for n, i := range q.parts {
		v := sight{g.names("p" + g.parts[i].name), g.parts[i].fields, i, n < len(q.parts)-q.optional}
		names += ", " + v.name
		g.views = append(g.views, v)
	}
	g.ents = append(g.ents, "e", "e", "e")
	g.line("for %s in world:each(%s) do", names, text)
}

// between writes what is done between loops, interpreted.
func (g *author) between() {
	part := g.parts[g.IntN(len(g.parts))].name
	g.line("  do")
	g.line("    local e = world:first(%q)", part)
	g.line("    if e and world.frame %% 2 == %d then", g.IntN(2))
	g.line("      %s", g.pick("world:despawn(e)", "world:remove(e, \""+part+"\")", "world:add(e, \"B\")", "world:set(e, \"A\", "+g.payload(nil)+")", "world:tag(e, \"red\")", "world:untag(e, \"red\")",
		"world:relate(e, \"Likes\", e)", "for i = 1, 3 do who = world:spawn{ A = {}, \"red\", \""+g.parts[1].name+"\" } end", "if world.frame == 2 then world:spawn_many(70, { A = {}, B = {} }) end"))
	g.line("    end")
	g.line("    for gone in world:removed(%q) do print(\"gone\", gone) end", part)
	g.line("  end")
}

// author writes a system with one or two random loops.
func (l *landscape) author(seed uint64) string {
	g := &author{Rand: rand.New(rand.NewPCG(seed, 13)), landscape: l, can: map[string]bool{}, cells: rand.New(rand.NewPCG(seed, 31))}
	many := g.IntN(3)
	for _, f := range features {
		g.can[f] = g.IntN(3) <= many
	}
	if l.floats && g.IntN(4) > 0 {
		g.can = map[string]bool{"floats": true, "math": g.IntN(4) == 0}
		for _, f := range []string{"functions", "loops", "late", "outputs", "mirrored", "nested", "random"} {
			g.can[f] = g.IntN(2) == 0 && (f != "random" || g.IntN(4) == 0)
		}
	}
	if l.large { // what rows that are shared out may do
		g.can = map[string]bool{"mirrored": true, "math": true, "loops": true, "functions": g.can["functions"]}
	}
	g.head()
	if g.can["functions"] {
		f := []function{
			{"add", "nn", "n"},
			{"pair", "wevn", "nn"},
			{"within", "wve", "b"},
			{"at", "we", "v"},
			{"mix", "nbs", "ns"},
			{"poke", "wvn", ""},
			{"ask", "web", "bn"},
			{"rise", "nd", "n"},
			{"clamp", "ndd", "n"},
			{"swap", "dn", "nn"},
			{"heal", "vd", ""},
		}
		for _, i := range g.Perm(len(f))[:1+g.IntN(4)] {
			if simple := !strings.ContainsAny(f[i].takes, "web"); !l.large && (!g.can["floats"] || simple) || f[i].name == "add" || simple && strings.Contains(f[i].takes, "d") {
				g.function(f[i])
			}
		}
	}
	walks := 1 + g.IntN(2)
	for i := range walks {
		g.walk(fmt.Sprint("walk", i))
	}
	g.line("return function(world, dt)")
	for i := range walks {
		if g.IntN(3) == 0 && !l.large {
			g.between()
		}
		g.line("  %s", strings.ReplaceAll(g.pick("print(WALK(world, dt))", "print(WALK(world, dt))", "print(pcall(WALK, world, dt))", "print(pcall(WALK, world, dt)) print(pcall(WALK, world, dt))",
			"print(coroutine.wrap(WALK)(world, dt))"), "WALK", fmt.Sprint("walk", i)))
	}
	if g.can["fills"] {
		g.line("  print(show(heap, 0), show(seen, 0), show(counts, 0), show(marked, 0), show(field, 0))")
	}
	g.line("  print(total, title, who, nums[0], nums[1], nums[2], goals[0].x, goals[1].x, goals[1].y, conf.count, conf.speed, conf.name, conf.on, random())")
	g.line("end")
	return g.String()
}

// sameness compares a seed's systems, which run in one world, in all settings.
func sameness(t testing.TB, seed uint64) (systems int, last account) {
	l := newLandscape(seed)
	var sources []string
	for i := range 1 + seed%3 {
		sources = append(sources, l.author(seed*3+i))
	}
	return len(sources), l.same(t, sources)
}

// Random systems in random worlds do the same interpreted, as closures and as
// machine code, on one core or several, within a budget or without.
func TestSameness(t *testing.T) {
	t.Parallel()
	var sum account
	systems := 0
	seeds(100, func(seed uint64) {
		n, a := sameness(t, seed)
		systems += n
		sum.loops, sum.machine, sum.failed, sum.tried = sum.loops+a.loops, sum.machine+a.machine, sum.failed+a.failed, sum.tried+a.tried
	})
	t.Logf("%d systems, %d kernels, %d of them machine code; %d of %d turns failed", systems, sum.loops, sum.machine, sum.failed, sum.tried)
	if sum.loops < systems || !testing.Short() && sum.machine < systems/2 || sum.failed > sum.tried/2 {
		t.Error("the test tests little")
	}
}

// Systems in which a fault was found. 61153003: the check before first use compared a variable that was nil on both sides, and turned right
// machine code down.
func TestSamenessThatHasFailed(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{61153003} {
		sameness(t, seed)
	}
}

// hiding declares, in the functions with loops, locals that have the names and types of the variables that other functions use, and other values.
func hiding(source string) string {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "local function walk") {
			lines[i] += ` local total, title, k, who = 1, "u", 2, 8589934594 local nums, conf = { [0] = 1, 2, 3 }, { speed = 1, count = 2, name = "c", on = false }`
		}
	}
	return strings.Join(lines, "\n")
}

// So they do where the variables that functions use are hidden from the loops that call them.
func TestSamenessOfHiddenVariables(t *testing.T) {
	t.Parallel()
	loops, machine := 0, 0
	seeds(20, func(seed uint64) {
		l := newLandscape(seed)
		a := l.same(t, []string{hiding(l.author(seed*5 + 1)), hiding(l.author(seed*5 + 2))})
		loops, machine = loops+a.loops, machine+a.machine
	})
	if loops == 0 || !testing.Short() && machine == 0 { // -short: too few systems to count on machine code
		t.Errorf("the test tests little: %d kernels, %d of them machine code", loops, machine)
	}
}

func FuzzSameness(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { sameness(t, seed) })
}
