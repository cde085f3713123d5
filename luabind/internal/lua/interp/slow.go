package interp

import (
	"fmt"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The way out to gopher-lua. What this package does not do itself, gopher-lua's implementation of the instruction
// does, with the operands copied to gopher-lua's registers and the result copied back. All errors, metamethods
// written in Lua, and coercions of strings come about here.

// encode makes an instruction of gopher-lua.
func encode(op, a, b, c int) uint32 {
	return uint32(op)<<26 | uint32(a)<<18 | uint32(c)<<9 | uint32(b)
}

// slow executes the instruction before act.frame.Pc with gopher-lua. The operands go to gopher-lua's registers, and
// the result comes back. Errors are raised there.
func (m *Machine) slow(L *lua.LState, act *activation) {
	frame := act.frame
	w := word(frame.Fn.Proto.Code[frame.Pc-1])
	m.spill(L, act, w)
	m.spare(threadOf(L))
	frame = act.frame
	jumpTable[w.op()](L, uint32(w), frame)
	act.frame.Pc = frame.Pc // the frame may have moved
	array := threadOf(L).reg.array
	switch w.op() {
	case lua.OP_SELF:
		*at(act.r, w.a()+1) = ofRegister(array[frame.LocalBase+w.a()+1])
		*at(act.r, w.a()) = ofRegister(array[frame.LocalBase+w.a()])
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SETGLOBAL, lua.OP_SETUPVAL:
	default:
		*at(act.r, w.a()) = ofRegister(array[frame.LocalBase+w.a()])
	}
}

// spill copies the registers that an instruction reads to gopher-lua's registers.
func (m *Machine) spill(L *lua.LState, act *activation, w word) {
	rg, frame := threadOf(L).reg, act.frame
	copyOf := func(register int) {
		if register < act.code.size {
			rg.array[frame.LocalBase+register] = m.boxes.value(at(act.r, register))
		}
	}
	m.extend(L, frame, act)
	switch w.op() {
	case lua.OP_CONCAT:
		for i := w.b(); i <= w.c(); i++ {
			copyOf(i)
		}
		return
	case lua.OP_FORPREP, lua.OP_FORLOOP:
		for i := range 4 {
			copyOf(w.a() + i)
		}
		return
	case lua.OP_SETLIST:
		copyOf(w.a())
		if w.b() == 0 { // the instruction costs too much: gopher-lua counts the values up to the top, and raises the error
			m.ensure(L, frame.LocalBase+m.top)
			rg.top = frame.LocalBase + m.top
		}
		return
	}
	if op := w.op(); (op == lua.OP_GETTABLE || op == lua.OP_GETTABLEKS) && w.a() > 0 {
		copyOf(w.a() - 1) // for a Path of the kind Argument, which looks at the function there
	}
	copyOf(w.a())
	if !isConstant(w.b()) {
		copyOf(w.b())
	}
	if !isConstant(w.c()) {
		copyOf(w.c())
	}
}

// extend makes all registers of a frame valid registers of gopher-lua.
func (m *Machine) extend(L *lua.LState, frame *callFrame, act *activation) {
	rg := threadOf(L).reg
	top := frame.LocalBase + act.code.size
	m.ensure(L, top) // gopher-lua makes room for NumUsedRegisters only
	for i := rg.top; i < top; i++ {
		rg.array[i] = lua.LNil
	}
	rg.top = top
}

// ensure makes gopher-lua have n registers. It raises an error if they are too many.
func (m *Machine) ensure(L *lua.LState, n int) {
	rg := threadOf(L).reg
	for n > len(rg.array) {
		for i := rg.top; i < len(rg.array); i++ {
			rg.array[i] = lua.LNil
		}
		rg.top = len(rg.array)
		L.Push(lua.LNil)
	}
}

// perform makes gopher-lua execute the instruction before ip of the newest call, which may call and may fail. It
// reports whether the function that run began with has returned.
func (m *Machine) perform() (over bool) {
	L, act := m.L, m.act
	in := (*instruction)(unsafe.Add(unsafe.Pointer(act.ip), -int(instructionSize)))
	act.frame.Pc = int(in.pc) + 1
	m.spend()
	switch in.op {
	case opCall, opCallShape:
		m.callSlowly(L, act, in)
	case opTForCall:
		m.iterateSlowly(L, act, in)
	case opTailCall:
		if m.tailCallsLua(L, act, in) {
			m.replaceSlowly(L, act, in)
			break
		}
		results := m.tailCallSlowly(L, act, in)
		m.reload()
		return m.giveResults(act, results)
	default:
		if m.stop.Load() {
			m.exhausted(L)
		}
		if m.meta(act, in) {
			break
		}
		m.slow(L, act)
		if act.frame.Pc != int(in.pc)+1 {
			act.ip = act.code.at(act.frame.Pc)
		}
	}
	m.reload()
	return false
}

// callSlowly makes gopher-lua make a call: of a Go function, of a value with __call, or of one that does not fit.
// If a Lua function was called, its activation is the newest one afterwards.
func (m *Machine) callSlowly(L *lua.LState, act *activation, in *instruction) {
	th, a := threadOf(L), int(in.a)
	nargs := int(in.b) - 1
	if nargs < 0 {
		nargs = m.top - a - 1
	}
	if m.stop.Load() {
		m.exhausted(L)
	}
	m.pass(L, act, a, nargs)
	m.spare(th)
	frame := act.frame
	if jumpTable[lua.OP_CALL](L, encode(lua.OP_CALL, a, 0, int(in.c)), frame) != 0 {
		panic("interp: a call left its thread")
	}
	if th.currentFrame != act.frame {
		m.adopt(L, th.currentFrame, endCall)
		return
	}
	n := int(in.c) - 1
	if n < 0 {
		n = th.reg.top - (frame.LocalBase + a)
		m.room(act, a+n)
	}
	m.top = a + n
	for i := range n {
		*at(act.r, a+i) = ofRegister(th.reg.array[frame.LocalBase+a+i])
	}
}

// pass puts a function and its arguments on gopher-lua's stack.
func (m *Machine) pass(L *lua.LState, act *activation, a, nargs int) {
	rg := threadOf(L).reg
	m.extend(L, act.frame, act)
	rg.top = act.frame.LocalBase + a
	for i := range nargs + 1 {
		L.Push(m.boxes.value(at(act.r, a+i)))
	}
}

// keepLoop puts the generator of a loop where the sandbox looks for it when it wants to know which loops run: see
// sandbox.Loop.
func (m *Machine) keepLoop(L *lua.LState, act *activation, a int) {
	rg, i := threadOf(L).reg, act.frame.LocalBase+a
	if g := at(act.r, a).Ref; g != nil && i < rg.top && rg.array[i] == g {
		return // it is there since the previous step
	}
	m.extend(L, act.frame, act)
	rg.array[i] = m.boxes.value(at(act.r, a))
}

// iterateSlowly calls a generator of a loop that has no native form, or that does not fit.
func (m *Machine) iterateSlowly(L *lua.LState, act *activation, in *instruction) {
	th, frame, a := threadOf(L), act.frame, int(in.a)
	rg := th.reg
	m.keepLoop(L, act, a)
	rg.top = frame.LocalBase + a + 3
	for i := range 3 {
		L.Push(m.boxes.value(at(act.r, a+i)))
	}
	m.spare(th)
	L.Call(2, int(in.b))
	for i := range int(in.b) {
		*at(act.r, a+3+i) = ofRegister(rg.array[frame.LocalBase+a+3+i])
	}
}

// tailCallsLua reports whether a tail call calls a Lua function, or a value whose __call is one.
func (m *Machine) tailCallsLua(L *lua.LState, act *activation, in *instruction) bool {
	v := at(act.r, int(in.a))
	fn, ok := v.Ref.(*lua.LFunction)
	if !ok {
		fn, ok = L.GetMetaField(m.boxes.value(v), "__call").(*lua.LFunction)
	}
	return ok && !fn.IsG
}

// replaceSlowly makes gopher-lua make a tail call of a Lua function, which takes over the frame. The frame has a
// new activation afterwards.
func (m *Machine) replaceSlowly(L *lua.LState, act *activation, in *instruction) {
	a := int(in.a)
	nargs := int(in.b) - 1
	if nargs < 0 {
		nargs = m.top - a - 1
	}
	if m.stop.Load() {
		m.exhausted(L)
	}
	m.pass(L, act, a, nargs)
	m.spare(threadOf(L))
	jumpTable[lua.OP_TAILCALL](L, encode(lua.OP_TAILCALL, a, 0, 0), act.frame)
	frame, end, count, outer, handler := act.frame, act.end, act.count, act.outer, act.handler
	m.release(act)
	m.adopt(L, frame, end)
	m.act.count, m.act.outer, m.act.handler = count, outer, handler
}

// tailCallSlowly makes a tail call of a Go function, and returns its results.
func (m *Machine) tailCallSlowly(L *lua.LState, act *activation, in *instruction) []Value {
	call := *in
	call.op, call.c = opCall, 0
	m.callSlowly(L, act, &call)
	return append([]Value(nil), window(act.r, int(in.a), m.top-int(in.a))...)
}

// String returns the instruction as text, for tests and for readers of a translation.
func (in instruction) String() string {
	return fmt.Sprintf("%d: op %d a %d b %d c %d", in.pc, in.op, in.a, in.b, in.c)
}
