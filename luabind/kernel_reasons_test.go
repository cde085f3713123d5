package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// Each body stands in a loop over A and B, from line 9 on; the reason must be the
// first thing that keeps it interpreted, with the advice for it. "" is a loop that is compiled.
func TestKernelReasons(t *testing.T) {
	const head = `local ecs = require("ecs")
ecs.tag("red") ecs.event("Hit", { n = "i8", s = "string", t = "table" }) ecs.resource("score", { type = "f64" }) ecs.grid("g", { component = "A", x = "x", y = "y", cell = 3 })
local all, reds = ecs.query{ "A", "B", optional = { "C" } }, ecs.query{ "A", tagged = { "red" } }
local k, list, rows = 2, { 1, 2 }, { { x = 1 } }
local function twice(x) return x * 2 end
local function endless(x) if x > 1 then return endless(x - 1) end return x end
local function some(x) if x > 1 then return x end end
return function(world, name) local found, n = nil, 0 for e, p, q, c in world:each(all) do
`
	for _, c := range []struct{ body, reason string }{
		{"p.x = twice(p.y) + k", ""},
		{"local at = world:get(q.e, \"A\") if at then p.x = at.x end", ""},
		{"if c then p.x = c.x end found = e", ""},
		{"for o, d in world:near(\"g\", p.x, p.y, 3) do n = n + d end", ""},
		{"for o, r in world:each(\"A\") do n = n + r.x * rows[1].x + list[2] end", ""},
		{"world:send(\"Hit\", { n = 3 }) world.commands:despawn(e)", ""},
		{"p.x = 1\nprint(p.x)", ""},
		{"p.x = some(p.y)", ""},
		{"p.x = endless(p.y)", ""},
		{"local f = function() end", ""},
		{"found = p", ""},
		{"rows[1] = p", ""},
		{"p.z = 1", `there is no field "z" (line 9)`},
		{"p.x = true", `assigns a boolean to the field "x" (line 9)`},
		{"world:despawn(e)", "calls world:despawn (line 9); queue it with world.commands"},
		{"world:tag(e, \"rd\")", `there is no tag "rd" (line 9); declare it in the file, or name the config that does`},
		{"world:send(\"Hit\", { m = 3 })", `there is no field "m" (line 9)`},
		{"world:send(\"Hit\", { n = \"3\" })", `gives a string to the field "n" (line 9)`},
		{"world:send(\"Hit\", { t = 3 })", `gives a number to the field "t" (line 9)`},
		{"world.resources.scores = 1", `there is no resource "scores" (line 9); declare it in the file, or name the config that does`},
		{"for i, v in ipairs(list) do n = n + v end", ""},
		{"local s = p.b .. \"\"", "joins a boolean with a string (line 9)"},
		{"if p.b then local s = p.x .. \"\" end", ""},
		{"local s = world:get(e, \"A\") or world:get(e, \"B\")", "and, or give now one type, now another (line 9); give both sides one type, or choose with if and else"},
		{"p.x = list[e]", ""},
		{"local o = q.e p.x = rows[o].x", ""},
		{"for o in world:near(\"g\", p.x, p.y, 3) do local at = o n = n + list[at] end", ""},
		{"for o, r in world:each(\"A\") do list[o] = 1 n = list[1] end", ""},
		{"list[#list + 1] = p.x n = list[1]", ""},
		{"if rows[1] then n = 1 end", ""},
		{"for o, r in world:each(\"A\", name) do n = n + r.x end", "takes a name that is not known before the loop begins (line 9); write it in quotes, or in a local of the file"},
		{"if c then found = c end", ""},
		{"for o, r, of in world:each(\"A\", \"ChildOf\") do found = of end", ""},
		{"for o, r in world:each(reds) do world:untag(e, \"red\") end", ""},
	} {
		r, err := New(Options{Log: strictLog(t), World: kernelWorld(t, 1), Scripts: files(map[string]string{"a": head + c.body + "\nend end"})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Load(); err != nil && !strings.Contains(err.Error(), "is not declared") && !strings.Contains(err.Error(), "has no field") {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := ""
		for _, l := range r.Explain() {
			if l.Line == 8 && l.Reason != "" {
				got = fmt.Sprintf("%s (line %d)", l.Reason, l.At)
				if l.Advice != "" {
					got += "; " + l.Advice
				}
			}
		}
		if got != c.reason {
			t.Errorf("%s: %q, want %q", c.body, got, c.reason)
		}
	}
}
