package interp

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/without"

	lua "github.com/yuin/gopher-lua"
)

// Fast access to named fields of Lua tables. gopher-lua keeps them in a Go map. Looking up a name costs a call and a hash, which differs from
// map to map, because each has a seed of its own. The maps of tables that this package makes have one seed, that of the process. So the hash
// of a constant name is computed once, and find looks for it as the Go runtime does. A map with another seed is copied to one with this seed
// when a field is looked for (adopt).
//
// This reads maps through mirrors of the types of the Go runtime (internal/runtime/maps). When the program starts,
// checkMaps compares them with real maps. If these differ, gopher-lua reads and writes all fields.

// A mapHeader mirrors the header of a Go map (internal/runtime/maps.Map).
type mapHeader struct {
	used   uint64
	seed   uintptr
	dir    unsafe.Pointer // of a small map: its only group
	dirLen int            // 0: a small map
	_      uint8
	shift  uint8 // how far a hash is shifted for its place in the directory
	_      [6]uint8
	_      uint64 // more, which nothing here needs
}

// A mapTable mirrors one table of a large Go map (internal/runtime/maps.table).
type mapTable struct {
	_          [3]uint16 // entries, capacity, and how many entries fit before it grows
	_          uint8     // depth
	_          int       // index in the directory
	groups     unsafe.Pointer
	lengthMask uint64
}

// A mapEntry is a slot of a group. A group has 8 control bytes before its 8 slots. A control byte of a slot in use has the lowest 7 bits of
// the hash of its key, and the highest bit clear.
type mapEntry struct {
	key   string
	value lua.LValue
}

const (
	groupSlots = 8
	entrySize  = unsafe.Sizeof(mapEntry{})
	groupSize  = 8 + groupSlots*entrySize
	mostGroups = 32  // the largest number of groups of a map in which a FieldReader looks
	mostMisses = 250 // how often it looks in vain
	lowBits    = 0x0101010101010101
	highBits   = 0x8080808080808080
)

// mapsKnown says that the mirrors are right for this version of Go.
var mapsKnown = !without.Process.Has(without.Forged) && checkMaps()

// mapSeed is the seed of the maps of named fields.
var mapSeed = func() uintptr {
	m := map[string]lua.LValue{"": lua.LNil}
	return (*(**mapHeader)(unsafe.Pointer(&m))).seed
}()

//go:linkname strhash runtime.strhash
func strhash(text unsafe.Pointer, seed uintptr) uintptr

func hashOf(name string) uint64 { return uint64(strhash(unsafe.Pointer(&name), mapSeed)) }

// newFields makes a map for named fields.
func newFields(n int) map[string]lua.LValue {
	m := make(map[string]lua.LValue, n)
	if mapsKnown {
		(*(**mapHeader)(unsafe.Pointer(&m))).seed = mapSeed
	}
	return m
}

// textOf returns the text of a name. v must be a string.
func textOf(v *Value) *string {
	return (*string)((*iface)(unsafe.Pointer(&v.Ref)).data)
}

// withHash returns a constant. One that is a string has the hash of its text in Num, which has no other use in a string.
func withHash(v Value) Value {
	if text, ok := v.Ref.(lua.LString); ok {
		v.Num = math.Float64frombits(hashOf(string(text)))
	}
	return v
}

// hashIn returns the hash of a constant that is a string.
func hashIn(v *Value) uint64 { return *(*uint64)(unsafe.Pointer(&v.Num)) }

// headerOf returns the header of the named fields of a table; nil if it has none.
func (t *table) headerOf() *mapHeader { return *(**mapHeader)(unsafe.Pointer(&t.strdict)) }

// find returns the entry of a name; nil if the table does not have it. The map must have the common seed.
func (h *mapHeader) find(name *string, hash uint64) *mapEntry {
	group, mask := h.dir, uint64(0)
	switch {
	case h.used == 0:
		return nil
	case h.dirLen > 1:
		t := *(**mapTable)(unsafe.Add(h.dir, uintptr(hash>>(h.shift&63))*unsafe.Sizeof(h.dir)))
		group, mask = t.groups, t.lengthMask
	case h.dirLen == 1:
		t := *(**mapTable)(h.dir)
		group, mask = t.groups, t.lengthMask
	}
	first := group
	at, step := hash>>7&mask, uint64(0)
	for {
		group = unsafe.Add(first, uintptr(at)*groupSize)
		control := *(*uint64)(group)
		differs := control ^ hash&0x7f*lowBits
		for match := (differs - lowBits) &^ differs & highBits; match != 0; match &= match - 1 {
			e := (*mapEntry)(unsafe.Add(group, 8+uintptr(bits.TrailingZeros64(match)>>3)*entrySize))
			if len(e.key) == len(*name) && (unsafe.StringData(e.key) == unsafe.StringData(*name) || e.key == *name) {
				return e
			}
		}
		if h.dirLen == 0 || control&^(control<<6)&highBits != 0 { // a group with an empty slot is the last one
			return nil
		}
		step++
		at = (at + step) & mask
	}
}

// placeOf returns how far an entry is from the groups of the map; 0 if it is in another map, or if the groups do not follow one another.
// The maps of tables that were filled in the same way have a name at the same place.
func (h *mapHeader) placeOf(e *mapEntry) int32 {
	if h == nil || h.dirLen > 1 || len(e.key) == 0 {
		return 0
	}
	groups, end := h.dir, groupSize
	if h.dirLen == 1 {
		t := *(**mapTable)(h.dir)
		groups, end = t.groups, uintptr(t.lengthMask+1)*groupSize
	}
	if place := uintptr(unsafe.Pointer(e)) - uintptr(groups); place < min(end, math.MaxInt32) {
		return int32(place)
	}
	return 0
}

// share makes an entry have its name in the memory of a constant, so that comparing addresses finds it the next time.
func (e *mapEntry) share(name *string) {
	if unsafe.StringData(e.key) != unsafe.StringData(*name) {
		e.key = *name
	}
}

// groupsWith returns the groups of a map if they have an entry at a place that placeOf has returned for some map.
func (h *mapHeader) groupsWith(place int32) unsafe.Pointer {
	if place == 0 || h == nil {
		return nil
	}
	if h.dirLen == 0 {
		if h.dir == nil || uintptr(place) >= groupSize || !inUse(h.dir, place) { // there may be no memory: see packed.go
			return nil
		}
		return h.dir
	}
	return h.largeWith(place)
}

// largeWith is groupsWith for a map that is not small. An entry that is not in use has no key.
func (h *mapHeader) largeWith(place int32) unsafe.Pointer {
	if h.dirLen > 1 {
		return nil
	}
	t := *(**mapTable)(h.dir)
	if uintptr(place) >= uintptr(t.lengthMask+1)*groupSize {
		return nil
	}
	return t.groups
}

// find returns the entry of a name in the named fields of a table; nil if it does not have it. known is false if only the runtime can tell.
func (t *table) find(name *string, hash uint64) (e *mapEntry, known bool) {
	h := t.headerOf()
	if h == nil {
		return nil, true
	}
	if h.seed != mapSeed {
		if !t.adopt() {
			return nil, false
		}
		h = t.headerOf()
	}
	return h.find(name, hash), true
}

// adopt gives a table a map with the common seed. It reports false if the maps of this version of Go are not known.
func (t *table) adopt() bool {
	if !mapsKnown {
		return false
	}
	fields := newFields(len(t.strdict))
	for name, v := range t.strdict {
		fields[name] = v
	}
	t.strdict = fields
	return true
}

// A place remembers where a map had a name: see placeOf.
type place int32

// find is that of a table, with a look at the place of the last time first.
func (p *place) find(t *table, name *string, hash uint64) (e *mapEntry, known bool) {
	if groups := t.headerOf().groupsWith(int32(*p)); groups != nil {
		e := (*mapEntry)(unsafe.Add(groups, *p))
		if unsafe.StringData(e.key) == unsafe.StringData(*name) && len(e.key) == len(*name) {
			return e, true
		}
	}
	if e, known = t.find(name, hash); e != nil {
		*p = place(t.headerOf().placeOf(e))
	}
	return e, known
}

// A bases has the places of __index in a metatable, and of a name in the table behind it.
type bases struct{ meta, name place }

// reads returns the entry of a name in a table, or in the tables in its chain of __index; nil if they do not have it. It returns false if
// something else must decide. If that is the __index of a table, e is its entry there, and owner that table.
func (b *bases) reads(t *table, name *string, hash uint64) (e *mapEntry, owner *table, known bool) {
	if h := t.headerOf(); h != nil && h.used != 0 {
		if h.seed != mapSeed {
			if !t.adopt() {
				return nil, nil, false
			}
			h = t.headerOf()
		}
		if h.dirLen != 0 || hasByte(*(*uint64)(h.dir), hash&0x7f) {
			if e := h.find(name, hash); e != nil {
				return e, nil, true
			}
		}
	}
	for range 8 {
		if kindOf(&t.Metatable) != kindTable {
			return nil, nil, kindOf(&t.Metatable) == kindNil
		}
		next, known := b.meta.find((*table)(dataOf(&t.Metatable)), &metaIndexText, metaIndexHash)
		if next == nil {
			return nil, nil, known
		}
		if kindOf(&next.value) != kindTable {
			return next, t, false
		}
		t = (*table)(dataOf(&next.value))
		if e, known := b.name.find(t, name, hash); e != nil || !known {
			return e, nil, known
		}
	}
	return nil, nil, false
}

func hasByte(word, b uint64) bool {
	differs := word ^ b*lowBits
	return (differs-lowBits)&^differs&highBits != 0
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

// checkMaps looks for the keys of real maps with the mirrors.
func checkMaps() (known bool) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = "name" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	for _, n := range []int{0, 1, 3, 7, 8, 9, 20, 100, len(names)} {
		for _, hint := range []int{0, 2, 32} {
			if n > 20 && hint > 0 {
				break // a map of so many has grown beyond each hint
			}
			m := make(map[string]lua.LValue, hint)
			(*(**mapHeader)(unsafe.Pointer(&m))).seed = mapSeed
			for i := range n {
				m[names[i]] = small[i%len(small)]
			}
			if !checkMap(m, names[:min(n+50, len(names))], n) {
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
	h, other := *(**mapHeader)(unsafe.Pointer(&m)), lua.LValue(lua.LString("other"))
	if h.used != uint64(n) || h.dirLen < 0 || h.dir == nil && n > 0 {
		return false
	}
	for i := range names {
		name := string(append([]byte(nil), names[i]...))
		e := h.find(&name, uint64(strhash(unsafe.Pointer(&name), h.seed)))
		if i >= n {
			if e != nil {
				return false
			}
			continue
		}
		if e == nil || e.key != name || e.value != m[name] {
			return false
		}
		old := e.value
		e.value = other
		if m[name] != other {
			return false
		}
		e.value = old
	}
	return true
}
