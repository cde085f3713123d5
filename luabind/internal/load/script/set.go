package script

import (
	"errors"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	lua "github.com/yuin/gopher-lua"
)

// Sets of scripts: which file has which unit, and which modules are loaded. Loading, require and replacement go
// through a Set. A Runtime has one in use, and during a replacement a second one beside it.

// A Host is what scripts are loaded for: the Lua state in which they run, and everything that differs between a
// Runtime and a test file. Package luabind makes one for a Runtime, package luatest one for a test file. It does
// not change.
type Host struct {
	State   *sandbox.State
	Surface *surface.Surface
	Sources Sources

	// Compile makes the unit of a file: [Compile] or [CompilePlain].
	Compile func(path, name, text string) (*Unit, error)
	// Runner makes what runs the loops of a unit. It may be nil if no unit has loops.
	Runner func(*Unit) *loops.Runner
	// Environment makes the environment of a mod, without require, and a function that returns this environment's copy of
	// a built-in module, or nil of Lua for any other name.
	Environment func(mod string) (env *sandbox.Env, builtin func(name string) lua.LValue)
	// RequireTakes says in an error message which argument require expects: "string expected".
	RequireTakes string
	// Builtins are the names of the built-in modules, for suggestions in messages.
	Builtins []string
	// Required is called after a file was required and has run. Its error is raised in the script. It may be nil.
	Required func() error
	// Made is called for each new instance. It may be nil.
	Made func(*Instance)
	// Dropped is called for a unit that is no longer in use. It may be nil.
	Dropped func(*Unit)
	// Unreadable returns the error that require raises for a file that exists and cannot be read; if it is nil,
	// require raises err itself.
	Unreadable func(module string, err *ReadError) error
}

// A Script is a file in use in one Lua state: its unit, what runs its loops, and the module that it is.
type Script struct {
	*Unit
	Loops    *loops.Runner   // runs its loops; nil: the interpreter runs them
	module   *Instance       // the instance that require has made; nil if nothing has required the file
	entered  []entered       // where package.loaded has the module
	order    int             // of the modules of a set, in which order they were loaded: from 1
	requires map[string]bool // paths of the files that its code has required
}

// notes notes that the code of the script has required a file.
func (s *Script) notes(path string) {
	if s.requires == nil {
		s.requires = map[string]bool{}
	}
	s.requires[path] = true
}

// Release makes what runs the loops of the script forget what belongs to an instance that was dropped, of whatever
// script. The loops of a module, which all scripts may call with functions and tables of theirs, begin anew.
func (s *Script) Release() { s.Loops.Release(s.module != nil) }

// A Set is the scripts that are in use together: one script for each file, and each module loaded once. Files are
// read and compiled when they are first asked for. It belongs to the goroutine of its State.
type Set struct {
	host      *Host
	mods      *environments      // shared by all sets of the State
	scripts   map[string]*Script // by path
	modules   int                // order of the module that was loaded last
	successor *Set               // the set that is in use instead of this one; nil unless this one was retired
}

// NewSet makes an empty set.
func NewSet(host *Host) *Set {
	s := &Set{host: host, mods: &environments{host: host, byMod: map[string]*Environment{}}, scripts: map[string]*Script{}}
	s.mods.set = s
	return s
}

// beside makes an empty set with the same environments.
func (s *Set) beside() *Set { return &Set{host: s.host, mods: s.mods, scripts: map[string]*Script{}} }

// Script returns the script of a file. It reads and compiles the file at the first call. The error is a
// [*ReadError] or a [*sandbox.Error], and is not kept: the next call tries again.
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
	return s.Put(path, unit), nil
}

// Put gives the set a unit for a path, instead of reading the file.
func (s *Set) Put(path string, unit *Unit) *Script {
	made := &Script{Unit: unit}
	if unit.Loops != nil && s.host.Runner != nil {
		made.Loops = s.host.Runner(unit)
	}
	s.scripts[path] = made
	return made
}

// Instance makes a new instance of a file, without loading it. The error is that of [Set.Script].
func (s *Set) Instance(path string) (*Instance, error) {
	of, err := s.Script(path)
	if err != nil {
		return nil, err
	}
	return s.instance(of), nil
}

// instance makes a new instance of a script, in the environment of its mod.
func (s *Set) instance(of *Script) *Instance {
	return s.instanceIn(of, s.mods.of(s.host.Sources.Mod(of.Path)))
}

// instanceIn makes a new instance of a script in an environment.
func (s *Set) instanceIn(of *Script, env *Environment) *Instance {
	i := &Instance{Unit: of.Unit, Env: env, set: s, loops: of.Loops}
	if s.host.Made != nil {
		s.host.Made(i)
	}
	return i
}

// Lookup returns the script of a file, nil if the set does not have it. It reads no file.
func (s *Set) Lookup(path string) *Script { return s.scripts[path] }

// Paths lists the files of the set, sorted.
func (s *Set) Paths() []string { return slices.Sorted(maps.Keys(s.scripts)) }

// Excerpt returns a line of a file as an error shows it; "" if the set does not have the file or the line.
func (s *Set) Excerpt(path string, line int) string {
	if of := s.scripts[path]; of != nil {
		return of.Code.Excerpt(line)
	}
	return ""
}

// Next makes a second set, into which changed files are loaded anew while this set stays in use. It
// shares the units of all other files, and the modules that use none of the changed ones; the others are taken out of
// package.loaded. Until one of the two is retired, require looks in the new set. To switch to it, load
// into it all that [Instance.Uses] the changed files, and [Set.Retire] this set. To stay with this set, Retire the
// new one, and undo a [Mark] of before.
func (s *Set) Next(changed ...string) *Set {
	stale := map[string]bool{}
	for _, path := range changed {
		stale[path] = true
	}
	next := s.beside()
	for path, old := range s.scripts {
		uses := s.uses(path, stale, map[string]bool{})
		if uses {
			old.leave()
		}
		if stale[path] {
			continue
		}
		next.scripts[path] = &Script{Unit: old.Unit, Loops: old.Loops, requires: maps.Clone(old.requires)}
		if old.module != nil && !uses {
			next.take(next.scripts[path], old)
		}
	}
	s.mods.set = next
	return next
}

// take gives a script the module of the same file in another set.
func (s *Set) take(to, from *Script) {
	to.module, to.entered, to.order = from.module, slices.Clone(from.entered), from.order
	s.modules = max(s.modules, from.order)
}

// uses reports whether the code of a file is in one of the changed files, or has required one of them, directly or through
// others. seen are files that were visited before.
func (s *Set) uses(path string, changed, seen map[string]bool) bool {
	if changed[path] {
		return true
	}
	if seen[path] || s.scripts[path] == nil { // files may require each other once they are loaded
		return false
	}
	seen[path] = true
	for other := range s.scripts[path].requires {
		if s.uses(other, changed, seen) {
			return true
		}
	}
	return false
}

// Retire drops a set that is no longer in use, or never was. Its State forgets the code that inUse does not have.
// From now on, all code requires in inUse. Nothing may run on the State meanwhile.
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
	s.scripts, s.successor, s.mods.set = nil, inUse, inUse
	s.host.State.Forget(gone...)
	s.host.Surface.ForgetSites()
}

// live returns the set that is in use now instead of this one: itself, or the last of its successors.
func (s *Set) live() *Set {
	for s.successor != nil {
		s = s.successor
	}
	return s
}

// readError returns the [*ReadError] that err wraps, nil if there is none.
func readError(err error) *ReadError {
	var e *ReadError
	errors.As(err, &e)
	return e
}
