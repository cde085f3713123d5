package ecs

import (
	"slices"
	"unsafe"
)

// room returns s with capacity for n elements of a type without pointers. With a Memory they lie there, so that code outside Go can read them;
// owned says that s does, and is kept beside it.
func room[T any](m Memory, s []T, owned *bool, n int) []T {
	if n <= cap(s) {
		return s
	}
	if m == nil {
		return slices.Grow(s, n-len(s))
	}
	n = max(n, 2*cap(s), 64)
	size := uintptr(n) * unsafe.Sizeof(*new(T))
	p := m.Alloc(size)
	if p == nil {
		grown := slices.Grow(s, n-len(s))
		release(m, s, owned)
		return grown
	}
	grown := unsafe.Slice((*T)(p), n)[:len(s)]
	copy(grown, s)
	release(m, s, owned)
	*owned = true
	return grown
}

// release gives the memory of s back when it came from m.
func release[T any](m Memory, s []T, owned *bool) {
	if *owned && cap(s) > 0 {
		m.Free(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(*new(T)))
	}
	*owned = false
}
