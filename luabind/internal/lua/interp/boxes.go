package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Numbers as values of gopher-lua, and access to Lua tables, for Go code outside this package: package loops reads
// and writes tables with it, without an allocation for each number.

// A Boxes makes values of gopher-lua from numbers, for Go code that stores many of them. It keeps the numbers in
// pages of 64, so a page lives as long as one of its numbers.
type Boxes struct{ boxes }

// Number returns a number as a value of gopher-lua. It keeps the sign of -0.
func (b *Boxes) Number(f float64) lua.LValue { return b.number(f) }

// A Reader reads elements of tables by number, without an allocation for each. The zero Reader is ready to use.
type Reader struct {
	key   float64
	boxed lua.LValue // the number key
}

// Get returns t[key], without metatables; LNil if there is no value.
func (r *Reader) Get(t *lua.LTable, key float64) lua.LValue {
	tb := tableOf(t)
	if i := int(key); i > 0 && i < lua.MaxArrayIndex && float64(i) == key {
		if i <= len(tb.array) {
			return tb.array[i-1]
		}
		if len(tb.dict) == 0 {
			return lua.LNil
		}
	}
	if r.boxed == nil {
		*(*iface)(unsafe.Pointer(&r.boxed)) = iface{numberTab, unsafe.Pointer(&r.key)}
	}
	r.key = key
	if v, ok := tb.dict[r.boxed]; ok {
		return v
	}
	return lua.LNil
}

// Numbers returns the number of keys of a table that are numbers, or more: it counts other keys that are not strings, too.
func Numbers(t *lua.LTable) int {
	tb := tableOf(t)
	return len(tb.array) + len(tb.dict)
}

// LastItem returns the last value of the list part of a table; LNil if it is empty, or if that value was removed.
func LastItem(t *lua.LTable) lua.LValue {
	if tb := tableOf(t); len(tb.array) > 0 {
		return tb.array[len(tb.array)-1]
	}
	return lua.LNil
}

// EachNumber calls visit for each value of a table at a number, those of the list part first. The order of the others is
// not defined; nothing may depend on it. The table must not change meanwhile.
func EachNumber(t *lua.LTable, visit func(key float64, x lua.LValue)) {
	tb := tableOf(t)
	for i, x := range tb.array {
		if x != lua.LNil {
			visit(float64(i+1), x)
		}
	}
	if dictsKnown {
		eachEntry(tb.dict, func(e *dictEntry) {
			if key, ok := e.key.(lua.LNumber); ok {
				visit(float64(key), e.value)
			}
		})
		return
	}
	for k, x := range tb.dict {
		if key, ok := k.(lua.LNumber); ok {
			visit(float64(key), x)
		}
	}
}

// EachText calls visit for each value of a table at a string. The order is not defined; nothing may depend on it.
func EachText(t *lua.LTable, visit func(key string, x lua.LValue)) {
	for key, x := range tableOf(t).strdict {
		visit(key, x)
	}
}

// Entries returns the number of keys of a table, or more.
func Entries(t *lua.LTable) int {
	tb := tableOf(t)
	return len(tb.array) + len(tb.strdict) + len(tb.dict)
}

// EachEntry calls visit for each value of a table, in the order of pairs.
func EachEntry(t *lua.LTable, visit func(key, x lua.LValue)) {
	tb := tableOf(t)
	for i, x := range tb.array {
		if x != lua.LNil {
			visit(lua.LNumber(i+1), x)
		}
	}
	for _, k := range tb.keys {
		x, ok := tb.dict[k]
		if name, isText := k.(lua.LString); isText {
			x, ok = tb.strdict[string(name)]
		}
		if ok && x != lua.LNil {
			visit(k, x)
		}
	}
}

// IsList reports whether all values of a table are at whole keys from 1 on, at 0, or at strings. It does not look
// for holes.
func IsList(t *lua.LTable) bool {
	tb := tableOf(t)
	if len(tb.dict) == 0 {
		return true
	}
	_, zero := tb.dict[lua.LNumber(0)]
	return zero && len(tb.dict) == 1
}

// Reserve makes room in a table that never had an element: for that many list items, and for that many entries at
// other keys that are not strings.
func Reserve(t *lua.LTable, items, others int) {
	tb := tableOf(t)
	if items > 0 && tb.array == nil {
		tb.array = make([]lua.LValue, 0, items)
	}
	if others > 0 && tb.dict == nil && tb.keys == nil {
		tb.dict = make(map[lua.LValue]lua.LValue, others)
		tb.keys = make([]lua.LValue, 0, others)
		tb.k2i = make(map[lua.LValue]int, others)
	}
}

// Parts returns what a table holds, without copying it: the list part, in which values may be nil; the values at
// strings; those at other keys; and all keys besides those of the list part, in the order of pairs, among which may be
// keys without a value. The caller must not change them, and must not keep them once the table changes.
func Parts(t *lua.LTable) (list []lua.LValue, named map[string]lua.LValue, others map[lua.LValue]lua.LValue, keys []lua.LValue) {
	tb := tableOf(t)
	return tb.array, tb.strdict, tb.dict, tb.keys
}
