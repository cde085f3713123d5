package surface

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// A resource is a single value if it has one field of the name "value".
func TestSingleResources(t *testing.T) {
	type one struct{ Value float64 }
	type other struct{ Wind float64 }
	type two struct{ Value, More float64 }
	s := newScene(t)
	_, err := ecs.RegisterResource[one](s.world, "one")
	s.ok(err)
	_, err = ecs.RegisterResource[other](s.world, "other")
	s.ok(err)
	_, err = ecs.RegisterResource[two](s.world, "two")
	s.ok(err)
	s.ok(s.run(`local res = world.resources
		res.one = 3 check.eq(res.one, 3)
		res.other.wind = 4 check.eq(res.other.wind, 4)
		res.two.value, res.two.more = 5, 6 check.eq(res.two.value + res.two.more, 11)`))
}

// A loop that is over, or was left, is forgotten within the turn; the end of the turn forgets all.
func TestOpenLoops(t *testing.T) {
	s := newScene(t)
	s.ok(s.run(`world:spawn_many(3, { Position = {} })`))
	open := func() int { return len(s.bound.open) }
	var seen []int
	s.env.Set("look", s.state.NewFunction(func(*lua.LState) int { seen = append(seen, open()); return 0 }))
	s.ok(s.run(`look()
		for e in world:each("Position") do if e == 4294967296 then look() for o in world:each("Position") do look() break end world:tag(e, "player") end end
		look() world:spawn{} look()
		local step = world:each("Position") step() look()`))
	want := []int{0, 1, 2, 1, 0, 1} // the inner loop was left: what changes structure closes it
	for i := range want {
		if len(seen) != len(want) || seen[i] != want[i] {
			t.Errorf("open loops: %v, want %v", seen, want)
			break
		}
	}
	if open() != 0 || s.world.Locked() {
		t.Errorf("%d loops are open after the turn", open())
	}
}

// The components of spawn_many are looked up once.
func TestBundlesAreKept(t *testing.T) {
	s := newScene(t)
	s.ok(s.run(`for i = 1, 5 do world:spawn_many(2, { Position = {}, Velocity = {} }) world:spawn_many(2, { Position = {} }) world:spawn_many(2) end
		check.eq(world:count("Position"), 20) check.eq(world:count("Velocity"), 10) check.eq(world:count(), 30)`))
	if n := len(s.bound.bundles); n != 3 {
		t.Errorf("%d bundles are kept for three sets of components", n)
	}
}

// A file that is required in the middle of a turn does not get at the world by what it is given.
func TestLoadingInATurn(t *testing.T) {
	for body, want := range map[string]string{
		`local step = world:each("Position") load(step)`:               "world:each while a file is being loaded: only the functions it returns get at a world",
		`world:send("Hit") local step = world:peek("Hit") load(step)`:  "world:peek while a file is being loaded: only the functions it returns get at a world",
		`world:send("Hit") local step = world:read("Hit") load(step)`:  "world:read while a file is being loaded: only the functions it returns get at a world",
		`world:send("Hit") local step = world:drain("Hit") load(step)`: "world:drain while a file is being loaded: only the functions it returns get at a world",
		`load(function() world:stop() end)`:                            "world:stop while a file is being loaded: a file declares things and returns functions; only those get at a world",
	} {
		s := newScene(t)
		s.env.Set("load", s.state.NewFunction(func(L *lua.LState) int {
			if err := s.surface.Load("a.lua", func() error { return s.state.Call(L.Get(1)) }); message(err) != want {
				t.Errorf("%s\ngot  %v\nwant %s", body, message(err), want)
			}
			return 0
		}))
		s.ok(s.run(`world:spawn{ Position = {} } ` + body))
	}
}

// A loop does not outlive its turn, and goes on after the structure changed only when it is begun again.
func TestLoopsOfAnotherTurn(t *testing.T) {
	s := newScene(t)
	pos, _ := s.world.LookupComponent("Position")
	_, err := s.world.DeclareGrid(ecs.GridSpec{Name: "near", Component: pos, X: "x", Y: "y", Cell: 2})
	s.ok(err)
	s.ok(s.run(`world:spawn_many(2, { Position = {} }) world:send("Hit") rawset(_G, "kept", { world:each("Position"), world:read("Hit"), world:peek("Hit"), world:drain("Hit"),
		world:removed("Position"), world:near("near", 0, 0, 9), world:sources("ChildOf", world:first("Position")) }) kept[1]()`))
	for i, name := range map[string]string{"1": "each", "2": "read", "3": "peek", "4": "drain", "5": "removed", "6": "near", "7": "sources"} {
		want := "this world:" + name + " belongs to an earlier turn of a system; call world:" + name + " again"
		if err := s.run("kept[" + i + "]()"); message(err) != want {
			t.Errorf("got  %v\nwant %s", message(err), want)
		}
	}
	fails(t, `world:spawn_many(2, { Position = {} }) local step = world:each("Position")
		for e in step do break end world:spawn{} step()`, "this world:each was left, and the structure of the world changed since; call world:each again")
	fails(t, `world:spawn{ Position = {} } local step = world:each("Position") for e in step do end check.eq(step(), nil) check.eq(step(), nil)`, "")
}
