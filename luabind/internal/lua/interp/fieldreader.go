package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Reading and replacing one field of many tables, for Go code outside this package: package loops does that with the members of objects.
// A FieldReader finds the field where the table before had it (fields.go). It changes nothing, so several goroutines may have one each for the same tables.

// A FieldReader reads a field of tables by its name. Its zero value reads the field with the empty name.
type FieldReader struct {
	name   string
	offset uintptr // of the key from the first group; 0 if it is not known
	misses int     // how many large maps did not have the name there
}

// NewFieldReader makes a FieldReader for a name.
func NewFieldReader(name string) FieldReader { return FieldReader{name: name} }

// Get returns the field of a table, without metatables; LNil if the table does not have it.
func (r *FieldReader) Get(t *lua.LTable) lua.LValue {
	m := tableOf(t).strdict
	groups, size := groupsOf(m)
	if len(m) == 0 {
		return lua.LNil
	}
	if !mapsKnown || size != groupSize || r.name == "" {
		return r.large(m, groups, size)
	}
	if r.offset != 0 && r.offset < size && inUse(groups, int32(r.offset)) {
		if e := (*mapEntry)(unsafe.Add(groups, r.offset)); e.key == r.name {
			return e.value
		}
	}
	for i, c := range (*[groupSlots]uint8)(groups) {
		if c&0x80 != 0 {
			continue // empty
		}
		at := 8 + uintptr(i)*entrySize
		if e := (*mapEntry)(unsafe.Add(groups, at)); e.key == r.name {
			r.offset = at
			return e.value
		}
	}
	return lua.LNil
}

// Replace gives the field of a table another value, without metatables. It reports false, and changes nothing, if the table does not have the
// field. v is not nil. In contrast to an assignment by gopher-lua, a table in one piece (packed.go) stays in one piece.
func (r *FieldReader) Replace(t *lua.LTable, v lua.LValue) bool {
	m := tableOf(t).strdict
	groups, size := groupsOf(m)
	if mapsKnown && r.name != "" && groups != nil && len(m) > 0 {
		if _, ok := r.look(groups, size); !ok {
			r.offset = 0
			r.find(groups, min(size, mostGroups*groupSize))
		}
		if r.offset != 0 {
			(*mapEntry)(unsafe.Add(groups, r.offset)).value = v
			return true
		}
	}
	if _, ok := m[r.name]; !ok {
		return false
	}
	m[r.name] = v
	return true
}

// large is Get for a map that is not small. As long as the name is often found at the same place, that is where it looks first.
func (r *FieldReader) large(m map[string]lua.LValue, groups unsafe.Pointer, size uintptr) lua.LValue {
	known := mapsKnown && r.name != ""
	if known {
		if v, ok := r.look(groups, size); ok {
			return v
		}
	}
	v, ok := m[r.name]
	if !ok {
		return lua.LNil
	}
	if known && r.misses < mostMisses {
		r.misses++
		r.find(groups, min(size, mostGroups*groupSize))
	}
	return v
}

// find remembers where a map has the name.
func (r *FieldReader) find(groups unsafe.Pointer, size uintptr) {
	for offset := uintptr(0); offset < size; offset += groupSize {
		for i, c := range (*[groupSlots]uint8)(unsafe.Add(groups, offset)) {
			at := offset + 8 + uintptr(i)*entrySize
			if c&0x80 == 0 && (*mapEntry)(unsafe.Add(groups, at)).key == r.name {
				r.offset = at
				return
			}
		}
	}
}

// look returns what a map has at the place where the map before had the name; false if that is not the name.
func (r *FieldReader) look(groups unsafe.Pointer, size uintptr) (lua.LValue, bool) {
	if r.offset == 0 || r.offset >= size {
		return nil, false
	}
	group, within := unsafe.Add(groups, r.offset/groupSize*groupSize), r.offset%groupSize
	if !inUse(group, int32(within)) {
		return nil, false
	}
	e := (*mapEntry)(unsafe.Add(groups, r.offset))
	return e.value, e.key == r.name
}
