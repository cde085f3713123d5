package script

// Modules are the files that an instance has required, and those that these have required: each loaded once. A test
// file has several, because busted's insulate gives a group of tests modules of its own.
type Modules struct {
	set      *Set
	required map[string]*Instance
}

// FreshModules returns modules of which none is loaded yet. Files that are known already are not compiled again.
func (i *Instance) FreshModules() *Modules {
	known := i.set.live()
	fresh := NewSet(known.host)
	for path, of := range known.scripts {
		fresh.scripts[path] = &Script{Unit: of.Unit, Loops: of.Loops}
	}
	return &Modules{fresh, map[string]*Instance{}}
}

// SwapModules makes the instance require m from now on, and returns the modules that it has required until now. What
// the code of the instance holds in variables does not change.
func (i *Instance) SwapModules(m *Modules) *Modules {
	before := &Modules{i.set, i.required}
	i.set, i.required = m.set, m.required
	return before
}
