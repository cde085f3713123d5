package loops

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// find returns the loops of a source, and checks that it compiles with the calls of kernels in it.
func find(t *testing.T, source string) []*Loop {
	t.Helper()
	var found []*Loop
	if _, err := sandbox.Compile("a.lua", source, func(file *syntax.Chunk) error {
		found = Find(file)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	file := &File{}
	if _, err := sandbox.Compile("a.lua", source, Pass(file)); err != nil {
		t.Errorf("with the calls of kernels: %v", err)
	}
	if len(file.Loops) != len(found) {
		t.Errorf("Pass finds %d loops, Find %d", len(file.Loops), len(found))
	}
	return found
}

// outline is a line for each loop: where it stands, what it walks, the loop around it and why it has no kernel.
func outline(list []*Loop) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "%d: %s %s %d", l.Line, l.World, l.Events+l.Cells, len(l.Args))
		if l.Outer != nil {
			fmt.Fprintf(&b, " in %d", l.Outer.Line)
		}
		if l.Reason != nil {
			fmt.Fprintf(&b, ": %v", l.Reason)
		}
		if (l.Template == nil) != (l.Reason != nil) {
			b.WriteString(": neither a kernel nor a reason, or both")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A variable that a function of the loop uses, and that another one hides from the loop, is renamed in the tree; self cannot be.
func TestHidden(t *testing.T) {
	for _, c := range []struct{ source, renamed, reason string }{
		{"local w, k = 1, 2 local function f(x) return x * k end for e, p in w:each('A') do p.x = f(k) end", "", ""},
		{"local w, k = 1, 2 local function f(x) return x * k end local k = 3 for e, p in w:each('A') do p.x = f(k) end", "k 1", ""},
		{"local w, k = 1, 2 local function f(x) return x * k end local function g(k) for e, p in w:each('A') do p.x = f(2) end end", "k 1", ""},
		{"local w, k = 1, 2 local function f(x) k = x end local k = 3 for e, p in w:each('A') do f(p.x) end for e, p in w:each('A') do f(p.x) end", "k 1", ""},
		{
			"local function f(w, ...) local function g(x) return arg * x end local arg = 2 for e, p in w:each('A') do p.x = g(arg) end end", "",
			`uses "arg", which another variable of that name hides from the loop: rename one of them (line 1)`,
		},
		{
			"local o, w function o:m() local function g(x) return self * x end local self = 2 for e, p in w:each('A') do p.x = g(self) end end", "",
			`uses "self", which another variable of that name hides from the loop: rename one of them (line 1)`,
		},
	} {
		var renamed, reasons []string
		pass := func(file *syntax.Chunk) error {
			found := &File{}
			if err := Pass(found)(file); err != nil {
				return err
			}
			for _, v := range file.Bindings.Locals {
				if v.InTree() != v.Name {
					renamed = append(renamed, fmt.Sprint(v.Name, " ", v.ID))
				}
			}
			for _, l := range found.Loops {
				if l.Reason != nil {
					reasons = append(reasons, l.Reason.Error())
				}
			}
			return nil
		}
		if _, err := sandbox.Compile("a.lua", c.source, pass); err != nil {
			t.Error(err)
		}
		if got := strings.Join(renamed, ", "); got != c.renamed {
			t.Errorf("%s: renamed %q, want %q", c.source, got, c.renamed)
		}
		if got := strings.Join(reasons, ", "); got != c.reason {
			t.Errorf("%s: %q, want %q", c.source, got, c.reason)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"local world for e, p in world:each('A', 'B') do p.x = 1 end", "1: world  2\n"},
		{"local w\nfor ev in w:read('Hit') do end\nfor ev in w:peek('Hit') do end\nfor ev in w:drain('Hit') do end", "2: w read 1\n3: w peek 1\n4: w drain 1\n"},
		{
			"local world\nfor e in world:each('A') do\nfor f in world:each('B') do\nfor ev in world:read('Hit') do end end end\nfor g in world:each('C') do end",
			"2: world  1: has a for … in over something else than world:each, world:near, world:sources or a list (line 4)\n3: world  1 in 2: has a for … in over something else than world:each, world:near, world:sources or a list (line 4)\n4: world read 1 in 3\n5: world  1\n",
		},
		{ // a field of the loop around cannot be an input: a kernel of the inner loop is not tried in each row
			"local world\nfor e, p in world:each('A') do\nlocal q, n = p, p.n\nfor f, r in world:each('B') do\nr.x = q.n end\nfor f, r in world:each('B') do p.n = p.n + 1 end\nfor f, r in world:each('B') do r.x = n end end\n" +
				"for ev in world:read('Hit') do\nfor f, r in world:each('B') do r.x = ev.n end end\nfor e, p in world:each('A') do end\nlocal t = {} for e in world:each('A') do t.n = t.n + 1 end",
			"2: world  1\n4: world  1 in 2: uses q.n, a field of the loop around it, which is interpreted (line 5)\n" +
				"6: world  1 in 2: assigns p.n, a field of the loop around it, which is interpreted (line 6)\n7: world  1 in 2\n8: world read 1\n" +
				"9: world  1 in 8: uses ev.n, a field of the loop around it, which is interpreted (line 9)\n10: world  1\n11: world  1\n",
		},
		{"local world for _, v in pairs({}) do for e in world:each('A') do end end", "1: world  1\n"},
		{"for e in world:each('A') do end", "1: world  1: \"world\" is not a local (line 1)\n"},
		{"local w = {} for e in w.world:each('A') do end", "1:   1: each is not called on a local (line 1)\n"},
		{"local world for x, y, v in world.layers.heat:each() do end", "1:  each 0\n"},
		{"local world local h = world.layers.heat for x, y, v in h:each() do h:set(x, y, v) end", "1: h each 0\n"},
		{"local world local l = world.layers local h = l.heat for x, y, v in h:each() do end", "1: h each 0\n"},
		{"local world, f for x, y, v in world.layers[f.name]:around(f.x, f.y, 3) do end", "1:  around 3\n"},
		{"local world, layer, f for x in layer:around(1, 2, 2) do end for x in layer:around(1, 2, f, 'moore') do end for x, y in layer:each() do end for e in layer:each() do end", "1: layer around 3\n1: layer around 4\n1: layer each 0\n1: layer  0\n"},
		{"local world, n, e for x in world:around(n, 1, 2, e) do end for x in world:around('i', 1, 2, 1, 'moore') do end for x in e.layer:each() do end", "1:   0: each is not called on a local (line 1)\n"},
		{"local e for x in heat:each() do end for x in heat:around(1, 2, 3) do end for x in e:around(1, 2, x) do end", "1: heat  0: \"heat\" is not a local (line 1)\n1: heat around 3: \"heat\" is not a local (line 1)\n1: e around 3: uses the global \"x\" (line 1)\n"},
		{"local map = { layers = {} } for x in map.layers.heat:each() do end", "1:   0: each is not called on a local (line 1)\n"},
		{"local world, f for e in world:each(f()) do end", "1: world  1: an argument of each is a call, which may give several values (line 1)\n"},
		{"local world, f for e in world:each(...) do end", "1: world  1: passes ... to each (line 1)\n"},
		{"local world, f for e in world:each((f())) do end for e in world:each(f.q) do end for e in world:each('A', 'ChildOf', f()) do end", "1: world  1\n1: world  1\n1: world  3: an argument of each is a call, which may give several values (line 1)\n"},
		{"local world local function f(x) if x then return 1 end return x.q end for e in world:each(f()) do end", "1: world  1\n"},
		{"local world local function f(x) if x then return 1, 2 end return x.q end for e in world:each(f()) do end", "1: world  1: an argument of each is a call, which may give several values (line 1)\n"},
		{"local world local function f(x) return x() end for e in world:each(f()) do end", "1: world  1: an argument of each is a call, which may give several values (line 1)\n"},
		{"local world local ecs = require('ecs') for e in world:each(ecs.query{ 'A' }) do end ecs = nil", "1: world  1: an argument of each is a call, which may give several values (line 1)\n"},
		{"local world local ecs = require('ecs') for e in world:each(ecs.query{ 'A' }) do end", "1: world  1\n"},
		{"local world for e in world:each(query) do end", "1: world  1: uses the global \"query\" (line 1)\n"},
		{"local world for e in world:each('A') do n = 1 end", "1: world  1: assigns the global \"n\" (line 1)\n"},
		{"local world local f = function() for e, a in world:each('A') do a.x = 1 end end function g() for e in world:each('B') do end end", "1: world  1\n1: world  1\n"},
		{"local world repeat local x = 1 for e, a in world:each('A') do a.x = x end until x", "1: world  1\n"},
		{"local world for e in world:all('A') do end for e in world.each('A') do end for e in next, {} do end", ""},
	} {
		if got := outline(find(t, c.source)); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.source, got, c.want)
		}
	}
}

// A loop is found wherever a statement can stand, and only one of exactly that form is one.
func TestFindPlaces(t *testing.T) {
	const loop = "for e in world:each('A') do end"
	for _, c := range []struct {
		name, source string
		want         int // loops
	}{
		{"a block", "do do " + loop + " end end", 1},
		{"branches", "if a then " + loop + " elseif b then " + loop + " else " + loop + " end", 3},
		{"while", "while a do " + loop + " end", 1},
		{"repeat", "repeat " + loop + " until a", 1},
		{"a numeric for", "for i = 1, 2 do " + loop + " end", 1},
		{"a function", "function f() " + loop + " end", 1},
		{"a local function", "local function f() " + loop + " end", 1},
		{"a function of a table", "function a.b.c() " + loop + " end", 1},
		{"a method", "function a:m() " + loop + " end", 1},
		{"a function in a function", "local function f() return function() " + loop + " end end", 1},
		{"a function in a table", "a = { f = function() " + loop + " end, [function() " + loop + " end] = 1 }", 2},
		{"a function that is called", "a(function() " + loop + " end)", 1},
		{"a function in a condition", "if (function() " + loop + " end)() then end", 1},
		{"a function in the list of a loop", "for i in a(function() " + loop + " end) do end", 1},
		{"a function in the body of a loop", "for e in world:each('A') do a = function() " + loop + " end end", 2},
		{"no names of components", "for e in world:each() do end", 1},
		{"another world", "for e in a.b:each('A') do end", 1},
		{"two values", "for e in world:each('A'), 1 do end", 0},
		{"two values of events", "for e in world:read('Hit'), 1 do end", 0},
		{"a field", "for e in world.each('A') do end", 0},
		{"a function of that name", "for e in each('A') do end", 0},
		{"no call", "for e in each do end", 0},
		{"a method of a table", "local q = {} for e in q:each('A') do end", 0},
		{"a method of an object", "function f() local q = setmetatable({}, b) for e in q:each() do end end", 0},
		{"a method of what a file has made", "local q = a.new() function f() for e in q:each() do end for e in q:read('A') do end end", 0},
		{"what a function has found", "function f() local q = a.world() for e in q:each('A') do end end", 1},
		{"a variable that is assigned", "local q = {} function f(w) q = w for e in q:each('A') do end end", 1},
		{"another method", "for e in world:near('g', 1, 2, 3) do end", 0},
		{"a few cells", "for x in world.layers.a:around(1, 2, 1) do end for x in world.layers.a:around(1, 2, 2, 'neumann') do end", 0},
		{"some cells", "for x in world.layers.a:around(1, 2, 2) do end for x in world.layers.a:around(1, 2, 1, f) do end", 2},
		{"events without a name", "for e in world:read() do end", 0},
		{"events with two names", "for e in world:read('A', 'B') do end", 0},
		{"events by a field", "for e in world.read('A') do end", 0},
		{"events that are sent", "for e in world:send('A') do end", 0},
	} {
		if got := find(t, "local world, a, b = ... "+c.source); len(got) != c.want {
			t.Errorf("%s: %d loops, want %d", c.name, len(got), c.want)
		}
	}
}
