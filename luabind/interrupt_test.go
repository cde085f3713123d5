package luabind

import (
	"context"
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

var errInterrupted = errors.New("interrupted")

// A context that is cancelled ends a turn as a limit does, whatever the turn is doing. Without it each of these runs for minutes at least.
func TestCancelEndsEverything(t *testing.T) {
	const loop = `for e, p in world:each("P") do for i = 1, 1000000000 do p.x = p.x * 0.5 + i end end`
	for name, c := range map[string]struct {
		impl       Impl
		init, turn string
	}{
		"interpreted":        {impl: Lua, turn: `stop() ` + loop},
		"closures":           {impl: Closures, turn: `stop() ` + loop},
		"machine code":       {impl: Auto, turn: `stop() ` + loop},
		"plain code":         {turn: `stop() while true do end`},
		"caught":             {turn: `stop() while true do pcall(function() while true do end end) end`},
		"coroutine":          {turn: `stop() coroutine.wrap(function() while true do end end)()`},
		"a pattern":          {turn: `stop(); ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40))`},
		"gsub":               {turn: `local s = ("a"):rep(4000000) stop() s:gsub("a*b", "")`},
		"gmatch":             {turn: `local s = ("a"):rep(4000000) stop() for _ in s:gmatch("a*b") do end`},
		"sort":               {turn: `local t = {} for i = 1, 1000000 do t[i] = i * 7919 % 1000003 end stop() while true do table.sort(t) table.sort(t, function(a, b) return a > b end) end`},
		"string functions":   {turn: `local s = ("a"):rep(1000000) stop() while true do s:upper() s:reverse() s:byte(1, 7000); ("%s"):format(s) end`},
		"table functions":    {turn: `local t = {} for i = 1, 100000 do t[i] = "x" end stop() while true do table.concat(t) table.insert(t, 1, "y") table.remove(t, 1) end`},
		"counting":           {turn: `stop() while true do world:count("P") world:first("P") end`},
		"spawning":           {turn: `stop() while true do local t = world:spawn_many(100000, {}) for _, e in ipairs(t) do world:despawn(e) end end`},
		"a startup":          {init: `stop() while true do end`},
		"queueing":           {turn: `stop() while true do world.commands:send("E", { n = 1 }) end`},
		"applying commands":  {turn: `for i = 1, 400000 do world.commands:spawn{ P = {} } end stop()`},
		"commands of a loop": {turn: `for i = 1, 2000 do world:spawn{ P = {} } end stop() for k = 1, 1000000 do for e, p in world:each("P") do world.commands:send("E", { n = p.x }) end end`},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			w := ecs.NewWorld(ecs.Options{Memory: restlessMemory()})
			number, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
			event, err2 := ecs.NewSchema(ecs.Field{Name: "n", Type: ecs.F64})
			_, err3 := w.DeclareComponent("P", number)
			_, err4 := w.DeclareEvent("E", event)
			r, err5 := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{
				"a": `local stop = require("host").stop
return { init = function(world) for i = 1, 8 do world:spawn{ P = {} } end ` + c.init + ` end, update = function(world) ` + c.turn + ` end }`,
				"b": `return function(world) world:send("E", { n = 99 }) end`,
			}), Modules: map[string]map[string]Function{"host": {"stop": func([]ecs.Value) ([]ecs.Value, error) {
				cancel(errInterrupted)
				return nil, nil
			}}}})
			if err := errors.Join(err, err2, err3, err4, err5); err != nil {
				t.Fatal(err)
			}
			err = errors.Join(r.Add(System{Name: "a", Script: "a.lua", Impl: c.impl}), r.Add(System{Name: "b", Script: "b.lua"}), r.Load())
			if err != nil {
				t.Fatal(err)
			}
			if err = r.Start(ctx); err == nil {
				err = r.Frame(ctx, 1)
			}
			if !errors.Is(err, errInterrupted) || !errors.Is(err, context.Canceled) || errors.Is(err, ErrLimit) {
				t.Errorf("got %v", err)
			}
			se := (*ScriptError)(nil)
			if !errors.As(err, &se) || se.System != "a" || se.File != "a.lua" || se.Line == 0 {
				t.Errorf("%v does not say where", err)
			}
			if f := r.Failures(); f.Errors+f.Limits != 0 {
				t.Errorf("it is no failure: %+v", f)
			}
			if id, _ := w.LookupEvent("E"); len(w.EventNames()) > 0 {
				if n, _ := w.EventCount(id); n != 0 {
					t.Errorf("%d events: its commands must be dropped, and the rest of the frame must not run", n)
				}
			}
			if err := w.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Loading ends, too; and a context that is over does not reach calls under another one.
func TestCancelLoad(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := map[string]map[string]Function{"host": {"stop": func([]ecs.Value) ([]ecs.Value, error) { cancel(errInterrupted); return nil, nil }}}
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Modules: stop, Scripts: files(map[string]string{
		"a": "require(\"host\").stop()\nwhile true do end", "b": `return function() end`,
	})})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(System{Name: "a", Script: "a.lua"}), r.Add(System{Name: "b", Script: "b.lua"})); err != nil {
		t.Fatal(err)
	}
	err = r.LoadContext(ctx)
	if !errors.Is(err, errInterrupted) || !errors.Is(err, context.Canceled) || err.Error() != "a.lua:2: system \"a\": interrupted\ncontext canceled" {
		t.Errorf("got %v", err)
	}
}

func TestCancelledContextIsLeft(t *testing.T) {
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": `return function() for i = 1, 100 do end end`})})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(System{Name: "a", Script: "a.lua"}), r.Load(), r.Start(context.Background())); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		if err := r.Frame(ctx, 1); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		other, cancelOther := context.WithCancel(context.Background())
		if err := errors.Join(r.Frame(other, 1), r.Frame(context.Background(), 1)); err != nil {
			t.Fatal(err)
		}
		cancelOther()
	}
}

func TestFramesOfOneContextAllocateNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": `return function() for i = 1, 10 do end end`})})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(System{Name: "a", Script: "a.lua"}), r.Load(), r.Start(ctx)); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { err = errors.Join(err, r.Frame(ctx, 1)) }); n != 0 || err != nil {
		t.Errorf("%v allocations a frame, error %v", n, err)
	}
}
