package luabind

import "github.com/ecsrun/ecsrun/luabind/internal/run/loops"

// runner is what runs the loops of a file; nil when the file is not loaded, or its loops run as they are written.
func (r *Runtime) runner(file string) *loops.Runner {
	if of := r.scripts.Lookup(file); of != nil {
		return of.Loops
	}
	return nil
}

// runners are those of all files.
func (r *Runtime) runners() map[string]*loops.Runner {
	out := map[string]*loops.Runner{}
	for _, file := range r.scripts.Paths() {
		out[file] = r.runner(file)
	}
	return out
}
