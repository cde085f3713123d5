package luabind

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/script"
	lua "github.com/yuin/gopher-lua"
)

// system is a System with what it runs.
type system struct {
	System
	entry *ecs.System
	run   ecs.SystemFunc // the native implementation in use; nil when it is Lua
	when  func(*ecs.World) (bool, error)

	instance *script.Instance // of its script; nil when it has none, or none that compiles
	begun    bool             // a startup system whose init was called
	strikes  int
	dt       lua.LValue // of the last turn, as update gets it; nil before
}

// init is the init of its script, nil when there is none.
func (s *system) init() *lua.LFunction {
	if s.instance == nil {
		return nil
	}
	return s.instance.Init
}

// update is the update of its script, nil when there is none.
func (s *system) update() *lua.LFunction {
	if s.instance == nil {
		return nil
	}
	return s.instance.Update
}

// compiles reports whether the loops of its script run compiled in its turns, as far as its setting goes.
func (s *system) compiles() bool { return s.entry.Enabled() && !s.native() && s.Impl != Lua }

// nativeName says which native function is meant, in messages that have said which
// system.
func (s *system) nativeName() string {
	if s.Native == s.Name {
		return "native"
	}
	return fmt.Sprintf("native %q", s.Native)
}

// system finds a system by name, nil when the schedule has one of its own.
func (r *Runtime) system(name string) *system { return r.named[name] }
