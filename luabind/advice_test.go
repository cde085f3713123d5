package luabind

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// The advice of `ecsrun explain` is tried: each case is a file before and after its author has followed it. Before, the
// loop of the line "-- here" is interpreted, and explain gives the advice; after, the loop is compiled. If it ran as closures before, it is
// machine code after. Both files end three frames with the same world.

// advised is one piece of advice. Both files begin with adviceHead.
type advised struct{ name, before, after string }

const adviceHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", who = "entity", bag = "table" }) ecs.component("Q", { a = "f64", b = "f64" })
ecs.relation("Likes") ecs.tag("red") ecs.event("Hit", { n = "f64" }) ecs.resource("score", { type = "f64" })
local all = ecs.query{ "P", "Q" }
local function init(world)
	local last
	for i = 1, 70 do
		last = world:spawn{ P = { x = i, y = i % 5, who = last or ecs.none, bag = { i } }, Q = { a = i % 3 } }
		if i % 3 == 0 then world:tag(last, "red") end
	end
end
`

// inLoop returns a file whose loop has this body, with text before and after the loop.
func inLoop(before, body, after string) string {
	return "return { init = init, update = function(world)\n" + before + "\nfor e, p, q in world:each(all) do -- here\n" + body + "\nend\n" + after + "\nend }"
}

// adviceCases returns a case for each piece of advice that [lower.Advice] has. "p == q" keeps a loop from having an open
// template, in which there would be nothing to advise.
func adviceCases() []advised {
	loop := func(body string) string { return inLoop("", body, "") }
	indexed := func(size string) string {
		return "ecs.component('At', { x = 'i32', y = 'i32' }) ecs.index('at', { component = 'At', fields = { 'x', 'y' }" + size + " })\n" +
			"return { init = function(world) for i = 1, 70 do world:spawn{ At = { x = i } } end end, update = function(world) for e, at in world:each('At') do -- here\nat.x = at.x + 1 end end }"
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return []advised{
		{"use another function of math", loop("p.x = p.x + math.frexp(8)"), loop("p.x = p.x + math.sqrt(0.25)")},
		{
			"do it in a loop of its own after this one, or leave it interpreted",
			loop("p.x = p.x + 1 q.b = (rawequal(1, 1) and 7 or 0)"),
			"return { init = init, update = function(world) for e, p, q in world:each(all) do -- here\np.x = p.x + 1 end for e, p, q in world:each(all) do q.b = (rawequal(1, 1) and 7 or 0) end end }",
		},
		{
			"queue the write with world.commands, or find the writes by changed = { … } in a query",
			"return { init = function(world) init(world) world:on('set', 'Q', function() end) end, update = function(world) for e, p, q in world:each(all) do -- here\nq.b = q.b + 1 end end }",
			"return { init = function(world) init(world) world:on('set', 'Q', function() end) end, update = function(world) for e, p, q in world:each(all) do -- here\nworld.commands:set(e, 'Q', { b = q.b + 1 }) end end }",
		},
		{
			"queue the write with world.commands, or give the index a width and a height",
			indexed(""),
			indexed(", width = 200, height = 1"),
		},
		{"call it by its name", "local function half(x) return x / 2 end\n" + loop("local f = { half } p.x = f[1](p.x)"), "local function half(x) return x / 2 end\n" + loop("p.x = half(p.x)")},
		{"keep it in a local, and use its fields", loop(`local n = world:get(e, "Q") == p if n then p.x = p.x + 1 end`), loop("if e ~= e then p.x = p.x + 1 end")},
		{"use its fields", loop("local s = tostring(p) p.x = p.x + 1"), loop("local s = tostring(p.x) p.x = p.x + 1")},
		{"give both sides one type, or choose with if and else", loop(`local s = world:get(e, "P") or world:get(e, "Q") if s then p.x = p.x + 1 end`), loop("p.x = p.x + 1")},
		{"keep what is looked up in a component, or choose with if and elseif", inLoop("local t = { [true] = 1, [false] = 2 }", "p.x = t[p.y > 2] local same = p == q", ""), loop("if p.y > 2 then p.x = 1 else p.x = 2 end")},
		{
			"write it in quotes, or in a local of the file",
			"local names = { 'red', 'blue' }\nreturn { init = init, update = function(world) local name = world.resources.score == 0 and 'red' for e, p, q in world:each(all) do -- here\np.x = p.x + 1 local n = 0 for o, r in world:each('P', name and 'Q' or 'Q') do n = n + 1 end p.y = n end end }",
			loop(`p.x = p.x + 1 local n = 0 for o, r in world:each('P', 'Q') do n = n + 1 end p.y = n`),
		},
		{
			"choose the view with if",
			inLoop("local on = { true, false, true }", `local v = on[p.y + 1] and world:get(e, "Q") local n = v == nil p.x = p.x + 1`, ""),
			inLoop("local on = { true, false, true }", `local v if on[p.y + 1] then v = world:get(e, "Q") end local n = v == nil p.x = p.x + 1`, ""),
		},
		{"use a local of your own", loop("p.x = p.x + 1 e = p.who if e ~= ecs.none then p.y = 1 end"), loop("p.x = p.x + 1 local o = p.who if o ~= ecs.none then p.y = 1 end")},
		{"collect in locals, and assign after the loop", inLoop("local t = { { a = { n = 0 } } }", "t[1].a.n = p.x local same = p == q", "world.resources.score = t[1].a.n"), inLoop("local t, n = { { a = { n = 0 } } }, 0", "n = p.x", "t[1].a.n = n world.resources.score = t[1].a.n")},
		{
			"put keys and values into two lists, and fill the table after the loop",
			inLoop("local t = { { {} } }", "t[1][p.y + 1] = p.x", "world.resources.score = t[1][2] + t[1][3]"),
			inLoop("local t, ys, xs = { { {} } }, {}, {}", "ys[#ys + 1] = p.y xs[#xs + 1] = p.x", "for i = 1, #ys do t[1][ys[i] + 1] = xs[i] end world.resources.score = t[1][2] + t[1][3]"),
		},
		{
			"keep each member in a local of its own",
			inLoop("local best", "if not best or p.y >= best.y then best = { y = p.y, at = { p.x, 2 } } end", "world.resources.score = best.at[1]"),
			inLoop("local x, y", "if not y or p.y >= y then x, y = p.x, p.y end", "world.resources.score = x"),
		},
		{
			"keep it in one table with one key, as in t[x * 1000 + y]",
			inLoop("local t = {} for i = 1, 70 do t[1000 + i] = { [7] = { i, 2, 3, 4, 5 } } end", "q.b = t[1000 + p.x][7][p.y + 1]", ""),
			inLoop("local t = {} for i = 1, 70 do for j = 1, 5 do t[(1000 + i) * 1000 + j] = j == 1 and i or j end end", "q.b = t[(1000 + p.x) * 1000 + p.y + 1]", ""),
		},
		{
			"put all of them into one list, and keep in two tables where each begins and ends",
			"local t = {} for i = 1, 70 do t['k' .. i] = { i % 2 == 0, true } end\n" + loop("for _, v in ipairs(t[p.y > 2 and 'k7' or 'k9']) do if v then q.b = q.b + 1 end end"),
			"local list, first, last = {}, {}, {} for i = 1, 70 do first['k' .. i] = #list + 1 list[#list + 1] = i % 2 == 0 list[#list + 1] = true last['k' .. i] = #list end\n" +
				loop("local k = p.y > 2 and 'k7' or 'k9' for i = first[k], last[k] do if list[i] then q.b = q.b + 1 end end"),
		},
		{
			"write the elements, as in t[1], t[2]",
			"local t = { a = { { 1, 2 } }, b = { { 3, 4 }, { 5, 6 } } }\n" + loop("local l = t[p.y > 2 and 'a' or 'b'] local pair = l[#l] local m, n = unpack(pair) q.b = m + n"),
			"local t = { a = { { 1, 2 } }, b = { { 3, 4 }, { 5, 6 } } }\n" + loop("local l = t[p.y > 2 and 'a' or 'b'] local pair = l[#l] local m, n = pair[1], pair[2] q.b = m + n"),
		},
		{
			"keep the part in a local of its own before it is put into the table",
			loop("local list, at = { { x = p.x } }, {} at[p.y + 1] = list[1] q.b = at[p.y + 1].x"),
			loop("local one = { x = p.x } local list, at = { one }, {} at[p.y + 1] = one q.b = at[p.y + 1].x"),
		},
		{"write the keys as names", loop(`world:send("Hit", { ["n" .. ""] = p.x })`), loop(`world:send("Hit", { n = p.x })`)},
		{
			"keep its key in the variable, and make missing tables before the loop",
			inLoop("local by = { { n = 0 } }", "local r = by[p.y] if not r then r = { n = 0 } by[p.y] = r end r.n = r.n + 1 p.x = r.n", ""),
			inLoop("local by = {} for k = 0, 4 do by[k] = { n = 0 } end", "local r = by[p.y] r.n = r.n + 1 p.x = r.n", ""),
		},
		{"make it before the loop", inLoop("local list = {}", "local t = { 1, nil, 2 } p.x = t[1]", ""), inLoop("local t = { 1, nil, 2 }", "p.x = t[1]", "")},
		{"write the table in the call", loop(`local hit = { n = p.x } world:send("Hit", hit)`), loop(`world:send("Hit", { n = p.x })`)},
		{"put the call in parentheses for its first value, or its values in locals", loop(`local s = tostring(("ab"):gsub("a", "b")) p.x = p.x + #s`), loop(`local s = tostring((("ab"):gsub("a", "b"))) p.x = p.x + #s`)},
		{"keep the value in a local before the loop", inLoop("local t = setmetatable({ { 5 } }, { __index = math })", "p.x = t[1][1] local same = p == q", ""), inLoop("local t = setmetatable({ { 5 } }, { __index = math }) local n = t[1][1]", "p.x = n", "")},
		{"walk a list with a numeric for", loop(`for w in ("ab"):gmatch("%a", 1) do p.x = p.x + 1 end`), loop("for i = 1, 2 do p.x = p.x + 1 end")},
		{"make it with ecs.query in a local of the file", "local one = { q = all }\nreturn { init = init, update = function(world) if world.frame < 9 then return end local q = one.q for e, p in world:each(q) do -- here\np.x = p.x + 1 end end }", "return { init = init, update = function(world) if world.frame < 9 then return end for e, p in world:each(all) do -- here\np.x = p.x + 1 end end }"},
		{
			"queue it with world.commands",
			"return { init = init, update = function(world) world:send('Hit', { n = 1 }) for hit in world:read('Hit') do -- here\nworld:spawn{ Q = { a = hit.n } } local i = 0 while i < 2 and not world:alive(ecs.none) do i = i + 1 end end end }",
			"return { init = init, update = function(world) world:send('Hit', { n = 1 }) for hit in world:read('Hit') do -- here\nworld.commands:spawn{ Q = { a = hit.n } } local i = 0 while i < 2 and not world:alive(ecs.none) do i = i + 1 end end end }",
		},
		{
			"pass a query that ecs.query has made",
			"local function walk(world, ...) for e, p in world:each(...) do -- here\np.x = p.x + 1 end end\nreturn { init = init, update = function(world) walk(world, 'P', 'Q') end }",
			"local function walk(world, query) for e, p in world:each(query) do -- here\np.x = p.x + 1 end end\nreturn { init = init, update = function(world) walk(world, all) end }",
		},
		{
			"split it into several loops", loop(many(1500, "q.b = q.b + p.x * %d ")),
			inLoop("", many(500, "q.b = q.b + p.x * %d "), "for e, p, q in world:each(all) do for i = 500, 1499 do q.b = q.b + p.x * i end end"),
		},
	}
}

// worldAfter runs a file for three frames, and returns the digest of its world and what explain says of the loop.
func worldAfter(t *testing.T, text string) (ecs.Digest, LoopReport) {
	t.Helper()
	text = adviceHead + text
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Scripts: files(map[string]string{"a": text})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range 3 {
		if err == nil {
			err = r.Frame(context.Background(), 1)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(text[:strings.Index(text, "-- here")], "\n")
	for _, l := range r.Explain() {
		if l.Line == line {
			return r.World().Digest(), l
		}
	}
	t.Fatalf("explain names no loop in line %d\n%s", line, text)
	return ecs.Digest{}, LoopReport{}
}

func TestAdviceHelps(t *testing.T) {
	tried := map[string]bool{}
	for i, c := range adviceCases() {
		t.Run(fmt.Sprint(i, " ", c.name), func(t *testing.T) {
			before, l := worldAfter(t, c.before)
			closures := strings.HasSuffix(l.Closures, "; to make it machine code, "+c.name)
			if !closures && (l.Advice != c.name || l.Reason == "") {
				t.Errorf("before: %q; %q, closures: %q, want the advice %q", l.Reason, l.Advice, l.Closures, c.name)
			}
			after, l := worldAfter(t, c.after)
			if l.Reason != "" || closures && l.Closures+l.ByClosures != "" {
				t.Errorf("after: %s (line %d); %s, closures: %s%s", l.Reason, l.At, l.Advice, l.Closures, l.ByClosures)
			}
			if before != after {
				t.Errorf("the worlds differ: %x and %x", before, after)
			}
		})
		tried[c.name] = true
	}
	tried["keep it in a local of the file"] = true                                   // for globals that a file assigns: loading refuses such a file, so the reason is only a safeguard
	tried["use one of both ways, or two tables"] = true                              // an open template has both ways, so the reason is only given where there is none
	tried["keep entities in it, and look their components up with world:get"] = true // an open template has lists of views, likewise
	tried["collect what to print, and print it after the loop"] = true               // of rows in a branch that few reach; the loop itself is compiled
	tried[testDeclareAdvice(t)] = true
	tried[testModuleAdvice(t)] = true
	for _, advice := range adviceTexts(t) {
		if !tried[advice] {
			t.Errorf("no case for %q", advice)
		}
	}
}

// adviceTexts returns the values of the constants in lower/advice.go.
func adviceTexts(t *testing.T) (list []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "internal/compile/lower/advice.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, text)
		}
		return true
	})
	return list
}

// A file that does not load because a name is not declared is explained all the same.
func testDeclareAdvice(t *testing.T) string {
	body := adviceHead + inLoop("", "world.resources.NAME = p.x", "")
	report := func(name string) (LoopReport, error) {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": strings.ReplaceAll(body, "NAME", name)})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua"})
		}
		if err != nil {
			t.Fatal(err)
		}
		err = r.Load()
		if list := r.Explain(); len(list) > 0 {
			return list[0], err
		}
		t.Fatalf("%s: %v, and no loop", name, err)
		return LoopReport{}, nil
	}
	l, err := report("scores")
	if l.Reason != `there is no resource "scores"` {
		t.Errorf("%v; %q", err, l.Reason)
	}
	if l, err := report("score"); err != nil || l.Reason != "" {
		t.Errorf("%v; %q", err, l.Reason)
	}
	return l.Advice
}

// A file can have 100 compiled loops.
func testModuleAdvice(t *testing.T) string {
	function := func(loops int) string {
		return "return function(world)\n" + strings.Repeat("for e, p in world:each(all) do p.x = p.x + 1 end\n", loops) + "end"
	}
	last := func(scripts map[string]string) LoopReport {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(scripts)})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua"})
		}
		if err = errors.Join(err, r.Load()); err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Explain() {
			if l.Reason != "" {
				return l
			}
		}
		return LoopReport{}
	}
	l := last(map[string]string{"a": adviceHead + function(101)})
	if l.Reason != "the file has too many loops" {
		t.Errorf("%q", l.Reason)
	}
	if l := last(map[string]string{"a": adviceHead + "local rest = require('b')\n" + function(100), "b": adviceHead + function(1)}); l.Reason != "" {
		t.Errorf("in two files: %q", l.Reason)
	}
	return l.Advice
}
