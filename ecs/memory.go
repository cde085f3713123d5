package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// Memory supplies the memory of columns without pointers and of the indexes that lead to rows: slots, handles, tag
// entries, grids. The default is Go's heap. Columns with strings or tables are always on Go's heap. Several worlds
// may share one Memory; they may run on different goroutines only if the Memory allows that.
type Memory interface {
	// Alloc returns size zeroed bytes aligned to 64, or nil to make the caller use Go's heap. size is never 0.
	Alloc(size uintptr) unsafe.Pointer
	// Free releases what Alloc returned for this size. The world calls it when it no longer refers to the memory.
	Free(p unsafe.Pointer, size uintptr)
}

// hugePage is the size of a large page on most machines. On others, only the rounding of the advice differs.
const hugePage = 2 << 20

// zeroBase is the address of all rows without data, so that no base is nil.
var zeroBase [8]byte

// allocRows returns zeroed memory for rows of a schema; owned says that it came from m and must be freed there.
// Panics if the rows do not fit into the address space: callers whose number of rows comes from outside check
// [Table.most] first.
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
