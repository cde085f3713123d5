package script

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Environments: the globals that the files of a mod share. The config's own scripts are the mod "", and so is a test file with all
// that it requires. An environment is made when the first file of its mod is loaded, and stays as long as its State: a reload loads
// new versions of files into it, and puts it back if it is refused (Mark).

// An Environment is the globals of a mod, with what require has given in it.
type Environment struct {
	*sandbox.Env
	Mod string

	home            *environments
	loaded, preload *lua.LTable             // package.loaded, package.preload
	builtins        map[string]lua.LValue   // its copies of built-in modules, by name
	builtin         func(string) lua.LValue // makes them
	paths           map[string]string       // of the files that modules are from, by name
	tables          []*lua.LTable
}

// environments are those of all sets of a State.
type environments struct {
	host  *Host
	set   *Set // in which require looks
	byMod map[string]*Environment

	loading []*Instance // the instances whose files are being loaded, innermost last
}

// Console is the environment of code that is no file: see luabind.Edit. It may require what the config's own scripts may.
const Console = "(eval)"

// from returns the mod in whose folder require looks.
func (e *Environment) from() string {
	if e.Mod == Console {
		return ""
	}
	return e.Mod
}

// libraries are the modules of Lua that require gives by name.
var libraries = []string{"bit", "coroutine", "math", "string", "table"}

func (m *environments) of(mod string) *Environment {
	if known := m.byMod[mod]; known != nil {
		return known
	}
	env, builtin := m.host.Environment(mod)
	state := m.host.State
	e := &Environment{Env: env, Mod: mod, home: m, builtin: builtin, builtins: map[string]lua.LValue{}, paths: map[string]string{}, loaded: state.NewTable(), preload: state.NewTable()}
	pkg := state.NewTable()
	e.tables = []*lua.LTable{env.Table}
	for _, name := range libraries {
		library := env.Library(name)
		e.loaded.RawSetString(name, library)
		if name != newLibrary {
			e.tables = append(e.tables, library)
		}
	}
	e.loaded.RawSetString("_G", env.Table)
	e.loaded.RawSetString("package", pkg)
	pkg.RawSetString("config", lua.LString("/\n;\n?\n!\n-\n"))
	pkg.RawSetString("loaded", e.loaded)
	pkg.RawSetString("path", lua.LString("./?.lua;./?/init.lua"))
	pkg.RawSetString("preload", e.preload)
	e.tables = append(e.tables, pkg, e.loaded, e.preload, env.Library(newLibrary))
	require := state.NewFunction(e.requirer())
	env.Set("package", pkg)
	env.Set("require", require)
	env.Own("", "package", pkg, true)
	env.Own("package", "loaded", e.loaded, true)
	env.Own("package", "preload", e.preload, true)
	env.Own("", "require", require, false)
	m.byMod[mod] = e
	return e
}

// Tables returns the tables of the environment that scripts can change, in a fixed order, _G first. There are [TablesOfEnvironment].
func (e *Environment) Tables() []*lua.LTable { return e.tables }

// TablesOfEnvironment is the number of tables that an environment has.
const TablesOfEnvironment = 9

// newLibrary is the library that files of snapshots may lack. It is the last one of [Environment.Tables].
const newLibrary = "bit"

// Complete gives the environment the library that it lacks after it got the variables of such a file.
func (e *Environment) Complete() {
	for _, t := range []*lua.LTable{e.Table, e.loaded} {
		if t.RawGetString(newLibrary) == lua.LNil {
			t.RawSetString(newLibrary, e.Library(newLibrary))
		}
	}
}

// Builtins returns the names of the built-in modules that were required, sorted.
func (e *Environment) Builtins() []string {
	out := make([]string, 0, len(e.builtins))
	for name := range e.builtins {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// BuiltIn makes the environment's own copy of a built-in module, as require does. It reports whether there is one of that name.
func (e *Environment) BuiltIn(name string) bool {
	_, ok := e.builtIn(name)
	return ok
}

// Module returns a built-in module that was required or made, nil if it was not.
func (e *Environment) Module(name string) lua.LValue { return e.builtins[name] }

// Environments returns the environments that there are, sorted by mod.
func (s *Set) Environments() []*Environment {
	out := make([]*Environment, 0, len(s.mods.byMod))
	for _, e := range s.mods.byMod {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b *Environment) int { return strings.Compare(a.Mod, b.Mod) })
	return out
}

// Environment returns the environment of a mod.
func (s *Set) Environment(mod string) *Environment { return s.mods.of(mod) }

// Declared returns the names of the globals that files of a mod declare with rawset(_G, "name", …), and whether one may declare others.
func (s *Set) Declared(mod string) (names map[string]bool, others bool) {
	names = map[string]bool{}
	for path, of := range s.scripts {
		if s.host.Sources.Mod(path) == mod {
			list, more := of.Code.Declares()
			for _, name := range list {
				names[name] = true
			}
			others = others || more
		}
	}
	return names, others
}

// UndeclaredIn returns the undeclared globals in the file of an instance, which was required: it has run, and so declared what it declares.
func (s *Set) UndeclaredIn(module *Instance) []*sandbox.Error {
	declared, others := s.Declared(module.Env.Mod)
	if others {
		return nil
	}
	return module.Env.UndeclaredOfModule(module.Unit.Code, declared)
}

// A Mark is what the tables of all environments hold at some time.
type Mark struct{ tables []sandbox.Contents }

// Mark notes what the tables of all environments hold.
func (s *Set) Mark() *Mark {
	m := &Mark{}
	for _, e := range s.Environments() {
		for _, t := range e.tables {
			m.tables = append(m.tables, sandbox.ContentsOf(t))
		}
	}
	return m
}

// Undo puts back what the tables held. What other tables hold is not undone.
func (m *Mark) Undo() {
	for _, c := range m.tables {
		c.Put()
	}
}
