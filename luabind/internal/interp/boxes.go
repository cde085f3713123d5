package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Boxes makes values of gopher-lua from numbers, for Go code that stores many of them. Numbers that it returns are kept in memory
// in pages of 64.
type Boxes struct{ boxes }

// Number returns a number as a value of gopher-lua. It keeps the sign of -0.
func (b *Boxes) Number(f float64) lua.LValue { return b.number(f) }

// A Reader reads elements of tables by number, without an allocation for each. The zero Reader is ready to use.
type Reader struct {
	key   float64
	boxed lua.LValue // the number key
}

// Get returns t[key], without metatables; LNil where there is none.
func (r *Reader) Get(t *lua.LTable, key float64) lua.LValue {
	tb := tableOf(t)
	if i := int(key); i > 0 && i < lua.MaxArrayIndex && float64(i) == key {
		if i <= len(tb.array) {
			return tb.array[i-1]
		}
		return lua.LNil
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

// IsList reports whether a table has values only at the whole keys from 1 on, at 0, and at names; a name is any string. It does not look for holes.
func IsList(t *lua.LTable) bool {
	tb := tableOf(t)
	if len(tb.dict) == 0 {
		return true
	}
	_, zero := tb.dict[lua.LNumber(0)]
	return zero && len(tb.dict) == 1
}

// Reserve makes room in a table that never had an element: for so many list items, and so many entries at other keys that are no names.
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
