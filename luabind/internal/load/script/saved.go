package script

import (
	"errors"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Snapshots: what a set and its instances consist of, and how they get back what was saved. The values of variables are
// written by package heap; here are the instances that they belong to.

// Modules returns the instances that require has made, in the order in which they were loaded.
func (s *Set) Modules() []*Instance {
	var of []*Script
	for _, x := range s.scripts {
		if x.module != nil && x.module.value != nil {
			of = append(of, x)
		}
	}
	slices.SortFunc(of, func(a, b *Script) int { return a.order - b.order })
	out := make([]*Instance, len(of))
	for i, x := range of {
		out[i] = x.module
	}
	return out
}

// Module returns the instance that require has made of a file; nil if there is none.
func (s *Set) Module(path string) *Instance {
	if of := s.scripts[path]; of != nil {
		return of.module
	}
	return nil
}

// LoadModule makes the module of a file as require does, by that name, if that has not been done yet. run calls the function that runs the file. The
// error implements [Set.Script] or of run.
func (s *Set) LoadModule(path, name string, run func(load func() error) error) (*Instance, error) {
	of, err := s.Script(path)
	if err != nil {
		return nil, err
	}
	if of.module != nil {
		return of.module, nil
	}
	module := s.instance(of)
	module.name = name
	of.module = module
	if err := run(module.Load); err != nil {
		of.module = nil
		return nil, err
	}
	if module.value == lua.LNil {
		module.value = lua.LTrue
	}
	s.modules++
	of.order = s.modules
	return module, nil
}

// Replaced makes the set that has these units in place of others, with all other scripts and modules of this one.
// Nothing of the new units is loaded.
func (s *Set) Replaced(units map[string]*Unit) *Set {
	next := s.Next(slices.Collect(maps.Keys(units))...)
	for path, old := range s.scripts { // modules that use the replaced files stay until they are restored
		if now := next.scripts[path]; now != nil {
			next.take(now, old)
		}
	}
	for path, u := range units {
		next.Put(path, u)
	}
	return next
}

// Empty makes an instance of a unit in an environment without running the file: its variables are restored. The set does not have it.
func (s *Set) Empty(u *Unit, env *Environment) *Instance {
	of := &Script{Unit: u}
	if known := s.scripts[u.Path]; known != nil && known.Unit == u {
		of.Loops = known.Loops
	} else if u.Loops != nil && s.host.Runner != nil {
		of.Loops = s.host.Runner(u)
	}
	i := s.instanceIn(of, env)
	_ = i.body() // makes its hidden values
	return i
}

// SetModule makes an instance the module of its file.
func (s *Set) SetModule(i *Instance) {
	s.modules++
	of := s.scripts[i.Unit.Path]
	of.module, of.entered, of.order = i, nil, s.modules
}

// Enter notes that package.loaded of a mod has the module of a file under a name.
func (s *Set) Enter(path, mod, name string) {
	of, in := s.scripts[path], entered{s.mods.of(mod), name}
	in.env.paths[name] = path
	if of != nil && of.module != nil && !slices.Contains(of.entered, in) {
		of.entered = append(of.entered, in)
	}
}

// Entered calls visit for the names under which package.loaded has the module of a file.
func (s *Set) Entered(path string, visit func(mod, name string)) {
	if of := s.scripts[path]; of != nil {
		for _, in := range of.entered {
			visit(in.env.Mod, in.name)
		}
	}
}

// Requires returns the paths of the files that the code of a file has required, sorted.
func (s *Set) Requires(path string) []string {
	if of := s.scripts[path]; of != nil {
		return slices.Sorted(maps.Keys(of.requires))
	}
	return nil
}

// Require notes that the code of a file has required another file.
func (s *Set) Require(path, other string) {
	if of := s.scripts[path]; of != nil {
		of.notes(other)
	}
}

// A Saved is what an instance has besides its environment. A value that it does not have is nil of Lua.
type Saved struct {
	Name                   string     // by which it was required first
	Value, Table           lua.LValue // what the file returned, and the table of a system in it
	Init, Update, OnReload lua.LValue
	Shape                  lua.LValue // of its state when the file was loaded
}

func orNil(fn *lua.LFunction) lua.LValue {
	if fn == nil {
		return lua.LNil
	}
	return fn
}

// Saved returns what the instance has.
func (i *Instance) Saved() Saved {
	s := Saved{
		Name: i.name, Value: i.value, Table: lua.LNil, Init: orNil(i.Init), Update: orNil(i.Update), OnReload: orNil(i.OnReload),
		Shape: i.shape.list(),
	}
	if i.value == nil {
		s.Value = lua.LNil
	}
	if i.table != nil {
		s.Table = i.table
	}
	return s
}

// errSaved is the error for values that no instance can have.
var errSaved = errors.New("the functions of a script are damaged")

// Restore gives the instance what was saved. Update and the others must be functions or nil of Lua.
func (i *Instance) Restore(s Saved) error {
	for _, f := range []struct {
		from lua.LValue
		to   **lua.LFunction
		name string
	}{{s.Init, &i.Init, "init"}, {s.Update, &i.Update, "update"}, {s.OnReload, &i.OnReload, "on_reload"}} {
		switch fn := f.from.(type) {
		case *lua.LFunction:
			*f.to = fn
			i.set.host.State.NameFunction(fn, f.name)
		case *lua.LNilType:
			*f.to = nil
		default:
			return errSaved
		}
	}
	i.value, i.table = s.Value, nil
	switch t := s.Table.(type) {
	case *lua.LTable:
		i.table = t
	case *lua.LNilType:
	default:
		return errSaved
	}
	shape, ok := shapeIn(s.Shape)
	if !ok {
		return errSaved
	}
	i.shape, i.name = shape, s.Name
	return nil
}

// Originals calls visit for the values that only this instance has: see [sandbox.Original].
func (i *Instance) Originals(visit func(sandbox.Original)) {
	for _, o := range i.hidden {
		visit(o)
	}
}
