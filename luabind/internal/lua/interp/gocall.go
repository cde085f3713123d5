package interp

import (
	lua "github.com/yuin/gopher-lua"
)

// Calls of Go functions that have no native form.

// callGo calls a Go function that has no native form, or whose native form declines. It does what gopher-lua's
// instruction does: arguments and results are on gopher-lua's stack. It returns false if there is no room; then
// gopher-lua makes room, or raises the error.
func (m *Machine) callGo(act *activation, in *instruction, fn *lua.LFunction, nargs int) outcome {
	L, a := m.L, int(in.a)
	th := threadOf(L)
	m.spare(th)
	caller := act.frame
	rg, frames := th.reg, th.frames()
	base := caller.LocalBase + a
	top := base + 1 + nargs
	if m.full(caller) || top >= len(rg.array) || m.stop.Load() {
		return declined
	}
	caller.Pc = int(in.pc) + 1
	m.spend()

	for i := rg.top; i < base; i++ {
		rg.array[i] = lua.LNil
	}
	for i := range nargs + 1 {
		rg.array[base+i] = m.boxes.value(at(act.r, a+i))
	}
	if rg.top > top {
		clear(rg.array[top:rg.top])
	}
	rg.top = top
	frame := &frames.array[frames.sp]
	frame.Idx, frame.Fn, frame.Parent, frame.Pc = frames.sp, fn, caller, 0
	frame.Base, frame.LocalBase, frame.ReturnBase = base, base+1, base
	frame.NArgs, frame.NRet, frame.TailCall = nargs, int(in.c)-1, 0
	frames.sp++
	th.currentFrame = frame
	n := fn.GFunction(L)
	if n < 0 {
		L.RaiseError("can not yield from outside of a coroutine") // as gopher-lua says it
	}
	frames.sp--
	th.currentFrame = act.frame

	want := int(in.c) - 1
	if want < 0 {
		want = n
		m.room(act, a+n)
	}
	m.top = a + want
	results := rg.array[rg.top-n : rg.top]
	for i := range want {
		if i < n {
			*at(act.r, a+i) = ofRegister(results[i])
		} else {
			*at(act.r, a+i) = Nil
		}
	}
	clear(rg.array[base:rg.top])
	rg.top = base
	m.reload()
	return done
}
