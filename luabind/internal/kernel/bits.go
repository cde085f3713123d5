package kernel

import "unsafe"

// Back ends log and restore fields as bits, whatever their type. Fields with pointers are not read or written in this way.

// Peek returns the bits of a value of 1, 2, 4 or 8 bytes.
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

// Poke stores the bits of a value of 1, 2, 4 or 8 bytes.
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
