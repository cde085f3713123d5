package loops

import (
	"math"
	"math/bits"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Tables that a loop fills and that nobody can read: temporary ones that the body only writes (see ownership.go). Storing in a table of
// gopher-lua takes more than all the rest of such a loop. Nothing shows what is in the table but its length and the limit of allocations,
// which counts its entries. So only the keys are kept, and the table gets them if the interpreter goes on with the loop.

// An unread has the keys of one such table. Its zero value is empty.
type unread struct {
	items int       // the length of the list part
	keys  []float64 // the others, in the order in which rows have set them
	slots []uint32  // a hash table: indexes of keys, plus one; 0: none
	holes bool      // a list has got holes, or the interpreter has done a row; from then on the table has everything
}

// add notes a key. It returns the price of the entry, as [interp.GrowthBytes]. ok is false if the table must have everything from now on.
func (u *unread) add(key float64) (bytes int64, ok bool) {
	if i := int(key); i >= 1 && i <= sandbox.MaxList && key == float64(i) {
		switch {
		case i <= u.items:
			return 0, true
		case i > u.items+1:
			return 0, false
		}
		u.items++
		return interp.EntryBytes, true
	}
	if u.addKey(key + 0) { // -0 is the key 0
		return interp.EntryBytes, true
	}
	return 0, true
}

// addKey notes a key that is not in the list part. It reports whether the key is new.
func (u *unread) addKey(key float64) bool {
	if 4*len(u.keys) >= 3*len(u.slots) {
		u.grow()
	}
	at, isNew := u.find(key)
	if isNew {
		u.keys = append(u.keys, key)
		u.slots[at] = uint32(len(u.keys))
	}
	return isNew
}

// find returns the slot of a key, or the one that it gets, and whether the key is new.
func (u *unread) find(key float64) (at int, isNew bool) {
	b, mask := math.Float64bits(key), len(u.slots)-1
	for at = int((b ^ b>>32) * 0x9e3779b97f4a7c15 >> (64 - bits.Len(uint(mask)))); ; at = (at + 1) & mask {
		switch i := u.slots[at]; {
		case i == 0:
			return at, true
		case u.keys[i-1] == key:
			return at, false
		}
	}
}

// grow doubles the slots.
func (u *unread) grow() {
	u.slots = make([]uint32, max(64, 2*len(u.slots)))
	for i, key := range u.keys {
		at, _ := u.find(key)
		u.slots[at] = uint32(i + 1)
	}
}

// clear forgets all keys. It takes time for the keys of the run that ends, and keeps the memory.
func (u *unread) clear() {
	if 8*len(u.keys) > len(u.slots) {
		clear(u.slots)
	} else {
		for i := len(u.keys) - 1; i >= 0; i-- { // from the newest on, so that the way to the others has no gaps
			at, _ := u.find(u.keys[i])
			u.slots[at] = 0
		}
	}
	u.keys, u.items, u.holes = u.keys[:0], 0, false
}

// store puts all keys into the table, which had none. The values do not matter.
func (u *unread) store(t *lua.LTable, boxes *interp.Boxes) {
	for i := range u.items {
		interp.SetItem(t, i+1, lua.LTrue)
	}
	for _, key := range u.keys {
		interp.SetOther(t, boxes.Number(key), lua.LTrue)
	}
	u.clear()
}
