package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Loops with a generator: for ... in.

// iterate executes opTForCall: a call of the generator of a loop.
func (m *Machine) iterate(act *activation, in *instruction) outcome {
	L, a := m.L, int(in.a)
	r := act.r
	fn, ok := at(r, a).Ref.(*lua.LFunction)
	if !ok && m.iterateBy(act, in) {
		return done
	}
	if !ok || m.full(act.frame) {
		return declined
	}
	array := threadOf(L).reg.array
	if i := act.frame.LocalBase + a; i >= len(array) || array[i] != at(r, a).Ref {
		act.frame.Pc = int(in.pc) + 1
		m.spend()
		m.keepLoop(L, act, a) // the place may have the generator of another loop, which has ended
	}
	if fn.IsG {
		if isMarked(fn, iteratorMark) {
			act.frame.Pc = int(in.pc) + 1
			m.spend()
			(*IteratorFunction)(unsafe.Pointer(fn)).Iterator.Step(L, window(r, a+3, int(in.b)))
			m.reload()
			return done
		}
		if !isMarked(fn, nativeMark) {
			return declined
		}
		nf := (*NativeFunction)(unsafe.Pointer(fn))
		if nf.next != nil && nf.next(m, &act.code.sites[in.site], window(r, a+1, 2), window(r, a+3, int(in.b))) {
			return done
		}
		if nf.control == noControl {
			return declined
		}
		act.frame.Pc = int(in.pc) + 1
		switch ok, over := m.control(nf, window(r, a+1, 2)); {
		case over:
			return ended
		case ok:
			return done
		}
		return declined
	}
	c := m.calledCode(act, in, fn)
	*at(r, a+3), *at(r, a+4), *at(r, a+5) = *at(r, a), *at(r, a+1), *at(r, a+2)
	act.frame.Pc = int(in.pc) + 1
	if m.stop.Load() {
		return declined
	}
	if !m.fits(act.frame, c, a+3, 2) {
		m.spend()
		m.ensure(L, act.frame.LocalBase+a+7+2*c.params+c.size)
	}
	m.push(fn, c, a+3, 2, int(in.b))
	return done
}

// iterateBy calls a generator that is no function: its __call, if that is written in Lua.
func (m *Machine) iterateBy(act *activation, in *instruction) bool {
	generator := at(act.r, int(in.a))
	by := metamethod(generator.Ref, eventCall)
	act.frame.Pc = int(in.pc) + 1
	return !m.stop.Load() && m.callMeta(act, by, endInstruction, generator, at(act.r, int(in.a)+1), at(act.r, int(in.a)+2))
}
