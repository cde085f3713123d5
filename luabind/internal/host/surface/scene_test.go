package surface

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/casetest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
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

// newScene makes a world with what the cases of testdata use, and the component Wide.
func newScene(t testing.TB) *scene {
	t.Helper()
	s := &scene{t: t, world: ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000}), state: sandbox.New(sandbox.Options{})}
	s.ok(DeclareRelations(s.world))
	casetest.Declare(t, s.world)
	wide, err := ecs.NewSchema(ecs.Field{Name: "i64", Type: ecs.I64}, ecs.Field{Name: "u64", Type: ecs.U64})
	s.ok(err)
	_, err = s.world.DeclareComponent("Wide", wide)
	s.ok(err)
	s.surface = New(s.state)
	s.bound = s.surface.Bind(s.world, s)
	s.env = s.state.NewEnv(sandbox.EnvOptions{Print: &s.printed, Random: s.surface.Stream(s)})
	modules := map[string]lua.LValue{"ecs": s.surface.Module(s, s.env, s.surface.GuardRandom(s, s.env))}
	s.env.Set("require", s.state.NewFunction(func(L *lua.LState) int {
		if v, ok := modules[L.CheckString(1)]; ok {
			L.Push(v)
			return 1
		}
		raise(L, "no module %q", L.CheckString(1))
		return 0
	}))
	modules["check"] = s.results("check.lua", casetest.CheckModule)[0]
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
	err = s.surface.Load("a.lua", func() error {
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

func (s *scene) runCase(c casetest.Case) error {
	frames, err := c.Frames()
	if err != nil {
		return err
	}
	fn, err := s.load(c.Source())
	if _, runs := fn.(*lua.LFunction); err != nil || !runs {
		return err
	}
	return s.play(fn, frames)
}
