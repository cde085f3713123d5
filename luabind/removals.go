package luabind

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/yuin/gopher-lua/ast"
)

// removals are the components that a file may give to world:removed, as far as its source shows. They are found when the file is parsed (mentionsIn) and handed to
// the world before the first frame (trackRemovals), because world:removed can only tell of what was recorded.
type removals struct {
	names   []string // written out in a call, or in the local that it is given
	unknown bool     // some call computes the name, or the function is taken as a value: it may be any component
}

// add notes the arguments of a call.
func (a *removals) add(names *aliases, args []ast.Expr) {
	if len(args) == 0 {
		return
	}
	if name, ok := names.text(args[0]); ok {
		a.names = append(a.names, name)
	} else {
		a.unknown = true
	}
}

// trackRemovals records removals for the systems that may ask for them: those that their own file names, and those that any required file names, since
// every system may call its functions.
func (r *Runtime) trackRemovals() {
	own := map[string]bool{}
	for _, sys := range r.systems {
		own[sys.Script] = true
	}
	var shared removals
	for _, file := range keys(r.chunks) {
		if a := r.removals[file]; !own[file] {
			shared.names, shared.unknown = append(shared.names, a.names...), shared.unknown || a.unknown
		}
	}
	for _, sys := range r.systems {
		if sys.native() || sys.Script == "" {
			continue
		}
		a := r.removals[sys.Script]
		unknown := a.unknown || shared.unknown
		if unknown {
			r.surface.TrackRemovals()
		}
		for id, name := range r.world.ComponentNames() {
			if unknown || slices.Contains(a.names, name) || slices.Contains(shared.names, name) {
				sys.entry.TrackRemoved(ecs.ComponentID(id))
			}
		}
	}
}
