package machine

import "unsafe"

// stamp notes what the rows stored.
func (k *Kernel) stamp(row, n int) {
	if n == 0 {
		return
	}
	k.stampAll(row, n)
	if k.unit.marks >= 0 {
		k.stampMarked(row, k.markBytes[:n])
	}
}

// stampAll notes rows of the views that each row stores.
func (k *Kernel) stampAll(row, n int) {
	if len(k.unit.always) > 0 {
		if row != k.to || k.from == k.to {
			k.flush()
			k.from = row
		}
		k.to = row + n
	}
}

// stampSome is stamp for those rows of a mask that are done. It leaves nothing for
// flush: conditions may look at what these rows stored.
func (k *Kernel) stampSome(row, n int, mask uint64) {
	if n < 64 {
		mask &= 1<<n - 1
	}
	for _, view := range k.unit.always {
		k.column[view].StampMask(row, mask)
	}
	if k.unit.marks >= 0 && n > 0 {
		k.stampMarked(row, k.markBytes[:n])
	}
}

// stampMarked stamps what the marks of rows say, and clears them.
func (k *Kernel) stampMarked(row int, marks []uint8) {
	n := len(marks)
	for i := 0; i < n; i++ {
		for i+32 <= n {
			m := (*[4]uint64)(unsafe.Pointer(&marks[i]))
			if m[0]|m[1]|m[2]|m[3] != 0 {
				break
			}
			i += 32
		}
		if i == n {
			break
		}
		if i+8 <= n && *(*uint64)(unsafe.Pointer(&marks[i])) == 0 {
			i += 7
			continue
		}
		for bit, view := range k.unit.others {
			if marks[i]&(1<<bit) != 0 {
				k.column[view].Stamp(row + i)
			}
		}
		marks[i] = 0 // a packed trip writes what is not
	}
}

// flush stamps the rows of the components that each row stores.
func (k *Kernel) flush() {
	if k.from == k.to {
		return
	}
	for _, view := range k.unit.always {
		k.column[view].StampRange(k.from, k.to)
	}
	k.from, k.to = 0, 0
}
