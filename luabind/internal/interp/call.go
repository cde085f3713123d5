package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

func (act *activation) constants() unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(act.code.constants))
}

// at is the first instruction of what gopher-lua's instruction at pc became.
func (c *code) at(pc int) *instruction { return &c.ins[c.start[pc]] }

// calledCode is the translation of the function that a call site calls.
func (m *Machine) calledCode(act *activation, in *instruction, fn *lua.LFunction) *code {
	s := &act.code.sites[in.site]
	if s.proto != fn.Proto {
		s.proto, s.code = fn.Proto, m.recentCode(fn.Proto)
	}
	return s.code
}

// fits reports whether a call in register a has registers without gopher-lua growing its
// stack, or refusing to.
func (m *Machine) fits(th *thread, caller *callFrame, c *code, a, nargs int) bool {
	need := caller.LocalBase + a + 1 + max(nargs, c.size)
	if c.vararg {
		need = caller.LocalBase + a + 2 + nargs + 2*c.params + c.size
	}
	return need <= cap(th.reg.array)
}

// adopt begins an activation for a frame that gopher-lua has made: its arguments are in
// gopher-lua's registers.
func (m *Machine) adopt(L *lua.LState, frame *callFrame) {
	th := threadOf(L)
	c := m.codeOf(frame.Fn.Proto)
	act := activation{code: c, frame: frame, ip: &c.ins[0], segment: m.segment, used: m.used}
	array := th.reg.array
	if c.vararg {
		if n := frame.NArgs - c.params; n > 0 {
			act.extra = make([]Value, n)
			for i := range act.extra {
				act.extra[i] = ofRegister(array[frame.Base+c.params+1+i])
			}
		}
	}
	act.r, act.room = m.reserve(c.size), c.size
	for i := range c.size {
		v := Nil
		if frame.LocalBase+i < len(array) {
			v = ofRegister(array[frame.LocalBase+i])
		}
		*at(act.r, i) = v
	}
	m.activations = append(m.activations, act)
}

// ofRegister is Of for a register of gopher-lua, which may hold nothing.
func ofRegister(v lua.LValue) Value {
	if v == nil {
		return Nil
	}
	return Of(v)
}

// push begins a call of fn, which is in register a of act with its arguments behind it.
// It must fit.
func (m *Machine) push(th *thread, act *activation, fn *lua.LFunction, c *code, a, nargs, nret int) *activation {
	caller := act.frame
	frames := th.frames()
	frame := &frames.array[frames.sp]
	base := caller.LocalBase + a
	*frame = callFrame{
		Idx: frames.sp, Fn: fn, Parent: caller,
		Base: base, LocalBase: base + 1, ReturnBase: base, NArgs: nargs, NRet: nret,
	}
	frames.sp++
	th.currentFrame = frame

	m.activations = append(m.activations, activation{})
	next := &m.activations[len(m.activations)-1]
	next.code, next.frame, next.ip = c, frame, &c.ins[0]
	next.segment, next.used = m.segment, m.used
	m.arguments(next, at(act.r, a+1), nargs)
	return next
}

// arguments makes the registers of a call and fills them. The arguments may lie in
// memory that becomes registers of the call, at a higher address than these.
func (m *Machine) arguments(act *activation, from *Value, nargs int) {
	c := act.code
	args := unsafe.Slice(from, nargs)
	var few [8]Value
	params := append(few[:0], args[:min(nargs, c.params)]...)
	extra := 0
	if c.vararg {
		act.frame.LocalBase += max(nargs, c.params)
		extra = max(nargs-c.params, 0)
	}
	r := m.reserve(extra + c.size)
	act.r, act.room = r, c.size
	if extra > 0 {
		act.extra = unsafe.Slice((*Value)(r), extra)
		copy(act.extra, args[c.params:])
		act.r = unsafe.Pointer(at(r, extra))
	}
	locals := registers(act.r, 0, c.size)
	for i := copy(locals, params); i < len(locals); i++ {
		locals[i] = Nil
	}
	if c.needsArg {
		t := newTable(extra, 0)
		for i := range extra {
			t.RawSetInt(i+1, m.boxes.value(&act.extra[i]))
		}
		t.RawSetString("n", lua.LNumber(extra))
		locals[c.params].Ref = t
	}
}

// replace makes a tail call of fn, in register a of act: it takes over the frame, and the
// registers, which lie at the end of the segment.
func (m *Machine) replace(act *activation, fn *lua.LFunction, c *code, a, nargs int) *activation {
	frame := act.frame
	frame.Fn, frame.Pc, frame.NArgs = fn, 0, nargs
	frame.LocalBase = frame.Base + 1
	frame.TailCall++
	m.used = 0
	if len(act.segment) == len(m.segment) {
		m.used = act.used
	}
	from := at(act.r, a+1)
	act.code, act.ip, act.extra, act.boxes = c, &c.ins[0], nil, nil
	m.arguments(act, from, nargs)
	return act
}

// grow gives the newest activation at least n registers: more than its function names, for
// the results of a call or the arguments that it passes on. The registers behind code.size
// hold anything. The old registers stay reserved until the activation ends, so the new ones
// are at least twice as many.
func (m *Machine) grow(act *activation, n int) unsafe.Pointer {
	if n <= act.room {
		return act.r
	}
	old := registers(act.r, 0, act.code.size)
	n = max(n, 2*act.room)
	act.room = n
	r := m.reserve(n)
	copy(registers(r, 0, n), old)
	act.r = r
	return r
}

// leave ends the activation that run began with: its results go to gopher-lua's registers.
func (m *Machine) leave(L *lua.LState, act *activation, values []Value) {
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
	*act = activation{}
	m.activations = m.activations[:len(m.activations)-1]
	frames := th.frames()
	frames.sp--
	th.currentFrame = nil
	if frames.sp > 0 {
		th.currentFrame = &frames.array[frames.sp-1]
	}
}

// giveResults ends an activation whose caller runs here, too. It returns the caller
// and the register behind the results, if the caller wants any number of them.
func (m *Machine) giveResults(th *thread, act *activation, values []Value) (caller *activation, top int) {
	frame := act.frame
	m.release(act)
	*act = activation{}
	m.activations = m.activations[:len(m.activations)-1]
	caller = &m.activations[len(m.activations)-1]
	th.frames().sp--
	th.currentFrame = caller.frame
	to, want := frame.ReturnBase-caller.frame.LocalBase, frame.NRet
	if want < 0 {
		want = len(values)
		if to+want > caller.room {
			m.grow(caller, to+want)
		}
	}
	top = to + want
	for i := range want {
		if i < len(values) {
			*at(caller.r, to+i) = values[i]
		} else {
			*at(caller.r, to+i) = Nil
		}
	}
	return caller, top
}

// closure makes a function. The registers that it captures, which are listed from pc on,
// become captured variables.
func (m *Machine) closure(act *activation, index, pc int, r unsafe.Pointer) *lua.LFunction {
	outer := act.frame.Fn
	proto := outer.Proto.FunctionPrototypes[index]
	fn := &lua.LFunction{Env: outer.Env, Proto: proto, Upvalues: make([]*lua.Upvalue, proto.NumUpvalues)}
	if len(fn.Upvalues) == 0 {
		return fn
	}
	for i := range fn.Upvalues {
		w := word(outer.Proto.Code[pc+i])
		if w.op() == lua.OP_GETUPVAL {
			fn.Upvalues[i] = outer.Upvalues[w.b()]
			continue
		}
		if act.boxes == nil {
			act.boxes = make([]*lua.Upvalue, act.code.size)
		}
		if act.boxes[w.b()] == nil {
			box := &lua.Upvalue{} // it belongs to no register, so gopher-lua takes it for a closed one
			box.SetValue(m.boxes.value(at(r, w.b())))
			act.boxes[w.b()] = box
		}
		fn.Upvalues[i] = act.boxes[w.b()]
	}
	return fn
}

// loadBox makes a register what the variable is that was captured in it.
func (act *activation) loadBox(register int) {
	if box := act.boxes[register]; box != nil {
		*at(act.r, register) = Of(box.Value())
	}
}

// storeBox makes a captured variable what its register is.
func (act *activation) storeBox(register int, b *boxes) {
	if box := act.boxes[register]; box != nil {
		box.SetValue(b.value(at(act.r, register)))
	}
}
