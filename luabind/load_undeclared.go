package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Static checks of names, for `ecsrun check`. Package script collects the names when it compiles a file; here they
// are looked up in the world after Load, when everything is declared.

// Undeclared checks the sources without running them. It lists uses of globals that do not exist, and names of
// components, fields, tags, events and resources that nothing declares, if they are string literals in calls of
// world. Each would fail when its line runs. The order is that of the systems, the globals of a file first; files
// that were required come last, and of globals only those of files that require "ecs": of others, [Runtime.Lint] warns. Each error is a [*ScriptError]. Call it after Load.
func (r *Runtime) Undeclared() []error {
	var errs []error
	met := r.met()
	seen := map[string]bool{}
	for _, sys := range r.systems {
		if sys.instance == nil || seen[sys.Script] {
			continue
		}
		seen[sys.Script] = true
		env := sys.instance.Env
		declared, _ := r.scripts.Declared(env.Mod)
		errs = r.misread(errs, env.Undeclared(sys.instance.Unit.Code, declared))
		errs = append(errs, r.misnamed(sys.instance.Unit, met)...)
	}
	for _, file := range r.scripts.Paths() {
		if seen[file] {
			continue
		}
		if module := r.scripts.Module(file); module != nil && module.Unit.Data == nil && module.Unit.Code.RequiresEcs() {
			errs = r.misread(errs, r.scripts.UndeclaredIn(module))
		}
		errs = append(errs, r.misnamed(r.scripts.Lookup(file).Unit, met)...)
	}
	return errs
}

// misread adds what is said about undeclared globals.
func (r *Runtime) misread(errs []error, list []*sandbox.Error) []error {
	for _, e := range list {
		se := r.loadError(e.Pos.File, "", "%s", e.Message)
		se.Line, se.Excerpt = e.Pos.Line, e.Excerpt()
		errs = append(errs, se)
	}
	return errs
}

// met returns where the files together show that a parameter is the world.
func (r *Runtime) met() *alias.Met {
	own := map[string]bool{}
	for _, sys := range r.systems {
		own[sys.Script] = true
	}
	var files []alias.Given
	for _, path := range r.scripts.Paths() {
		files = append(files, alias.Given{Path: path, Own: own[path], Gifts: r.scripts.Lookup(path).Gifts})
	}
	return alias.Meet(files)
}

// misnamed returns an error for each name that a file mentions and nothing declares.
func (r *Runtime) misnamed(u *script.Unit, met *alias.Met) []error {
	errs := r.missingData(u)
	for _, m := range u.Mentions {
		if !met.Holds(u.Path, m.If) {
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
