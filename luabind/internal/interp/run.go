package interp

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// run executes a call that gopher-lua has begun on L, until it returns: its results are
// then in gopher-lua's registers, as if gopher-lua had run it. A Lua error is a panic
// that passes through.
//
// An instruction that this loop does not do completely is done by gopher-lua (slow.go),
// on gopher-lua's registers, so that errors and metamethods are gopher-lua's own.
func (m *Machine) run(L *lua.LState, frame *callFrame) {
	previous := m.L
	m.L = L
	th := threadOf(L)
	entry := len(m.activations)
	m.adopt(L, frame)
	act := &m.activations[entry]
	r, k := act.r, act.constants()
	ip := act.ip
	left, bound := m.left()
	frames := len(th.frames().array) // how many calls may be within each other
	top := 0                         // registers up to here hold values, after an instruction that gives any number

	for {
		in := ip
		if left--; left < 0 {
			if !in.step {
				act.frame.Pc = int(in.pc) + 1
				m.spend(left+1, bound)
				m.exhausted(L)
				left, bound = m.left()
				continue
			}
		}
		ip = (*instruction)(unsafe.Add(unsafe.Pointer(ip), instructionSize))
		switch in.op {
		case opMove:
			if in.step {
				left++
			}
			*reg(r, in.a) = *reg(r, in.b)
			continue
		case opLoadK:
			*reg(r, in.a) = *reg(k, in.b)
			continue
		case opLoadBool:
			if in.b != 0 {
				*reg(r, in.a) = True
			} else {
				*reg(r, in.a) = False
			}
			continue
		case opLoadBoolSkip:
			if in.c != 0 {
				*reg(r, in.a) = True
			} else {
				*reg(r, in.a) = False
			}
			ip = jumped(in)
			continue
		case opLoadNil:
			for o := in.a; o <= in.b; o += valueSize {
				*reg(r, o) = Nil
			}
			continue
		case opGetUpval:
			v := act.frame.Fn.Upvalues[in.b].Value()
			x := reg(r, in.a)
			if n, ok := v.(lua.LNumber); ok {
				x.SetNumber(float64(n))
			} else {
				x.Ref = v
			}
			continue
		case opSetUpval:
			act.frame.Fn.Upvalues[in.b].SetValue(m.boxes.value(reg(r, in.a)))
			continue
		case opGetGlobal:
			env := tableOf(act.frame.Fn.Env)
			if v, ok := env.strdict[string(reg(k, in.b).Ref.(lua.LString))]; ok {
				*reg(r, in.a) = Of(v)
				continue
			}
		case opGetField:
			if m.getField(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act) {
				continue
			}
		case opGetTable:
			if m.getTable(in, reg(r, in.a), reg(r, in.b), reg(r, in.c), act) {
				continue
			}
		case opGetTableK:
			if m.getTable(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act) {
				continue
			}
		case opSetField:
			if m.setField(in, reg(r, in.a), reg(k, in.b), reg(r, in.c), act) {
				continue
			}
		case opSetFieldK:
			if m.setField(in, reg(r, in.a), reg(k, in.b), reg(k, in.c), act) {
				continue
			}
		case opSetTable:
			if m.setTable(in, reg(r, in.a), reg(r, in.b), reg(r, in.c), act) {
				continue
			}
		case opSetTableK:
			if m.setTable(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act) {
				continue
			}
		case opSetTableAt:
			if m.setTable(in, reg(r, in.a), reg(k, in.b), reg(r, in.c), act) {
				continue
			}
		case opSetTableAtK:
			if m.setTable(in, reg(r, in.a), reg(k, in.b), reg(k, in.c), act) {
				continue
			}
		case opNewTable:
			reg(r, in.a).Ref = newTable(int(in.b), int(in.c))
			continue
		case opSelf:
			if m.self(in, reg(r, in.a), reg(r, in.b), reg(k, in.c), act) {
				continue
			}
		case opAdd:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num + y.Num + 0)
				continue
			}
		case opAddK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				reg(r, in.a).SetNumber(x.Num + y.Num + 0)
				continue
			}
		case opKAdd:
			if x, y := reg(k, in.b), reg(r, in.c); y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num + y.Num + 0)
				continue
			}
		case opSub:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num - y.Num + 0)
				continue
			}
		case opSubK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				reg(r, in.a).SetNumber(x.Num - y.Num + 0)
				continue
			}
		case opKSub:
			if x, y := reg(k, in.b), reg(r, in.c); y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num - y.Num + 0)
				continue
			}
		case opMul:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				reg(r, in.a).SetNumber(float64(x.Num*y.Num) + 0)
				continue
			}
		case opMulK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				reg(r, in.a).SetNumber(float64(x.Num*y.Num) + 0)
				continue
			}
		case opKMul:
			if x, y := reg(k, in.b), reg(r, in.c); y.Ref == nil {
				reg(r, in.a).SetNumber(float64(x.Num*y.Num) + 0)
				continue
			}
		case opDiv:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num/y.Num + 0)
				continue
			}
		case opDivK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				reg(r, in.a).SetNumber(x.Num/y.Num + 0)
				continue
			}
		case opKDiv:
			if x, y := reg(k, in.b), reg(r, in.c); y.Ref == nil {
				reg(r, in.a).SetNumber(x.Num/y.Num + 0)
				continue
			}
		case opMod:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				reg(r, in.a).SetNumber(modulo(x.Num, y.Num))
				continue
			}
		case opModK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				reg(r, in.a).SetNumber(modulo(x.Num, y.Num))
				continue
			}
		case opKMod:
			if x, y := reg(k, in.b), reg(r, in.c); y.Ref == nil {
				reg(r, in.a).SetNumber(modulo(x.Num, y.Num))
				continue
			}
		case opUnm:
			if x := reg(r, in.b); x.Ref == nil {
				reg(r, in.a).SetNumber(-x.Num)
				continue
			}
		case opNot:
			if reg(r, in.b).isFalse() {
				*reg(r, in.a) = True
			} else {
				*reg(r, in.a) = False
			}
			continue
		case opLen:
			if n, ok := length(reg(r, in.b)); ok {
				reg(r, in.a).SetNumber(n)
				continue
			}
		case opJmp:
			if in.step {
				left++
			}
			ip = jumped(in)
			if in.b <= 0 && m.stop.Load() {
				act.frame.Pc = int(in.pc) + 1
				m.spend(left, bound)
				m.interrupted(L)
				left, bound = m.left()
			}
			continue
		case opEq:
			if equal, ok := equals(reg(r, in.a), reg(r, in.c)); ok {
				if equal != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opEqK:
			if equal, ok := equals(reg(r, in.a), reg(k, in.c)); ok {
				if equal != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opLt:
			if x, y := reg(r, in.a), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				if (x.Num < y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opLtK:
			if x, y := reg(r, in.a), reg(k, in.c); x.Ref == nil {
				if (x.Num < y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opKLt:
			if x, y := reg(k, in.a), reg(r, in.c); y.Ref == nil {
				if (x.Num < y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opLe:
			if x, y := reg(r, in.a), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				if (x.Num <= y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opLeK:
			if x, y := reg(r, in.a), reg(k, in.c); x.Ref == nil {
				if (x.Num <= y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opKLe:
			if x, y := reg(k, in.a), reg(r, in.c); y.Ref == nil {
				if (x.Num <= y.Num) != (in.site != 0) {
					ip = jumped(in)
				}
				continue
			}
		case opTest:
			if reg(r, in.a).isFalse() != (in.c == 0) {
				ip = jumped(in)
			}
			continue
		case opTestSet:
			if v := reg(r, in.c); v.isFalse() == (in.site == 0) {
				*reg(r, in.a) = *v
			} else {
				ip = jumped(in)
			}
			continue
		case opForPrep:
			if init, step := reg(r, in.a), reg(r, in.a+2*valueSize); init.Ref == nil && step.Ref == nil {
				init.SetNumber(init.Num - step.Num + 0)
				ip = jumped(in)
				continue
			}
		case opForLoop:
			init, limit, step := reg(r, in.a), reg(r, in.a+valueSize), reg(r, in.a+2*valueSize)
			if init.Ref == nil && limit.Ref == nil && step.Ref == nil {
				v := init.Num + step.Num + 0
				init.SetNumber(v)
				if step.Num > 0 && v <= limit.Num || step.Num <= 0 && v >= limit.Num {
					ip = jumped(in)
					reg(r, in.a+3*valueSize).SetNumber(v)
					if act.boxes != nil {
						act.storeBox(int(in.c)+3, &m.boxes)
					}
					if m.stop.Load() {
						act.frame.Pc = int(in.pc) + 1
						m.spend(left, bound)
						m.interrupted(L)
						left, bound = m.left()
					}
				}
				continue
			}
		case opTForTest:
			left++
			if first := reg(r, in.a+3*valueSize); !first.IsNil() {
				*reg(r, in.a+2*valueSize) = *first
				ip = jumped(in)
				if m.stop.Load() {
					act.frame.Pc = int(in.pc) + 1
					m.spend(left, bound)
					m.interrupted(L)
					left, bound = m.left()
				}
			}
			continue
		case opSetList:
			t := reg(r, int32(offset(int(in.a)))).Ref.(*lua.LTable)
			n := int(in.b)
			if n == 0 {
				n = top - int(in.a) - 1
			}
			for i := 1; i <= n; i++ {
				t.RawSetInt(int(in.c)+i, m.boxes.value(at(r, int(in.a)+i)))
			}
			continue
		case opClose:
			for i := int(in.a); i < len(act.boxes); i++ {
				act.boxes[i] = nil
			}
			continue
		case opClosure:
			reg(r, in.a).Ref = m.closure(act, int(in.b), int(in.c), r)
			continue
		case opVararg:
			n := int(in.b) - 1
			if n < 0 {
				n = len(act.extra)
				top = int(in.a) + n
				if top > act.room {
					r = m.grow(act, top)
				}
			}
			if act.frame.LocalBase+int(in.a)+n > len(th.reg.array) {
				act.frame.Pc = int(in.pc) + 1
				m.spend(left, bound)
				m.ensure(L, act.frame.LocalBase+int(in.a)+n)
			}
			for i := range n {
				x := at(r, int(in.a)+i)
				if i < len(act.extra) {
					*x = act.extra[i]
				} else {
					*x = Nil
				}
			}
			continue
		case opNop:
			continue
		case opLoadBox:
			left++
			if act.boxes != nil {
				act.loadBox(int(in.b))
			}
			continue
		case opStoreBox:
			left++
			if act.boxes != nil {
				act.storeBox(int(in.b), &m.boxes)
			}
			continue
		case opLoadBoxes:
			left++
			for i := int(in.a); i < len(act.boxes); i++ {
				act.loadBox(i)
			}
			continue
		case opStoreBoxes:
			left++
			for i := int(in.a); i < len(act.boxes); i++ {
				act.storeBox(i, &m.boxes)
			}
			continue

		case opCall:
			a := int(in.a)
			nargs := int(in.b) - 1
			if nargs < 0 {
				nargs = top - a - 1
			}
			fn, ok := at(r, a).Ref.(*lua.LFunction)
			if !ok {
				break
			}
			if fn.IsG {
				if isMarked(fn, nativeMark) && in.c != 0 && act.frame.Idx+1 < frames {
					nf := (*NativeFunction)(unsafe.Pointer(fn))
					if v, ok := nf.native(m, registers(r, a+1, nargs)); ok {
						*at(r, a) = v
						for i := 1; i < int(in.c)-1; i++ {
							*at(r, a+i) = Nil
						}
						top = a + int(in.c) - 1
						continue
					}
				}
				break
			}
			c := m.calledCode(act, in, fn)
			if act.frame.Idx+1 >= frames || !m.fits(th, act.frame, c, a, nargs) || m.stop.Load() {
				break
			}
			act.ip = ip
			act.frame.Pc = int(in.pc) + 1
			act = m.push(th, act, fn, c, a, nargs, int(in.c)-1)
			r, k, ip = act.r, act.constants(), act.ip
			continue

		case opTForCall:
			a := int(in.a)
			fn, ok := at(r, a).Ref.(*lua.LFunction)
			if !ok || act.frame.Idx+1 >= frames {
				break
			}
			if i := act.frame.LocalBase + a; i >= len(th.reg.array) || th.reg.array[i] != at(r, a).Ref {
				act.frame.Pc = int(in.pc) + 1
				m.spend(left, bound)
				m.keepLoop(L, act, a) // what is there may be the generator of another loop, which was left
			}
			if fn.IsG {
				if isMarked(fn, iteratorMark) {
					act.frame.Pc = int(in.pc) + 1
					m.spend(left, bound)
					(*IteratorFunction)(unsafe.Pointer(fn)).Iterator.Step(L, registers(r, a+3, int(in.b)), act.code.sites[in.site].reuse)
					left, bound = m.left()
					continue
				}
				if isMarked(fn, nativeMark) {
					nf := (*NativeFunction)(unsafe.Pointer(fn))
					if nf.next != nil && nf.next(m, &act.code.sites[in.site], registers(r, a+1, 2), registers(r, a+3, int(in.b))) {
						continue
					}
				}
				break
			}
			c := m.calledCode(act, in, fn)
			*at(r, a+3), *at(r, a+4), *at(r, a+5) = *at(r, a), *at(r, a+1), *at(r, a+2)
			if !m.fits(th, act.frame, c, a+3, 2) {
				break
			}
			act.ip = ip
			act.frame.Pc = int(in.pc) + 1
			act = m.push(th, act, fn, c, a+3, 2, int(in.b))
			r, k, ip = act.r, act.constants(), act.ip
			continue

		case opTailCall:
			a := int(in.a)
			nargs := int(in.b) - 1
			if nargs < 0 {
				nargs = top - a - 1
			}
			fn, ok := at(r, a).Ref.(*lua.LFunction)
			if ok && !fn.IsG {
				c := m.calledCode(act, in, fn)
				if !m.fits(th, act.frame, c, a, nargs) || m.stop.Load() {
					break
				}
				act = m.replace(act, fn, c, a, nargs)
				r, k, ip = act.r, act.constants(), act.ip
				continue
			}
			// A Go function, or a value with __call: a call and a return.

		case opReturn:
			n := int(in.b) - 1
			if n < 0 {
				n = top - int(in.a)
			}
			if len(m.activations)-1 == entry {
				m.leave(L, act, registers(r, int(in.a), n))
				m.spend(left, bound)
				m.L = previous
				return
			}
			frame := act.frame
			want := frame.NRet
			if want < 0 {
				want = n
			}
			from := at(r, int(in.a))
			m.release(act)
			act.boxes, act.extra = nil, nil
			m.activations = m.activations[:len(m.activations)-1]
			th.frames().sp--
			caller := &m.activations[len(m.activations)-1]
			th.currentFrame = caller.frame
			to := frame.ReturnBase - caller.frame.LocalBase
			act = caller
			r, k, ip = act.r, act.constants(), act.ip
			if want > 0 {
				if frame.NRet < 0 && to+want > act.room {
					values := append([]Value(nil), unsafe.Slice(from, n)...)
					r = m.grow(act, to+want)
					from = unsafe.SliceData(values)
				}
				for i := range min(n, want) {
					*at(r, to+i) = *(*Value)(unsafe.Add(unsafe.Pointer(from), i*int(valueSize)))
				}
				for i := n; i < want; i++ {
					*at(r, to+i) = Nil
				}
			}
			top = to + want
			continue
		}

		// gopher-lua executes the instruction.
		act.frame.Pc = int(in.pc) + 1
		act.ip = ip
		m.spend(left, bound)
		switch in.op {
		case opCall:
			top = m.callSlowly(L, act, in, top)
		case opTForCall:
			m.iterateSlowly(L, act, in)
		case opTailCall:
			if m.tailCallsLua(L, act, in) {
				m.replaceSlowly(L, act, in, top)
				break
			}
			results := m.tailCallSlowly(L, act, in, top)
			act = &m.activations[len(m.activations)-1]
			left, bound = m.left()
			if len(m.activations)-1 == entry {
				m.leave(L, act, results)
				m.L = previous
				return
			}
			act, top = m.giveResults(th, act, results)
			r, k, ip = act.r, act.constants(), act.ip
			continue
		default:
			m.slow(L, act)
			act = &m.activations[len(m.activations)-1]
			if act.frame.Pc != int(in.pc)+1 {
				act.ip = act.code.at(act.frame.Pc)
			}
		}
		act = &m.activations[len(m.activations)-1]
		r, k, ip = act.r, act.constants(), act.ip
		left, bound = m.left()
	}
}

// jumped is the target of a jump.
func jumped(in *instruction) *instruction {
	return (*instruction)(unsafe.Add(unsafe.Pointer(in), in.b))
}

// modulo is gopher-lua's %, without -0.
func modulo(x, y float64) float64 {
	if x >= 0 && y > 0 && x < 1<<53 && y < 1<<53 {
		if i, j := int64(x), int64(y); float64(i) == x && float64(j) == y {
			return float64(i % j)
		}
	}
	v := math.Mod(x, y)
	if y > 0 && v < 0 || y < 0 && v > 0 {
		v += y
	}
	return v + 0
}

// equals compares two values; ok is false where a metamethod decides.
func equals(x, y *Value) (equal, ok bool) {
	if x.Ref == nil || y.Ref == nil {
		return x.Ref == nil && y.Ref == nil && x.Num == y.Num, true
	}
	switch a := x.Ref.(type) {
	case lua.LString:
		b, same := y.Ref.(lua.LString)
		return same && a == b, true
	case *lua.LNilType:
		_, same := y.Ref.(*lua.LNilType)
		return same, true
	case lua.LBool:
		b, same := y.Ref.(lua.LBool)
		return same && a == b, true
	case *lua.LTable:
		b, same := y.Ref.(*lua.LTable)
		if !same || a == b {
			return same, true
		}
		return false, a.Metatable == lua.LNil || b.Metatable == lua.LNil
	case *lua.LFunction:
		b, same := y.Ref.(*lua.LFunction)
		return same && a == b, true
	case *lua.LUserData:
		b, same := y.Ref.(*lua.LUserData)
		if !same || a == b {
			return same, true
		}
		return false, false
	}
	return false, false
}

// length is # of a string or of a table without a metatable.
func length(x *Value) (float64, bool) {
	switch v := x.Ref.(type) {
	case lua.LString:
		return float64(len(v)), true
	case *lua.LTable:
		if v.Metatable == lua.LNil {
			return float64(listLength(v)), true
		}
	}
	return 0, false
}
