package luabind

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/script"
)

// Load compiles and runs the files of all systems, in the order of Add; then
// resolves the names that queries use, makes the native systems and compiles the
// conditions. It does not stop at the first problem: the error joins all of
// them, each a *[ScriptError] and an [ErrLoad].
func (r *Runtime) Load() error { return r.LoadContext(context.Background()) }

// LoadContext is Load that ends when ctx is cancelled, in the middle of a file that runs, too: the error is one of ctx then. No file takes long to compile.
func (r *Runtime) LoadContext(ctx context.Context) error {
	if r.phase != phaseAdding {
		return errors.New("luabind: Load twice")
	}
	r.phase, r.loading = phaseLoaded, true
	r.heed(ctx)
	defer func() { r.loading, r.ctx = false, context.Background() }()
	var errs []error
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
	return errors.Join(errs...)
}

// LoadFile compiles and runs a file that is no system's, for what it declares and
// for [Runtime.Explain]. It goes on after names that nothing declares; the error
// joins all that is wrong, each a *[ScriptError] and an [ErrLoad]. The loops of a
// file that compiles are known, whatever its code then does.
func (r *Runtime) LoadFile(file string) error {
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

// loadScript makes the instance of a system's script from a set: loaded, with the functions of the system found. What was made of it is
// returned also when something is wrong. r.loading is set.
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
	if err := instance.Adopt(sys.Name); err != nil {
		return instance, r.loadError(sys.Script, sys.Name, "%w", err)
	}
	return instance, nil
}

// resolve looks up the names that load-time code of a set used.
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

// trackRemovals records removals for the systems that may ask for them: those that their own file names, and those that any required file names, since
// every system may call its functions.
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

// makeNative prepares the Go function of a system.
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
	run, err := make(r.world)
	if err != nil {
		return r.nativeError(sys, err)
	}
	if run == nil {
		return r.nativeError(sys, errors.New("there is no function"))
	}
	sys.run = run
	return nil
}
