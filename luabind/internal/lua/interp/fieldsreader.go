package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Reading several fields of many tables, for package loops. Tables that one constructor or one function has made have
// the same names in the same slots of their maps. So the names of a table are compared once with those of the table
// before, which finds all fields and all that are missing.

// inUseBits are the highest bits of the control bytes of a group: clear where a slot is in use.
const inUseBits = 0x8080808080808080

// A FieldsReader reads the fields of some names.
type FieldsReader struct {
	names   []string
	readers []FieldReader // for tables that are not like the last one
	offsets []uintptr     // by name: of the entry from the group; 0 if the table does not have the name
	control uint64        // which slots are in use
	keys    []keyAt       // what stands in them; nil if nothing is known
}

// A keyAt is the text of a key in a group.
type keyAt struct {
	offset uintptr
	text   string
}

// NewFieldsReader makes a FieldsReader.
func NewFieldsReader(names ...string) FieldsReader {
	r := FieldsReader{names: names, offsets: make([]uintptr, len(names))}
	for _, name := range names {
		r.readers = append(r.readers, NewFieldReader(name))
	}
	return r
}

// Get sets out to the fields of a table, in the order of the names, without metatables: LNil if the table does not have one.
func (r *FieldsReader) Get(t *lua.LTable, out []lua.LValue) {
	m := tableOf(t).strdict
	group, size := groupsOf(m)
	if !mapsKnown || size != groupSize || len(m) == 0 {
		for i := range r.readers {
			out[i] = r.readers[i].Get(t)
		}
		return
	}
	if r.keys == nil || !r.same(group) {
		r.learn(group)
	}
	for i, offset := range r.offsets {
		out[i] = lua.LNil
		if offset != 0 {
			out[i] = (*mapEntry)(unsafe.Add(group, offset)).value
		}
	}
}

// same reports whether a group has the known names in the known slots.
func (r *FieldsReader) same(group unsafe.Pointer) bool {
	if *(*uint64)(group)&inUseBits != r.control {
		return false
	}
	for i := range r.keys {
		k := &r.keys[i]
		if e := (*mapEntry)(unsafe.Add(group, k.offset)); unsafe.StringData(e.key) != unsafe.StringData(k.text) || len(e.key) != len(k.text) {
			return false
		}
	}
	return true
}

// learn notes where a group has its names.
func (r *FieldsReader) learn(group unsafe.Pointer) {
	r.control, r.keys = *(*uint64)(group)&inUseBits, r.keys[:0]
	clear(r.offsets)
	for i, c := range (*[groupSlots]uint8)(group) {
		if c&0x80 != 0 {
			continue // empty
		}
		at := 8 + uintptr(i)*entrySize
		text := (*mapEntry)(unsafe.Add(group, at)).key
		r.keys = append(r.keys, keyAt{at, text})
		for j, name := range r.names {
			if name == text {
				r.offsets[j] = at
			}
		}
	}
}
