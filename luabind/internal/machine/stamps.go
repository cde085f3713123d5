package machine

import (
	"math/bits"
	"unsafe"
)

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
	for len(marks) >= 32 {
		words := (*[4]uint64)(unsafe.Pointer(&marks[0]))
		if words[0]|words[1]|words[2]|words[3] != 0 {
			for i, word := range words {
				for word != 0 {
					shift := bits.TrailingZeros64(word) &^ 7
					k.stampMark(row+8*i+shift/8, uint8(word>>shift))
					word &^= 0xff << shift
				}
			}
			*words = [4]uint64{}
		}
		row, marks = row+32, marks[32:]
	}
	for i, mark := range marks {
		k.stampMark(row+i, mark)
		marks[i] = 0
	}
}

// stampMark stamps the views of one mark.
func (k *Kernel) stampMark(row int, mark uint8) {
	for bit, view := range k.unit.Others {
		if mark&(1<<bit) != 0 {
			k.current.column[view].Stamp(row)
		}
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
