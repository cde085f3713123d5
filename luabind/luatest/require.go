package luatest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// module is what require has loaded or is loading.
type module struct {
	value lua.LValue // nil while it is loading
}

// requirer makes the require of a file. "ecs" and "ecs.test" are the modules of
// that name, a name of Options.Modules gives Go functions. "lib.prose" is
// lib/prose.lua of the nearest folder that has it: that of the test file, or one
// above it. So a test finds the modules its scripts find, wherever it lies in the
// script folder.
func (s *suite) requirer(file string, ecsModule *lua.LTable) lua.LGFunction {
	own := map[string]*lua.LTable{}
	var test *lua.LTable
	return func(L *lua.LState) int {
		name := s.text(L, 1, "require", "name of a module")
		switch {
		case name == "ecs":
			L.Push(ecsModule)
		case name == "ecs.test":
			if test == nil {
				test = s.testModule()
			}
			L.Push(test)
		case s.o.Modules[name] != nil:
			if own[name] == nil {
				own[name] = surface.Functions(s.surf, name, s.o.Modules[name])
			}
			L.Push(own[name])
		default:
			L.Push(s.requireFile(L, name))
		}
		return 1
	}
}

func (s *suite) requireFile(L *lua.LState, name string) lua.LValue {
	file, err := s.find(name)
	if err != nil {
		sandbox.Raise(L, err)
	}
	if m := s.modules[file]; m != nil {
		if m.value == nil {
			sandbox.Raisef(L, "require %q: the files require each other in a circle", name)
		}
		return m.value
	}
	chunk, err := s.chunk(file)
	if err != nil {
		sandbox.Raise(L, err)
	}
	m := &module{}
	s.modules[file] = m
	defer func() {
		if m.value == nil {
			delete(s.modules, file) // it failed: the next require tries again
		}
	}()
	env := s.newEnv(file)
	// The call goes through Lua, so that an error in the file is its own.
	_ = s.surf.Load(func() error { // the function gives none
		L.Push(env.Load(chunk, nil))
		L.Call(0, 1)
		return nil
	})
	value := L.Get(-1)
	L.Pop(1)
	if value == lua.LNil {
		value = lua.LTrue
	}
	m.value = value
	return value
}

// find is the path of the file that a module name means.
func (s *suite) find(name string) (string, error) {
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || strings.ContainsAny(part, `/\`) {
			return "", fmt.Errorf("require %q: folders are separated by single dots, as in %q", name, "lib.prose")
		}
	}
	file := strings.ReplaceAll(name, ".", "/") + ".lua"
	var known []string
	var unreadable error
	for dir := s.folder(); ; dir = path.Dir(dir) {
		at := path.Join(dir, file)
		info, err := fs.Stat(s.file.FS, at)
		switch wrong := (*fs.PathError)(nil); {
		case err == nil && !info.IsDir():
			return at, nil
		case unreadable == nil && errors.As(err, &wrong) && !errors.Is(err, fs.ErrNotExist):
			unreadable = fmt.Errorf("%s: cannot be read: %w", s.shown(at), wrong.Err)
		}
		known = append(known, modulesIn(s.file.FS, path.Dir(at), name)...)
		if dir == "." || dir == "/" {
			break
		}
	}
	if unreadable != nil {
		return "", fmt.Errorf("require %q: %w", name, unreadable)
	}
	text := fmt.Sprintf("require %q: no %s in the folder of the test file or above it", name, file)
	if near, ok := suggest.Closest(name, append(known, append(slices.Sorted(maps.Keys(s.o.Modules)), "ecs", "ecs.test")...)); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return "", errors.New(text)
}

// modulesIn lists what a folder has, by names like that of the module looked for.
func modulesIn(fsys fs.FS, dir, like string) []string {
	prefix := ""
	if i := strings.LastIndexByte(like, '.'); i >= 0 {
		prefix = like[:i+1]
	}
	list, _ := fs.ReadDir(fsys, dir) // nothing to suggest from a folder that cannot be read
	var names []string
	for _, e := range list {
		if base, ok := strings.CutSuffix(e.Name(), ".lua"); ok {
			names = append(names, prefix+base)
		}
	}
	return names
}

// text is argument n of a function, a string.
func (s *suite) text(L *lua.LState, n int, function, what string) string {
	v, ok := L.Get(n).(lua.LString)
	if !ok {
		sandbox.Raisef(L, "bad argument #%d to '%s' (%s expected, got %s)", n, function, what, L.Get(n).Type())
	}
	return string(v)
}
