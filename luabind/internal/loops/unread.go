package loops

import (
	"math"
	"math/bits"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	lua "github.com/yuin/gopher-lua"
)

// Tables that a loop fills and that nobody can read: temporary ones that the body only writes (see ownership.go). Storing in a table of
// gopher-lua takes more than all the rest of such a loop. Nothing shows what is in the table but the limit of allocations, which
// counts its keys. So only the keys are kept, and the table gets them if the interpreter goes on with the loop: that counts them, too.

// An unread has the keys of one such table. All are numbers of entities. It is a hash table; its zero value is empty.
type unread struct {
	keys  []float64 // in the order in which rows have set them
	slots []uint32  // indexes of keys, plus one; 0: none
}

// add notes a key. It reports whether the key is new.
func (u *unread) add(key float64) bool {
	key += 0 // -0 is the key 0
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
	u.keys = u.keys[:0]
}

// store puts all keys into the table, which had none. The values do not matter.
func (u *unread) store(t *lua.LTable, boxes *interp.Boxes) {
	for _, key := range u.keys {
		interp.SetOther(t, boxes.Number(key), lua.LTrue)
	}
	u.clear()
}
