package surface

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Modules of Go functions that an embedding program offers to scripts (luabind.Options.Modules).

// Functions makes the module that require returns. Arguments and results are plain values, and are copied. An error
// of a function is raised in the script.
func Functions[F ~func([]ecs.Value) ([]ecs.Value, error)](s *Surface, env *sandbox.Env, module string, functions map[string]F) *lua.LTable {
	t := s.state.NewTable()
	known := slices.Sorted(maps.Keys(functions))
	for _, name := range known {
		t.RawSetString(name, s.state.NewFunction(s.function(module+"."+name, functions[name])))
	}
	t.Metatable = s.Strict(module, known)
	own(env, module, t)
	return t
}

// function makes the Lua function of one Go function. name is its name in errors.
func (s *Surface) function(name string, fn func([]ecs.Value) ([]ecs.Value, error)) lua.LGFunction {
	return func(L *lua.LState) int {
		args := make([]ecs.Value, L.GetTop())
		for i := range args {
			v, err := s.Value(L.Get(i + 1))
			if err != nil {
				sandbox.Raisef(L, "bad argument #%d to '%s' (%w)", i+1, name, err)
			}
			args[i] = v
		}
		s.Hand()
		results, err := fn(args)
		if err != nil {
			sandbox.Raisef(L, "%s: %w", name, err)
		}
		for _, v := range results {
			L.Push(s.Lua(v))
		}
		return len(results)
	}
}
