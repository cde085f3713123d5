package loops

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// find returns the loops of a source, and whether it compiles rewritten.
func find(t *testing.T, source string) []*Loop {
	t.Helper()
	var found []*Loop
	if _, err := sandbox.Compile("a.lua", source, func(chunk []ast.Stmt) ([]ast.Stmt, error) {
		found = Find(chunk)
		return chunk, nil
	}); err != nil {
		t.Fatal(err)
	}
	p := &Program{}
	if _, err := sandbox.Compile("a.lua", source, Rewrite(p)); err != nil {
		t.Errorf("rewritten: %v", err)
	}
	if len(p.Loops) != len(found) {
		t.Errorf("Rewrite finds %d loops, Find %d", len(p.Loops), len(found))
	}
	return found
}

// Each body stands in a loop over Position and Velocity, from line 4 on; the
// reason must be the first thing that is in the way.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ body, reason string }{
		{"pos.x = pos.x + vel.dx * dt", ""},
		{"pos.x, pos.y = pos.y, pos.x", ""},
		{"if pos.x > LIMIT then n = n + 1 break end", ""},
		{"if pos.x > 1 then goto continue end vel.dx = 0 ::continue::", ""},
		{"for i = 1, 3 do while pos.x > i do pos.x = pos.x - 1 end end", ""},
		{"repeat local d = math.sqrt(pos.x) pos.x = d until d < 1", ""},
		{"pos.x = floor(pos.x) + ecs.random() * CONF.speed", ""},
		{`world:send("Hit", { target = e, where = { pos.x } }) world:tag(e, "hit")`, ""},
		{`world.commands:spawn{ Position = { x = pos.x }, "ember" }`, ""},
		{"if e ~= ecs.none then world.resources.score = world.resources.score + world.dt end", ""},
		{`for f, near in world:each("Position") do n = n + near.x * pos.x end`, ""},
		{`for f, near in world:each(both) do near.dx = pos.x end`, ""},
		{"return pos.x, pos.y", ""},
		{"local pos = 5 n = pos", ""},
		{"", ""},

		{"if pos and not vel then n = vel and 1 or 2 end", ""},
		{"n = pos or 1", `the view "pos" is used as a value (line 4)`},
		{"n = 1 and pos", `the view "pos" is used as a value (line 4)`},
		{"n = pos == vel", `the view "pos" is used as a value (line 4)`},
		{"n = pos", `the view "pos" is used as a value (line 4)`},
		{"n = n + 1\nlocal keep = { pos }", "makes a table (line 5)"},
		{"look(pos)", `the view "pos" is used as a value (line 4)`},
		{"look(n)", ""}, // it might be math.sqrt: known when the loop begins
		{"pos = nil", `assigns the view "pos" (line 4)`},
		{"n = pos[e]", `the view "pos" is indexed by something else than a name (line 4)`},
		{"local f = function() return pos.x end", "makes a function (line 4)"},
		{"function CONF.f() end", "makes a function (line 4)"},
		{`world:get(e, "Position").x = 1`, `assigns something else than a local, a field or a resource (line 4)`},
		{`n = world:get(e, "Position")`, "calls world:get (line 4)"},
		{`world:set(e, "Position", { x = 1 })`, "calls world:set (line 4)"},
		{"world:stop()", "calls world:stop (line 4)"},
		{"print(n)", `uses the global "print" (line 4)`},
		{"n = CONF[e]", "indexes something by a value (line 4)"},
		{"local t = n t.x = 1", `"t" is a variable of the loop, so what it holds is not known when the loop begins (line 4)`},
		{"local t = n n = t.x", `indexes "t", which may be anything (line 4)`},
		{"world = nil", `assigns "world", which the loop relies on (line 4)`},
		{"ecs = nil n = ecs.random()", `assigns "ecs", which the loop relies on (line 4)`},
		{"n = world", `"world" is used as a value (line 4)`},
		{"n = world.commands", "world.commands is used as a value (line 4)"},
		{"n = ...", "uses ... (line 4)"},
		{"for ev in world:read(\"Hit\") do end", "has a for … in over something else than world:each (line 4)"},
		{`for f, near in world:each("Position") do near.x = pos.x end`, "near.x is written, and pos.x may be the same (line 4)"},
		{`for f, near in world:each("Position") do pos.x = near.x end`, "pos.x is written, and near.x may be the same (line 4)"},
		{"for f, near in world:each(e) do end", `"e" is a variable of the loop, so what it holds is not known when the loop begins (line 4)`},
		{"n = #pos.name", "takes the length of something else than a local (line 4)"},
		{strings.Repeat("pos.x = pos.x + 1\n", 200), "the body is too large (line 83)"},
	} {
		source := "local ecs, look, floor, both, CONF, LIMIT = ...\nreturn function(world, dt, ...)\n  local n = 0 for e, pos, vel in world:each(\"Position\", \"Velocity\") do\n" + c.body + "\n  end\nend"
		found := find(t, source)
		if len(found) == 0 {
			t.Errorf("%s: no loop was found", c.body)
			continue
		}
		got := ""
		if r := found[0].Reason; r != nil {
			got = r.String()
		}
		if got != c.reason {
			t.Errorf("%s\n got %q\nwant %q", c.body, got, c.reason)
		}
	}
}

// What else may stand in the way: around the loop, or in front of each.
func TestReceivers(t *testing.T) {
	for source, want := range map[string]string{
		"for e in world:each('A') do end":                                                  `3: "world" is not a local (line 3)`,
		"local w = {} for e in w.world:each('A') do end":                                   "3: each is not called on a local (line 3)",
		"local world, f = 1, 2 for e in world:each(f()) do end":                            "3: an argument of each is neither a name in quotes nor a local (line 3)",
		"local world = 1 for e in world:each(query) do end":                                `3: uses the global "query" (line 3)`,
		"local world = 1 for e, a in world:each('A') do a.x = 1 end":                       "3: ",
		"local f = function(w) for e, a in w:each('A') do a.x = f end end":                 `3: uses the function "f" inside itself (line 3)`,
		"local world for e in pairs({}) do for _, a in world:each('A') do a.x = 1 end end": "3: ",
		// A loop that is not simple does not keep the one in it from being so.
		"local world, f for e, a in world:each('A') do f(a)\nfor g, b in world:each('B') do b.x = 1 end end": `3: the view "a" is used as a value (line 3)|4: `,
		"local world for e in world:each('A') do for g in world:each('B') do end end":                        "3: |3: ",
	} {
		var got []string
		for _, l := range find(t, "\n\n"+source) {
			reason := ""
			if l.Reason != nil {
				reason = l.Reason.String()
			}
			got = append(got, fmt.Sprintf("%d: %s", l.Line, reason))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s\n got %s\nwant %s", source, strings.Join(got, "|"), want)
		}
	}
}

// What Find says of a loop.
func TestFind(t *testing.T) {
	found := find(t, `local floor = math.floor
return function(world, dt)
  local n = 0
  for e, pos, hit in world:each("Position", "Hit") do
    pos.x = floor(pos.x * dt)
    n = n + 1
    for f, vel in world:each("Velocity") do
      if hit.name .. "" == "x" then world:tag(e, "near") end
      vel.dx = 0
    end
  end
end`)
	if len(found) != 2 || found[0].Outer != nil || found[1].Outer != found[0] || len(found[0].Inner) != 1 {
		t.Fatalf("found %+v", found)
	}
	describe := func(l *Loop) string {
		out := fmt.Sprintf("line %d of %s with %d arguments, free %v, calls %v:", l.Line, l.World, len(l.Args), l.Free, l.Calls)
		for _, v := range l.Views {
			for _, f := range v.Fields {
				out += fmt.Sprintf(" %s.%s read %v written %v use %d", v.Name, f.Name, f.Read, f.Written, f.Use)
			}
		}
		return out
	}
	for i, want := range []string{
		"line 4 of world with 2 arguments, free [floor dt n], calls [{floor 5}]: pos.x read true written true use 2 hit.name read true written false use 1",
		"line 7 of world with 1 arguments, free [], calls [{world:tag 8}]: vel.dx read false written true use 0",
	} {
		if got := describe(found[i]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The loops of the shipped scripts that are, and those that are not, simple.
func TestShippedScripts(t *testing.T) {
	for file, want := range map[string]string{
		"arena/movement":     "",
		"arena/bounce":       "",
		"arena/lifetime":     "",
		"arena/death":        "",
		"arena/rout":         "",
		"arena/burning":      "",
		"arena/attack":       "calls world:get (line 8)",
		"arena/scouts":       "assigns something else than a local, a field or a resource (line 10)",
		"arena/embers":       "has a for … in over something else than world:each (line 10)",
		"arena/targeting":    `"world" is used as a value (line 74)`,
		"tutorial/movement":  "",
		"tutorial/collision": "|",
		"tutorial/redraw":    `walks events (line 10)|uses the global "print" (line 15)`,
	} {
		source, err := os.ReadFile("../../../scripts/" + file + ".lua")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range find(t, string(source)) {
			reason := ""
			if l.Reason != nil {
				reason = l.Reason.String()
			}
			got = append(got, reason)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s\n got %s\nwant %s", file, strings.Join(got, "|"), want)
		}
	}
}
