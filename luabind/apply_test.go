package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// A relation that is refused when commands are applied names the line that queued it, and the system: in each tier, in init, in the
// startup stage, in a required module.
func TestARefusedQueuedRelationNamesItsLine(t *testing.T) {
	const loop = `return function(world)
  if world.frame == 1 then
    world:spawn{ Position = {} }
  end
  for e in world:each("Position") do
    world.commands:relate(e,
      "ChildOf", e)
  end
end`
	type try struct {
		source string
		system System
		want   string
	}
	tries := map[string]try{
		"init": {"return { init = function(world)\n local e = world:spawn{}\n world.commands:relate(e, 'ChildOf', e) end, update = function() end }", System{}, `a.lua:3: system "a", frame 0: `},
		"init of startup": {
			"return { init = function(world)\n local e = world:spawn{}\n world.commands:relate(e, 'ChildOf', e) end, update = function() end }",
			System{Stage: ecs.Startup},
			`a.lua:3: system "a", frame 0: `,
		},
		"module":    {`local m = require("m") return function(world) m(world) end`, System{}, `m.lua:2: system "a", frame 1: `},
		"coroutine": {"return function(world)\n local e = world:spawn{}\n coroutine.wrap(function()\n world.commands:relate(e, 'ChildOf', e) end)() end", System{}, `a.lua:4: system "a", frame 1: `},
		"deep": {`return function(world)
  local e
  for i = 1, 66 do e = world.commands:spawn{ IsA = e } end
end`, System{}, `a.lua:3: system "a", frame 1: spawn IsA: target 64v1: limit reached: a chain of IsA has at most 64 bases`},
	}
	for _, impl := range []Impl{Auto, Lua, Closures} {
		tries["loop, "+impl.String()] = try{loop, System{Impl: impl}, `a.lua:6: system "a", frame 1: relate ChildOf on 0v1: target 0v1: the relation would form a cycle`}
	}
	for name, x := range tries {
		t.Run(name, func(t *testing.T) {
			system := x.system
			system.Name = "a"
			_, err := run(t, Options{Scripts: files(map[string]string{
				"a": x.source,
				"m": "return function(world) local e = world:spawn{}\n world.commands:relate(e, 'ChildOf', e)\n end",
			})}, 1, system)
			se := (*ScriptError)(nil)
			if !errors.Is(err, ecs.ErrCycle) && !errors.Is(err, ErrLimit) || !errors.As(err, &se) {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(err.Error(), x.want) {
				t.Errorf("got  %v\nwant %v", err, x.want)
			}
			if want := fmt.Sprintf("%5d | ", se.Line); !strings.HasPrefix(se.Excerpt, want) {
				t.Errorf("the excerpt is %q", se.Excerpt)
			}
			if errors.Is(err, ErrInit) != strings.HasPrefix(name, "init") {
				t.Errorf("an init's: %v", errors.Is(err, ErrInit))
			}
		})
	}
}

// Commands that cost much when they are applied pass the limits of the turn, with the line that queued them.
func TestApplyingCommandsIsPartOfTheTurn(t *testing.T) {
	for name, source := range map[string]string{
		"events": `
  for i = 1, 20000 do
    world.commands:send("Wide", { f1 = i })
  end`,
		"many children": `
  local parents = {}
  if world.frame == 1 then
    for i = 1, 20 do
      local p = world.commands:spawn{}
      for j = 1, 2000 do world.commands:spawn{ ChildOf = p } end
      world.commands:despawn(p)
    end
  end`,
		"rows under a base": `
  if world.frame == 1 then
    local base, other = world:spawn{}, world:spawn{}
    world:spawn_many(20000, { IsA = base })
    for i = 1, 1000 do world.commands:relate(base, "IsA", other) end
  end`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, impl := range []Impl{Lua, Auto} {
				w := ecs.NewWorld(ecs.Options{})
				declareForTests(t, w)
				declareWide(t, w)
				r, err := run(t, Options{World: w, Limits: Limits{Instructions: 250_000}, Scripts: files(map[string]string{"a": "return function(world)" + source + "\nend"})}, 1, System{Name: "a", Impl: impl})
				if !errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) {
					t.Fatalf("%s: got %v", impl, err)
				}
				if !strings.HasPrefix(err.Error(), "a.lua:") || !strings.HasSuffix(err.Error(), "more than 250,000 instructions (limits.instructions); it was passed while the queued commands were applied") {
					t.Errorf("%s: got %v", impl, err)
				}
				if f := r.Failures(); f.Limits != 1 || f.Errors != 0 {
					t.Errorf("failures %+v", f)
				}
				if err := w.Check(); err != nil {
					t.Error(err)
				}
				if w.Stats().Reserved != 0 || w.Commands().Len() != 0 {
					t.Errorf("%d handles are reserved, %d commands wait", w.Stats().Reserved, w.Commands().Len())
				}
			}
		})
	}
}

func declareWide(t *testing.T, w *ecs.World) {
	t.Helper()
	var fields []ecs.Field
	for i := range 256 {
		fields = append(fields, ecs.Field{Name: fmt.Sprint("f", i), Type: ecs.F64})
	}
	s, err := ecs.NewSchema(fields...)
	if err == nil {
		_, err = w.DeclareEvent("Wide", s)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A queueDog interrupts the call it watches while commands are being applied: it looks whenever the world asks for memory, and reads how many entities live.
type queueDog struct {
	world       *ecs.World
	late        error
	interrupt   func(error)
	watched     bool // whether a call was watched then
	interrupted bool
}

func (d *queueDog) Begin(interrupt func(error)) { d.interrupt = interrupt }
func (d *queueDog) End()                        { d.interrupt = nil }

func (d *queueDog) Alloc(uintptr) unsafe.Pointer {
	if d.world != nil && d.world.Len() > 20_000 && !d.interrupted {
		if d.interrupted, d.watched = true, d.interrupt != nil; d.watched {
			d.interrupt(d.late)
		}
	}
	return nil // Go's heap
}
func (d *queueDog) Free(unsafe.Pointer, uintptr) {}

// A watchdog, and so a signal, ends a turn while its commands are applied; the rest of them is dropped.
func TestAWatchdogEndsApplyingCommands(t *testing.T) {
	late := errors.New("it took too long")
	dog := &queueDog{late: late}
	w := ecs.NewWorld(ecs.Options{Memory: dog})
	declareForTests(t, w)
	dog.world = w
	r, err := New(Options{Log: strictLog(t), World: w, Watchdog: dog, Scripts: files(map[string]string{"a": `return function(world)
  for i = 1, 100000 do world.commands:spawn{} end
end`})})
	if err != nil {
		t.Fatal(err)
	}
	if err = r.Add(System{Name: "a", Script: "a.lua"}); err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	err = r.Frame(context.Background(), 1)
	se := (*ScriptError)(nil)
	if !errors.Is(err, late) || !errors.Is(err, ErrLimit) || !errors.As(err, &se) || se.System != "a" || se.Line != 2 {
		t.Errorf("got %v", err)
	}
	if !dog.watched {
		t.Error("commands are applied outside the watchdog")
	}
	if n := w.Len(); n == 0 || n >= 100_000 || w.Stats().Reserved != 0 {
		t.Errorf("%d entities, %d reserved", n, w.Stats().Reserved)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
