package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Where results go. Those of an ordinary call go to registers of its caller (giveResults). Other calls end in other ways; most of them
// complete the instruction of the caller that waits for them (deliver).

// An ending says what becomes of the results of an activation.
type ending uint8

const (
	endCall        ending = iota // registers of the caller, as its frame says
	endEntry                     // run began with it: gopher-lua gets them
	endDirect                    // begin began with it: they go to Machine.result
	endInstruction               // a metamethod: they complete the instruction of the caller
	endNegated                   // so does the opposite of the first one
	endConcat                    // an operand of concat, in the register behind the caller's operand number count
	endProtected                 // the function of pcall or xpcall
	endHandler                   // the handler of xpcall
	endBody                      // the function of a coroutine
)

// end ends an activation that is no ordinary call. It reports whether that was the one that the loop began with.
func (m *Machine) end(act *activation, values []Value) (over bool) {
	switch act.end {
	case endDirect:
		m.hand(act, values)
		return true
	case endProtected, endHandler:
		return m.unprotected(act, values)
	case endBody:
		return m.ended(act, values)
	case endInstruction, endNegated, endConcat:
	default:
		m.leave(m.L, act, values)
		return true
	}
	end, count := act.end, act.count
	th, caller := threadOf(m.L), act.previous
	th.frames().sp--
	th.currentFrame = caller.frame
	if act.segment != nil {
		values = append([]Value(nil), values...)
	}
	m.release(act)
	if end == endInstruction {
		return m.deliver(caller, nil, values)
	}
	v := Nil
	if len(values) > 0 {
		v = values[0]
	}
	in := caller.pending()
	if end == endNegated {
		v = Bool(v.isFalse())
		m.complete(caller, in, &v)
		return false
	}
	*at(caller.r, int(in.a)+count) = v
	return m.concatFrom(caller, in, count)
}

// pending returns the instruction of an activation that waits for the results of a call.
func (act *activation) pending() *instruction {
	return (*instruction)(unsafe.Add(unsafe.Pointer(act.ip), -int(instructionSize)))
}

// deliver completes the instruction with which the newest activation waits. Its results are first, unless that is nil, and values. It
// reports whether the call that the loop began with is over.
func (m *Machine) deliver(act *activation, first *Value, values []Value) (over bool) {
	in := act.pending()
	var to, want int
	switch in.op {
	case opCall, opCallShape:
		to, want = int(in.a), int(in.c)-1
	case opTForCall:
		to, want = int(in.a)+3, int(in.b)
	case opTailCall:
		if first != nil {
			values = append([]Value{*first}, values...)
		}
		return m.giveResults(act, values)
	default:
		switch {
		case first != nil:
			m.complete(act, in, first)
		case len(values) > 0:
			m.complete(act, in, &values[0])
		default:
			m.complete(act, in, &Nil)
		}
		return false
	}
	before := 0
	if first != nil {
		before = 1
	}
	if want < 0 {
		want = before + len(values)
		m.room(act, to+want)
	}
	m.top = to + want
	out := window(act.r, to, want)
	if before > want {
		return false
	}
	n := before + copy(out[before:], values)
	if first != nil {
		out[0] = *first
	}
	for ; n < want; n++ {
		out[n] = Nil
	}
	return false
}

// setsA reports whether the result of an instruction goes to register a, and nothing else has to be done with it.
func (in *instruction) setsA() bool {
	switch in.op {
	case opGetGlobal, opGetTable, opGetTableK, opGetField, opSelf, opUnm, opLen:
		return true
	}
	return opAdd <= in.op && in.op <= opKPow
}

// complete completes an instruction whose metamethod has returned v.
func (m *Machine) complete(act *activation, in *instruction, v *Value) {
	w := word(act.frame.Fn.Proto.Code[in.pc])
	switch w.op() {
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SETGLOBAL:
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		if v.isFalse() == (w.a() == 1) {
			act.ip = act.code.at(int(in.pc) + 2)
		}
	default:
		*at(act.r, w.a()) = *v
	}
}
