package luatest

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file is the module ecs.test: t.world, which makes a world for the running test, and the methods that such a
// world has in addition.

// A World is a world for a test: a Runtime with its systems, which is not loaded yet. The program makes it, in
// Options.Worlds.
type World struct {
	Runtime *luabind.Runtime
	DT      float64 // what world:step takes for a frame unless told

	// Input does to the world what comes from outside before a frame. For frame 0, when the scripts are loaded, it only looks at what will come. It is
	// nil without WorldSpec.Input. After t.restore the frames come again.
	Input func(frame uint64) error

	// Location returns where a failure of one of its scripts can be opened from the current folder,
	// "scripts/poison.lua:9"; "" if nowhere. It may be nil.
	Location func(*luabind.ScriptError) string
}

// held is a world that the running test uses.
type held struct {
	*World
	bound     *surface.World
	listeners []*listener // of t.events
	unheard   error       // why a listener could not take an event; nil if nothing went wrong
}

// testModule makes the module ecs.test.
func (s *suite) testModule() *lua.LTable {
	m := s.state.NewTable()
	words := map[string]lua.LGFunction{
		"bench": s.bench, "events": s.events, "golden": s.golden, "list": s.list, "property": s.propertyWord, "restore": s.restore,
		"snapshot": s.snapshot, "spy": s.newSpy, "world": s.world,
	}
	for name, makes := range s.generators() {
		words[name] = makes
	}
	known := slices.Sorted(maps.Keys(words))
	for _, name := range known {
		m.RawSetString(name, s.state.NewFunction(words[name]))
	}
	m.Metatable = s.surf.Strict("ecs.test", known)
	return m
}

// world is t.world{…}. It runs startup and init before it returns.
func (s *suite) world(L *lua.LState) int {
	if !s.inside {
		sandbox.Raisef(L, "t.world outside a test; call it in it or before_each")
	}
	surface.AtMost(L, "world", 1, 0)
	t, ok := L.Get(1).(*lua.LTable)
	if !ok && L.GetTop() > 0 {
		sandbox.Raisef(L, "t.world takes a table, as in t.world{ config = %q }", "../config/arena.yaml")
	}
	if !ok {
		t = s.state.NewTable()
	}
	spec, err := s.spec(t)
	if err != nil {
		sandbox.Raisef(L, "t.world: %w", err)
	}
	if s.o.Worlds == nil {
		sandbox.Raisef(L, "t.world: this program makes no worlds")
	}
	w, err := s.o.Worlds(spec)
	if err != nil {
		sandbox.Raisef(L, "t.world: %w", err)
	}
	h := &held{World: w}
	s.worlds = append(s.worlds, h)
	if err = w.Runtime.LoadContext(s.ctx); err == nil {
		if w.Input != nil {
			if err := w.Input(0); err != nil {
				sandbox.Raisef(L, "t.world: %w", err)
			}
		}
		if err = w.Runtime.Start(s.ctx); err == nil {
			err = w.Runtime.Failures().FirstBug
		}
	}
	s.check(L, w, err)
	h.bound = s.surf.Bind(w.Runtime.World(), testHost{s})
	h.bound.Method("step", func(L *lua.LState) int { return s.step(L, h) })
	L.Push(h.bound.Value())
	return 1
}

// check raises an error of a world's runtime in the test. An error that was caused by the test's own limits ends
// the test, and cannot be caught.
func (s *suite) check(L *lua.LState, w *World, err error) {
	if err == nil {
		return
	}
	err = &worldError{err, w.Location}
	if bug := (*sandbox.PanicError)(nil); errors.As(err, &bug) || s.watch.over() != nil {
		s.state.Budget().Interrupt(err) // no pcall catches it
	}
	sandbox.Raise(L, err)
}

// step is world:step(frames, dt). Frames run as in a run of the program. It returns how many frames have run and,
// if a system has stopped the world, the reason.
func (s *suite) step(L *lua.LState, h *held) int {
	if surface.WorldOf(L.Get(1)) != h.bound {
		sandbox.Raisef(L, "call step with a colon: world:step(…)")
	}
	surface.AtMost(L, "step", 2, 1)
	frames, dt := 1.0, h.DT
	for i, p := range []*float64{&frames, &dt} {
		switch v := L.Get(i + 2).(type) {
		case *lua.LNilType:
		case lua.LNumber:
			*p = float64(v)
		default:
			sandbox.Raisef(L, "bad argument #%d to 'step' (number expected, got %s)", i+1, surface.Kind(v))
		}
	}
	switch {
	case frames < 0 || frames != math.Trunc(frames) || frames > 1<<53:
		sandbox.Raisef(L, "world:step takes a whole number of frames, not %s", sandbox.NumberText(frames))
	case !(dt > 0) || math.IsInf(dt, 0):
		sandbox.Raisef(L, "world:step takes a dt above 0, not %s", sandbox.NumberText(dt))
	case h.Runtime == nil:
		sandbox.Raisef(L, "this world ended with its test")
	case h.bound.InLoop():
		sandbox.Raise(L, inLoop("world:step inside a query loop of the test; collect what you need first, with t.list"))
	}
	world := h.Runtime.World()
	ran := 0
	for ran < int(frames) {
		if _, stopped := world.Stopped(); stopped {
			break
		}
		if !s.state.Budget().Charge(1) {
			sandbox.Raise(L, s.state.Budget().Spent())
		}
		if h.Input != nil {
			if err := h.Input(world.Frame() + 1); err != nil {
				sandbox.Raisef(L, "world:step: %w", err)
			}
			if _, stopped := world.Stopped(); stopped {
				break
			}
		}
		err := h.Runtime.Frame(s.ctx, dt)
		s.hear(h) // what commands have sent after the last turn
		s.check(L, h.World, err)
		s.raiseHeard(L, h)
		s.check(L, h.World, h.Runtime.Failures().FirstBug)
		ran++
	}
	L.Push(lua.LNumber(ran))
	if reason, stopped := world.Stopped(); stopped {
		L.Push(lua.LString(reason))
		return 2
	}
	return 1
}

// inLoop is the error of a function that needs the world at rest, while the test is in a query loop of the world.
type inLoop string

func (e inLoop) Error() string { return string(e) }
func (inLoop) Unwrap() error   { return ecs.ErrLocked }

// list is t.list(iterator): it returns what a for loop would see, as a list. Views and events become plain tables;
// several values per turn become lists.
func (s *suite) list(L *lua.LState) int {
	surface.AtMost(L, "list", 3, 0)
	next, state, control := L.Get(1), L.Get(2), L.Get(3)
	if next.Type() != lua.LTFunction {
		sandbox.Raisef(L, "bad argument #1 to 'list' (iterator expected, got %s)", surface.Kind(next))
	}
	const most = 1<<20 - 1 // items of a list in a script
	out := s.state.NewTable()
	for n := 0; ; n++ {
		if n == most {
			sandbox.Raisef(L, "t.list: more than %d items; does the iterator end?", most)
		}
		if !s.state.Budget().Charge(1) {
			sandbox.Raise(L, s.state.Budget().Spent())
		}
		top := L.GetTop()
		L.Push(next)
		L.Push(state)
		L.Push(control)
		L.Call(2, lua.MultRet)
		values := make([]lua.LValue, L.GetTop()-top)
		for i := range values {
			values[i] = L.Get(top + 1 + i)
		}
		L.SetTop(top)
		if len(values) == 0 || values[0] == lua.LNil {
			break
		}
		control = values[0]
		for i, v := range values {
			t, err := s.surf.Plain(v)
			if err != nil {
				sandbox.Raise(L, err)
			}
			if t != nil {
				values[i] = t
			}
		}
		if len(values) == 1 {
			out.Append(values[0])
			continue
		}
		turn := s.state.NewTable()
		for i, v := range values {
			turn.RawSetInt(i+1, v)
		}
		out.Append(turn)
	}
	L.Push(out)
	return 1
}
