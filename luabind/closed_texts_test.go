package luabind

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// What explain says of loops that run as closures because their tables are values of any kind: it names what keeps them from another
// template, where it stands, and not what else they do. Each line of a body is a line of the file, from 4 on.

const closedHead = `local ecs = require("ecs") local lib = require("lib")
ecs.component("P", { x = "f64", y = "f64", s = "string", t = "table" }) ecs.tag("hot") ecs.event("Ev", { who = "entity", n = "f64" }) ecs.resource("shots", { type = "i64" })
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, y = i % 5, s = "k" .. i % 3 } } end end, update = function(world, dt)
`

// closedLibrary has a local that is called otherwise where it is required.
const closedLibrary = `local C = { size = 10 }
function C.key(x)
  return math.floor(x / C.size) .. ":"
end
function C.put(t, k, v)
  t.made[k][v] = v
end
function C.count(k)
  C[k] = C[k] or {}
  C[k][1] = (C[k][1] or 0) + 1
end
return C
`

var closedTexts = []struct{ body, want string }{
	{
		"local n, best = {}\nfor e, p in world:each('P') do\nn[p.s] = (n[p.s] or 0) + 1\nif not best or p.x > best.x then\nbest = { x = p.x, at = { p.y } }\nend end",
		`assigns "best", and uses members of it (line 8); to make it machine code, keep each member in a local of its own`,
	},
	{
		"local n, best = {}\nfor e, p in world:each('P') do\nn[p.s] = (n[p.s] or 0) + 1\nbest = (not best or p.x > best.x) and { x = p.x } or best\nend",
		`assigns "best", and uses members of it (line 7); to make it machine code, keep each member in a local of its own`,
	},
	{
		"local n, of = {}, {}\nfor e, p in world:each('P') do\nn[p.s] = (n[p.s] or 0) + 1\nof[p.s] = of[p.s] or {}\nof[p.s][p.y] = p.x\nend",
		`makes a table where there is no of[p.s] (line 7); to make it machine code, make it before the loop`,
	},
	{
		"local of = {}\nfor e, p in world:each('P') do\nof[p.s] = of[p.s] or {}\ntable.insert(of[p.s], 1, p.x)\nend",
		`makes a table where there is no of[p.s] (line 6); to make it machine code, make it before the loop`,
	},
	{
		"local of = {}\nfor e, p in world:each('P') do\nof[p.s] = of[p.s] or {}\ntable.insert(of[p.s], p.x % 4 ~= 0 and p.x or nil)\nend",
		`makes a table where there is no of[p.s] (line 6); to make it machine code, make it before the loop`,
	},
	{
		"local of = {}\nfor e, p in world:each('P') do\nlocal k = p.s:gsub('a', 'b')\nof[k] = of[k] or {}\ntable.insert(of[k], e)\nend",
		`each row calls string.gsub (line 6); to make it machine code, let few rows do this, behind an if`,
	},
	{
		"local of = {} for i = 1, 9 do of[i] = {} for j = 1, 200 do of[i][j] = j end end\nfor e, p in world:each('P') do\nfor _, v in ipairs(of[p.y] or {}) do p.x = p.x + v end\nend",
		`makes a table where there is no of[p.y] (line 6); to make it machine code, make it before the loop`,
	},
	{
		"local opt = {}\nfor e, p in world:each('P') do\nopt[e] = p.x % 4 ~= 0 and p.x or nil\nend",
		`there are too many rows in which a value that a table gets is nil (line 6)`,
	},
	{
		"local mixed = { 1, 'two', {} }\nfor e, p in world:each('P') do local m = mixed[p.y]\nif m == e then dt = 1 end\nend",
		`the table "mixed" has an element that is no number, but a string; to make it machine code, keep only numbers in it`,
	},
	{
		"local seen = {}\nfor e, p in world:each('P') do\nlocal k = p.s:gsub('a', 'b')\nseen[k] = seen[k] or {}\nseen[k][1] = e\nend",
		`each row calls string.gsub (line 6); to make it machine code, let few rows do this, behind an if`,
	},
	{
		"local kept = { made = {} }\nfor i = 0, 2 do kept.made['k' .. i] = {} end\nfor e, p in world:each('P') do\nlib.put(kept, p.s, p.y)\nend",
		"",
	},
	{
		"local views = {}\nfor e, p in world:each('P') do views[#views + 1] = p end\nfor e, p in world:each('P') do\nlocal v = p.x < 15 and views[1] or views[2]\nv.y = v.y + 1\nend",
		`assigns v.y, which is no local, field, resource or number in a table (line 8); to make it machine code, collect in locals, and assign after the loop`,
	},
	// what machine code cannot do in any template
	{"for e, p in world:each('P') do\nlocal k = lib.key(p.x)\nif k == '' then dt = 1 end\nend", ""},
	{"for e, p in world:each('P') do\nif p.x > 50 then\np.t[p.s] = (p.t[p.s] or 0) + 1\nend end", `one row in ten or more uses the table in the field "t" (line 6)` + wayOut},
	{
		"for e, p in world:each('P') do\nif world:untag(e, 'hot') then p.x = 1 else p.y = 2 end\nend",
		"",
	},
	{
		"for e, p in world:each('P') do\nlocal was = world:tagged(e, 'hot')\nworld:untag(e, 'hot')\nif was then p.x = 1 else p.y = 2 end\nend", "",
	},
	{
		"for e, p in world:each('P') do\nif p.x > 3 then\nworld.resources.shots = world.resources.shots + 1\nend end",
		"",
	},
	{
		"for ev in world:read('Ev') do\nfor e, p in world:each('P') do\np.x = ev.n\nend end world:send('Ev', { n = 1 })",
		"",
	},
}

// ran runs a file and a library for some frames.
func ran(t *testing.T, source string, frames int) *Runtime {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"a": source, "lib": closedLibrary})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range frames {
		if err == nil {
			err = r.Frame(context.Background(), 0.5)
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return r
}

func TestClosedTexts(t *testing.T) {
	t.Parallel()
	for _, c := range closedTexts {
		r := ran(t, closedHead+c.body+"\nend }", 4)
		var of LoopReport // the last loop of the file that is no part of another one
		for _, l := range r.Explain() {
			if l.File == "a.lua" {
				of = l
			}
		}
		if of.Reason != "" || of.Closures != c.want {
			t.Errorf("%s\n%q %q, want %q", c.body, of.Reason, of.Closures, c.want)
		}
	}
}

// A table is named as the file has it that it is a local of, with the line in that file.
func TestNamesOfOtherFiles(t *testing.T) {
	t.Parallel()
	r := ran(t, closedHead+"for e, p in world:each('P') do\nif p.x > 81 then lib.count(p.s) end\nend end }", 20)
	for _, l := range r.Explain() {
		if want := `uses the table "C" of lib.lua (lib.lua:9`; !strings.HasPrefix(l.ByClosures, want) {
			t.Errorf("%+v, want %s", l, want)
		}
	}
}

// A row that closures leave is reported with the line that it has come to, and with what it did there.
func TestLinesOfLeftRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, body, want string }{
		{`local t = { made = {} } for i = 1, 90 do t.made[i] = { { i % 30 == 0 and "7" or i } } end`, "local m = t.made[p.x]\nm.n = (m.n or 0) + 1\np.y = m[1][1] + 1", "rows in which line 7 finds a value of another kind than it uses"},
		{
			"local t = {} for e, p in world:each('P') do p.t = { a = 1, b = 2 } end", "local m = p.t\nif p.x > 9 then\nm.a = nil t[#t + 1] = { made = m } end",
			"rows in which line 7 puts a table of a field, from which it has removed a key, into a Lua table",
		},
	} {
		r := ran(t, closedHead+c.before+" for e, p in world:each('P') do\n"+c.body+"\nend end }", 3)
		var got []string
		for _, f := range r.Fallbacks() {
			got = append(got, f.Reason)
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%s\n%q, want %q", c.body, got, c.want)
		}
	}
}
