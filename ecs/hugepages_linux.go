package ecs

import (
	"syscall"
	"unsafe"
)

// adviseHuge asks the system to use large pages for newly allocated memory, if it is large enough to contain some.
// Random reads then miss the cache, but not the page table as well. Many systems use large pages only on request.
// It is only advice: nothing depends on its success.
func adviseHuge(p unsafe.Pointer, size uintptr) {
	if size < 2*hugePage {
		return
	}
	skip := -uintptr(p) & (hugePage - 1)
	size = (size - skip) &^ (hugePage - 1)
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), size), syscall.MADV_HUGEPAGE)
}
