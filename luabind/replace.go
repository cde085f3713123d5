package luabind

import (
	"errors"

	"github.com/ecsrun/ecsrun/luabind/internal/script"
)

// Scripts are replaced between frames in two steps. prepare reads changed files and loads them beside the scripts in use, which goes on running if anything is wrong.
// replace puts what was prepared in their place. The world, the schedule and the systems stay: their windows, readers, random streams and counts.

// A replacement is a set of scripts that is not in use yet.
type replacement struct {
	scripts *script.Set
	made    map[*system]*script.Instance // of the systems that use a changed file
}

// prepare loads changed files, and makes new instances of the systems and modules that use them. Their files run, and declare what they declare; init is not called.
// The error joins all that is wrong, each a *ScriptError and an ErrLoad; then there is no replacement.
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

// replace puts a replacement in use. Between frames; the scripts in use are those that it was prepared beside.
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
