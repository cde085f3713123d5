package interp

import (
	"slices"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Metamethods written in Lua. Each is a call like any other: the loop goes on with it, and its result completes the instruction that needs it
// (deliver). So a coroutine may yield in it. Which metamethod is called follows gopher-lua's rules. All others are left to gopher-lua.

// An event is the name of a metamethod, with its hash.
type event struct {
	name string
	hash uint64
}

// events are all of them, complete when the program begins.
var events []*event

// newEvent is for variables of the package only.
func newEvent(name string) *event {
	e := &event{name, hashOf(name)}
	events = append(events, e)
	return e
}

// eventNamed returns the event of a name. Panics if there is none.
func eventNamed(name string) *event {
	i := slices.IndexFunc(events, func(e *event) bool { return e.name == name })
	return events[i]
}

// metamethod returns the entry of the metatable of a table or userdata.
func metamethod(v lua.LValue, e *event) lua.LValue {
	var mt lua.LValue
	switch v := v.(type) {
	case *lua.LTable:
		mt = v.Metatable
	case *lua.LUserData:
		mt = v.Metatable
	}
	if kindOf(&mt) != kindTable {
		return lua.LNil
	}
	t := (*table)(dataOf(&mt))
	switch found, known := t.find(&e.name, e.hash); {
	case found != nil:
		return found.value
	case known:
		return lua.LNil
	}
	return asLua(t).RawGetString(e.name)
}

var (
	eventIndex, eventNewIndex = newEvent(metaIndex), newEvent(metaNewIndex)
	eventEq, eventLt, eventLe = newEvent("__eq"), newEvent("__lt"), newEvent("__le")
	eventCall, eventConcat    = newEvent("__call"), newEvent("__concat")
	// arithmetic has the events of operators.
	arithmetic = [lua.OP_NOP + 1]*event{
		lua.OP_ADD: newEvent("__add"), lua.OP_SUB: newEvent("__sub"), lua.OP_MUL: newEvent("__mul"), lua.OP_DIV: newEvent("__div"),
		lua.OP_MOD: newEvent("__mod"), lua.OP_POW: newEvent("__pow"), lua.OP_UNM: newEvent("__unm"), lua.OP_LEN: newEvent("__len"),
	}
)

// meta begins the call of the metamethod that an instruction needs. It returns false if that is not written in Lua.
func (m *Machine) meta(act *activation, in *instruction) bool {
	if opAdd <= in.op && in.op <= opKPow {
		return m.operate(act, in)
	}
	w := word(act.frame.Fn.Proto.Code[in.pc])
	value := func(rk int) Value {
		if isConstant(rk) {
			return act.code.constants[rk&^constantBit]
		}
		return *at(act.r, rk)
	}
	switch op := w.op(); op {
	case lua.OP_GETGLOBAL:
		name := act.code.constants[w.bx()]
		return m.index(act, Value{Ref: act.frame.Fn.Env}, name, hashIn(&name))
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		key := value(w.c())
		return m.index(act, value(w.b()), key, hashOfKey(&key))
	case lua.OP_SELF:
		object := value(w.b())
		key := value(w.c())
		if !m.index(act, object, key, hashOfKey(&key)) {
			return false
		}
		*at(act.r, w.a()+1) = object
		return true
	case lua.OP_SETGLOBAL:
		return m.newIndex(act, Value{Ref: act.frame.Fn.Env}, act.code.constants[w.bx()], *at(act.r, w.a()))
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		return m.newIndex(act, *at(act.r, w.a()), value(w.b()), value(w.c()))
	case lua.OP_UNM, lua.OP_LEN:
		x := value(w.b())
		return m.callMeta(act, metamethod(x.Ref, arithmetic[op]), endInstruction, &x, nil, nil)
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		return m.compareBy(act, op, value(w.b()), value(w.c()))
	}
	return false
}

// operate calls the metamethod of an operator of arithmetic.
func (m *Machine) operate(act *activation, in *instruction) bool {
	x, y := reg(act.r, in.b), reg(act.r, in.c)
	switch (in.op - opAdd) % 3 {
	case 1:
		y = reg(act.k, in.c)
	case 2:
		x = reg(act.k, in.b)
	}
	e := arithmetic[lua.OP_ADD+int(in.op-opAdd)/3]
	by := metamethod(x.Ref, e)
	if by == lua.LNil {
		by = metamethod(y.Ref, e)
	}
	return m.callMeta(act, by, endInstruction, x, y, nil)
}

// indexBy begins the call of the __index of a table, for opGetField. It returns false if that is not written in Lua.
func (m *Machine) indexBy(act *activation, in *instruction, by lua.LValue, owner *table, key *Value) bool {
	if m.stop.Load() {
		return false
	}
	act.frame.Pc = int(in.pc) + 1
	return m.callMeta(act, by, endInstruction, &Value{Ref: asLua(owner)}, key, nil)
}

// hashOfKey returns the hash of a key that is a name; 0 for others.
func hashOfKey(key *Value) uint64 {
	if name, ok := key.Ref.(lua.LString); ok {
		return hashOf(string(name))
	}
	return 0
}

// has reports whether a table has a key. hash is that of a name.
func (m *Machine) has(t *lua.LTable, key *Value, hash uint64) bool {
	if _, ok := key.Ref.(lua.LString); ok {
		if e, known := tableOf(t).find(textOf(key), hash); known {
			return e != nil
		}
	}
	return Get(t, key.Borrow(&m.key)) != lua.LNil
}

// mostIndices is how many tables in a chain of __index gopher-lua follows.
const mostIndices = 100

// index calls the function for __index of obj[key].
func (m *Machine) index(act *activation, obj, key Value, hash uint64) bool {
	for range mostIndices {
		if t, ok := obj.Ref.(*lua.LTable); ok && m.has(t, &key, hash) {
			return false
		}
		switch by := metamethod(obj.Ref, eventIndex).(type) {
		case *lua.LFunction:
			return m.callMeta(act, by, endInstruction, &obj, &key, nil)
		case *lua.LNilType:
			return false
		default:
			obj.Ref = by
		}
	}
	return false
}

// newIndex calls the function for __newindex of obj[key] = v.
func (m *Machine) newIndex(act *activation, obj, key, v Value) bool {
	hash := hashOfKey(&key)
	for range mostIndices {
		if t, ok := obj.Ref.(*lua.LTable); ok && m.has(t, &key, hash) {
			return false
		}
		switch by := metamethod(obj.Ref, eventNewIndex).(type) {
		case *lua.LFunction:
			return m.callMeta(act, by, endInstruction, &obj, &key, &v)
		case *lua.LNilType:
			return false
		default:
			obj.Ref = by
		}
	}
	return false
}

// compareBy calls the metamethod of a comparison.
func (m *Machine) compareBy(act *activation, op int, x, y Value) bool {
	if x.Ref == nil || y.Ref == nil || x.Ref.Type() != y.Ref.Type() {
		return false
	}
	common := func(event *event) lua.LValue {
		if by := metamethod(x.Ref, event); by == metamethod(y.Ref, event) {
			return by
		}
		return lua.LNil
	}
	switch op {
	case lua.OP_EQ:
		return x.Ref != y.Ref && m.callMeta(act, common(eventEq), endInstruction, &x, &y, nil)
	case lua.OP_LT:
		return m.callMeta(act, common(eventLt), endInstruction, &x, &y, nil)
	}
	if by := common(eventLe); by != lua.LNil {
		return m.callMeta(act, by, endInstruction, &x, &y, nil)
	}
	return m.callMeta(act, common(eventLt), endNegated, &y, &x, nil)
}

// callMeta begins the call of a metamethod by the newest activation, with up to three arguments. It returns false if that is no Lua function, or
// if it does not fit.
func (m *Machine) callMeta(act *activation, by lua.LValue, end ending, x, y, z *Value) bool {
	fn, ok := by.(*lua.LFunction)
	if !ok || fn.IsG || m.full(act.frame) {
		return false
	}
	n := 1
	c, a := m.recentCode(fn.Proto), act.code.size
	m.room(act, a+4)
	*at(act.r, a+1) = *x
	if y != nil {
		*at(act.r, a+2) = *y
		n++
	}
	if z != nil {
		*at(act.r, a+3) = *z
		n++
	}
	if !m.fits(act.frame, c, a, n) {
		m.spend()
		m.ensure(m.L, act.frame.LocalBase+a+2+n+2*c.params+c.size)
	}
	m.push(fn, c, a, n, 1)
	m.act.end = end
	return true
}

// operator calls the metamethod of an operator that is a function: # and ^.
func (m *Machine) operator(act *activation, f *NativeFunction, args []Value) bool {
	for i := range args {
		if _, text := args[i].Ref.(lua.LString); text {
			continue
		}
		if by := metamethod(args[i].Ref, f.event); by != lua.LNil {
			var y *Value
			if len(args) > 1 {
				y = &args[1]
			}
			return m.callMeta(act, by, endInstruction, &args[0], y, nil)
		}
	}
	return false
}

// concat begins x .. y .. z, the operands of a call, if one of them is neither a string nor a number.
func (m *Machine) concat(act *activation, n int) (over, ok bool) {
	in := act.pending()
	for i := 1; i <= n; i++ {
		if !isText(at(act.r, int(in.a)+i)) {
			return m.concatFrom(act, in, n), true
		}
	}
	return false, false
}

// concatFrom joins the first n operands of a call pairwise, from the right, as Lua does.
func (m *Machine) concatFrom(act *activation, in *instruction, n int) (over bool) {
	a := int(in.a)
	fn := at(act.r, a).Ref.(*lua.LFunction)
	f := (*NativeFunction)(unsafe.Pointer(fn))
	for ; n > 1; n-- {
		pair := window(act.r, a+n-1, 2)
		if isText(&pair[0]) && isText(&pair[1]) {
			v, ok := f.native(m, pair)
			if !ok {
				v = m.callValue(act, fn, pair)
			}
			pair[0] = v
			continue
		}
		by := metamethod(pair[0].Ref, eventConcat)
		if by == lua.LNil {
			by = metamethod(pair[1].Ref, eventConcat)
		}
		if m.callMeta(act, by, endConcat, &pair[0], &pair[1], nil) {
			m.act.count = n - 1
			return false
		}
		return m.deliver(act, nil, []Value{m.callValue(act, fn, window(act.r, a+1, n))})
	}
	return m.deliver(act, nil, window(act.r, a+1, 1))
}

// isText reports whether a value is a string or a number.
func isText(v *Value) bool {
	_, text := v.Ref.(lua.LString)
	return text || v.Ref == nil
}

// callValue makes gopher-lua call a function in Go, and returns its first result.
func (m *Machine) callValue(act *activation, fn *lua.LFunction, args []Value) Value {
	L := m.L
	m.extend(L, act.frame, act)
	L.Push(fn)
	for i := range args {
		L.Push(m.boxes.value(&args[i]))
	}
	m.spend()
	m.spare(threadOf(L))
	L.Call(len(args), 1)
	v := ofRegister(L.Get(-1))
	L.Pop(1)
	m.reload()
	return v
}
