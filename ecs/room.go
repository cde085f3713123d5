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
		return grow(s, n)
	}
	n = max(n, 2*cap(s), 64)
	p := m.Alloc(uintptr(n) * unsafe.Sizeof(*new(T)))
	if p == nil {
		grown := grow(s, n)
		release(m, s, owned)
		return grown
	}
	grown := unsafe.Slice((*T)(p), n)[:len(s)]
	copy(grown, s)
	release(m, s, owned)
	*owned = true
	return grown
}

// grow is slices.Grow to capacity n, but for large memory, which gets large pages before anything touches it.
func grow[T any](s []T, n int) []T {
	size := unsafe.Sizeof(*new(T))
	if uintptr(n)*size < 2*hugePage {
		return slices.Grow(s, n-len(s))
	}
	grown := make([]T, len(s), max(n, cap(s)+cap(s)/4))
	adviseHuge(unsafe.Pointer(unsafe.SliceData(grown)), uintptr(cap(grown))*size)
	copy(grown, s)
	return grown
}

// release gives the memory of s back when it came from m.
func release[T any](m Memory, s []T, owned *bool) {
	if *owned && cap(s) > 0 {
		m.Free(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(*new(T)))
	}
	*owned = false
}
