package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// kinds are the kinds of names in the tables of tests.
var kinds = map[surface.NameKind]string{
	surface.ComponentName: "component", surface.ViewName: "view", surface.TagName: "tag", surface.PartName: "part", surface.EventName: "event", surface.ResourceName: "resource",
	surface.RelationName: "relation", surface.GridName: "grid",
}

// mentions compiles a source, and lists what it mentions: component Position, or component Position.x; "entry" in front where it counts only in the file of a
// system, "given" where the calls of other files decide, the line behind where it is not the first.
func mentions(t *testing.T, source string) string {
	t.Helper()
	u, err := Compile("a.lua", "a.lua", source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	var list []string
	for _, m := range u.Mentions {
		text := kinds[m.Kind] + " " + m.Name
		if m.Field != "" {
			text += "." + m.Field
		}
		if err := m.Err; err != nil {
			text = err.Error()
		} else if m.Of != "" {
			text = m.Of.Has(nil, m.Name).Error()
		}
		switch {
		case m.If.Entry:
			text = "entry " + text
		case m.If.Given.Index > 0 && m.If.Given.Local == 0:
			text = "given " + text
		}
		if m.Line != 1 {
			text += fmt.Sprint(" in line ", m.Line)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// The names that a file writes out, where they can be looked up before a line runs.
func TestMentions(t *testing.T) {
	for source, want := range map[string]string{
		`local function f(world) world:get(1, "A") end`:                                          "component A",
		`local function f(world)` + "\n" + `world:get(1, "A") end`:                               "component A in line 2",
		`local function f(world) world:set(1, "A", { x = 1, y = 2 }) end`:                        "component A, component A.x, component A.y",
		`local function f(world) world:set(1, "A", { ["x"] = 1, [k] = 2, 3 }) end`:               "component A, component A.x",
		`local function f(world) world:add(1, "A", "B", name) end`:                               "component A, component B",
		`local function f(world) world:tag(1, "a", "b") end`:                                     "tag a, tag b",
		`local function f(world) world:send("E", { n = 1 }) end`:                                 "event E, event E.n",
		`local function f(world) for e in world:read("E") do end end`:                            "event E",
		`local function f(world) world:relate(1, "R", 2) end`:                                    "relation R",
		`local function f(world) for e in world:near("g", 0, 0, 1) do end end`:                   "grid g",
		`local function f(world) for e in world:each("A", "B") do end end`:                       "component A, component B",
		`local function f(world) for e in world:each("A", "R", p) do end end`:                    "component A, component R",
		`local function f(world) world:spawn{ A = { x = 1 }, "t", B = {} } end`:                  "component A, component A.x, part t, component B",
		`local function f(world) world:spawn_many(3, { A = { x = 1 } }) end`:                     "component A, component A.x",
		`local function f(world) world.commands:spawn{ A = {} } end`:                             "component A",
		`local function f(world) world.commands:set(1, "A", { x = 1 }) end`:                      "component A, component A.x",
		`local function f(world) local c = world.commands c:tag(1, "t") end`:                     "tag t",
		`local function f(world) return world.resources.r end`:                                   "resource r",
		`local function f(world) world.resources.r = 1 end`:                                      "resource r",
		`local function f(world) local res = world.resources res.r = res.s end`:                  "resource r, resource s",
		`local function f(world) local name = "A" world:get(1, name) end`:                        "component A",
		`local function f(world) local name = "A" name = "B" world:get(1, name) end`:             "",
		`local name = "A" local function f(world) world:get(1, name) end`:                        "component A",
		`local function f(w) w:get(1, "A") end`:                                                  "",
		`local function f(world) local w = world w:get(1, "A") end`:                              "component A",
		`local function f(world) local a = world local b = a b:get(1, "A") end`:                  "component A",
		`local function f(world) local r = world.resources local s = r s.x = 1 end`:              "resource x",
		`local function f(world, q, p) for e in world:each(q, "R", p) do end end`:                "relation R",
		`local function f(world, q) for e in world:each(q, 5, "R") do end end`:                   "",
		`local function f(world) world.spawn({}) end`:                                            "world.spawn is called with a dot; write world:spawn(…)",
		`local function f(t) t.spawn() t.resources.r = 1 end`:                                    "",
		`return function(w) w:get(1, "A") end`:                                                   "entry component A",
		`return { update = function(w) w:get(1, "A") end }`:                                      "entry component A",
		`return { init = function(w) w:get(1, "A") end, other = function(w) w:get(1, "B") end }`: "entry component A",
		`return { menu = { update = function(w) w:get(1, "A") end } }`:                           "",
		`return make({ update = function(w) w:get(1, "A") end })`:                                "",
		`return setmetatable({ update = function(w) w:get(1, "A") end }, {})`:                    "entry component A",
		`return { { update = function(w) w:get(1, "A") end } }`:                                  "entry component A",
		`local M = {} function M.update(w) w:get(1, "A") end return M`:                           "entry component A",
		`local function f(world) world:spwan{} end`:                                              `world has no function "spwan"; did you mean "spawn"?`,
		`local function f(world) return world.frme end`:                                          `world has no function "frme"; did you mean "frame"?`,
		`local function f(world) world.commands:get(1, "A") end`:                                 `world.commands has no function "get"; write world:get(e, "Name")`,
		`local function f(world) world.spawn{} end`:                                              "world.spawn is called with a dot; write world:spawn(…)",
		`local function f(world) world.spawn(world, { A = {} }) end`:                             "",
		`local function f(world) local get = world.get get(world, 1, "A") end`:                   "",
		`local ecs = require("ecs") ecs.qury{ "A" }`:                                             `ecs has no function "qury"; did you mean "query"?`,
		`local ecs = require("ecs") ecs.log.inform("x")`:                                         `ecs.log has no function "inform"; did you mean "info"?`,
		`local ecs = require("ecs") ecs.query{ "A", without = { "B" }, tagged = { "t" } }`:       "",
		`local ecs = require("ecs") ecs.tag = 1`:                                                 "ecs cannot be changed",
		`local ecs = require("ecs") function ecs.tag() end`:                                      "ecs cannot be changed",
		`local ecs = require("ecs") local log = ecs.log log.info, ecs["none"] = print, 1`:        "ecs.log cannot be changed, ecs cannot be changed",
		`local ecs = require("ecs") local k = "tag" ecs[k] = nil`:                                "ecs cannot be changed",
		`local ecs = {} ecs.tag = 1 function ecs.event() end`:                                    "",
		`local world = {} world:get(1, "A")`:                                                     "",
		`local function f(world) world = 5 world:get(1, "A") end`:                                "",
		`g(function(world) world:get(1, "A") end)`:                                               "component A",
		`local M = {} function M.f(world) world:get(1, "A") end return M`:                        "given component A",
		`local M = {} function M:f(a, world) world:get(1, "A") end return M`:                     "given component A",
		`local world return { init = function(w) world = w world:get(1, "A") end }`:              "entry component A",
		`local world return { init = function(w) world = w world = {} world:get(1, "A") end }`:   "",
		`local t = {} t:get(1, "A") t.world:get(1, "B")`:                                         "",
	} {
		if got := mentions(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// Fields of views and events, wherever the source shows which component or event it is; and queries that are made in
// functions.
func TestMentionsOfFields(t *testing.T) {
	for _, c := range [][2]string{
		{
			`local function f(world) for e, a, b in world:each("A", "B") do a.x = b.y end end`,
			"component A, component B, view A.x, view B.y",
		},
		{
			`local function f(world) for ev in world:read("E") do print(ev.n) end end`,
			"event E, event E.n",
		},
		{
			`local function f(world) local evs = world:peek("E") for ev in evs do local n = ev.n end end`,
			"event E, event E.n",
		},
		{
			`local function f(world) local a = world:get(1, "A") a.x = 1 end`,
			"component A, view A.x",
		},
		{
			`local function f(world) local a = world:get(1, "A") a = {} a.x = 1 end`,
			"component A",
		},
		{
			`local function f(world) return world:get(1, "A").x end`,
			"view A.x, component A",
		},
		{
			`local function f(world) local e, a, b = world:first("A", "B") b.x = e.x end`,
			"component A, component B, view B.x",
		},
		{
			`local ecs = require("ecs") local q = ecs.query{ "A", optional = { "B" } } local function f(world) for e, a, b, c in world:each(q) do a.x = b.x + c.x end end`,
			"view A.x, view B.x",
		},
		{
			`local ecs = require("ecs") local function f(world, l) local q = ecs.query{ "A", optional = l, "B" } for e, a, b, c in world:each(q) do a.x = c.x end end`,
			"component A, component B",
		},
		{
			`local ecs = require("ecs") local function f(world) world:count(ecs.query{ "A", without = { "B" }, tagged = { "t" }, untagged = { "u" } }) end`,
			"component A, component B, tag t, tag u",
		},
		{
			`local function g(w, a) w:tag(1, "t") a.x = 1 end local function f(world) for e, a in world:each("A") do g(world, a) end end`,
			"tag t, view A.x, component A",
		},
		{
			`local function g(a) a.x = 1 end local function f(world) for e, a, b in world:each("A", "B") do g(a) g(b) end end`,
			"component A, component B",
		},
		{
			`local function g(a) a.x = 1 end local function f(world) for e, a in world:each("A") do g(a) pcall(g, 1) end end`,
			"component A",
		},
		{
			`local function g(a) g(a) a.x = 1 end g({})`,
			"",
		},
		{
			`return function(w) for e, a in w:each("A") do a.x = 1 end end`,
			"entry component A, entry view A.x",
		},
	} {
		if got := mentions(t, c[0]); got != c[1] {
			t.Errorf("%s\ngot  %s\nwant %s", c[0], got, c[1])
		}
	}
}

// The components that a file may ask world:removed about.
func TestRemovals(t *testing.T) {
	for source, want := range map[string]string{
		`local function f(world) for e in world:removed("A") do end for e in world:removed("B") do end end`: "[A B] false",
		`local name = "A" local function f(world) world:removed(name) end`:                                  "[A] false",
		`local function f(world, name) world:removed(name) end`:                                             "[] true",
		`local function f(world) world:removed() end`:                                                       "[] false",
		`local function f(world) local r = world.removed end`:                                               "[] true",
		`local function f(w) w:removed("A") end`:                                                            "[A] false",
		`local t = {} t.removed = 1`:                                                                        "[] false",
		``:                                                                                                  "[] false",
	} {
		u, err := Compile("a.lua", "a.lua", source)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(u.Removals.Names, " ", u.Removals.Unknown); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
	a, b := Removals{Names: []string{"A"}}, Removals{Names: []string{"B"}, Unknown: true}
	if got := a.With(b); fmt.Sprint(got) != "{[A B] true}" || fmt.Sprint(b.With(a)) != "{[B A] true}" || fmt.Sprint(a.With(a)) != "{[A A] false}" || len(a.Names) != 1 {
		t.Errorf("together they are %v", got)
	}
}
