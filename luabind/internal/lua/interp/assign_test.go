package interp

import (
	"math"
	"testing"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// tableInstruction returns the translation of a program, with its only instruction of an operation.
func tableInstruction(t *testing.T, m *Machine, src string, op opcode) (*activation, *instruction) {
	t.Helper()
	c := m.translate(compile(t, src), false)
	for i := range c.ins {
		if c.ins[i].op == op {
			return &activation{code: c}, &c.ins[i]
		}
	}
	t.Fatalf("%s: no instruction %v", src, op)
	return nil, nil
}

// The instructions for tables do by themselves what needs no metamethod and raises no error, and leave the rest to gopher-lua: then they have done
// nothing.
func TestTableInstructions(t *testing.T) {
	t.Parallel()
	newTable := func(meta lua.LValue) *lua.LTable { return &lua.LTable{Metatable: meta} }
	with := func(name string, v lua.LValue) *lua.LTable {
		meta := newTable(lua.LNil)
		meta.RawSetString(name, v)
		return meta
	}
	base := newTable(lua.LNil)
	base.RawSetString("x", lua.LNumber(8))
	fn := &lua.LFunction{IsG: true}
	metatables := []struct {
		name       string
		meta       lua.LValue
		sets, gets bool // without gopher-lua, what is not there
	}{
		{"none", lua.LNil, true, true},
		{"an empty one", newTable(lua.LNil), true, true},
		{"another name", with("__len", fn), true, true},
		{"a table of bases", with("__index", base), true, true},
		{"a function of bases", with("__index", fn), true, false},
		{"a number of bases", with("__index", lua.LNumber(1)), true, false},
		{"a function for new keys", with("__newindex", fn), false, true},
		{"a table for new keys", with("__newindex", base), false, true},
		{"no table", lua.LNumber(3), false, false},
	}
	keys := []struct {
		key   lua.LValue
		there bool
		never bool // gopher-lua raises the error
	}{
		{lua.LNumber(1), true, false},
		{lua.LNumber(2), true, false},
		{lua.LNumber(3), false, false},
		{lua.LNumber(9), false, false},
		{lua.LNumber(0), false, false},
		{lua.LNumber(-1), false, false},
		{lua.LNumber(2.5), true, false},
		{lua.LNumber(7.5), false, false},
		{lua.LNumber(lua.MaxArrayIndex), false, false},
		{lua.LNumber(lua.MaxArrayIndex + 1), false, false},
		{lua.LString("a"), true, false},
		{lua.LString("b"), false, false},
		{lua.LTrue, true, false},
		{lua.LFalse, false, false},
		{lua.LNumber(math.NaN()), false, true},
		{lua.LNil, false, true},
	}
	filled := func(meta lua.LValue) *lua.LTable {
		tb := newTable(lua.LNil)
		tb.Append(lua.LNumber(10))
		tb.Append(lua.LNumber(20))
		for _, k := range []lua.LValue{lua.LNumber(2.5), lua.LString("a"), lua.LTrue} {
			tb.RawSet(k, lua.LNumber(30))
		}
		tb.Metatable = meta
		return tb
	}
	for _, mt := range metatables {
		for _, k := range keys {
			for _, v := range []lua.LValue{lua.LNumber(5), lua.LString("new"), lua.LNil} {
				m := newMachine()
				act, in := tableInstruction(t, m, "local t, k, v = {}, 1, 2 t[k] = v", opSetTable)
				for range 2 { // the second time a site knows the table
					tb, want := filled(mt.meta), filled(mt.meta)
					obj, key, value := Of(tb), Of(k.key), Of(v)
					before := m.allocations
					spent := *before
					price := int64(0)
					if !k.never {
						price = GrowthBytes(tb, k.key, v)
					}
					does := m.setTable(in, &obj, &key, &value, act)
					fast := k.key == lua.LNumber(1) || k.key == lua.LNumber(2) || k.key == lua.LString("a") && v != lua.LNil // whatever the metatable has
					if should := !k.never && (fast || mt.sets); does != should {
						t.Errorf("%s: t[%v] = %v is done: %v", mt.name, k.key, v, does)
						continue
					}
					if does {
						Set(want, k.key, v)
						if paid := spent - *before; paid != price {
							t.Errorf("%s: t[%v] = %v costs %d, want %d", mt.name, k.key, v, paid, price)
						}
					} else if *before != spent {
						t.Errorf("%s: t[%v] = %v is not done, and costs %d", mt.name, k.key, v, spent-*before)
					}
					if !k.never && (Get(tb, k.key) != Get(want, k.key) || Length(tb) != Length(want)) {
						t.Errorf("%s: t[%v] = %v gives %v of %d, want %v of %d", mt.name, k.key, v, Get(tb, k.key), Length(tb), Get(want, k.key), Length(want))
					}
				}
			}
			m := newMachine()
			act, in := tableInstruction(t, m, "local t, k = {}, 1 local v = t[k]", opGetTable)
			for range 2 {
				tb := filled(mt.meta)
				obj, key, out := Of(tb), Of(k.key), Value{}
				does := m.getTable(in, &out, &obj, &key, act)
				_, isName := k.key.(lua.LString)
				plain := mt.meta == lua.LNil || isName && mt.gets // of a name, bases are looked up, too
				if should := k.key != lua.LNil && (k.there || plain); does != should && !(k.never && k.key != lua.LNil) {
					t.Errorf("%s: t[%v] is read: %v", mt.name, k.key, does)
				}
				if got := m.boxes.value(&out); does && got != tb.RawGet(k.key) {
					t.Errorf("%s: t[%v] is %v", mt.name, k.key, got)
				}
			}
		}
		s := new(site)
		for range 2 {
			var out Value
			name := "x"
			does := s.lookupMeta(mt.meta, &name, hashOf(name), &out)
			if should := mt.name == "a table of bases"; does != should || does && out.Num != 8 {
				t.Errorf("%s: a field of the base is read: %v, %v", mt.name, does, out.Num)
			}
		}
	}
}

// A constructor costs its entries, rounded up to a number with four binary digits at most and zeros behind.
func TestPricesOfConstructors(t *testing.T) {
	t.Parallel()
	rounded := func(n int64) int64 {
		for unit := int64(1); ; unit *= 2 {
			if up := (n + unit - 1) / unit * unit; up < 16*unit {
				return up
			}
		}
	}
	for n := range 3000 {
		if got, want := ConstructorBytes(n, 0), TableBytes+EntryBytes*rounded(int64(n)); got != want {
			t.Errorf("%d items cost %d, want %d", n, got, want)
		}
		if got, want := ConstructorBytes(0, n), ConstructorBytes(n, 0); got != want {
			t.Errorf("%d names cost %d, want %d", n, got, want)
		}
	}
}

// A new key pays for the list up to it, if it can be one of the list, or for one entry.
func TestPricesOfKeys(t *testing.T) {
	t.Parallel()
	last := lua.MaxArrayIndex - 1
	for _, c := range []struct {
		key   lua.LValue
		value lua.LValue
		want  int64
	}{
		{lua.LNumber(1), lua.LTrue, 0},
		{lua.LNumber(2), lua.LTrue, EntryBytes},
		{lua.LNumber(2), lua.LNil, 0},
		{lua.LNumber(4), lua.LTrue, EntryBytes},
		{lua.LNumber(10), lua.LTrue, EntryBytes},
		{lua.LNumber(last), lua.LTrue, EntryBytes},
		{lua.LNumber(last + 1), lua.LTrue, EntryBytes},
		{lua.LNumber(last + 2), lua.LTrue, EntryBytes},
		{lua.LNumber(last + 1), lua.LNil, 0},
		{lua.LNumber(0), lua.LTrue, EntryBytes},
		{lua.LNumber(-1), lua.LTrue, EntryBytes},
		{lua.LNumber(1.5), lua.LTrue, EntryBytes},
		{lua.LString("a"), lua.LTrue, 0},
		{lua.LString("b"), lua.LTrue, EntryBytes},
		{lua.LString("b"), lua.LNil, 0},
		{lua.LTrue, lua.LTrue, 0},
		{lua.LFalse, lua.LTrue, EntryBytes},
		{lua.LFalse, lua.LNil, 0},
	} {
		tb := new(lua.LState).NewTable()
		for range 3 {
			tb.Append(lua.LTrue)
		}
		tb.RawSetInt(2, lua.LNil)
		tb.RawSetString("a", lua.LTrue)
		tb.RawSetH(lua.LTrue, lua.LTrue)
		if got := GrowthBytes(tb, c.key, c.value); got != c.want {
			t.Errorf("t[%v] = %v costs %d, want %d", c.key, c.value, got, c.want)
		}
	}
}

// Equal strings of all functions of a Machine are one string, so that their addresses tell that they are equal.
func TestSharedConstants(t *testing.T) {
	t.Parallel()
	m := newMachine()
	address := func(v lua.LValue) *byte { return unsafe.StringData(string(v.(lua.LString))) }
	for _, text := range []string{"x", "a longer text", metaIndex} {
		one, two := m.shared(lua.LString([]byte(text))), m.shared(lua.LString([]byte(text)))
		if one != lua.LValue(lua.LString(text)) || address(one) != address(two) {
			t.Errorf("%q is not shared: %v, %v", text, one, two)
		}
	}
	for _, k := range []lua.LValue{lua.LNumber(1), lua.LTrue} {
		if m.shared(k) != k {
			t.Errorf("%v is not itself", k)
		}
	}
}

// The order functions that are called, because they are functions of Go or run on another thread.
func TestNoOrdering(t *testing.T) {
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer L.Close()
	items := make([]lua.LValue, leastOrdering)
	for i := range items {
		items[i] = lua.LNumber(i)
	}
	less := L.NewFunctionFromProto(compile(t, `return function(a, b) return true end`).FunctionPrototypes[0])
	m := newMachine()
	m.L = L
	if m.Ordering(L, less, items) == nil {
		t.Error("a function of this thread has no ordering")
	}
	if m.Ordering(L, L.NewFunction(func(*lua.LState) int { return 0 }), items) != nil {
		t.Error("a function of Go has an ordering")
	}
	if other, _ := L.NewThread(); m.Ordering(other, less, items) != nil {
		t.Error("another thread has an ordering")
	}
}
