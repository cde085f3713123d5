package frame

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Lua tables that are looked up by numbers: a hash table in linear memory (see package abi). A small Lua table is copied
// into it when a run begins; then code makes the entries of new keys itself. Of a large one the host looks up single
// keys when rows ask for them, and all keys after some of these: see kernel.Keyed.Whole.

const (
	leastSlots = 16      // entries of a hash table
	mostSlots  = 1 << 22 // likewise
)

// A hashed is the host's knowledge of one hash table.
type hashed struct {
	slots    int  // number of entries
	used     int  // entries of keys, when the host has last changed something
	complete bool // code makes entries for new keys
	last     int  // the number of keys at the end of the last run
	visit    func(key kernel.Key, found kernel.Finding, values []kernel.Slot)
	lent     lentKeys
}

// A hashKey is a key as code has it: a number, and for a pair the second one. Parts of pairs that are strings are numbers of strings.
type hashKey struct{ first, second float64 }

// hashKeyOf returns what code has for a key of a table.
func (f *Frame) hashKeyOf(table int, key kernel.Key) hashKey {
	p := &f.Program.Keyed[table]
	if !p.Pairs {
		return hashKey{first: key.N + 0}
	}
	part := func(t ir.Type, n float64, s string) float64 {
		if t == ir.Text {
			return float64(f.NumberOf(s))
		}
		return n + 0
	}
	return hashKey{part(f.Program.Keyed[p.Of].Key, key.N, key.S), part(p.Second, key.SecondN, key.SecondS)}
}

// keyOfHash is the reverse of hashKeyOf.
func (f *Frame) keyOfHash(table int, key hashKey) (k kernel.Key) {
	p := &f.Program.Keyed[table]
	if !p.Pairs {
		return kernel.Key{N: key.first}
	}
	if k.N = key.first; f.Program.Keyed[p.Of].Key == ir.Text {
		k.N, k.S = 0, f.TextOf(uint32(key.first))
	}
	if k.SecondN = key.second; p.Second == ir.Text {
		k.SecondN, k.SecondS = 0, f.TextOf(uint32(key.second))
	}
	return k
}

func keyAt(p *ir.Keyed, entry unsafe.Pointer) (key hashKey) {
	at := unsafe.Add(entry, abi.KeyedKey(p))
	key.first = *(*float64)(at)
	if p.Pairs {
		key.second = *(*float64)(unsafe.Add(at, 8))
	}
	return key
}

// startOf returns where the search for a key begins.
func startOf(p *ir.Keyed, key hashKey, shift uint32) uint32 {
	bits := math.Float64bits(key.first)
	if p.Pairs {
		bits = abi.BitsOf(bits, math.Float64bits(key.second))
	}
	return abi.HashOf(bits, shift)
}

// lendHashed begins a run for a table. It returns false if there is no memory.
func (f *Frame) lendHashed(table int) bool {
	k := &f.keyed[table]
	h := &k.hashed
	if h.visit == nil {
		h.visit = func(key kernel.Key, found kernel.Finding, values []kernel.Slot) {
			k := f.hashKeyOf(table, key)
			slot, known := h.lent.next(k)
			if !known {
				var there bool
				if slot, there = f.slotOf(table, k); there {
					return
				}
				h.lent.add(k, slot)
			}
			f.insert(table, slot, k, found, values)
		}
	}
	n, all, keys := 0, k.source.Whole(0), h.last
	if all {
		n = k.source.Each(-1, nil)
		keys = max(keys, n)
	}
	h.used = 0
	if !f.allocHashed(table, slotsFor(keys)) {
		x := &f.lists.entries[table]
		if x.n <= leastSlots || !f.allocHashed(table, 1<<(bits.Len(uint(x.n-1))-1)) {
			return false
		}
		all = false
	}
	*f.header(table, abi.KeyedCounter) = abi.FirstOrder
	if all {
		h.lent.begin(h.slots, h.last > 0)
		k.source.Each(n, h.visit)
		h.lent.end()
	}
	f.setComplete(table, all)
	return true
}

// slotsFor returns the size of a hash table for some keys.
func slotsFor(keys int) int { return max(leastSlots, 1<<bits.Len(uint(2*keys))) }

// limitOf returns how many entries of a hash table may be used.
func limitOf(slots int) int { return slots / 4 * 3 }

// header returns a word of the header of a table.
func (f *Frame) header(table int, offset uintptr) *uint32 {
	return (*uint32)(unsafe.Add(f.lists.entries[table].start, offset))
}

// allocHashed gives a table empty entries. It returns false, and changes nothing, if there is no memory.
func (f *Frame) allocHashed(table, slots int) bool {
	x, stride := &f.lists.entries[table], abi.KeyedStride(&f.Program.Keyed[table])
	if slots > mostSlots {
		return false
	}
	if x.n < slots+1 {
		more := entries{memory: x.memory}
		if !more.alloc(slots+1, stride) {
			return false
		}
		x.free()
		*x = more
	}
	clear(unsafe.Slice((*byte)(x.start), abi.KeyedHeader+uintptr(slots+1)*uintptr(stride)))
	f.keyed[table].hashed.slots = slots
	*f.header(table, abi.KeyedMask) = uint32(slots - 1)
	*f.header(table, abi.KeyedShift) = uint32(64 - bits.TrailingZeros(uint(slots)))
	return true
}

// setComplete tells code whether keys without an entry have no value. Then code may make new entries, too.
func (f *Frame) setComplete(table int, is bool) {
	h := &f.keyed[table].hashed
	h.complete = is
	*f.header(table, abi.KeyedComplete), *f.header(table, abi.KeyedRoom) = 0, 0
	if is {
		*f.header(table, abi.KeyedComplete), *f.header(table, abi.KeyedRoom) = 1, uint32(max(0, limitOf(h.slots)-h.used))
	}
}

// count brings used up to date, which code has changed.
func (f *Frame) count(table int) int {
	h := &f.keyed[table].hashed
	if h.complete {
		h.used = limitOf(h.slots) - int(*f.header(table, abi.KeyedRoom))
	}
	return h.used
}

// slotOf returns the index of the entry of a key, and whether it is there. If not, the index is that of the entry
// that it gets.
func (f *Frame) slotOf(table int, key hashKey) (slot uint32, ok bool) {
	p := &f.Program.Keyed[table]
	stride, first := uintptr(abi.KeyedStride(p)), f.entry(table, 0)
	slot = startOf(p, key, *f.header(table, abi.KeyedShift))
	for {
		e := unsafe.Add(first, uintptr(slot)*stride)
		switch {
		case *(*uint32)(unsafe.Add(e, abi.KeyedState)) == 0:
			return slot, false
		case keyAt(p, e) == key:
			return slot, true
		}
		slot = (slot + 1) & uint32(f.keyed[table].hashed.slots-1)
	}
}

// insert makes an entry that of a key, with what the Lua table has there.
func (f *Frame) insert(table int, slot uint32, key hashKey, found kernel.Finding, values []kernel.Slot) {
	p := &f.Program.Keyed[table]
	e := f.entry(table, slot)
	at := unsafe.Add(e, abi.KeyedKey(p))
	*(*float64)(at) = key.first
	if p.Pairs {
		*(*float64)(unsafe.Add(at, 8)) = key.second
	}
	f.fillEntry(p, e, found, values, abi.KeyedUsed)
	h := &f.keyed[table].hashed
	h.used++
}

// fillEntry sets order, state and values of an entry. more is added to the state.
func (f *Frame) fillEntry(p *ir.Keyed, e unsafe.Pointer, found kernel.Finding, values []kernel.Slot, more uint32) {
	order, state := uint32(0), more
	switch found {
	case kernel.Absent:
	case kernel.Unfit:
		state |= abi.KeyedUnfit
	case kernel.Found:
		order = 1
		for i, s := range values {
			if s.Has {
				state |= 1 << i
				f.setValue(p, e, i, s)
			}
		}
	}
	*(*uint32)(unsafe.Add(e, abi.KeyedOrder)), *(*uint32)(unsafe.Add(e, abi.KeyedState)) = order, state
}

// resize moves the entries of a table to a hash table of another size. The records of the log are changed with them. It
// returns false, and changes nothing, if there is no memory.
func (f *Frame) resize(table, slots int) bool {
	h, x, p := &f.keyed[table].hashed, &f.lists.entries[table], &f.Program.Keyed[table]
	old, oldSlots, stride := *x, h.slots, abi.KeyedStride(p)
	counter, used := *f.header(table, abi.KeyedCounter), f.count(table)
	*x = entries{memory: old.memory}
	if !f.allocHashed(table, slots) {
		*x = old
		return false
	}
	*f.header(table, abi.KeyedCounter) = counter
	place := func(i uint32) unsafe.Pointer {
		return unsafe.Add(old.start, abi.KeyedHeader+uintptr(i)*uintptr(stride))
	}
	for i := range uint32(oldSlots) {
		from := place(i)
		if *(*uint32)(unsafe.Add(from, abi.KeyedState)) == 0 {
			continue
		}
		slot, _ := f.slotOf(table, keyAt(p, from))
		copy(unsafe.Slice((*byte)(f.entry(table, slot)), stride), unsafe.Slice((*byte)(from), stride))
	}
	for at := f.Log.Start; f.Unit.Logs && at < *f.Log.End; at += abi.LogRecord {
		a := (*uint32)(f.Memory.At(at + abi.LogAddress))
		if *a < old.address || uintptr(*a-old.address) >= old.size {
			continue
		}
		offset := *a - old.address - abi.KeyedHeader
		slot, _ := f.slotOf(table, keyAt(p, place(offset/stride)))
		*a = x.address + abi.KeyedHeader + slot*stride + offset%stride
	}
	old.free()
	h.used = used
	f.setComplete(table, h.complete)
	return true
}

// Again does what the last row that failed needs to be run again: it restores the row, and looks up the key that was
// missing. It returns false if the row failed for another reason, or if there is no memory.
func (f *Frame) Again() bool {
	at := f.Memory.At(f.Address + f.Unit.Layout.Missing)
	which := (*uint32)(unsafe.Add(at, abi.MissingTable))
	if *which == 0 {
		return false
	}
	table, key := int(*which)-1, hashKey{first: *(*float64)(unsafe.Add(at, abi.MissingKey))}
	if f.Program.Keyed[table].Pairs {
		key.second = *(*float64)(unsafe.Add(at, abi.MissingKey+8))
	}
	*which = 0
	f.UndoRow()
	if !f.provide(table, key) {
		return false
	}
	f.RefundRow()
	return true
}

// ClosedCell returns the cell whose page the last row that failed wants to be opened, and restores the row; ok is false if it failed for another reason.
func (f *Frame) ClosedCell() (layer, cell int, ok bool) {
	at := f.Memory.At(f.Address + f.Unit.Layout.Missing)
	which := (*uint32)(unsafe.Add(at, abi.MissingTable))
	if *which < abi.MissingLayer {
		return 0, 0, false
	}
	layer, cell = int(*which-abi.MissingLayer), int(*(*float64)(unsafe.Add(at, abi.MissingKey)))
	*which = 0
	f.UndoRow()
	f.RefundRow()
	return layer, cell, true
}

// RefundRow gives back the fuel that a row has used which failed.
func (f *Frame) RefundRow() {
	left := *f.Fuel.Left
	if f.Unit.NotesFuel {
		left = *f.Fuel.row
	}
	f.Fuel.set(left + f.Program.Price)
}

// provide makes the entry of a key, or room for it. Now and then it makes those of all keys.
func (f *Frame) provide(table int, key hashKey) bool {
	k := &f.keyed[table]
	h := &k.hashed
	if h.complete {
		return f.resize(table, 2*h.slots)
	}
	if k.source.Whole(1) && f.room(table, k.source.Each(-1, nil)) {
		k.source.Each(k.source.Each(-1, nil), h.visit)
		f.setComplete(table, true)
		return f.count(table) < limitOf(h.slots) || f.resize(table, 2*h.slots)
	}
	if !f.room(table, 1) {
		return false
	}
	clear(k.slots)
	slot, _ := f.slotOf(table, key)
	f.insert(table, slot, key, k.source.Find(f.keyOfHash(table, key), k.slots), k.slots)
	clear(k.slots)
	return true
}

// room makes room for some more keys; false if there is no memory for them.
func (f *Frame) room(table, keys int) bool {
	used := f.keyed[table].hashed.used
	if keys > mostSlots || used+keys > limitOf(f.keyed[table].hashed.slots) && !f.resize(table, slotsFor(used+keys)) {
		return false
	}
	return true
}

// KnownKeys returns how many keys of a table code knows.
func (f *Frame) KnownKeys(table int) int {
	if f.Program.Keyed[table].Key == ir.Number {
		return f.count(table)
	}
	return len(f.texts.list)
}
