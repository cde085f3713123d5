package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The Go map in which gopher-lua keeps the values of a table at keys that are neither strings nor items of its list part. A walk with range
// begins at a random entry and searches each key; here the groups of the map (fields.go) are read one after the other, so that the order is
// the same each time, and entries are found again by their addresses. If the mirrors do not fit the Go runtime (dictsKnown), range is used.

// A dictEntry is a slot of a group of such a map.
type dictEntry struct{ key, value lua.LValue }

const dictGroupSize = 8 + groupSlots*unsafe.Sizeof(dictEntry{})

// dictsKnown says that the mirrors are right for this version of Go.
var dictsKnown = checkDicts()

// wordsOf returns the type and the address of what an interface value holds. Two keys for which both are the same are the same value.
func wordsOf(v *lua.LValue) *iface { return (*iface)(unsafe.Pointer(v)) }

// A dictPart is a table of a large map, or the only group of a small one, and its groups. As long as a map has the same parts, its entries
// stay where they are.
type dictPart struct {
	table, groups unsafe.Pointer
	last          uintptr // index of the last group
}

// eachPart calls visit for the parts of a map.
func eachPart(m map[lua.LValue]lua.LValue, visit func(p dictPart)) {
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h == nil || h.dir == nil {
		return
	}
	if h.dirLen == 0 {
		visit(dictPart{groups: h.dir})
		return
	}
	var last *mapTable
	for i := range h.dirLen {
		t := *(**mapTable)(unsafe.Add(h.dir, uintptr(i)*unsafe.Sizeof(h.dir)))
		if t == last {
			continue // a table has several places in the directory, one behind the other
		}
		visit(dictPart{unsafe.Pointer(t), t.groups, uintptr(t.lengthMask)})
		last = t
	}
}

// partsOf appends the parts of a map to a list.
func partsOf(m map[lua.LValue]lua.LValue, list []dictPart) []dictPart {
	eachPart(m, func(p dictPart) { list = append(list, p) })
	return list
}

// each calls visit for the entries of a part.
func (p *dictPart) each(visit func(e *dictEntry)) {
	for g := uintptr(0); g <= p.last; g++ {
		group := unsafe.Add(p.groups, g*dictGroupSize)
		for i := range uintptr(groupSlots) {
			if *(*uint8)(unsafe.Add(group, i)) < 0x80 {
				visit((*dictEntry)(unsafe.Add(group, 8+i*unsafe.Sizeof(dictEntry{}))))
			}
		}
	}
}

// eachEntry calls visit for the entries of a map, in an order that is the same as long as the map does not change.
func eachEntry(m map[lua.LValue]lua.LValue, visit func(e *dictEntry)) {
	eachPart(m, func(p dictPart) { p.each(visit) })
}

// checkDicts makes maps of several sizes, to see that the mirrors find their entries, and that an entry that is removed loses its key.
func checkDicts() (known bool) {
	if !mapsKnown {
		return false
	}
	for _, n := range []int{0, 1, 8, 9, 100, 1500} {
		m := map[lua.LValue]lua.LValue{}
		for i := range n {
			m[lua.LNumber(1<<32+i)] = small[i%len(small)]
		}
		if !checkDict(m, n) {
			return false
		}
		if n > 8 {
			entries := map[lua.LValue]*dictEntry{}
			eachEntry(m, func(e *dictEntry) { entries[e.key] = e })
			for i := range n / 2 {
				key := lua.LNumber(1<<32 + 2*i)
				if delete(m, key); entries[key].key != nil {
					return false
				}
			}
			if !checkDict(m, n-n/2) {
				return false
			}
		}
	}
	return true
}

// checkDict reports whether the mirrors find the n entries of a map, and no others.
func checkDict(m map[lua.LValue]lua.LValue, n int) bool {
	if n > 0 && (*(**mapHeader)(unsafe.Pointer(&m))).used != uint64(n) {
		return false
	}
	seen, right := 0, true
	eachEntry(m, func(e *dictEntry) {
		seen++
		v, ok := m[e.key]
		right = right && ok && v == e.value
	})
	return right && seen == n
}
