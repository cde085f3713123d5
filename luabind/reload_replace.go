package luabind

import (
	"errors"

	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Replacing scripts between frames, in two steps. prepare loads the changed files beside the scripts in use; if
// anything is wrong, those stay in use. replace puts what was prepared in their place. The world, the schedule and
// the systems stay, and so do the windows, event readers, random streams and turn counts of the systems.

// A replacement is a set of scripts that was loaded and is not in use yet. prepare makes it, replace puts it in
// use.
type replacement struct {
	scripts *script.Set
	systems []*system // all systems; those that use a changed file have a new instance
	changed []string  // the changed files
	fresh   []string  // the systems whose state begins anew

	replaced map[*script.Unit]bool // what was in use and is no more
}

// prepare loads the changed files into a new set, and makes new instances of the systems and modules that use them.
// tried is a set in which all files were loaded before: its units are used, so that no file is read a second time.
// The code of the files runs, and what it declares is declared in the world, but init is not called. The error
// joins all problems, each a *ScriptError and an ErrLoad; then there is no replacement, and the scripts in use are
// unchanged.
func (r *Runtime) prepare(tried *script.Set, systems []*system) (*replacement, error) {
	r.loading = true
	defer func() { r.loading = false }()
	n := &replacement{systems: systems, changed: r.changedFiles(tried)}
	stale := map[string]bool{}
	for _, path := range n.changed {
		stale[path] = true
	}
	r.state.Renew() // what is made now must not hold what it replaces
	n.scripts = r.scripts.Next(n.changed...)
	for _, path := range tried.Paths() {
		if n.scripts.Lookup(path) == nil {
			n.scripts.Put(path, tried.Lookup(path).Unit)
		}
	}
	var errs []error
	for _, path := range n.changed {
		if _, err := n.scripts.Script(path); err != nil {
			errs = append(errs, r.notLoaded("", err))
		}
	}
	for _, sys := range systems {
		if sys.Script == "" || !sys.outdated(stale) && !r.enabledAgain(sys) {
			continue
		}
		var err error
		sys.instance, err = r.loadScript(n.scripts, sys)
		sys.dropped = nil
		errs = append(errs, err)
	}
	errs = append(errs, r.resolve(n.scripts)...)
	if err := errors.Join(errs...); err != nil {
		n.scripts.Retire(r.scripts)
		return nil, err
	}
	return n, nil
}

// enabledAgain reports whether the config enables a system that a failure has disabled and dropped.
func (r *Runtime) enabledAgain(sys *system) bool {
	old := r.named[sys.Name]
	return old != nil && old.Disabled && !sys.Disabled && sys.dropped != nil
}

// replace puts a replacement in use and drops the scripts it replaces. It must be called between frames, and the
// scripts in use must be those that were in use when the replacement was prepared.
func (r *Runtime) replace(n *replacement) {
	old := r.scripts
	r.scripts = n.scripts
	n.replaced = map[*script.Unit]bool{}
	for _, path := range old.Paths() {
		if was, now := old.Lookup(path), n.scripts.Lookup(path); now == nil || now.Unit != was.Unit {
			n.replaced[was.Unit] = true
		}
	}
	old.Retire(r.scripts)
	r.trackRemovals()
	r.openReaders()
}

// changedFiles lists the files of tried whose text is another one here. It adds the stale files that tried has not
// loaded, because only a turn has required them; one that can no longer be read goes on as it is.
func (r *Runtime) changedFiles(tried *script.Set) []string {
	var out []string
	for _, path := range r.scripts.Paths() {
		if now := tried.Lookup(path); now != nil {
			if was := r.scripts.Lookup(path).Code; now.Code.Source != was.Source || now.Code.Name != was.Name {
				out = append(out, path)
			}
		} else if text, err := r.host.Sources.Read(path); err == nil && text != r.scripts.Lookup(path).Code.Source {
			out = append(out, path)
		}
	}
	return out
}
