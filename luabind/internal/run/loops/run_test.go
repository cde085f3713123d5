package loops

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// A scene is a world with the Lua surface, and a Runner that makes kernels of closures only. It is the [surface.Host], too.
type scene struct {
	t       testing.TB
	world   *ecs.World
	state   *sandbox.State
	surface *surface.Surface
	bound   *surface.World
	runner  *Runner
	printed bytes.Buffer
}

func (s *scene) World() *ecs.World                                { return s.world }
func (s *scene) Random() *ecs.Random                              { return s.world.Random() }
func (s *scene) Log(sandbox.Pos, slog.Level, string, []slog.Attr) {}

// newScene declares the components A and B, the tag red, the event Hit and a resource of most types.
func newScene(t testing.TB) *scene {
	t.Helper()
	s := &scene{t: t, world: ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000}), state: sandbox.New(sandbox.Options{})}
	s.ok(surface.DeclareRelations(s.world))
	field := func(name string, typ ecs.FieldType) ecs.Field { return ecs.Field{Name: name, Type: typ} }
	schema := func(fields ...ecs.Field) *ecs.Schema {
		made, err := ecs.NewSchema(fields...)
		s.ok(err)
		return made
	}
	_, err := s.world.DeclareComponent("A", schema(field("x", ecs.F64), field("y", ecs.F64), field("n", ecs.I8), field("s", ecs.String), field("b", ecs.Bool)))
	s.ok(err)
	_, err = s.world.DeclareComponent("B", schema(field("x", ecs.F64)))
	s.ok(err)
	_, err = s.world.DeclareTag("red")
	s.ok(err)
	_, err = s.world.DeclareEvent("Hit", schema(field("n", ecs.F64), field("s", ecs.String)))
	s.ok(err)
	for _, r := range []struct {
		name string
		of   ecs.FieldType
		with ecs.Value
	}{
		{"score", ecs.F64, ecs.Number(5)},
		{"title", ecs.String, ecs.Text("none")},
		{"open", ecs.Bool, ecs.Boolean(true)},
		{"who", ecs.EntityField, ecs.EntityOf(ecs.None)},
		{"seed", ecs.U64, ecs.Uint(1<<63 + 1)},
		{"list", ecs.TableField, ecs.Value{}},
	} {
		_, err = s.world.DeclareResource(r.name, r.of, r.with)
		s.ok(err)
	}
	s.surface = surface.New(s.state)
	s.bound = s.surface.Bind(s.world, s)
	return s
}

func (s *scene) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// load compiles and runs a file with a new Runner, and returns the functions that the file returns.
func (s *scene) load(source string, compile bool) (functions []*lua.LFunction) {
	s.t.Helper()
	file := &File{}
	chunk, err := sandbox.Compile("a.lua", source, Pass(file))
	s.ok(err)
	s.runner = &Runner{File: file, Compile: func() bool { return compile }}
	env := s.state.NewEnv(sandbox.EnvOptions{Print: &s.printed, Random: s.surface.Stream(s)})
	ecsModule := s.surface.Module(s, env, s.surface.GuardRandom(s, env))
	env.Set("require", s.state.NewFunction(func(L *lua.LState) int { L.Push(ecsModule); return 1 }))
	s.state.Budget().Reset(2_000_000)
	s.ok(s.surface.Load("a.lua", func() error {
		out, err := s.state.CallResults(env.Load(chunk, s.runner.Fill(s.state, env, nil)), -1)
		for _, v := range out {
			if fn, ok := v.(*lua.LFunction); ok {
				functions = append(functions, fn)
			}
		}
		return err
	}))
	for _, p := range s.surface.Pending() {
		s.ok(p.Resolve(s.world))
	}
	return functions
}

// play runs a function of the world in some frames.
func (s *scene) play(fn *lua.LFunction, frames int) {
	s.t.Helper()
	schedule := ecs.NewSchedule(s.world)
	schedule.Add("case", func(*ecs.World, float64) error {
		s.state.Budget().Reset(20_000_000)
		defer s.bound.EndTurn()
		return s.state.Call(fn, s.bound.Value())
	})
	for range frames {
		s.ok(schedule.Run(0.5))
	}
}

// falls is a line for each Fall, of its loop and the reason.
func (s *scene) falls() string {
	var list []string
	for _, f := range s.runner.Falls {
		list = append(list, fmt.Sprintf("%d: %s", f.Loop.Line, f.Reason))
	}
	return strings.Join(list, "\n")
}

// A loopCase is a file whose function runs in two frames: what it prints, how many kernels are made, and why the interpreter ran a loop.
type loopCase struct {
	name, head, body string
	prints           string
	kernels          int
	falls            string
}

// runCases runs each case interpreted, then compiled: both print the same.
func runCases(t *testing.T, cases []loopCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			source := c.head + " local frame = 0 return function(world) frame = frame + 1 " +
				"if frame == 1 then for i = 1, 3 do world:spawn{ A = { x = i, y = 10, s = 's' .. i, b = i == 2 } } end end\n" + c.body + " end"
			for _, compile := range []bool{false, true} {
				s := newScene(t)
				s.play(s.load(source, compile)[0], 2)
				kernels, falls := 0, ""
				if compile {
					kernels, falls = c.kernels, c.falls
				}
				if got := strings.TrimSpace(s.printed.String()); got != c.prints {
					t.Errorf("compiled %v: printed %q, want %q", compile, got, c.prints)
				}
				if s.runner.Kernels() != kernels || s.runner.MachineKernels() != 0 {
					t.Errorf("compiled %v: %d kernels, %d of machine code, want %d and 0", compile, s.runner.Kernels(), s.runner.MachineKernels(), kernels)
				}
				if got := s.falls(); got != falls {
					t.Errorf("compiled %v: fell for %q, want %q", compile, got, falls)
				}
			}
		})
	}
}

// What a loop uses from around itself is read when it begins, and what it assigns is written back when it ends.
func TestInputs(t *testing.T) {
	runCases(t, []loopCase{
		{"a number", "local k = 2", "for e, p in world:each('A') do p.x = p.x * k end k = k + 1 local n = 0 for e, p in world:each('A') do n = n + p.x end print(n)", "12\n36", 2, ""},
		{"a sum", "", "local sum = frame for e, p in world:each('A') do sum = sum + p.x end print(sum)", "7\n8", 1, ""},
		{"a sum of the file", "local sum = 0", "for e, p in world:each('A') do sum = sum + p.x end print(sum)", "6\n12", 1, ""},
		{"a boolean", "local on = true", "for e, p in world:each('A') do if on then on = p.x < 2 end end print(on)", "false\nfalse", 1, ""},
		{"a string", "local s = 's2' local last = ''", "for e, p in world:each('A') do if p.s == s then last = p.s end end print(last)", "s2\ns2", 1, ""},
		{"nothing before", "", "local found for e, p in world:each('A') do if p.b then found = p.x end end print(found)", "2\n2", 1, ""},
		{"nothing after", "", "local found for e, p in world:each('A') do if p.x > 9 then found = p.x end end print(found)", "nil\nnil", 1, ""},
		{"a variable of another function", "local n = 0 local function add(x) n = n + x end", "for e, p in world:each('A') do add(p.x) end print(n)", "6\n12", 1, ""},
		{"time and frame", "", "local a, b, c = 0, 0, 0 for e in world:each('A') do a, b, c = world.dt, world.time, world.frame end print(a, b, c)", "0.5\t0\t1\n0.5\t0.5\t2", 1, ""},
		{"a member", "local t = { n = 1 }", "for e, p in world:each('A') do t.n = t.n + p.x end print(t.n)", "7\n13", 1, ""},
		{"a member of a type of its own", "local t = { on = false, s = '' }", "for e, p in world:each('A') do if p.b then t.on = true t.s = p.s end end print(t.on, t.s)", "true\ts2\ntrue\ts2", 1, ""},
		{"a member that is missing", "local t = {}", "local n = 0 for e, p in world:each('A') do n = n + (t.n or 1) end print(n)", "3\n3", 1, ""},
		{"a member of a number", "local t = 1", "print((pcall(function() for e, p in world:each('A') do p.x = t.n end end)))", "false\nfalse", 0, "2: uses t.n, which is no number, boolean, string or table of constants when the loop begins (line 2)"},
		{"functions of math", "local floor = math.floor", "local n = 0 for e, p in world:each('A') do n = n + floor(p.x / 2) + math.max(p.x, 2) end print(n)", "9\n9", 1, ""},
		{"a function of the file in math's place", "local floor = function(x) return x + 1 end", "local n = 0 for e, p in world:each('A') do n = n + floor(p.x) end print(n)", "9\n9", 1, ""},
		{"resources", "", "local r = world.resources for e, p in world:each('A') do r.score = r.score + p.x if p.b then r.title = p.s r.open = false r.who = e end end print(r.score, r.title, r.open, r.who ~= 0)", "11\ts2\tfalse\ttrue\n17\ts2\tfalse\ttrue", 1, ""},
		{"the entity of a resource", "", "local n = 0 for e in world:each('A') do if world.resources.who == e then n = n + 1 end end print(n) for e, p in world:each('A') do if p.b then world.resources.who = e end end", "0\n1", 2, ""},
		{"a name", "local name = 'red'", "for e in world:each('A') do world.commands:tag(e, name) end print(frame)", "1\n2", 1, ""},
		{"another type makes another kernel", "local k = 1", "local last for e, p in world:each('A') do last = k end print(last) k = 'text'", "1\ntext", 2, ""},
		{"another query makes another kernel", "local ecs = require('ecs') local a, b = ecs.query{ 'A' }, ecs.query{ 'A', without = { 'B' } }", "local q, n = a, 0 if frame == 2 then q = b end for e, p in world:each(q) do n = n + p.x end print(n)", "6\n6", 2, ""},
		{"return", "", "print((function() for e, p in world:each('A') do if p.b then return p.x, p.s, p.b, nil end end return 'none' end)())", "2\ts2\ttrue\tnil\n2\ts2\ttrue\tnil", 1, ""},
		{"the second return", "", "print((function() for e, p in world:each('A') do if p.x > 9 then return 1 end if p.x > 2 then return p.x, 'second' end end end)())", "3\tsecond\n3\tsecond", 1, ""},
		{"events", "", "for e, p in world:each('A') do world:send('Hit', { n = p.x, s = p.s }) end local n, s = 0 for ev in world:read('Hit') do n = n + ev.n s = ev.s end print(n, s)", "6\ts3\n6\ts3", 2, ""},
		{"events are left", "", "world:send('Hit', { n = 1 }) local n = 0 for ev in world:peek('Hit') do n = n + ev.n end for ev in world:drain('Hit') do n = n + 10 end for ev in world:drain('Hit') do n = n + 100 end print(n)", "11\n11", 3, ""},
	})
}

// A loop that may have kernels says why the interpreter ran it: each reason once, in the order in which they come up.
func TestFalls(t *testing.T) {
	const row = "for e, p in world:each('A') do p.y = p.x + k end "
	runCases(t, []loopCase{
		{"a loop that never has kernels", "", "local n = 0 for e, p in world:each('A') do (function(...) n = n + p.x return arg end)() end print(n)", "6\n6", 0, ""},
		{"a reason of the syntax of the body", "", "for e, p in world:each('A') do coroutine.wrap(print) print(p.x) end", "1\n2\n3\n1\n2\n3", 0, "2: calls coroutine.wrap (line 2)"},
		{"a reason of the kinds", "local k", "k = 1 " + row + "k = world print((pcall(function() " + row + " end)))", "false\nfalse", 1, "2: uses k, which is the world, as a value (line 2)"},
		{
			"the same reason of two loops", "local k",
			"k = nil\npcall(function() " + row + " end)\npcall(function() " + row + " end)\nprint(k)", "nil\nnil", 0, "3: uses \"k\", which is nil when the loop begins (line 3)\n4: uses \"k\", which is nil when the loop begins (line 4)",
		},
		{
			"the rest of the events", "local list = { 10, 20 }",
			"for i = 1, 4 do world:send('Hit', { n = i }) end local n = 0 for ev in world:drain('Hit') do n = n + (list[ev.n] or 5) end print(n)",
			"40\n40", 1, "",
		},
		{"a value that does not fit", "", "print((pcall(function() for e, p in world:each('A') do p.n = p.x * 100 end end)))", "false\nfalse", 1, ""},
		{
			"a resource beyond 2^53", "",
			"print((pcall(function() for e, p in world:each('A') do p.x = p.x + world.resources.seed end end)))", "false\nfalse", 1,
			"2: the resource \"seed\" holds 9223372036854775809, and a Lua number is exact up to 2^53 either way",
		},
		{
			"too many kinds", "local ecs = require('ecs') for i = 1, 40 do ecs.tag('t' .. i) end",
			"for i = 1, 40 do local name = 't' .. i for e in world:each('A') do world.commands:tag(e, name) end end print('done')", "done\ndone", 32, "2: its variables have held too many kinds of values",
		},
		{"a world that is none", "", "local w = {} print((pcall(function() for e in w:each('A') do end end)))", "false\nfalse", 0, ""},
		{"an argument that is no query", "", "local name = 5 print((pcall(function() for e in world:each(name) do end end)))", "false\nfalse", 0, ""},
		{"events that are not declared", "", "local name = 'Hut' print((pcall(function() for e in world:read(name) do end end)))", "false\nfalse", 0, ""},
	})
}

// Of a file 200 reasons are kept.
func TestMostFalls(t *testing.T) {
	s := newScene(t)
	s.load("local world = ... return function(world) for e in world:each('A') do end for e in world:each('B') do end end", true)
	sites := []site{newSite(0, s.runner.kernels[0], new(sandbox.Env)), newSite(1, s.runner.kernels[1], new(sandbox.Env))}
	for i := range 4 * mostFalls {
		s.runner.fell(&sites[i%2], refusal{text: fmt.Sprint("reason ", i/4)}, false)
	}
	if n := len(s.runner.Falls); n != mostFalls {
		t.Fatalf("%d reasons are kept, want %d", n, mostFalls)
	}
	for i, f := range s.runner.Falls {
		if f.Loop != s.runner.kernels[i%2] || f.Reason != fmt.Sprint("reason ", i/2) {
			t.Errorf("reason %d is %q of the loop of line %d", i, f.Reason, f.Loop.Line)
		}
	}
}

// A Runner that is nil, and one without loops, fill in nothing and have made nothing.
func TestNoRunner(t *testing.T) {
	s := newScene(t)
	env := s.state.NewEnv(sandbox.EnvOptions{})
	for _, r := range []*Runner{nil, {File: &File{}}} {
		r.Forget()
		if r.Fill(s.state, env, nil) != nil || r.Kernels() != 0 || r.MachineKernels() != 0 || r.Guess(s.bound, nil) != nil {
			t.Errorf("%+v is not empty", r)
		}
	}
	r := &Runner{Place: func(file string, line int) uint16 { return uint16(len(file) + line + 1) }}
	if (&Runner{}).place("", 4) != 0 || r.place("a.lua", 4) != 10 {
		t.Error("the place of a line is not what Place gives")
	}
}

// watched is a kernel of closures in the place of machine code; it keeps what is to be told of a difference.
type watched struct {
	kernel.Kernel
	report func(*kernel.Difference)
}

func (w *watched) Watch(report func(*kernel.Difference)) { w.report = report }

// A difference of machine code is reported with the line of the loop and the name of what differs.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		body, what string
		want       []string // by output; the last one is of no input
	}{
		{"for e, p in world:each('A') do n = n + p.x end", "", []string{`the variable "n"`, ""}},
		{"for e, p in world:each('A') do n = n + p.x end", "the sign", []string{`the sign: the variable "n"`, "the sign"}},
		{"for e, p in world:each('A') do t.n = t.n + p.x end", "", []string{`the variable "t.n"`, ""}},
		{"for e, p in world:each('A') do world.resources.score = p.x end", "", []string{`the resource "score"`, ""}},
		{"for e, p in world:each('A') do p.x = 1 end", "", []string{""}},
	} {
		s := newScene(t)
		fn := s.load("local n, t = 0, { n = 0 } return function(world)\n"+c.body+" end", true)[0]
		var code *watched
		var program *ir.Program
		s.runner.Machine = func(p *ir.Program, q *ecs.Query) kernel.Kernel {
			code, program = &watched{Kernel: closures.Compile(p, s.state.Budget())}, p
			return code
		}
		var got []string
		s.runner.Differs = func(line int, d *kernel.Difference) {
			if line != 2 {
				t.Errorf("%s: reported in line %d", c.body, line)
			}
			got = append(got, d.What)
		}
		s.play(fn, 2)
		if code == nil || code.report == nil || s.runner.MachineKernels() != 1 || s.runner.Kernels() != 1 {
			t.Errorf("%s: machine code was not made once, or is not compared", c.body)
			continue
		}
		for _, out := range program.Outputs {
			code.report(&kernel.Difference{Input: out.Input, What: c.what})
		}
		code.report(&kernel.Difference{Input: -1, What: c.what})
		if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("%s: reported %q, want %q", c.body, got, c.want)
		}
	}
}

// Machine code is asked for once for each kernel, not for the sources of one target, and its commands carry the place of their line.
func TestMachine(t *testing.T) {
	for _, c := range []struct {
		body   string
		asked  string // the queries, or events
		places []uint16
	}{
		{"for e, p in world:each('A') do p.x = 1 end", "query", nil},
		{"for e, p in world:each('A', 'ChildOf', 0) do p.x = 1 end", "", nil},
		{"local to = 1 for e, p in world:each('A', 'ChildOf', to) do p.x = 1 end", "", nil},
		{"for ev in world:read('Hit') do local n = ev.n end", "events", nil},
		{"for e in world:each('A') do\nworld.commands:tag(e, 'red')\nworld.commands:despawn(e) end", "query", []uint16{102, 103}},
	} {
		s := newScene(t)
		fn := s.load("return function(world) "+c.body+" end", true)[0]
		var asked []string
		var places []uint16
		s.runner.Place = func(_ string, line int) uint16 { return uint16(100 + line) }
		s.runner.Machine = func(p *ir.Program, q *ecs.Query) kernel.Kernel {
			if p.Events != nil {
				asked = append(asked, "events")
			} else if q != nil {
				asked = append(asked, "query")
			}
			for _, e := range p.Effects {
				places = append(places, e.Place)
			}
			return nil
		}
		s.play(fn, 2)
		if strings.Join(asked, ", ") != c.asked || !slices.Equal(places, c.places) || s.runner.MachineKernels() != 0 {
			t.Errorf("%s: asked for %q with places %v, want %q, %v", c.body, asked, places, c.asked, c.places)
		}
	}
}
