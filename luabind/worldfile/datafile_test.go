package worldfile

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Random scripts over random data files, and with loops in an order, with turns that fail. Each implementation must print the same and have the same digests; a run that is saved at a random
// frame and resumed must go on as one that was never stopped; and a changed file replaces what reads it, unless something is wrong with it.

// usesOfData are statements over the data file rows (a list of { a, b, kind }), the file tree, the view p of a loop, and state.
var usesOfData = []string{
	"for e, p in world:each('P') do p.x = p.x + rows[N].a p.n = p.n + #rows end",
	"for e, p in world:each('P') do for i, r in ipairs(rows) do p.x = p.x * 0.5 + (r.a or N) end end",
	"for e, p in world:each('P') do local r = rows[p.n % #rows + 1] if r.kind == 'k1' then p.x = p.x + 1 else p.n = p.n + N end end",
	"for e, p in world:each('P') do p.x = p.x + tree.list[N] * tree.by.x + (tree.deep[N][1]) end",
	"for e, p in world:each('P') do if p.n % N == 0 then rows[1].a = p.x end end",
	"for e, p in world:each('P') do if p.n % 2 == N % 2 then tree.list[p.n % 3 + 1] = p.x end end",
	"for e, p in world:each('P') do tree.total = p.x end",
	"for e, p in world:each('P') do pcall(table.insert, tree.list, N) p.n = p.n + #tree.list end",
	"for e, p in world:each('P') do p.bag = rows[N] p.x = p.x + (p.bag.a or 0) p.bag.a = N end",
	"do local s = 0 for i, r in ipairs(rows) do for k, v in pairs(r) do print('row', i, k, v) if type(v) == 'number' then s = s + v end end end print(s) end",
	"for k, v in pairs(tree.by) do print('by', k, v) end print(next(tree.list), #tree.list, unpack(tree.list))",
	"state.row = state.row or rows[N] print('kept', state.row == rows[N], state.row.a, state.row.kind)",
	"state.row = rows[N] print('same', ecs.data('rows')[N] == state.row, ecs.data('rows') == rows)",
	"print('refused', pcall(function() rows[N].a = 7 end))",
	"print('refused', pcall(function() rows[#rows + 1] = {} end), pcall(function() tree.list[N] = nil end), pcall(function() rows[N].other = 1 end))",
	"print('refused', pcall(rawset, tree.list, N, 1), pcall(table.sort, tree.list), pcall(table.remove, rows), pcall(ecs.shuffle, rows), pcall(setmetatable, rows, {}))",
	"print('refused', pcall(function() setmetatable({}, { __newindex = tree.list })[N] = 1 end), pcall(function() setmetatable({}, { __newindex = tree.by }).x = N end))",
	"do local copy = {} for i, r in ipairs(rows) do copy[i] = { a = r.a } end copy[N].a = 99 table.sort(tree.names and {} or {}) print('copy', copy[N].a, rows[N].a) end",
	"kept.f = kept.f or (function() local r, n = rows[N], 0 return function() n = n + (r.a or 1) return n end end)() print('closure', kept.f())",
	"rows.x = world.frame",
	"rows[1] = nil",
	"if world.frame % 3 == N % 3 then rows[N].kind = 'gone' end",
	"for e, p in world:each('P', { order = 'P.x' }) do sum = sum * 3 % 1009 + p.n p.x = p.x + rows[N].a end",
	"for e, p in world:each('P', { order = { '-P.n', 'P.s' } }) do sum = sum * 3 % 1009 + p.x p.n = (p.n * 7 + N) % 5 end",
	"for e, p in world:each('P', { order = 'random' }) do sum = sum * 3 % 1009 + p.x + ecs.random(N) end",
	"for e, p in world:each(marked) do sum = sum * 3 % 1009 + p.x if p.n == N then world:untag(e, 'mark') else world:tag(e, 'mark') end end",
	"for e, p in world:each('P', 'Of', home, { order = '-P.s' }) do sum = sum * 3 % 1009 + p.x p.s = 'k' .. p.n end",
	"for e, p in world:each('P', { order = '-P.x' }) do if p.n % 3 == N % 3 then world.commands:despawn(e) world.commands:spawn{ P = { x = p.x / 2, n = N, s = p.s }, Of = home } break end end",
	"for e, p in world:each('P', { order = { 'P.s', '-P.x' } }) do if p.n == N then p.bag = { p.x } end print('row', p.x, p.s) end",
	"for e, p in world:each('P', { order = 'P.n' }) do if p.n % 4 == N then error('no') end p.x = -p.x / 0 * 0 end",
	"for e, p in world:each('P') do for f, o in world:each('P', { order = '-P.x' }) do sum = sum * 3 % 1009 + o.n break end end",
	"do local e, p = world:first('P', { order = '-P.x' }) local f, o = world:first(marked) print('first', p.x, o and o.x, world:count(marked)) end",
	"do local e, p = world:first('P', { order = 'random' }) p.n = p.n + 1 print('any', p.x, ecs.random(99)) end",
	"print('text', table.concat(ecs.data('lines'), '|'), #ecs.data('lines'))",
}

// A dataWorld is a folder with a world.
type dataWorld struct {
	*rand.Rand
	t      *testing.T
	folder string
}

func (g *dataWorld) write(name, text string) {
	if err := os.WriteFile(filepath.Join(g.folder, name), []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// rows writes other data. There are always 4 rows at least.
func (g *dataWorld) rows() {
	var b strings.Builder
	b.WriteString("a,kind,b\r\n")
	for i := range 4 + g.IntN(4) {
		fmt.Fprintf(&b, "%d,k%d,%s\r\n", g.IntN(50), g.IntN(3), []string{"", "1e2", `"x,""y"`, "-.5"}[(i+g.IntN(2))%4])
	}
	g.write("rows.csv", b.String())
}

func (g *dataWorld) script(init string) string {
	var b strings.Builder
	b.WriteString("local ecs = require('ecs')\nlocal rows, tree = ecs.data('rows'), ecs.data('tree')\nlocal kept = {}\nlocal state = { n = 0 }\n")
	b.WriteString("local marked, home, sum = ecs.query{ 'P', tagged = { 'mark' }, order = { '-P.s', 'P.x' } }, nil, 0\n")
	b.WriteString("local M = { state = state }\n" + init + "\nfunction M.update(world, dt)\n  state = M.state state.n = state.n + 1 print('turn', state.n) home = world:first('Home') sum = 0\n")
	for range 2 + g.IntN(5) {
		b.WriteString("  " + strings.ReplaceAll(usesOfData[g.IntN(len(usesOfData))], "N", fmt.Sprint(1+g.IntN(3))) + "\n")
	}
	b.WriteString("  print(sum) for e, p in world:each('P') do print(p.x, p.n, p.s) end\nend\nreturn M\n")
	return b.String()
}

// A dataRun is one run of the world.
type dataRun struct {
	*luabind.Runtime
	config *config.Config
	out    *bytes.Buffer
}

func (g *dataWorld) open(impl string) *dataRun {
	c, err := config.Load(filepath.Join(g.folder, "world.yaml"), config.Overrides{Set: []string{"systems.a.impl=" + impl, "systems.b.impl=" + impl}})
	if err != nil {
		g.t.Fatal(err)
	}
	out := &bytes.Buffer{}
	rt, problems := New(c, luabind.Options{Stdout: out, Report: func(e *luabind.ScriptError) { fmt.Fprintln(out, "failed:", e.Line, e.Message) }})
	if len(problems) > 0 {
		g.t.Fatal(problems)
	}
	return &dataRun{rt, c, out}
}

func (g *dataWorld) started(impl string) *dataRun {
	r := g.open(impl)
	if err := r.Load(); err != nil {
		g.t.Fatal(err)
	}
	if err := r.Start(context.Background()); err != nil {
		g.t.Fatal(err)
	}
	return r
}

// frames runs frames and returns what they print, with digests.
func (r *dataRun) frames(t *testing.T, n int) string {
	r.out.Reset()
	for range n {
		if err := r.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(r.out, "%x\n", r.World().Digest())
	}
	return r.out.String()
}

func TestRandomDataFiles(t *testing.T) {
	for seed := range uint64(effort.Of(24 * 8)) {
		g := &dataWorld{rand.New(rand.NewPCG(seed, 1)), t, t.TempDir()}
		g.write("world.yaml", `version: 1
components: [{ name: P, fields: [x f64, n i32, s string, bag table] }, { name: Home }]
tags: [mark]
relations: [Of]
limits: { on_error: skip }
data: [{ name: rows, file: rows.csv }, { name: tree, file: tree.json }, { name: lines, file: lines.txt }]
systems: [{ name: a, script: a.lua }, { name: b, script: b.lua }]
`)
		g.rows()
		g.write("tree.json", `{ "list": [3, 1, 2.5], "by": { "x": 2, "y": true, "z": "w" }, "deep": [[1], [2], [3]] }`)
		g.write("lines.txt", "one\r\ntwo\n")
		g.write("a.lua", g.script("function M.init(world) local home = world:spawn{ Home = {} } for i = 0, 9 do local e = world:spawn{ P = { x = i * 7 % 10, n = i % 4, s = 's' .. i % 3 } } if i % 2 == 0 then world:tag(e, 'mark') end if i % 3 > 0 then world:relate(e, 'Of', home) end end end"))
		g.write("b.lua", g.script(""))
		stop, turn := 1+g.IntN(3), g.IntN(3)
		runs := map[string]*dataRun{}
		wants := ""
		for i, impl := range []string{"lua", "closures", "auto"} {
			r := g.started(impl)
			runs[impl] = r
			defer r.Close()
			got := r.frames(t, stop)
			var saved bytes.Buffer
			if err := r.Save(&saved); err != nil {
				t.Fatal(err)
			}
			got += r.frames(t, 3)
			again := g.open(impl)
			defer again.Close()
			if err := again.Restore(&saved); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if rest := again.frames(t, 3); !strings.HasSuffix(got, rest) {
				t.Fatalf("seed %d, %s, resumed after frame %d:\n%s\nwant the end of\n%s", seed, impl, stop, rest, got)
			}
			if i == 0 {
				wants = got
			} else if got != wants {
				t.Fatalf("seed %d: impl %s\n%s\nimpl lua\n%s\na.lua:\n%s\nb.lua:\n%s", seed, impl, got, wants, read(t, g, "a.lua"), read(t, g, "b.lua"))
			}
		}
		switch turn {
		case 0:
			g.rows()
		case 1:
			g.write("rows.csv", "a,b\n1\n")
		case 2:
			g.write("lines.txt", "three\n")
		}
		for i, impl := range []string{"lua", "closures", "auto"} {
			r := runs[impl]
			_, _, _, err := Reload(context.Background(), r.Runtime, r.config, nil)
			if (err != nil) != (turn == 1) {
				t.Fatalf("seed %d: reload %d: %v", seed, turn, err)
			}
			if got := r.frames(t, 3); i == 0 {
				wants = got
			} else if got != wants {
				t.Fatalf("seed %d: after reload %d, impl %s\n%s\nimpl lua\n%s", seed, turn, impl, got, wants)
			}
		}
	}
}

func read(t *testing.T, g *dataWorld, name string) string {
	text, err := os.ReadFile(filepath.Join(g.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A change of the config can add a data file and take one away.
func TestReloadOfDataFiles(t *testing.T) {
	g := &dataWorld{rand.New(rand.NewPCG(1, 1)), t, t.TempDir()}
	const text = "version: 1\ndata: [{ name: a, file: a.txt }]\nsystems: [{ name: s, script: s.lua }]\n"
	g.write("world.yaml", text)
	g.write("a.txt", "x")
	g.write("s.lua", "local a = require('ecs').data('a') return function() print(a[1]) end")
	load := func() *config.Config {
		c, err := config.Load(filepath.Join(g.folder, "world.yaml"), config.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := load()
	var out bytes.Buffer
	rt, problems := New(c, luabind.Options{Stdout: &out})
	if len(problems) > 0 || rt.Load() != nil || rt.Start(context.Background()) != nil {
		t.Fatal(problems)
	}
	defer rt.Close()
	for _, step := range []struct{ config, script, print, err string }{
		{text, "local a = require('ecs').data('b') return function() print(a[1]) end", "x", `there is no data file "b"; list it under data in the config`},
		{strings.Replace(text, "data: [", "data: [{ name: b, file: b.csv }, ", 1), "local a = require('ecs').data('b') return function() print(a[1].n) end", "7", ""},
		{strings.Replace(text, "name: a, file: a.txt", "name: b, file: b.csv", 1), "local a = require('ecs').data('b') return function() print(a[1].n, pcall(require('ecs').data, 'a')) end", `7	false	there is no data file "a"; list it under data in the config`, ""},
		{strings.Replace(text, "name: a, file: a.txt", "name: b, file: b.txt", 1), "local a = require('ecs').data('b') return function() print(a[1]) end", "n", ""},
	} {
		g.write("world.yaml", step.config)
		g.write("s.lua", step.script)
		g.write("b.csv", "n\n7\n")
		g.write("b.txt", "n\n7\n")
		now, _, restart, err := Reload(context.Background(), rt, c, load())
		if (err != nil) != (step.err != "") || err != nil && !strings.Contains(err.Error(), step.err) || len(restart) > 0 {
			t.Errorf("reload: %v, restart %v, want %q", err, restart, step.err)
		}
		c = now
		out.Reset()
		if err := rt.Frame(context.Background(), 1); err != nil || out.String() != step.print+"\n" {
			t.Errorf("printed %q (%v), want %q", out.String(), err, step.print)
		}
	}
}
