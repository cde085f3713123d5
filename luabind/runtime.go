package luabind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// A Runtime is one world with its scripts and its schedule. It belongs to one
// goroutine at a time and shares nothing with other Runtimes. The order of use:
// New, Add for each system, Load, Start, Frame as often as wanted, Close.
type Runtime struct {
	options  Options
	world    *ecs.World
	schedule *ecs.Schedule
	systems  []*system
	named    map[string]*system

	state    *sandbox.State
	surface  *surface.Surface
	bound    *surface.World // the world as scripts see it
	chunks   map[string]*sandbox.Chunk
	mentions map[string][]mention      // by file
	removals map[string]removals       // likewise
	loops    map[string]*loops.Program // likewise; nil when they run as written
	modules  map[string]*module        // what require has loaded, by name

	ctx      context.Context // of the Load, Start or Frame that runs
	heeded   heeded
	running  *system // whose Lua runs; nil between
	file     *system // whose file is being loaded; nil otherwise
	loading  bool    // Load has not ended
	loaded   bool
	ahead    bool // code of loops that have not run yet is held
	failures Failures
}

// system is a System with what it runs.
type system struct {
	System
	entry *ecs.System
	run   ecs.SystemFunc // the native implementation in use; nil when it is Lua
	when  func(*ecs.World) (bool, error)

	env                    *sandbox.Env
	init, update, onReload *lua.LFunction // nil when the file has none
	table                  *lua.LTable    // what the file returned for it; nil when that was a function
	begun                  bool           // a startup system whose init was called
	strikes                int
	dt                     lua.LValue // of the last turn, as update gets it; nil before
}

// New makes a Runtime, and declares the relations ChildOf and IsA where the world
// has them not. The world may hold components and entities already;
// declarations of the config come before New or right after it.
func New(o Options) (*Runtime, error) {
	if o.World == nil {
		return nil, errors.New("luabind: Options.World is missing")
	}
	if err := surface.DeclareRelations(o.World); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runtime{
		options: o, world: o.World, schedule: ecs.NewSchedule(o.World),
		state: sandbox.New(sandbox.Options{}), chunks: map[string]*sandbox.Chunk{}, mentions: map[string][]mention{}, removals: map[string]removals{}, loops: map[string]*loops.Program{}, modules: map[string]*module{},
		ctx: context.Background(), named: map[string]*system{},
	}
	r.surface = surface.New(r.state)
	r.bound = r.surface.Bind(o.World, host{r})
	r.schedule.OnError = r.onError
	return r, nil
}

// Add appends a system; the order of adding is the order of the config file.
// Errors: a name that is missing or taken, neither script nor native function,
// an implementation the system does not have, Add after Load.
func (r *Runtime) Add(s System) error {
	if r.loaded {
		return fmt.Errorf("system %q is added after Load", s.Name)
	}
	switch {
	case s.Script == "" && s.Native == "":
		return fmt.Errorf("system %q has neither a script nor a native function", s.Name)
	case s.Impl == Native && s.Native == "":
		return fmt.Errorf("system %q is to run natively, but names no native function", s.Name)
	case (s.Impl == Lua || s.Impl == Closures) && s.Script == "":
		return fmt.Errorf("system %q is to run in Lua, but has no script", s.Name)
	case s.Every < 0:
		return fmt.Errorf("system %q runs every %d frames", s.Name, s.Every)
	}
	sys := &system{System: s}
	spec := ecs.SystemSpec{
		Name: s.Name, Stage: s.Stage, After: s.After, Every: s.Every,
		Run: func(w *ecs.World, dt float64) error { return r.turn(sys, w, dt) },
	}
	if s.When != "" {
		spec.When = func(w *ecs.World) (bool, error) { return sys.when(w) }
	}
	entry, err := r.schedule.AddSystem(spec)
	if err != nil {
		return err
	}
	entry.SetEnabled(!s.Disabled)
	sys.entry = entry
	r.systems, r.named[s.Name] = append(r.systems, sys), sys
	return nil
}

// World returns the world.
func (r *Runtime) World() *ecs.World { return r.world }

// Schedule returns the schedule, for listing, timing and swapping systems. Its
// OnError belongs to the Runtime.
func (r *Runtime) Schedule() *ecs.Schedule { return r.schedule }

// Close drops the scripts. The world stays as it is.
func (r *Runtime) Close() error {
	r.forgetAhead()
	r.unheed()
	r.systems, r.named, r.modules, r.chunks = nil, nil, nil, nil
	return nil
}

// host is the Runtime as scripts notice it.
type host struct{ *Runtime }

func (h host) World() *ecs.World { return h.world }

func (h host) Random() *ecs.Random {
	if h.running == nil {
		return nil
	}
	return h.world.Random()
}

func (h host) Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr) {
	out := make([]slog.Attr, 0, len(attrs)+3)
	out = append(out, attrs...)
	if pos.Line > 0 {
		out = append(out, slog.String("script", pos.String()))
	}
	for _, sys := range []*system{h.running, h.file} {
		if sys != nil {
			out = append(out, slog.String("system", sys.Name))
		}
	}
	if !h.Runtime.loading {
		out = append(out, slog.Uint64("frame", h.world.Frame()))
	}
	h.options.Log.LogAttrs(h.ctx, level, message, out...)
}
