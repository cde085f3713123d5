package luabind

import "github.com/ecsrun/ecsrun/luabind/internal/load/script"

// Static checks of names, for `ecsrun check`. Package script collects the names when it compiles a file; here they
// are looked up in the world after Load, when everything is declared.

// Undeclared checks the sources without running them. It lists uses of globals that do not exist, and names of
// components, fields, tags, events and resources that nothing declares, if they are string literals in calls of
// world. Each would fail when its line runs. The order is that of the systems, the globals of a file first; files
// that were required come last. Each error is a [*ScriptError]. Call it after Load.
func (r *Runtime) Undeclared() []error {
	var errs []error
	seen := map[string]bool{}
	for _, sys := range r.systems {
		if sys.instance == nil || seen[sys.Script] {
			continue
		}
		seen[sys.Script] = true
		unit := sys.instance.Unit
		env := sys.instance.Env
		for _, e := range env.Undeclared(unit.Code, r.scripts.Declared(env.Mod)) {
			se := r.loadError(e.Pos.File, "", "%s", e.Message)
			se.Line, se.Excerpt = e.Pos.Line, e.Excerpt()
			errs = append(errs, se)
		}
		errs = append(errs, r.misnamed(unit, true)...)
	}
	for _, file := range r.scripts.Paths() {
		if !seen[file] {
			errs = append(errs, r.misnamed(r.scripts.Lookup(file).Unit, false)...)
		}
	}
	return errs
}

// misnamed returns an error for each name that a file mentions and nothing declares. entry says that the file is
// the file of a system: then the first parameter of its functions is the world.
func (r *Runtime) misnamed(u *script.Unit, entry bool) []error {
	errs := r.missingData(u)
	for _, m := range u.Mentions {
		if m.Entry && !entry {
			continue
		}
		if err := m.Wrong(r.world); err != nil {
			se := r.loadError(u.Path, "", "%w", err)
			se.Line, se.Excerpt = m.Line, u.Code.Excerpt(m.Line)
			errs = append(errs, se)
		}
	}
	return errs
}
