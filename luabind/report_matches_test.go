package luabind

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

func TestMatches(t *testing.T) {
	scripts := files(map[string]string{
		"start": `return function(world)
			for i = 1, 10 do world:spawn{ Position = {}, Velocity = i > 4 and {} or nil } end
		end`,
		"names":  `return function(world) for e, pos in world:each("Position") do pos.x = 1 end end`,
		"query":  `local ecs = require("ecs") local q = ecs.query{ "Position", without = { "Velocity" } } return function(world) for e in world:each(q) do end end`,
		"news":   `local ecs = require("ecs") local q = ecs.query{ "Position", changed = { "Position" } } return function(world) for e in world:each(q) do end end`,
		"helper": `local function all(world) for e in world:each("Velocity") do end end return function(world) all(world) for e in world:each("Position") do end end`,
		"nested": `return function(world) for e in world:each("Position") do for o in world:each("Velocity") do end end end`,
		"named":  `return function(world) local name = "Position" for e in world:each(name) do end end`,
		"hidden": `local ecs = require("ecs") local q = ecs.query{ "Position" }
			return function(world) local function all() return q end for _, q in pairs{ all() } do for e in world:each(q) do end end end`,
		"none": `return function(world) end`,
		"list": `return { { name = "list", update = function(world) end },
			{ name = "other", update = function(world) for e in world:each("Position") do end end } }`,
	})
	var systems []System
	for _, name := range []string{"start", "names", "query", "news", "helper", "nested", "named", "hidden", "none", "list"} {
		systems = append(systems, System{Name: name})
	}
	systems[0].Stage = ecs.Startup
	systems = append(systems, System{Name: "other", Script: "list.lua"}, System{Name: "go", Native: "go", Impl: Native})
	natives := map[string]ecs.NativeFunc{"go": func(*ecs.World) (ecs.SystemFunc, error) {
		return func(*ecs.World, float64) error { return nil }, nil
	}}
	r, err := run(t, Options{Scripts: scripts, Natives: natives}, 2, systems...)
	if err != nil {
		t.Fatal(err)
	}
	position, _ := r.World().LookupComponent("Position")
	for e := range r.World().Entities { // one is written after all turns
		if _, err := r.World().Set(e, position, ecs.FieldValue{Value: ecs.Number(7)}); err != nil {
			t.Fatal(err)
		}
		break
	}
	before := r.World().Digest()
	for name, want := range map[string]int{
		"names": 10, "query": 4, "helper": 16, "nested": 10, "other": 10,
		"news":  1,
		"named": -1, "hidden": -1, "none": -1, "list": -1, "go": -1, "start": -1, "nobody": -1,
	} {
		n, ok := r.Matches(name)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%s: %d, %v; want %d", name, n, ok, want)
		}
	}
	if r.World().Digest() != before {
		t.Error("counting changed the world")
	}
	if err := r.Frame(context.Background(), 0.5); err != nil {
		t.Error(err)
	}
}

func TestLoadFile(t *testing.T) {
	load := func(source string) (*Runtime, error) {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": source, "lib": `return {}`})})
		if err != nil {
			t.Fatal(err)
		}
		return r, r.LoadFile("a.lua")
	}
	r, err := load(`local ecs = require("ecs")
		local lib = require("lib")
		ecs.component("Place", { x = "f64" })
		local known, unknown = ecs.query{ "Place" }, ecs.query{ "Plaice" }
		local function f(world) for e, p in world:each(known) do p.x = p.x + 1 end end
		local function g(world) for e, p in world:each(unknown) do p.x = p.x + 1 end end`)
	if !errors.Is(err, ecs.ErrUnknown) || !errors.Is(err, ErrLoad) || !strings.HasPrefix(err.Error(), "a.lua:4: ") {
		t.Errorf("a name nothing declares: %v", err)
	}
	all := r.Explain()
	if len(all) != 2 || all[0].Reason != "" || all[1].Reason != `there is no component "Plaice"` || all[0].Wanted {
		t.Errorf("loops: %+v", all)
	}

	r, err = load("local function f(world) for e, p in world:each(\"Place\") do end end\nerror(\"out of it\")")
	if se := (*ScriptError)(nil); !errors.As(err, &se) || se.Line != 2 || !errors.Is(err, ErrLoad) || len(r.Explain()) != 1 {
		t.Errorf("a file that fails: %v; %+v", err, r.Explain())
	}
	r, err = load("for")
	if !errors.Is(err, ErrLoad) || len(r.Explain()) != 0 {
		t.Errorf("a file that does not compile: %v", err)
	}
}

func TestExplainWanted(t *testing.T) {
	loop := `return function(world) for e, pos in world:each("Position") do pos.x = 1 end end`
	scripts := files(map[string]string{"a": loop, "b": loop, "c": `require("lib") return function() end`, "lib": loop})
	natives := map[string]ecs.NativeFunc{"b": func(*ecs.World) (ecs.SystemFunc, error) {
		return func(*ecs.World, float64) error { return nil }, nil
	}}
	for _, c := range []struct {
		a, b     System
		c        Impl
		a2, b2   bool
		required bool
	}{
		{a: System{}, b: System{}, a2: true, b2: true, required: true},
		{a: System{Impl: Lua}, b: System{Impl: Native, Native: "b"}, c: Lua},
		{a: System{Impl: Lua}, b: System{Impl: Closures}, c: Lua, b2: true, required: true},
		{a: System{Disabled: true}, b: System{Impl: Native, Native: "b"}, c: Lua},
		{a: System{Impl: Lua}, b: System{Impl: Lua}, c: Auto, required: true},
	} {
		c.a.Name, c.b.Name, c.b.Script = "a", "b", "b.lua"
		r, err := run(t, Options{Scripts: scripts, Natives: natives}, 0, c.a, c.b, System{Name: "c", Impl: c.c})
		if err != nil {
			t.Fatal(err)
		}
		all := r.Explain()
		if len(all) != 3 || all[0].Wanted != c.a2 || all[1].Wanted != c.b2 || all[2].Wanted != c.required {
			t.Errorf("%+v: %+v", c, all)
		}
	}
}
