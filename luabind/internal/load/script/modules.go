package script

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Modules are the files that an instance has required, and those that these have required: each loaded once. A test
// file has several, because busted's insulate forgets what a group of tests has required.
type Modules struct {
	set    *Set
	loaded []sandbox.Contents // package.loaded of each environment
}

// CopyModules returns modules that begin with those that are loaded now. Files that are known already are not compiled
// again.
func (i *Instance) CopyModules() *Modules {
	known := i.Env.home.set
	m := &Modules{set: known.beside()}
	for path, of := range known.scripts {
		m.set.scripts[path] = &Script{Unit: of.Unit, Loops: of.Loops, requires: maps.Clone(of.requires)}
		m.set.take(m.set.scripts[path], of)
	}
	m.loaded = known.loaded()
	return m
}

// loaded returns what package.loaded of each environment holds.
func (s *Set) loaded() (out []sandbox.Contents) {
	for _, e := range s.Environments() {
		out = append(out, sandbox.ContentsOf(e.loaded))
	}
	return out
}

// SwapModules makes require use m from now on, and returns the modules that it has used until now. What
// the code of the instance holds in variables does not change.
func (i *Instance) SwapModules(m *Modules) *Modules {
	now := i.Env.home.set
	before := &Modules{now, now.loaded()}
	i.set, i.Env.home.set = m.set, m.set
	for _, c := range m.loaded {
		c.Put()
	}
	return before
}

// Forget makes the instance load a module again when it requires it next. Files that have it keep it.
func (i *Instance) Forget(name string) {
	name = Dotted(name)
	i.Env.loaded.RawSetString(name, lua.LNil)
	delete(i.Env.builtins, name)
}
