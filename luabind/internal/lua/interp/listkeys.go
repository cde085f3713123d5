package interp

import lua "github.com/yuin/gopher-lua"

// Whole numbers as keys. gopher-lua keeps all of them from 1 on in a list, and fills the gaps with nil: t[1000000] = x makes a list of that
// length. Here a key goes into the list part only if it is the next one. Others are among the other keys, where gopher-lua keeps fractions,
// until the list part reaches them. So two rules hold for each table: a key within the list part is in no other place, and the key right behind
// it has no value. All code of this repository that reads or sets a key that may be such a number calls [Get] and [Set], and gopher-lua's own
// instructions are wrapped.

// listKey returns a key as a place in the list part; false for a key that never is in it.
func listKey(key lua.LNumber) (i int, ok bool) {
	i = int(key)
	return i, i >= 1 && i < lua.MaxArrayIndex && lua.LNumber(i) == key
}

// Get returns t[key], without metatables; LNil if there is no value.
func Get(t *lua.LTable, key lua.LValue) lua.LValue {
	if n, ok := key.(lua.LNumber); ok {
		if i, ok := listKey(n); ok {
			return tableOf(t).number(i, key)
		}
	}
	return t.RawGet(key)
}

// number is Get for a key of the list part, as a number and as a value.
func (t *table) number(i int, key lua.LValue) lua.LValue {
	if i <= len(t.array) {
		return t.array[i-1]
	}
	if len(t.dict) > 0 {
		if v, ok := t.dict[key]; ok {
			return v
		}
	}
	return lua.LNil
}

// Set sets t[key] = v, without metatables. The key is neither nil nor NaN. It returns the price: see [GrowthBytes].
func Set(t *lua.LTable, key, v lua.LValue) (bytes int64) {
	switch key := key.(type) {
	case lua.LNumber:
		if i, ok := listKey(key); ok {
			return setNumber(t, i, key, v)
		}
	case lua.LString:
		bytes = GrowthBytes(t, key, v)
		t.RawSetString(string(key), v)
		return bytes
	}
	return SetOther(t, key, v)
}

// SetItem is Set for a whole number from 1 on.
func SetItem(t *lua.LTable, i int, v lua.LValue) (bytes int64) {
	if !IsItem(t, float64(i)) {
		return Set(t, lua.LNumber(i), v)
	}
	return tableOf(t).setItem(i, v)
}

// IsItem reports whether t[key] = v puts v into the list part: the key is in it, or is the next one.
func IsItem(t *lua.LTable, key float64) bool {
	i, ok := listKey(lua.LNumber(key))
	return ok && i <= len(tableOf(t).array)+1
}

// setNumber is Set for a key of the list part, as a number and as a value.
func setNumber(t *lua.LTable, i int, key, v lua.LValue) (bytes int64) {
	tb := tableOf(t)
	if i <= len(tb.array)+1 {
		return tb.setItem(i, v)
	}
	tb.others()
	return SetOther(t, key, v)
}

// others prepares a table for such a key: gopher-lua's next looks for it among the other keys only if there is a list part.
func (t *table) others() {
	if t.array == nil {
		t.array = []lua.LValue{}
	}
}

// setItem sets item i of the list part, or the one right behind it.
func (t *table) setItem(i int, v lua.LValue) (bytes int64) {
	switch n := len(t.array); {
	case i > n && v == lua.LNil:
		return 0
	case i > n:
		if t.array == nil {
			t.array = make([]lua.LValue, 0, 4) // gopher-lua would make room for 32
		}
		t.array = append(t.array, v)
		t.absorb()
		return EntryBytes
	case t.array[i-1] == lua.LNil && v != lua.LNil:
		bytes = EntryBytes
	}
	t.array[i-1] = v
	return bytes
}

// absorb moves the keys right behind the list part into it.
func (t *table) absorb() {
	for len(t.dict) > 0 && len(t.array) < lua.MaxArrayIndex-1 {
		next := lua.LNumber(len(t.array) + 1)
		v, ok := t.dict[next]
		if !ok {
			return
		}
		t.array = append(t.array, v)
		delete(t.dict, next)
	}
}

// Insert moves the items of a list from place i on, and puts v there. The list has at least i items.
func Insert(t *lua.LTable, i int, v lua.LValue) {
	t.Insert(i, v)
	tableOf(t).absorb()
}

// listed is called when a constructor has stored items: the list part had n items before. They replace what it has stored at keys like these.
func (t *table) listed(n int) {
	if len(t.dict) == 0 {
		return
	}
	for i := n + 1; i <= len(t.array); i++ {
		delete(t.dict, lua.LNumber(i))
	}
	t.absorb()
}

// IsSparse reports whether a table has values at whole numbers from 1 on that are not in its list part. It costs O(keys).
func IsSparse(t *lua.LTable) bool {
	tb := tableOf(t)
	if len(tb.dict) == 0 {
		return false
	}
	for _, key := range tb.keys {
		n, isNumber := key.(lua.LNumber)
		if !isNumber {
			continue
		}
		if _, ok := listKey(n); !ok {
			continue
		}
		if _, ok := tb.dict[key]; ok {
			return true
		}
	}
	return false
}

// found returns t[key] for a key of the list part that gopher-lua does not find: in t, or in the tables in its chain of __index. It is nil if there is
// none, or if gopher-lua finds it.
func found(t *lua.LTable, i int, key lua.LValue) lua.LValue {
	for range mostIndexed {
		tb := tableOf(t)
		switch v := tb.number(i, key); {
		case v != lua.LNil && i <= len(tb.array):
			return nil
		case v != lua.LNil:
			return v
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			return nil
		}
		if t, ok = meta.RawGetString(metaIndex).(*lua.LTable); !ok {
			return nil
		}
	}
	return nil
}

// operand returns the value of an operand that is a register or a constant.
func operand(th *thread, frame *callFrame, rk int) lua.LValue {
	if isConstant(rk) {
		return frame.Fn.Proto.Constants[rk&^constantBit]
	}
	return th.reg.array[frame.LocalBase+rk]
}

// numberKey returns the operands of an instruction that reads or sets a key of the list part of a table.
func numberKey(th *thread, frame *callFrame, of, rk int) (t *lua.LTable, i int, key lua.LValue) {
	t, ok := th.reg.array[frame.LocalBase+of].(*lua.LTable)
	if !ok {
		return nil, 0, nil
	}
	key = operand(th, frame, rk)
	n, ok := key.(lua.LNumber)
	if !ok {
		return nil, 0, nil
	}
	if i, ok = listKey(n); !ok {
		return nil, 0, nil
	}
	return t, i, key
}

// wrapListKeys wraps gopher-lua's instructions that read and set keys.
func wrapListKeys() {
	get, set, list := jumpTable[lua.OP_GETTABLE], jumpTable[lua.OP_SETTABLE], jumpTable[lua.OP_SETLIST]
	jumpTable[lua.OP_GETTABLE] = func(L *lua.LState, inst uint32, base *callFrame) int {
		th, w := threadOf(L), word(inst)
		frame := th.currentFrame
		if t, i, key := numberKey(th, frame, w.b(), w.c()); t != nil && i > len(tableOf(t).array) {
			if v := found(t, i, key); v != nil {
				to := frame.LocalBase + w.a()
				th.reg.array[to] = v
				th.reg.top = max(th.reg.top, to+1)
				return 0
			}
		}
		return get(L, inst, base)
	}
	jumpTable[lua.OP_SETTABLE] = func(L *lua.LState, inst uint32, base *callFrame) int {
		th, w := threadOf(L), word(inst)
		frame := th.currentFrame
		if t, i, key := numberKey(th, frame, w.a(), w.b()); t != nil && i > len(tableOf(t).array) {
			if t = storedIn(t, key); t != nil && i > len(tableOf(t).array) {
				setNumber(t, i, key, operand(th, frame, w.c()))
				return 0
			}
		}
		return set(L, inst, base)
	}
	jumpTable[lua.OP_SETLIST] = func(L *lua.LState, inst uint32, base *callFrame) int {
		th := threadOf(L)
		t, _ := th.reg.array[th.currentFrame.LocalBase+word(inst).a()].(*lua.LTable)
		n := len(tableOf(t).array)
		end := list(L, inst, base)
		tableOf(t).listed(n)
		return end
	}
}
