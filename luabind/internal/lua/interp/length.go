package interp

import lua "github.com/yuin/gopher-lua"

// The length of a list. gopher-lua only looks at the list part of a table, which ends before lua.MaxArrayIndex. The items of a
// longer list are among the other keys from there on.

// Length returns #t, without metatables.
func Length(t *lua.LTable) int {
	tb := tableOf(t)
	switch n := len(tb.array); {
	case n > 0 && isNil(&tb.array[n-1]):
		return t.Len()
	case n >= lua.MaxArrayIndex-1 && len(tb.dict) > 0:
		return tb.lengthFrom(n)
	default:
		return n
	}
}

// lengthFrom returns the length of a list that has n items at least. As in Lua 5.1, it is that before some item that is nil.
func (t *table) lengthFrom(n int) int {
	has := func(i int) bool {
		v, known := t.dict[lua.LNumber(i)]
		return known && v != lua.LNil
	}
	end := n + 1
	for has(end) {
		n, end = end, 2*end
	}
	for end-n > 1 {
		if middle := n + (end-n)/2; has(middle) {
			n = middle
		} else {
			end = middle
		}
	}
	return n
}

// gopher-lua's # sees the items of long lists, too.
func init() {
	original := jumpTable[lua.OP_LEN]
	jumpTable[lua.OP_LEN] = func(L *lua.LState, inst uint32, base *callFrame) int {
		th, w := threadOf(L), word(inst)
		frame := th.currentFrame
		var t *lua.LTable
		if !isConstant(w.b()) {
			t, _ = th.reg.array[frame.LocalBase+w.b()].(*lua.LTable)
		}
		end := original(L, inst, base)
		if t != nil && len(tableOf(t).array) >= lua.MaxArrayIndex-1 && L.GetMetaField(t, "__len") == lua.LNil {
			th.reg.array[frame.LocalBase+w.a()] = lua.LNumber(Length(t))
		}
		return end
	}
}
