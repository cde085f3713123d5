package luabind_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// start loads and starts a runtime; examples have no better use for an error.
func start(o luabind.Options, systems ...luabind.System) *luabind.Runtime {
	rt, err := luabind.New(o)
	if err != nil {
		panic(err)
	}
	for _, s := range systems {
		if err := rt.Add(s); err != nil {
			panic(err)
		}
	}
	if err := errors.Join(rt.Load(), rt.Start(context.Background())); err != nil {
		panic(err)
	}
	return rt
}

// Scripts come from any file system: a folder, an embed.FS, a map.
func Example() {
	scripts := fstest.MapFS{"fall.lua": {Data: []byte(`
local ecs = require("ecs")
ecs.component("Height", { m = { type = "f64", default = 10 } })
return {
  init = function(world) world:spawn{ Height = {} } end,
  update = function(world, dt)
    for e, height in world:each("Height") do
      height.m = height.m - 2 * dt
      print(ecs.name(e), height.m)
    end
  end,
}`)}}
	rt := start(luabind.Options{World: ecs.NewWorld(ecs.Options{}), Scripts: scripts, Stdout: os.Stdout},
		luabind.System{Name: "fall", Script: "fall.lua"})
	for range 2 {
		if err := rt.Frame(context.Background(), 0.5); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 0v1	9
	// 0v1	8
}

// The host's own writer and slog handler receive what scripts print and log.
func ExampleOptions_log() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	scripts := fstest.MapFS{"wave.lua": {Data: []byte(`
local ecs = require("ecs")
return function(world) ecs.log.info("wave", { size = 12 }) end`)}}
	rt := start(luabind.Options{World: ecs.NewWorld(ecs.Options{}), Scripts: scripts, Log: slog.New(handler)},
		luabind.System{Name: "wave", Script: "wave.lua"})
	if err := rt.Frame(context.Background(), 1); err != nil {
		fmt.Println(err)
	}
	// Output:
	// level=INFO msg=wave size=12 script=wave.lua:3 system=wave frame=1
}

// A cancelled context stops even a script that never returns.
func ExampleRuntime_Frame_cancel() {
	ctx, cancel := context.WithCancel(context.Background())
	scripts := fstest.MapFS{"endless.lua": {Data: []byte(`
local host = require("host")
return function(world) host.ready() while true do end end`)}}
	rt := start(luabind.Options{
		World: ecs.NewWorld(ecs.Options{}), Scripts: scripts,
		Modules: map[string]map[string]luabind.Function{"host": {
			"ready": func([]ecs.Value) ([]ecs.Value, error) {
				go cancel()
				return nil, nil
			},
		}},
	}, luabind.System{Name: "endless", Script: "endless.lua"})
	fmt.Println(rt.Frame(ctx, 1))
	// Output:
	// endless.lua:3: system "endless", frame 1: context canceled
}

// Two worlds in one process share nothing, not even what require has loaded.
func Example_twoWorlds() {
	scripts := fstest.MapFS{"roll.lua": {Data: []byte(`
local ecs = require("ecs")
ecs.resource("sum", "i32")
return function(world) world.resources.sum = world.resources.sum + ecs.random(6) end`)}}
	for _, seed := range []uint64{1, 2} {
		world := ecs.NewWorld(ecs.Options{Seed: seed})
		rt := start(luabind.Options{World: world, Scripts: scripts}, luabind.System{Name: "roll", Script: "roll.lua"})
		for range 10 {
			if err := rt.Frame(context.Background(), 1); err != nil {
				fmt.Println(err)
			}
		}
		id, _ := world.LookupResource("sum")
		fmt.Println("seed", seed, "gives", world.Resource(id).Get(0))
	}
	// Output:
	// seed 1 gives 27
	// seed 2 gives 44
}

// A Go function offered to scripts takes and returns plain values.
func ExampleFunction() {
	scores := map[string]float64{"ann": 3}
	modules := map[string]map[string]luabind.Function{"scores": {
		"of": func(args []ecs.Value) ([]ecs.Value, error) {
			score, ok := scores[args[0].Str()]
			if !ok {
				return nil, fmt.Errorf("no player %q", args[0].Str())
			}
			return []ecs.Value{ecs.Number(score)}, nil
		},
	}}
	scripts := fstest.MapFS{"ask.lua": {Data: []byte(`
local scores = require("scores")
return function(world)
  print(scores.of("ann"))
  print(scores.of("bob"))
end`)}}
	rt := start(luabind.Options{World: ecs.NewWorld(ecs.Options{}), Scripts: scripts, Stdout: os.Stdout, Modules: modules},
		luabind.System{Name: "ask", Script: "ask.lua"})
	err := rt.Frame(context.Background(), 1)
	fmt.Println(err)
	var script *luabind.ScriptError
	if errors.As(err, &script) {
		fmt.Println(script.Excerpt)
		for _, line := range luabind.Traceback(script.Stack) {
			fmt.Println(line)
		}
	}
	// Output:
	// 3
	// ask.lua:5: system "ask", frame 1: scores.of: no player "bob"
	//     5 |   print(scores.of("bob"))
	// update (ask.lua:5)
}

// A system may be a Go function over typed columns. It works on the components a
// script declares, in the same schedule.
func ExampleOptions_natives() {
	type Position struct{ X, Y float64 }
	natives := map[string]ecs.NativeFunc{"drift": func(w *ecs.World) (ecs.SystemFunc, error) {
		position, err := ecs.Register[Position](w, "Position")
		if err != nil {
			return nil, err
		}
		query, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{position.ID()}})
		if err != nil {
			return nil, err
		}
		return func(w *ecs.World, dt float64) error {
			for table := range query.Tables {
				for i := range position.Slice(table) {
					position.Slice(table)[i].X += dt
				}
				position.Column(table).StampAll()
			}
			return nil
		}, nil
	}}
	scripts := fstest.MapFS{"report.lua": {Data: []byte(`
local ecs = require("ecs")
ecs.component("Position", { x = "f64", y = "f64" })
return {
  init = function(world) world:spawn{ Position = { x = 1 } } end,
  update = function(world)
    for e, p in world:each("Position") do print(p.x, p.y) end
  end,
}`)}}
	rt := start(luabind.Options{World: ecs.NewWorld(ecs.Options{}), Scripts: scripts, Stdout: os.Stdout, Natives: natives},
		luabind.System{Name: "drift", Native: "drift"}, luabind.System{Name: "report", Script: "report.lua"})
	if err := rt.Frame(context.Background(), 0.5); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1.5	0
}

// A run is saved between two frames, and goes on in another Runtime, which may be in another process.
func ExampleRuntime_Restore() {
	scripts := fstest.MapFS{"count.lua": {Data: []byte(`
local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
local turns = counter()
return function(world) print("turn " .. turns() .. " of frame " .. world.frame) end`)}}
	open := func() *luabind.Runtime {
		rt, err := luabind.New(luabind.Options{World: ecs.NewWorld(ecs.Options{}), Scripts: scripts, Stdout: os.Stdout})
		if err == nil {
			err = rt.Add(luabind.System{Name: "count", Script: "count.lua"})
		}
		if err != nil {
			panic(err)
		}
		return rt
	}
	ctx := context.Background()
	first := open()
	fmt.Println(first.Load(), first.Start(ctx), first.Frame(ctx, 1), first.Frame(ctx, 1))
	var file bytes.Buffer
	fmt.Println(first.Save(&file), first.Close())

	second := open() // no Load, no Start
	fmt.Println(second.Restore(&file), second.Frame(ctx, 1), second.Close())
	// Output:
	// turn 1 of frame 1
	// turn 2 of frame 2
	// <nil> <nil> <nil> <nil>
	// <nil> <nil>
	// turn 3 of frame 3
	// <nil> <nil> <nil>
}
