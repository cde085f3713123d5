package surface

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// probe runs a body in which probe(world, ...) calls a Go function with the Lua stack as a loop would.
func probe(t *testing.T, body string, fn func(s *scene, L *lua.LState)) error {
	t.Helper()
	s := newScene(t)
	s.env.Set("probe", s.state.NewFunction(func(L *lua.LState) int { fn(s, L); return 0 }))
	return s.run(body)
}

// Go finds what a loop would walk, or leaves the loop to the interpreter, which then raises or not.
func TestOpenedWalks(t *testing.T) {
	const before = `local kept = ecs.query{ "Position", tagged = { "player" } }
		local a = world:spawn{ Position = { x = 1 }, "player" } local b = world:spawn{ Position = { x = 2 }, ChildOf = a } local c = world:spawn{ Position = { x = 3 }, ChildOf = a, "player" }
		world:spawn{ Velocity = {} } `
	for args, want := range map[string]string{
		`world, "Position"`:                         "0v1 1v1 2v1",
		`world, "Position", "Velocity"`:             "",
		`world, kept`:                               "0v1 2v1",
		`world, "Position", "ChildOf", a`:           "narrowed 1v1 2v1",
		`world, kept, "ChildOf", a`:                 "narrowed 2v1",
		`world, "ChildOf"`:                          "1v1 2v1",
		`world, "Position", "ChildOf", 1.5`:         "narrowed",
		`world`:                                     "0v1 1v1 2v1 3v1",
		`5, "Position"`:                             "not opened",
		`world.commands, "Position"`:                "not opened",
		`world, 5`:                                  "not opened",
		`world, world`:                              "not opened",
		`world, "Positon"`:                          "not opened",
		`world, "player"`:                           "not opened",
		`world, "Position", true`:                   "not opened",
		`world, "Position", "Position"`:             "not opened",
		`world, "Position", "Velocity", "Position"`: "not opened",
		`world, kept, 5`:                            "not opened",
		`world, kept, "Position"`:                   "not opened",
		`world, kept, "ChildOf"`:                    "not opened",
		`world, kept, "Position", a`:                "not opened",
		`world, kept, 7, a`:                         "not opened",
		`world, "Position", "Velocity", a`:          "not opened",
		`world, "Position", a`:                      "not opened",
		`world, "Position", "Marker", "ChildOf", a`: "narrowed",
	} {
		got := ""
		err := probe(t, before+"probe("+args+")", func(s *scene, L *lua.LState) {
			var w Walk
			if !w.Open(L) {
				got = "not opened"
				return
			}
			var list []string
			if w.Narrowed() {
				list = append(list, "narrowed")
			}
			if w.World() != s.bound || w.Query() == nil {
				t.Errorf("%s: the walk is of another world, or of no query", args)
			}
			w.Begin()
			for w.Cursor.Next() {
				list = append(list, w.Cursor.Entity().String())
				if w.Entity(w.Cursor.Entity()) != lua.LNumber(w.Cursor.Entity()) {
					t.Errorf("%s: the handle %s is another one", args, w.Cursor.Entity())
				}
			}
			got = strings.Join(list, " ")
		})
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", args, got, err, want)
		}
	}
	if err := probe(t, `probe(world, "Position")`, func(s *scene, L *lua.LState) {
		_ = s.surface.Load("a.lua", func() error {
			if (&Walk{}).Open(L) {
				t.Error("a walk is opened while a file is loaded")
			}
			return nil
		})
		var one, two Walk
		if !one.Open(L) || !two.Open(L) || one.Query() != two.Query() {
			t.Error("the same arguments give two queries")
		}
	}); err != nil {
		t.Error(err)
	}
}

// gives makes a Go function give a value to the script.
func gives(L *lua.LState, v lua.LValue) int {
	L.Push(v)
	return 1
}

// A walk that Go has begun goes on in a loop, from the entity it stands on.
func TestWalksAreHandedOver(t *testing.T) {
	const body = `for i = 1, 4 do world:spawn{ Position = { x = i } } end
		local got = {}
		for e, p in probe(world, "Position") do got[#got + 1] = p.x check.fails("use world.commands:spawn", world.spawn, world) end
		check.eq(got, { 3, 4 })
		for e, p in world:each("Position") do got[#got + 1] = p.x end
		check.eq(got, { 3, 4, 1, 2, 3, 4 })
		world:spawn{}`
	s := newScene(t)
	s.env.Set("probe", s.state.NewFunction(func(L *lua.LState) int {
		var w Walk
		if !w.Open(L) {
			t.Fatal("not opened")
		}
		if rows := w.Begin(); rows != 4 {
			t.Errorf("%d rows add to the budget", rows)
		}
		for range 3 {
			w.Cursor.Next()
		}
		g := w.HandOver(L, 2, false, true)
		if !s.bound.InLoop() {
			t.Error("structure is not locked")
		}
		return gives(L, g)
	}))
	s.ok(s.run(body))
	s = newScene(t)
	s.env.Set("probe", s.state.NewFunction(func(L *lua.LState) int {
		w := &Walk{}
		w.Open(L)
		w.Begin()
		w.Cursor.Next()
		w.HandOver(L, 0, false, true)
		return 0
	}))
	s.ok(s.run(`world:spawn{ Position = {} } probe(world, "Position")`)) // and no loop begins
	if s.world.Locked() {
		t.Error("a walk that nobody went on with holds the lock beyond the turn")
	}
	s.ok(s.run(`local n = 0 for e in world:each("Position") do n = n + 1 end check.eq(n, 1)`))
}

// Loops over events are found likewise, and handed over from the event they stand on.
func TestOpenedWalksOverEvents(t *testing.T) {
	for args, want := range map[string]bool{
		`world, "Hit"`: true, `world`: false, `world, 5`: false, `world, "Hitt"`: false, `world, "Hit", 1`: false, `5, "Hit"`: false, `world.commands, "Hit"`: false,
	} {
		if err := probe(t, "probe("+args+")", func(s *scene, L *lua.LState) {
			var w EventWalk
			if w.Open(L, "read") != want {
				t.Errorf("%s: opened is %v", args, !want)
			}
			if want && (w.World() != s.bound || w.Schema().Index("amount") != 1) {
				t.Errorf("%s: it is another walk", args)
			}
			_ = s.surface.Load("a.lua", func() error {
				if (&EventWalk{}).Open(L, "read") {
					t.Error("a walk is opened while a file is loaded")
				}
				return nil
			})
		}); err != nil {
			t.Error(args, err)
		}
	}
	for method, after := range map[string]string{"read": "", "peek": "1 2 3 4 5", "drain": ""} {
		for _, skip := range []int{0, 1, 2} { // walked by Go, one by one or at once
			body := fmt.Sprintf(`for i = 1, 5 do world:send("Hit", { amount = i }) end
				local got = {}
				for ev in probe(world, "Hit") do got[#got + 1] = ev.amount if #got == 1 then world:send("Hit", { amount = 9 }) end end
				check.eq(table.concat(got, " "), %[2]q)
				got = {}
				for ev in world:%[1]s("Hit") do got[#got + 1] = ev.amount end
				check.eq(table.concat(got, " "), %[3]q)`, method, "3 4 5", strings.TrimSpace(after+" 9"))
			s := newScene(t)
			s.env.Set("probe", s.state.NewFunction(func(L *lua.LState) int {
				var w EventWalk
				if !w.Open(L, method) {
					t.Fatal("not opened")
				}
				if rows := w.Begin(); rows != 5 {
					t.Errorf("%s: %d rows add to the budget", method, rows)
				}
				if _, n := w.Rest(); n != 5 {
					t.Errorf("%s: %d are left", method, n)
				}
				for i := 0; i < 2; {
					if p, ok := w.Event(); !ok || p == nil {
						t.Errorf("%s: no event %d", method, i)
					}
					if skip == 0 {
						w.Next()
						i++
					} else {
						w.Skip(skip)
						i += skip
					}
				}
				if first, n := w.Rest(); n != 3 || first == nil {
					t.Errorf("%s: %d are left", method, n)
				}
				return gives(L, w.HandOver(L, 2, false))
			}))
			if err := s.run(body); err != nil {
				t.Errorf("%s, %d at once: %v", method, skip, err)
			}
		}
	}
	if err := probe(t, `world:send("Hit") world:send("Hit") probe(world, "Hit") local n = 0 for ev in world:peek("Hit") do n = n + 1 end check.eq(n, 1)`, func(_ *scene, L *lua.LState) {
		var w EventWalk
		w.Open(L, "drain")
		w.Begin()
		w.Next()
		w.End() // the first is taken
		if w.reader != nil || w.events.Len() > 0 {
			t.Error("it holds the events after its end")
		}
	}); err != nil {
		t.Error(err)
	}
	if err := probe(t, `probe(world, "Hit")`, func(_ *scene, L *lua.LState) {
		var w EventWalk
		w.Open(L, "read")
		w.Begin()
		if p, ok := w.Event(); ok || p != nil {
			t.Error("an event of none")
		}
		if p, n := w.Rest(); p != nil || n != 0 {
			t.Error("a rest of none")
		}
	}); err != nil {
		t.Error(err)
	}
}

// QueryOf is the query that a value stands for.
func TestQueryOf(t *testing.T) {
	for expr, want := range map[string]bool{
		`ecs.query{ "Position" }`: true, `world`: false, `5`: false, `world:get(world:spawn{ Position = {} }, "Position")`: false,
	} {
		if err := probe(t, "probe("+expr+")", func(s *scene, L *lua.LState) {
			if got := s.bound.QueryOf(L.Get(1)); (got != nil) != want {
				t.Errorf("%s: %v", expr, got)
			}
			var none *World
			if none.QueryOf(L.Get(1)) != nil {
				t.Errorf("%s: no world has a query", expr)
			}
			other := s.surface.Bind(ecs.NewWorld(ecs.Options{}), s) // where nothing is declared
			if other.QueryOf(L.Get(1)) != nil {
				t.Errorf("%s: a query of names that are not declared", expr)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

// Rows add to the budget: no loop is ended for the size of the world. Only the first loops of a turn add, and the first that begin within a row of them.
func TestRowsAddToTheBudget(t *testing.T) {
	spent := func(loops, rows, within int) (added int64) {
		s := newScene(t)
		s.ok(s.run(fmt.Sprintf(`world:spawn_many(%d, { Position = {} }) world:spawn{ Velocity = {} } for i = 1, %d do world:send("Hit") end`, rows, rows)))
		fn, err := s.load(fmt.Sprintf(`return function(world)
			for i = 1, %d do for e in world:each("Position") do for j = 1, %d do for o in world:each("Velocity") do end end end end end`, loops, within))
		s.ok(err)
		b := s.state.Budget()
		b.Reset(1 << 30)
		b.Charge(1 << 29) // rows add no more than was used
		before := b.Limit()
		s.ok(s.state.Call(fn, s.bound.Value()))
		s.bound.EndTurn()
		return b.Limit() - before
	}
	one := spent(1, 1, 0)
	if one <= 0 {
		t.Fatalf("a row adds %d", one)
	}
	for _, c := range []struct{ loops, rows, within, want int }{
		{1, 10, 0, 10},
		{2, 10, 0, 20},
		{addingLoops, 1, 0, addingLoops},
		{addingLoops + 1, 1, 0, addingLoops},
		{addingLoops + 50, 2, 0, 2 * addingLoops},
		{1, 1, 1, 2},
		{1, 3, 2, 9},
		{1, 1, addingLoops, 1 + addingLoops},
		{1, 1, addingLoops + 1, 1 + addingLoops},
		{1, 2, addingLoops + 9, 2 + 2*addingLoops},
	} {
		if got := spent(c.loops, c.rows, c.within); got != int64(c.want)*one {
			t.Errorf("%d loops of %d rows with %d within add %d rows, want %d", c.loops, c.rows, c.within, got/one, c.want)
		}
	}
}
