package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// threads is the State as the owner of its Machine: it keeps the lists of threads while package interp goes from one to another.
type threads struct{ *State }

// controls are the library functions that package interp executes without a call.
var controls = map[string]interp.Control{
	"pcall": interp.ProtectedCall, "xpcall": interp.HandledCall, "coroutine.resume": interp.Resume, "coroutine.yield": interp.Yield,
}

// Protect implements interp.Owner.
func (s *threads) Protect() *lua.LState {
	th := s.thread()
	if th != nil {
		s.active = append(s.active, th)
		s.depth++
	}
	return th
}

// Unprotect implements interp.Owner. A coroutine may have taken the thread from another depth.
func (s *threads) Unprotect(th *lua.LState) {
	s.active = s.active[:len(s.active)-1]
	s.depth--
	if s.threads[s.depth] == nil && s.deepest(s.depth) == th.Options.CallStackSize {
		s.threads[s.depth] = th
	}
}

// Resume implements interp.Owner.
func (s *threads) Resume(co *interp.Coroutine) bool {
	if len(s.coroutines) >= maxResume || s.depth+len(co.Threads) > maxThreads {
		return false
	}
	s.begin(co.Thread, co.Threads...)
	s.active = append(s.active, co.Thread)
	for _, th := range co.Threads {
		s.active = append(s.active, th)
		s.depth++
		if s.depth > len(s.threads) {
			s.threads = append(s.threads, nil)
		}
	}
	co.Threads = co.Threads[:0]
	return true
}

// Yields implements interp.Owner.
func (s *threads) Yields() bool {
	if n := s.callBytes(); n > 0 {
		return s.machine.Takes(n)
	}
	return true
}

// begin adds a coroutine that is resumed. inner are the threads of its protected calls.
func (s *State) begin(th *lua.LState, inner ...*lua.LState) {
	calls := interp.Depth(th)
	for _, th := range inner {
		calls += interp.Depth(th)
	}
	s.waited = append(s.waited[:len(s.coroutines)], calls)
	s.coroutines = append(s.coroutines, th)
}

// callBytes returns what the coroutine that runs has to pay for the calls in which it would wait if it yielded now.
func (s *State) callBytes() int64 {
	n := len(s.coroutines) - 1
	calls := 0
	for i := len(s.active) - 1; ; i-- {
		calls += interp.Depth(s.active[i])
		if s.active[i] == s.coroutines[n] {
			break
		}
	}
	return interp.CallBytes * int64(max(calls, interp.FreeCalls)-max(s.waited[n], interp.FreeCalls))
}

// Suspend implements interp.Owner. The threads of protected calls stay with the coroutine.
func (s *threads) Suspend(co *interp.Coroutine) {
	s.coroutines = s.coroutines[:len(s.coroutines)-1]
	n := len(s.active) - 1
	for ; s.active[n] != co.Thread; n-- {
		s.depth--
		if s.threads[s.depth] == s.active[n] {
			s.threads[s.depth] = nil
		}
	}
	co.Threads = append(co.Threads, s.active[n+1:]...)
	s.active = s.active[:n]
}

// Drop implements interp.Owner.
func (s *threads) Drop(th *lua.LState) {
	for {
		last := s.active[len(s.active)-1]
		s.active = s.active[:len(s.active)-1]
		if interp.CoroutineOf(last) != nil {
			s.coroutines = s.coroutines[:len(s.coroutines)-1]
		} else if s.depth--; s.threads[s.depth] == last {
			interp.Empty(last)
		}
		if last == th {
			return
		}
	}
}

// Catch implements interp.Owner.
func (s *threads) Catch(th *lua.LState, r any) (v lua.LValue, again any) {
	e := s.fromPanic(th, r)
	s.thrown, s.rethrown = nil, nil
	if e.fatal {
		return nil, s.apiError(e)
	}
	s.remember(e)
	return e.Value, nil
}

// Caught implements interp.Owner.
func (s *threads) Caught(th *lua.LState) { s.charge(th, failCost) }
