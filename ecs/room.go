package ecs

import "unsafe"

// These functions grow slices of types without pointers, in the world's Memory if there is one. They do not ask
// the limit of bytes: limit.go does, and calls them.

// room returns s with capacity for exactly n elements if it has less, and frees the old memory. With a Memory the
// new memory comes from there, if it has any, so that code outside of Go can read it. owned says whether s is in
// m's memory; the caller keeps it with s. Elements beyond the length are zero.
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

// grow returns s with capacity n, on Go's heap. The advice for large pages is given before the memory is first
// written.
func grow[T any](s []T, n int) []T {
	grown := make([]T, len(s), n)
	adviseHuge(unsafe.Pointer(unsafe.SliceData(grown)), uintptr(n)*unsafe.Sizeof(*new(T)))
	copy(grown, s)
	return grown
}

// release frees the memory of s if it came from m.
func release[T any](m Memory, s []T, owned *bool) {
	if *owned && cap(s) > 0 {
		m.Free(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(*new(T)))
	}
	*owned = false
}
