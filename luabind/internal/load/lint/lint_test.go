package lint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// world declares what the sources of the tests use.
func world(t *testing.T) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	try := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	schema := func(fields ...ecs.Field) *ecs.Schema {
		s, err := ecs.NewSchema(fields...)
		try(err)
		return s
	}
	for name, s := range map[string]*ecs.Schema{
		"Hp":  schema(ecs.Field{Name: "n", Type: ecs.F64}, ecs.Field{Name: "on", Type: ecs.Bool}),
		"Bag": schema(ecs.Field{Name: "slots", Type: ecs.ArrayOf(ecs.EntityField, 4)}, ecs.Field{Name: "w", Type: ecs.ArrayOf(ecs.F32, 3)}, ecs.Field{Name: "on", Type: ecs.ArrayOf(ecs.Bool, 2)}),
		"To":  schema(ecs.Field{Name: "who", Type: ecs.EntityField}, ecs.Field{Name: "bag", Type: ecs.TableField}, ecs.Field{Name: "text", Type: ecs.String}),
	} {
		_, err := w.DeclareComponent(name, s)
		try(err)
	}
	_, err := w.DeclareComponent("Cell", schema(ecs.Field{Name: "x", Type: ecs.I32}, ecs.Field{Name: "y", Type: ecs.I32}))
	try(err)
	_, err = w.DeclareIndex(ecs.IndexSpec{Name: "at", Component: "Cell", Fields: []string{"x", "y"}})
	try(err)
	_, err = w.DeclareEvent("Hit", schema(ecs.Field{Name: "who", Type: ecs.EntityField}))
	try(err)
	_, err = w.DeclareResource("arr", ecs.ArrayOf(ecs.I32, 20), ecs.Value{})
	try(err)
	for _, l := range []ecs.LayerSpec{
		{Name: "who", Type: ecs.EntityField, Width: 8, Height: 4},
		{Name: "ground", Type: ecs.U8, Width: 8, Height: 4},
		{Name: "torus", Type: ecs.Bool, Width: 8, Height: 4, Wrap: true},
	} {
		_, err := w.DeclareLayer(l)
		try(err)
	}
	_, err = w.DeclareRelation("Near")
	try(err)
	_, err = w.DeclareTag("hot")
	try(err)
	_, err = w.DeclareIndex(ecs.IndexSpec{Name: "owned", Component: "To", Fields: []string{"who", "text"}})
	try(err)
	return w
}

// uses is a file that uses all names of the world, so that only the rule at hand has something to say.
const uses = `return function(world)
  local e = world:spawn{ Hp = {}, To = {}, Bag = {}, Cell = {}, Near = world:spawn{}, "hot" }
  world:send("Hit")
  world:get(e, "Hp").on = true
  world.resources.arr[1] = 1
end`

// check returns the codes and lines of the findings in a file of a system.
func check(t *testing.T, source string) string {
	t.Helper()
	var out []string
	for _, x := range findings(t, source) {
		out = append(out, fmt.Sprintf("%s:%d", x.Code, x.Line))
	}
	return strings.Join(out, " ")
}

// findings returns what is found in a file of a system.
func findings(t *testing.T, source string) []Warning {
	t.Helper()
	parse := func(path, text string) File {
		c, err := syntax.Parse(path, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return File{Path: path, Chunk: c, Own: true}
	}
	found := Check(Input{
		World: world(t), Files: []File{parse("a.lua", source), parse("b.lua", uses)},
		Systems: []System{{Name: "b", Own: "b", File: "b.lua", Stage: ecs.Startup}, {Name: "a", Own: "a", File: "a.lua"}},
		Module: func(_, name string) error {
			if name == "none" {
				return errors.New("there is no such file")
			}
			return nil
		},
		Lacks: func(library, name string) string {
			if library == "table" && name == "unpack" {
				return "Lua 5.1 has no table.unpack"
			}
			if library == "string" && (name == "twice" || name == "again") {
				return "there is no such function"
			}
			return ""
		},
	})
	for _, x := range found {
		if x.File == "b.lua" {
			t.Errorf("%s in b.lua: %s", x.Code, x.Message)
		}
		if i := slices.IndexFunc(Codes, func(c Code) bool { return c.ID == x.Code }); i < 0 || x.Message == "" {
			t.Errorf("unknown code, or no message: %v", x)
		}
	}
	return found
}

// Sources and what is found in them. Most of the sources are correct code that looks like a mistake.
func TestFindings(t *testing.T) {
	for source, want := range map[string]string{
		// locals
		"local a = 1":                                     "W101:1",
		"local _ = 1 local _a = 2":                        "",
		"local a a = 1":                                   "W103:1",
		"local a, b = f() return b":                       "W101:1",
		"local function f() f() end":                      "W101:1",
		"local f = function() end":                        "W101:1",
		"local function f() end f()":                      "",
		"for i, v in pairs(t) do end for i = 1, 3 do end": "",
		"local function f(a) end f()":                     "W102:1",
		"local function f(a) a = 1 end f()":               "W103:1",
		"local function f(_a, b) return b end f()":        "",
		"local function f(a) end g(f)":                    "",
		"g(function(a) end)":                              "",
		"local t = { f = function(a) end } return t":      "",
		"local t = {} function t:f(a) end return t":       "",
		"local t = {} function t.f(a) end return t":       "W102:1",
		"local t = {} function t.f(a) end t[k](1)":        "",
		"local t = {} function t.__index(s, k) end g(t)":  "",
		"return function(world, dt) end":                  "",
		"return { init = function(world) end, update = function(world, dt) end, on_reload = function(old) end }": "",
		"local function up(world, dt) end return { { name = 'a', update = up } }":                                "",
		"local M = {} function M.on_reload(old) end return M":                                                    "",
		"local function outer() return function(a) end end outer()":                                              "",
		"local function f(...) end f()":                                                                          "",
		// libraries
		"local string = {} f(string)":         "W104:1",
		"local math = math f(math)":           "",
		"local bit = require(\"bit\") f(bit)": "", "local bit = bit or require(\"bit\") f(bit)": "", "local bit = require(\"mine\") f(bit)": "W104:1",
		"local table = compat and compat.table or table f(table)": "", "local table = table or {} f(table)": "", "local table = table and {} f(table)": "W104:1",
		"local _, bit = pcall(require, 'bit') f(bit)": "", "local bit if jit then bit = require('bit') else bit = other end f(bit)": "", "local _, bit = pcall(require, 'mine') f(bit)": "W104:1",
		"local math = setmetatable({}, { __index = math }) f(math)": "", "local table = extend(table) f(table)": "", "local table = table.concat({}) f(table)": "W104:1",
		"local string = string.format('a') f(string)":  "W104:1",
		"local function f(table) return table end f()": "W104:1",
		"for string in pairs(t) do f(string) end":      "W104:1",
		"table.unpack(t)": "W105:1",
		"local unpack = table.unpack or unpack unpack()": "",
		"if table.unpack then table.unpack(t) end":       "",
		"table.unpack = unpack table.unpack(t)":          "",
		"local table = f() table.unpack(t)":              "W104:1",
		"table.concat(t)":                                "",
		// what Lua 5.1 does in another way
		"for i = '1', 3 do f(i) end":                                  "W107:1",
		"for i = 1, 3, '2' do f(i) end":                               "W107:1",
		"f(tonumber('-inf'), tonumber('nan'), tonumber('info'))":      "W107:1 W107:1",
		"local t = {}\ntable.insert(t, 0, 1) table.insert(t, 1) f(t)": "W107:2",
		"f(getmetatable('').__index, getmetatable(''))":               "W107:1",
		"local function tonumber(x) return x end f(tonumber('inf'))":  "",
		// weak tables
		"local w = setmetatable({}, { __mode = 'k' }) f(w)":                                                    "W106:1",
		"local w, M = {}, {}\nM.__mode = 'v' setmetatable(w, M)":                                               "W106:2",
		"local w = setmetatable({}, { __mode = 'k' })\nwhile next(w) do f() end":                               "W106:1 W106:2",
		"local w = {} setmetatable(w, { __mode = 'k' })\nrepeat collectgarbage() until not next(w)":            "W106:1 W106:2",
		"local w = setmetatable({}, { __mode = 'k' })\nwhile next(w) do local k = next(w) f(k) w[k] = nil end": "W106:1",
		"local q = {} while next(q) do f() end repeat collectgarbage() until f()":                              "",
		// queries
		"local ecs = require('ecs') f(ecs.query{ 'Hp', without = { 'Hp' } })":                                                                               "W205:1",
		"local ecs = require('ecs') f(ecs.query{ 'Hp', without = { 'To' } })":                                                                               "",
		"local ecs = require('ecs') f(ecs.query{ any = { 'Hp', 'To' }, without = { 'To', 'Hp' } })":                                                         "W205:1",
		"local ecs = require('ecs') f(ecs.query{ any = { 'Hp', 'To' }, without = { 'To' } })":                                                               "",
		"local ecs = require('ecs') local q = ecs.query{ 'Hp', without = { 'Hp' } } return function(world) for e in world:each(q) do end end":               "W205:1 W206:0",
		"local ecs = require('ecs') local q = ecs.query{ 'Hp', without = { 'Hp' } } return function(world) for e in world:each(q) do end world:spawn{} end": "W205:1",
		"local ecs = require('ecs') return function(world) for e in world:each(q) do end end":                                                               "W101:1",
		// state
		"local S = {} local function state(n, t) S[n] = t end state('a', { update = function(g, dt) g.timer = g.timer + dt end }) return function(world) f(S.a) end": "",
		"local S = {} local function state(n, t) S[n] = t end state('a', 1) return function(world) state('b', 2) f(S.a) end":                                         "W301:1",
		"return function(world) for e, hp, to in world:each('Hp', 'To') do f(g and g.a or to and to.text or '?') end end":                                            "",
		"local n = 0 return function() n = n + 1 end":                                                                                                              "W301:1",
		"local n return function() n = 0 n = n + 1 end":                                                                                                            "",
		"local n = 0 return function() f(n) end":                                                                                                                   "",
		"local t = {} return function() t[1] = (t[1] or 0) + 1 end":                                                                                                "W301:1",
		"local t = {} return function() for i = 1, 9 do t[i] = 0 end t[1] = t[1] + 1 end":                                                                          "",
		"local t = {} return function() for k in pairs(t) do t[k] = nil end t[1] = t[2] end":                                                                       "",
		"local t = {} return function() table.insert(t, 1) end":                                                                                                    "W301:1",
		"local t = {} return function() local t = {} t[1] = 1 table.insert(t, 1) end":                                                                              "W101:1",
		"local M = { state = { n = 0 } } function M.update() M.state.n = M.state.n + 1 end return M":                                                               "",
		"local state = { n = 0 } return { state = state, update = function() state.n = state.n + 1 end }":                                                          "",
		"local M = { state = {} } local s = M.state function M.update() s.n = 1 end return M":                                                                      "",
		"local M = {} function M.update() M.n = (M.n or 0) + 1 end return M":                                                                                       "W301:1",
		"local n = 0 local M = {} function M.update() f(n) end function M.on_reload(old) n = old.n end return M":                                                   "",
		"local n = 0 local function inc() n = n + 1 end return inc":                                                                                                "W301:1",
		"local function f() local n = 0 return function() n = n + 1 return n end end return f":                                                                     "",
		"local function f() for w in ('a b'):gmatch('%a') do coroutine.yield(w) end end local co = coroutine.create(f) return function() coroutine.resume(co) end": "W302:1",
		"local co return function(world) co = co or coroutine.wrap(function() for e in world:each('A') do if e then coroutine.yield(e) end end end) co() end":      "W301:1 W302:1",
		"local jobs = {} -- ecs: state\nreturn function(world, e) local co = jobs[e] if co == nil then co = coroutine.create(function() for e in world:each() do coroutine.yield() end end)\njobs[e] = co end end": "W301:3 W302:3",
		"local M = { state = {} } function M.update(world) M.state.co = coroutine.create(function() while true do for e in world:near('g', 1, 2, 3) do coroutine.yield() end end end) end return M":                "W302:1",
		"local co return function(w) co = co or coroutine.wrap(function() for x, y in w.layers.soil:each() do coroutine.yield(x) end end) co() end":                                                                "W301:1 W302:1",
		"local co return function(w) local soil = w.layers.soil co = co or coroutine.wrap(function() for x in soil:around(1, 1, 1) do coroutine.yield(x) end end) co() end":                                        "W301:1 W302:1",
		"local co return function(w, e) co = co or coroutine.wrap(function() for o in w:targets(e, 'Near') do coroutine.yield(o) end end) co() end":                                                                "W301:1 W302:1",
		"local co return function(w, e) co = co or coroutine.wrap(function() for o in w:sources('Near', e) do coroutine.yield(o) end end) co() end":                                                                "W301:1 W302:1",
		"local co return function(w) co = co or coroutine.wrap(function() for o in w:removed('Hp') do coroutine.yield(o) end end) co() end":                                                                        "W301:1 W302:1",
		"local co return function(w) co = co or coroutine.wrap(function() for _, o in ipairs(w:spawn_many(2)) do coroutine.yield(o) end end) co() end":                                                             "W301:1",
		"return function(world) local co = coroutine.wrap(function() for e in world:each('A') do coroutine.yield(e) end end) co() end":                                                                             "",
		"local co = coroutine.create(f) return function() coroutine.resume(co) end":                                                                                                                                "",
		"local co = coroutine.wrap(function() for _, v in ipairs{ 1 } do coroutine.yield(v) end end) return function() co() end":                                                                                   "",
		"local co = coroutine.wrap(function() for e in world:each('A') do print(e) end coroutine.yield() end) return function() co() end":                                                                          "",
		"local M = { state = {} } function M.update() M.state.co = coroutine.create(function() coroutine.yield() end) end return M":                                                                                "",
		"local it return function(world) it = it or world:each('Position') it() end":                                                                                                                               "W301:1 W303:1",
		"local M = { state = {} } function M.update() M.state.w = string.gmatch(s, '%a') end return M":                                                                                                             "W303:1",
		"local words = (s):gmatch('%a') return function() print(words()) end":                                                                                                                                      "W303:1",
		"return function(world) local it = world:each('Position') for e in it do f(e) end end":                                                                                                                     "",
		// conditions
		"return function(world) for e, to in world:each('To') do if to.who then f() end end end":                   "W501:1",
		"return function(world) for e, to in world:each('To') do if not to.who then f() end end end":               "W501:1",
		"return function(world) for e, to in world:each('To') do if e and to.who then f() end end end":             "W501:1",
		"return function(world) for e, to in world:each('To') do f(to.who or 1) end end":                           "W501:1",
		"return function(world) for e, to in world:each('To') do f(to.who ~= nil) end end":                         "W501:1",
		"return function(world) for e, to in world:each('To') do local w = to.who if w then f() end end end":       "W501:1",
		"return function(world) for e, to in world:each('To') do local w = to.who w = 1 if w then f() end end end": "",
		"return function(world) for hit in world:read('Hit') do if hit.who then f() end end end":                   "W501:1",
		"return function(world) for e, to in world:each('To') do if to.who ~= 0 then f() end end end":              "",
		"return function(world) for e, hp in world:each('Hp') do if hp.n then f() end end end":                     "W502:1",
		"return function(world) for e, hp in world:each('Hp') do if hp.on or not hp.on then f() end end end":       "",
		"return function(world) for e, hp in world:each('Hp') do if hp.on == nil then f() end end end":             "W502:1",
		"return function(world) for e, to in world:each('To') do if to.bag then f() end end end":                   "W502:1",
		"return function(world) for e, to in world:each('To') do if to.text then f() end end end":                  "W502:1",
		"return function(world, e) local to = world:get(e, 'To') return to and to.text or 'nobody' end":            "",
		"return function(world, e) local to = world:get(e, 'To') f(to and to.who or 0) end":                        "",
		"return function(world, e) local to = world:get(e, 'To') return to.text or 'nobody' end":                   "W502:1",
		"return function(world, e) local to = world:get(e, 'To') if to and to.text then f() end end":               "W502:1",
		"return function(world) for e, to in world:each('To') do if to.bag.x then f() end end end":                 "",
		"return function(world) for e, near in world:each('Near') do if near then f() end end end":                 "",
		"return function(world) local e, hp = world:first('Hp') if e and hp then f() end end":                      "",
		// entities in texts
		"return function(world) for e in world:each('Hp') do local n = e % 4 end end":                               "W101:1 W504:1",
		"return function(world) for hit in world:read('Hit') do local n = -hit.who end end":                         "W101:1 W504:1",
		"return function(world) for e in world:each('Hp') do local same = e == e + 0 end end":                       "W101:1 W504:1",
		"return function(world) for e in world:each('Hp') do local t = {} t[e] = 1 end end":                         "",
		"return function(world) for e in world:each('Hp') do print(e) end end":                                      "W503:1",
		"return function(world) for e in world:each('Hp') do print('x' .. e .. 'y') end end":                        "W503:1",
		"return function(world) for e in world:each('Hp') do print(('%d'):format(e)) end end":                       "W503:1",
		"return function(world) for hit in world:read('Hit') do print(tostring(hit.who)) end end":                   "W503:1",
		"return function(world) for e in world:each('Hp') do f(e .. ':' .. 1) end end":                              "",
		"return function(world) for e, hp in world:each('Hp') do print(hp, hp.n) end end":                           "",
		"local ecs = require('ecs') return function(world) for e in world:each('Hp') do print(ecs.name(e)) end end": "",
	} {
		if got := check(t, source); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", source, got, want)
		}
	}
}

// A tag may have a dot in its name, or a dash.
func TestTagWithADotIsUsed(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	for _, name := range []string{"a.b", "c-d", "e.f"} {
		if _, err := w.DeclareTag(name); err != nil {
			t.Fatal(err)
		}
	}
	chunk, err := syntax.Parse("a.lua", `return function(world) local e = world:spawn{ "a.b", "c-d" } world:tag(e, "a.b") end`)
	if err != nil {
		t.Fatal(err)
	}
	found := Check(Input{
		World: w, Files: []File{{Path: "a.lua", Chunk: chunk, Own: true}}, Systems: []System{{Name: "a", Own: "a", File: "a.lua"}},
		Lacks: func(string, string) string { return "" }, Module: func(string, string) error { return nil },
	})
	if len(found) != 1 || found[0].Name != "e.f" {
		t.Errorf("found %v, want only W201 of e.f", found)
	}
}

// A name in a data file counts as used and given, because a script may spawn, give or send what the file says.
func TestNamesInDataFiles(t *testing.T) {
	const source = "return function(world)\nfor e, hp in world:each('Hp') do hp.n = world:tagged(e, 'hot') and 1 or 2 end\nfor hit in world:read('Hit') do world:despawn(hit.who) end end"
	chunk, err := syntax.Parse("a.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	table := func(entries ...ecs.DataEntry) ecs.Value {
		d, err := ecs.NewData(entries)
		if err != nil {
			t.Fatal(err)
		}
		return ecs.TableOf(d)
	}
	entry := func(key, value ecs.Value) ecs.DataEntry { return ecs.DataEntry{Key: key, Value: value} }
	for _, c := range []struct {
		data []ecs.Value
		want string
	}{
		{nil, "W202:2 W203:2 W204:3 W201:0 W201:0"},
		{[]ecs.Value{table(entry(ecs.Int(1), table(entry(ecs.Text("Hp"), table()))))}, "W203:2 W204:3 W201:0 W201:0"},
		{[]ecs.Value{ecs.Text("hot; cold"), table(entry(ecs.Text("To"), ecs.Text("Hit")))}, "W202:2 W201:0"},
		{[]ecs.Value{ecs.Text("hott Hitt Hp_"), ecs.Number(3)}, "W202:2 W203:2 W204:3 W201:0 W201:0"},
	} {
		var got []string
		for _, x := range Check(Input{
			World: world(t), Data: c.data, Files: []File{{Path: "a.lua", Chunk: chunk, Own: true}}, Systems: []System{{Name: "a", Own: "a", File: "a.lua"}},
			Lacks: func(string, string) string { return "" }, Module: func(string, string) error { return nil },
		}) {
			if x.Code < "W205" && x.Name != "Bag" && x.Name != "Cell" && x.Name != "arr" {
				got = append(got, fmt.Sprintf("%s:%d", x.Code, x.Line))
			}
		}
		if found := strings.Join(got, " "); found != c.want {
			t.Errorf("%v: got %s, want %s", c.data, found, c.want)
		}
	}
}
