package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// Memory supplies the memory of pointer-free columns and of what finds rows: slots, handles, tag entries, grids. The default is Go's heap.
// Columns with strings or tables always live there. Several worlds may share one Memory, each from its own goroutine only if it allows that.
type Memory interface {
	// Alloc returns size zeroed bytes aligned to 64, or nil to let the column use Go's heap. size is never 0.
	Alloc(size uintptr) unsafe.Pointer
	// Free takes back what Alloc returned for that size. The world calls it once the memory is no longer reachable through the world.
	Free(p unsafe.Pointer, size uintptr)
}

// hugePage is the size of a large page on most machines; where it is another one, advice about them is rounded differently.
const hugePage = 2 << 20

// zeroBase is where the rows of components without data lie.
var zeroBase [8]byte

// allocRows returns memory for rows of a schema; owned is false when it comes from Go's heap. Panics when there are too many for the
// address space: what asks for a number of rows that comes from outside looks at [Table.most] first.
func allocRows(m Memory, s *Schema, rows int) (base unsafe.Pointer, owned bool) {
	if s.size > 0 && uintptr(rows) > math.MaxInt/s.size {
		panic(fmt.Sprintf("ecs: %d rows of %d bytes do not fit into memory", rows, s.size))
	}
	size := s.size * uintptr(rows)
	if size == 0 {
		return unsafe.Pointer(&zeroBase), false
	}
	if !s.pointerFree {
		return s.memory.alloc(rows), false
	}
	if m != nil {
		if p := m.Alloc(size); p != nil {
			return p, true
		}
	}
	words := make([]uint64, (size+7)/8) // 8-byte alignment suits every field type
	base = unsafe.Pointer(unsafe.SliceData(words))
	adviseHuge(base, size)
	return base, false
}
