package script

import (
	"errors"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// A Host is who scripts are loaded for: the Lua state they run in, and what differs between a Runtime and a test file.
type Host struct {
	State   *sandbox.State
	Surface *surface.Surface
	Sources Sources

	// Compile makes the unit of a file.
	Compile func(path, name, text string) (*Unit, error)
	// Runner makes what runs the loops of a unit that has any; nil: there are no such units.
	Runner func(*Unit) *loops.Runner
	// Environment makes an environment without require, and the function that makes its own instance of a built-in module, nil of Lua when there is none
	// of that name.
	Environment func() (env *sandbox.Env, builtin func(name string) lua.LValue)
	// RequireTakes says what require takes, in the message about something else: "string expected".
	RequireTakes string
	// Builtins are the names that builtin knows, for suggestions.
	Builtins []string
	// Required is called after a file was required; its error is raised. nil: nothing is to be done.
	Required func() error
	// Dropped is told of a unit that is no longer in use; nil: nobody is.
	Dropped func(*Unit)
	// Unreadable words the error of require about a file that is there and cannot be read; nil: as it is.
	Unreadable func(module string, err *ReadError) error
}

// A Script is a file in use: its unit and what belongs to it in this Lua state.
type Script struct {
	*Unit
	Loops  *loops.Runner // runs its loops; nil: they run as written
	module *Instance     // what require made of it; nil: nobody required it
}

// A Set is the scripts that are in use together: one script for each file, each module loaded once. What is asked for is loaded when it is first asked for. It belongs
// to the goroutine of its State.
type Set struct {
	host      *Host
	scripts   map[string]*Script // by path
	successor *Set               // that is in use in its place; nil unless it was retired
}

// NewSet makes a set without scripts.
func NewSet(host *Host) *Set { return &Set{host: host, scripts: map[string]*Script{}} }

// Script returns the script of a file, read and compiled if it was not. The error is a [*ReadError] or a [*sandbox.Error].
func (s *Set) Script(path string) (*Script, error) {
	if known := s.scripts[path]; known != nil {
		return known, nil
	}
	h := s.host
	text, err := h.Sources.Read(path)
	if err != nil {
		return nil, &ReadError{h.Sources.Shown(path), err}
	}
	unit, err := h.Compile(path, h.Sources.Shown(path), text)
	if err != nil {
		return nil, err
	}
	made := &Script{Unit: unit}
	if unit.Loops != nil && h.Runner != nil {
		made.Loops = h.Runner(unit)
	}
	s.scripts[path] = made
	return made, nil
}

// Instance makes an instance of a file, which is not loaded yet. The error is that of [Set.Script].
func (s *Set) Instance(path string) (*Instance, error) {
	of, err := s.Script(path)
	if err != nil {
		return nil, err
	}
	return s.instance(of), nil
}

func (s *Set) instance(of *Script) *Instance {
	env, builtin := s.host.Environment()
	i := &Instance{Unit: of.Unit, Env: env, set: s, loops: of.Loops, required: map[string]*Instance{}}
	env.Set("require", s.host.State.NewFunction(i.requirer(builtin)))
	return i
}

// Lookup returns the script of a file, nil when the set has none.
func (s *Set) Lookup(path string) *Script { return s.scripts[path] }

// Paths lists the files of the set, sorted.
func (s *Set) Paths() []string { return slices.Sorted(maps.Keys(s.scripts)) }

// Excerpt returns a line of a file as an error shows it, "" when it is not known.
func (s *Set) Excerpt(path string, line int) string {
	if of := s.scripts[path]; of != nil {
		return of.Code.Excerpt(line)
	}
	return ""
}

// Next makes a set into which files are loaded anew, while this set is in use and stays as it is. It shares the units of all other files, and the modules that use none
// of the changed ones. To go over to it: load into it what [Instance.Uses] the changed files, and [Set.Retire] this set. To stay: Retire the new one.
func (s *Set) Next(changed ...string) *Set {
	stale := map[string]bool{}
	for _, path := range changed {
		stale[path] = true
	}
	next := NewSet(s.host)
	for path, old := range s.scripts {
		if stale[path] {
			continue
		}
		next.scripts[path] = &Script{Unit: old.Unit, Loops: old.Loops}
		if old.module != nil && !old.module.Uses(stale) {
			next.scripts[path].module = old.module
		}
	}
	return next
}

// Retire drops a set that is no longer in use, or never was: its State forgets the code that the set in use does not have, and instances of the dropped set require in
// that one from now on. Nothing may run on the State.
func (s *Set) Retire(inUse *Set) {
	var gone []*sandbox.Chunk
	for path, of := range s.scripts {
		if other := inUse.scripts[path]; other == nil || other.Unit != of.Unit {
			gone = append(gone, of.Code)
			if s.host.Dropped != nil {
				s.host.Dropped(of.Unit)
			}
		}
	}
	s.scripts, s.successor = nil, inUse
	s.host.State.Forget(gone...)
	s.host.Surface.ForgetSites()
}

// live returns the set that is in use now in the place of this one.
func (s *Set) live() *Set {
	for s.successor != nil {
		s = s.successor
	}
	return s
}

// readError returns the [*ReadError] in an error, nil when there is none.
func readError(err error) *ReadError {
	var e *ReadError
	errors.As(err, &e)
	return e
}
