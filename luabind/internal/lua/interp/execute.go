package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Instructions that need a call of a Go function, and so are methods and no part of the loop (run.go). A method
// that returns false leaves its instruction to gopher-lua (slow.go).

// execute executes an instruction that calls no Lua function. It returns false if gopher-lua must do it. If the
// instruction jumps, it changes act.ip and m.left.
func (m *Machine) execute(act *activation, in *instruction) bool {
	r, k := act.r, act.k
	switch in.op {
	case opSetUpval:
		(*(**lua.Upvalue)(unsafe.Add(act.upvalues, in.b))).SetValue(m.boxes.value(reg(r, in.a)))
		return true
	case opGetGlobal:
		name := reg(k, in.b)
		e, _ := tableOf(act.frame.Fn.Env).find(textOf(name), hashIn(name))
		if e == nil {
			return false
		}
		e.share(textOf(name))
		in.add = tableOf(act.frame.Fn.Env).headerOf().placeOf(e)
		*reg(r, in.a) = Of(e.value)
		return true
	case opGetField:
		key := reg(k, in.c)
		return m.getField(in, reg(r, in.a), reg(r, in.b), key, hashIn(key), act)
	case opGetTable:
		return m.getTable(in, reg(r, in.a), reg(r, in.b), reg(r, in.c), act)
	case opGetTableK:
		return m.getTable(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act)
	case opSetField:
		key := reg(k, in.b)
		return m.setField(in, reg(r, in.a), key, hashIn(key), reg(r, in.c), act)
	case opSetFieldK:
		key := reg(k, in.b)
		return m.setField(in, reg(r, in.a), key, hashIn(key), reg(k, in.c), act)
	case opSetTable:
		return m.setTable(in, reg(r, in.a), reg(r, in.b), reg(r, in.c), act)
	case opSetTableK:
		return m.setTable(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act)
	case opSetTableAt:
		return m.setTable(in, reg(r, in.a), reg(k, in.b), reg(r, in.c), act)
	case opSetTableAtK:
		return m.setTable(in, reg(r, in.a), reg(k, in.b), reg(k, in.c), act)
	case opSelf:
		return m.self(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act)
	case opNewTable:
		if !m.takes(constructorBytes(int(in.b), int(in.c))) {
			return false
		}
		items := int(in.b)
		if next := in.next(); items == 0 && next.op == opVararg && next.b == 0 && next.next().op == opSetList {
			items = len(act.extra) // { ... }
		}
		reg(r, in.a).Ref = newTable(items, int(in.c))
		return true
	case opAllocate:
		return m.takes(constructorBytes(int(in.b), int(in.c)))
	case opNewLaidOut:
		if !m.takes(constructorBytes(int(in.b), int(in.c))) {
			return false
		}
		reg(r, in.a).Ref = m.newLaidOut(act.code.layouts[in.site], int(in.b))
		return true
	case opInitField:
		if !in.flag && !reg(r, in.c).IsNil() && !m.takes(EntryBytes) {
			return false
		}
		m.initField(act.code.layouts[in.site], reg(r, in.a).Ref.(*lua.LTable), int(in.b), reg(r, in.c))
		return true
	case opInitFieldK:
		if !in.flag && !reg(k, in.c).IsNil() && !m.takes(EntryBytes) {
			return false
		}
		m.initField(act.code.layouts[in.site], reg(r, in.a).Ref.(*lua.LTable), int(in.b), reg(k, in.c))
		return true
	case opMod:
		return remainder(reg(r, in.a), reg(r, in.b), reg(r, in.c))
	case opModK:
		return remainder(reg(r, in.a), reg(r, in.b), reg(k, in.c))
	case opKMod:
		return remainder(reg(r, in.a), reg(k, in.b), reg(r, in.c))
	case opPow:
		return power(reg(r, in.a), reg(r, in.b), reg(r, in.c))
	case opPowK:
		return power(reg(r, in.a), reg(r, in.b), reg(k, in.c))
	case opKPow:
		return power(reg(r, in.a), reg(k, in.b), reg(r, in.c))
	case opLen:
		n, ok := length(reg(r, in.b))
		if ok {
			reg(r, in.a).SetNumber(n)
		}
		return ok
	case opEq:
		equal, ok := equals(reg(r, in.a), reg(r, in.c))
		if ok {
			m.branch(act, in, equal == in.flag)
		}
		return ok
	case opEqK:
		equal, ok := equals(reg(r, in.a), reg(k, in.c))
		if ok {
			m.branch(act, in, equal == in.flag)
		}
		return ok
	case opForLoopBox:
		init, limit, step := reg(r, in.a), reg(r, in.a+valueSize), reg(r, in.a+2*valueSize)
		if limit.Ref != nil {
			return false
		}
		v := init.Num + step.Num + 0
		init.Num = v
		if step.Num > 0 && v <= limit.Num || step.Num <= 0 && v >= limit.Num {
			reg(r, in.a+3*valueSize).SetNumber(v)
			if act.boxes != nil {
				act.storeBox(int(in.c)+3, &m.boxes)
			}
			m.jump(act, in)
		}
		return true
	case opSetList:
		if in.b == 0 && !m.takes(EntryBytes*int64(m.top-int(in.a)-1)) {
			return false
		}
		m.setList(act, in)
		return true
	case opClose:
		for i := int(in.a); i < len(act.boxes); i++ {
			act.boxes[i] = nil
		}
		return true
	case opClosure:
		if !m.takes(ClosureBytes) {
			return false
		}
		reg(r, in.a).Ref = m.closure(act, int(in.b), int(in.c), r)
		return true
	case opVararg:
		if len(act.extra) > mostVarargs {
			return false
		}
		m.varargs(act, in)
		return true
	case opLoadBox:
		act.loadBox(int(in.b))
		return true
	case opStoreBox:
		act.storeBox(int(in.b), &m.boxes)
		return true
	case opLoadBoxes:
		for i := int(in.a); i < len(act.boxes); i++ {
			act.loadBox(i)
		}
		return true
	case opStoreBoxes:
		for i := int(in.a); i < len(act.boxes); i++ {
			act.storeBox(i, &m.boxes)
		}
		return true
	}
	return false
}

// jump makes act continue at the target of an instruction.
func (m *Machine) jump(act *activation, in *instruction) {
	act.ip = jumped(in)
	m.left += int64(in.add)
	if in.b <= 0 && (m.left < 0 || m.stop.Load()) {
		m.restAt(act, act.ip, m.left)
		m.jumpedBack(act, in.pc)
		m.left = m.rest + int64(act.ip.before) - act.total
	}
}

// branch makes act continue behind a comparison, or at its target.
func (m *Machine) branch(act *activation, in *instruction, jumps bool) {
	if jumps {
		m.jump(act, in)
		return
	}
	act.ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
	m.left++
}

// leaves executes an instruction that may leave the function, or use more of the budget. It returns false if
// gopher-lua must do it.
func (m *Machine) leaves(act *activation, in *instruction) outcome {
	switch in.op {
	case opTForCall:
		return m.iterate(act, in)
	case opCallShape:
		return m.callShape(act, in)
	case opCheck:
		m.check(act, in)
		return done
	}
	return declined
}

// arity returns the number of arguments that a call passes.
func (m *Machine) arity(in *instruction) int {
	if in.b == 0 {
		return m.top - int(in.a) - 1
	}
	return int(in.b) - 1
}

// giveBack executes opReturn. It reports whether the function that run began with has returned.
func (m *Machine) giveBack(act *activation, in *instruction) (over bool) {
	n := int(in.b) - 1
	if uint(n) <= 1 && act.segment == nil {
		switch frame, caller := act.frame, act.previous; {
		case act.end == endCall && frame.NRet == n:
			if n == 1 {
				*at(caller.r, frame.ReturnBase-caller.frame.LocalBase) = *at(act.r, int(in.a))
			}
			m.pop(act, caller)
			return false
		case act.end == endInstruction && n == 1 && caller.pending().setsA():
			*reg(caller.r, caller.pending().a) = *at(act.r, int(in.a))
			m.pop(act, caller)
			return false
		}
	}
	if n < 0 {
		n = m.top - int(in.a)
	}
	return m.giveResults(act, window(act.r, int(in.a), n))
}

// call executes opCall, for a Lua function or a Go function.
func (m *Machine) call(act *activation, in *instruction) outcome {
	a, nargs := int(in.a), m.arity(in)
	fn, ok := at(act.r, a).Ref.(*lua.LFunction)
	if !ok {
		return declined
	}
	if fn.IsG {
		if isMarked(fn, nativeMark) && !m.full(act.frame) {
			nf := (*NativeFunction)(unsafe.Pointer(fn))
			if nf.opens != nil && nf.opensLoop(window(act.r, a+1, nargs), in, at(act.r, a)) {
				m.top = a + int(in.c) - 1
				return done
			}
			m.lends = in.flag && in.c == 2
			if v, ok := nf.native(m, window(act.r, a+1, nargs)); ok {
				m.give(act, a, int(in.c)-1, v)
				return done
			}
			if nf.control != noControl {
				if o := m.callControl(act, in, nf, nargs); o != declined {
					return o
				}
			}
			if nf.multi != nil && m.callMulti(act, nf, in, nargs, int(in.c)-1) {
				return done
			}
		}
		return m.callGo(act, in, fn, nargs)
	}
	c := m.calledCode(act, in, fn)
	if m.full(act.frame) || !m.fits(act.frame, c, a, nargs) || m.stop.Load() {
		return declined
	}
	act.frame.Pc = int(in.pc) + 1
	m.push(fn, c, a, nargs, int(in.c)-1)
	return done
}

// give puts the result of a native form into register a. n is the number of results that the call wants, -1 for
// all.
func (m *Machine) give(act *activation, a, n int, v Value) {
	if dataOf(&v.Ref) == dataOf(&None.Ref) {
		if n < 0 {
			n = 0
		}
		v = Nil
	} else if n < 0 {
		n = 1
	}
	*at(act.r, a) = v
	for i := 1; i < n; i++ {
		*at(act.r, a+i) = Nil
	}
	m.top = a + n
}

// tail executes opTailCall. over says that the function that run began with has returned. done is false if
// gopher-lua must do it.
func (m *Machine) tail(act *activation, in *instruction) (done, over bool) {
	a, nargs := int(in.a), m.arity(in)
	fn, ok := at(act.r, a).Ref.(*lua.LFunction)
	shape := act.code.sites[in.site].shape
	if ok && fn.IsG && isMarked(fn, nativeMark) && !m.full(act.frame) {
		nf := (*NativeFunction)(unsafe.Pointer(fn))
		var v Value
		given := false
		m.lends = false
		if shape == nil {
			v, given = nf.native(m, window(act.r, a+1, nargs))
		} else if nf.shaped != nil {
			v, given = m.shaped(act, in, nf, shape)
		}
		if given {
			m.give(act, a, -1, v)
			return true, m.giveResults(act, window(act.r, a, m.top-a))
		}
		if nf.multi != nil && shape == nil && m.callMulti(act, nf, in, nargs, -1) {
			return true, m.giveResults(act, window(act.r, a, m.top-a))
		}
	}
	if shape != nil {
		at(act.r, a+nargs).Ref = m.Table(shape.shape, act.slots(shape))
	}
	if ok && fn.IsG && isMarked(fn, nativeMark) && !m.full(act.frame) {
		if nf := (*NativeFunction)(unsafe.Pointer(fn)); nf.control != noControl {
			if o := m.callControl(act, in, nf, nargs); o != declined {
				return true, o == ended
			}
		}
	}
	if !ok || fn.IsG {
		return false, false
	}
	c := m.calledCode(act, in, fn)
	if !m.fits(act.frame, c, a, nargs) || m.stop.Load() {
		return false, false
	}
	m.replace(fn, c, a, nargs)
	return true, false
}

// setList stores the items of a constructor in its table.
func (m *Machine) setList(act *activation, in *instruction) {
	t := at(act.r, int(in.a)).Ref.(*lua.LTable)
	n := int(in.b)
	if n == 0 {
		n = m.top - int(in.a) - 1
	}
	tb := tableOf(t)
	if in.b == 0 && tb.array == nil && n > 0 {
		tb.array = make([]lua.LValue, 0, n)
	}
	if len(tb.dict) == 0 && len(tb.array) == int(in.c) && cap(tb.array)-len(tb.array) >= n {
		for i := 1; i <= n; i++ {
			tb.array = append(tb.array, m.boxes.value(at(act.r, int(in.a)+i)))
		}
		return
	}
	before := len(tb.array)
	for i := 1; i <= n; i++ {
		t.RawSetInt(int(in.c)+i, m.boxes.value(at(act.r, int(in.a)+i)))
	}
	tb.listed(before)
}
