package luabind

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Loading: from the systems that were added to a Runtime that can start. Load reads and compiles the files (package
// script), runs them once, finds the functions of each system in what its file returns, and resolves all names that
// can be known by now. It is the second phase of a Runtime, between Add and Start. The replacement of scripts
// (reload_replace.go) loads in the same way.

// Load compiles and runs the files of all systems, in the order of Add. Then it resolves the names that queries
// use, makes the native systems and compiles the conditions. It does not stop at the first problem: the error joins
// all of them, each a [*ScriptError] and an [ErrLoad]. It may be called once.
func (r *Runtime) Load() error { return r.LoadContext(context.Background()) }

// LoadContext is Load that ends when ctx is cancelled, also while a file runs; then the error includes that of ctx.
// The compiling of a file is not interrupted, but is short, because the size of files is limited.
func (r *Runtime) LoadContext(ctx context.Context) (err error) {
	if err := r.enter(ctx, "Load"); err != nil {
		return err
	}
	defer r.leave(&err)
	return r.load(ctx)
}

func (r *Runtime) load(ctx context.Context) error {
	if r.phase != phaseAdding {
		return errors.New("luabind: Load twice")
	}
	r.phase, r.loading = phaseLoaded, true
	r.heed(ctx)
	defer func() { r.loading, r.ctx = false, context.Background() }()
	errs := r.loadData()
	if len(errs) > 0 { // the scripts that read these files would fail with the same
		return errors.Join(errs...)
	}
	for _, sys := range r.systems {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if sys.Script != "" {
			var err error
			sys.instance, err = r.loadScript(r.scripts, sys)
			errs = append(errs, err)
		}
	}
	errs = append(errs, r.resolve(r.scripts)...)
	for _, sys := range r.systems {
		errs = append(errs, r.makeNative(sys), r.compileWhen(sys))
	}
	if err := r.schedule.Sort(); err != nil {
		errs = append(errs, r.loadError("", "", "%w", err))
	}
	r.trackRemovals()
	r.openReaders()
	r.loaded = declaredNow(r.world)
	return errors.Join(errs...)
}

// LoadFile compiles and runs a file that is not the file of a system, for what it declares and for
// [Runtime.Explain]. It continues after names that nothing declares. The error joins all problems, each a
// [*ScriptError] and an [ErrLoad]. The loops of a file that compiles are known afterwards, even if running it
// fails.
func (r *Runtime) LoadFile(file string) error {
	if err := r.closed("LoadFile"); err != nil {
		return err
	}
	r.loading = true
	defer func() { r.loading = false }()
	instance, err := r.scripts.Instance(file)
	if err != nil {
		return r.notLoaded("", err)
	}
	var errs []error
	if err := r.guarded(instance.Load); err != nil {
		errs = append(errs, r.scriptError("", err))
	}
	return errors.Join(append(errs, r.resolve(r.scripts)...)...)
}

// loadScript makes, in a set of scripts, the instance of a system's file: it compiles the file, runs it, and finds
// the functions of the system in what the file returns. If running the file fails, the instance is returned
// together with the error; if compiling fails, it is nil. The caller has set r.loading.
func (r *Runtime) loadScript(set *script.Set, sys *system) (*script.Instance, error) {
	instance, err := set.Instance(sys.Script)
	if err != nil {
		return nil, r.notLoaded(sys.Name, err)
	}
	r.file = sys
	defer func() { r.file = nil }()
	if err := r.guarded(instance.Load); err != nil {
		return instance, r.scriptError(sys.Name, err)
	}
	if err := instance.Adopt(sys.ownName()); err != nil {
		return instance, r.loadError(sys.Script, sys.Name, "%w", err)
	}
	return instance, nil
}

// resolve looks up the names that code of a set has used while it was loaded, such as those in ecs.query. They are
// resolved at the end of loading, because a later file may declare them. It returns one error for each name that
// nothing declares.
func (r *Runtime) resolve(set *script.Set) (errs []error) {
	for _, p := range r.surface.Pending() {
		if err := p.Resolve(r.world); err != nil {
			se := r.loadError(p.Pos.File, "", "%w", err)
			se.Line, se.Excerpt = p.Pos.Line, set.Excerpt(p.Pos.File, p.Pos.Line)
			errs = append(errs, se)
		}
	}
	return errs
}

// trackRemovals makes the world record removals of components for the systems that may call world:removed.
// world:removed can only return what was recorded before, so this happens before the first frame. A system may ask
// for the components that its own file names, and for those that any required file names, because each system may
// call functions of these. If a name is computed, all components are recorded.
func (r *Runtime) trackRemovals() {
	own := map[string]bool{}
	for _, sys := range r.systems {
		own[sys.Script] = true
	}
	var shared script.Removals
	for _, file := range r.scripts.Paths() {
		if !own[file] {
			shared = shared.With(r.scripts.Lookup(file).Removals)
		}
	}
	for _, sys := range r.systems {
		if sys.native() || sys.Script == "" {
			continue
		}
		asked := shared
		if of := r.scripts.Lookup(sys.Script); of != nil {
			asked = asked.With(of.Removals)
		}
		if asked.Unknown {
			r.surface.TrackRemovals()
		}
		for id, name := range r.world.ComponentNames() {
			if asked.Unknown || slices.Contains(asked.Names, name) {
				sys.entry.TrackRemoved(ecs.ComponentID(id))
			}
		}
	}
}

// openReaders opens the event readers of systems with every before their first turns, for the events that world:read
// gets in their own files, or in files that these require: so their first turns see all events from the start, as
// later ones see all since the turn before. A system with a condition or a state may never have a turn; it begins when it
// first reads.
func (r *Runtime) openReaders() {
	for _, sys := range r.systems {
		if sys.Every <= 1 || sys.When != "" || len(sys.In) > 0 || sys.instance == nil || sys.native() {
			continue
		}
		units := map[string]*script.Unit{}
		sys.instance.Units(units)
		for id, name := range r.world.EventNames() {
			for _, u := range units {
				if slices.Contains(u.Reads, name) {
					sys.entry.OpenReader(ecs.EventID(id))
				}
			}
		}
	}
}

// makeNative makes the Go function of a system that names one in System.Native. A name that is not registered is an
// error even if the system runs Lua; the function is made only if it is to run.
func (r *Runtime) makeNative(sys *system) error {
	if sys.Native == "" {
		return nil
	}
	make := r.options.Natives[sys.Native]
	if make == nil {
		text := fmt.Sprintf("no native system %q is registered", sys.Native)
		if near, ok := suggest.Closest(sys.Native, slices.Collect(maps.Keys(r.options.Natives))); ok {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return r.loadError("", sys.Name, "%w", errors.New(text))
	}
	if !sys.native() {
		return nil
	}
	var run ecs.SystemFunc
	var err error
	sys.entry.Declaring(func() { run, err = make(r.world) })
	if err != nil {
		return r.nativeError(sys, err)
	}
	if run == nil {
		return r.nativeError(sys, errors.New("there is no function"))
	}
	sys.run = run
	return nil
}
