package ecs

import (
	"syscall"
	"unsafe"
)

// adviseHuge asks the system to back memory that was just allocated by large pages, where it is large enough to hold some: a read at
// random then misses the cache, but not the page table as well. Systems that give large pages only on demand are the rule. It is advice: nothing
// depends on whether it is taken.
func adviseHuge(p unsafe.Pointer, size uintptr) {
	if size < 2*hugePage {
		return
	}
	skip := -uintptr(p) & (hugePage - 1)
	size = (size - skip) &^ (hugePage - 1)
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), size), syscall.MADV_HUGEPAGE)
}
