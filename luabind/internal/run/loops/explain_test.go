package loops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// explained is what Explain says of the loops of a file, a line for each: what it walks, when it is interpreted all the same, or why it always is.
func explained(s *scene, source string) string {
	functions := s.load(source, true)
	var b strings.Builder
	for _, l := range s.runner.Loops {
		c, reason := l.Explain(s.bound, functions, s.runner.Library)
		switch {
		case reason != nil:
			fmt.Fprintf(&b, "%d: %s", l.Line, reason)
			if reason.Advice != "" {
				fmt.Fprintf(&b, "; %s", reason.Advice)
			}
		case (c.Query == nil) != (l.Events != "") && l.Outer == nil:
			fmt.Fprintf(&b, "%d: walks both entities and events, or neither", l.Line)
		case c.Narrowed:
			fmt.Fprintf(&b, "%d: narrowed %d", l.Line, len(c.Query.Terms()))
		case c.Query != nil:
			fmt.Fprintf(&b, "%d: query %d", l.Line, len(c.Query.Terms()))
		default:
			fmt.Fprintf(&b, "%d: events", l.Line)
		}
		if reason == nil && c.Program == nil {
			b.WriteString(", no program")
		}
		for _, unless := range c.Unless {
			fmt.Fprintf(&b, ", unless %s", unless)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

// Each file has its loop in line 2.
func TestExplain(t *testing.T) {
	const undeclared = "; declare it in the file, or name the config that does"
	for _, c := range []struct{ name, head, body, want string }{
		{"names", "", "for e, p, q in world:each('A', 'B') do p.x = q.x end", "2: query 2"},
		{"no such component", "", "for e, p in world:each('A', 'Bee') do end", "2: there is no component \"Bee\" (line 2)" + undeclared},
		{"a component twice", "", "for e, p in world:each('A', 'A') do end", "2: the query is wrong: query A: the component is listed twice (line 2)"},
		{"a name in a local", "local name = 'A'", "for e, p in world:each(name) do end", "2: the query is not made in a local beside the function, so it is not known before the loop begins (line 2); make it with ecs.query in a local of the file"},
		{"a query in a local", "local q = ecs.query{ 'A', optional = { 'B' } }", "for e, p in world:each(q) do p.x = 1 end", "2: query 2"},
		{"a query in a local with another name", "local q = ecs.query{ 'A' } local r = q", "for e, p in world:each(r) do p.x = 1 end", "2: query 1"},
		{"a query with all lists", "local q = ecs.query{ 'A', without = { 'B' }, changed = { 'A' }, tagged = { 'red' } }", "for e, p in world:each(q) do p.x = 1 end", "2: query 1"},
		{"a query in a call", "", "local q = ecs.query{ 'A' } for e, p in world:each(q) do p.x = 1 end", "2: query 1"},
		{"a query whose list is a variable", "local list = { 'B' } local q = ecs.query{ 'A', optional = list }", "for e, p in world:each(q) do p.x = 1 end", "2: the query is not made in a local beside the function, so it is not known before the loop begins (line 2); make it with ecs.query in a local of the file"},
		{"a query with no such tag", "", "local q = ecs.query{ 'A', untagged = { 'blue' } } for e, p in world:each(q) do end", "2: there is no tag \"blue\" (line 2)" + undeclared},
		{"a query with no such component", "", "local q = ecs.query{ 'A', any = { 'Bee' } } for e, p in world:each(q) do end", "2: there is no component \"Bee\" (line 2)" + undeclared},
		{"a target", "", "local t = 0 for e, p in world:each('A', 'ChildOf', t) do p.x = 1 end", "2: narrowed 1"},
		{"three names are no target", "", "for e, p, q in world:each('A', 'B', 'ChildOf') do p.x = 1 end", "2: query 3"},
		{"a name that is a parameter", "", "for e in world:each('A') do world.commands:tag(e, k) end", "2: takes a name that is not known before the loop begins (line 2); write it in quotes, or in a local of the file"},
		{"two names are no target", "", "local t = 0 for e, p in world:each('ChildOf', t) do end", "2: the query is not made in a local beside the function, so it is not known before the loop begins (line 2); make it with ecs.query in a local of the file"},
		{"events", "", "local n = 0 for ev in world:read('Hit') do n = n + ev.n end", "2: events"},
		{"events by a local", "local name = 'Hit'", "local n = 0 for ev in world:drain(name) do n = n + ev.n end", "2: events"},
		{"events by a parameter", "", "for ev in world:read(k) do end", "2: the event is not named in quotes, so it is not known before the loop begins (line 2)"},
		{"no such event", "", "for ev in world:read('Hut') do end", "2: there is no event \"Hut\" (line 2)" + undeclared},
		{"syntax", "", "for e, p in world:each('A') do p.x = function() end end", "2: makes a function, and does something else with it than call it (line 2); make it before the loop"},
		{"a parameter is taken for a number", "", "for e, p in world:each('A') do p.x = k end", "2: query 1"},
		{"a string in a field of numbers", "local word = 'text'", "for e, p in world:each('A') do p.x = word end", "2: assigns a string to the field \"x\" (line 2)"},
		{"strings that are joined", "", "local s = 'a' .. k for e, p in world:each('A') do p.s = s end", "2: query 1"},
		{"a string by its value", "local word word = 'text'", "for e, p in world:each('A') do p.x = word end", "2: assigns a string to the field \"x\" (line 2)"},
		{"nil", "", "local k = nil for e, p in world:each('A') do p.x = k end", "2: uses \"k\", which is nil when the loop begins (line 2)"},
		{"another name of a string", "", "local word = 'text' local w = word for e, p in world:each('A') do p.x = w end", "2: assigns a string to the field \"x\" (line 2)"},
		{"another name that is assigned", "", "local word = 'text' local w = word w = 1 for e, p in world:each('A') do p.x = w end", "2: query 1"},
		{"another name of what is assigned", "", "local word = 'text' word = 1 local w = word for e, p in world:each('A') do p.x = w end", "2: query 1"},
		{"a boolean", "", "local k = not true for e, p in world:each('A') do p.b = k end", "2: query 1"},
		{"a comparison", "", "local k = 1 < 2 for e, p in world:each('A') do p.x = k end", "2: assigns a boolean to the field \"x\" (line 2)"},
		{"math", "local m, f = math, math.sqrt", "for e, p in world:each('A') do p.x = f(p.x) + m.floor(p.y) + math.huge end", "2: query 1"},
		{"random", "", "local r = ecs.random for e, p in world:each('A') do p.x = r() + ecs.random() end", "2: query 1"},
		{"commands", "", "local c, w = world.commands, world for e in world:each('A') do c:despawn(e) w.commands:tag(e, 'red') end", "2: query 1"},
		{"a resource of each type", "", "local r = world.resources for e, p in world:each('A') do p.x = r.score p.s = r.title p.b = r.open end", "2: query 1"},
		{"the value of a number", "", "local v = world.resources.score for e, p in world:each('A') do p.s = v end", "2: assigns a number to the field \"s\" (line 2)"},
		{"the value of a string", "", "local v = world.resources.title for e, p in world:each('A') do p.x = v end", "2: assigns a string to the field \"x\" (line 2)"},
		{"the value of a boolean", "", "local v = world.resources.open for e, p in world:each('A') do p.x = v end", "2: assigns a boolean to the field \"x\" (line 2)"},
		{"the value of a table", "", "local v = world.resources.list for e, p in world:each('A') do p.x = v end", "2: uses v, which is no number, boolean, string or table of constants when the loop begins (line 2)"},
		{"the value of none", "", "local v = world.resources.scores for e, p in world:each('A') do p.x = v end", "2: uses v, which is no number, boolean, string or table of constants when the loop begins (line 2)"},
		{"a list of numbers", "local list = { 1, 2 }", "for e, p in world:each('A') do p.x = list[1] end", "2: query 1"},
		{"an element that may be missing", "local list = { 1, 2 }", "for e, p in world:each('A') do p.x = list[p.y] or 3 end", "2: query 1"},
		{"an empty list", "local list = {}", "for e, p in world:each('A') do p.x = list[1] end", "2: query 1, unless while the table \"list\" has an element that is no number"},
		{"a list that is a parameter", "", "local list = k for e, p in world:each('A') do p.x = list[1] end", "2: query 1, unless while the table \"list\" has an element that is no number"},
		{"a list that is too long", "local list = {} for i = 1, 4097 do list[i] = i end", "for e, p in world:each('A') do p.x = list[1] end", "2: query 1"},
		{"a list from 0 with a string", "local list = { [0] = 1 } list[-1] = 'text'", "for e, p in world:each('A') do p.x = list[0] end", "2: query 1"},
		{"rows", "local rows = { { x = 1 } }", "for e, p in world:each('A') do p.x = rows[1].x end", "2: query 1"},
		{"rows without the member", "local rows = { { y = 1 } }", "for e, p in world:each('A') do p.x = rows[1].x end", `2: the table "rows" has an element that is no table with a number x (line 2); make its elements alike`},
		{"a member", "local t = { n = 1, s = 'text' }", "for e, p in world:each('A') do p.x = t.n end", "2: query 1"},
		{"a member of another type", "local t = { n = 1, s = 'text' }", "for e, p in world:each('A') do p.x = t.s end", `2: assigns a string to the field "x" (line 2)`},
		{"a member of a local table", "", "local t = { n = 1, s = 'text' } for e, p in world:each('A') do p.x = t.s end", `2: assigns a string to the field "x" (line 2)`},
		{"a member that is missing", "", "local t = {} for e, p in world:each('A') do p.x = t.n end", "2: uses t.n, which is nil when the loop begins (line 2)"},
		{"a loop within", "", "for e, p in world:each('A') do\nfor o, q in world:each('B') do q.x = p.x end end", "2: query 1\n3: query 1"},
		{"a loop within one that is interpreted", "", "for e, p in world:each('A') do coroutine.wrap(print)\nfor o, q in world:each('B') do q.x = 1 end end", "2: calls coroutine.wrap (line 2); do it in a loop of its own after this one, or leave it interpreted\n3: query 1"},
		{"a loop within that takes the field of one that is interpreted", "", "for e, p in world:each('A') do coroutine.wrap(print)\nfor o, q in world:each('B') do q.x = p.x end end", "2: calls coroutine.wrap (line 2); do it in a loop of its own after this one, or leave it interpreted\n3: uses p.x, a field of the loop around it, which is interpreted (line 3); keep the value in a local before the loop"},
	} {
		source := "local ecs = require('ecs') " + c.head + " return function(world, k)\n" + c.body + " end"
		if got := explained(newScene(t), source); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Each list of ecs.query is the one of that name in the query that is explained.
func TestExplainedFilter(t *testing.T) {
	s := newScene(t)
	functions := s.load("local q = require('ecs').query{ 'A', optional = { 'B' }, changed = { 'A' }, tagged = { 'red' } }\n"+
		"local r = require('ecs').query{ 'B', without = { 'A' }, added = { 'B' }, untagged = { 'red' } }\nlocal o = require('ecs').query{ any = { 'A', 'B' } }\n"+
		"return function(world) for e in world:each(q) do end for e in world:each(r) do end for e in world:each(o) do end end", true)
	var got []string
	for _, l := range s.runner.Loops {
		c, reason := l.Explain(s.bound, functions, s.runner.Library)
		if reason != nil {
			t.Fatal(reason)
		}
		f := c.Query.Filter()
		got = append(got, fmt.Sprint(f.Required, f.Optional, f.Without, f.Any, f.Changed, f.Added, f.Tagged, f.Untagged, f.Inherited))
	}
	a, _ := s.world.LookupComponent("A")
	b, _ := s.world.LookupComponent("B")
	red, _ := s.world.LookupTag("red")
	want := []string{
		fmt.Sprintf("[%v] [%v] [] [] [%v] [] [%v] [] true", a, b, a, red),
		fmt.Sprintf("[%v] [] [%v] [] [] [%v] [] [%v] true", b, a, b, red),
		fmt.Sprintf("[] [] [] [%v %v] [] [] [] [] true", a, b),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of functions that lie in each other, the innermost one around a loop tells what its variables hold.
func TestExplainInnermost(t *testing.T) {
	const source = "local function make() local word word = 'text'\nreturn function(world)\nfor e, p in world:each('A') do p.x = word end\nend end\n"
	const want = "3: assigns a string to the field \"x\" (line 3)"
	for _, returned := range []string{"make(), make", "make, make()"} {
		if got := explained(newScene(t), source+"return "+returned); got != want {
			t.Errorf("%s: got %s, want %s", returned, got, want)
		}
	}
}

// Query tells what a loop gives to each, before its function runs: names in quotes, or a query in a variable around the function.
func TestQueryOfLoop(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"names", "return function(world) for e in world:each('A', 'B') do end end", "A B"},
		{"none", "return function(world) for e in world:each() do end end", ""},
		{"a query around", "local q = ecs.query{ 'A' } return function(world) for e in world:each(q) do end end", "query 1"},
		{"a query around with a target", "local q, to = ecs.query{ 'A' }, 0 return function(world) for e in world:each(q, 'ChildOf', to) do end end", "not known"},
		{"a query around with a name", "local q = ecs.query{ 'A' } return function(world) for e in world:each(q, 'ChildOf') do end end", "not known"},
		{"a string around", "local name = 'A' return function(world) for e in world:each(name) do end end", "not known"},
		{"a query of its own", "return function(world)\nlocal q = ecs.query{ 'A' }\nfor e in world:each(q) do end\nend", "not known"},
		{"a parameter", "return function(world, q) for e in world:each(q) do end end", "not known"},
		{"a call", "local f return function(world) for e in world:each(f()) do end end", "not known"},
		{"a query that its own one hides", "local q = ecs.query{ 'B' }\nreturn function(world)\nlocal n = q local q = ecs.query{ 'A' }\nfor e in world:each(q) do end\nend", "not known"},
	} {
		s := newScene(t)
		fn := s.load("local ecs = require('ecs') "+c.source, true)[0]
		args, ok := s.runner.Loops[0].Query(fn)
		var got []string
		for _, arg := range args {
			if q := s.bound.QueryOf(arg); q != nil {
				got = append(got, fmt.Sprint("query ", len(q.Terms())))
			} else {
				got = append(got, arg.String())
			}
		}
		if !ok {
			got = []string{"not known"}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The functions of a system are followed into those of the same file that their variables hold, each once.
func TestReached(t *testing.T) {
	s := newScene(t)
	functions := s.load("local ecs = require('ecs') local floor = math.floor local function f() return floor(1) end local g local function h() return f() + g() end function g() return h() end "+
		"return function(world) return h() + f() end, function(world) return f() + ecs.none end", true)
	if all := reached(append(functions, nil, functions[0])); len(all) != 5 || all[0] != functions[0] || all[1] != functions[1] {
		t.Errorf("%d functions are reached, want the two of the system and f, g and h", len(all))
	}
	if all := reached(functions[1:]); len(all) != 2 || all[0] != functions[1] {
		t.Errorf("%d functions are reached from the second one, want it and f", len(all))
	}
	other := &lua.LFunction{Proto: &lua.FunctionProto{SourceName: "b.lua"}, Upvalues: []*lua.Upvalue{{}}}
	other.Upvalues[0].Close()
	other.Upvalues[0].SetValue(functions[0])
	if all := reached([]*lua.LFunction{other}); len(all) != 1 {
		t.Errorf("%d functions are reached, want none of another file", len(all)-1)
	}
}

// What is guessed before the first frame is used if the values turn out that way, and only until it is forgotten.
func TestGuess(t *testing.T) {
	const source = "local k = 1 return function(world)\nfor e, p in world:each('A') do p.x = k\nfor f, r in world:each('B') do r.x = 2 for g, o in world:each('B') do o.x = 1 end end end\nfor e, p in world:each('Bee') do end\n" +
		"for ev in world:read('Hit') do k = ev.n end\nfor e in world:each('A') do k = {} end\nfor e, p in world:each('B') do p.x = k end end, function() k = 'text' end"
	for _, c := range []struct {
		name    string
		prepare func(s *scene, functions []*lua.LFunction)
		used    bool
	}{
		{"right", func(*scene, []*lua.LFunction) {}, true},
		{"forgotten", func(s *scene, _ []*lua.LFunction) { s.runner.Forget() }, false},
		{"wrong", func(s *scene, functions []*lua.LFunction) { s.ok(s.state.Call(functions[1])) }, false},
	} {
		s := newScene(t)
		functions := s.load(strings.Replace(source, "'Bee'", "'A', 'B'", 1), true)
		guesses := s.runner.Guess(s.bound, functions)
		var terms []int
		for _, g := range guesses {
			terms = append(terms, len(g.Query.Terms()))
			if g.Program == nil || g.Make != nil {
				t.Errorf("%s: a guess has no program, or code already", c.name)
			}
		}
		if !slices.Equal(terms, []int{1, 2, 1}) {
			t.Errorf("%s: guesses for queries of %v components, want 1, 2 and 1", c.name, terms)
		}
		made, machine := 0, 0
		guesses[0].Make = func() kernel.Kernel { made++; return nil }
		s.runner.Machine = func(p *ir.Program, _ *ecs.Query) kernel.Kernel { machine++; return nil }
		c.prepare(s, functions)
		_ = s.state.Call(functions[0], s.bound.Value())
		if (made == 1) != c.used || made > 1 || machine == 0 {
			t.Errorf("%s: the code of the guess was taken %d times, machine code asked for %d times", c.name, made, machine)
		}
	}
	s := newScene(t)
	functions := s.load(source, true)
	if n := len(s.runner.Guess(s.bound, functions)); n != 2 {
		t.Errorf("%d guesses, want none for a query of a component that is not declared", n)
	}
}

// What a kernel cannot take from around its loop is of another kind than what it can.
func TestKindOf(t *testing.T) {
	s := newScene(t)
	marked, plain := s.state.NewTable(), s.state.NewTable()
	marked.Metatable = s.state.NewTable()
	for _, c := range []struct {
		name  string
		value lua.LValue
		want  lower.InputKind
	}{
		{"a table", plain, lower.TableInput},
		{"a table with a metatable", marked, lower.ObjectInput},
		{"a function", s.state.NewFunction(nil), lower.OtherInput},
		{"the world", s.bound.Value(), lower.WorldInput},
		{"its resources", s.bound.Resources(), lower.ResourcesInput},
		{"its commands", s.bound.Commands(), lower.CommandsInput},
		{"another userdata", s.state.NewUserData(1, nil), lower.OtherInput},
		{"nil", lua.LNil, lower.NilInput},
	} {
		if got := kindOf(c.value, lower.Input{Read: true}, s.bound, nil); got.InputKind != c.want {
			t.Errorf("%s is of kind %v, want %v", c.name, got.InputKind, c.want)
		}
		if got := kindOf(c.value, lower.Input{Assigned: true}, s.bound, nil); got.InputKind != lower.NilInput {
			t.Errorf("%s that is only assigned is of kind %v", c.name, got.InputKind)
		}
	}
}
