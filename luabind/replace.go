package luabind

import (
	"errors"

	"github.com/ecsrun/ecsrun/luabind/internal/script"
)

// Replacing scripts between frames, in two steps. prepare reads the changed files and loads them beside the scripts
// in use; if anything is wrong, those stay in use. replace puts what was prepared in their place. The world, the
// schedule and the systems stay, and so do the windows, event readers, random streams and turn counts of the
// systems.

// A replacement is a set of scripts that was loaded and is not in use yet. prepare makes it, replace puts it in
// use.
type replacement struct {
	scripts *script.Set
	made    map[*system]*script.Instance // the new instances, for the systems that use a changed file
}

// prepare loads the changed files into a new set, and makes new instances of the systems and modules that use them.
// The code of the files runs, and what it declares is declared in the world, but init is not called. The error
// joins all problems, each a *ScriptError and an ErrLoad; then there is no replacement, and the scripts in use are
// unchanged.
func (r *Runtime) prepare(changed ...string) (*replacement, error) {
	r.loading = true
	defer func() { r.loading = false }()
	paths := map[string]bool{}
	for _, path := range changed {
		paths[path] = true
	}
	r.state.Renew() // what is made now must not hold what it replaces
	n := &replacement{r.scripts.Next(changed...), map[*system]*script.Instance{}}
	var errs []error
	for _, sys := range r.systems {
		if sys.Script == "" || sys.instance != nil && !sys.instance.Uses(paths) {
			continue
		}
		made, err := r.loadScript(n.scripts, sys)
		n.made[sys] = made
		errs = append(errs, err)
	}
	errs = append(errs, r.resolve(n.scripts)...)
	if err := errors.Join(errs...); err != nil {
		n.scripts.Retire(r.scripts)
		return nil, err
	}
	return n, nil
}

// replace puts a replacement in use and drops the scripts it replaces. It must be called between frames, and the
// scripts in use must be those that were in use when the replacement was prepared.
func (r *Runtime) replace(n *replacement) {
	for _, sys := range r.systems {
		if made := n.made[sys]; made != nil {
			sys.instance = made
		}
	}
	old := r.scripts
	r.scripts = n.scripts
	old.Retire(r.scripts)
	r.trackRemovals()
}
