package interp

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/without"

	lua "github.com/yuin/gopher-lua"
)

// Fast access to named fields of Lua tables. gopher-lua keeps them in a Go map, and looking a name up costs a hash.
// But if a place in a script reads the same field repeatedly, the field is in the same slot of the map. A slot
// remembers where that is, and a comparison of the key there tells whether it is still right. Keys are compared by
// the address of their text: Machine.shared makes equal constants one text, and find puts that text into the map in
// place of an equal one.
//
// This reads maps through mirrors of the types of the Go runtime (internal/runtime/maps). When the program starts,
// checkMaps compares them with real maps. If these differ, slots are not used.

// A slot remembers where a map has a name.
type slot struct {
	offset int32 // offset of the key from the first group; 0 if it is not known
	misses int32 // number of searches so far
}

// A mapHeader mirrors the header of a Go map (internal/runtime/maps.Map).
type mapHeader struct {
	used   uint64
	_      uintptr        // the seed of hashes
	dir    unsafe.Pointer // of a small map: its only group
	dirLen int            // 0: a small map
	_      [2]uint64      // more, which nothing here needs
}

// A mapTable mirrors one table of a large Go map (internal/runtime/maps.table).
type mapTable struct {
	_          [3]uint16 // entries, capacity, and how many entries fit before it grows
	_          uint8     // depth
	_          int       // index in the directory
	groups     unsafe.Pointer
	lengthMask uint64
}

// A mapEntry is a slot of a group. A group has 8 control bytes before its 8 slots. The highest bit of the control
// byte is clear if the slot is in use.
type mapEntry struct {
	key   string
	value lua.LValue
}

const (
	groupSlots = 8
	entrySize  = unsafe.Sizeof(mapEntry{})
	groupSize  = 8 + groupSlots*entrySize
	mostGroups = 32  // the largest number of groups of a map that is searched
	mostMisses = 250 // the largest number of searches for one site
)

// mapsKnown says that the mirrors are right for this version of Go.
var mapsKnown = !without.Process.Has(without.Forged) && checkMaps()

// textOf returns the text of a name. v must be a string.
func textOf(v *Value) *string {
	return (*string)((*iface)(unsafe.Pointer(&v.Ref)).data)
}

// groupsOf returns the groups of a map, if they follow one another in memory, and their size.
func groupsOf(m map[string]lua.LValue) (groups unsafe.Pointer, size uintptr) {
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h == nil || h.dir == nil {
		return nil, 0
	}
	switch h.dirLen {
	case 0:
		return h.dir, groupSize
	case 1:
		t := *(**mapTable)(h.dir)
		return t.groups, uintptr(t.lengthMask+1) * groupSize
	}
	return nil, 0
}

// inUse reports whether a small map has an entry at an offset from its group.
func inUse(group unsafe.Pointer, offset int32) bool {
	return *(*uint8)(unsafe.Add(group, uintptr(offset)/entrySize)) < 0x80
}

// entry is the slot of a map, if the name stands in it.
func (s *slot) entry(m map[string]lua.LValue, name *string) *mapEntry {
	groups, size := groupsOf(m)
	if s.offset == 0 || uintptr(s.offset) >= size || len(*name) == 0 { // an empty name could not be told from a slot that is not in use any more
		return nil
	}
	if size == groupSize && !inUse(groups, s.offset) {
		return nil // there may be no memory: see packed.go
	}
	e := (*mapEntry)(unsafe.Add(groups, s.offset))
	if unsafe.StringData(e.key) != unsafe.StringData(*name) || len(e.key) != len(*name) {
		return nil
	}
	return e
}

// get returns the value of a name in a map.
func (s *slot) get(m map[string]lua.LValue, name *string) (v lua.LValue, ok bool) {
	if e := s.entry(m, name); e != nil {
		return e.value, true
	}
	if s.searches(m) {
		if e, ok := s.search(m, name); ok {
			if e == nil {
				return nil, false
			}
			return e.value, true
		}
	}
	v, ok = m[*name]
	return v, ok
}

// set changes the value of a name that a map has. It returns false if the map does not have it.
func (s *slot) set(m map[string]lua.LValue, name *string, v lua.LValue) bool {
	e := s.entry(m, name)
	if e == nil && s.searches(m) {
		var ok bool
		if e, ok = s.search(m, name); ok && e == nil {
			return false
		}
	}
	if e != nil {
		e.value = v
		return true
	}
	if _, ok := m[*name]; !ok {
		return false
	}
	m[*name] = v
	return true
}

// searches reports whether it is worth searching a map: a small one always, and others as long as the place is often
// the same. A change of a full small map by the runtime would make it a large one.
func (s *slot) searches(m map[string]lua.LValue) bool {
	if s.misses < mostMisses {
		return mapsKnown
	}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	return mapsKnown && h != nil && h.dirLen == 0
}

// search looks for a name in a map, and makes the slot remember its place. e is nil if the map does not have the
// name. For a map with too many groups it gives up for good (ok is false). Searches of small maps are not counted,
// because they take no longer than a lookup.
func (s *slot) search(m map[string]lua.LValue, name *string) (e *mapEntry, ok bool) {
	groups, size := groupsOf(m)
	if size > groupSize {
		s.misses++
	}
	if size > mostGroups*groupSize || groups == nil && len(m) > 0 {
		s.misses = mostMisses
		return nil, false
	}
	for offset := uintptr(0); offset < size; offset += groupSize {
		control := (*[groupSlots]uint8)(unsafe.Add(groups, offset))
		for i, c := range control {
			if c&0x80 != 0 {
				continue // empty
			}
			at := offset + 8 + uintptr(i)*entrySize
			e := (*mapEntry)(unsafe.Add(groups, at))
			if e.key != *name {
				continue
			}
			if len(*name) > 0 { // see entry
				e.key = *name
				s.offset = int32(at)
			}
			return e, true
		}
	}
	return nil, true
}

// checkMaps looks for the keys of real maps with the mirrors.
func checkMaps() (known bool) {
	names := make([]string, 100)
	for i := range names {
		names[i] = "name" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	for _, n := range []int{0, 1, 3, 7, 8, 9, 20, len(names)} {
		for _, hint := range []int{0, 2, 32} {
			m := make(map[string]lua.LValue, hint)
			for i := range n {
				m[names[i]] = small[i]
			}
			if !checkMap(m, names, n) {
				return false
			}
			if n > 2 {
				delete(m, names[1])
				delete(m, names[n-1])
				names := append(append([]string{names[0]}, names[2:n-1]...), names[1], names[n-1])
				if !checkMap(m, names, n-2) {
					return false
				}
			}
		}
	}
	return true
}

// checkMap reports whether the mirrors find the first n names in m, and no others.
func checkMap(m map[string]lua.LValue, names []string, n int) bool {
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h.used != uint64(n) || h.dirLen < 0 || h.dirLen > 1 || h.dir == nil && n > 0 {
		return false
	}
	for i := range names {
		var s slot
		name := string(append([]byte(nil), names[i]...))
		e, ok := s.search(m, &name)
		if !ok {
			return false
		}
		if i >= n {
			if e != nil {
				return false
			}
			continue
		}
		if e == nil || e != s.entry(m, &name) || e.key != name || e.value != m[name] {
			return false
		}
		old := e.value
		other := lua.LValue(lua.LString("other"))
		e.value = other
		if m[name] != other {
			return false
		}
		e.value = old
	}
	return true
}
