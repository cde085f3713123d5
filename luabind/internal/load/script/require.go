package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The function require. Each environment has its own, because it resolves names in its mod and has its own
// built-in modules. Modules from files are shared: a file is loaded once in a set, in the environment of its own mod, and every file
// that requires it gets the same value. package.loaded has the values by name, as in Lua: what a script puts there is what require
// returns, and what it takes out is loaded again.

// An entered is a name under which package.loaded of an environment has a module.
type entered struct {
	env  *Environment
	name string
}

// requirer returns the Go function behind the require of an environment. It looks for the name in package.loaded, in
// package.preload, among the built-in modules, then among the files.
func (e *Environment) requirer() lua.LGFunction {
	return func(L *lua.LState) int {
		s, ok := L.Get(1).(lua.LString)
		if !ok {
			sandbox.Raisef(L, "bad argument #1 to 'require' (%s, got %s)", e.home.host.RequireTakes, L.Get(1).Type())
		}
		name := Dotted(string(s))
		if v := e.loaded.RawGetString(name); v != lua.LNil {
			if path := e.paths[name]; path != "" {
				e.home.set.noted(path)
			}
			L.Push(v)
			return 1
		}
		for _, as := range []string{string(s), name} {
			if fn, ok := e.preload.RawGetString(as).(*lua.LFunction); ok {
				L.Push(e.run(L, fn, name))
				return 1
			}
		}
		if v, ok := e.builtIn(name); ok {
			L.Push(v)
			return 1
		}
		L.Push(e.require(L, name))
		return 1
	}
}

// Dotted returns the name of a module with dots between its folders.
func Dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }

// builtIn returns the environment's own copy of a built-in module; ok is false if there is none of that name.
func (e *Environment) builtIn(name string) (v lua.LValue, ok bool) {
	if v = e.builtins[name]; v != nil {
		return v, true
	}
	if v = e.builtin(name); v == lua.LNil {
		return nil, false
	}
	e.builtins[name] = v
	e.loaded.RawSetString(name, v)
	return v, true
}

// run calls the function that makes a module, with its name, and puts what it returns into package.loaded: true, if it
// returns nothing and has put nothing there itself.
func (e *Environment) run(L *lua.LState, fn *lua.LFunction, name string) lua.LValue {
	L.Push(fn)
	L.Push(lua.LString(name))
	L.Call(1, 1)
	value := L.Get(-1)
	L.Pop(1)
	return e.enter(name, value)
}

// enter puts the value of a module into package.loaded, and returns it.
func (e *Environment) enter(name string, value lua.LValue) lua.LValue {
	if value == lua.LNil {
		if value = e.loaded.RawGetString(name); value == lua.LNil {
			value = lua.LTrue
		}
	}
	e.loaded.RawSetString(name, value)
	return value
}

// require returns the value of a module from a file, which is loaded if this is the first time in the set.
// Everything that is wrong is raised as a Lua error, also a module that is being loaded further up the stack.
func (e *Environment) require(L *lua.LState, name string) lua.LValue {
	set := e.home.set
	of, err := set.module(name, e.from())
	if err != nil {
		sandbox.Raise(L, err)
	}
	set.noted(of.Path)
	in := entered{e, name}
	switch {
	case of.module != nil && of.module.value == nil:
		sandbox.Raisef(L, "require %q: the files require each other in a circle", name)
	case of.module == nil || slices.Contains(of.entered, in): // a script has taken it out of package.loaded
		of.module, of.entered = set.instance(of), nil
		set.load(L, of, name)
	}
	of.entered, e.paths[name] = append(of.entered, in), of.Path
	of.module.value = e.enter(name, of.module.value)
	return of.module.value
}

// noted notes that the running code has required a file: that of the innermost running function, or the one that is being loaded.
func (s *Set) noted(path string) {
	by := ""
	s.host.State.Callers(func(c *sandbox.Chunk) bool {
		u, ok := c.Of.(*Unit)
		if ok {
			by = u.Path
		}
		return ok
	})
	if n := len(s.mods.loading); by == "" && n > 0 {
		by = s.mods.loading[n-1].Unit.Path
	}
	if of := s.scripts[by]; of != nil && by != path {
		of.notes(path)
	}
}

// leave takes the module of a script out of package.loaded.
func (s *Script) leave() {
	for _, in := range s.entered {
		if in.env.loaded.RawGetString(in.name) == s.module.value {
			in.env.loaded.RawSetString(in.name, lua.LNil)
		}
	}
}

// module finds the script that a module name means in a mod, read and compiled. Its error is
// worded for the script.
func (s *Set) module(name, mod string) (*Script, error) {
	path, err := s.host.find(name, mod)
	if err != nil {
		return nil, err
	}
	of, err := s.Script(path)
	if unreadable := readError(err); unreadable != nil && s.host.Unreadable != nil {
		err = s.host.Unreadable(name, unreadable)
	}
	return of, err
}

// Missing returns the error that require of a name in a file raises because there is no such module; nil if there is one.
func (s *Set) Missing(file, name string) error {
	name = Dotted(name)
	if slices.Contains(s.host.Builtins, name) || slices.Contains(libraries, name) || name == "_G" || name == "package" {
		return nil
	}
	_, err := s.host.find(name, s.host.Sources.Mod(file))
	return err
}

// find returns the path of the file that a module name means in a mod. Its error is worded for the script.
func (h *Host) find(name, mod string) (string, error) {
	path, err := h.Sources.Module(name, mod)
	if missing := (*MissingError)(nil); errors.As(err, &missing) {
		text := missing.Text
		if near, ok := suggest.Closest(name, slices.Concat(missing.Known, h.Builtins)); ok {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return "", errors.New(text)
	}
	return path, err
}

// load runs the file of a module. The call goes through the Lua state, so that an error in the file has the
// position and stack of the file. If the file fails, the next require loads it again.
func (s *Set) load(L *lua.LState, of *Script, name string) {
	module := of.module
	module.name = name
	defer func() {
		if module.value == nil {
			of.module = nil // it failed: the next require tries again
		}
	}()
	_ = module.loading(func() error { // the function returns none
		L.Push(module.body())
		L.Push(lua.LString(name))
		L.Call(1, 1)
		return nil
	})
	value := L.Get(-1)
	L.Pop(1)
	if s.host.Required != nil {
		if err := s.host.Required(); err != nil {
			sandbox.Raise(L, err)
		}
	}
	module.value = value
	s.modules++
	of.order = s.modules
}
