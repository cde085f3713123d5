package kernel

import "unsafe"

// Access to fields as bits. Back ends log and restore fields without regard to their type. Fields with pointers,
// such as strings, are not read or written in this way, because the garbage collector must see them.

// Peek returns the bits of the value of 1, 2, 4 or 8 bytes at p.
func Peek(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 8:
		return *(*uint64)(p)
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	}
	return uint64(*(*uint32)(p))
}

// Poke stores the bits of a value of 1, 2, 4 or 8 bytes at p.
func Poke(p unsafe.Pointer, size uintptr, v uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	case 8:
		*(*uint64)(p) = v
	}
}
