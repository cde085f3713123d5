package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// run executes a call that gopher-lua has begun on L, until it returns: its results are
// then in gopher-lua's registers, as if gopher-lua had run it. A Lua error is a panic
// that passes through.
func (m *Machine) run(L *lua.LState, frame *callFrame) {
	previous := m.L
	m.L = L
	m.adopt(L, frame, endEntry)
	m.reload()
	m.loop()
	m.L = previous
}

// interpret executes calls until the one that the loop began with is over: see loopFrom.
//
// It does itself what needs no call of a Go function. Anything else is a method of
// the Machine, and behind it nothing that the loop knows is used: it is loaded again from
// the newest activation. So Go keeps these variables in processor registers, and stores none
// of them from one instruction to the next. There are three ways out of an instruction:
//
//   - continue: the next instruction is at ip;
//   - again: a method was called that neither calls nor counts, and may have changed act.ip or m.left;
//   - resume: a method was called that may have done anything. The budget is read from m.rest.
//
// What a method declines is done by gopher-lua (perform), on gopher-lua's registers, so that errors
// and metamethods are gopher-lua's own.
func (m *Machine) interpret() {
	var (
		act  *activation
		r, k unsafe.Pointer // registers and constants
		ip   *instruction   // the next instruction
		in   *instruction   // the one that is executed
		left int64          // see budget.go
	)
resume:
	act = m.act
	r, k, ip = act.r, act.k, act.ip
	left = m.rest + int64(ip.before) - act.total
	if left < 0 && !act.code.isCareful {
		m.change(act)
		goto resume
	}
	goto next
again:
	act = m.act
	r, k, ip, left = act.r, act.k, act.ip, m.left
	goto next
back: // behind a jump back
	if left < 0 || m.stop.Load() {
		m.restAt(act, ip, left)
		m.jumpedBack(act, in.pc)
		goto resume
	}
next:
	for {
		in = ip
		ip = (*instruction)(unsafe.Add(unsafe.Pointer(ip), instructionSize))
		switch in.op {
		case opMove:
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
			left += int64(in.add)
			continue
		case opLoadNil:
			for o := in.a; o <= in.b; o += valueSize {
				*reg(r, o) = Nil
			}
			continue
		case opGetUpval:
			u := *(**upvalue)(unsafe.Add(act.upvalues, in.b))
			v := &u.value
			if !u.closed && u.reg != nil {
				v = (*lua.LValue)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(u.reg.array)), uintptr(u.index)*unsafe.Sizeof(*v)))
			}
			if x := reg(r, in.a); kindOf(v) == numberTab {
				x.SetNumber(*(*float64)(dataOf(v)))
			} else {
				x.Ref = *v
			}
			continue

		case opGetGlobal:
			if groups := tableOf(act.frame.Fn.Env).headerOf().groupsWith(in.add); groups != nil {
				e, name := (*mapEntry)(unsafe.Add(groups, in.add)), textOf(reg(k, in.b))
				if unsafe.StringData(e.key) == unsafe.StringData(*name) && len(e.key) == len(*name) {
					*reg(r, in.a) = Of(e.value)
					continue
				}
			}

		case opGetField:
			if x := reg(r, in.b); kindOf(&x.Ref) == kindTable {
				t, key := (*table)(dataOf(&x.Ref)), reg(k, in.c)
				h := t.headerOf()
				if groups := h.groupsWith(in.add); groups != nil {
					e := (*mapEntry)(unsafe.Add(groups, in.add))
					if name := textOf(key); unsafe.StringData(e.key) == unsafe.StringData(*name) && len(e.key) == len(*name) {
						if x := reg(r, in.a); kindOf(&e.value) == numberTab {
							x.SetNumber(*(*float64)(dataOf(&e.value)))
						} else {
							x.Ref = e.value
						}
						continue
					}
				}
				e, owner, known := act.code.sites[in.site].bases.reads(t, textOf(key), hashIn(key))
				if known && e != nil {
					e.share(textOf(key))
					in.add = h.placeOf(e)
					if x := reg(r, in.a); kindOf(&e.value) == numberTab {
						x.SetNumber(*(*float64)(dataOf(&e.value)))
					} else {
						x.Ref = e.value
					}
					continue
				}
				if known {
					*reg(r, in.a) = Nil
					continue
				}
				if e != nil {
					m.restAt(act, ip, left)
					if m.indexBy(act, in, e.value, owner, key) {
						goto resume
					}
				}
			}
		case opSelf:
			if x := reg(r, in.b); kindOf(&x.Ref) == kindTable {
				t, key := (*table)(dataOf(&x.Ref)), reg(k, in.c)
				if e, _, known := act.code.sites[in.site].bases.reads(t, textOf(key), hashIn(key)); known && e != nil {
					e.share(textOf(key))
					object := x.Ref
					*reg(r, in.a) = Of(e.value)
					reg(r, in.a+valueSize).Ref = object
					continue
				}
			}
		case opSetField:
			if x := reg(r, in.a); kindOf(&x.Ref) == kindTable {
				key := reg(k, in.b)
				if groups := (*table)(dataOf(&x.Ref)).headerOf().groupsWith(in.add); groups != nil {
					e := (*mapEntry)(unsafe.Add(groups, in.add))
					if name := textOf(key); unsafe.StringData(e.key) == unsafe.StringData(*name) && len(e.key) == len(*name) {
						if y := reg(r, in.c); y.Ref != nil {
							if kindOf(&y.Ref) != kindNil {
								e.value = y.Ref
								continue
							}
						} else if v := smallNumber(y.Num); v != nil {
							e.value = *v
							continue
						} else if m.boxes.left > 0 {
							*(*iface)(unsafe.Pointer(&e.value)) = iface{numberTab, m.boxes.place(y.Num)}
							continue
						}
					}
				}
			}
		case opGetTable:
			x, y := reg(r, in.b), reg(r, in.c)
			if i := int(y.Num) - 1; kindOf(&x.Ref) == kindTable && y.Ref == nil && float64(i+1) == y.Num {
				if array := (*table)(dataOf(&x.Ref)).array; uint(i) < uint(len(array)) {
					if v := &array[i]; kindOf(v) == numberTab {
						reg(r, in.a).SetNumber(*(*float64)(dataOf(v)))
						continue
					} else if k := kindOf(v); k != kindNil && k != nil {
						reg(r, in.a).Ref = *v
						continue
					}
				}
			}
		case opGetTableK:
			x, y := reg(r, in.b), reg(k, in.c)
			if i := int(y.Num) - 1; kindOf(&x.Ref) == kindTable && y.Ref == nil && float64(i+1) == y.Num {
				if array := (*table)(dataOf(&x.Ref)).array; uint(i) < uint(len(array)) {
					if v := &array[i]; kindOf(v) == numberTab {
						reg(r, in.a).SetNumber(*(*float64)(dataOf(v)))
						continue
					} else if k := kindOf(v); k != kindNil && k != nil {
						reg(r, in.a).Ref = *v
						continue
					}
				}
			}
		case opSetTable:
			x, y := reg(r, in.a), reg(r, in.b)
			if i := int(y.Num) - 1; kindOf(&x.Ref) == kindTable && y.Ref == nil && float64(i+1) == y.Num {
				t := (*table)(dataOf(&x.Ref))
				if array := t.array; uint(i) < uint(len(array)) && kindOf(&array[i]) != kindNil && kindOf(&t.Metatable) == kindNil {
					if v := reg(r, in.c); v.Ref != nil {
						if kindOf(&v.Ref) != kindNil {
							array[i] = v.Ref
							continue
						}
					} else if b := smallNumber(v.Num); b != nil {
						array[i] = *b
						continue
					} else if m.boxes.left > 0 {
						*(*iface)(unsafe.Pointer(&array[i])) = iface{numberTab, m.boxes.place(v.Num)}
						continue
					}
				}
			}
		case opSetTableK:
			x, y := reg(r, in.a), reg(r, in.b)
			if i := int(y.Num) - 1; kindOf(&x.Ref) == kindTable && y.Ref == nil && float64(i+1) == y.Num {
				t := (*table)(dataOf(&x.Ref))
				if array := t.array; uint(i) < uint(len(array)) && kindOf(&array[i]) != kindNil && kindOf(&t.Metatable) == kindNil {
					if v := reg(k, in.c); v.Ref != nil {
						if kindOf(&v.Ref) != kindNil {
							array[i] = v.Ref
							continue
						}
					} else if b := smallNumber(v.Num); b != nil {
						array[i] = *b
						continue
					} else if m.boxes.left > 0 {
						*(*iface)(unsafe.Pointer(&array[i])) = iface{numberTab, m.boxes.place(v.Num)}
						continue
					}
				}
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
		case opPowK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil && y.Num == 2 {
				if v := float64(x.Num * x.Num); v >= leastNormal {
					reg(r, in.a).SetNumber(v)
					continue
				}
			}
		case opMod:
			if x, y := reg(r, in.b), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				if i, j := int64(x.Num), int64(y.Num); i >= 0 && j > 0 && float64(i) == x.Num && float64(j) == y.Num && i < 1<<53 && j < 1<<53 {
					reg(r, in.a).SetNumber(float64(i % j))
					continue
				}
			}
		case opModK:
			if x, y := reg(r, in.b), reg(k, in.c); x.Ref == nil {
				if i, j := int64(x.Num), int64(y.Num); i >= 0 && j > 0 && float64(i) == x.Num && float64(j) == y.Num && i < 1<<53 && j < 1<<53 {
					reg(r, in.a).SetNumber(float64(i % j))
					continue
				}
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
			if x := reg(r, in.b); kindOf(&x.Ref) == kindTable {
				t := (*table)(dataOf(&x.Ref))
				if n := len(t.array); kindOf(&t.Metatable) == kindNil && n < lua.MaxArrayIndex-1 && (n == 0 || kindOf(&t.array[n-1]) != kindNil) {
					reg(r, in.a).SetNumber(float64(n))
					continue
				}
			}

		case opJmp:
			ip = jumped(in)
			left += int64(in.add)
			if in.b <= 0 {
				goto back
			}
			continue
		case opEq:
			x, y := reg(r, in.a), reg(r, in.c)
			if x.Ref == nil && y.Ref == nil {
				if (x.Num == y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
			if kindOf(&x.Ref) != kindOf(&y.Ref) || kindOf(&x.Ref) == kindNil {
				if (kindOf(&x.Ref) == kindOf(&y.Ref)) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opEqK:
			x, y := reg(r, in.a), reg(k, in.c)
			if x.Ref == nil && y.Ref == nil {
				if (x.Num == y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
			if kindOf(&x.Ref) != kindOf(&y.Ref) || kindOf(&x.Ref) == kindNil {
				if (kindOf(&x.Ref) == kindOf(&y.Ref)) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opLt:
			if x, y := reg(r, in.a), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				if (x.Num < y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opLtK:
			if x, y := reg(r, in.a), reg(k, in.c); x.Ref == nil {
				if (x.Num < y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opKLt:
			if x, y := reg(k, in.a), reg(r, in.c); y.Ref == nil {
				if (x.Num < y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opLe:
			if x, y := reg(r, in.a), reg(r, in.c); x.Ref == nil && y.Ref == nil {
				if (x.Num <= y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opLeK:
			if x, y := reg(r, in.a), reg(k, in.c); x.Ref == nil {
				if (x.Num <= y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opKLe:
			if x, y := reg(k, in.a), reg(r, in.c); y.Ref == nil {
				if (x.Num <= y.Num) == in.flag {
					ip = jumped(in)
					left += int64(in.add)
					if in.b <= 0 {
						goto back
					}
				} else {
					ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
					left++
				}
				continue
			}
		case opTest:
			if reg(r, in.a).isFalse() == in.flag {
				ip = jumped(in)
				left += int64(in.add)
				if in.b <= 0 {
					goto back
				}
			} else {
				ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
				left++
			}
			continue
		case opTestSet:
			x := reg(r, in.c)
			if x.isFalse() == in.flag {
				*reg(r, in.a) = *x
				ip = jumped(in)
				left += int64(in.add)
				if in.b <= 0 {
					goto back
				}
			} else {
				ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), in.site))
				left++
			}
			continue
		case opForPrep:
			if init, step := reg(r, in.a), reg(r, in.a+2*valueSize); init.Ref == nil && step.Ref == nil {
				init.SetNumber(init.Num - step.Num + 0)
				ip = jumped(in)
				left += int64(in.add)
				continue
			}
		case opForLoop: // the first value and the step are numbers since opForPrep
			init, limit, step := reg(r, in.a), reg(r, in.a+valueSize), reg(r, in.a+2*valueSize)
			if limit.Ref == nil {
				v := init.Num + step.Num + 0
				init.Num = v
				if step.Num > 0 && v <= limit.Num || step.Num <= 0 && v >= limit.Num {
					reg(r, in.a+3*valueSize).SetNumber(v)
					ip = jumped(in)
					left += int64(in.add)
					goto back
				}
				continue
			}
		case opTForTest:
			if first := reg(r, in.a+3*valueSize); kindOf(&first.Ref) != kindNil {
				*reg(r, in.a+2*valueSize) = *first
				ip = jumped(in)
				left += int64(in.add)
				goto back
			}
			continue
		case opNop:
			continue
		case opLoadBox, opStoreBox, opLoadBoxes, opStoreBoxes:
			if act.boxes == nil {
				continue
			}
		case opCall:
			m.restAt(act, ip, left)
			if o := m.call(act, in); o == ended || o == declined && m.perform() {
				return
			}
			goto resume
		case opTailCall:
			m.restAt(act, ip, left)
			done, over := m.tail(act, in)
			if !done {
				over = m.perform()
			}
			if over {
				return
			}
			goto resume
		case opReturn:
			m.restAt(act, ip, left)
			if m.giveBack(act, in) {
				return
			}
			goto resume
		case opReturnShape:
			m.restAt(act, ip, left)
			if m.giveBackShape(act, in) {
				return
			}
			goto resume
		case opTForCall, opCallShape, opCheck:
			m.restAt(act, ip, left)
			if o := m.leaves(act, in); o == ended || o == declined && m.perform() {
				return
			}
			goto resume
		}

		// It needs a method.
		act.ip, m.left = ip, left
		if m.execute(act, in) {
			if m.owed == 0 {
				goto again
			}
			m.restAt(m.act, m.act.ip, m.left)
			m.rest -= m.owed
			m.owed = 0
			goto resume
		}
		m.restAt(m.act, m.act.ip, m.left)
		if m.perform() {
			return
		}
		goto resume
	}
}

// jumped is the target of a jump.
func jumped(in *instruction) *instruction {
	return (*instruction)(unsafe.Add(unsafe.Pointer(in), in.b))
}
