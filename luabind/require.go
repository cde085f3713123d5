package luabind

import (
	"errors"
	"fmt"
	"io/fs"
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

// requirer makes the require of an environment: "ecs" is its own instance of the
// module, a name of Options.Modules gives Go functions, and "lib.util" is
// lib/util.lua of the script folder, loaded once for all systems.
func (r *Runtime) requirer(module *lua.LTable) lua.LGFunction {
	own := map[string]*lua.LTable{} // this environment's tables of Options.Modules
	return func(L *lua.LState) int {
		s, ok := L.Get(1).(lua.LString)
		if !ok {
			sandbox.Raisef(L, "bad argument #1 to 'require' (string expected, got %s)", L.Get(1).Type())
		}
		name := string(s)
		switch {
		case name == "ecs":
			L.Push(module)
		case r.options.Modules[name] != nil:
			if own[name] == nil {
				own[name] = surface.Functions(r.surface, name, r.options.Modules[name])
			}
			L.Push(own[name])
		default:
			L.Push(r.requireFile(L, name))
		}
		return 1
	}
}

func (r *Runtime) requireFile(L *lua.LState, name string) lua.LValue {
	if m := r.modules[name]; m != nil {
		if m.value == nil {
			sandbox.Raisef(L, "require %q: the files require each other in a circle", name)
		}
		return m.value
	}
	file, err := moduleFile(name)
	if err != nil {
		sandbox.Raise(L, err)
	}
	chunk, err := r.chunk(file)
	if err != nil {
		sandbox.Raise(L, r.missing(name, err))
	}
	m := &module{}
	r.modules[name] = m
	defer func() {
		if m.value == nil {
			delete(r.modules, name) // it failed: the next require tries again
		}
	}()
	env := r.newEnv()
	// The call goes through Lua, so that an error in the file is its own.
	r.surface.Load(func() error {
		L.Push(env.Load(chunk, r.loops[file].Fill(r.state, env)))
		L.Call(0, 1)
		return nil
	})
	value := L.Get(-1)
	L.Pop(1)
	if value == lua.LNil {
		value = lua.LTrue
	}
	if !r.loading && !r.surface.Loading() { // required while the world runs: nobody resolves later
		for _, p := range r.surface.Pending() {
			if err := p.Resolve(r.world); err != nil {
				sandbox.Raise(L, err)
			}
		}
	}
	m.value = value
	return value
}

// moduleFile is the path of the file that a module name means.
func moduleFile(name string) (string, error) {
	if strings.ContainsAny(name, "/\\") {
		return "", fmt.Errorf("require %q: folders are separated by dots: require(%q)", cut(name), strings.NewReplacer("/", ".", "\\", ".").Replace(strings.TrimSuffix(cut(name), ".lua")))
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" || strings.ContainsFunc(part, func(c rune) bool {
			return c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
		}) {
			return "", fmt.Errorf("require %q: no module name: letters, digits, _ and -, folders separated by single dots", cut(name))
		}
	}
	return strings.ReplaceAll(name, ".", "/") + ".lua", nil
}

// missing says which module a file that is not there was meant to be.
func (r *Runtime) missing(name string, err error) error {
	se := (*ScriptError)(nil)
	if !errors.As(err, &se) {
		return err // it does not compile
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("require %q: %s cannot be read: %w", cut(name), se.File, se.Err)
	}
	text := fmt.Sprintf("require %q: there is no file %s in the script folder", cut(name), strings.ReplaceAll(cut(name), ".", "/")+".lua")
	known := append(keys(r.options.Modules), "ecs")
	for _, f := range r.files() {
		known = append(known, strings.ReplaceAll(strings.TrimSuffix(f, ".lua"), "/", "."))
	}
	if near, ok := suggest.Closest(name, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}

func cut(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
