package surface

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A scene is a Lua state and a world with the surface between them, and nothing else of package luabind: no files, no policies, no compiled loops. It is the
// [Host], too.
type scene struct {
	t       testing.TB
	world   *ecs.World
	state   *sandbox.State
	surface *Surface
	bound   *World
	env     *sandbox.Env
	printed bytes.Buffer
	logged  []string
	running bool // a turn is: there is a stream of random numbers
	noWorld bool // World gives nil
}

func (s *scene) World() *ecs.World {
	if s.noWorld {
		return nil
	}
	return s.world
}

func (s *scene) Random() *ecs.Random {
	if !s.running {
		return nil
	}
	return s.world.Random()
}

func (s *scene) Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr) {
	s.logged = append(s.logged, fmt.Sprintf("%d %s %s %v", pos.Line, level, message, attrs))
}

// newScene makes a world in which these things are declared: what the cases of testdata use.
func newScene(t testing.TB) *scene {
	t.Helper()
	s := &scene{t: t, world: ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000}), state: sandbox.New(sandbox.Options{})}
	s.ok(DeclareRelations(s.world))
	field := func(name string, typ ecs.FieldType) ecs.Field { return ecs.Field{Name: name, Type: typ} }
	hundred := func(name string) ecs.Field { return ecs.Field{Name: name, Type: ecs.F64, Default: ecs.Number(100)} }
	for _, c := range []struct {
		name   string
		fields []ecs.Field
	}{
		{"Position", []ecs.Field{field("x", ecs.F64), field("y", ecs.F64)}},
		{"Velocity", []ecs.Field{field("dx", ecs.F64), field("dy", ecs.F64)}},
		{"Health", []ecs.Field{hundred("current"), hundred("max")}},
		{"Kinds", []ecs.Field{
			field("f64", ecs.F64), field("f32", ecs.F32), field("i32", ecs.I32), field("u32", ecs.U32), field("i16", ecs.I16), field("u16", ecs.U16),
			field("i8", ecs.I8), field("u8", ecs.U8), field("flag", ecs.Bool), field("who", ecs.EntityField), field("name", ecs.String), field("items", ecs.TableField),
		}},
		{"Wide", []ecs.Field{field("i64", ecs.I64), field("u64", ecs.U64)}},
		{"Marker", nil},
	} {
		schema, err := ecs.NewSchema(c.fields...)
		s.ok(err)
		_, err = s.world.DeclareComponent(c.name, schema)
		s.ok(err)
	}
	for _, tag := range []string{"player", "enemy", "selected"} {
		_, err := s.world.DeclareTag(tag)
		s.ok(err)
	}
	hit, err := ecs.NewSchema(field("target", ecs.EntityField), field("amount", ecs.F64), field("note", ecs.String), field("extra", ecs.TableField))
	s.ok(err)
	_, err = s.world.DeclareEvent("Hit", hit)
	s.ok(err)
	_, err = s.world.DeclareResource("score", ecs.I32, ecs.Number(0))
	s.ok(err)
	_, err = s.world.DeclareResource("title", ecs.String, ecs.Text("untitled"))
	s.ok(err)
	s.surface = New(s.state)
	s.bound = s.surface.Bind(s.world, s)
	s.env = s.state.NewEnv(sandbox.EnvOptions{Print: &s.printed, Random: Stream(s)})
	modules := map[string]lua.LValue{"ecs": s.surface.Module(s, s.surface.GuardRandom(s, s.env))}
	s.env.Set("require", s.state.NewFunction(func(L *lua.LState) int {
		if v, ok := modules[L.CheckString(1)]; ok {
			L.Push(v)
			return 1
		}
		raise(L, "no module %q", L.CheckString(1))
		return 0
	}))
	modules["check"] = s.results("check.lua", checkModule)[0]
	modules["lib.stateful"] = s.state.NewTable() // what cases keep from frame to frame
	return s
}

func (s *scene) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// results runs a file, and returns what it returns.
func (s *scene) results(name, source string) []lua.LValue {
	s.t.Helper()
	chunk, err := sandbox.Compile(name, source)
	s.ok(err)
	s.state.Budget().Reset(2_000_000)
	out, err := s.state.CallResults(s.env.Load(chunk, nil), -1)
	s.ok(err)
	return out
}

// load runs the body of a file as it is loaded, and resolves the names it waits for. It returns what the file returns.
func (s *scene) load(source string) (out lua.LValue, err error) {
	chunk, err := sandbox.Compile("case.lua", source)
	if err != nil {
		return nil, err
	}
	s.state.Budget().Reset(2_000_000)
	err = s.surface.Load(func() error {
		list, err := s.state.CallResults(s.env.Load(chunk, nil), 1)
		if err == nil {
			out = list[0]
		}
		return err
	})
	for _, p := range s.surface.Pending() {
		if err == nil {
			if err = p.Resolve(s.world); err != nil {
				err = &sandbox.Error{Pos: p.Pos, Message: err.Error(), Cause: err}
			}
		}
	}
	return out, err
}

// play runs a function in some frames, as a system.
func (s *scene) play(fn lua.LValue, frames int) error {
	schedule := ecs.NewSchedule(s.world)
	schedule.Add("case", func(_ *ecs.World, dt float64) error {
		s.state.Budget().Reset(2_000_000)
		s.running = true
		defer func() { s.running = false }()
		defer s.bound.EndTurn()
		return s.state.Call(fn, s.bound.Value(), lua.LNumber(dt))
	})
	for range frames {
		if err := schedule.Run(0.5); err != nil {
			return err
		}
	}
	return nil
}

// run runs the body of a function of world and dt in one frame.
func (s *scene) run(body string) error {
	fn, err := s.load("local ecs, check = require('ecs'), require('check') return function(world, dt) " + body + "\nend")
	if err != nil {
		return err
	}
	return s.play(fn, 1)
}

// message is what an error of Lua says, without its position.
func message(err error) string {
	var e *sandbox.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return fmt.Sprint(err)
}

// fails expects that the body raises an error with exactly this message; "" is none.
func fails(t *testing.T, body, want string) {
	t.Helper()
	s := newScene(t)
	err := s.run(body)
	switch got := message(err); {
	case want == "" && err != nil:
		t.Errorf("%s\ngot  %s", body, got)
	case want != "" && (err == nil || got != want):
		t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
	}
	if problem := s.world.Check(); problem != nil {
		t.Errorf("%s\nthe world is broken: %v", body, problem)
	}
}

// checkModule compares values in Lua.
const checkModule = `
local M = {}
local function show(v)
  if type(v) == "string" then return string.format("%q", v) end
  if type(v) ~= "table" then return tostring(v) end
  local parts = {}
  for k, x in pairs(v) do parts[#parts + 1] = "[" .. show(k) .. "] = " .. show(x) end
  return "{" .. table.concat(parts, ", ") .. "}"
end
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
function M.eq(got, want)
  if not same(got, want) then error("got " .. show(got) .. ", want " .. show(want), 2) end
end
function M.fails(text, fn, ...)
  local ok, err = pcall(fn, ...)
  if ok then error("no error; want " .. text, 2) end
  if not string.find(tostring(err), text, 1, true) then error("got the error " .. tostring(err) .. "; want " .. text, 2) end
end
return M
`

// cases splits a file of cases at the lines that begin with "---".
func cases(source string) (list []testCase) {
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	from, how := 0, ""
	for i := 0; i <= len(lines); i++ {
		if i < len(lines) && !strings.HasPrefix(lines[i], "---") {
			continue
		}
		if from < i {
			list = append(list, testCase{how, lines[from:i], from})
		}
		if i < len(lines) {
			how, from = strings.TrimSpace(strings.TrimLeft(lines[i], "-")), i+1
		}
	}
	return list
}

// A testCase is some lines of a file; skip are those before.
type testCase struct {
	how   string // "", "load", "frames 3"
	lines []string
	skip  int
}

// expects is the line of the error, and what it says: of the comment that begins with "--!".
func (c testCase) expects() (line int, text string) {
	for i, l := range c.lines {
		if _, after, ok := strings.Cut(l, "--!"); ok {
			line, text = c.skip+i+1, strings.TrimSpace(after)
		}
	}
	return line, text
}

func (c testCase) run(s *scene) error {
	frames := 1
	if strings.HasPrefix(c.how, "frames") {
		if _, err := fmt.Sscanf(c.how, "frames %d", &frames); err != nil {
			return err
		}
	}
	head, body := "local ecs, check = require('ecs'), require('check') ", strings.Repeat("\n", c.skip)+strings.Join(c.lines, "\n")
	if c.how != "load" {
		head, body = head+"return function(world, dt) ", body+"\nend"
	}
	fn, err := s.load(head + body)
	if _, runs := fn.(*lua.LFunction); err != nil || !runs {
		return err
	}
	return s.play(fn, frames)
}
