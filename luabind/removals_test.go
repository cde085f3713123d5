package luabind

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// What a file may give to world:removed is read from its syntax, not from its text.
func TestRemovalsInSource(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`-- removed("Health")`, "[] false"},
		{`local removed = "removed" print(removed)`, "[] false"},
		{`local t = { removed = 1 } t.removed = 2 print(t.removed)`, "[] false"},
		{`for e in world:removed("Health") do end`, "[Health] false"},
		{`local function gone(w) return w:removed("Mana") end gone(world) for e in world:removed("Health") do end`, "[Mana Health] false"},
		{`local name = "Health" for e in world:removed(name) do end`, "[Health] false"},
		{`local name = "Health" local same = name for e in world:removed(same) do end`, "[Health] false"},
		{`local name = "Health" name = "Mana" for e in world:removed(name) do end`, "[] true"},
		{`local name = "Health" for _, name in pairs{ "Mana" } do world:removed(name) end`, "[] true"},
		{`local function gone(name) return world:removed(name) end gone("Health")`, "[] true"},
		{`local function gone(w) return w.removed(w, "Mana") end gone(world)`, "[] true"},
		{`local function gone(t) return t.removed end gone({})`, "[] true"},
		{`local removed = world.removed for e in removed(world, "Health") do end`, "[] true"},
		{`local w = world print(w["removed"])`, "[] true"},
	} {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: fstest.MapFS{"a.lua": {Data: []byte("return function(world)\n" + c.body + "\nend")}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Add(System{Name: "a", Script: "a.lua"}); err != nil {
			t.Fatal(err)
		}
		if err := r.Load(); err != nil {
			t.Fatal(err)
		}
		a := r.scripts.Lookup("a.lua").Removals
		if got := fmt.Sprint(slices.Compact(a.Names), a.Unknown); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

// A system that takes its first turn late sees all that was lost before it, wherever the call stands: in its own file, with a computed name, in a required file.
func TestRemovedInALateFirstTurn(t *testing.T) {
	for name, watch := range map[string]string{
		"own file":      `return function(world) local n = 0 for e in world:removed("Health") do n = n + 1 end print(n) end`,
		"computed name": `return function(world) local n, name = 0, "Heal" .. "th" for e in world:removed(name) do n = n + 1 end print(n) end`,
		"required file": `local lib = require("lib") return function(world) print(lib.count(world)) end`,
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			w := ecs.NewWorld(ecs.Options{})
			if _, err := w.DeclareComponent("Health", must(ecs.NewSchema())); err != nil {
				t.Fatal(err)
			}
			r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: fstest.MapFS{
				"lib.lua":   {Data: []byte(`return { count = function(w) local n = 0 for e in w:removed("Health") do n = n + 1 end return n end }`)},
				"churn.lua": {Data: []byte(`return function(world) world:despawn(world:spawn{ Health = {} }) end`)},
				"watch.lua": {Data: []byte(watch)},
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []System{{Name: "churn", Script: "churn.lua"}, {Name: "watch", Script: "watch.lua", Every: 20}} {
				if err := r.Add(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Load(); err != nil {
				t.Fatal(err)
			}
			if err := r.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			for range 40 {
				if err := r.Frame(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			if out.String() != "20\n20\n" {
				t.Errorf("printed %q", out.String())
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
