package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Reading one field of many tables, for Go code outside this package: package loops reads the members of objects with
// it. It finds the field where the table before had it (slots.go). In contrast to a slot it changes nothing in the map.

// A FieldReader reads a field of tables by its name. Its zero value reads the field with the empty name.
type FieldReader struct {
	name   string
	offset uintptr // of the key from the first group; 0 if it is not known
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
	if !mapsKnown || size != groupSize || r.name == "" { // only small maps are searched
		if v, ok := m[r.name]; ok {
			return v
		}
		return lua.LNil
	}
	if r.offset != 0 && inUse(groups, int32(r.offset)) {
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
