package script

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The function require. Each instance has its own, because it resolves names relative to its file and has its own
// built-in modules. Modules from files are shared: a file is loaded once in a set, and every instance that requires
// it gets the same value.

// requirer returns the Go function behind the require of an instance. It looks for the name among the modules that
// the instance has used before, then among the built-in ones, then among the files.
func (i *Instance) requirer() lua.LGFunction {
	return func(L *lua.LState) int {
		s, ok := L.Get(1).(lua.LString)
		if !ok {
			sandbox.Raisef(L, "bad argument #1 to 'require' (%s, got %s)", i.set.host.RequireTakes, L.Get(1).Type())
		}
		name := string(s)
		if known := i.required[name]; known != nil {
			L.Push(known.value)
			return 1
		}
		v, ok := i.builtIn(name)
		if !ok {
			v = i.require(L, name)
		}
		L.Push(v)
		return 1
	}
}

// builtIn returns the instance's own copy of a built-in module; ok is false if there is none of that name.
func (i *Instance) builtIn(name string) (v lua.LValue, ok bool) {
	if v = i.builtins[name]; v != nil {
		return v, true
	}
	if v = i.builtin(name); v == lua.LNil {
		return nil, false
	}
	i.builtins[name] = v
	return v, true
}

// require returns the value of a module from a file, which is loaded if this is the first time in the set.
// Everything that is wrong is raised as a Lua error, also a module that is being loaded further up the stack.
func (i *Instance) require(L *lua.LState, name string) lua.LValue {
	i.set = i.set.live()
	of, err := i.module(name)
	if err != nil {
		sandbox.Raise(L, err)
	}
	if of.module == nil {
		of.module = i.set.instance(of)
		i.set.load(L, of)
	} else if of.module.value == nil {
		sandbox.Raisef(L, "require %q: the files require each other in a circle", name)
	}
	i.required[name] = of.module
	return of.module.value
}

// module finds the script that a module name means in the file of the instance, read and compiled. Its error is
// worded for the script.
func (i *Instance) module(name string) (*Script, error) {
	path, err := i.set.host.find(name, i.Unit.Path)
	if err != nil {
		return nil, err
	}
	of, err := i.set.Script(path)
	if unreadable := readError(err); unreadable != nil && i.set.host.Unreadable != nil {
		err = i.set.host.Unreadable(name, unreadable)
	}
	return of, err
}

// Missing returns the error that require of a name in a file raises because there is no such module; nil if there is one.
func (s *Set) Missing(file, name string) error {
	if slices.Contains(s.host.Builtins, name) {
		return nil
	}
	_, err := s.host.find(name, file)
	return err
}

// find returns the path of the file that a module name means in a file. Its error is worded for the script.
func (h *Host) find(name, file string) (string, error) {
	path, err := h.Sources.Module(name, file)
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
// position and stack of the file. The value of a file that returns nothing is true. If the file fails, the next
// require loads it again.
func (s *Set) load(L *lua.LState, of *Script) {
	module := of.module
	defer func() {
		if module.value == nil {
			of.module = nil // it failed: the next require tries again
		}
	}()
	_ = s.host.Surface.Load(func() error { // the function returns none
		L.Push(module.body())
		L.Call(0, 1)
		return nil
	})
	value := L.Get(-1)
	L.Pop(1)
	if value == lua.LNil {
		value = lua.LTrue
	}
	if s.host.Required != nil {
		if err := s.host.Required(); err != nil {
			sandbox.Raise(L, err)
		}
	}
	module.value = value
	s.modules++
	of.order = s.modules
}
