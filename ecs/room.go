package ecs

import "unsafe"

// room returns s with capacity for exactly n elements, when it has room for less, of a type without pointers. With a Memory they lie there, so that code outside Go can read them;
// owned says that s does, and is kept beside it.
func room[T any](m Memory, s []T, owned *bool, n int) []T {
	if n <= cap(s) {
		return s
	}
	if m == nil {
		return grow(s, n)
	}
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

// grow returns s with capacity n. Large memory gets large pages before anything touches it.
func grow[T any](s []T, n int) []T {
	grown := make([]T, len(s), n)
	adviseHuge(unsafe.Pointer(unsafe.SliceData(grown)), uintptr(n)*unsafe.Sizeof(*new(T)))
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
