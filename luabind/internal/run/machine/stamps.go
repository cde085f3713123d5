package machine

import "unsafe"

// Stamps of the rows that a call has stored. Views that every row stores are collected into ranges of rows; the others are
// told by the marks of the rows.

// stamp stamps n rows that are done.
func (k *Kernel) stamp(row, n int) {
	if n == 0 {
		return
	}
	k.stampAll(row, n)
	if k.unit.Marks >= 0 {
		k.stampMarked(row, k.frame.Marks[:n])
	}
}

// stampAll collects rows for the views that every row stores: see flush.
func (k *Kernel) stampAll(row, n int) {
	if len(k.unit.Always) > 0 {
		if row != k.current.to || k.current.from == k.current.to {
			k.flush()
			k.current.from = row
		}
		k.current.to = row + n
	}
}

// stampSome is stamp for the rows of a mask. It collects nothing, because the rows have gaps.
func (k *Kernel) stampSome(row, n int, mask uint64) {
	if n < 64 {
		mask &= 1<<n - 1
	}
	for _, view := range k.unit.Always {
		k.current.column[view].StampMask(row, mask)
	}
	if k.unit.Marks >= 0 && n > 0 {
		k.stampMarked(row, k.frame.Marks[:n])
	}
}

// stampMarked stamps what marks say, and clears them: code only writes marks that are not 0.
func (k *Kernel) stampMarked(row int, marks []uint8) {
	for len(marks) >= 64 {
		words := (*[8]uint64)(unsafe.Pointer(&marks[0]))
		if any := words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7]; any != 0 {
			k.stampWords(row, words, any)
			*words = [8]uint64{}
		}
		row, marks = row+64, marks[64:]
	}
	if len(marks) > 0 {
		var words [8]uint64
		copy(unsafe.Slice((*uint8)(unsafe.Pointer(&words)), len(marks)), marks)
		clear(marks)
		k.stampWords(row, &words, ^uint64(0))
	}
}

// stampWords stamps the rows of 64 marks. any has at least the bits of all words.
func (k *Kernel) stampWords(row int, words *[8]uint64, any uint64) {
	const (
		first  = 0x0101010101010101 // the lowest bit of each mark
		gather = 0x0102040810204080 // times such bits: all of them in the highest byte
	)
	for bit, view := range k.unit.Others {
		if any>>bit&first == 0 {
			continue
		}
		rows := uint64(0)
		for i, word := range words {
			rows |= (word >> bit & first) * gather >> 56 << (8 * i)
		}
		k.current.column[view].StampMask(row, rows)
	}
}

// flush stamps the rows that stampAll has collected.
func (k *Kernel) flush() {
	if k.current.from == k.current.to {
		return
	}
	for _, view := range k.unit.Always {
		k.current.column[view].StampRange(k.current.from, k.current.to)
	}
	k.current.from, k.current.to = 0, 0
}
