package luabind

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Reloading scripts and schedule between frames. In comes a Change: new texts in the script folders, and perhaps a
// new list of systems. Everything is tried beside what runs (reload_trial.go), loaded into the real world (reload_replace.go),
// given the old states (reload_handover.go), and then put in use at once.

// A Change is what a reload puts in use besides the files that have changed. The zero Change is for files only.
type Change struct {
	Systems []System               // all systems, in the order of the config; nil: as they are
	Declare func(*ecs.World) error // declares what the systems need; it is called for a world that is dropped, too. nil: nothing
	Limits  *Limits                // nil: as they are
	Data    []DataFile             // all data files; nil: as they are
}

// Reloaded says what a reload has changed.
type Reloaded struct {
	Files []string // the files with a new text, sorted
	Fresh []string // the systems whose state begins anew: its shape has changed and they have no on_reload, or a failure had disabled them
	Kept  []string // the files whose text before runs on in suspended coroutines, sorted
}

// Stale returns the files in use whose text in the script folders is another one, and those that can no longer be
// read, sorted. It leaves out those that could not be read at the last Reload, which has gone on without them. It reads all files in use.
func (r *Runtime) Stale() []string {
	var out []string
	for _, path := range r.scripts.Paths() {
		text, err := r.host.Sources.Read(path)
		if err != nil && !r.gone[path] || err == nil && text != r.scripts.Lookup(path).Code.Source {
			out = append(out, r.sources.Shown(path))
		}
	}
	return out
}

// unreadable returns the files in use that can no longer be read.
func (r *Runtime) unreadable() map[string]bool {
	gone := map[string]bool{}
	for _, path := range r.scripts.Paths() {
		if _, err := r.host.Sources.Read(path); err != nil {
			gone[path] = true
		}
	}
	return gone
}

// Reload puts changed files in use, and what c says. World, event readers, windows, random streams and the turns of
// systems stay. A system whose file has changed, or a file that it requires, gets a new instance: its variables
// start anew, and its state is handed over. If the file has on_reload, that gets a copy of the old state; if it has
// none, the state goes on as it is when the two files write states of the same shape (the same keys, with values of
// the same types). A system that a failure has disabled is enabled again when its file has changed; its state begins anew. A system that
// is new, or was disabled so far, has its init called. A system with a new instance has its observers declared anew:
// its init is called, and everything but the observers is put back. A system of the startup stage has had its turn; a new one
// has none.
//
// If anything is wrong, nothing changes, and the error joins all problems, as that of [Runtime.Load] does: a file
// that does not load, a name that nothing declares, an on_reload or an init that fails; globals and tables of libraries are
// put back. What an on_reload or the code of a file does to tables of other modules is not undone, and neither is what files declare if an on_reload
// fails. Call Reload between two frames, after Start. It loads all scripts twice, so it takes some milliseconds.
func (r *Runtime) Reload(ctx context.Context, c Change) (done *Reloaded, err error) {
	if err := r.closed("Reload"); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errors.New("luabind: Reload without a context; context.Background() never ends")
	}
	if r.phase != phaseLoaded || r.running != nil {
		return nil, errors.New("luabind: Reload before Load, or inside of a frame")
	}
	r.heed(ctx)
	takeBack := r.options.Coverage.Begin()
	defer func() {
		if v := recover(); v != nil {
			done, err = nil, r.panicked("", v)
		}
		r.ctx = context.Background()
		if err != nil {
			takeBack()
		}
	}()
	list := c.Systems
	if list == nil {
		for _, sys := range r.systems {
			list = append(list, sys.System)
		}
	}
	data := c.Data
	if data == nil {
		data = r.sources.data
	}
	tried, err := r.trial(ctx, list, data, c.Declare)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tried.Close() }() // nothing is left to save
	if c.Declare != nil {
		if err := c.Declare(r.world); err != nil {
			return nil, err
		}
	}
	defer func(was []DataFile) { // the files that are no longer listed are forgotten
		if err != nil {
			r.sources.data = was
			return
		}
		for _, f := range was {
			if path := script.DataPath(f.Name); r.sources.dataFile(path) == nil {
				r.scripts.Remove(path)
			}
		}
	}(r.sources.data)
	r.sources.data = data
	globals := r.scripts.Mark()
	r.surface.Reloading = true
	defer func() { r.surface.Reloading = false }()
	n, err := r.prepare(tried.scripts, r.revised(list))
	if err != nil {
		globals.Undo()
		return nil, err
	}
	if err := r.adopt(n, c.Limits); err != nil {
		n.scripts.Retire(r.scripts)
		globals.Undo()
		return nil, err
	}
	r.gone = r.unreadable()
	for i, path := range n.changed {
		n.changed[i] = r.sources.Shown(path)
	}
	return &Reloaded{Files: n.changed, Fresh: n.fresh, Kept: r.keptBy(n)}, nil
}

// revised makes the systems of a list. Those that this Runtime has keep what they remember, and their instance.
func (r *Runtime) revised(list []System) []*system {
	out := make([]*system, len(list))
	for i, s := range list {
		sys := &system{}
		if old := r.named[s.Name]; old != nil {
			*sys = *old
			if old.Script != s.Script {
				sys.instance, sys.dropped = nil, nil
			}
			if s.native() != old.native() || s.Native != old.Native {
				sys.run = nil
			}
		}
		sys.System = s
		out[i] = sys
	}
	return out
}

// adopt puts a replacement in use: states, functions of systems, conditions, schedule. If something fails, all is
// as before, except for declarations.
func (r *Runtime) adopt(n *replacement, limits *Limits) error {
	var errs []error
	for _, sys := range n.systems {
		if r.named[sys.Name] != nil {
			fresh, err := r.handOver(sys)
			errs = append(errs, err)
			if fresh {
				n.fresh = append(n.fresh, sys.Name)
			}
		}
		if sys.run == nil {
			errs = append(errs, r.makeNative(sys))
		}
		if old := r.named[sys.Name]; old == nil || old.When != sys.When {
			errs = append(errs, r.compileWhen(sys))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	before, err := r.whole(n)
	if err != nil {
		return err
	}
	olds, oldNames, options := r.systems, r.named, r.options
	if err := r.reschedule(n.systems); err != nil {
		return r.loadError("", "", "%w", err)
	}
	if limits != nil {
		r.options.Limits = *limits
	}
	enabled := r.enable(oldNames)
	r.declared = nil
	observers := r.observers
	err = r.begin()
	fresh := slices.DeleteFunc(slices.Clone(r.observers), func(o *observer) bool { return slices.Contains(observers, o) })
	if err == nil {
		err = r.rehearse(oldNames, n)
	}
	if err == nil {
		err = r.observeAnew(oldNames, fresh)
	}
	if err != nil {
		r.options = options
		r.stopObservers(func(o *observer) bool { return slices.Contains(fresh, o) })
		for _, entry := range enabled {
			entry.SetEnabled(false)
		}
		if failed := r.undo(olds, oldNames, before); failed != nil {
			return errors.Join(err, failed)
		}
		return err
	}
	for _, sys := range r.systems {
		if old := oldNames[sys.Name]; old != nil && sys.Disabled && !old.Disabled {
			sys.entry.SetEnabled(false) // last, because it closes event readers
		}
	}
	r.replace(n)
	return nil
}

// reschedule makes systems those of the Runtime and of its schedule. After an error nothing has changed.
func (r *Runtime) reschedule(systems []*system) error {
	specs := make([]ecs.SystemSpec, len(systems))
	for i, sys := range systems {
		specs[i] = r.spec(sys)
	}
	if err := r.schedule.Reschedule(specs); err != nil {
		return err
	}
	r.systems, r.named = systems, map[string]*system{}
	for _, sys := range systems {
		r.named[sys.Name] = sys
		sys.entry = r.schedule.Find(sys.Name)
	}
	return nil
}

// enable enables the systems that the change enables, and those that a failure has disabled and that have a new
// instance now. It returns the entries that were disabled before.
func (r *Runtime) enable(olds map[string]*system) (enabled []*ecs.System) {
	for _, sys := range r.systems {
		old := olds[sys.Name]
		if old == nil {
			sys.entry.SetEnabled(!sys.Disabled)
			continue
		}
		mended := old.instance != sys.instance
		if sys.Disabled || sys.entry.Enabled() || !mended && !old.Disabled {
			continue
		}
		sys.entry.SetEnabled(true)
		sys.strikes = 0
		enabled = append(enabled, sys.entry)
	}
	return enabled
}

// whole returns a copy of the world for undo, if a reload is to call an init; nil otherwise.
func (r *Runtime) whole(n *replacement) (*ecs.World, error) {
	if !slices.ContainsFunc(n.systems, (*system).starting) {
		return nil, nil
	}
	s, err := r.schedule.Copy(nil)
	if err != nil {
		return nil, err
	}
	return s.World(), nil
}

// undo goes back to the systems that were in use, and to the copy of the world.
func (r *Runtime) undo(systems []*system, named map[string]*system, before *ecs.World) error {
	specs := make([]ecs.SystemSpec, len(systems))
	for i, sys := range systems {
		specs[i] = r.spec(sys)
	}
	if err := r.schedule.Reschedule(specs); err != nil {
		return fmt.Errorf("going back: %w", err)
	}
	r.systems, r.named = systems, named
	for _, sys := range systems {
		sys.entry = r.schedule.Find(sys.Name)
	}
	if err := r.observeAgain(); err != nil {
		return fmt.Errorf("going back: %w", err)
	}
	if before == nil {
		return nil
	}
	return r.takeBack(func() error { return r.world.Restore(before) })
}
