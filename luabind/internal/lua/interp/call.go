package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Calls: how an activation begins, gets its registers and arguments, and gives back its results. The loop (run.go)
// executes the newest activation; the functions here change which one that is. Call frames are gopher-lua's own, so
// its tracebacks see every call.

// use makes act execute c.
func (act *activation) use(c *code) {
	act.code, act.total = c, c.counted
	act.k = unsafe.Pointer(unsafe.SliceData(c.constants))
	act.ip = &c.ins[0]
}

// of makes act a call of fn.
func (act *activation) of(fn *lua.LFunction) {
	act.upvalues = unsafe.Pointer(unsafe.SliceData(fn.Upvalues))
}

// at returns the first instruction that was made of gopher-lua's instruction at pc.
func (c *code) at(pc int) *instruction { return &c.ins[c.start[pc]] }

// calledCode returns the translation of the function that a call site calls, which the site remembers.
func (m *Machine) calledCode(act *activation, in *instruction, fn *lua.LFunction) *code {
	s := &act.code.sites[in.site]
	if s.proto != fn.Proto {
		s.proto, s.code = fn.Proto, m.recentCode(fn.Proto)
	}
	return s.code
}

// fits reports whether gopher-lua has room for a call in register a, so that it does not have to grow its stack, or
// to refuse the call.
func (m *Machine) fits(caller *callFrame, c *code, a, nargs int) bool {
	need := caller.LocalBase + a + 1 + max(nargs, c.size)
	if c.vararg {
		need = caller.LocalBase + a + 2 + nargs + 2*c.params + c.size
	}
	return need <= cap(threadOf(m.L).reg.array)
}

// next makes the activation above the newest one the newest.
func (m *Machine) next() *activation {
	act := m.act.next
	if act == nil {
		act = &activation{previous: m.act}
		m.act.next = act
	}
	m.act = act
	return act
}

// adopt begins an activation for a frame that gopher-lua has made, with the arguments in gopher-lua's registers.
func (m *Machine) adopt(L *lua.LState, frame *callFrame, end ending) {
	th := threadOf(L)
	c := m.codeOf(frame.Fn.Proto)
	caller := m.act
	act := m.next()
	act.frame, act.end = frame, end
	act.use(c)
	act.of(frame.Fn)
	array := th.reg.array
	if c.vararg {
		if n := frame.NArgs - c.params; n > 0 {
			act.extra = make([]Value, n)
			for i := range act.extra {
				act.extra[i] = ofRegister(array[frame.Base+c.params+1+i])
			}
		}
	}
	r := m.registers.segment.start()
	if caller.code != nil {
		r = unsafe.Pointer(at(caller.r, caller.code.size))
	}
	act.first = m.windowAt(act, r, c.below+c.size)
	act.r = unsafe.Pointer(at(act.first, c.below))
	for i := range c.size {
		v := Nil
		if frame.LocalBase+i < len(array) {
			v = ofRegister(array[frame.LocalBase+i])
		}
		*at(act.r, i) = v
	}
}

// windowAt gives act n registers: from r on, if there are so many in the segment, otherwise in a new one.
func (m *Machine) windowAt(act *activation, r unsafe.Pointer, n int) unsafe.Pointer {
	if m.registers.fit(r, n) {
		return r
	}
	return m.registers.begin(act, n)
}

// ofRegister is Of for a register of gopher-lua, which may be empty.
func ofRegister(v lua.LValue) Value {
	if v == nil {
		return Nil
	}
	return Of(v)
}

// push begins a call of fn, which is in register a of act with its arguments behind it. The call must fit.
func (m *Machine) push(fn *lua.LFunction, c *code, a, nargs, nret int) {
	act := m.act
	th := threadOf(m.L)
	caller := act.frame
	frames := th.frames()
	frame := &frames.array[frames.sp]
	base := caller.LocalBase + a
	frame.Idx, frame.Fn, frame.Parent, frame.Pc = frames.sp, fn, caller, 0
	frame.Base, frame.LocalBase, frame.ReturnBase = base, base+1, base
	frame.NArgs, frame.NRet, frame.TailCall = nargs, nret, 0
	frames.sp++
	th.currentFrame = frame

	next := m.next()
	next.frame, next.end = frame, endCall
	next.use(c)
	next.of(fn)
	if r := unsafe.Pointer(at(act.r, a+1)); !c.vararg && c.below == 0 && m.registers.fit(r, c.size) {
		next.r = r
		for i := nargs; i < c.clears; i++ {
			*at(r, i) = Nil
		}
		return
	}
	m.arguments(next, at(act.r, a+1), nargs)
}

// nils are values of many registers at the beginning of a call.
var nils = func() (out [8]Value) {
	for i := range out {
		out[i] = Nil
	}
	return out
}()

// arguments makes the registers of a call whose arguments cannot stay in place, or that needs more than its
// parameters, and fills them.
func (m *Machine) arguments(act *activation, from *Value, nargs int) {
	c := act.code
	args := unsafe.Slice(from, nargs)
	r := unsafe.Pointer(from)
	if c.vararg {
		act.frame.LocalBase += max(nargs, c.params)
		if nargs > c.params {
			act.extra = args[c.params:]
		}
		r = unsafe.Pointer(at(r, nargs))
	}
	if !c.vararg && c.below > 0 {
		r = unsafe.Pointer(at(r, nargs)) // the arguments are copied
	}
	if !m.registers.fit(r, c.below+c.size) {
		r = m.registers.begin(act, c.below+c.size)
		from = (*Value)(r)
	}
	r = unsafe.Pointer(at(r, c.below))
	act.r, act.first = r, unsafe.Pointer(from)
	locals := window(r, 0, c.size)
	i := copy(locals, args[:min(nargs, c.params)])
	for len(locals)-i >= len(nils) {
		i += copy(locals[i:], nils[:])
	}
	for ; i < len(locals); i++ {
		locals[i] = Nil
	}
	if c.needsArg {
		t := newTable(len(act.extra), 0)
		for i := range act.extra {
			t.RawSetInt(i+1, m.boxes.value(&act.extra[i]))
		}
		t.RawSetString("n", lua.LNumber(len(act.extra)))
		locals[c.params].Ref = t
	}
}

// replace makes a tail call of fn, which is in register a of act: the call takes over the frame and the registers.
func (m *Machine) replace(fn *lua.LFunction, c *code, a, nargs int) {
	act := m.act
	frame := act.frame
	frame.Fn, frame.Pc, frame.NArgs = fn, 0, nargs
	frame.LocalBase = frame.Base + 1
	frame.TailCall++
	first := act.r
	if act.code.vararg || act.code.below > 0 {
		first = act.first // its extra arguments or slots are below its registers
	}
	act.extra, act.boxes = nil, nil
	act.use(c)
	act.of(fn)
	// The arguments move to the start of the registers, so that a tail call takes no room.
	copy(window(first, 0, nargs), window(act.r, a+1, nargs))
	m.arguments(act, (*Value)(first), nargs)
}

// room gives act, which must be the newest activation, n registers. That is more than its function names, for the
// results of a call, or for arguments that it passes on. The values of registers from code.size on are not defined.
func (m *Machine) room(act *activation, n int) {
	if n <= act.code.size || m.registers.fit(act.r, n) {
		return
	}
	below := act.code.below
	old := window(act.r, -below, below+act.code.size)
	act.first = m.registers.begin(act, below+n)
	act.r = unsafe.Pointer(at(act.first, below))
	copy(window(act.r, -below, len(old)), old)
}

// release ends the newest activation. The outermost one clears the registers, so that they keep nothing alive
// between turns.
func (m *Machine) release(act *activation) {
	if act.segment != nil {
		m.registers.endOf(act)
	}
	if act.boxes != nil || act.extra != nil {
		act.boxes, act.extra = nil, nil
	}
	if act.outer != nil {
		act.outer, act.handler = nil, nil
	}
	m.act = act.previous
	if m.act == &m.root {
		act.frame = nil
		m.registers.clear()
		clear(m.result.slots)
	}
}

// pop ends an activation whose registers are in the segment of its caller, and that is on the thread of its caller.
func (m *Machine) pop(act, caller *activation) {
	th := threadOf(m.L)
	th.frames().sp--
	th.currentFrame = caller.frame
	if act.boxes != nil || act.extra != nil {
		act.boxes, act.extra = nil, nil
	}
	m.act = caller
}

// leave ends the activation that run began with: its results go to gopher-lua's registers, and the used
// instructions to the budget.
func (m *Machine) leave(L *lua.LState, act *activation, values []Value) {
	m.spend()
	th := threadOf(L)
	frame := act.frame
	n := frame.NRet
	if n < 0 {
		n = len(values)
	}
	rg := th.reg
	before := rg.top
	rg.top = frame.ReturnBase
	for i := range n {
		if i < len(values) {
			L.Push(m.boxes.value(&values[i]))
		} else {
			L.Push(lua.LNil)
		}
	}
	if before > rg.top && before <= len(rg.array) {
		clear(rg.array[rg.top:before])
	}
	m.release(act)
	frames := th.frames()
	frames.sp--
	th.currentFrame = nil
	if frames.sp > 0 {
		th.currentFrame = &frames.array[frames.sp-1]
	}
}

// giveResults ends a call. It reports whether that was the one that run began with. Otherwise its results go to its
// caller.
func (m *Machine) giveResults(act *activation, values []Value) (over bool) {
	if act.end != endCall {
		return m.end(act, values)
	}
	frame, caller := act.frame, act.previous
	th := threadOf(m.L)
	th.frames().sp--
	th.currentFrame = caller.frame
	if act.segment != nil { // the results may be in the segment that ends
		values = append([]Value(nil), values...)
	}
	m.release(act)
	to, want := frame.ReturnBase-caller.frame.LocalBase, frame.NRet
	if want < 0 {
		want = len(values)
		m.room(caller, to+want)
	}
	m.top = to + want
	n := copy(window(caller.r, to, want), values)
	for ; n < want; n++ {
		*at(caller.r, to+n) = Nil
	}
	return false
}
