package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Calls of Lua functions from Go. gopher-lua's own Call goes through the main loop of the thread, which is run.
// Call and Enter do the same without copying arguments and results to gopher-lua's registers.

// Call calls a Lua function for a Go function that runs on L, and returns its first result. ok is false, and
// nothing was called, if only gopher-lua can make the call: of a Go function or another value, in a coroutine, or
// without room. Errors are panics, like those of [lua.LState.Call].
func (m *Machine) Call(L *lua.LState, fn lua.LValue, args ...Value) (v Value, ok bool) {
	f, ok := fn.(*lua.LFunction)
	if !ok || f.IsG || m.L != L || !m.begin(L, f, args) {
		return Value{}, false
	}
	m.loop()
	rg := threadOf(L).reg
	if base := m.result.base; rg.top > base {
		clear(rg.array[base:rg.top])
		rg.top = base
	}
	v = m.result.value
	m.result.value = Value{}
	return v, true
}

// Enter is Call from Go code that runs outside all Lua functions of L. L must be a thread on which the Machine is
// installed. The result is dropped.
func (m *Machine) Enter(L *lua.LState, fn lua.LValue, args ...Value) bool {
	f, ok := fn.(*lua.LFunction)
	if !ok || f.IsG || m.Off && m.co == &m.main || threadOf(L).frames().sp != 0 {
		return false
	}
	previous := m.L
	m.L = L
	if !m.begin(L, f, args) {
		m.L = previous
		return false
	}
	m.loop()
	m.result.value = Value{}
	m.L = previous
	return true
}

// begin begins a call whose result goes to m.result.
func (m *Machine) begin(L *lua.LState, fn *lua.LFunction, args []Value) bool {
	c := m.recentCode(fn.Proto)
	if !m.roomForCall(L, c, len(args)) {
		return false
	}
	th := threadOf(L)
	frames, rg, caller := th.frames(), th.reg, th.currentFrame
	base := rg.top
	frame := &frames.array[frames.sp]
	frame.Idx, frame.Fn, frame.Parent, frame.Pc = frames.sp, fn, caller, 0
	frame.Base, frame.LocalBase, frame.ReturnBase = base, base+1, base
	frame.NArgs, frame.NRet, frame.TailCall = len(args), 1, 0
	frames.sp++
	th.currentFrame = frame

	outer := m.act
	act := m.next()
	act.frame, act.end, act.shapes = frame, endDirect, m.wantsShape
	m.wantsShape = false
	act.use(c)
	act.of(fn)
	r := m.registers.segment.start()
	if outer.code != nil {
		r = unsafe.Pointer(at(outer.r, outer.code.size))
	}
	r = m.windowAt(act, r, len(args))
	copy(window(r, 0, len(args)), args)
	m.arguments(act, (*Value)(r), len(args))
	m.reload()
	return true
}

// roomForCall reports whether L has room for a call with n arguments.
func (m *Machine) roomForCall(L *lua.LState, c *code, n int) bool {
	th := threadOf(L)
	frames, rg := th.frames(), th.reg
	need := rg.top + 1 + max(n, c.size)
	if c.vararg {
		need = rg.top + 2 + n + 2*c.params + c.size
	}
	return need <= cap(rg.array) && (frames.sp+1 < len(frames.array) || m.growFrames(th, 1))
}

// hand ends a call that begin has begun: its result goes to m.result.
func (m *Machine) hand(act *activation, values []Value) {
	m.spend()
	m.result.value = Nil
	if len(values) > 0 {
		m.result.value = values[0]
	}
	m.result.base = act.frame.Base
	m.release(act)
	th := threadOf(m.L)
	frames := th.frames()
	frames.sp--
	th.currentFrame = nil
	if frames.sp > 0 {
		th.currentFrame = &frames.array[frames.sp-1]
	}
}
