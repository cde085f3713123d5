package luabind

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
)

// The second step of a reload: the new instances of systems get the state of the old ones. on_reload runs here, on
// a copy of the old state, so that the old instance can go on if something fails.

// handOver gives the new instance of a system the state of its old one: on_reload gets it, or, without an
// on_reload, it becomes the state if the shape is the same. It reports whether the state begins anew although the
// old instance had one. The error is that of on_reload.
func (r *Runtime) handOver(sys *system) (fresh bool, err error) {
	old, made := r.named[sys.Name].instance, sys.instance
	switch {
	case old == nil:
		return made != nil && r.named[sys.Name].dropped != nil && made.State() != lua.LNil, nil
	case made == old:
		return false, nil
	case made.OnReload != nil:
		defer func(was *system, loading bool) { r.file, r.loading = was, loading }(r.file, r.loading)
		r.file, r.loading = sys, true
		err := r.guarded(func() error {
			return r.surface.Load("", func() error { return r.state.Call(made.OnReload, old.CopyState()) })
		})
		if err != nil {
			return false, r.scriptError(sys.Name, err)
		}
		if st := made.State(); st != lua.LNil && st.Type() != lua.LTTable {
			return false, r.loadError(sys.Script, sys.Name, "%w", errors.New("on_reload makes state a "+st.Type().String()+"; it must be a table"))
		}
		return false, nil
	case made.Accepts(old):
		made.SetState(old.State())
		return false, nil
	}
	return old.State() != lua.LNil, nil
}
