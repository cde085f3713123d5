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
		v, ok := act.code.sites[in.site].slots[0].get(tableOf(act.frame.Fn.Env).strdict, textOf(reg(k, in.b)))
		if ok {
			*reg(r, in.a) = Of(v)
		}
		return ok
	case opGetField:
		return m.getField(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act)
	case opGetTable:
		return m.getTable(in, reg(r, in.a), reg(r, in.b), reg(r, in.c), act)
	case opGetTableK:
		return m.getTable(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act)
	case opSetField:
		return m.setField(in, reg(r, in.a), reg(k, in.b), reg(r, in.c), act)
	case opSetFieldK:
		return m.setField(in, reg(r, in.a), reg(k, in.b), reg(k, in.c), act)
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
		reg(r, in.a).Ref = newTable(int(in.b), int(in.c))
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
func (m *Machine) leaves(act *activation, in *instruction) bool {
	switch in.op {
	case opTForCall:
		return m.iterate(act, in)
	case opCallShape:
		return m.callShape(act, in)
	case opCheck:
		m.check(act, in)
		return true
	}
	return false
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
	if n < 0 {
		n = m.top - int(in.a)
	}
	return m.giveResults(act, window(act.r, int(in.a), n))
}

// call executes opCall, for a Lua function or a Go function.
func (m *Machine) call(act *activation, in *instruction) bool {
	a, nargs := int(in.a), m.arity(in)
	fn, ok := at(act.r, a).Ref.(*lua.LFunction)
	if !ok {
		return false
	}
	if fn.IsG {
		if isMarked(fn, nativeMark) && !m.full(act.frame) {
			nf := (*NativeFunction)(unsafe.Pointer(fn))
			if nf.opens != nil && nf.opensLoop(window(act.r, a+1, nargs), in, at(act.r, a)) {
				m.top = a + int(in.c) - 1
				return true
			}
			if nf.multi != nil {
				if m.callMulti(act, in, nf, a, nargs) {
					return true
				}
				return m.callGo(act, in, fn, nargs)
			}
			m.lends = in.flag && in.c == 2
			if v, ok := nf.native(m, window(act.r, a+1, nargs)); ok {
				m.give(act, a, int(in.c)-1, v)
				return true
			}
		}
		return m.callGo(act, in, fn, nargs)
	}
	c := m.calledCode(act, in, fn)
	if m.full(act.frame) || !m.fits(act.frame, c, a, nargs) || m.stop.Load() {
		return false
	}
	act.frame.Pc = int(in.pc) + 1
	m.push(fn, c, a, nargs, int(in.c)-1)
	return true
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
	}
	if shape != nil {
		at(act.r, a+nargs).Ref = m.Table(shape.shape, act.slots(shape))
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

// full reports whether gopher-lua has no room for a call inside that of a frame.
func (m *Machine) full(frame *callFrame) bool {
	return frame.Idx+1 >= len(threadOf(m.L).frames().array)
}

// iterate executes opTForCall: a call of the generator of a loop.
func (m *Machine) iterate(act *activation, in *instruction) bool {
	L, a := m.L, int(in.a)
	r := act.r
	fn, ok := at(r, a).Ref.(*lua.LFunction)
	if !ok || m.full(act.frame) {
		return false
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
			return true
		}
		if !isMarked(fn, nativeMark) {
			return false
		}
		nf := (*NativeFunction)(unsafe.Pointer(fn))
		return nf.next != nil && nf.next(m, &act.code.sites[in.site], window(r, a+1, 2), window(r, a+3, int(in.b)))
	}
	c := m.calledCode(act, in, fn)
	*at(r, a+3), *at(r, a+4), *at(r, a+5) = *at(r, a), *at(r, a+1), *at(r, a+2)
	if !m.fits(act.frame, c, a+3, 2) {
		return false
	}
	act.frame.Pc = int(in.pc) + 1
	m.push(fn, c, a+3, 2, int(in.b))
	return true
}

// setList stores the items of a constructor in its table.
func (m *Machine) setList(act *activation, in *instruction) {
	t := at(act.r, int(in.a)).Ref.(*lua.LTable)
	n := int(in.b)
	if n == 0 {
		n = m.top - int(in.a) - 1
	}
	if tb := tableOf(t); len(tb.array) == int(in.c) && cap(tb.array)-len(tb.array) >= n {
		for i := 1; i <= n; i++ {
			tb.array = append(tb.array, m.boxes.value(at(act.r, int(in.a)+i)))
		}
		return
	}
	for i := 1; i <= n; i++ {
		t.RawSetInt(int(in.c)+i, m.boxes.value(at(act.r, int(in.a)+i)))
	}
}

// varargs executes `...`.
func (m *Machine) varargs(act *activation, in *instruction) {
	n := int(in.b) - 1
	if n < 0 {
		n = len(act.extra)
		m.top = int(in.a) + n
		m.room(act, m.top)
	}
	if act.frame.LocalBase+int(in.a)+n > len(threadOf(m.L).reg.array) {
		act.frame.Pc = int(in.pc) + 1
		m.restAt(act, act.ip, m.left)
		m.spend()
		m.ensure(m.L, act.frame.LocalBase+int(in.a)+n)
	}
	for i := range n {
		x := at(act.r, int(in.a)+i)
		if i < len(act.extra) {
			*x = act.extra[i]
		} else {
			*x = Nil
		}
	}
}
