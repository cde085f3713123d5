package ecs

import (
	"encoding/binary"
	"math/bits"
)

// A mask is a set of component ids, one bit each, of any width. It identifies a table. It has no trailing zero
// words, so equal sets are equal slices. Masks of tables are never changed.
type mask []uint64

// maskOf returns the mask of ids, in any order.
func maskOf(ids []ComponentID) mask {
	var m mask
	for _, id := range ids {
		m = m.set(id)
	}
	return m
}

// set adds the bit of id in place, and returns the mask, which may have moved, as append does.
func (m mask) set(id ComponentID) mask {
	word := int(id / 64)
	for len(m) <= word {
		m = append(m, 0)
	}
	m[word] |= 1 << (id % 64)
	return m
}

func (m mask) has(id ComponentID) bool {
	word := int(id / 64)
	return word < len(m) && m[word]&(1<<(id%64)) != 0
}

// containsAll reports whether every bit of o is in m.
func (m mask) containsAll(o mask) bool {
	if len(o) > len(m) {
		return false
	}
	for i, w := range o {
		if w&^m[i] != 0 {
			return false
		}
	}
	return true
}

// intersects reports whether m and o have a bit in common.
func (m mask) intersects(o mask) bool {
	for i := range min(len(m), len(o)) {
		if m[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// ids returns the members in ascending order.
func (m mask) ids() []ComponentID {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	if n == 0 {
		return nil
	}
	ids := make([]ComponentID, 0, n)
	for i, w := range m {
		for ; w != 0; w &= w - 1 {
			ids = append(ids, ComponentID(i*64+bits.TrailingZeros64(w)))
		}
	}
	return ids
}

// appendKey appends the bytes that identify m as a key of a map.
func (m mask) appendKey(b []byte) []byte {
	for _, w := range m {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// with returns a new mask with the bits of ids, which are ascending, added.
func (m mask) with(ids []ComponentID) mask {
	words := len(m)
	if n := len(ids); n > 0 {
		words = max(words, int(ids[n-1]/64)+1)
	}
	r := make(mask, words)
	copy(r, m)
	for _, id := range ids {
		r[id/64] |= 1 << (id % 64)
	}
	return r
}

// minus returns a new mask without the bits of o.
func (m mask) minus(o mask) mask {
	r := append(mask(nil), m...)
	for i := range min(len(m), len(o)) {
		r[i] &^= o[i]
	}
	for len(r) > 0 && r[len(r)-1] == 0 {
		r = r[:len(r)-1]
	}
	return r
}
