package luabind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// A Runtime and its construction. New connects the parts: the Lua state (package sandbox), what scripts can call
// (surface), the sources of scripts (script), the library of functions that loops may inline (loops), and the
// schedule of the world (ecs).

// A Runtime is one world with its scripts and its schedule. It belongs to one goroutine at a time and shares
// nothing with other Runtimes. The order of use is: New, Add for each system, Load, Start, Frame as often as
// wanted, Close.
type Runtime struct {
	options  Options
	world    *ecs.World
	schedule *ecs.Schedule
	systems  []*system // in the order of Add
	named    map[string]*system
	codeless map[*ir.Program]string // loops whose machine code was not used, and why; apart from those for which Explain sees it

	state   *sandbox.State
	surface *surface.Surface
	bound   *surface.World // the world as scripts see it
	library *loops.Library // the functions of other files that loops may inline

	interpreted map[sandbox.Pos]*int // by place of a loop: the rows that the interpreter has run; nil without CountRows
	sources     *sources             // where scripts and data files come from
	host        *script.Host         // what package script needs to load files into this Runtime
	scripts     *script.Set          // the scripts in use; a replacement is another Set
	phase       phase

	ctx       context.Context // the context of the Load, Start or Frame that runs
	heeded    heeded
	running   *system     // the system whose Lua code runs; nil between turns
	inInit    *system     // the system whose init runs; nil otherwise
	calls     int         // guarded calls that run: 1 while Lua runs
	turns     uint64      // turns, inits, and what the host has done between them
	applying  bool        // the commands of a turn of Lua are being applied
	asides    int         // calls of observers that run
	observers []*observer // in the order of declaration
	dropping  []*system   // the systems that were disabled since the last call into Lua: see dropDisabled
	declared  []*observer // what a rehearsal has declared: the reload may still fail
	rehearsal *ecs.World  // what init declares in a rehearsal; nil: none is running
	file      *system     // the system whose file is being loaded; nil otherwise
	loading   bool        // files are being loaded: errors have no frame
	ahead     bool        // code was compiled ahead, and may be held for loops that have not run yet
	failures  Failures

	made     []weak.Pointer[script.Instance] // all instances that are still in use somewhere
	alive    int                             // their number when they were last counted
	gone     map[string]bool                 // files that could not be read at the last Reload, which did not need them
	loaded   declarations                    // what was declared when all files were loaded
	failed   bool                            // a Start or Frame has returned an error
	silent   bool                            // what files print and log while they are loaded is dropped
	started  bool                            // Start or Restore was called
	busy     atomic.Bool                     // a call that runs scripts is under way: see enter
	entities map[string]ecs.Entity           // the names that edits have given
	edits    uint64                          // that were made
	editing  bool                            // an edit runs: whatever fails in it fails the edit
	looker   *looker                         // nil before the first Look
	console  *strings.Builder                // gets what the code of an edit prints; nil: none runs
	resumed  bool                            // the next frame calls the init of systems that have not had it
}

// A phase is a step in the life of a Runtime.
type phase uint8

const (
	phaseAdding phase = iota // systems are added
	phaseLoaded              // Load was called: the systems have their scripts
	phaseClosed              // Close was called
)

// New makes a Runtime, and declares the relations ChildOf and IsA if the world does not have them. The world may
// already hold components and entities. What a config declares is declared before New or right after it, before
// Load.
func New(o Options) (*Runtime, error) {
	if o.World == nil {
		return nil, errors.New("luabind: Options.World is missing")
	}
	folders := o.folders()
	if err := folders.Check(); err != nil {
		return nil, fmt.Errorf("luabind: Options.Mods: %w", err)
	}
	if err := surface.DeclareRelations(o.World); err != nil {
		return nil, err
	}
	o.without |= without.Process
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runtime{
		options: o, world: o.World, schedule: ecs.NewSchedule(o.World), named: map[string]*system{},
		state: sandbox.New(sandbox.Options{Plain: o.without.Has(without.Interp), Without: o.without}), ctx: context.Background(),
	}
	r.surface, r.library = surface.New(r.state), loops.NewLibrary(o.without)
	r.bound = r.surface.Bind(o.World, host{r})
	r.sources = &sources{folders, o.Data, o.Limits.Script}
	r.host = r.scriptHost()
	r.scripts = script.NewSet(r.host)
	r.schedule.OnError = r.onError
	return r, nil
}

// Add appends a system. The order of adding is the order of the config file. It is an error if the name is missing
// or taken, if there is neither a script nor a native function, if the system does not have the implementation that
// Impl asks for, if Every is negative, or after Load.
func (r *Runtime) Add(s System) error {
	if err := r.closed("Add"); err != nil {
		return err
	}
	if r.phase != phaseAdding {
		return fmt.Errorf("system %q is added after Load", s.Name)
	}
	if err := s.check(); err != nil {
		return err
	}
	sys := &system{System: s}
	entry, err := r.schedule.AddSystem(r.spec(sys))
	if err != nil {
		return err
	}
	entry.SetEnabled(!s.Disabled)
	sys.entry = entry
	r.systems, r.named[s.Name] = append(r.systems, sys), sys
	return nil
}

// check returns an error if the system does not have the implementation that Impl asks for, or Every is negative.
func (s *System) check() error {
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
	return nil
}

// spec describes a system for the schedule.
func (r *Runtime) spec(sys *system) ecs.SystemSpec {
	spec := ecs.SystemSpec{
		Name: sys.Name, Stage: sys.Stage, After: sys.After, Every: sys.Every, Random: sys.Random, In: sys.In,
		Run: func(w *ecs.World, dt float64) error { return r.turn(sys, w, dt) },
	}
	if sys.When != "" {
		spec.When = func(w *ecs.World) (ok bool, err error) {
			defer func() {
				if v := recover(); v != nil {
					err = r.panicked(sys.Name, v)
				}
			}()
			return sys.when(w)
		}
	}
	return spec
}

// World returns the world. It is the same as long as the Runtime exists.
func (r *Runtime) World() *ecs.World { return r.world }

// QueryTerms are the components of which a loop over a query of a script yields values.
type QueryTerms = api.Terms

// Queries returns the terms of the queries that the scripts have made while they were loaded, each once, in the order of the files.
func (r *Runtime) Queries() []QueryTerms { return r.surface.Terms() }

// Schedule returns the schedule, for listing, timing and swapping systems. Its OnError belongs to the Runtime and
// must not be changed.
func (r *Runtime) Schedule() *ecs.Schedule { return r.schedule }

// Close drops the scripts and the code of their loops. The world stays as it is. Methods that run, load or save scripts return an
// error after it. It is an error inside of a call that runs scripts.
func (r *Runtime) Close() (err error) {
	if r.phase == phaseClosed {
		return nil
	}
	if err := r.enter(context.Background(), "Close"); err != nil {
		return err
	}
	defer r.leave(&err)
	r.phase = phaseClosed
	r.forgetAhead()
	r.unheed()
	r.systems, r.named, r.scripts = nil, nil, script.NewSet(r.host)
	return nil
}
