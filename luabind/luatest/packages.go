package luatest

import (
	lua "github.com/yuin/gopher-lua"
)

// The table package of a test file: loaded has what it has required. A module whose entry is taken away is loaded again, as
// are files for modules that ecsrun has itself. package.preload makes modules of functions. Paths have no effect.

// packages is package, and the function require behind that of the test file.
type packages struct {
	loaded  *lua.LTable
	preload *lua.LTable
	known   map[string]bool // the modules that were loaded once
	hidden  map[string]bool // the modules of ecsrun in place of which a file was loaded
	require *lua.LFunction
}

// addPackage declares package, and puts a function in place of require.
func (s *suite) addPackage(require *lua.LFunction) {
	p := &s.packages
	p.loaded, p.preload, p.known, p.hidden, p.require = s.state.NewTable(), s.state.NewTable(), map[string]bool{}, map[string]bool{}, require
	t := s.state.NewTable()
	t.RawSetString("loaded", p.loaded)
	t.RawSetString("preload", p.preload)
	t.RawSetString("path", lua.LString("./?.lua;./?/init.lua;./src/?.lua;./src/?/init.lua"))
	t.RawSetString("cpath", lua.LString(""))
	t.RawSetString("config", lua.LString("/\n;\n?\n!\n-"))
	s.scope._g.RawSetString("package", t)
	s.scope._g.RawSetString("require", s.state.NewFunction(s.requireOnce))
}

// requireOnce is require in a test file.
func (s *suite) requireOnce(L *lua.LState) int {
	name, ok := L.Get(1).(lua.LString)
	if !ok {
		return s.packages.require.GFunction(L)
	}
	v := s.packages.loaded.RawGetString(string(name))
	if lua.LVAsBool(v) {
		L.Push(v)
		return 1
	}
	if fn := s.packages.preload.RawGetString(string(name)); fn != lua.LNil {
		L.Push(fn)
		L.Push(name)
		L.Call(1, 1)
		if v = L.Get(-1); v == lua.LNil {
			v = lua.LTrue
		}
	} else {
		if s.packages.known[string(name)] || v == lua.LFalse {
			_, err := sources{s.file}.Module(string(name), "")
			s.packages.hidden[string(name)] = err == nil
			s.instance.Forget(string(name))
		}
		L.Push(s.packages.require)
		L.Push(name)
		L.Call(1, 1)
		v = L.Get(-1)
		s.packages.known[string(name)] = true
	}
	s.packages.loaded.RawSetString(string(name), v)
	L.Push(v)
	return 1
}
