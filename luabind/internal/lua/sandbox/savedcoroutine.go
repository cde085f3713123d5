package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Suspended coroutines as data, for snapshots. Those of package interp can be saved; those of gopher-lua, which are made under impl: lua, cannot.

// A CoroutineSaver makes data of coroutines.
type CoroutineSaver struct {
	state *State
	calls *interp.Saver
}

// NewCoroutineSaver makes a CoroutineSaver.
func (s *State) NewCoroutineSaver() *CoroutineSaver {
	c := &CoroutineSaver{state: s}
	if s.machine != nil {
		c.calls = s.machine.NewSaver()
	}
	return c
}

// Calls returns the function of a suspended coroutine, and its calls, outermost first; none if it has not begun. ok is false for coroutines that
// cannot be saved.
func (c *CoroutineSaver) Calls(th *lua.LState) (body *lua.LFunction, calls []interp.SavedCall, ok bool) {
	co := interp.CoroutineOf(th)
	if co == nil || !co.Suspended() {
		return nil, nil, false
	}
	calls = c.calls.Calls(co)
	if calls == nil && co.Body() == nil {
		calls = []interp.SavedCall{}
	}
	return BodyOf(th), calls, true
}

// NewSuspended makes a coroutine that is filled later: with its function and its calls, nil if it has not begun.
func (s *State) NewSuspended() (th *lua.LState, fill func(body *lua.LFunction, calls []interp.SavedCall) error) {
	if s.machine == nil {
		th, _ = s.base.NewThread()
		return th, func(*lua.LFunction, []interp.SavedCall) error {
			return &interp.RestoreError{Reason: "a suspended coroutine without package interp", Damaged: true}
		}
	}
	th = s.newCoroutine(nil)
	return th, func(body *lua.LFunction, calls []interp.SavedCall) error {
		co := interp.CoroutineOf(th)
		co.SetBody(s.launch(body))
		if calls == nil {
			return nil
		}
		return s.machine.Restore(co, calls, func(nth int) *lua.LState {
			if nth >= maxThreads {
				return nil
			}
			return s.newThread(s.deepest(nth))
		})
	}
}

// HasCoroutines reports whether a coroutine that can be saved was ever made.
func (s *State) HasCoroutines() bool { return s.hasCoroutines }

// NewWrapper makes a function of coroutine.wrap whose coroutine is set later.
func (s *State) NewWrapper() (fn *lua.LFunction, set func(th *lua.LState)) {
	fn = s.wrap(nil)
	return fn, func(th *lua.LState) { interp.SetWrapped(fn, interp.CoroutineOf(th)) }
}

// Saves reports whether a coroutine that is not over can be saved.
func Saves(th *lua.LState) bool { return interp.CoroutineOf(th) != nil }
