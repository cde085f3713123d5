package script

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Going back: which modules a set has at some time, apart from the values of their variables.

// Loaded is which files a set has loaded at some time, under which names, and what they have required.
type Loaded struct {
	of      *environments
	scripts map[string]loadedScript
	modules int
	envs    map[*Environment]loadedNames
}

type loadedScript struct {
	unit     *Unit
	module   *Instance
	entered  []entered
	order    int
	requires map[string]bool
}

type loadedNames struct {
	builtins map[string]lua.LValue
	paths    map[string]string
}

// Loaded notes what the set has loaded.
func (s *Set) Loaded() *Loaded {
	l := &Loaded{of: s.mods, scripts: make(map[string]loadedScript, len(s.scripts)), modules: s.modules, envs: make(map[*Environment]loadedNames, len(s.mods.byMod))}
	for path, of := range s.scripts {
		l.scripts[path] = loadedScript{of.Unit, of.module, slices.Clone(of.entered), of.order, maps.Clone(of.requires)}
	}
	for _, e := range s.mods.byMod {
		l.envs[e] = loadedNames{maps.Clone(e.builtins), maps.Clone(e.paths)}
	}
	return l
}

// Fits reports whether the set, or one that it has replaced, has noted l with the same texts of all files.
func (s *Set) Fits(l *Loaded) bool {
	if s.mods != l.of {
		return false
	}
	for path, was := range l.scripts {
		if now := s.scripts[path]; now == nil || now.Unit != was.unit {
			return false
		}
	}
	return true
}

// Unload gives the set the modules that it had. A file that was compiled since is kept, and is not loaded. The tables of environments are
// the caller's to restore.
func (s *Set) Unload(l *Loaded) {
	for path, now := range s.scripts {
		was := l.scripts[path]
		now.module, now.entered, now.order, now.requires = was.module, slices.Clone(was.entered), was.order, maps.Clone(was.requires)
	}
	s.modules = l.modules
	for e, was := range l.envs {
		e.builtins, e.paths = maps.Clone(was.builtins), maps.Clone(was.paths)
	}
}
