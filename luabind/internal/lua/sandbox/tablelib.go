package sandbox

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file is the module table. A first argument that stands for a table in storage (Stored) is changed there.

func (s *State) tableFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"concat": s.tableConcat,
		"getn":   func(L *lua.LState) int { L.Push(lua.LNumber(interp.Length(s.argItems(L, 1)))); return 1 },
		"insert": s.tableInsert,
		"maxn":   tableMaxN,
		"remove": s.tableRemove,
		"sort":   s.tableSort,
	}
}

// tableEntries returns the library table. The functions that change their first argument are marked, because that
// argument may be a table in storage (see Stored).
func (s *State) tableEntries(natives forms) []entry {
	entries := s.entries("table.", s.tableFunctions(), natives)
	for _, en := range entries {
		switch en.name {
		case "insert", "remove", "sort":
			interp.Changes(en.value.(*lua.LFunction))
		}
	}
	return entries
}

// checkRoom raises an error if a list has no room for another item.
func checkRoom(L *lua.LState, n int) {
	if n >= maxList {
		passed(L, "list too long: at most %s items", syntax.Grouped(maxList))
	}
}

// listLen is the # in #t + 1, with checkRoom.
func (s *State) listLen(L *lua.LState) int {
	switch v := L.Get(1).(type) {
	case *lua.LTable:
		if v.Metatable != lua.LNil {
			if fn := L.GetMetaField(v, "__len"); fn.Type() == lua.LTFunction {
				L.Push(fn)
				L.Push(v)
				L.Call(1, 1)
				return 1
			}
		}
		n := interp.Length(v)
		checkRoom(L, n)
		L.Push(boxInt(n))
	case lua.LString:
		L.Push(lua.LNumber(len(v)))
	default:
		if fn := L.GetMetaField(v, "__len"); fn.Type() == lua.LTFunction {
			L.Push(fn)
			L.Push(v)
			L.Call(1, 1)
			return 1
		}
		var name naming
		if f := topFrame(L).Parent; f != nil {
			if in, pc, ok := f.instr(); ok && in.op() == lua.OP_CALL {
				name = s.nameOf(f.Fn.Proto, pc, in.a()+1)
			}
		}
		L.RaiseError("%s", s.mention("attempt to get length of a %s", Mention{Value: v}, name))
	}
	return 1
}

func (s *State) tableConcat(L *lua.LState) int {
	t, sep := s.argItems(L, 1), optString(L, 2, "")
	i := optInt(L, 3, 1)
	j := int64(interp.Length(t))
	if L.Get(4) != lua.LNil {
		j = argInt(L, 4)
	}
	buf := s.buf[:0]
	var caught lua.LString // an item that stands for a caught error
	for k := i; k <= j; k++ {
		v := interp.Get(t, lua.LNumber(k))
		if !lua.LVCanConvToString(v) {
			L.RaiseError("invalid value (a %s) at index %s in table for %q", v.Type(), NumberText(float64(k)), "concat")
		}
		if text, ok := v.(lua.LString); ok {
			s.limitSize(L, len(buf)+len(text))
			s.charge(L, int64(len(text)>>6))
			if s.caught.find(s.budget.Turn(), string(text)) != nil {
				caught = text
			}
		}
		buf = appendValue(buf, v)
		if k < j {
			s.limitSize(L, len(buf)+len(sep))
			buf = append(buf, sep...)
		}
		s.limitSize(L, len(buf))
		if k&1023 == 0 {
			s.charge(L, 1024)
		}
		if k == math.MaxInt64 {
			break
		}
	}
	s.charge(L, max(0, j-i)&1023)
	s.checkSize(L, len(buf))
	text := lua.LString(buf)
	s.inherit(text, caught)
	s.pushString(L, text)
	s.keepBuffer(buf)
	return 1
}

func (s *State) tableInsert(L *lua.LState) int {
	if from := argStored(L); from != nil && L.GetTop() == 2 && from.Append(L, L.Get(2)) {
		return 0
	}
	t, from := argList(L)
	n := interp.Length(t)
	checkRoom(L, n)
	switch L.GetTop() {
	case 2:
		if v := L.Get(2); v != lua.LNil {
			s.grows(L, t, from, n+1, v)
			interp.SetItem(t, n+1, v)
		}
	case 3:
		pos, v := argInt(L, 2), L.Get(3)
		if pos < 1 || pos > int64(n) { // as in 5.1: just a store
			if pos == 0 || pos < 0 || pos > maxList {
				argError(L, 2, "position out of bounds")
			}
			s.grows(L, t, from, int(pos), v)
			interp.SetItem(t, int(pos), v)
			break
		}
		s.charge(L, int64(n-int(pos))>>5)
		s.grows(L, t, from, n+1, v)
		interp.Insert(t, int(pos), v)
	default:
		L.RaiseError("wrong number of arguments to %q", "insert")
	}
	store(L, t, from)
	return 0
}

// grows pays for a new item of a list, unless the list is in storage.
func (s *State) grows(L *lua.LState, t *lua.LTable, from Stored, key int, v lua.LValue) {
	if from == nil {
		s.allocate(L, interp.GrowthBytes(t, lua.LNumber(key), v))
	}
}

func (s *State) tableRemove(L *lua.LState) int {
	if from := argStored(L); from != nil && L.GetTop() == 1 {
		if last, ok := from.RemoveLast(L); ok {
			L.Push(last)
			return 1
		}
	}
	t, from := argList(L)
	n := interp.Length(t)
	pos := int64(n)
	if L.Get(2) != lua.LNil {
		pos = argInt(L, 2)
	}
	if pos < 1 || pos > int64(n) {
		return 0
	}
	s.charge(L, int64(n-int(pos))>>5)
	removed := remove(t, int(pos), n)
	store(L, t, from)
	L.Push(removed)
	return 1
}

// item returns the value at a whole number.
func item(t *lua.LTable, i int) lua.LValue {
	if v := t.RawGetInt(i); v != lua.LNil {
		return v
	}
	return interp.Get(t, lua.LNumber(i))
}

// remove removes an item of a list of n items.
func remove(t *lua.LTable, pos, n int) lua.LValue {
	if n <= maxList {
		return t.Remove(pos)
	}
	removed := item(t, pos)
	for i := pos; i < n; i++ {
		interp.SetItem(t, i, item(t, i+1))
	}
	interp.SetItem(t, n, lua.LNil)
	return removed
}

// tableMaxN returns the largest positive number key.
func tableMaxN(L *lua.LState) int {
	t := argTable(L, 1)
	most := lua.LNumber(t.MaxN())
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if n, ok := k.(lua.LNumber); ok && n > most {
			most = n
		}
	}
	L.Push(most)
	return 1
}

// tableSort is the quicksort of Lua 5.1, so that equal items end up in the same places as there, with every
// version of Go. It sorts a copy: if the order function fails, the table is unchanged.
func (s *State) tableSort(L *lua.LState) int {
	t, from := argList(L)
	var less *lua.LFunction
	if L.Get(2) != lua.LNil {
		less = argFunction(L, 2)
	}
	n := interp.Length(t)
	s.charge(L, int64(n))
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = item(t, i+1)
	}
	so := &sorter{s: s, L: L, less: less}
	if m := s.machine; m != nil && less != nil {
		so.ordering = m.Ordering(L, less, values)
	}
	items := make([]sorted, n)
	for i, v := range values {
		items[i] = sorted{v, i}
	}
	if !Sort(items, func(a, b sorted) (is, ok bool) { return so.lessThan(a, b), true }) {
		L.RaiseError("invalid order function for sorting")
	}
	for i := range items {
		t.RawSetInt(i+1, items[i].value)
	}
	store(L, t, from)
	return 0
}

// A sorted is an item that is being sorted, and its place at the beginning.
type sorted struct {
	value lua.LValue
	at    int
}

// A sorter compares the items of one sort.
type sorter struct {
	s        *State
	L        *lua.LState
	less     *lua.LFunction   // nil: the operator <
	ordering *interp.Ordering // what less does; nil: it is called
	count    int
}

func (so *sorter) lessThan(x, y sorted) bool {
	if so.count++; so.count&255 == 0 {
		so.s.charge(so.L, 512)
	}
	a, b := x.value, y.value
	if so.ordering != nil {
		if is, cost := so.ordering.Less(x.at, y.at); so.s.budget.covers(cost) {
			return is
		}
	}
	if so.less == nil {
		if x, ok := a.(lua.LNumber); ok {
			if y, ok := b.(lua.LNumber); ok {
				return x < y
			}
		}
		if x, ok := a.(lua.LString); ok && len(x) >= 256 {
			so.s.charge(so.L, int64(len(x)>>6)) // they may be alike to the last byte
		}
		return interp.LessThan(so.L, a, b)
	}
	if m := so.s.machine; m != nil {
		if v, ok := m.Call(so.L, so.less, interp.Of(a), interp.Of(b)); ok {
			return v.Truth()
		}
	}
	so.L.Push(so.less)
	so.L.Push(a)
	so.L.Push(b)
	so.L.Call(2, 1)
	r := lua.LVAsBool(so.L.Get(-1))
	so.L.Pop(1)
	return r
}
