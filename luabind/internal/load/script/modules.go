package script

import "maps"

// Modules are the files that an instance has required, and those that these have required: each loaded once. A test
// file has several, because busted's insulate forgets what a group of tests has required.
type Modules struct {
	set      *Set
	required map[string]*Instance
}

// CopyModules returns modules that begin with those that are loaded now. Files that are known already are not compiled
// again.
func (i *Instance) CopyModules() *Modules {
	known := i.set.live()
	copied := NewSet(known.host)
	for path, of := range known.scripts {
		copied.scripts[path] = &Script{Unit: of.Unit, Loops: of.Loops, module: of.module, order: of.order}
	}
	copied.modules = known.modules
	return &Modules{copied, maps.Clone(i.required)}
}

// SwapModules makes the instance require m from now on, and returns the modules that it has required until now. What
// the code of the instance holds in variables does not change.
func (i *Instance) SwapModules(m *Modules) *Modules {
	before := &Modules{i.set, i.required}
	i.set, i.required = m.set, m.required
	return before
}

// Forget makes the instance load a module again when it requires it next. Files that have it keep it.
func (i *Instance) Forget(name string) {
	module := i.required[name]
	delete(i.required, name)
	delete(i.builtins, name)
	if module == nil {
		return
	}
	if of := i.set.live().scripts[module.Unit.Path]; of != nil && of.module == module {
		of.module = nil
	}
}
