package luabind

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	lua "github.com/yuin/gopher-lua"
)

// A system as the Runtime keeps it: what the caller added, and what Load found for it.

// A system is a [System] with what it runs. Add makes it, Load fills it in, replace exchanges its instance.
type system struct {
	System
	entry *ecs.System
	run   ecs.SystemFunc // the Go function in use; nil when the system runs Lua
	when  func(*ecs.World) (bool, error)

	instance  *script.Instance        // the instance of its script; nil when it has no script, its script does not compile, or it was dropped
	dropped   map[string]*script.Unit // the files of the instance that was dropped, by path; nil if none was
	begun     bool                    // its init was called, or it had its chance
	near      bool                    // Options.Near was told of it
	strikes   int
	wanted    string     // in a restore: the script of the config, if the snapshot has another one
	observing allowance  // what its observers use in the turn that runs
	dt        lua.LValue // dt of the last turn as a Lua value, which is used again if dt stays the same; nil before the first turn
}

// init returns the function init of its script, nil if there is none.
func (s *system) init() *lua.LFunction {
	if s.instance == nil {
		return nil
	}
	return s.instance.Init
}

// update returns the function update of its script, nil if there is none.
func (s *system) update() *lua.LFunction {
	if s.instance == nil {
		return nil
	}
	return s.instance.Update
}

// compiles reports whether the setting of the system allows its loops to run compiled: it is enabled, and Impl is
// Auto or Closures.
func (s *system) compiles() bool { return s.entry.Enabled() && !s.native() && s.Impl != Lua }

// ownName returns the name of the system in its file: that of a system of a mod, "poison.tick", is "tick" there.
func (s *system) ownName() string {
	if mod, _, ok := strings.Cut(s.Script, "/"); ok {
		return strings.TrimPrefix(s.Name, mod+".")
	}
	return s.Name
}

// nativeName names the native function of a system in a message that already names the system.
func (s *system) nativeName() string {
	if s.Native == s.Name {
		return "native"
	}
	return fmt.Sprintf("native %q", s.Native)
}

// system finds a system by name. It returns nil when the system was added to the schedule directly, and not with
// [Runtime.Add].
func (r *Runtime) system(name string) *system { return r.named[name] }

// A liveSetting is what an edit can change of a system.
type liveSetting struct {
	enabled bool // as the config or an edit has it; a failure may have disabled the system all the same
	impl    Impl
	every   int
}

func (s *system) setting() liveSetting { return liveSetting{!s.Disabled, s.Impl, s.Every} }
